"""Sequences of a side: what it has done, infoset by infoset, on the way to each node of a tree.

For one player of perfect recall these are the sequences of the sequence form (von Stengel 1996). For a team
they are the joint sequences of its members, in the order of play. What a side contributes to a leaf depends
on the leaf's sequence alone, and there are far fewer sequences than nodes.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmin.tree import GameTree, Ints


@dataclass(frozen=True, eq=False)
class Sequences:
    """The sequences over a set of infosets, by length; the actions of one decision are neighbours.

    A decision is an infoset met after a sequence. With perfect recall each infoset is met after only one.

    Attributes
    ----------
    infosets : (m,) int32
        The infosets that the sequences are made of, ascending.
    parent : (n_sequences,) int32
        The sequence without its last action; -1 for the empty sequence, number 0.
    infoset, action : (n_sequences,) int32
        The last infoset and the action taken there; -1 for the empty sequence.
    levels : (longest + 2,) int64
        Sequences of length d are ``levels[d] .. levels[d + 1] - 1``.
    leaf : (n_leaves,) int32
        The sequence of each leaf; -1 where no pure plan gets (see `pure_sequences`).
    """

    infosets: Ints
    parent: Ints
    infoset: Ints
    action: Ints
    levels: NDArray[np.int64]
    leaf: Ints

    @property
    def n_sequences(self) -> int:
        """How many sequences there are, the empty one included."""
        return len(self.parent)

    @cached_property
    def first(self) -> NDArray[np.int64]:
        """The first sequence of each decision, ascending: (n_decisions,) int64."""
        return np.flatnonzero(self.action == 0)

    @cached_property
    def stop(self) -> NDArray[np.int64]:
        """One after the last sequence of each decision: (n_decisions,) int64."""
        return np.append(self.first, self.n_sequences)[1:]

    @cached_property
    def column(self) -> NDArray[np.int64]:
        """Where the last infoset stands in `infosets`: (n_sequences,) int64; 0 for the empty sequence."""
        return np.searchsorted(self.infosets, np.maximum(self.infoset, self.infosets[:1]))

    @cached_property
    def possible(self) -> NDArray[np.bool_]:
        """Whether a pure plan plays each sequence: an infoset met twice gets the same action: (n_sequences,)."""
        possible = np.ones(self.n_sequences, dtype=bool)
        above = np.maximum(self.parent, 0)
        earlier = above
        while earlier.any():
            same = self.infoset[earlier] == self.infoset
            possible &= ~same | (self.action[earlier] == self.action)
            earlier = above[earlier]
        for start, stop in zip(self.levels[1:-1], self.levels[2:], strict=True):
            possible[start:stop] &= possible[self.parent[start:stop]]
        return possible

    @property
    def perfect_recall(self) -> bool:
        """Whether every infoset is met after one sequence only."""
        return len(self.first) == len(np.unique(self.infoset[self.first]))

    def per_sequence(self, values: NDArray[Any]) -> NDArray[Any]:
        """Sum values at leaves, (n_leaves,) of floats or exact numbers, over the leaves of each sequence."""
        total = np.zeros(self.n_sequences, dtype=values.dtype)
        alive = self.leaf >= 0
        np.add.at(total, self.leaf[alive], values[alive])
        return total


def infosets_of(tree: GameTree, players: Iterable[int]) -> Ints:
    """Return the infosets of some players, ascending: (m,) int32."""
    return np.flatnonzero(np.isin(tree.infoset_player, list(players))).astype(np.int32)


def sequences(tree: GameTree, infosets: Ints) -> Sequences:
    """Find the sequences over some infosets, and the sequence of each leaf.

    Parameters
    ----------
    tree
        The game.
    infosets : (m,) int32
        Of one or several players, ascending.
    """
    own = np.zeros(tree.n_infosets + 1, dtype=bool)
    own[infosets] = True
    last, length = last_own_move(tree, own[tree.infoset])
    edge = last == np.arange(tree.n_nodes)
    edge[0] = False
    most_actions = int(tree.infoset_n_actions.max(initial=1))
    number = np.zeros(tree.n_nodes, dtype=np.int64)
    levels, keys = [0, 1], []
    for depth in range(1, int(length.max()) + 1):
        nodes = np.flatnonzero(edge & (length == depth))
        above = tree.parent[nodes]
        decision = number[last[above]] * tree.n_infosets + tree.infoset[above]
        key, index = np.unique(decision * most_actions + tree.action[nodes], return_inverse=True)
        number[nodes] = levels[-1] + index
        levels.append(levels[-1] + len(key))
        keys.append(key)
    decision, action = np.divmod(np.concatenate([np.zeros(0, dtype=np.int64), *keys]), most_actions)
    parent, infoset = np.divmod(decision, max(tree.n_infosets, 1))
    return Sequences(
        infosets=infosets.astype(np.int32),
        parent=_after_empty(parent),
        infoset=_after_empty(infoset),
        action=_after_empty(action),
        levels=np.array(levels),
        leaf=number[last[tree.leaves]].astype(np.int32),
    )


def pure_sequences(tree: GameTree, infosets: Ints) -> Sequences:
    """Find the sequences that pure plans can play: an infoset met twice gets the same action twice.

    Only for infosets of perfect recall, or for a single infoset, which may be absent-minded.
    """
    found = sequences(tree, infosets)
    if len(infosets) != 1 or len(found.levels) <= 3:
        return found
    n_actions = int(tree.infoset_n_actions[infosets[0]])
    pure = np.where(found.possible, found.action + 1, -1)
    return Sequences(
        infosets=found.infosets,
        parent=found.parent[: n_actions + 1],
        infoset=found.infoset[: n_actions + 1],
        action=found.action[: n_actions + 1],
        levels=found.levels[:3],
        leaf=pure[found.leaf].astype(np.int32),
    )


def last_own_move(tree: GameTree, own: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Find the last move of `own` nodes on the way to each node: (n_nodes,).

    Returns
    -------
    tuple
        The node, at or above each node, that this move leads to (0 if there is none); how many there were.
    """
    last = np.zeros(tree.n_nodes, dtype=np.int64)
    length = np.zeros(tree.n_nodes, dtype=np.int64)
    for start, stop in zip(tree.levels[1:-1], tree.levels[2:], strict=True):
        above = tree.parent[start:stop]
        last[start:stop] = np.where(own[above], np.arange(start, stop), last[above])
        length[start:stop] = length[above] + own[above]
    return last, length


def _after_empty(values: NDArray[np.int64]) -> Ints:
    return np.concatenate([[-1], values]).astype(np.int32)
