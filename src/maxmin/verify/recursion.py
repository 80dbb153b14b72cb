"""Backward induction over sequences: the best pure plan of a side of perfect recall.

Works on floats and, in object arrays, on exact numbers, and on many gain vectors at once. Where a side
forgets (a team does, as its members cannot see each other's infosets) it lets the side choose anew after each
joint sequence, which is more than the side can do: the value is then only an upper bound.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmin.plans import UNREACHED
from maxmin.sequences import Sequences


def backward_induction(sequences: Sequences, gains: NDArray[Any]) -> NDArray[Any]:
    """Return what each sequence is worth if the best action follows at every decision.

    Parameters
    ----------
    sequences
        Of the side.
    gains : (n_sequences, ...) float64 or object
        What it gets at the leaves of each sequence, payoff units.

    Returns
    -------
    array like `gains`
        Entry 0, of the empty sequence, is the value.
    """
    worth = gains.copy()
    for start, stop in reversed(list(zip(sequences.levels[1:-1], sequences.levels[2:], strict=True))):
        first = np.flatnonzero(sequences.action[start:stop] == 0)
        best = np.maximum.reduceat(worth[start:stop], first, axis=0)
        parent = sequences.parent[start + first]
        group = np.flatnonzero(np.diff(parent, prepend=-1))
        worth[parent[group]] += np.add.reduceat(best, group, axis=0)
    return worth


def best_plan(sequences: Sequences, worth: NDArray[Any]) -> NDArray[np.int16]:
    """Return a pure plan that `backward_induction` found, for a side of perfect recall.

    Returns
    -------
    (m,) int16
        The action at each of ``sequences.infosets``; -1 where the plan does not get.
    """
    plan = np.full(len(sequences.infosets), UNREACHED, dtype=np.int16)
    played = np.zeros(sequences.n_sequences, dtype=bool)
    played[0] = True
    for first, stop in zip(sequences.first.tolist(), sequences.stop.tolist(), strict=True):
        if played[sequences.parent[first]]:
            action = int(np.argmax(worth[first:stop]))
            plan[sequences.column[first]] = action
            played[first + action] = True
    return plan


def sequences_played(sequences: Sequences, plan: NDArray[np.int16]) -> NDArray[np.bool_]:
    """Say which sequences a pure plan plays: (n_sequences,) bool."""
    played = np.ones(sequences.n_sequences, dtype=bool)
    for start, stop in zip(sequences.levels[1:-1], sequences.levels[2:], strict=True):
        chosen = plan[sequences.column[start:stop]] == sequences.action[start:stop]
        played[start:stop] = chosen & played[sequences.parent[start:stop]]
    return played
