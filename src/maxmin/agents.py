"""A side as agents of perfect recall who share a plan drawn before play.

A member of perfect recall is one agent. A member who forgets is split into one agent per infoset: a joint
pure plan is the same thing before and after, namely an action per infoset, so nothing is gained or lost.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmin.plans import UNREACHED
from maxmin.sequences import Sequences, infosets_of, pure_sequences, sequences
from maxmin.tree import Floats, GameTree, Ints


@dataclass(frozen=True, eq=False)
class Agents:
    """What a side can do, agent by agent.

    Attributes
    ----------
    infosets : (m,) int32
        Of the whole side, ascending.
    joint : Sequences
        Of the side as one, as if the members told each other everything.
    each : tuple of Sequences
        Of the agents.
    ends : (n_ends, n_agents) int32
        The different combinations of the agents' sequences at leaves that a joint pure plan can reach.
    end : (n_leaves,) int64
        The combination at each leaf; -1 where no pure plan gets.
    """

    infosets: Ints
    joint: Sequences
    each: tuple[Sequences, ...]
    ends: Ints
    end: NDArray[np.int64]

    def per_end(self, gains: NDArray[Any]) -> NDArray[Any]:
        """Sum gains at leaves over the leaves of each combination: (n_ends,)."""
        total = np.zeros(len(self.ends), dtype=gains.dtype)
        alive = self.end >= 0
        np.add.at(total, self.end[alive], gains[alive])
        return total

    def join(self, plans: Iterable[NDArray[np.int16]]) -> NDArray[np.int16]:
        """Put a pure plan of each agent together: (m,) int16, an action per infoset of the side."""
        joined = np.full(len(self.infosets), UNREACHED, dtype=np.int16)
        for agent, plan in zip(self.each, plans, strict=True):
            joined[np.searchsorted(self.infosets, agent.infosets)] = plan
        return joined


def agents_of(tree: GameTree, side: Iterable[int]) -> Agents:
    """Split a side into agents of perfect recall."""
    members = sorted(set(side))
    each = [agent for member in members for agent in _split(tree, infosets_of(tree, [member]))]
    leaves = np.array([agent.leaf for agent in each], dtype=np.int32).reshape(len(each), tree.n_leaves).T
    alive = (leaves >= 0).all(axis=1)
    end = np.full(tree.n_leaves, -1, dtype=np.int64)
    ends, end[alive] = np.unique(leaves[alive], axis=0, return_inverse=True)
    infosets = infosets_of(tree, members)
    return Agents(infosets=infosets, joint=sequences(tree, infosets), each=tuple(each), ends=ends, end=end)


def uniform(agent: Sequences) -> Floats:
    """Return how often each sequence is played by an agent who acts at random: (n_sequences,) float64."""
    played = np.ones(agent.n_sequences)
    sizes = agent.stop - agent.first
    odds = np.concatenate([[1.0], np.repeat(1.0 / sizes, sizes)])
    for start, stop in zip(agent.levels[1:-1], agent.levels[2:], strict=True):
        played[start:stop] = played[agent.parent[start:stop]] * odds[start:stop]
    return played


def _split(tree: GameTree, infosets: Ints) -> list[Sequences]:
    whole = sequences(tree, infosets)
    if whole.perfect_recall:
        return [whole] if len(infosets) else []
    return [pure_sequences(tree, infosets[number : number + 1]) for number in range(len(infosets))]
