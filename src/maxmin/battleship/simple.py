"""Simple strategies: shoot at random, hunt and target, hunt on a checkerboard."""

import numpy as np
from numpy.typing import NDArray

from maxmin.battleship.board import Board, Bools
from maxmin.battleship.state import check_states


class Random:
    """Shoot at a cell not yet shot at, all alike."""

    name = "random"
    deterministic = False

    def __init__(self, board: Board, *, seed: int = 0) -> None:
        self._board = board
        self._rng = np.random.default_rng(seed)

    def seeded(self, seed: int) -> "Random":
        """Return a copy whose random choices begin with this seed."""
        return Random(self._board, seed=seed)

    def choose(self, hits: Bools, misses: Bools) -> NDArray[np.int64]:
        """Choose a cell for each state; see `maxmin.battleship.strategies.Strategy`."""
        check_states(self._board, hits, misses)
        return pick(self._rng, ~(hits | misses))


class HuntTarget:
    """Hunt at random; after a hit, target: shoot beside (along an edge of) any hit, while there is such a cell."""

    name = "hunt-target"
    deterministic = False

    def __init__(self, board: Board, *, seed: int = 0) -> None:
        self._board = board
        self._rng = np.random.default_rng(seed)
        self._beside = _beside(board)
        self._hunted = np.ones(board.n_cells, dtype=np.bool_)

    def seeded(self, seed: int) -> "HuntTarget":
        """Return a copy whose random choices begin with this seed."""
        return type(self)(self._board, seed=seed)

    def choose(self, hits: Bools, misses: Bools) -> NDArray[np.int64]:
        """Choose a cell for each state; see `maxmin.battleship.strategies.Strategy`."""
        check_states(self._board, hits, misses)
        unknown = ~(hits | misses)
        targets = unknown & (hits @ self._beside)
        hunted = unknown & self._hunted
        allowed = np.where(hunted.any(axis=1, keepdims=True), hunted, unknown)
        return pick(self._rng, np.where(targets.any(axis=1, keepdims=True), targets, allowed))


class Checkerboard(HuntTarget):
    """Hunt and target, hunting only on every k-th diagonal while there is such a cell.

    k is the longest straight row of cells that every pattern has: none escapes the diagonals. For L it is 3; ships
    of lengths down to 2 make it 2, a checkerboard.
    """

    name = "checkerboard"

    def __init__(self, board: Board, *, seed: int = 0) -> None:
        super().__init__(board, seed=seed)
        step = min(_longest_row(pattern.cells) for pattern in board.kinds)
        rows, columns = np.divmod(np.arange(board.n_cells), board.columns)
        self._hunted = (rows + columns) % step == 0


def pick(rng: np.random.Generator, allowed: Bools) -> NDArray[np.int64]:
    """Pick one of the allowed cells of each row, all alike."""
    cells: NDArray[np.int64] = np.argmax(np.where(allowed, rng.random(allowed.shape), -1.0), axis=1)
    return cells


def _beside(board: Board) -> Bools:
    """Return which cells share an edge, (n_cells, n_cells)."""
    rows, columns = np.divmod(np.arange(board.n_cells), board.columns)
    beside: Bools = abs(rows[:, None] - rows) + abs(columns[:, None] - columns) == 1
    return beside


def _longest_row(cells: tuple[tuple[int, int], ...]) -> int:
    """Return how many cells of a pattern lie in a straight line without a gap, at most."""

    def run(row: int, column: int, down: int, right: int) -> int:
        length = 0
        while (row + down * length, column + right * length) in cells:
            length += 1
        return length

    return max(run(row, column, down, 1 - down) for row, column in cells for down in (0, 1))
