"""`GameTree`: a game as flat, immutable arrays.

Nodes are numbered breadth first, so the children of a node are neighbours, and a parent comes before its
children. Player 0 is chance, players are 1..n, a leaf has player -1. Rational payoffs and probabilities are
kept exactly: nodes and leaves hold indices into a short table of numbers.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from maxmin.rational import Exact

Ints: TypeAlias = NDArray[np.int32]
Floats: TypeAlias = NDArray[np.float64]

LEAF = -1
"""The player of a leaf."""


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


def player_names(players: int) -> tuple[str, ...]:
    """Return the names that players have where rules give none."""
    return tuple(f"player {player}" for player in range(1, players + 1))
