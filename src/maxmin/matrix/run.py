"""Running a method until it is good enough, out of time, or told to stop."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from maxmin.interrupt import Watch
from maxmin.matrix.result import Callback, MatrixSnapshot
from maxmin.matrix.side import Side


class Method(Protocol):
    """A run of one method, which a loop drives."""

    row_side: Side
    column_side: Side
    iterations: int
    finished: bool

    @property
    def payoff_range(self) -> float:
        """The largest minus the smallest payoff, as far as known."""
        ...

    def advance(self, keep_going: Callable[[float], bool]) -> None:
        """Iterate for a while; `finished` says whether more would bring nothing."""
        ...


@dataclass(frozen=True)
class Limits:
    """When to stop: a relative gap, seconds, iterations."""

    gap: float
    seconds: float | None
    iterations: int | None


@dataclass(frozen=True)
class Ended:
    """How a run went."""

    seconds: float
    stopped_by: str
    trace: list[list[float]]


def gap_of(method: Method) -> float:
    """Return the gap as a share of the payoff range; 0 where the bounds meet."""
    gap = method.column_side.bound - method.row_side.bound
    if gap <= 0:
        return 0.0
    return gap / method.payoff_range if method.payoff_range else math.inf


def run_method(
    method: Method, limits: Limits, callback: Callback | None, to_payoff: Callable[[float], float]
) -> Ended:
    """Advance a method until a limit is reached; `to_payoff` turns its bounds into payoff units."""
    start = time.perf_counter()
    trace: list[list[float]] = []

    def bounds() -> tuple[float, float]:
        return to_payoff(method.row_side.bound), to_payoff(method.column_side.bound)

    def report(_: float) -> object:
        if callback is None:
            return True
        passed = time.perf_counter() - start
        return callback(MatrixSnapshot(method.iterations, passed, *bounds(), gap_of(method)))

    stopped_by = ""
    with Watch(limits.seconds, report) as watch:
        while not stopped_by:
            method.advance(watch.keep_going)
            trace.append([time.perf_counter() - start, method.iterations, *bounds()])
            stopped_by = _reason(method, limits, watch)
    return Ended(time.perf_counter() - start, stopped_by, trace)


def _reason(method: Method, limits: Limits, watch: Watch) -> str:
    if gap_of(method) <= limits.gap:
        return "gap"
    if watch.reason or not watch.keep_going(method.iterations):
        return watch.reason
    if method.finished:
        return "optimal"
    return "iterations" if method.iterations == limits.iterations else ""
