"""The posterior: how likely each cell is covered, given what has been seen.

Where all configurations can be listed, the posterior is exact: the weight of those that agree with what was seen
and cover the cell, over the weight of all that agree. Where there are too many, it is found from the placements of
the pieces (``cpp/include/maxmin/fleet_posterior.hpp``), exactly if that is little work, else from samples.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from maxmin import _core
from maxmin.battleship.board import Board, Bools, Configurations
from maxmin.battleship.state import State, as_cell, check_states
from maxmin.errors import GameError, SizeError
from maxmin.limits import check_whole

WORK = 1e9
"""Comparisons of placements that an exact count may take, about a second; beyond, samples are drawn."""

SAMPLES = 2**15
"""Samples that are drawn where counting would be too much work."""


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
        Whether all configurations were counted (in floating point).
    count : float
        How many ways to lay the patterns agree with the state, twins exchanged counted once; if not exact, an
        estimate.
    """

    state: State
    probability: NDArray[np.float64]
    standard_error: NDArray[np.float64]
    exact: bool
    count: float

    def best(self) -> int:
        """Return the cell not yet shot at that is likeliest, the first of several.

        Raises
        ------
        GameError
            If all cells have been shot at.
        """
        unknown = np.array(self.state.unknown, dtype=np.int64)
        if not len(unknown):
            raise GameError("all cells have been shot at")
        return int(unknown[self.probability[unknown].argmax()])


class Tracker:
    """The posterior during one game: each shot filters the configurations that are left.

    Parameters
    ----------
    state
        Where the game begins.
    work, samples, seed
        For boards with too many configurations to list: see `posterior`.

    Raises
    ------
    GameError
        If no configuration agrees with the state; the message names cells that contradict each other. Or if a
        number is out of its range.
    """

    def __init__(self, state: State, *, work: float = WORK, samples: int = SAMPLES, seed: int = 0) -> None:
        if isinstance(work, bool) or not isinstance(work, int | float | np.number) or not work >= 0:
            raise GameError(f"work must be a number from 0 up, not {work!r}")
        check_whole("samples", samples, least=32)
        check_whole("the seed", seed, least=0)
        self.state = state
        self._effort = (work, samples, seed)
        self._left = state.board.listed
        if self._left is not None:
            hits, misses = (state.board.pack(cells[None])[0] for cells in state.arrays())
            masks = self._left.masks
            self._keep(((masks & hits) == hits).all(axis=1) & ((masks & misses) == 0).all(axis=1))
        elif not possible(state):
            raise GameError(contradiction(state))

    def shoot(self, cell: int | str, *, hit: bool) -> None:
        """Take the outcome of a shot into account.

        Raises
        ------
        GameError
            If the cell is not on the board or has been shot at, or no configuration agrees with this outcome. Then
            nothing changes.
        """
        cell = as_cell(self.state.board, cell)
        after = self.state.after(cell, hit=hit)
        if self._left is not None:
            word, bit = divmod(cell, 64)
            covered = (self._left.masks[:, word] >> np.uint64(bit)) & np.uint64(1)
            self._keep(covered == hit, after)
        elif not possible(after):
            raise GameError(contradiction(after))
        self.state = after

    def posterior(self) -> Posterior:
        """Return how likely each cell is covered now."""
        if self._left is None:
            return _by_placements(self.state, *self._effort)
        weights, board = self._left.weights, self.state.board
        probability = weights @ board.unpack(self._left.masks) / weights.sum()
        probability[list(self.state.hits)] = 1
        return Posterior(self.state, probability, np.zeros(board.n_cells), True, float(self._left.ways.sum()))

    def _keep(self, agree: Bools, after: State | None = None) -> None:
        assert self._left is not None
        if not agree.any():
            raise GameError(contradiction(after or self.state))
        left = self._left
        self._left = Configurations(left.masks[agree], left.weights[agree], left.ways[agree])


def posterior(state: State, *, work: float = WORK, samples: int = SAMPLES, seed: int = 0) -> Posterior:
    """Find how likely each cell is covered.

    Parameters
    ----------
    state
        What has been seen.
    work, samples, seed
        For boards with too many configurations to list: count exactly if that takes no more comparisons of
        placements than `work`, else draw so many `samples`, at least 32, with this seed.

    Raises
    ------
    GameError
        If no configuration agrees with the state; the message names cells that contradict each other. Or if the
        pieces are laid one after another, and the configurations are too many to list.
    SizeError
        If no sample agrees with the state, though some configuration may.
    """
    return Tracker(state, work=work, samples=samples, seed=seed).posterior()


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
    GameError, SizeError
        See `posterior`; also if the arrays are no batch of states of this board.
    """
    check_states(board, hits, misses)
    if board.listed is None:
        states = map(State.from_arrays, repeat(board), hits, misses)
        found = [_by_placements(state, WORK, SAMPLES, 0).probability for state in states]
        return np.array(found).reshape(hits.shape)
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
    _listed(board).posteriors(
        board.pack(hits).ravel(), board.pack(misses).ravel(), probability.reshape(-1), weight
    )
    return probability, weight


def possible(state: State) -> bool:
    """Say whether any configuration agrees with a state.

    Raises
    ------
    SizeError
        If the patterns are so crowded that this takes too long to see.
    """
    hits, misses = (state.board.pack(cells[None]).ravel() for cells in state.arrays())
    return bool(state.board.placed.possible(hits, misses))


def contradiction(state: State) -> str:
    """Say which cells of an impossible state contradict each other: without any one of them it were possible."""
    board = state.board
    hits, misses = set(state.hits), set(state.misses)
    for cell in sorted(hits | misses):
        if not possible(State(board, hits - {cell}, misses - {cell})):
            hits.discard(cell)
            misses.discard(cell)
    seen = [
        f"{board.cell_name(cell)} {'hit' if cell in hits else 'missed'}" for cell in sorted(hits | misses)
    ]
    if not seen:
        return f"the patterns of {board} do not fit onto the board together"
    return f"these contradict each other: {', '.join(seen)}; no way to lay the patterns of {board} agrees with them"


@lru_cache(maxsize=4096)  # the first states of a game come again and again, and take longest
def _by_placements(state: State, work: float, samples: int, seed: int) -> Posterior:
    board = state.board
    if board.placement == "sequential":
        raise GameError(
            f"{board} has too many configurations to list, and only then is the posterior of pieces laid one after "
            "another known here; take uniform placement"
        )
    hits, misses = (board.pack(cells[None]).ravel() for cells in state.arrays())
    probability, error, count, exact = board.placed.posterior(hits, misses, work, samples, seed)
    if count <= 0:
        if possible(state):
            raise SizeError(f"none of {samples} samples agrees with what was seen; draw more samples")
        raise GameError(contradiction(state))
    probability.setflags(write=False)
    error.setflags(write=False)
    return Posterior(state, probability, error, exact, count)


@lru_cache(maxsize=8)
def _listed(board: Board) -> _core.ConfigurationIndex:
    found = board.configurations()
    return _core.ConfigurationIndex(found.masks.ravel(), found.weights, board.n_cells, board.words)
