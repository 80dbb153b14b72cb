"""Guts without a grid: player 1 against N players who agree on a joint profile of thresholds, to the last digits.

What player 1 gets with threshold p against thresholds q_1, ..., q_N, n = N + 1, if he expects v per unit of the
stakes in the rounds to come, with c = 1 + v between 0 and n:

    G(p; q) = alpha_1 + v beta = c (sum (1 - q_j) - p + 2 p prod q_j) - 1 - n (1 - p)
              + 2 n integral from p to 1 of prod max(x, q_j) dx.

Three facts, proved in docs/theory/guts-continuum.md, leave a few equations in one unknown each:

1. G is concave in p, so player 1 needs no mixture: its mean does at least as well against every profile.
2. Against p < 1 some best response of the coalition, among all of [0, 1]^N, is a bloc (t, ..., t) or a pseudo-bloc
   (0, t, ..., t) with p <= t <= 1.
3. For each of the two, G is convex in t on [p, 1], and so is its derivative: Newton's method from t = 1 descends to
   the only minimum.

So the value is the maximum over p of the smaller of two minima over t. There the two are equal, and the coalition
mixes them such that player 1's derivative is 0. The whole game is worth the fixed point of v -> value(v): payoff
and multiplier of the saddle found for one v give the next, payoff / (1 - multiplier), which is Newton's method.

Floats find the strategies; what these guarantee is proved in ball arithmetic (`maxmin.guts.certificate`).
Continuous guts poker (arXiv 2208.02788) takes 2 for granted, and solves grids by fictitious play.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from maxmin.errors import GameError, SolutionError
from maxmin.guts.certificate import (
    Jet,
    Number,
    exactly,
    least_of_convex,
    most_of_concave,
    repeated_lower,
    repeated_upper,
    round_down,
    round_up,
)
from maxmin.guts.payoffs import check_count
from maxmin.guts.result import GutsValue
from maxmin.rational import shown

if TYPE_CHECKING:
    from flint import arb

LARGEST_COALITION = 100_000
"""Thresholds of larger ones are too near to 1 for floats; their values differ from the limit by about 0.6 / N."""

_MOST_STEPS = 200
_CLOSE = 1e-9
"""A Newton step as small as this, next to the distance from 1, is the last: what is left is about its square."""


@dataclass(frozen=True)
class Saddle:
    """Both sides' strategies in a round.

    Attributes
    ----------
    player, bloc, pseudo_bloc
        Thresholds: player 1's, and those of the coalition when it plays the bloc or the pseudo-bloc.
    weight
        How often it plays the bloc.
    """

    player: float
    bloc: float
    pseudo_bloc: float
    weight: float

    def __post_init__(self) -> None:
        numbers = (self.player, self.bloc, self.pseudo_bloc, self.weight)
        if not all(0 <= number <= 1 for number in numbers) or self.player == 1:
            raise SolutionError(
                f"thresholds and a probability must be in [0, 1], player 1's below 1: {numbers}"
            )


@dataclass(frozen=True, repr=False)
class ContinuumSolution:
    """Guts between player 1 and a coalition, on the continuum of thresholds.

    Attributes
    ----------
    coalition : int
    one_shot : GutsValue
        Of a single round, with nothing to come.
    repeated : GutsValue
        Of the game that is played on at changed stakes; its strategies are those of every round.
    iterations : int
        Newton steps for the repeated value.
    seconds : float
    """

    coalition: int
    one_shot: GutsValue
    repeated: GutsValue
    iterations: int
    seconds: float

    def __repr__(self) -> str:
        bounds = f"{self.repeated.lower:.15g} <= repeated value <= {self.repeated.upper:.15g}"
        return f"ContinuumSolution(1 v {self.coalition}: {bounds})"

    @property
    def gap(self) -> float:
        """Between the bounds of the repeated value."""
        return self.repeated.upper - self.repeated.lower

    def to_json(self) -> dict[str, Any]:
        """Return the fields that the command line prints with ``--json``, named as those of `GutsSolution`.

        There is no grid, and there are no sizes: each side has a continuum of pure strategies.
        """
        return {
            "game": "guts",
            "coalition": self.coalition,
            "against": 1,
            "grid": None,
            "method": "continuum",
            "one_shot": self.one_shot.to_json(),
            "repeated": self.repeated.to_json(),
            "outcome": "entered",
            "strategies": self.repeated.strategies_to_json(),
            "one_shot_strategies": self.one_shot.strategies_to_json(),
            "gap": self.gap,
            "iterations": self.iterations,
            "seconds": self.seconds,
            "converged": True,
            "stopped_by": "optimal",
            "sizes": {"rows": None, "columns": None},
        }


def solve_continuum(*, coalition: int) -> ContinuumSolution:
    """Solve guts between player 1 and a coalition, on the continuum of thresholds.

    Parameters
    ----------
    coalition
        N, its players, from 1 to `LARGEST_COALITION`. They agree on a joint profile of thresholds, anew each round.

    Returns
    -------
    ContinuumSolution
        One round and the whole game, from player 1's view; the bounds are proved, rounding included.

    Raises
    ------
    GameError
        If there is no such coalition.

    Examples
    --------
    >>> solution = solve_continuum(coalition=2)
    >>> round(solution.repeated.value, 12)
    -0.01328590507
    >>> solution.gap < 1e-14
    True
    """
    players = check_coalition(coalition)
    start = time.perf_counter()
    one_shot = find_saddle(players, 1.0)
    repeated, value, iterations = _find_fixed_point(players, one_shot)
    with exactly():
        values = _certify(players, one_shot), _certify_repeated(players, repeated, value)
    return ContinuumSolution(players, *values, iterations=iterations, seconds=time.perf_counter() - start)


def check_coalition(coalition: int) -> int:
    """Return the number of players of a coalition.

    Raises
    ------
    GameError
        If it is not a whole number from 1 to `LARGEST_COALITION`.
    """
    players = check_count("coalition", coalition, 1, "the number of its players")
    if players > LARGEST_COALITION:
        raise GameError(
            f"thresholds of {shown(players)} players are too near to 1 for floats; the most is "
            f"{LARGEST_COALITION:,}. For more, take the limit (solve_limit, maxmin guts --limit): values differ "
            "by about 0.6 / N"
        )
    return players


def bloc(threshold: Number, player: Number, coalition: int, stakes: Number) -> Jet[Number]:
    """Return G against (t, ..., t) with t >= p, and its derivatives in t.

    Parameters
    ----------
    threshold, player
        t and p.
    coalition
        N.
    stakes
        c: 1, plus what player 1 expects of the rounds to come.
    """
    t, p, c, n = threshold, player, stakes, coalition + 1
    ahead = n * (t - p) + c * p
    return (
        c * (coalition * (1 - t) - p) + 1 - n * (1 - p) + 2 * t**coalition * (ahead - t),
        coalition * (2 * t ** (coalition - 1) * ahead - c),
        2 * coalition * t ** (coalition - 2) * ((coalition - 1) * ahead + n * t),
    )


def pseudo_bloc(threshold: Number, player: Number, coalition: int, stakes: Number) -> Jet[Number]:
    """Return G against (0, t, ..., t) with t >= p, and its derivatives in t; parameters as of `bloc`."""
    t, p, c, n, others = threshold, player, stakes, coalition + 1, coalition - 1
    ahead = (t - p) * (t + p)
    return (
        c * (1 - p + others * (1 - t)) + 1 - n * (1 - p) + t**others * (n * ahead - 2 * t * t),
        others * (n * t ** (coalition - 2) * ahead - c),
        others * n * t ** (coalition - 3) * ((coalition - 2) * ahead + 2 * t * t),
    )


def player_slopes(
    player: Number, bloc: Number, pseudo_bloc: Number, coalition: int, stakes: Number
) -> tuple[Number, Number]:
    """Return dG/dp against a bloc and against a pseudo-bloc whose thresholds are at least p."""
    n = coalition + 1
    return (
        (n - stakes) * (1 - 2 * bloc**coalition),
        n - stakes - 2 * n * player * pseudo_bloc ** (coalition - 1),
    )


def against_mixture(
    player: Number, bloc_threshold: Number, threshold: Number, weight: Number, coalition: int, stakes: Number
) -> Jet[Number]:
    """Return G against a bloc with probability `weight`, else a pseudo-bloc, and its derivatives in p.

    Their thresholds are at least p; there G is quadratic in p.
    """
    p, b, t, rest = player, bloc_threshold, threshold, 1 - weight
    slopes = player_slopes(p, b, t, coalition, stakes)
    values = bloc(b, p, coalition, stakes)[0], pseudo_bloc(t, p, coalition, stakes)[0]
    return (
        weight * values[0] + rest * values[1],
        weight * slopes[0] + rest * slopes[1],
        -2 * (coalition + 1) * rest * t ** (coalition - 1),
    )


def find_saddle(coalition: int, stakes: float) -> Saddle:
    """Return optimal strategies for a round, found in floats.

    Newton's method, kept inside a bracket: where the bloc is better for the coalition than the pseudo-bloc,
    player 1 gains by a higher threshold.
    """
    low, high, p = 0.0, 1.0, 0.5 ** (1 / coalition)
    close = False
    for _ in range(_MOST_STEPS):
        b, t = (_least(curve, p, coalition, stakes) for curve in (bloc, pseudo_bloc))
        slopes = player_slopes(p, b, t, coalition, stakes)
        if close:
            break
        excess = bloc(b, p, coalition, stakes)[0] - pseudo_bloc(t, p, coalition, stakes)[0]
        low, high = (p, high) if excess < 0 else (low, p)
        moved = p - excess / (slopes[0] - slopes[1]) if slopes[0] > slopes[1] else -1.0
        if not low <= moved <= high:
            moved = (low + high) / 2
        close = abs(moved - p) <= _CLOSE * (1 - p)
        p = moved
    return Saddle(p, b, t, slopes[1] / (slopes[1] - slopes[0]))


def _least(
    curve: Callable[[float, float, int, float], Jet[float]], p: float, coalition: int, c: float
) -> float:
    """Return where G is least for t in [p, 1], by Newton's method from t = 1."""
    t = 1.0
    for _ in range(_MOST_STEPS):
        _, slope, curvature = curve(t, p, coalition, c)
        if slope <= 0 or t - slope / curvature >= t:
            break
        t = max(p, t - slope / curvature)
    return t


def _find_fixed_point(coalition: int, saddle: Saddle) -> tuple[Saddle, float, int]:
    """Return the strategies of the whole game, its value in floats, and the Newton steps; start from a saddle."""
    value, steps, close = 0.0, 0, False
    while not close and steps < _MOST_STEPS:
        payoff, more = (_mixed_value(coalition, saddle, stakes) for stakes in (1.0, 2.0))
        moved = payoff / (1 - (more - payoff))  # G is linear in c, and `more - payoff` the multiplier
        close, value, steps = abs(moved - value) <= _CLOSE, moved, steps + 1
        saddle = find_saddle(coalition, 1 + value)
    return saddle, value, steps


def _mixed_value(coalition: int, saddle: Saddle, stakes: float) -> float:
    p, b, t, weight = saddle.player, saddle.bloc, saddle.pseudo_bloc, saddle.weight
    return against_mixture(p, b, t, weight, coalition, stakes)[0]


def guarantee(coalition: int, saddle: Saddle, stakes: "arb") -> "arb":
    """Return a lower bound of G with player 1's threshold, against all profiles of the coalition."""
    from flint import arb

    p = arb(saddle.player)
    curves = (bloc, saddle.bloc), (pseudo_bloc, saddle.pseudo_bloc)
    bounds = [
        least_of_convex(partial(curve, player=p, coalition=coalition, stakes=stakes), near, p, arb(1))
        for curve, near in curves
    ]
    return bounds[0].min(bounds[1])


def held_to(coalition: int, saddle: Saddle, stakes: "arb") -> "arb":
    """Return an upper bound of G against the coalition's mixture, for all thresholds of player 1."""
    from flint import arb

    b, t, weight = arb(saddle.bloc), arb(saddle.pseudo_bloc), arb(saddle.weight)
    curve = partial(
        against_mixture, bloc_threshold=b, threshold=t, weight=weight, coalition=coalition, stakes=stakes
    )
    return most_of_concave(curve, saddle.player, b.min(t))


def _certify(coalition: int, saddle: Saddle) -> GutsValue:
    from flint import arb

    lower = round_down(guarantee(coalition, saddle, arb(1)))
    upper = round_up(held_to(coalition, saddle, arb(1)))
    return _value(coalition, saddle, lower, upper)


def _certify_repeated(coalition: int, saddle: Saddle, near: float) -> GutsValue:
    lower = repeated_lower(lambda v: guarantee(coalition, saddle, 1 + v), near, fee=1)
    upper = repeated_upper(lambda v: held_to(coalition, saddle, 1 + v), near, fee=coalition)
    return _value(coalition, saddle, lower, upper)


def _value(coalition: int, saddle: Saddle, lower: float, upper: float) -> GutsValue:
    profiles = (saddle.bloc,) * coalition, (0.0, *(saddle.pseudo_bloc,) * (coalition - 1))
    weights = saddle.weight, 1 - saddle.weight
    mixture = [(profile, weight) for profile, weight in zip(profiles, weights, strict=True) if weight > 0]
    return GutsValue((lower + upper) / 2, lower, upper, [((saddle.player,), 1.0)], mixture)
