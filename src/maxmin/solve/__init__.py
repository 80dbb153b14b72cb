"""Solving a game: `solve` builds both decision problems, runs one method, and certifies what it returns.

Methods, each in the file of its name: regret minimizers (`cfr`, `cfr_plus`, `linear_cfr`, `dcfr`, `pcfr_plus`,
`dcfr_plus`, `pdcfr_plus`, `hyperparameter_schedules`, `sapcfr_plus`; run by `regret`), and `linear_program`. Exact
answers come from `maxmin.exact`.
"""

import difflib
import math
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from maxmin.archive import read_archive, write_archive
from maxmin.decision import DecisionProblem
from maxmin.errors import Cancelled, MaxminError, UnknownNameError
from maxmin.files import AnyPath
from maxmin.solve.cfr import CFR
from maxmin.solve.cfr_plus import CFR_PLUS
from maxmin.solve.dcfr import DCFR
from maxmin.solve.dcfr_plus import DCFR_PLUS
from maxmin.solve.hyperparameter_schedules import HS_DCFR, HS_PCFR_PLUS
from maxmin.solve.interrupt import Watch
from maxmin.solve.linear_cfr import LINEAR_CFR
from maxmin.solve.linear_program import solve_linear_program
from maxmin.solve.match import Bounds, Match, make_match
from maxmin.solve.minimizer import Minimizer
from maxmin.solve.pcfr_plus import PCFR_PLUS
from maxmin.solve.pdcfr_plus import PDCFR_PLUS
from maxmin.solve.regret import RegretRun
from maxmin.solve.result import Solution, load_solution
from maxmin.solve.sapcfr_plus import SAPCFR_PLUS
from maxmin.sources import load_tree
from maxmin.strategy import Strategy
from maxmin.tree import GameTree

__all__ = ["METHODS", "MINIMIZERS", "Snapshot", "Solution", "load_solution", "solve"]

MINIMIZERS: dict[str, Minimizer] = {
    minimizer.name: minimizer
    for minimizer in (
        CFR,
        CFR_PLUS,
        LINEAR_CFR,
        DCFR,
        PCFR_PLUS,
        DCFR_PLUS,
        PDCFR_PLUS,
        HS_DCFR,
        HS_PCFR_PLUS,
        SAPCFR_PLUS,
    )
}
"""The regret minimizers, by the names that `solve` takes."""

METHODS: tuple[str, ...] = ("auto", *MINIMIZERS, "lp", "exact")
"""All names that `solve` takes as its method."""

STATE_FORMAT = "maxmin solver state"
STATE_VERSION = 1


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
        Payoff units.
    relative_gap : float
    """

    stage: str
    iterations: int
    seconds: float
    lower: float
    upper: float
    relative_gap: float


Callback = Callable[[Snapshot], object]
"""Called with a `Snapshot` now and then; a solve stops in order when it returns False."""


def solve(
    game: Any,
    *,
    team: Sequence[int] = (1,),
    method: str = "auto",
    gap: float = 1e-3,
    seconds: float | None = None,
    iterations: int | None = None,
    memory: int | None = None,
    alternating: bool = True,
    reduce_branching: bool = True,
    rationalize: bool = False,
    checkpoint: AnyPath | None = None,
    callback: Callback | None = None,
) -> Solution:
    """Find what a team can guarantee against everybody else, with strategies for both sides that prove it.

    Players of a team may agree beforehand, also on a joint random draw, but cannot talk during play (TMECor).
    Everybody else is taken as one team that wants the team to get as little as possible; in a constant-sum
    game this is the other side's own aim.

    Parameters
    ----------
    game
        A name from the catalogue, the path of a file, rules, a `GameTree`, or another package's game.
    team
        The players' numbers.
    method
        One of `METHODS`. "auto" takes the linear program where a gap below 1e-7 is asked for, else DCFR+, which
        needs the fewest iterations on most of the benchmark games. "exact" is the linear program over the
        rationals: `Solution.exact` then has value and strategies as fractions.
    gap
        Stop when the gap between the bounds is at most this share of the payoff range.
    seconds, iterations
        Stop solving after so much; the best so far is returned, as it is on Ctrl-C.
    memory
        Most bytes that each decision problem and a solver on it may take; default: half of the machine's.
    alternating
        Whether regret minimizers update the sides in turn (True) or at once.
    reduce_branching
        See `maxmin.decision.build_problem`.
    rationalize
        Replace floats in the game by the fractions that they most likely mean; see `maxmin.exact.rationalize`.
    checkpoint
        A file that a regret minimizer goes on from, if it exists, and writes its state to when it stops.
    callback
        Called with a `Snapshot` now and then; returns False to stop.

    Returns
    -------
    Solution

    Raises
    ------
    UnknownNameError
        If the game, the method or a player is not known.
    GameError, FormatError, SizeError
        If the game cannot be read, built, or fitted into memory; if it has floats and the answer is to be exact.
    MaxminError
        If the time limit ends before there is anything to return.
    Cancelled
        If stopped before there was anything to return.

    Examples
    --------
    >>> solution = solve("kuhn_poker(players=2)", gap=1e-5)
    >>> round(solution.value, 3)
    -0.056
    """
    _check(method, gap, seconds, iterations)
    start = time.perf_counter()
    tree = _load(game, method, rationalize)
    tree_seconds = time.perf_counter() - start
    with Watch(seconds, _building(callback)) as watch:
        try:
            match = make_match(
                tree,
                tuple(team),
                memory=memory,
                reduce_branching=reduce_branching,
                progress=watch.keep_going,
            )
        except Cancelled:
            if watch.reason != "seconds":
                raise
            raise MaxminError(
                f"the time limit of {seconds:g} seconds ended before the decision problems were built; allow more"
            ) from None
    build_seconds = time.perf_counter() - start
    chosen = _choose(method, gap)
    limits = Limits(gap, seconds, iterations)
    if chosen == "exact":
        outcome = _run_exact(match, limits)
    elif chosen == "lp":
        outcome = _run_linear_program(match, limits)
    else:
        run = RegretRun(match, MINIMIZERS[chosen], alternating, iterations or 1000)
        outcome = _run_regret(run, limits, checkpoint, callback)
    sizes = {
        "nodes": tree.n_nodes,
        "leaves": tree.n_leaves,
        "infosets": tree.n_infosets,
        "tree_seconds": tree_seconds,
        "team": match.team.sizes(),
        "opponent": match.others.sizes(),
    }
    return _certify(match, chosen, outcome, limits, build_seconds, sizes)


@dataclass(frozen=True)
class Limits:
    """When to stop: a relative gap, seconds, iterations."""

    gap: float
    seconds: float | None
    iterations: int | None


@dataclass(frozen=True)
class _Outcome:
    strategies: tuple[Any, Any]
    iterations: int
    seconds: float
    stopped_by: str
    trace: list[list[float]]
    exact: Any = None


def _load(game: Any, method: str, rationalized: bool) -> GameTree:
    tree = load_tree(game)
    if not rationalized and method != "exact":
        return tree
    from maxmin.exact.rationalize import check_exact, rationalize

    if rationalized:
        return rationalize(tree)
    check_exact(tree)
    return tree


def _check(method: str, gap: float, seconds: float | None, iterations: int | None) -> None:
    if method not in METHODS:
        near = difflib.get_close_matches(method, METHODS, n=2)
        hint = f"did you mean {' or '.join(near)}? " if near else ""
        raise UnknownNameError(f"there is no method {method!r}: {hint}there are {', '.join(METHODS)}")
    if not gap >= 0 or math.isinf(gap):
        raise MaxminError(f"gap must be 0 or more, not {gap}")
    if seconds is not None and not seconds > 0:
        raise MaxminError(f"seconds must be more than 0, not {seconds}")
    if iterations is not None and iterations < 1:
        raise MaxminError(f"iterations must be 1 or more, not {iterations}")


def _choose(method: str, gap: float) -> str:
    if method != "auto":
        return method
    return "lp" if gap < 1e-7 else DCFR_PLUS.name


def _building(callback: Callback | None) -> Callable[[float], object]:
    start = time.perf_counter()

    def report(prescriptions: float) -> object:
        if callback is None:
            return True
        passed = time.perf_counter() - start
        return callback(Snapshot("building", int(prescriptions), passed, -math.inf, math.inf, math.inf))

    return report


def _relative(match: Match, bounds: Bounds) -> float:
    return bounds.gap / match.payoff_range if match.payoff_range else 0.0


def _run_regret(
    run: RegretRun, limits: Limits, checkpoint: AnyPath | None, callback: Callback | None
) -> _Outcome:
    start = time.perf_counter()
    trace: list[list[float]] = []
    if checkpoint is not None and Path(checkpoint).exists():
        trace = _resume(run, checkpoint)
    bounds = run.bounds() if run.iterations else None

    def report(_: float) -> object:
        if callback is None or bounds is None:
            return True
        passed = time.perf_counter() - start
        relative = _relative(run.match, bounds)
        return callback(Snapshot("solving", run.iterations, passed, bounds.lower, bounds.upper, relative))

    with Watch(limits.seconds, report) as watch:
        while True:
            if bounds is not None and _relative(run.match, bounds) <= limits.gap:
                stopped_by = "gap"
                break
            if limits.iterations is not None and run.iterations >= limits.iterations:
                stopped_by = "iterations"
                break
            if run.iterations and not watch.keep_going(run.iterations):
                stopped_by = watch.reason
                break
            stop = run.next_check()
            if limits.iterations is not None:
                stop = min(stop, limits.iterations)
            run.advance(stop - run.iterations, watch.keep_going)
            bounds = run.bounds()
            trace.append([time.perf_counter() - start, run.iterations, bounds.lower, bounds.upper])
    seconds = time.perf_counter() - start
    if checkpoint is not None:
        _save_state(run, checkpoint, trace)
    return _Outcome(run.averages(), run.iterations, seconds, stopped_by, trace)


def _state_header(run: RegretRun) -> dict[str, Any]:
    match = run.match
    return {
        "game": match.tree.name,
        "team": list(match.team.side),
        "method": run.minimizer.name,
        "alternating": run.alternating,
        **({"planned": run.planned} if run.minimizer.planned else {}),
    }


def _save_state(run: RegretRun, path: AnyPath, trace: list[list[float]]) -> None:
    header = {"format": STATE_FORMAT, "format_version": STATE_VERSION, **_state_header(run), "trace": trace}
    write_archive(path, header, run.to_arrays())


def _resume(run: RegretRun, path: AnyPath) -> list[list[float]]:
    header, arrays = read_archive(path, STATE_FORMAT, STATE_VERSION)
    for name, ours in _state_header(run).items():
        if header.get(name) != ours:
            raise MaxminError(
                f"{os.fspath(path)} was saved with {name} {header.get(name)!r}, this run has {ours!r}: "
                "use another file, or the same settings"
            )
    run.restore(arrays)
    trace: list[list[float]] = header["trace"]
    return trace


def _run_linear_program(match: Match, limits: Limits) -> _Outcome:
    start = time.perf_counter()
    with Watch(limits.seconds, lambda _: True) as watch:
        result = solve_linear_program(match, seconds=limits.seconds, keep_going=watch.keep_going)
    seconds = time.perf_counter() - start
    return _Outcome((result.team, result.others), result.iterations, seconds, result.stopped_by, [])


def _run_exact(match: Match, limits: Limits) -> _Outcome:
    from maxmin.exact.solution import probabilities, solve_match

    start = time.perf_counter()
    with Watch(limits.seconds, lambda _: True) as watch:
        try:
            found = solve_match(match, seconds=limits.seconds, keep_going=watch.keep_going)
        except Cancelled:
            if watch.reason != "seconds":
                raise
            raise MaxminError(
                f"the time limit of {limits.seconds:g} seconds ended before the exact answer; allow more"
            ) from None
    strategies = probabilities(match.team, found.team_flow), probabilities(match.others, found.opponent_flow)
    return _Outcome(strategies, found.pivots, time.perf_counter() - start, "optimal", [], found)


def _certify(
    match: Match,
    method: str,
    outcome: _Outcome,
    limits: Limits,
    build_seconds: float,
    sizes: dict[str, Any],
) -> Solution:
    """Make a `Solution` whose bounds are best responses to exactly the strategies that it holds."""
    from maxmin import __version__

    tree = match.tree
    problems: tuple[DecisionProblem, DecisionProblem] = (match.team, match.others)
    ours, theirs = (
        Strategy.from_problem(tree, problem, probability)
        for problem, probability in zip(problems, outcome.strategies, strict=True)
    )
    bounds = match.bounds(ours.class_reach(), theirs.class_reach())
    if outcome.exact is not None:
        bounds = Bounds(float(outcome.exact.value), float(outcome.exact.value))
    relative = _relative(match, bounds)
    trace = outcome.trace or [[outcome.seconds, outcome.iterations, bounds.lower, bounds.upper]]
    return Solution(
        game=tree.name,
        team=match.team.side,
        method=method,
        value=bounds.lower + bounds.gap / 2,
        lower=bounds.lower,
        upper=bounds.upper,
        gap=bounds.gap,
        relative_gap=relative,
        iterations=outcome.iterations,
        seconds=outcome.seconds,
        build_seconds=build_seconds,
        converged=relative <= limits.gap,
        stopped_by=outcome.stopped_by,
        exact=None if outcome.exact is None else outcome.exact.to_json(),
        sizes=sizes,
        trace=trace,
        version=__version__,
        seed=None,
        tree=tree,
        strategy=ours,
        opponent=theirs,
    )
