"""Solving a game: `solve` builds both decision problems, runs one method, and certifies what it returns.

Methods, each in the file of its name: regret minimizers (`cfr`, `cfr_plus`, `linear_cfr`, `dcfr`, `pcfr_plus`,
`dcfr_plus`, `pdcfr_plus`, `hyperparameter_schedules`, `sapcfr_plus`, `sapdcfr_plus`, `steep_sapcfr_plus`; run by
`regret`), samplers (`external_sampling`, `outcome_sampling`; run by `sampling`), `linear_program`,
`restricted_program`, `column_generation`, `double_oracle` and `dag_column_generation`. Exact answers come from
`maxmin.exact`. `methods` has their names, `choice` picks one, `run` knows when to stop, `certificate` proves.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any

from maxmin.decision import Construction, Observations, check_observations
from maxmin.errors import Cancelled
from maxmin.files import AnyPath
from maxmin.interrupt import Watch
from maxmin.limits import Limits, check_threads, check_whole, make_limits
from maxmin.match import Match, make_match
from maxmin.solve.certificate import certify
from maxmin.solve.choice import Choice, choose
from maxmin.solve.growing_match import GrowingMatch, make_growing_match
from maxmin.solve.linear_program import LPSolver
from maxmin.solve.list_match import ListMatch, PlanMatch, make_list_match, make_plan_match
from maxmin.solve.methods import (
    METHODS,
    MINIMIZERS,
    SAMPLERS,
    check_checkpoint,
    check_lp_solver,
    check_method,
    check_pruning,
    check_seed,
)
from maxmin.solve.pruned_regret import PrunedRun
from maxmin.solve.regret import PLANNED, RegretRun
from maxmin.solve.result import Solution, load_solution
from maxmin.solve.run import (
    Callback,
    Outcome,
    Snapshot,
    building,
    run_column_generation,
    run_dag_column_generation,
    run_double_oracle,
    run_exact,
    run_linear_program,
    run_regret,
    run_restricted_program,
)
from maxmin.solve.sampling import SamplingRun
from maxmin.solve.steep_sapcfr_plus import STEEP_SAPCFR_PLUS
from maxmin.sources import load_tree
from maxmin.tree import GameTree

__all__ = ["METHODS", "MINIMIZERS", "Snapshot", "Solution", "load_solution", "solve"]

_MAKERS: dict[str, Callable[..., Match | ListMatch | PlanMatch | GrowingMatch]] = {
    "column_generation": make_list_match,
    "double_oracle": make_plan_match,
    "dag_column_generation": make_growing_match,
}
"""What makes the matches of methods that need not have both decision problems whole."""


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
    observations: Observations = "connected",
    inflate: bool = False,
    seed: int | None = None,
    rationalize: bool = False,
    threads: int | None = None,
    pruning: bool = False,
    lp_solver: LPSolver = "auto",
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
        One of `METHODS`. "auto" goes by the sizes of both decision problems and by the gap (`choice`): column
        generation where one side has few prescriptions and the other many, double oracle where belief DAGs are
        large and infosets few, linear programs where many digits are asked for, else steep SAPCFR+, the quickest on
        average over benchmark games and gaps; `Solution.reason` says which it was. "exact" is the linear program
        over the rationals: `Solution.exact` then has value and strategies as fractions.
    gap
        Stop when the gap between the bounds is at most this share of the payoff range.
    seconds, iterations
        Stop solving after so much; the best so far is returned, as it is on Ctrl-C.
    memory
        Most bytes that each decision problem and a solver on it may take; default: half of the machine's.
    alternating
        Whether regret minimizers update the sides in turn (True) or at once.
    reduce_branching, observations, inflate
        How decision problems are built, see `maxmin.decision.build_problem`; none of them changes a value.
    seed
        Of a method that draws what it looks at; the same seed gives the same bytes. Default: 0.
    rationalize
        Replace floats in the game by the fractions that they most likely mean; see `maxmin.exact.rationalize`.
    threads
        At most so many work at once on a regret minimizer's iterations; default: as many as there are processors
        that this process may use. The answer is the same, byte by byte, for any number.
    pruning
        Whether regret minimizers leave out for a while what cannot matter, see `maxmin.solve.pruned_regret`; bounds
        are best responses with everything in any case.
    lp_solver
        How method "lp" solves its program: "simplex", "interior_point", "first_order", or "auto", by size.
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
    FileError
        If the checkpoint cannot be read or written.
    MaxminError
        If an argument makes no sense, or the time limit ends before there is anything to return.
    Cancelled
        If stopped before there was anything to return.

    Examples
    --------
    >>> solution = solve("kuhn_poker(players=2)", gap=1e-5)
    >>> round(solution.value, 3)
    -0.056
    """
    check_method(method)
    check_lp_solver(lp_solver)
    check_observations(observations)
    limits = make_limits(gap, seconds, iterations)
    if memory is not None:
        memory = check_whole("memory", memory)
    threads = check_threads(threads)
    seed = check_seed(method, seed)
    if checkpoint is not None:
        check_checkpoint(method, checkpoint)
    if pruning:
        check_pruning(method, checkpoint)
    start = time.perf_counter()
    tree = _load(game, method, rationalize)
    tree_seconds = time.perf_counter() - start
    with Watch(seconds, building(callback)) as watch, watch.before("the decision problems were built"):
        construction: Construction = {
            "memory": memory,
            "reduce_branching": reduce_branching,
            "observations": observations,
            "inflate": inflate,
            "progress": watch.keep_going,
        }
        if method == "auto":
            choice = choose(
                tree, team, gap=limits.gap, minimizes=checkpoint is not None or pruning, **construction
            )
        else:
            choice = Choice(method, _MAKERS.get(method, make_match)(tree, team, **construction), "")
        if watch.reason == "interrupt":  # after the last look at it
            raise Cancelled
    build_seconds = time.perf_counter() - start
    outcome = _run(
        choice,
        limits,
        callback,
        checkpoint=checkpoint,
        lp_solver=lp_solver,
        seed=seed,
        pruning=pruning,
        alternating=alternating,
        threads=threads,
    )
    return certify(choice, outcome, limits, tree_seconds=tree_seconds, build_seconds=build_seconds, seed=seed)


def _load(game: Any, method: str, rationalized: bool) -> GameTree:
    tree = load_tree(game)
    if not rationalized and method != "exact":
        return tree
    from maxmin.exact.rationalize import check_exact, rationalize

    if rationalized:
        return rationalize(tree)
    check_exact(tree)
    return tree


def _run(
    choice: Choice,
    limits: Limits,
    callback: Callback | None,
    *,
    checkpoint: AnyPath | None,
    lp_solver: LPSolver,
    seed: int | None,
    pruning: bool,
    alternating: bool,
    threads: int,
) -> Outcome:
    """Run the chosen method, with those of the options that are for it."""
    match, method = choice.match, choice.method
    if isinstance(match, GrowingMatch):
        return run_dag_column_generation(match, limits, callback)
    if isinstance(match, PlanMatch) or method == "double_oracle":
        assert not isinstance(match, ListMatch)
        return run_double_oracle(match, limits, callback)
    if isinstance(match, ListMatch) or method == "column_generation":
        return run_column_generation(match, limits, callback)
    if method == "exact":
        return run_exact(match, limits)
    if method == "lp":
        return run_linear_program(match, limits, lp_solver, callback)
    if seed is not None:
        return run_regret(SamplingRun(match, SAMPLERS[method], seed=seed), limits, checkpoint, callback)
    planned = limits.iterations or PLANNED
    if method == "restricted_lp":
        first = RegretRun(match, STEEP_SAPCFR_PLUS, alternating=alternating, planned=planned, threads=threads)
        return run_restricted_program(first, limits, callback)
    make_run = PrunedRun if pruning else RegretRun
    run = make_run(match, MINIMIZERS[method], alternating=alternating, planned=planned, threads=threads)
    return run_regret(run, limits, checkpoint, callback)
