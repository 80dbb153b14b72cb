"""A side as its members, for teams whose belief DAG would be too large: it is never built.

What a joint pure plan does at a leaf depends only on the last sequence of each member there, so leaves with equal
sequences are one *leaf class*, as in a `DecisionProblem`. `best_replies` is the local search that column generation
asks first: from many starts at once, each member in turn answers the others best until nobody gains.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from maxmin.agents import Agents, agents_of, uniform
from maxmin.decision import check_side
from maxmin.errors import NotTimeableError, SizeError
from maxmin.limits import check_memory
from maxmin.plans import UNREACHED
from maxmin.properties import check_not_absent_minded, perfect_recall
from maxmin.sequences import Sequences, infosets_of
from maxmin.size_estimate import estimate
from maxmin.tree import Floats, GameTree, Ints

_BYTES_PER_LEAF, _BYTES_PER_AGENT = 300, 20
"""Measured on 3D4 and 3L153: 220 bytes a leaf at most while 32 plans are searched for; 16 for an agent."""

_MOST_ROUNDS = 100
"""Of local search; it ends after a handful, as no start's gain ever falls."""


_TREMBLE = 1e-3
"""How often members do anything at all, where a plan is completed for what it does not come to."""


@dataclass(frozen=True, eq=False, repr=False)
class Members:
    """What a team can do, member by member.

    Attributes
    ----------
    side : tuple of int
    agents : Agents
        The members; one who forgets is one agent per infoset.
    leaf_class : (n_leaves,) int32
        The class of each leaf: a combination of the agents' sequences.
    most_infosets : int
        The most infosets that one belief would meet (k in the paper); 0 if the side is not timeable.
    """

    side: tuple[int, ...]
    agents: Agents
    leaf_class: Ints
    most_infosets: int

    def __repr__(self) -> str:
        return f"Members(side={self.side}, sequences={self.agents.joint.n_sequences})"

    @property
    def n_leaf_classes(self) -> int:
        """How many leaf classes there are."""
        return len(self.agents.ends)

    @cached_property
    def joint_sequence(self) -> NDArray[np.int64]:
        """The joint sequence of each leaf class: (n_leaf_classes,)."""
        sequence = np.zeros(self.n_leaf_classes, dtype=np.int64)
        sequence[self.leaf_class] = self.agents.joint.leaf
        return sequence

    @cached_property
    def classes_by_sequence(self) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """For each agent, the leaf classes in the order of its sequences, and where each sequence's begin."""
        orders = [np.argsort(end, kind="stable") for end in self.agents.ends.T]
        return [
            (order, np.flatnonzero(np.diff(end[order], prepend=-1)))
            for order, end in zip(orders, self.agents.ends.T, strict=True)
        ]

    def sizes(self) -> dict[str, int | float]:
        """Return the sizes that people compare."""
        return {
            "joint_sequences": self.agents.joint.n_sequences,
            "leaf_classes": self.n_leaf_classes,
            "infosets": len(self.agents.infosets),
            "k": self.most_infosets,
        }

    def classes_of(self, plan: NDArray[np.int16]) -> Ints:
        """Return the leaf classes that a joint pure plan, an action per infoset, plays towards, ascending."""
        reached = np.ones(self.n_leaf_classes, dtype=bool)
        for number, agent in enumerate(self.agents.each):
            reached &= sequences_of(agent, self.agents.infosets, plan)[self.agents.ends[:, number]]
        return np.flatnonzero(reached).astype(np.int32)


def members_of(tree: GameTree, side: Sequence[int], *, memory: int | None = None) -> Members:
    """Take a side apart into its members.

    Parameters
    ----------
    tree, side
        The game, and some of its players.
    memory
        Most bytes that they, and a search among their plans, may take; default: half of the machine's.

    Raises
    ------
    UnknownNameError
        If the side is not some of the players.
    GameError
        If a player is absent-minded; the message names the infoset.
    SizeError
        If they would need more memory: a member who forgets is as many agents as there are infosets.
    """
    players = check_side(tree, side)
    check_not_absent_minded(tree)
    _check_memory(tree, players, check_memory(memory))
    agents = agents_of(tree, players)
    try:
        most_infosets = estimate(tree, players).most_infosets
    except NotTimeableError:
        most_infosets = 0
    return Members(players, agents, agents.end.astype(np.int32), most_infosets)


def _check_memory(tree: GameTree, side: tuple[int, ...], most_bytes: int) -> None:
    n_agents = sum(1 if perfect_recall(tree, player) else len(infosets_of(tree, [player])) for player in side)
    needed = tree.n_leaves * (_BYTES_PER_LEAF + n_agents * _BYTES_PER_AGENT)
    if needed > most_bytes:
        raise SizeError(
            f"the {n_agents:,} agents of {','.join(map(str, side))} in {tree.name} need about "
            f"{needed / 1e6:,.0f} MB (a player who forgets is one agent per infoset); the limit is "
            f"{most_bytes / 1e6:,.0f} MB. Raise the memory limit, or solve a smaller team or game"
        )


def random_starts(members: Members, n_starts: int, rng: np.random.Generator) -> list[Floats]:
    """Return what the agents play at first: uniform, and random points around it; (n_sequences, n_starts) each."""
    starts = []
    for agent in members.agents.each:
        noise = rng.random((agent.n_sequences, n_starts))
        noise[:, 0] = 1.0
        starts.append(uniform(agent)[:, None] * noise)
    return starts


def best_replies(members: Members, worth: Floats, starts: list[Floats]) -> tuple[Floats, NDArray[np.int16]]:
    """Let the agents answer each other best, from many starts at once, until nobody gains.

    Parameters
    ----------
    members
        The side.
    worth : (n_leaf_classes,) float64
        What the side gets at each leaf class.
    starts : one (n_sequences, n_starts) float64 per agent
        How often the agents play each sequence at first; need not be pure.

    Returns
    -------
    tuple
        What each plan gets, (n_starts,), and the plans: (n_starts, n_infosets) int16, an action per infoset; -1
        where its member never comes.
    """
    if not starts:  # nobody of the side ever moves
        return np.array([worth.sum()]), np.zeros((1, 0), dtype=np.int16)
    weights = [start.copy() for start in starts]
    choices = [np.zeros(0, dtype=np.int16)] * len(weights)
    gains = np.full(starts[0].shape[1], -np.inf)
    for _ in range(_MOST_ROUNDS):
        before = gains
        for number, agent in enumerate(members.agents.each):
            own = _sum_by_sequence(members, number, worth[:, None] * _others(members, number, weights))
            gains, choices[number], weights[number] = _answer(agent, own)
        if (gains <= before).all():
            break
    plans = np.full((len(gains), len(members.agents.infosets)), UNREACHED, dtype=np.int16)
    for agent, choice in zip(members.agents.each, choices, strict=True):
        plans[:, np.searchsorted(members.agents.infosets, agent.infosets)] = choice.T
    return gains, plans


def complete(members: Members, worth: Floats, plans: NDArray[np.int16]) -> NDArray[np.int16]:
    """Say a good action also at the infosets that plans do not come to: (n_plans, n_infosets) int16.

    There each member answers best to what the others play if they now and then do anything at all.
    """
    completed = plans.copy()
    weights = []
    for agent in members.agents.each:
        own = plans[:, np.searchsorted(members.agents.infosets, agent.infosets)].T
        played = _played(agent, own[agent.column] == agent.action[:, None])
        weights.append((1 - _TREMBLE) * played + _TREMBLE * uniform(agent)[:, None])
    for number, agent in enumerate(members.agents.each):
        sums = _sum_by_sequence(members, number, worth[:, None] * _others(members, number, weights))
        choice = _choose(agent, sums)[1].T
        where = np.searchsorted(members.agents.infosets, agent.infosets)
        completed[:, where] = np.where(plans[:, where] == UNREACHED, choice, plans[:, where])
    return completed


def relaxed_value(members: Members, worth: Floats) -> float:
    """Return what the side would get if its members saw all that any of them sees: no plan gets more."""
    joint = members.agents.joint
    own = np.bincount(members.joint_sequence, worth, minlength=joint.n_sequences)
    return float(_answer(joint, own.astype(np.float64)[:, None])[0][0])


def sequences_of(block: Sequences, infosets: Ints, plan: NDArray[np.int16]) -> NDArray[np.bool_]:
    """Say which sequences a plan, an action for each of some infosets, plays: (n_sequences,)."""
    own = plan[np.searchsorted(infosets, block.infosets)]
    return _played(block, own[block.column] == block.action)


def _others(members: Members, number: int, weights: list[Floats]) -> Floats:
    """Return how often all agents but one play towards each leaf class: (n_leaf_classes, n_starts)."""
    product = np.ones((members.n_leaf_classes, weights[0].shape[1]))
    for other, weight in enumerate(weights):
        if other != number:
            product *= weight[members.agents.ends[:, other]]
    return product


def _sum_by_sequence(members: Members, number: int, values: Floats) -> Floats:
    """Sum over the leaf classes of each sequence of an agent: (n_sequences, n_starts)."""
    order, first = members.classes_by_sequence[number]
    total = np.zeros((members.agents.each[number].n_sequences, values.shape[1]))
    total[members.agents.ends[order[first], number]] = np.add.reduceat(values[order], first, axis=0)
    return total


def _answer(agent: Sequences, own: Floats) -> tuple[Floats, NDArray[np.int16], Floats]:
    """Return the value of the best answer, its action at each infoset it comes to, and the sequences it plays."""
    worth, choice, chosen = _choose(agent, own)
    played = _played(agent, chosen)
    came = played[agent.parent[agent.first]]
    where = agent.column[agent.first]
    choice[where] = np.where(came, choice[where], UNREACHED)
    return worth, choice, played.astype(np.float64)


def _choose(agent: Sequences, own: Floats) -> tuple[Floats, NDArray[np.int16], NDArray[np.bool_]]:
    """Return the same, but the action at every infoset, and where the last action of a sequence is chosen."""
    worth = own.copy()
    chosen = np.ones(own.shape, dtype=bool)
    choice = np.zeros((len(agent.infosets), own.shape[1]), dtype=np.int16)
    for start, stop in reversed(list(zip(agent.levels[1:-1], agent.levels[2:], strict=True))):
        first = np.flatnonzero(agent.action[start:stop] == 0)
        size = np.diff(np.append(first, stop - start))
        best = np.maximum.reduceat(worth[start:stop], first, axis=0)
        action = agent.action[start:stop, None]
        winner = np.where(worth[start:stop] == np.repeat(best, size, axis=0), action, size.max())
        taken = np.minimum.reduceat(winner, first, axis=0)
        chosen[start:stop] = np.repeat(taken, size, axis=0) == action
        choice[agent.column[start + first]] = taken
        np.add.at(worth, agent.parent[start + first], best)
    return worth[0], choice, chosen


def _played(agent: Sequences, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Say which sequences are played, (n_sequences, ...), given where the last action is the chosen one."""
    played = chosen.copy()
    played[0] = True
    for start, stop in zip(agent.levels[1:-1], agent.levels[2:], strict=True):
        played[start:stop] &= played[agent.parent[start:stop]]
    return played
