"""The best response of a side to a fixed strategy of everybody else, with a proved bound.

Three routes, none of which shares code with the solvers: backward induction where the side has perfect
recall, enumeration where its plans are few, an integer program otherwise.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmin.agents import Agents, agents_of, uniform
from maxmin.plans import PlanMixture
from maxmin.tree import Floats, GameTree
from maxmin.verify.climb import climb
from maxmin.verify.enumeration import enumerate_plans
from maxmin.verify.integer_program import TOLERANCE, integer_program
from maxmin.verify.recursion import backward_induction, best_plan

_MOST = 50_000_000
"""Enumeration looks at no more numbers than this: about a second."""

_MOST_EXACT = 5_000_000
"""The same for exact numbers."""

RECURSION, ENUMERATION, PROGRAM = "recursion", "enumeration", "integer program"


@dataclass(frozen=True)
class Bound:
    """What a side can get at most.

    Attributes
    ----------
    value : float
        No joint pure plan gets more, so no mixture of plans does. Payoff units; with method "integer program"
        up to HiGHS's tolerance, about 1e-6 of the largest gain.
    attained : float
        What `plan` gets: recomputed from the plan.
    plan : PlanMixture
        The best joint pure plan that was found, with weight 1.
    method : str
        "recursion", "enumeration" or "integer program".
    proved : bool
        Whether value and attained agree up to rounding (integer program: up to HiGHS's tolerance).
    exact : Fraction or None
        The value in exact arithmetic, where it was computed so.
    """

    value: float
    attained: float
    plan: PlanMixture
    method: str
    proved: bool
    exact: Fraction | None = None


def best_response(tree: GameTree, side: Iterable[int], gains: Floats, *, seconds: float = 60.0) -> Bound:
    """Find the joint pure plan of a side that gains most.

    Parameters
    ----------
    tree
        The game.
    side
        The players who respond; they may agree on anything before play. Players who forget, also the
        absent-minded, keep to the plan drawn before play.
    gains : (n_leaves,) float64
        Chance's probability x the side's payoff x everybody else's probability of playing towards the leaf.
    seconds
        Stop the integer program after this; `value` is then the bound so far.

    Raises
    ------
    ValueError
        If `gains` has not one finite number per leaf.
    """
    deadline = time.monotonic() + seconds
    gains = np.asarray(gains, dtype=np.float64)
    if gains.shape != (tree.n_leaves,) or not np.isfinite(gains).all():
        raise ValueError(
            f"gains must be {tree.n_leaves} finite numbers, one per leaf; shape is {gains.shape}"
        )
    agents = agents_of(tree, side)
    found = _search(agents, gains, _MOST)
    if found is not None:
        value, plan, method = found
        return _bound(tree, agents, gains, float(value), plan, method)
    joint = agents.joint.per_sequence(gains)
    relaxed = float(backward_induction(agents.joint, joint)[0])
    value, point = integer_program(agents, joint, seconds=deadline - time.monotonic())
    starts = [[uniform(agent) for agent in agents.each]] + ([point] if point else [])
    ends = agents.per_end(gains)
    bounds = [
        _bound(tree, agents, gains, min(value, relaxed), climb(agents, ends, start), PROGRAM)
        for start in starts
    ]
    return max(bounds, key=lambda bound: bound.attained)


def exact_best_response(tree: GameTree, side: Iterable[int], gains: NDArray[Any]) -> Bound | None:
    """Find the joint pure plan of a side that gains most, in exact arithmetic.

    Parameters
    ----------
    tree, side
        As for `best_response`.
    gains : (n_leaves,) object, holding Fraction

    Returns
    -------
    Bound or None
        None where neither recursion nor enumeration can do it.
    """
    agents = agents_of(tree, side)
    denominators = {gain.denominator for gain in gains}
    denominator = lcm(*denominators)
    factor = {each: denominator // each for each in denominators}  # as products of fractions: many slow gcds
    whole = np.array([gain.numerator * factor[gain.denominator] for gain in gains], dtype=object)
    found = _search(agents, whole, _MOST_EXACT)
    if found is None:
        return None
    value, plan, method = found
    mixture = _pure(agents, plan)
    played = mixture.leaf_reach(tree, players=side) > 0
    if sum(whole[played]) != value:
        raise AssertionError("the plan of a best response does not attain the value of the best response")
    exact = Fraction(int(value), denominator)
    return Bound(float(exact), float(exact), mixture, method, proved=True, exact=exact)


def _search(agents: Agents, gains: NDArray[Any], most: int) -> tuple[Any, NDArray[np.int16], str] | None:
    """Return value, plan and method of the two exhaustive routes, or None."""
    if agents.joint.perfect_recall:
        worth = backward_induction(agents.joint, agents.joint.per_sequence(gains))
        return worth[0], best_plan(agents.joint, worth), RECURSION
    found = enumerate_plans(agents, agents.per_end(gains), most=most)
    return found and (*found, ENUMERATION)


def _bound(
    tree: GameTree, agents: Agents, gains: Floats, value: float, plan: NDArray[np.int16], method: str
) -> Bound:
    mixture = _pure(agents, plan)
    players = tree.infoset_player[agents.infosets].tolist()
    attained = float(gains @ mixture.leaf_reach(tree, players=players))
    largest = backward_induction(agents.joint, agents.joint.per_sequence(np.abs(gains)))[0]
    tolerance = (TOLERANCE if method == PROGRAM else 1e-12) * float(largest)
    value = max(value, attained)
    return Bound(value, attained, mixture, method, proved=value - attained <= tolerance)


def _pure(agents: Agents, plan: NDArray[np.int16]) -> PlanMixture:
    return PlanMixture(agents.infosets, plan[None, :], np.ones(1))
