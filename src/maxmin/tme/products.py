"""The products of members' sequences that matter: one sequence of each agent, with no two that cannot both matter.

Two members' infosets matter together if some leaf lies below both. A product is a combination of sequences, empty
or not, whose last infosets matter together (for two players the relevant pairs of von Stengel and Forges,
Mathematics of Operations Research 2008). How often the team plays towards a leaf class is such a product; so is
each agent's plan, with the empty sequences of all others.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from maxmin.decision import take_rows
from maxmin.sequences import Sequences
from maxmin.tme.match import IndependentMatch
from maxmin.tree import Ints

_MOST_LISTED = 5_000_000
"""Products are listed leaf class by leaf class, with repetitions; so many take a second."""


@dataclass(frozen=True, eq=False)
class Products:
    """Combinations of the agents' sequences, ascending; number 0 is all empty.

    Attributes
    ----------
    sequence : (n_agents, n_products) int64
        Of each agent, as numbered in a point; see `IndependentMatch.offsets`.
    above : (n_agents, n_products) int64
        The product in which an agent's last action is undone; -1 where its sequence is empty.
    leaf : (n_leaf_classes,) int64
        The product of each leaf class.
    alone : (n_sequences of all agents,) int64
        The product of each sequence with the others' empty ones.
    """

    sequence: NDArray[np.int64]
    above: NDArray[np.int64]
    leaf: NDArray[np.int64]
    alone: NDArray[np.int64]

    @property
    def n_products(self) -> int:
        """How many there are."""
        return len(self.sequence[0])

    @cached_property
    def by_sequence(self) -> list[NDArray[np.int64]]:
        """For each sequence in a point, the products that it is part of, ascending."""
        groups = []
        for sequence in self.sequence:
            order = np.argsort(sequence, kind="stable")
            groups += np.split(order, np.flatnonzero(np.diff(sequence[order])) + 1)
        return groups


def products_of(match: IndependentMatch, *, most: int) -> Products | None:
    """List the products of a team; None if nobody acts, or there are more than `most` or too many to list."""
    sizes = [agent.n_sequences for agent in match.agents]
    if not sizes or math.prod(sizes) >= 2**62:
        return None
    strides = np.array([math.prod(sizes[number + 1 :]) for number in range(len(sizes))], dtype=np.int64)
    keys = _keys(match, strides)
    if keys is None or len(keys) > most:
        return None
    own = keys // strides[:, None] % np.array(sizes)[:, None]
    above = np.full(own.shape, -1, dtype=np.int64)
    for number, agent in enumerate(match.agents):
        played = own[number] > 0
        undone = keys + (agent.parent[own[number]] - own[number]) * strides[number]
        above[number, played] = np.searchsorted(keys, undone[played])
    leaf = np.searchsorted(keys, match.members.agents.ends @ strides)
    alone = np.concatenate([np.arange(size) * stride for size, stride in zip(sizes, strides, strict=True)])
    return Products(own + match.offsets[:-1, None], above, leaf, np.searchsorted(keys, alone))


def _keys(match: IndependentMatch, strides: NDArray[np.int64]) -> NDArray[np.int64] | None:
    """Write each product as one number, ascending; None if listing them takes too long."""
    ends = match.members.agents.ends
    last = np.array(
        [
            np.searchsorted(agent.first, end, side="right")
            for agent, end in zip(match.agents, ends.T, strict=True)
        ]
    )
    last = np.unique(last, axis=1)
    keys, combination = np.zeros(last.shape[1], dtype=np.int64), np.arange(last.shape[1])
    for agent, decision, stride in zip(match.agents, last, strides.tolist(), strict=True):
        start, sequence = _on_the_way(agent)
        rows = decision[combination]
        counts = start[rows + 1] - start[rows]
        if counts.sum() > _MOST_LISTED:
            return None
        keys = np.repeat(keys, counts) + stride * sequence[take_rows(start, rows)[1]]
        combination = np.repeat(combination, counts)
    return np.unique(keys)


def _on_the_way(agent: Sequences) -> tuple[Ints, NDArray[np.int64]]:
    """For no decision and for each, list the sequences, empty one included, of all decisions on the way to it."""
    lists = [np.zeros(1, dtype=np.int64)]
    for start, stop in zip(agent.first.tolist(), agent.stop.tolist(), strict=True):
        before = np.searchsorted(agent.first, agent.parent[start], side="right")
        lists.append(np.concatenate([lists[before], np.arange(start, stop)]))
    return np.cumsum([0, *map(len, lists)]).astype(np.int32), np.concatenate(lists)
