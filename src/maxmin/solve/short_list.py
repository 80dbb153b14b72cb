"""A short list of weighted joint pure plans that guarantees almost as much as a whole strategy, with proof.

Column generation (`maxmin.solve.column_generation`) that starts with the strategy's most frequent plans and stops
as soon as the list is good enough. A basic solution of its linear program has few plans with positive weight;
the others are dropped in the end.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from maxmin.errors import MaxminError
from maxmin.match import Match, make_match
from maxmin.plans import UNREACHED, PlanMixture
from maxmin.prescriptions import moves_of
from maxmin.solve.column_generation import ColumnGeneration
from maxmin.solve.list_match import list_side
from maxmin.solve.plan_oracles import Plan
from maxmin.solve.result import Solution
from maxmin.tree import Ints

_FIRST_PLANS = 32
"""How many of the strategy's own most frequent plans the list starts with."""


@dataclass(frozen=True, eq=False)
class ShortList:
    """Weighted joint pure plans of a team, and what they prove.

    Attributes
    ----------
    plans : PlanMixture
        The list; largest weight first.
    guarantee : float
        What the team gets with it, whatever the others do; payoff units.
    loss : float
        How much more the solution's own bounds leave open: upper bound minus guarantee.
    """

    plans: PlanMixture
    guarantee: float
    loss: float


def short_list(solution: Solution, *, loss: float = 1e-3, most: int = 1000) -> ShortList:
    """Write a team's strategy as few weighted joint pure plans, with a certified loss.

    Parameters
    ----------
    solution
        The strategy to shorten.
    loss
        Stop when the list guarantees the solution's lower bound up to this share of the payoff range.
    most
        Give up when the list would need more rounds than this.

    Raises
    ------
    MaxminError
        If `most` rounds were not enough.
    """
    match = make_match(solution.tree, solution.team)
    first = solution.strategy.decompose(most=_FIRST_PLANS, rest=0.0)
    run = ColumnGeneration(list_side(match, lists_team=True))
    nothing = np.empty(0, dtype=np.int32)
    run.start_with([Plan(solution.strategy.classes_of(played), nothing) for played in first.prescriptions])
    for _ in range(most):
        guarantee = run.bounds().lower
        if solution.lower - guarantee <= loss * match.scale.payoff_range:
            return _finish(solution, match, run, first.mixture.plans, guarantee)
        run.advance()
    raise MaxminError(f"{most} rounds were not enough for a loss of {loss:g} of the payoff range")


def _finish(
    solution: Solution, match: Match, run: ColumnGeneration, first: NDArray[np.int16], guarantee: float
) -> ShortList:
    kept = np.flatnonzero(run.weights > 0)
    kept = kept[np.argsort(-run.weights[kept], kind="stable")]
    infosets = solution.strategy.infosets
    rows = [first[k] if k < len(first) else _row(match, run.plans[k], infosets) for k in kept.tolist()]
    mixture = PlanMixture(infosets, np.array(rows), run.weights[kept])
    return ShortList(mixture, guarantee, solution.upper - guarantee)


def _row(match: Match, plan: Plan, infosets: Ints) -> NDArray[np.int16]:
    problem = match.team
    played = plan.choices.astype(np.int64)
    beliefs = np.searchsorted(problem.belief_start, played, side="right") - 1
    _, infoset, action = moves_of(match.tree, problem, played, beliefs)
    row = np.full(len(infosets), UNREACHED, dtype=np.int16)
    row[np.searchsorted(infosets, infoset)] = action
    return row
