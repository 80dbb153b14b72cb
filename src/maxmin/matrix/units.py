"""`Units`: how scaled payoffs are turned back into payoff units."""

import math
from dataclasses import dataclass

import numpy as np

from maxmin.errors import GameError
from maxmin.matrix.oracle import Floats


@dataclass(frozen=True)
class Units:
    """A scaled payoff u stands for ``middle + 2**exponent * u``; scaling by powers of two rounds nothing.

    Attributes
    ----------
    middle : float
    exponent : int
    payoff_range : float
        The largest minus the smallest payoff, payoff units.
    """

    middle: float
    exponent: int
    payoff_range: float

    @property
    def scaled_range(self) -> float:
        """The largest minus the smallest payoff, scaled."""
        return math.ldexp(self.payoff_range, -self.exponent)

    def scale(self, payoffs: Floats) -> Floats:
        """Return payoffs scaled."""
        return np.ldexp(payoffs, -self.exponent) - math.ldexp(self.middle, -self.exponent)

    def to_payoff(self, scaled: float) -> float:
        """Return a scaled value in payoff units."""
        return self.middle + math.ldexp(scaled, self.exponent)


def units_of(least: float, most: float) -> Units:
    """Choose units in which payoffs from `least` to `most` lie between -1 and 1.

    Raises
    ------
    GameError
        If they are further apart than the largest float.
    """
    payoff_range = most - least
    if not math.isfinite(payoff_range):
        raise GameError("the payoffs are too far apart for floats: divide them by a constant")
    return Units(least + payoff_range / 2, math.frexp(payoff_range / 2)[1], payoff_range)
