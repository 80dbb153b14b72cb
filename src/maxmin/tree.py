"""`GameTree`: a game as flat, immutable arrays, and `TreeBuilder`, which makes one node by node.

Nodes are numbered breadth first, so the children of a node are neighbours, and a parent comes before its
children. Player 0 is chance, players are 1..n, a leaf has player -1. Rational payoffs and probabilities are
kept exactly: nodes and leaves hold indices into a short table of numbers.
"""

import warnings
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from maxmin.errors import GameError
from maxmin.game import CHANCE
from maxmin.rational import Exact, Number, exact

Ints: TypeAlias = NDArray[np.int32]
Floats: TypeAlias = NDArray[np.float64]

LEAF = -1
"""The player of a leaf."""

_ROUNDING = 1e-6
"""Chance probabilities that miss 1 by no more than this are scaled, with a warning."""


@dataclass(frozen=True, eq=False, repr=False)
class GameTree:
    """A game as flat arrays, breadth first; checked when built, immutable afterwards.

    Attributes
    ----------
    name : str
        What the game is called; a name from the catalogue can be built again.
    player_names : tuple of str
        One per player, player 1 first.
    parent, player, infoset, action : (n_nodes,) int32
        Parent node (-1 at the root); who acts (0 chance, -1 leaf); its infoset (-1 for chance and leaves);
        the index of the move, at the parent, that leads here (-1 at the root).
    first_child, n_children : (n_nodes,) int32
        The children of node v are ``first_child[v] .. first_child[v] + n_children[v] - 1``, in action order.
    label : (n_nodes,) int32
        Index into `labels` of the name of the move that leads here (-1 at the root).
    infoset_player : (n_infosets,) int32
    infoset_labels : tuple of str
        What the player knows, in words.
    infoset_actions : tuple of tuple of str
        The names of the actions.
    leaves : (n_leaves,) int32
        The nodes that are leaves, in order.
    numbers : tuple of Fraction or float
        The numbers that the next two fields point into.
    probability_number : (n_nodes,) int32
        The probability of the chance move that leads here; 1 after any other move.
    payoff_number : (n_leaves, n_players) int32
        What each player gets at a leaf.
    """

    name: str
    player_names: tuple[str, ...]
    parent: Ints
    player: Ints
    infoset: Ints
    action: Ints
    first_child: Ints
    n_children: Ints
    label: Ints
    labels: tuple[str, ...]
    infoset_player: Ints
    infoset_labels: tuple[str, ...]
    infoset_actions: tuple[tuple[str, ...], ...]
    leaves: Ints
    numbers: tuple[Exact, ...]
    probability_number: Ints
    payoff_number: Ints
    probability: Floats = field(init=False)
    payoffs: Floats = field(init=False)

    def __post_init__(self) -> None:
        table = np.array([float(number) for number in self.numbers])
        object.__setattr__(self, "probability", table[self.probability_number])
        object.__setattr__(self, "payoffs", table[self.payoff_number].reshape(self.n_leaves, self.n_players))
        for value in self.__dict__.values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    def __repr__(self) -> str:
        return (
            f"GameTree({self.name!r}, players={self.n_players}, nodes={self.n_nodes}, "
            f"leaves={self.n_leaves}, infosets={self.n_infosets})"
        )

    @property
    def n_nodes(self) -> int:
        """How many nodes there are, leaves included."""
        return len(self.parent)

    @property
    def n_leaves(self) -> int:
        """How many leaves there are."""
        return len(self.leaves)

    @property
    def n_players(self) -> int:
        """How many players there are, chance not counted."""
        return len(self.player_names)

    @property
    def n_infosets(self) -> int:
        """How many infosets there are, of all players."""
        return len(self.infoset_labels)

    @property
    def exact(self) -> bool:
        """Whether all payoffs and probabilities are known as fractions."""
        return not any(isinstance(number, float) for number in self.numbers)

    @cached_property
    def infoset_n_actions(self) -> Ints:
        """How many actions each infoset has: (n_infosets,) int32."""
        return np.array([len(actions) for actions in self.infoset_actions], dtype=np.int32)

    @cached_property
    def levels(self) -> NDArray[np.int64]:
        """Where each depth begins: nodes of depth d are ``levels[d] .. levels[d + 1] - 1``."""
        starts = [0, 1]
        while starts[-1] < self.n_nodes:
            level = slice(starts[-2], starts[-1])
            starts.append(starts[-1] + int(self.n_children[level].sum()))
        return np.array(starts)

    @cached_property
    def chance_reach(self) -> Floats:
        """The probability that chance plays towards each node: (n_nodes,) float64."""
        reach = np.ones(self.n_nodes)
        for start, stop in zip(self.levels[1:-1], self.levels[2:], strict=True):
            reach[start:stop] = reach[self.parent[start:stop]] * self.probability[start:stop]
        reach.flags.writeable = False
        return reach

    def history(self, node: int) -> tuple[str, ...]:
        """Return the names of the moves that lead from the root to a node."""
        moves = []
        while self.parent[node] >= 0:
            moves.append(self.labels[self.label[node]])
            node = int(self.parent[node])
        return tuple(reversed(moves))

    def where(self, node: int) -> str:
        """Describe a node in words, for messages."""
        return f"after {' / '.join(self.history(node)) or 'nothing'}"


class TreeBuilder:
    """Makes a `GameTree` node by node, in preorder or breadth first; siblings in action order.

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
        self._player: list[int] = []
        self._infoset: list[int] = []
        self._action: list[int] = []
        self._label: list[int] = []
        self._probability: list[int] = []
        self._moves: list[tuple[str, ...]] = []
        self._odds: dict[int, list[int]] = {}
        self._payoffs: dict[int, tuple[int, ...]] = {}
        self._infosets: dict[tuple[int, Hashable], int] = {}
        self._infoset_player: list[int] = []
        self._infoset_labels: list[str] = []
        self._infoset_actions: list[tuple[str, ...]] = []
        self._labels: dict[str, int] = {}
        self._numbers: dict[tuple[type, Any], int] = {}
        self._table: list[Exact] = []
        self._one = self._number(1)

    def chance(self, parent: int, action: int, outcomes: Sequence[tuple[str, Number]]) -> int:
        """Add a chance node below move `action` of node `parent` (-1, -1 for the root); return its number.

        Raises
        ------
        GameError
            If a probability is negative or they miss 1 by more than 1e-6.
        """
        node = self._add(parent, action, CHANCE, -1, tuple(label for label, _ in outcomes))
        odds = self._normalized([exact(probability) for _, probability in outcomes], node)
        self._odds[node] = [self._number(probability) for probability in odds]
        return node

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
        moves = tuple(actions)
        key = (player, infoset)
        number = self._infosets.get(key)
        if number is None:
            number = self._new_infoset(key, moves, str(infoset) if label is None else label)
        node = self._add(parent, action, player, number, moves)
        if not 1 <= player <= len(self.player_names):
            raise GameError(f"{self._where(node)}: player {player} of {len(self.player_names)}")
        if moves != self._infoset_actions[number]:
            raise GameError(
                f"{self._where(node)}: infoset {self._infoset_labels[number]!r} of player {player} has actions "
                f"{list(moves)} here and {list(self._infoset_actions[number])} elsewhere"
            )
        if not moves:
            raise GameError(f"{self._where(node)}: player {player} has no action, but the game is not over")
        return node

    def leaf(self, parent: int, action: int, payoffs: Sequence[Number]) -> int:
        """Add a leaf; return its number.

        Raises
        ------
        GameError
            If there is not one finite payoff per player.
        """
        node = self._add(parent, action, LEAF, -1, ())
        try:
            self._payoffs[node] = tuple([self._number(payoff) for payoff in payoffs])
        except GameError as error:
            raise GameError(f"{self._where(node)}: a payoff: {error}") from None
        if len(payoffs) != len(self.player_names):
            raise GameError(
                f"{self._where(node)}: {len(payoffs)} payoffs for {len(self.player_names)} players"
            )
        return node

    def finish(self) -> GameTree:
        """Put the nodes in breadth-first order and return the tree.

        Raises
        ------
        GameError
            If a child is missing or there are no nodes.
        """
        if not self._parent:
            raise GameError(f"{self.name}: the game has no nodes")
        order = np.argsort(np.array(self._depth), kind="stable")
        rank = np.empty(len(order), dtype=np.int32)
        rank[order] = np.arange(len(order), dtype=np.int32)
        old_parent = np.array(self._parent)[order]
        parent = np.where(old_parent < 0, -1, rank[old_parent]).astype(np.int32)
        n_children = np.bincount(parent[1:], minlength=len(order)).astype(np.int32)
        self._check_children(n_children, order)
        leaves = [node for node in order.tolist() if node in self._payoffs]
        payoff_number = np.array([self._payoffs[node] for node in leaves], dtype=np.int32)
        return GameTree(
            name=self.name,
            player_names=self.player_names,
            parent=parent,
            player=np.array(self._player, dtype=np.int32)[order],
            infoset=np.array(self._infoset, dtype=np.int32)[order],
            action=np.array(self._action, dtype=np.int32)[order],
            first_child=(np.cumsum(n_children) - n_children + 1).astype(np.int32),
            n_children=n_children,
            label=np.array(self._label, dtype=np.int32)[order],
            labels=tuple(self._labels),
            infoset_player=np.array(self._infoset_player, dtype=np.int32),
            infoset_labels=tuple(self._infoset_labels),
            infoset_actions=tuple(self._infoset_actions),
            leaves=rank[leaves],
            numbers=tuple(self._table),
            probability_number=np.array(self._probability, dtype=np.int32)[order],
            payoff_number=payoff_number.reshape(len(leaves), len(self.player_names)),
        )

    def _add(self, parent: int, action: int, player: int, infoset: int, moves: tuple[str, ...]) -> int:
        self._parent.append(parent)
        self._action.append(action)
        self._player.append(player)
        self._infoset.append(infoset)
        self._moves.append(moves)
        if parent < 0:
            self._depth.append(0)
            self._label.append(-1)
            self._probability.append(self._one)
        else:
            self._depth.append(self._depth[parent] + 1)
            move = self._moves[parent][action]
            self._label.append(self._labels.setdefault(move, len(self._labels)))
            odds = self._odds.get(parent)
            self._probability.append(self._one if odds is None else odds[action])
        return len(self._parent) - 1

    def _new_infoset(self, key: tuple[int, Hashable], moves: tuple[str, ...], label: str) -> int:
        number = self._infosets[key] = len(self._infosets)
        self._infoset_player.append(key[0])
        self._infoset_labels.append(label)
        self._infoset_actions.append(moves)
        return number

    def _number(self, number: Number) -> int:
        key = (type(number), number)
        index = self._numbers.get(key)
        if index is None:
            index = self._numbers[key] = len(self._table)
            self._table.append(exact(number))
        return index

    def _normalized(self, odds: list[Exact], node: int) -> list[Exact]:
        if not odds:
            raise GameError(f"{self._where(node)}: a chance move without outcomes")
        if any(probability < 0 for probability in odds):
            raise GameError(f"{self._where(node)}: a chance outcome has a negative probability")
        total = sum(odds)
        if total == 1:
            return odds
        if abs(total - 1) > _ROUNDING:
            raise GameError(f"{self._where(node)}: chance probabilities sum to {float(total):.9g}, not 1")
        if abs(total - 1) > 1e-12:
            warnings.warn(
                f"{self._where(node)}: chance probabilities sum to {float(total):.9g}; scaled to 1",
                stacklevel=3,
            )
        return [probability / total for probability in odds]

    def _check_children(self, n_children: Ints, order: NDArray[np.int64]) -> None:
        expected = np.array([len(moves) for moves in self._moves], dtype=np.int32)[order]
        wrong = np.flatnonzero(expected != n_children)
        if len(wrong):
            node = int(order[wrong[0]])
            raise GameError(
                f"{self._where(node)}: {n_children[wrong[0]]} children for {expected[wrong[0]]} moves"
            )

    def _where(self, node: int) -> str:
        moves = []
        while node >= 0 and self._parent[node] >= 0:
            moves.append(self._moves[self._parent[node]][self._action[node]])
            node = self._parent[node]
        return f"{self.name}, after {' / '.join(reversed(moves)) or 'nothing'}"
