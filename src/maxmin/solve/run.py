"""Running a method on a match until it is good enough, out of time, or told to stop."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from maxmin.errors import SizeError
from maxmin.files import AnyPath
from maxmin.interrupt import Watch
from maxmin.limits import Limits
from maxmin.match import Bounds, Match, Scale
from maxmin.plans import PlanMixture
from maxmin.solve.checkpoint import resume, save_state
from maxmin.solve.column_generation import ColumnGeneration
from maxmin.solve.dag_column_generation import DagColumnGeneration
from maxmin.solve.double_oracle import DoubleOracle
from maxmin.solve.growing_match import GrowingMatch
from maxmin.solve.iterated import IteratedRun
from maxmin.solve.linear_program import LPSolver, solve_linear_program
from maxmin.solve.list_match import ListMatch, PlanMatch, list_side
from maxmin.solve.pruned_regret import PrunedRun
from maxmin.solve.regret import RegretRun
from maxmin.solve.restricted_program import RestrictedProgram
from maxmin.strategy import Strategy
from maxmin.tree import Floats

_SHARE_OF_EACH = 0.9
"""Of the gap: how exactly double oracle proves each of both bounds; a tenth is left for rounding."""

_SEED_GAP = 1e-4
"""Where restricted programs take over from a regret minimizer: a gap of 1e-3 leaves them too large."""


@dataclass(frozen=True)
class Snapshot:
    """How far a solve has come; what a callback is given.

    Attributes
    ----------
    stage : str
        "building" (bounds and iterations mean nothing yet) or "solving".
    iterations : int
    seconds : float
        Since the start of the stage.
    lower, upper : float
        Payoff units; the linear program has none before it ends (minus and plus infinity).
    relative_gap : float
    """

    stage: str
    iterations: int
    seconds: float
    lower: float
    upper: float
    relative_gap: float


Callback: TypeAlias = Callable[[Snapshot], object]
"""Called with a `Snapshot` now and then; a solve stops in order when it returns False."""


@dataclass(frozen=True)
class Outcome:
    """What a run leaves: a strategy for each side and how it went.

    Strategies are as `DecisionProblem` orders them, or plans of a side that is there as `Members`; such a side's
    best response is an integer program, so `bounds` then keeps what it proved. `n_plans` says how many plans of
    each side were listed.
    """

    strategies: tuple[Floats | PlanMixture | Strategy, Floats | PlanMixture | Strategy]
    iterations: int
    seconds: float
    stopped_by: str
    trace: list[list[float]]
    exact: Any = None
    bounds: Bounds | None = None
    n_plans: tuple[int, int] = (0, 0)


def building(callback: Callback | None) -> Callable[[float], object]:
    """Return what tells the callback how far the decision problems are."""
    start = time.perf_counter()

    def report(prescriptions: float) -> object:
        if callback is None:
            return True
        passed = time.perf_counter() - start
        return callback(Snapshot("building", int(prescriptions), passed, -math.inf, math.inf, math.inf))

    return report


def relative_gap(scale: Scale, bounds: Bounds) -> float:
    """Return the gap as a share of the payoff range."""
    return bounds.gap / scale.payoff_range if scale.payoff_range else 0.0


def _tell(
    callback: Callback | None, scale: Scale, start: float, iterations: int, bounds: Bounds | None
) -> object:
    """Tell the callback how far solving is, once there are bounds."""
    if callback is None or bounds is None:
        return True
    passed, relative = time.perf_counter() - start, relative_gap(scale, bounds)
    return callback(Snapshot("solving", iterations, passed, bounds.lower, bounds.upper, relative))


def run_regret(
    run: IteratedRun | PrunedRun, limits: Limits, checkpoint: AnyPath | None, callback: Callback | None
) -> Outcome:
    """Run a regret minimizer, from where a checkpoint left it if there is one."""
    start = time.perf_counter()
    trace: list[list[float]] = []
    if checkpoint is not None and not isinstance(run, PrunedRun) and Path(checkpoint).exists():
        trace = resume(run, checkpoint)
        start -= trace[-1][0]  # seconds go on where the saved run stopped, as iterations do
    bounds = run.bounds() if run.iterations else None

    def report(_: float) -> object:
        return _tell(callback, run.match.scale, start, run.iterations, bounds)

    with Watch(limits.seconds, report) as watch:
        while True:
            if bounds is not None and relative_gap(run.match.scale, bounds) <= limits.gap:
                stopped_by = "gap"
                break
            if limits.iterations is not None and run.iterations >= limits.iterations:
                stopped_by = "iterations"
                break
            if run.iterations and not watch.keep_going(run.iterations):
                stopped_by = watch.reason
                break
            run.advance_to_check(limits.iterations, watch.keep_going)
            bounds = run.bounds()
            trace.append([time.perf_counter() - start, run.iterations, bounds.lower, bounds.upper])
    seconds = time.perf_counter() - start
    if checkpoint is not None and not isinstance(run, PrunedRun):
        save_state(run, checkpoint, trace)
    return Outcome(run.averages(), run.iterations, seconds, stopped_by, trace)


def run_linear_program(
    match: Match, limits: Limits, lp_solver: LPSolver, callback: Callback | None
) -> Outcome:
    """Solve the linear program."""
    start = time.perf_counter()

    def report(_: float) -> object:
        if callback is None:
            return True
        return callback(Snapshot("solving", 0, time.perf_counter() - start, -math.inf, math.inf, math.inf))

    with Watch(limits.seconds, report) as watch:
        result = solve_linear_program(
            match, lp_solver=lp_solver, seconds=limits.seconds, keep_going=watch.keep_going
        )
    seconds = time.perf_counter() - start
    return Outcome(
        (result.team, result.others), result.iterations, seconds, watch.reason or result.stopped_by, []
    )


def run_column_generation(match: Match | ListMatch, limits: Limits, callback: Callback | None) -> Outcome:
    """List plans of the side with the larger decision problem, some more each round."""
    if isinstance(match, Match):
        match = list_side(match, lists_team=match.team.n_prescriptions >= match.others.n_prescriptions)
    run = ColumnGeneration(match, precision=limits.gap)
    outcome = _run_lists(run, match.scale, limits, callback)
    n_plans = (len(run.plans), 0) if match.lists_team else (0, len(run.plans))
    return replace(outcome, n_plans=n_plans)


def run_double_oracle(match: Match | PlanMatch, limits: Limits, callback: Callback | None) -> Outcome:
    """List plans of both sides, some more each round."""
    deadline = math.inf if limits.seconds is None else time.perf_counter() + limits.seconds
    run = DoubleOracle(match, precision=_SHARE_OF_EACH * limits.gap, deadline=deadline)
    outcome = _run_lists(run, match.scale, limits, callback)
    return replace(outcome, n_plans=(len(run.team.plans), len(run.others.plans)))


def _run_lists(
    run: ColumnGeneration | DoubleOracle | DagColumnGeneration,
    scale: Scale,
    limits: Limits,
    callback: Callback | None,
) -> Outcome:
    start = time.perf_counter()
    trace: list[list[float]] = []
    bounds: Bounds | None = None

    def report(_: float) -> object:
        return _tell(callback, scale, start, run.rounds, bounds)

    with Watch(limits.seconds, report) as watch:
        while True:
            try:
                run.advance(watch.keep_going)
            except SizeError:
                if bounds is None:
                    raise
                stopped_by = "memory"
                break
            bounds = run.bounds()
            trace.append([time.perf_counter() - start, run.rounds, bounds.lower, bounds.upper])
            if relative_gap(scale, bounds) <= limits.gap:
                stopped_by = "gap"
            elif run.rounds == limits.iterations:
                stopped_by = "iterations"
            elif not watch.keep_going(run.rounds):
                stopped_by = watch.reason
            elif not run.improves:
                stopped_by = "optimal"
            else:
                continue
            break
    seconds = time.perf_counter() - start
    return Outcome(run.strategies(), run.rounds, seconds, stopped_by, trace, bounds=bounds)


def run_dag_column_generation(match: GrowingMatch, limits: Limits, callback: Callback | None) -> Outcome:
    """Let restricted belief DAGs grow, some more each round."""
    return _run_lists(DagColumnGeneration(match, precision=limits.gap), match.scale, limits, callback)


def run_restricted_program(seed: RegretRun, limits: Limits, callback: Callback | None) -> Outcome:
    """Run a regret minimizer for a while, and restricted programs on what it finds; iterations count both."""
    start, match = time.perf_counter(), seed.match
    found = run_regret(seed, replace(limits, gap=max(limits.gap, _SEED_GAP)), None, callback)
    if found.stopped_by != "gap":
        return found
    run = RestrictedProgram(match, seed.averages())
    trace, bounds, iterations = found.trace, run.bounds(), found.iterations

    def report(_: float) -> object:
        return _tell(callback, match.scale, start, iterations, bounds)

    left = None if limits.seconds is None else limits.seconds - (time.perf_counter() - start)
    with Watch(left, report) as watch:
        while True:
            if relative_gap(match.scale, bounds) <= limits.gap:
                stopped_by = "gap"
            elif iterations == limits.iterations:
                stopped_by = "iterations"
            elif not watch.keep_going(iterations):
                stopped_by = watch.reason
            elif not run.improves:
                stopped_by = "stalled" if run.stalled else "optimal"
            else:
                run.advance(watch.keep_going)
                bounds, iterations = run.bounds(), found.iterations + run.rounds
                trace.append([time.perf_counter() - start, iterations, bounds.lower, bounds.upper])
                continue
            break
    return Outcome(run.strategies(), iterations, time.perf_counter() - start, stopped_by, trace)


def run_exact(match: Match, limits: Limits) -> Outcome:
    """Solve the linear program over the rationals."""
    from maxmin.exact.solution import probabilities, solve_match

    start = time.perf_counter()
    with Watch(limits.seconds, lambda _: True) as watch, watch.before("the exact answer"):
        found = solve_match(match, seconds=limits.seconds, keep_going=watch.keep_going)
    strategies = probabilities(match.team, found.team_flow), probabilities(match.others, found.opponent_flow)
    return Outcome(strategies, found.pivots, time.perf_counter() - start, "optimal", [], found)
