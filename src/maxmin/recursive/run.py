"""Running a method on a recursive game until it is good enough, out of time, or told to stop."""

import math
import time
from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

import numpy as np

from maxmin.interrupt import Watch
from maxmin.limits import Limits
from maxmin.recursive.bracket import Bracket, KeepGoing
from maxmin.recursive.certificate import INFINITE
from maxmin.recursive.game import RecursiveGame
from maxmin.recursive.listed import Stage
from maxmin.recursive.result import Callback, Guarantee, RecursiveSnapshot, RecursiveSolution, StateSolution

MOST_ITERATIONS = 10_000
"""Unless told otherwise."""

_MEET = 1e-5
"""Bounds of a finished run that are further apart than this, relative to themselves or the payoffs, do not meet.

At a double fixed point they come to within 1e-7 or so, as floats have half of their digits there.
"""


class Method(Protocol):
    """A run of one method, which a loop drives."""

    iterations: int
    finished: bool

    def advance(self, keep_going: KeepGoing) -> None:
        """Do one iteration; `finished` says whether more would bring nothing."""
        ...


MakeMethod: TypeAlias = Callable[[Bracket, Sequence[Stage]], Method]


def run_recursive(
    game: RecursiveGame, make: MakeMethod, name: str, limits: Limits, callback: Callback | None
) -> RecursiveSolution:
    """Solve one round with nothing to come, then run the method."""
    start = time.perf_counter()
    bracket = Bracket(game)
    nothing = np.zeros(len(game.states))
    trace: list[list[float]] = []

    def report(done: float) -> object:
        if callback is None:
            return True
        lower, upper = bracket.widest()
        return callback(RecursiveSnapshot(int(done), time.perf_counter() - start, lower, upper, bracket.gap))

    with Watch(limits.seconds, report) as watch:
        once = bracket.solved(nothing, watch.keep_going)
        method = make(bracket, once)
        stopped_by = ""
        while not stopped_by:
            method.advance(watch.keep_going)
            trace.append([time.perf_counter() - start, method.iterations, *bracket.widest()])
            stopped_by = _reason(bracket, method, limits, watch)
    seconds = time.perf_counter() - start
    converged = bracket.gap <= limits.gap
    return RecursiveSolution(
        states=_states(bracket, once, finished=method.finished or converged, gap=limits.gap),
        t1=game.t1,
        t2=game.t2,
        method=name,
        gap=bracket.gap,
        iterations=method.iterations,
        seconds=seconds,
        converged=converged,
        stopped_by=stopped_by,
        trace=trace,
    )


def _reason(bracket: Bracket, method: Method, limits: Limits, watch: Watch) -> str:
    if bracket.gap <= limits.gap:
        return "gap"
    if method.finished:
        return "optimal"
    if method.iterations >= (limits.iterations or MOST_ITERATIONS):
        return "iterations"
    return "" if watch.keep_going(method.iterations) else watch.reason


def _states(
    bracket: Bracket, once: Sequence[Stage], *, finished: bool, gap: float
) -> tuple[StateSolution, ...]:
    """Say what each state is worth, with the strategies of one round and those at the repeated values."""
    game = bracket.game
    nothing = np.zeros(len(game.states))
    low, high = bracket.round_bounds(once, nothing)
    found = [_outcome(bracket, state, finished=finished, gap=gap) for state in range(len(game.states))]
    values = bracket.within(np.array([min(value, INFINITE) for _, value in found]))
    again = [state.solve(values, lambda _: True) for state in bracket.listed]
    return tuple(
        StateSolution(
            name,
            found[i][0],
            _guarantee(float(low[i] + high[i]) / 2, float(low[i]), float(high[i]), once[i]),
            _guarantee(found[i][1], *bracket.bounds(i), again[i]),
        )
        for i, name in enumerate(game.names)
    )


def _outcome(bracket: Bracket, state: int, *, finished: bool, gap: float) -> tuple[str, float]:
    """Return the outcome of a state in words, and its value: what player 1 can force, if the bounds do not meet."""
    game, (lower, upper) = bracket.game, bracket.bounds(state)
    if math.isinf(lower):
        return "diverges", lower
    meets = upper - lower <= max(gap, _MEET * max(abs(lower), bracket.largest))
    if game.t1 is not None and lower == game.least and (meets or finished):
        return "does not enter", lower
    if game.t2 is not None and upper == game.most and meets:
        return "capped at t2", upper
    if meets:
        return "entered", (lower + upper) / 2
    if finished and game.t1 is not None and lower < bracket.ceiling:
        return "bounds do not meet", lower
    return (
        "not settled",
        lower,
    )  # without fees there is a value (Everett 1957); beyond the ceiling nobody looks


def _guarantee(value: float, lower: float, upper: float, stage: Stage) -> Guarantee:
    rows, columns = stage.rows, stage.columns
    bounds = value + 0.0, lower + 0.0, upper + 0.0  # no minus zero
    return Guarantee(*bounds, rows.plans, rows.weights, columns.plans, columns.weights)
