"""`TreeBuilder`: makes a `GameTree` node by node, and checks it on the way."""

import warnings
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from maxmin.errors import GameError
from maxmin.game import CHANCE, ROUNDING
from maxmin.rational import Exact, Number, NumberTable, exact
from maxmin.tree import LEAF, GameTree, Ints

MOST_ACTIONS = 32_767
"""In one infoset; plans hold actions as 16-bit integers."""


class TreeBuilder:
    """Makes a `GameTree` node by node, in preorder or breadth first; siblings in action order.

    What a node holds (the moves of an infoset, the odds of chance, payoffs) is its *content*. Equal contents
    are kept once and have a number: a node is no more than its parent, its action and that number. `chance`,
    `decision` and `leaf` make content and node in one go; a reader that meets the same content again and
    again makes it once, and then only calls `add`.

    Parameters
    ----------
    name
        What the game is called.
    player_names
        One per player, player 1 first.
    """

    def __init__(self, name: str, player_names: Sequence[str]) -> None:
        self.name = name
        self.player_names = tuple(player_names)
        self._parent: list[int] = []
        self._depth: list[int] = []
        self._action: list[int] = []
        self._content: list[int] = []
        self._contents: list[_Content] = []
        self._infosets: dict[tuple[int, Hashable], int] = {}
        self._chances: dict[_Content, int] = {}
        self._leaves: dict[tuple[int, ...], int] = {}
        self._numbers = NumberTable()
        self._one = self._numbers.index(1)

    def chance(self, parent: int, action: int, outcomes: Sequence[tuple[str, Number]]) -> int:
        """Add a chance node below move `action` of node `parent` (-1, -1 for the root); return its number.

        Raises
        ------
        GameError
            If a probability is negative or they miss 1 by more than 1e-6.
        """
        content = self.chance_content(outcomes, where=lambda: self._where(parent, action))
        return self.add(parent, action, content)

    def decision(
        self,
        parent: int,
        action: int,
        player: int,
        infoset: Hashable,
        actions: Sequence[str],
        label: str | None = None,
    ) -> int:
        """Add a node at which `player` acts, in the infoset of that key; return its number.

        Raises
        ------
        GameError
            If there is no such player, no action, or the infoset has other actions elsewhere.
        """
        try:
            return self.add(parent, action, self.decision_content(player, infoset, actions, label))
        except GameError as error:
            raise GameError(f"{self._where(parent, action)}: {error}") from None

    def leaf(self, parent: int, action: int, payoffs: Sequence[Number]) -> int:
        """Add a leaf; return its number.

        Raises
        ------
        GameError
            If there is not one finite payoff per player.
        """
        try:
            return self.add(parent, action, self.leaf_content(payoffs))
        except GameError as error:
            raise GameError(f"{self._where(parent, action)}: {error}") from None

    def add(self, parent: int, action: int, content: int) -> int:
        """Add a node that holds `content` below move `action` of `parent`; return its number."""
        node = len(self._parent)
        self._parent.append(parent)
        self._action.append(action)
        self._content.append(content)
        self._depth.append(self._depth[parent] + 1 if parent >= 0 else 0)
        return node

    def chance_content(self, outcomes: Sequence[tuple[str, Number]], *, where: Callable[[], str]) -> int:
        """Return the number of these odds as content; `where` says how an error or a warning begins."""
        try:
            numbers = [exact(probability) for _, probability in outcomes]
        except GameError as error:
            raise GameError(f"{where()}: a probability: {error}") from None
        odds = _normalized(numbers, where)
        moves = tuple(label for label, _ in outcomes)
        content = _Content(CHANCE, moves, tuple([self._numbers.index(probability) for probability in odds]))
        number = self._chances.get(content)
        if number is None:
            number = self._chances[content] = self._keep(content)
        return number

    def decision_content(
        self, player: int, infoset: Hashable, actions: Sequence[str], label: str | None = None
    ) -> int:
        """Return the number of the content "`player` acts in this infoset"."""
        moves = tuple(actions)
        number = self._infosets.get((player, infoset))
        if number is None:
            if not 1 <= player <= len(self.player_names):
                raise GameError(f"player {player} of {len(self.player_names)}")
            if not moves:
                raise GameError(f"player {player} has no action, but the game is not over")
            if len(moves) > MOST_ACTIONS:
                raise GameError(
                    f"player {player} has {len(moves):,} actions in one infoset; at most {MOST_ACTIONS:,} are "
                    "possible: choose in steps"
                )
            content = _Content(player, moves, (), str(infoset) if label is None else label)
            number = self._infosets[player, infoset] = self._keep(content)
        elif moves != self._contents[number].moves:
            before = self._contents[number]
            raise GameError(
                f"infoset {before.label!r} of player {player} has actions "
                f"{list(moves)} here and {list(before.moves)} elsewhere"
            )
        return number

    def leaf_content(self, payoffs: Sequence[Number]) -> int:
        """Return the number of these payoffs as content."""
        if len(payoffs) != len(self.player_names):
            raise GameError(f"{len(payoffs)} payoffs for {len(self.player_names)} players")
        try:
            key = tuple([self._numbers.index(payoff) for payoff in payoffs])
        except GameError as error:
            raise GameError(f"a payoff: {error}") from None
        number = self._leaves.get(key)
        if number is None:
            number = self._leaves[key] = self._keep(_Content(LEAF, (), key))
        return number

    def finish(self) -> GameTree:
        """Put the nodes in breadth-first order, number infosets in the order of that, and return the tree.

        Raises
        ------
        GameError
            If a child is missing or out of order, or there is not one root.
        """
        if not self._parent:
            raise GameError(f"{self.name}: the game has no nodes")
        order = np.argsort(np.array(self._depth), kind="stable")
        rank = np.empty(len(order), dtype=np.int32)
        rank[order] = np.arange(len(order), dtype=np.int32)
        old_parent = np.array(self._parent)[order]
        parent = np.where(old_parent < 0, -1, rank[old_parent]).astype(np.int32)
        if np.any(parent[1:] < 0):
            raise GameError(f"{self.name}: the game has more than one root")
        action = np.array(self._action, dtype=np.int32)[order]
        n_children = np.bincount(parent[1:], minlength=len(order)).astype(np.int32)
        first_child = (np.cumsum(n_children) - n_children + 1).astype(np.int32)
        content = np.array(self._content)[order]
        self._check_children(parent, action, n_children, first_child, order)
        tables = self._tables(content)
        moves = tables.first_move[content[parent]] + action
        leaves = np.flatnonzero(tables.player[content] == LEAF).astype(np.int32)
        return GameTree(
            name=self.name,
            player_names=self.player_names,
            parent=parent,
            player=tables.player[content],
            infoset=tables.infoset[content],
            action=action,
            first_child=first_child,
            n_children=n_children,
            label=_after_root(-1, tables.label[moves[1:]]),
            labels=tables.labels,
            infoset_player=tables.player[tables.infosets],
            infoset_labels=tuple(self._contents[number].label for number in tables.infosets),
            infoset_actions=tuple(self._contents[number].moves for number in tables.infosets),
            leaves=leaves,
            numbers=tuple(self._numbers.numbers),
            probability_number=_after_root(self._one, tables.probability[moves[1:]]),
            payoff_number=tables.payoffs[content[leaves]],
        )

    def _tables(self, content: NDArray[np.int64]) -> "_Tables":
        """Turn contents into arrays: one row per content, one entry per move of each."""
        contents = self._contents
        infosets = [number for number in _first_met(content) if contents[number].player > CHANCE]
        infoset = np.full(len(contents), -1, dtype=np.int32)
        infoset[infosets] = np.arange(len(infosets), dtype=np.int32)
        n_moves = np.array([len(each.moves) for each in contents])
        payoffs = np.zeros((len(contents), len(self.player_names)), dtype=np.int32)
        labels: dict[str, int] = {}
        label: list[int] = []
        probability: list[int] = []
        for number, each in enumerate(contents):
            label += [labels.setdefault(move, len(labels)) for move in each.moves]
            probability += each.numbers if each.player == CHANCE else (self._one,) * len(each.moves)
            if each.player == LEAF:
                payoffs[number] = each.numbers
        return _Tables(
            player=np.array([each.player for each in contents], dtype=np.int32),
            infosets=infosets,
            infoset=infoset,
            first_move=np.cumsum(n_moves) - n_moves,
            labels=tuple(labels),
            label=np.array(label, dtype=np.int32),
            probability=np.array(probability, dtype=np.int32),
            payoffs=payoffs,
        )

    def _keep(self, content: "_Content") -> int:
        self._contents.append(content)
        return len(self._contents) - 1

    def _check_children(
        self, parent: Ints, action: Ints, n_children: Ints, first_child: Ints, order: NDArray[np.int64]
    ) -> None:
        expected = np.array([len(content.moves) for content in self._contents], dtype=np.int32)
        wrong = np.flatnonzero(expected[np.array(self._content)][order] != n_children)
        if len(wrong):
            node = int(order[wrong[0]])
            moves = len(self._contents[self._content[node]].moves)
            where = self._where(self._parent[node], self._action[node])
            raise GameError(f"{where}: {n_children[wrong[0]]} children for {moves} moves")
        rightful = np.arange(1, len(parent)) - first_child[parent[1:]]
        if np.any(np.diff(parent) < 0) or np.any(action[1:] != rightful):
            raise GameError(f"{self.name}: the nodes are not in preorder or breadth first")

    def _where(self, node: int, action: int) -> str:
        moves = []
        while node >= 0:
            moves.append(self._contents[self._content[node]].moves[action])
            node, action = self._parent[node], self._action[node]
        return f"{self.name}, after {' / '.join(reversed(moves)) or 'nothing'}"


class _Content(NamedTuple):
    """What a node holds: who acts, the moves, the numbers (odds or payoffs), the infoset's name."""

    player: int
    moves: tuple[str, ...]
    numbers: tuple[int, ...]
    label: str = ""


@dataclass
class _Tables:
    """The contents of a tree as arrays; `first_move` says where the moves of each begin."""

    player: Ints
    infosets: list[int]
    infoset: Ints
    first_move: NDArray[np.int64]
    labels: tuple[str, ...]
    label: Ints
    probability: Ints
    payoffs: Ints


def _first_met(content: NDArray[np.int64]) -> list[int]:
    """List the different values in the order in which they first occur."""
    values, first = np.unique(content, return_index=True)
    return [int(value) for value in values[np.argsort(first)]]


def _after_root(root: int, values: Ints) -> Ints:
    return np.concatenate([np.array([root], dtype=np.int32), values])


def _normalized(odds: list[Exact], where: Callable[[], str]) -> list[Exact]:
    if not odds:
        raise GameError(f"{where()}: a chance move without outcomes")
    if any(probability < 0 for probability in odds):
        raise GameError(f"{where()}: a chance outcome has a negative probability")
    total: Exact = sum(odds, Fraction(0))
    if total == 1:
        return odds
    off = abs(float(total) - 1)
    if off > ROUNDING:
        raise GameError(f"{where()}: chance probabilities sum to {float(total):.9g}, not 1")
    if off > 1e-12:
        message = f"{where()}: chance probabilities sum to {float(total):.9g}; scaled to 1"
        warnings.warn(message, stacklevel=4)
    return [probability / total for probability in odds]
