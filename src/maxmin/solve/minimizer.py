"""`Minimizer`: a local regret minimizer as the numbers that set it apart; each algorithm file defines one.

At iteration t every belief observes regrets r (utility of each prescription minus what was played) and does

    R  <-  positive(t) * R + r   where R > 0,   negative(t) * R + r   elsewhere
    R  <-  max(R, 0)                                                     if `floor`
    next strategy  proportional to  max(predicted(t) * R + prediction * r, 0),  uniform where that is zero

and averages take the new strategy with weight ``weight(t)``. The kernel is `iterate` in ``cpp/src/regret.cpp``.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from maxmin.tree import Floats

Numbers = Callable[[Floats, int], Floats]
"""From iterations t = 1, 2, ... and the number of iterations that are planned to one number for each t."""


def ones(t: Floats, planned: int) -> Floats:
    """Return 1 for every iteration."""
    return np.ones_like(t)


def power(exponent: float) -> Numbers:
    """Return t ** exponent: polynomial averaging."""
    return lambda t, planned: t**exponent


def discount(exponent: float) -> Numbers:
    """Return s^e / (s^e + 1) with s = t - 1: discounting applied to the regrets of the iterations before t."""
    return lambda t, planned: fraction(t - 1, exponent)


def next_discount(exponent: float) -> Numbers:
    """Return t^e / (t^e + 1): the discount that the next iteration will apply."""
    return lambda t, planned: fraction(t, exponent)


def fraction(base: Floats, exponent: float | Floats) -> Floats:
    """Return b^e / (b^e + 1) for each number of `base`, 0 where that is 0."""
    grown = np.where(base > 0, base, 1.0) ** exponent
    return np.where(base > 0, grown / (grown + 1), 0.0)


def running_weight(exponent: Numbers) -> Numbers:
    """Return weights that make the average shrink by ((t-1)/t)^g(t) before each iteration, with exponent g(t)."""

    def weight(t: Floats, planned: int) -> Floats:
        s = np.arange(1.0, t[-1] + 1)
        steps = exponent(s, planned)[1:] * np.log(s[1:] / s[:-1])
        logs = np.concatenate([[0.0], np.cumsum(steps)])
        weights: Floats = np.exp(logs[t.astype(int) - 1])
        return weights

    return weight


@dataclass(frozen=True)
class Minimizer:
    """A local regret minimizer.

    Attributes
    ----------
    name : str
        As users type it.
    source : str
        The paper.
    floor : bool
        Cut regrets at zero after each update (regret matching+).
    prediction : float
        How much of the last observed regret is expected to be seen again.
    positive, negative : Numbers
        Discounts of positive and of other regrets.
    predicted : Numbers
        Discount of regrets in the next strategy.
    weight : Numbers
        Weight of each iteration's strategy in the average.
    planned : bool
        Whether these depend on the number of iterations that are planned.
    """

    name: str
    source: str
    floor: bool
    weight: Numbers
    prediction: float = 0.0
    positive: Numbers = ones
    negative: Numbers = ones
    predicted: Numbers = ones
    planned: bool = False
