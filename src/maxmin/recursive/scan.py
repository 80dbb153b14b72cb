"""All fixed points T(v) = v of a game of one state in an interval, by branch and bound.

T is nondecreasing. Of an interval [a, b], solved at its middle with optimal mixtures x and y, it is known that

    f(v) <= T(v) <= g(v),    f concave and nondecreasing, of x;  g convex and nondecreasing, of y.

So it has no fixed point if f(a) > b or g(b) < a, nor if f is above v at both ends, or g below. Else it is halved,
until it is narrow, or f and g are so near to v at both ends that all of it is a fixed point within rounding.
Intervals that remain and touch are one fixed point. It is certain to be there if T - v is proven to have different
signs at the ends, as T is continuous; else T may also come near to v and turn back.

Where T crosses v from above, values near by lead there when the game is played again; where it crosses from below
they lead away.
"""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from maxmin.errors import GameError, MaxminError
from maxmin.interrupt import Watch
from maxmin.limits import check_gap, check_real, check_seconds
from maxmin.recursive.bracket import Bracket, KeepGoing
from maxmin.recursive.certificate import seats_of
from maxmin.recursive.game import RecursiveGame

_MOST_INTERVALS = 4_000
"""Rounds that are solved before the intervals that are left are taken as they are."""

_NEWTON_STEPS = 8
"""From the middle of an interval that is narrow already."""

_ROUNDING = 1e-13
"""T and v that are no further apart than this, relative to v, are the same."""


@dataclass(frozen=True)
class FixedPoint:
    """Where T(v) = v, or nearly so.

    Attributes
    ----------
    value, lower, upper : float
        Where Newton's method finds it, and bounds; there is no other fixed point near by.
    kind : str
        "attracting" (T - v changes from plus to minus there), "repelling" (from minus to plus), "touching" (no
        change is proven: T and v may touch, or only come near) or "interval" (T and v are the same to rounding).
    certain : bool
        Whether it is proven that a fixed point is there.
    """

    value: float
    lower: float
    upper: float
    kind: str
    certain: bool

    def to_json(self) -> dict[str, Any]:
        """Return all fields as JSON types."""
        bounds = {"value": self.value, "lower": self.lower, "upper": self.upper}
        return {**bounds, "kind": self.kind, "certain": self.certain}


@dataclass(frozen=True)
class FixedPoints:
    """All fixed points of an interval: none is outside of `points`.

    Attributes
    ----------
    low, high : float
        The interval.
    points : tuple of FixedPoint
        In ascending order.
    iterations : int
        Rounds that were solved.
    seconds : float
    stopped_by : str
        "gap" (all are as narrow as was asked for), "iterations", "seconds" or "interrupt": some are wider.
    """

    low: float
    high: float
    points: tuple[FixedPoint, ...]
    iterations: int
    seconds: float
    stopped_by: str

    def to_json(self) -> dict[str, Any]:
        """Return all fields as JSON types."""
        points = [point.to_json() for point in self.points]
        how = {"iterations": self.iterations, "seconds": self.seconds, "stopped_by": self.stopped_by}
        return {"low": self.low, "high": self.high, "points": points, **how}


def fixed_points(
    game: RecursiveGame, *, low: float, high: float, gap: float = 1e-9, seconds: float | None = None
) -> FixedPoints:
    """Find all fixed points of a game of one state in an interval; its fees do not matter.

    Parameters
    ----------
    game
        Of one state.
    low, high
        The ends of the interval, in units of the stakes.
    gap
        Narrow each fixed point down to about this width.
    seconds
        Stop after so much; what is not decided by then counts as "touching".

    Raises
    ------
    GameError
        If the game has several states.
    MaxminError
        If an argument makes no sense.

    Examples
    --------
    The row player takes 1/4 and ends the game, or plays on for double stakes, which costs 1/2:

    >>> from maxmin.recursive import MatrixState, RecursiveGame
    >>> game = RecursiveGame(MatrixState([[0.25], [-0.5]], [[0.0], [2.0]]), t1=1)
    >>> [(round(point.value, 6), point.kind) for point in fixed_points(game, low=-1, high=1).points]
    [(0.25, 'attracting'), (0.5, 'repelling')]
    """
    check_one_state(game)
    ends = check_real("low", low), check_real("high", high)
    if not -math.inf < ends[0] < ends[1] < math.inf:
        raise MaxminError(f"low must be less than high, and both finite, not {low} and {high}")
    if not check_gap(gap):
        raise MaxminError("gap must be more than 0")
    check_seconds(seconds)
    start = time.perf_counter()
    scan = _Scan(game)
    with Watch(seconds, lambda _: True) as watch:
        left, whole = scan.search(*ends, gap, watch)
        clusters = _joined(left)
        points = [scan.point(*cluster, lambda _: True) for cluster in clusters]
    points += [FixedPoint((a + b) / 2, a, b, "interval", certain=False) for a, b in _joined(whole)]
    stopped_by = watch.reason or ("gap" if scan.iterations < _MOST_INTERVALS else "iterations")
    points.sort(key=lambda point: point.value)
    return FixedPoints(*ends, tuple(points), scan.iterations, time.perf_counter() - start, stopped_by)


def check_one_state(game: RecursiveGame) -> None:
    """Refuse a game whose fixed points are not numbers.

    Raises
    ------
    GameError
        If it has several states.
    """
    if len(game.states) > 1:
        raise GameError(
            f"fixed points are searched for in games of one state; this one has {len(game.states)}"
        )


Interval: TypeAlias = tuple[float, float]


class _Scan:
    """A search, and how many rounds it has solved."""

    def __init__(self, game: RecursiveGame) -> None:
        self.iterations = 0
        self._bracket = Bracket(game)
        self._first, self._second = seats_of(game)

    def search(
        self, low: float, high: float, gap: float, watch: Watch
    ) -> tuple[list[Interval], list[Interval]]:
        """Return the intervals that may hold a fixed point, and those that consist of them."""
        left: list[Interval] = [(low, high)]
        narrow: list[Interval] = []
        whole: list[Interval] = []
        while left:
            halves: list[Interval] = []
            for place, (a, b) in enumerate(left):
                middle = a + (b - a) / 2
                if b - a <= gap or not a < middle < b:
                    narrow.append((a, b))
                    continue
                if self.iterations >= _MOST_INTERVALS or not watch.keep_going(self.iterations):
                    return narrow + halves + left[place:], whole
                found = self._examine(a, b, middle, watch.keep_going)
                if found == "split":
                    halves += [(a, middle), (middle, b)]
                elif found == "whole":
                    whole.append((a, b))
            left = halves
        return narrow, whole

    def point(self, low: float, high: float, keep_going: KeepGoing) -> FixedPoint:
        """Say of what kind the fixed point between two values is."""
        signs = self._sign(low, keep_going), self._sign(high, keep_going)
        kind = {(1, -1): "attracting", (-1, 1): "repelling"}.get(signs, "touching")
        value = low + (high - low) / 2
        for _ in range(_NEWTON_STEPS):
            stage = self._bracket.solved(np.array([value]), keep_going)[0]
            if stage.multipliers[0] != 1:
                value = min(max(stage.payoff / (1 - float(stage.multipliers[0])), low), high)
        return FixedPoint(value, low, high, kind, certain=kind != "touching")

    def _examine(self, a: float, b: float, middle: float, keep_going: KeepGoing) -> str:
        """Return "none", "whole" or "split", as at the head of this file."""
        bounds = self._bounds(middle, (a, b), keep_going)
        (f_a, g_a), (f_b, g_b) = bounds
        if f_a > b or g_b < a or (f_a > a and f_b > b) or (g_a < a and g_b < b):
            return "none"
        near = _ROUNDING * max(1.0, abs(a), abs(b))
        is_whole = min(f_a - a, f_b - b) >= -near and max(g_a - a, g_b - b) <= near
        return "whole" if is_whole else "split"

    def _sign(self, value: float, keep_going: KeepGoing) -> int:
        """Return the proven sign of T(v) - v, or 0."""
        ((lower, upper),) = self._bounds(value, (value,), keep_going)
        return 1 if lower > value else -1 if upper < value else 0

    def _bounds(self, at: float, ends: Sequence[float], keep_going: KeepGoing) -> list[tuple[float, float]]:
        """Solve the round at one value, and return what its mixtures prove of T at others."""
        self.iterations += 1
        stages = self._bracket.solved(np.array([at]), keep_going)
        rows, columns = [stages[0].rows], [stages[0].columns]
        return [
            (
                float(self._first.round_worth(rows, np.array([end])).worth[0]),
                -float(self._second.round_worth(columns, np.array([-end])).worth[0]),
            )
            for end in ends
        ]


def _joined(intervals: Sequence[Interval]) -> list[Interval]:
    """Join intervals that touch."""
    joined: list[Interval] = []
    for a, b in sorted(intervals):
        if joined and a <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(b, joined[-1][1])
        else:
            joined.append((a, b))
    return joined
