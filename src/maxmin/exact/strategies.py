"""Exact flows on a decision problem, written out on the tree: behavior strategies and weighted joint pure plans."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmin.decision import DecisionProblem
from maxmin.plans import UNREACHED, Behavior, PlanMixture
from maxmin.properties import perfect_recall
from maxmin.strategy import Strategy
from maxmin.tree import GameTree


def explicit_strategy(
    tree: GameTree, problem: DecisionProblem, flow: Sequence[Fraction]
) -> Behavior | PlanMixture:
    """Write a flow without beliefs, all numbers as Fractions.

    Parameters
    ----------
    tree, problem
        The game, and what the side can do in it.
    flow : (n_prescriptions,) of Fraction
        How often each prescription is played.

    Returns
    -------
    Behavior or PlanMixture
        A `Behavior` for one player of perfect recall, as in `Strategy.explicit`.
    """
    played = np.array([bool(one) for one in flow])
    size = np.add.reduceat(played, problem.belief_start[:-1], dtype=np.int64)
    uniform = played / np.maximum(np.repeat(size, np.diff(problem.belief_start)), 1)
    support = Strategy.from_problem(tree, problem, uniform)
    left = [one for one in flow if one]
    if len(problem.side) == 1 and perfect_recall(tree, problem.side[0]):
        return _behavior(support, left)
    return _plans(support, left)


def _behavior(support: Strategy, flow: list[Fraction]) -> Behavior:
    most = int(support.tree.infoset_n_actions.max(initial=1))
    table = np.full((support.tree.n_infosets, most), Fraction(0), dtype=object)
    of_move = np.repeat(np.array(flow, dtype=object), np.diff(support.move_start))
    np.add.at(table, (support.move_infoset, support.move_action), of_move)
    reached = np.unique(support.move_infoset)
    rows = table[reached]
    return Behavior(reached, rows / rows.sum(axis=1, keepdims=True) if len(rows) else rows)


def _plans(support: Strategy, flow: list[Fraction]) -> PlanMixture:
    """Take the heaviest plan of what is left, again and again; each uses up a prescription."""
    start = support.belief_start.tolist()
    infosets = support.infosets
    plans: list[NDArray[np.int16]] = []
    weights: list[Fraction] = []
    while any(flow[start[0] : start[1]]):
        drawn = _draw(support, start, flow)
        weight = min(flow[prescription] for prescription in drawn)
        for prescription in drawn:
            flow[prescription] -= weight
        plans.append(_plan(support, infosets, drawn))
        weights.append(weight)
    table = np.array(plans, dtype=np.int16).reshape(len(plans), len(infosets))
    return PlanMixture(infosets, table, np.array(weights, dtype=object))


def _draw(support: Strategy, start: list[int], flow: list[Fraction]) -> list[int]:
    """Return the prescriptions of one plan: in each belief that it meets, the one with most flow left."""
    drawn, open_beliefs = [], [0]
    while open_beliefs:
        belief = open_beliefs.pop()
        prescription = max(range(start[belief], start[belief + 1]), key=flow.__getitem__)
        drawn.append(prescription)
        span = slice(support.child_start[prescription], support.child_start[prescription + 1])
        open_beliefs += [child for child in support.children[span].tolist() if child < support.n_beliefs]
    return drawn


def _plan(support: Strategy, infosets: NDArray[Any], drawn: list[int]) -> NDArray[np.int16]:
    plan = np.full(len(infosets), UNREACHED, dtype=np.int16)
    for prescription in drawn:
        moves = slice(support.move_start[prescription], support.move_start[prescription + 1])
        plan[np.searchsorted(infosets, support.move_infoset[moves])] = support.move_action[moves]
    return plan
