"""A short list of weighted joint pure plans that guarantees almost as much as a whole strategy, with proof.

Double oracle (McMahan, Gordon and Blum, ICML 2003) on one side only: the linear program over the plans of the list
against everything that the other side can do gives weights and the other side's best strategy; the best
response to that strategy, on the full decision problem, joins the list. A basic solution has few plans with
positive weight; the others are dropped in the end.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from maxmin.decision import DecisionProblem
from maxmin.errors import MaxminError
from maxmin.plans import PlanMixture
from maxmin.solve.linear_program import solve_linear_program
from maxmin.solve.match import Match, make_match
from maxmin.solve.result import Solution
from maxmin.strategy import Strategy
from maxmin.tree import Floats, Ints

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
    plans, classes = list(first.mixture.plans), first.classes
    for _ in range(most):
        small = replace(match, team=_restricted(match.team, classes))
        result = solve_linear_program(small)
        reach = _class_reach(match.team, classes, result.team)
        answer = Strategy.from_problem(match.tree, match.others, result.others).class_reach()
        guarantee = match.bounds(reach, answer).lower
        if solution.lower - guarantee <= loss * match.payoff_range:
            kept = np.flatnonzero(result.team > 0)
            kept = kept[np.argsort(-result.team[kept], kind="stable")]
            best = PlanMixture(first.mixture.infosets, np.array(plans)[kept], result.team[kept])
            return ShortList(best, guarantee, solution.upper - guarantee)
        plan, its_classes = _best_plan(match, answer)
        plans.append(plan)
        classes.append(its_classes)
    raise MaxminError(f"{most} rounds were not enough for a loss of {loss:g} of the payoff range")


def _best_plan(match: Match, answer: Floats) -> tuple[NDArray[np.int16], Ints]:
    """Best respond to the others: the plan, and the leaf classes that it plays towards."""
    _, choice = match.best_response(answer, of_team=True)
    probability = np.zeros(match.team.n_prescriptions)
    probability[choice] = 1.0
    pure = Strategy.from_problem(match.tree, match.team, probability)
    parts = pure.decompose(most=1, rest=0.0)
    return parts.mixture.plans[0], parts.classes[0]


def _restricted(problem: DecisionProblem, classes: list[Ints]) -> DecisionProblem:
    """The decision problem of drawing one of the plans: one belief, a prescription for each plan."""
    lengths = [len(part) for part in classes]
    return replace(
        problem,
        belief_start=np.array([0, len(classes)], dtype=np.int32),
        child_start=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32),
        children=np.concatenate(classes) + np.int32(1),
    )


def _class_reach(problem: DecisionProblem, classes: list[Ints], weights: Floats) -> Floats:
    reach = np.zeros(problem.n_leaf_classes)
    for part, weight in zip(classes, weights.tolist(), strict=True):
        reach[part] += weight
    return reach
