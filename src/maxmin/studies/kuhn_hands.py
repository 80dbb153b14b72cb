"""What the studies of Kuhn poker share: cards' letters, the fair strategies, exact values, winnings by deal."""

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmin.plans import Behavior
from maxmin.sources import load_tree
from maxmin.tree import GameTree
from maxmin.verify.gains import exact_team_gains

CARDS = {"1": "J", "2": "Q", "3": "K"}
DEALS = ("KQ", "KJ", "QK", "QJ", "JK", "JQ")
"""Player 1's card first."""

FAIR = Fraction(-1, 18)
"""The value of fair Kuhn poker for player 1 (Kuhn 1950)."""

READINGS = tuple(
    {"know": know, "amount": amount}
    for know in ("before_hit", "before_full", "after")
    for amount in ("matched", "pot", "ante")
)
"""The readings of detection that differ most: what a checker knows, and how much a catch wins."""

_THIRD = Fraction(1, 3)
_DEAL = re.compile(r"([123]) ([123])")


def name_of(**options: object) -> str:
    """Return the name of a game of the family ``kuhn_cheating``."""
    return f"kuhn_cheating({','.join(f'{name}={value}' for name, value in options.items())})"


@cache
def value(game: str) -> Fraction:
    """Return the exact value of a game for player 1, proved by strategies of both sides."""
    from maxmin.exact import solve_exact

    return solve_exact(load_tree(game)).value


def fair_player_1(a: Fraction) -> dict[str, Fraction]:
    """Return how often player 1 bets or calls, by infoset: an optimal strategy for each a from 0 to 1/3."""
    return {
        "3": 3 * a,
        "3 cb": Fraction(1),
        "2": Fraction(0),
        "2 cb": a + _THIRD,
        "1": a,
        "1 cb": Fraction(0),
    }


def fair_player_2() -> dict[str, Fraction]:
    """Return how often player 2 bets or calls, by infoset: its only optimal strategy without dominated moves."""
    return {
        "3 c": Fraction(1),
        "3 b": Fraction(1),
        "2 c": Fraction(0),
        "2 b": _THIRD,
        "1 c": _THIRD,
        "1 b": Fraction(0),
    }


def behavior(tree: GameTree, player: int, bets: Mapping[str, Fraction]) -> Behavior:
    """Return the strategy that bets or calls with these probabilities, by infoset label."""
    number = {
        label: index
        for index, label in enumerate(tree.infoset_labels)
        if tree.infoset_player[index] == player
    }
    infosets = np.array([number[label] for label in bets], dtype=np.int32)
    rows = np.array([[1 - odds, odds] for odds in bets.values()], dtype=object)
    return Behavior(infosets, rows)


def winnings(tree: GameTree, reach_1: NDArray[Any], reach_2: NDArray[Any]) -> dict[str, Fraction]:
    """Return what player 1 wins on average, by deal, if both sides play towards the leaves with these odds."""
    gains = exact_team_gains(tree, (1,), reach_1 * reach_2)
    total = dict.fromkeys(DEALS, Fraction(0))
    for leaf, gain in zip(tree.leaves.tolist(), gains, strict=True):
        total[_deal(tree, leaf)] += gain
    return {deal: gain * len(DEALS) for deal, gain in total.items()}


def _deal(tree: GameTree, leaf: int) -> str:
    cards = next(match for move in tree.history(leaf) if (match := _DEAL.fullmatch(move)))
    return CARDS[cards[1]] + CARDS[cards[2]]
