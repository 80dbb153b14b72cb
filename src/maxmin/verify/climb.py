"""A joint pure plan that no agent can better alone, found from a given start."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from maxmin.agents import Agents
from maxmin.tree import Floats
from maxmin.verify.recursion import backward_induction, best_plan, sequences_played

_MOST_ROUNDS = 100


def climb(side: Agents, gains: Floats, start: Iterable[Floats]) -> NDArray[np.int16]:
    """Let each agent in turn best-respond to the others until nobody gains; return the joint plan.

    Parameters
    ----------
    side
        The agents.
    gains : (n_ends,) float64
        What the side gets at each combination of sequences.
    start : one (n_sequences,) float64 per agent
        How often the agents play each sequence at first; need not be pure.
    """
    weights = [np.asarray(weight, dtype=np.float64) for weight in start]
    plans = [np.zeros(0, dtype=np.int16)] * len(weights)
    value = -np.inf
    for _ in range(_MOST_ROUNDS):
        before = value
        for number, agent in enumerate(side.each):
            others = gains.copy()
            for other, weight in enumerate(weights):
                if other != number:
                    others *= weight[side.ends[:, other]]
            own = np.bincount(side.ends[:, number], others, minlength=agent.n_sequences)
            worth = backward_induction(agent, own)
            plans[number] = best_plan(agent, worth)
            weights[number] = sequences_played(agent, plans[number]).astype(np.float64)
            value = worth[0]
        if value <= before:
            break
    return side.join(plans)
