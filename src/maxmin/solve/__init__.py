"""Solving a game: `solve` builds both decision problems, runs one method, and certifies what it returns.

Methods, each in the file of its name: regret minimizers (`cfr`, `cfr_plus`, `linear_cfr`, `dcfr`, `pcfr_plus`,
`dcfr_plus`, `pdcfr_plus`, `hyperparameter_schedules`, `sapcfr_plus`, `sapdcfr_plus`, `steep_sapcfr_plus`; run by
`regret`), samplers (`external_sampling`, `outcome_sampling`; run by `sampling`), `linear_program`,
`restricted_program`, `column_generation`, `double_oracle` and
`dag_column_generation`. `choice` picks one. Exact answers come from
`maxmin.exact`.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any

from maxmin.decision import DecisionProblem, Observations, check_observations
from maxmin.errors import Cancelled, MaxminError, UnknownNameError
from maxmin.files import AnyPath, check_writable
from maxmin.interrupt import Watch
from maxmin.limits import Limits, check_threads, check_whole, make_limits
from maxmin.match import Bounds, Match, make_match
from maxmin.members import Members
from maxmin.names import unknown_method
from maxmin.plans import PlanMixture
from maxmin.solve.cfr import CFR
from maxmin.solve.cfr_plus import CFR_PLUS
from maxmin.solve.choice import Choice, choose
from maxmin.solve.dcfr import DCFR
from maxmin.solve.dcfr_plus import DCFR_PLUS
from maxmin.solve.external_sampling import EXTERNAL_SAMPLING
from maxmin.solve.growing_match import GrowingMatch, make_growing_match
from maxmin.solve.growing_sides import GrowingSide
from maxmin.solve.hyperparameter_schedules import HS_DCFR, HS_PCFR_PLUS
from maxmin.solve.linear_cfr import LINEAR_CFR
from maxmin.solve.linear_program import LP_SOLVERS, LPSolver
from maxmin.solve.list_match import Construction, ListMatch, PlanMatch, make_list_match, make_plan_match
from maxmin.solve.minimizer import Minimizer
from maxmin.solve.outcome_sampling import OUTCOME_SAMPLING
from maxmin.solve.pcfr_plus import PCFR_PLUS
from maxmin.solve.pdcfr_plus import PDCFR_PLUS
from maxmin.solve.pruned_regret import PrunedRun
from maxmin.solve.regret import PLANNED, RegretRun
from maxmin.solve.result import Solution, load_solution
from maxmin.solve.run import (
    Callback,
    Outcome,
    Snapshot,
    building,
    relative_gap,
    run_column_generation,
    run_dag_column_generation,
    run_double_oracle,
    run_exact,
    run_linear_program,
    run_regret,
    run_restricted_program,
)
from maxmin.solve.sampling import Sampler, SamplingRun
from maxmin.solve.sapcfr_plus import SAPCFR_PLUS
from maxmin.solve.sapdcfr_plus import SAPDCFR_PLUS
from maxmin.solve.steep_sapcfr_plus import STEEP_SAPCFR_PLUS
from maxmin.sources import load_tree
from maxmin.strategy import Strategy
from maxmin.tree import Floats, GameTree

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
        SAPDCFR_PLUS,
        STEEP_SAPCFR_PLUS,
    )
}
"""The regret minimizers, by the names that `solve` takes."""

SAMPLERS: dict[str, Sampler] = {sampler.name: sampler for sampler in (EXTERNAL_SAMPLING, OUTCOME_SAMPLING)}
"""The regret minimizers that draw what they look at, by the names that `solve` takes."""

METHODS: tuple[str, ...] = (
    "auto",
    *MINIMIZERS,
    *SAMPLERS,
    "lp",
    "restricted_lp",
    "column_generation",
    "double_oracle",
    "dag_column_generation",
    "exact",
)
"""All names that `solve` takes as its method."""

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
    _check_method(method)
    _check_lp_solver(lp_solver)
    check_observations(observations)
    limits = make_limits(gap, seconds, iterations)
    if memory is not None:
        memory = check_whole("memory", memory)
    threads = check_threads(threads)
    seed = _check_seed(method, seed)
    if checkpoint is not None:
        _check_checkpoint(method, checkpoint)
    if pruning:
        _check_pruning(method, checkpoint)
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
    match = choice.match
    if isinstance(match, GrowingMatch):
        outcome = run_dag_column_generation(match, limits, callback)
    elif isinstance(match, PlanMatch) or choice.method == "double_oracle":
        assert not isinstance(match, ListMatch)
        outcome = run_double_oracle(match, limits, callback)
    elif isinstance(match, ListMatch) or choice.method == "column_generation":
        outcome = run_column_generation(match, limits, callback)
    elif choice.method == "exact":
        outcome = run_exact(match, limits)
    elif choice.method == "lp":
        outcome = run_linear_program(match, limits, lp_solver, callback)
    elif seed is not None:
        outcome = run_regret(
            SamplingRun(match, SAMPLERS[choice.method], seed=seed), limits, checkpoint, callback
        )
    else:
        minimizer = STEEP_SAPCFR_PLUS if choice.method == "restricted_lp" else MINIMIZERS[choice.method]
        planned = limits.iterations or PLANNED
        if choice.method == "restricted_lp":
            seed_run = RegretRun(match, minimizer, alternating=alternating, planned=planned, threads=threads)
            outcome = run_restricted_program(seed_run, limits, callback)
        else:
            make_run = PrunedRun if pruning else RegretRun
            run = make_run(match, minimizer, alternating=alternating, planned=planned, threads=threads)
            outcome = run_regret(run, limits, checkpoint, callback)
    sides = match.sides
    sizes = {
        "nodes": tree.n_nodes,
        "leaves": tree.n_leaves,
        "infosets": tree.n_infosets,
        "tree_seconds": tree_seconds,
        "team": _sizes(sides[0], outcome.n_plans[0]),
        "opponent": _sizes(sides[1], outcome.n_plans[1]),
    }
    return _certify(choice, outcome, limits, build_seconds, sizes, seed)


def _load(game: Any, method: str, rationalized: bool) -> GameTree:
    tree = load_tree(game)
    if not rationalized and method != "exact":
        return tree
    from maxmin.exact.rationalize import check_exact, rationalize

    if rationalized:
        return rationalize(tree)
    check_exact(tree)
    return tree


def _check_checkpoint(method: str, checkpoint: AnyPath) -> None:
    if method != "auto" and method not in MINIMIZERS and method not in SAMPLERS:
        raise MaxminError(f"{method} keeps no state: take another method, or no checkpoint")
    check_writable(checkpoint)


def _check_pruning(method: str, checkpoint: AnyPath | None) -> None:
    if method != "auto" and method not in MINIMIZERS:
        raise MaxminError(f"{method} has nothing to prune: take a regret minimizer, or no pruning")
    if checkpoint is not None:
        raise MaxminError("pruning keeps no state: leave out the pruning, or the checkpoint")


def _check_lp_solver(lp_solver: str) -> None:
    if lp_solver not in LP_SOLVERS:
        raise UnknownNameError(f"there is no lp_solver {lp_solver!r}; there are {', '.join(LP_SOLVERS)}")


def _check_seed(method: str, seed: int | None) -> int | None:
    """Return the seed that a method draws with; None if it draws nothing."""
    if method in SAMPLERS:
        return 0 if seed is None else check_whole("seed", seed, least=0)
    if seed is not None:
        raise MaxminError(f"{method} draws nothing: take another method ({', '.join(SAMPLERS)}), or no seed")
    return None


def _check_method(method: str) -> None:
    if method not in METHODS:
        raise unknown_method(method, METHODS)


def _sizes(side: DecisionProblem | Members | GrowingSide, n_plans: int) -> dict[str, int | float]:
    """Return the sizes of a side, and how many of its plans were listed, if any were."""
    return {**side.sizes(), "plans": n_plans} if n_plans else side.sizes()


def _certify(
    choice: Choice,
    outcome: Outcome,
    limits: Limits,
    build_seconds: float,
    sizes: dict[str, Any],
    seed: int | None,
) -> Solution:
    """Make a `Solution` whose bounds are best responses to exactly the strategies that it holds."""
    from maxmin import __version__

    match, tree = choice.match, choice.match.tree
    ours, theirs = (
        _strategy(tree, side, found) for side, found in zip(match.sides, outcome.strategies, strict=True)
    )
    if outcome.exact is not None:
        bounds = Bounds(float(outcome.exact.value), float(outcome.exact.value))
    elif isinstance(match, Match):
        bounds = match.bounds(ours.class_reach(), theirs.class_reach())
    else:
        assert outcome.bounds is not None
        bounds = outcome.bounds
    relative = relative_gap(match.scale, bounds)
    trace = outcome.trace or [[outcome.seconds, outcome.iterations, bounds.lower, bounds.upper]]
    return Solution(
        game=tree.name,
        team=match.sides[0].side,
        method=choice.method,
        reason=choice.reason,
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
        seed=seed,
        tree=tree,
        strategy=ours,
        opponent=theirs,
    )


def _strategy(
    tree: GameTree, side: DecisionProblem | Members | GrowingSide, found: Floats | PlanMixture | Strategy
) -> Strategy:
    if isinstance(found, Strategy):
        return found
    if isinstance(side, Members):
        assert isinstance(found, PlanMixture)
        return Strategy.from_plans(tree, side, found)
    assert isinstance(side, DecisionProblem)
    assert not isinstance(found, PlanMixture)
    return Strategy.from_problem(tree, side, found)
