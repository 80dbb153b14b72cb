"""Running a method until it is good enough, out of time, or told to stop."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from maxmin.interrupt import Watch
from maxmin.limits import Limits
from maxmin.matrix.result import Callback, ExactMatrixSolution, MatrixSnapshot
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
class Ended:
    """How a run went."""

    seconds: float
    stopped_by: str
    trace: list[list[float]]


def relative_gap(rows: Side, columns: Side, payoff_range: float) -> float:
    """Return the gap between two sides' bounds as a share of the payoff range; 0 where the bounds meet."""
    gap = columns.bound - rows.bound
    if gap <= 0:
        return 0.0
    return gap / payoff_range if payoff_range else math.inf


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
        return callback(MatrixSnapshot(method.iterations, passed, *bounds(), _gap_of(method)))

    stopped_by = ""
    with Watch(limits.seconds, report) as watch:
        while not stopped_by:
            method.advance(watch.keep_going)
            trace.append([time.perf_counter() - start, method.iterations, *bounds()])
            stopped_by = _reason(method, limits, watch)
    return Ended(time.perf_counter() - start, stopped_by, trace)


def _reason(method: Method, limits: Limits, watch: Watch) -> str:
    if _gap_of(method) <= limits.gap:
        return "gap"
    if watch.reason or not watch.keep_going(method.iterations):
        return watch.reason
    if method.finished:
        return "optimal"
    return "iterations" if method.iterations == limits.iterations else ""


def _gap_of(method: Method) -> float:
    return relative_gap(method.row_side, method.column_side, method.payoff_range)


def run_exact(payoffs: Any, limits: Limits) -> tuple[ExactMatrixSolution, int, Ended]:
    """Solve over the rationals; return the answer, how many exact pivots it took, and how the run went.

    Raises
    ------
    GameError
        If the payoffs are not all known exactly.
    SizeError
        If the game is too large.
    MaxminError, Cancelled
        If the time ends, or on Ctrl-C, before there is an answer.
    """
    from maxmin.matrix.exact import read_exact, solve_exact

    start = time.perf_counter()
    game = read_exact(payoffs)
    with Watch(limits.seconds, lambda _: True) as watch, watch.before("the exact answer"):
        found, pivots = solve_exact(game, seconds=limits.seconds, keep_going=watch.keep_going)
    return found, pivots, Ended(time.perf_counter() - start, "optimal", [])
