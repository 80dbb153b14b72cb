"""From what a run leaves to a `Solution` that is certified: bounds are best responses to what it holds."""

from typing import Any

from maxmin.decision import DecisionProblem
from maxmin.limits import Limits
from maxmin.match import Bounds, Match
from maxmin.members import Members
from maxmin.plans import PlanMixture
from maxmin.solve.choice import Choice
from maxmin.solve.growing_sides import GrowingSide
from maxmin.solve.result import Solution
from maxmin.solve.run import Outcome, relative_gap
from maxmin.strategy import Strategy
from maxmin.tree import Floats, GameTree


def certify(
    choice: Choice,
    outcome: Outcome,
    limits: Limits,
    *,
    tree_seconds: float,
    build_seconds: float,
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
        sizes=_sizes(choice, outcome.n_plans, tree_seconds),
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


def _sizes(choice: Choice, n_plans: tuple[int, int], tree_seconds: float) -> dict[str, Any]:
    """Return the sizes of the tree and of both sides, and how many plans of a side were listed, if any were."""
    tree = choice.match.tree
    team, opponent = (
        {**side.sizes(), "plans": n} if n else side.sizes()
        for side, n in zip(choice.match.sides, n_plans, strict=True)
    )
    return {
        "nodes": tree.n_nodes,
        "leaves": tree.n_leaves,
        "infosets": tree.n_infosets,
        "tree_seconds": tree_seconds,
        "team": team,
        "opponent": opponent,
    }
