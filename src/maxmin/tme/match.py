"""`IndependentMatch`: a team whose members each randomize on their own, against everybody else.

A *point* is what the members do: for each agent, one after another, how often it plays each of its sequences (a
realization plan). The team plays towards a leaf class with the product of its agents' numbers, so its payoff is
linear in each agent's plan, but not in all of them. Agents are those of `maxmin.agents`: a member of perfect recall
is one; a member who forgets is one per infoset, as behavior strategies randomize at each infoset on their own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from maxmin import _core
from maxmin.decision import DecisionProblem, Payoffs, Progress, build_problem, payoff_matrix
from maxmin.match import Scale, scaled_payoffs, sides_of
from maxmin.members import Members, members_of
from maxmin.plans import Behavior
from maxmin.sequences import Sequences
from maxmin.tree import Floats, GameTree


@dataclass(frozen=True, eq=False)
class IndependentMatch:
    """A team as its members, everybody else's decision problem, and the payoffs between them.

    Attributes
    ----------
    tree : GameTree
    members : Members
    others : DecisionProblem
        Several opponents may draw together: that is the worst for the team.
    scale : Scale
    payoffs, transposed : sparse matrices
        What the team gets, scaled and weighted by chance: (team's leaf classes, others' leaf classes).
    """

    tree: GameTree
    members: Members
    others: DecisionProblem
    scale: Scale
    payoffs: Payoffs
    transposed: Payoffs

    @property
    def agents(self) -> tuple[Sequences, ...]:
        """The agents that randomize on their own."""
        return self.members.agents.each

    @cached_property
    def offsets(self) -> NDArray[np.int64]:
        """Where each agent's sequences begin in a point: (n_agents + 1,)."""
        return np.cumsum([0, *(agent.n_sequences for agent in self.agents)])

    @cached_property
    def ends(self) -> NDArray[np.int64]:
        """Where in a point the sequences stand that lead to each leaf class: (n_agents, n_leaf_classes)."""
        return self.members.agents.ends.T + self.offsets[:-1, None]

    @cached_property
    def uniform(self) -> Floats:
        """What each agent does at each of its infosets by itself, evenly: odds, as `realize` takes them."""
        return np.concatenate(
            [np.zeros(0)]
            + [np.concatenate([[1.0], np.repeat(1 / size, size)]) for size in map(_n_actions, self.agents)]
        )

    @cached_property
    def splits(self) -> NDArray[np.bool_]:
        """Whether the odds of a sequence say more than those of its siblings: (n_sequences of all agents,).

        Of a choice between two actions, only the first one's do.
        """
        splits = [np.zeros(0, dtype=bool)]
        for agent in self.agents:
            size = np.repeat(_n_actions(agent), _n_actions(agent))
            splits.append(np.append(False, (size > 2) | ((size == 2) & (agent.action[1:] == 0))))
        return np.concatenate(splits)

    def siblings(self, sequence: int) -> range:
        """Return the sequences, as numbered in a point, that end with an action at the same infoset."""
        number = int(np.searchsorted(self.offsets, sequence, side="right")) - 1
        agent, offset = self.agents[number], int(self.offsets[number])
        decision = int(np.searchsorted(agent.first, sequence - offset, side="right")) - 1
        return range(offset + int(agent.first[decision]), offset + int(agent.stop[decision]))

    def realize(self, odds: Floats) -> Floats:
        """Return the point at which each sequence follows the one before it with the given odds."""
        point = odds.copy()
        for agent, first in zip(self.agents, self.offsets.tolist(), strict=False):
            own = point[first:]
            own[0] = 1.0
            for start, stop in zip(agent.levels[1:-1], agent.levels[2:], strict=True):
                own[start:stop] *= own[agent.parent[start:stop]]
        return point

    def odds(self, point: Floats) -> Floats:
        """Return what each agent does at each of its infosets: a distribution, even where it never comes."""
        odds = self.uniform.copy()
        for agent, offset in zip(self.agents, self.offsets.tolist(), strict=False):
            if len(agent.first):
                own = np.maximum(point[offset + 1 : offset + agent.n_sequences], 0.0)
                total = np.repeat(np.add.reduceat(own, agent.first - 1), _n_actions(agent))
                came = total > 0
                odds[offset + 1 : offset + agent.n_sequences][came] = own[came] / total[came]
        return odds

    def reach(self, point: Floats) -> Floats:
        """Return how often the team plays towards each of its leaf classes: (n_leaf_classes,)."""
        product: Floats = np.prod(point[self.ends], axis=0)
        return product

    def slopes(self, point: Floats) -> Floats:
        """Return how often all agents but one play towards each leaf class: (n_agents, n_leaf_classes)."""
        factors = point[self.ends]
        ones = np.ones((1, factors.shape[1]))
        before = np.cumprod(np.vstack([ones, factors[:-1]]), axis=0)
        behind = np.cumprod(np.vstack([ones, factors[:0:-1]]), axis=0)[::-1]
        return np.asarray(before * behind, dtype=np.float64)

    def worth(self, reach: Floats) -> Floats:
        """Return what the team gets, scaled, at each leaf class of the others: (others' n_leaf_classes,)."""
        worth = np.empty(self.others.n_leaf_classes)
        _core.multiply(self.transposed.core, reach, 1.0, worth)
        return worth

    def guarantee(self, point: Floats) -> float:
        """Return what the team gets against the others' best response, scaled."""
        return -self.others.best_response(-self.worth(self.reach(point)))[0]

    def behavior(self, point: Floats) -> Behavior:
        """Write a point on the tree."""
        infosets = self.members.agents.infosets
        table = np.zeros((len(infosets), int(self.tree.infoset_n_actions.max(initial=1))))
        odds = self.odds(point)
        for agent, offset in zip(self.agents, self.offsets.tolist(), strict=False):
            rows = np.searchsorted(infosets, agent.infoset[1:])
            table[rows, agent.action[1:]] = odds[offset + 1 : offset + agent.n_sequences]
        return Behavior(infosets, table)

    def point(self, behavior: Behavior) -> Floats:
        """Return the point of a behavior strategy; where it says nothing, agents choose evenly."""
        odds = self.uniform.copy()
        if len(behavior.infosets):
            for agent, offset in zip(self.agents, self.offsets.tolist(), strict=False):
                row = np.searchsorted(behavior.infosets, agent.infoset[1:])
                row = np.minimum(row, len(behavior.infosets) - 1)
                told = behavior.infosets[row] == agent.infoset[1:]
                own = odds[offset + 1 : offset + agent.n_sequences]
                own[told] = behavior.probabilities[row, agent.action[1:]][told]
        return self.realize(odds)


def make_independent_match(
    tree: GameTree,
    team: Sequence[int],
    *,
    memory: int | None = None,
    progress: Progress | None = None,
) -> IndependentMatch:
    """Take a team apart into its members, and build everybody else's decision problem.

    Raises
    ------
    UnknownNameError
        If the team is not some, but not all, of the players.
    GameError
        If somebody is absent-minded; the message names the infoset.
    NotTimeableError, SizeError, Cancelled
        As `maxmin.decision.build_problem` does, for the others.
    """
    ours, theirs = sides_of(tree, team)
    members = members_of(tree, ours, memory=memory)
    scale, weight = scaled_payoffs(tree, ours)
    others = build_problem(tree, theirs, memory=memory, progress=progress)
    return IndependentMatch(tree, members, others, scale, *payoff_matrix(members, others, weight))


def _n_actions(agent: Sequences) -> NDArray[np.int64]:
    return agent.stop - agent.first
