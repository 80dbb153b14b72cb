"""`Search`: the best point so far, the bounds so far, and how they came about."""

import time
from collections.abc import Callable

from maxmin.match import Bounds
from maxmin.solve import Snapshot, Solution
from maxmin.solve.run import Callback, relative_gap
from maxmin.tme.ascent import Ascent
from maxmin.tme.match import IndependentMatch
from maxmin.tree import Floats


class Search:
    """What has been found of one match.

    Attributes
    ----------
    best : Found
        The point with the largest guarantee.
    upper : float
        No point gets more; scaled.
    starts, nodes : int
        Local searches and boxes so far.
    trace : list of [seconds, starts + nodes, lower, upper]
        An entry whenever a bound got better.
    """

    def __init__(
        self,
        match: IndependentMatch,
        correlated: Solution,
        gap: float,
        begin: float,
        callback: Callback | None,
    ) -> None:
        self.match = match
        self.correlated = correlated
        self.gap = gap
        self.begin = begin
        self.starts = self.nodes = 0
        self.trace: list[list[float]] = []
        self.upper = match.scale.to_scaled(correlated.upper)
        self._boxed = False  # whether the upper bound is one of boxes, not of who may draw together
        self._callback = callback
        self._ascent = Ascent(match)
        points = (match.realize(match.uniform), match.point(correlated.strategy.behavior()))
        self.best = max(map(self._ascent.look_at, points), key=lambda found: found.guarantee)

    @property
    def converged(self) -> bool:
        """Whether the gap is small enough."""
        return relative_gap(self.match.scale, self.bounds(self.best.guarantee)) <= self.gap

    def bounds(self, lower: float) -> Bounds:
        """Return bounds in payoff units, given a scaled lower bound."""
        bounds = self.match.scale.to_bounds(lower, self.upper)
        if self._boxed:
            return bounds
        return Bounds(bounds.lower, max(bounds.lower, self.correlated.upper))  # to the last digit

    def climb(self, point: Floats, keep_going: Callable[[float], bool]) -> None:
        """Search from a point; every second time members first move in turn."""
        found = self._ascent.climb(point, keep_going, in_turn_first=self.starts % 2 == 1)
        self.starts += 1
        if found.guarantee > self.best.guarantee:
            self.best = found
            self._note()

    def note_upper(self, upper: float) -> None:
        """Take note of an upper bound."""
        if upper < self.upper:
            self.upper, self._boxed = upper, True
            self._note()

    def report(self, _: float) -> object:
        """Tell the callback how far this has come."""
        if self._callback is None:
            return True
        bounds = self.bounds(self.best.guarantee)
        relative = relative_gap(self.match.scale, bounds)
        passed = time.perf_counter() - self.begin
        done = self.starts + self.nodes
        return self._callback(Snapshot("searching", done, passed, bounds.lower, bounds.upper, relative))

    def _note(self) -> None:
        bounds = self.bounds(self.best.guarantee)
        passed = time.perf_counter() - self.begin
        self.trace.append([passed, self.starts + self.nodes, bounds.lower, bounds.upper])
