"""What a team gets at each leaf, weighted by chance and by one side's strategy; in floats and exactly."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmin.game import CHANCE
from maxmin.tree import Floats, GameTree

LARGEST_EXACT = 200_000
"""Exact arithmetic is left out above this many leaves; up to there it takes seconds."""


def team_payoffs(tree: GameTree, team: Sequence[int]) -> Floats:
    """Return what a team gets in total at each leaf: (n_leaves,) float64, payoff units."""
    payoffs: Floats = tree.payoffs[:, [player - 1 for player in team]].sum(axis=1)
    return payoffs


def team_gains(tree: GameTree, team: Sequence[int], reach: Floats) -> Floats:
    """Return chance's probability x the team's payoff x `reach` at each leaf: (n_leaves,) float64.

    `reach`, (n_leaves,) float64, is the probability with which one side plays towards each leaf. The sum over
    the leaves that the other side plays towards is what the team gets.
    """
    return tree.chance_reach[tree.leaves] * team_payoffs(tree, team) * reach


def exact_team_gains(tree: GameTree, team: Sequence[int], reach: NDArray[Any]) -> NDArray[Any]:
    """Return `team_gains` of an exact tree as Fractions, (n_leaves,) object; so is `reach`."""
    table = np.array(tree.numbers, dtype=object)
    members = [player - 1 for player in team]
    rows, row = np.unique(tree.payoff_number[:, members], axis=0, return_inverse=True)
    payoffs = np.array([sum(table[numbers], Fraction(0)) for numbers in rows], dtype=object)
    gains: NDArray[Any] = _exact_chance_reach(tree, table) * payoffs[row] * reach
    return gains


def _exact_chance_reach(tree: GameTree, table: NDArray[Any]) -> NDArray[Any]:
    reach = np.full(tree.n_nodes, Fraction(1), dtype=object)
    for start, stop in zip(tree.levels[1:-1], tree.levels[2:], strict=True):
        above = tree.parent[start:stop]
        reach[start:stop] = reach[above]
        drawn = start + np.flatnonzero(tree.player[above] == CHANCE)
        reach[drawn] *= table[tree.probability_number[drawn]]
    return reach[tree.leaves]
