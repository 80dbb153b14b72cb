"""The posterior: how likely each cell is covered, given what has been seen.

Where all configurations can be listed, the posterior is exact: the weight of those that agree with what was seen
and cover the cell, over the weight of all that agree.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from maxmin import _core
from maxmin.battleship.board import Board, Bools
from maxmin.battleship.state import State
from maxmin.errors import GameError


@dataclass(frozen=True)
class Posterior:
    """How likely each cell is covered.

    Attributes
    ----------
    state : State
        What has been seen.
    probability : (n_cells,) float64
        For each cell, the probability that it is covered; 1 where it was hit, 0 where it was missed.
    standard_error : (n_cells,) float64
        Of each probability; 0 where it is exact.
    exact : bool
        Whether all configurations were counted.
    weight : float
        The prior probability of what was seen; NaN if it is not known.
    """

    state: State
    probability: NDArray[np.float64]
    standard_error: NDArray[np.float64]
    exact: bool
    weight: float


def posterior(state: State) -> Posterior:
    """Find how likely each cell is covered.

    Raises
    ------
    GameError
        If no configuration agrees with the state; the message names cells that contradict each other.
    """
    board = state.board
    hits, misses = state.arrays()
    probability, weight = listed_posteriors(board, hits[None], misses[None])
    if weight[0] <= 0:
        raise GameError(contradiction(state))
    return Posterior(state, probability[0], np.zeros(board.n_cells), True, float(weight[0]))


def posteriors(board: Board, hits: Bools, misses: Bools) -> NDArray[np.float64]:
    """Find how likely each cell is covered, for a batch of states.

    Parameters
    ----------
    board
        The board.
    hits, misses : (batch, n_cells) booleans
        What has been seen in each state.

    Returns
    -------
    (batch, n_cells) float64

    Raises
    ------
    GameError
        If no configuration agrees with one of the states.
    """
    probability, weight = listed_posteriors(board, hits, misses)
    impossible = np.flatnonzero(weight <= 0)
    if len(impossible):
        raise GameError(contradiction(State.from_arrays(board, hits[impossible[0]], misses[impossible[0]])))
    return probability


def listed_posteriors(
    board: Board, hits: Bools, misses: Bools
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return exact probabilities (batch, n_cells), and the prior probability (batch,) of each state.

    Where the latter is 0 no configuration agrees with the state, and the former are 0.
    """
    probability = np.empty(hits.shape)
    weight = np.empty(len(hits))
    _index(board).posteriors(
        board.pack(hits).ravel(), board.pack(misses).ravel(), probability.ravel(), weight
    )
    return probability, weight


@lru_cache(maxsize=8)
def _index(board: Board) -> _core.ConfigurationIndex:
    found = board.configurations()
    return _core.ConfigurationIndex(found.masks.ravel(), found.weights, board.n_cells, board.words)


def contradiction(state: State) -> str:
    """Say which cells of an impossible state contradict each other: leaving any of them out makes it possible."""
    board = state.board
    hits, misses = set(state.hits), set(state.misses)
    for cell in sorted(hits | misses):
        left = State(board, hits - {cell}, misses - {cell})
        if not possible(left):
            hits.discard(cell)
            misses.discard(cell)
    seen = [
        f"{board.cell_name(cell)} {'hit' if cell in hits else 'missed'}" for cell in sorted(hits | misses)
    ]
    return f"no way to lay the patterns of {board} agrees with {', '.join(seen)}"


def possible(state: State) -> bool:
    """Say whether any configuration agrees with a state."""
    hits, misses = state.arrays()
    return bool(listed_posteriors(state.board, hits[None], misses[None])[1][0] > 0)
