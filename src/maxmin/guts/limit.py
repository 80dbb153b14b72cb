"""Guts against a coalition without end: the limit of `maxmin.guts.continuum`, from its own equations.

Thresholds tend to 1 like 1 - rate / N: player 1's rate is s, a bloc's b, that of a pseudo-bloc's other members t. A
power (1 - b / N)^N tends to e^-b, and G, with c = 1 + v, to

    bloc:          c (b - 1) + 1 - s + 2 e^-b (s - b + c - 1)          for s >= b
    pseudo-bloc:   c t       + 1 - s + 2 e^-t (s - t - 1)              for s >= t

Both are convex in b and t, and linear in s from b and t on. With both derivatives 0 and the two equal, everything
follows from d = b - t, the root of one equation:

    (c - d) (1 - d) = 4 sinh(d / 2)^2,        r = sqrt((c - d) / (1 - d)),
    b, t = log(2 r / c) +- d / 2,        s = t + r e^(-d/2),        value = c (t + 1) + 1 - s - 2 e^-t,

so that one round (c = 1, r = 1) is worth 2 - 2 cosh(d / 2), where 1 - d = 2 sinh(d / 2). The whole game is worth
the v that is the value for c = 1 + v. That the values for N tend to these is proved in
docs/theory/guts-continuum.md. The paper (arXiv 2208.02788) fits a rational function to N = 2..15 instead.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from maxmin.errors import SolutionError
from maxmin.guts.certificate import (
    Jet,
    exactly,
    least_of_convex,
    repeated_lower,
    repeated_upper,
    round_down,
    round_up,
)

if TYPE_CHECKING:
    from flint import arb

_MOST_STEPS = 50
_CLOSE = 1e-9
"""A Newton step this small is the last: what is left is about its square."""
_CAUTION = 2.0**-51
"""By how much the bloc is played more than rounding errors could ask for: no rate of player 1 may gain by it."""


@dataclass(frozen=True)
class Rates:
    """Both sides' strategies in a round, as rates N (1 - threshold).

    Attributes
    ----------
    player, bloc, pseudo_bloc
        Player 1's; the coalition's when all hold alike; that of the others when one always holds.
    weight
        How often the coalition plays the bloc.
    """

    player: float
    bloc: float
    pseudo_bloc: float
    weight: float

    def __post_init__(self) -> None:
        rates = (self.player, self.bloc, self.pseudo_bloc)
        if not (all(rate >= 0 for rate in rates) and 0 <= self.weight <= 1):
            raise SolutionError(f"rates must be 0 or more, and a probability in [0, 1]: {self}")


@dataclass(frozen=True)
class LimitValue:
    """What player 1 gets between proved bounds, in antes, and the strategies that prove them."""

    value: float
    lower: float
    upper: float
    rates: Rates

    def to_json(self) -> dict[str, float]:
        """Return value and bounds."""
        return {"value": self.value, "lower": self.lower, "upper": self.upper}

    def strategies_to_json(self) -> dict[str, Any]:
        """Return both strategies, as rates."""
        one, other = self.rates.weight, 1 - self.rates.weight
        return {
            "player": {"rate": self.rates.player},
            "coalition": [
                {"profile": "bloc", "rate": self.rates.bloc, "probability": one},
                {"profile": "pseudo-bloc", "rate": self.rates.pseudo_bloc, "probability": other},
            ],
        }


@dataclass(frozen=True)
class LimitSolution:
    """The limit of guts between player 1 and a coalition of N players, for N to infinity."""

    one_shot: LimitValue
    repeated: LimitValue
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """Return all fields; a threshold is 1 - rate / N, a little further on than N."""
        return {
            "game": "guts",
            "coalition": None,
            "against": 1,
            "grid": None,
            "method": "limit",
            "one_shot": self.one_shot.to_json(),
            "repeated": self.repeated.to_json(),
            "outcome": "entered",
            "strategies": self.repeated.strategies_to_json(),
            "one_shot_strategies": self.one_shot.strategies_to_json(),
            "gap": self.repeated.upper - self.repeated.lower,
            "seconds": self.seconds,
            "converged": True,
            "stopped_by": "optimal",
            "sizes": {"rows": None, "columns": None},
        }


def solve_limit() -> LimitSolution:
    """Return the limit of the values and strategies of `solve_continuum`, for coalitions without end.

    Examples
    --------
    >>> limit = solve_limit()
    >>> round(limit.one_shot.value, 9), round(limit.repeated.value, 9)
    (-0.062178155, -0.156532723)
    """
    start = time.perf_counter()
    one_shot = find_rates(1.0)
    repeated, value = _find_fixed_point(one_shot)
    with exactly():
        values = _certify(one_shot), _certify_repeated(repeated, value)
    return LimitSolution(*values, seconds=time.perf_counter() - start)


def find_rates(stakes: float) -> Rates:
    """Return optimal strategies for a round at stakes c, in floats; c is 1 or somewhat less."""
    c = stakes
    d = _bisect(lambda d: (c - d) * (1 - d) - 4 * math.sinh(d / 2) ** 2, 0.0, c)
    r = math.sqrt((c - d) / (1 - d))
    b, t = math.log(2 * r / c) + d / 2, math.log(2 * r / c) - d / 2
    falling, rising = 1 - c / r * math.exp(-d / 2), c / r * math.exp(d / 2) - 1
    return Rates(t + r * math.exp(-d / 2), b, t, rising / (rising + falling) + _CAUTION)


def _bisect(function: Callable[[float], float], low: float, high: float) -> float:
    """Return the root of a decreasing function."""
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if function(middle) > 0 else (low, middle)
    return middle


def _find_fixed_point(rates: Rates) -> tuple[Rates, float]:
    """Return the strategies of the whole game, and its value in floats; Newton's method, from one round's rates."""
    value = 0.0
    for _ in range(_MOST_STEPS):
        b, t = rates.bloc, rates.pseudo_bloc
        multiplier = rates.weight * (b - 1 + 2 * math.exp(-b)) + (1 - rates.weight) * t
        round_value = (1 + value) * (t + 1) + 1 - rates.player - 2 * math.exp(-t)
        moved = (round_value - value * multiplier) / (1 - multiplier)
        close, value = abs(moved - value) <= _CLOSE, moved
        rates = find_rates(1 + value)
        if close:
            break
    return rates, value


def bloc(rate: "arb", player: "arb", stakes: "arb") -> "Jet[arb]":
    """Return G against a bloc of rate b <= s, and its derivatives in b; `player` is s, `stakes` is c."""
    b, s, c = rate, player, stakes
    none = 2 * (-b).exp()
    return (
        c * (b - 1) + 1 - s + none * (s - b + c - 1),
        c - none * (s - b + c),
        none * (s - b + c + 1),
    )


def pseudo_bloc(rate: "arb", player: "arb", stakes: "arb") -> "Jet[arb]":
    """Return G against a pseudo-bloc of rate t <= s, and its derivatives in t; parameters as of `bloc`."""
    t, s, c = rate, player, stakes
    none = 2 * (-t).exp()
    return c * t + 1 - s + none * (s - t - 1), c - none * (s - t), none * (s - t + 1)


def guarantee(rates: Rates, stakes: "arb") -> "arb":
    """Return a lower bound of G at player 1's rate, against blocs and pseudo-blocs of all rates up to it."""
    from flint import arb

    s = arb(rates.player)
    curves = (bloc, rates.bloc), (pseudo_bloc, rates.pseudo_bloc)
    bounds = [
        least_of_convex(partial(curve, player=s, stakes=stakes), near, arb(0), s) for curve, near in curves
    ]
    return bounds[0].min(bounds[1])


def held_to(rates: Rates, stakes: "arb") -> "arb":
    """Return an upper bound of G against the coalition's mixture, for all rates of player 1 from 0 up.

    Beyond both rates G is linear, and must not rise; below, it is concave and under its tangent there.
    """
    from flint import arb

    b, t, weight = arb(rates.bloc), arb(rates.pseudo_bloc), arb(rates.weight)
    s = b.max(t)
    value = weight * bloc(b, s, stakes)[0] + (1 - weight) * pseudo_bloc(t, s, stakes)[0]
    slope = 2 * (weight * (-b).exp() + (1 - weight) * (-t).exp()) - 1
    return value - slope * s if slope <= 0 else arb.pos_inf()


def _certify(rates: Rates) -> LimitValue:
    from flint import arb

    lower, upper = round_down(guarantee(rates, arb(1))), round_up(held_to(rates, arb(1)))
    return LimitValue((lower + upper) / 2, lower, upper, rates)


def _certify_repeated(rates: Rates, near: float) -> LimitValue:
    """Prove the bounds as for finite N.

    The coalition's fee N is without end here, so that the stakes may not grow while player 1 always holds.
    """
    from flint import arb

    b, t, weight = arb(rates.bloc), arb(rates.pseudo_bloc), arb(rates.weight)
    growth = weight * (b - 1 + 2 * (-b).exp()) + (1 - weight) * (t + (-t).exp())
    if not growth < 1:
        raise SolutionError(f"the repeated value is not proved: stakes may grow by {growth} a round")
    lower = repeated_lower(lambda v: guarantee(rates, 1 + v), near, fee=1)
    upper = repeated_upper(lambda v: held_to(rates, 1 + v), near, fee=1)
    return LimitValue((lower + upper) / 2, lower, upper, rates)
