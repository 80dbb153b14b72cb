"""Enumeration: the best joint pure plan of a side, by trying all plans of all agents but one.

The remaining agent, the one with the most plans, best-responds by backward induction, to many combinations
of the others' plans at once. Only reduced plans are tried: plans that differ where they do not get are one.
"""

from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmin.agents import Agents
from maxmin.sequences import Sequences
from maxmin.verify.recursion import backward_induction, best_plan

_CHUNK = 1 << 20
"""How many numbers are held at a time."""


def enumerate_plans(side: Agents, gains: NDArray[Any], *, most: int) -> tuple[Any, NDArray[np.int16]] | None:
    """Return the value and the plan of the best joint pure plan, or None if that is too much work.

    Parameters
    ----------
    side
        The agents.
    gains : (n_ends,) float64 or object
        What the side gets at each combination of sequences; exact where the numbers are.
    most
        How many numbers may be looked at.
    """
    counts = [_count_plans(agent) for agent in side.each]
    n_plans = [int(count[0]) for count in counts]
    last = int(np.argmax([float(number) for number in n_plans]))
    tried = [number for number in range(len(counts)) if number != last]
    n_combinations = prod(n_plans[number] for number in tried)
    width = len(side.ends) + side.each[last].n_sequences
    if n_combinations * width > most:
        return None
    best, best_combination, best_worth = None, 0, gains
    for start in range(0, n_combinations, max(1, _CHUNK // width)):
        combinations = np.arange(start, min(start + max(1, _CHUNK // width), n_combinations))
        played = _play(side, counts, tried, combinations)
        worth = backward_induction(
            side.each[last], _gains_of(side, last, np.where(played, gains[:, None], 0))
        )
        top = int(np.argmax(worth[0]))
        if best is None or worth[0, top] > best:
            best, best_combination, best_worth = worth[0, top], start + top, worth[:, top]
    plans = {last: best_plan(side.each[last], best_worth)}
    for number, index in _indices(n_plans, tried, np.array([best_combination])):
        decided = _decode(side.each[number], counts[number], index)[:, 0]
        plans[number] = best_plan(side.each[number], decided)
    return best, side.join(plans[number] for number in range(len(counts)))


def _play(
    side: Agents, counts: list[NDArray[Any]], tried: list[int], combinations: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Say which ends the plans of each combination play towards: (n_ends, n) bool."""
    n_plans = [int(count[0]) for count in counts]
    played = np.ones((len(side.ends), len(combinations)), dtype=bool)
    for number, index in _indices(n_plans, tried, combinations):
        played &= _decode(side.each[number], counts[number], index)[side.ends[:, number]]
    return played


def _indices(
    n_plans: list[int], tried: list[int], combinations: NDArray[np.int64]
) -> list[tuple[int, NDArray[np.int64]]]:
    """Split the number of a combination into the numbers of the agents' plans."""
    indices = []
    for number in tried:
        combinations, index = np.divmod(combinations, n_plans[number])
        indices.append((number, index))
    return indices


def _gains_of(side: Agents, agent: int, gains: NDArray[Any]) -> NDArray[Any]:
    """Sum (n_ends, n) gains over the ends of each of an agent's sequences: (n_sequences, n)."""
    order = np.argsort(side.ends[:, agent], kind="stable")
    reached, start = np.unique(side.ends[order, agent], return_index=True)
    total = np.zeros((side.each[agent].n_sequences, gains.shape[1]), dtype=gains.dtype)
    total[reached] = np.add.reduceat(gains[order], start, axis=0)
    return total


def _count_plans(agent: Sequences) -> NDArray[Any]:
    """Count the reduced plans that start after each sequence: (n_sequences,) object, whole numbers."""
    count = np.ones(agent.n_sequences, dtype=object)
    for start, stop in reversed(list(zip(agent.levels[1:-1], agent.levels[2:], strict=True))):
        first = np.flatnonzero(agent.action[start:stop] == 0)
        choices = np.add.reduceat(count[start:stop], first)
        np.multiply.at(count, agent.parent[start + first], choices)
    return count


def _decode(agent: Sequences, count: NDArray[Any], index: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return the sequences that the plans of these numbers play: (n_sequences, n) bool.

    A plan's number is read digit by digit: one digit for each decision after a sequence, whose value is a
    number among the plans that go on after the first action, after the second, and so on.
    """
    played = np.zeros((agent.n_sequences, len(index)), dtype=bool)
    rest = np.zeros((agent.n_sequences, len(index)), dtype=np.int64)
    played[0], rest[0] = True, index
    for first, stop in zip(agent.first.tolist(), agent.stop.tolist(), strict=True):
        above = agent.parent[first]
        sizes = count[first:stop].astype(np.int64)
        rest[above], digit = np.divmod(rest[above], sizes.sum())
        for sequence, size in zip(range(first, stop), sizes.tolist(), strict=True):
            played[sequence] = played[above] & (digit >= 0) & (digit < size)
            rest[sequence] = np.where(played[sequence], digit, 0)
            digit = digit - size
    return played
