"""Strategies that look one shot ahead, on the posterior: the likeliest cell, or the one that tells most."""

import numpy as np
from numpy.typing import NDArray

from maxmin.battleship.board import Board, Bools
from maxmin.battleship.posterior import posteriors
from maxmin.battleship.simple import pick
from maxmin.errors import GameError

_EQUAL = 1e-9
"""Probabilities that differ by less are ties: sums of weights in another order."""

TIES = ("first", "last", "centre", "random", "next")


class Greedy:
    """Shoot at the cell that is most likely covered.

    Parameters
    ----------
    board
        The board.
    tie
        Among equally likely cells take: the "first" or the "last" by number; the one nearest to the "centre"; a
        "random" one; or the one after which the "next" shot hits most likely.
    seed
        Of random ties.
    """

    def __init__(self, board: Board, *, tie: str = "first", seed: int = 0) -> None:
        if tie not in TIES:
            raise GameError(f"tie must be one of {', '.join(TIES)}, not {tie!r}")
        self.name = "greedy" if tie == "first" else f"greedy(tie={tie})"
        self.deterministic = tie != "random"
        self._board = board
        self._tie = tie
        self._rng = np.random.default_rng(seed)
        self._order = _order(board, tie)

    def seeded(self, seed: int) -> "Greedy":
        """Return a copy whose random ties begin with this seed."""
        return Greedy(self._board, tie=self._tie, seed=seed)

    def choose(self, hits: Bools, misses: Bools) -> NDArray[np.int64]:
        """Choose a cell for each state; see `maxmin.battleship.strategies.Strategy`."""
        found = posteriors(self._board, hits, misses)
        probability = np.where(hits | misses, -1.0, found)
        best = probability >= probability.max(axis=1, keepdims=True) - _EQUAL
        if self._tie == "random":
            return pick(self._rng, best)
        if self._tie == "next":
            return self._by_next_shot(hits, misses, probability, best)
        cells: NDArray[np.int64] = self._order[np.argmax(best[:, self._order], axis=1)]
        return cells

    def _by_next_shot(
        self, hits: Bools, misses: Bools, probability: NDArray[np.float64], best: Bools
    ) -> NDArray[np.int64]:
        """Among the best cells take the one after which the likeliest cell is likeliest, on average."""
        state, cell = np.nonzero(best & (best.sum(axis=1, keepdims=True) > 1))
        worth = np.where(best, 0.0, -1.0)
        for hit in (True, False):
            chance = probability[state, cell] if hit else 1 - probability[state, cell]
            possible = np.flatnonzero(chance > _EQUAL)
            rows = state[possible]
            seen = [hits[rows], misses[rows]]
            seen[0 if hit else 1][np.arange(len(rows)), cell[possible]] = True
            after = np.where(seen[0] | seen[1], 0.0, posteriors(self._board, *seen))
            worth[rows, cell[possible]] += chance[possible] * after.max(axis=1)
        cells: NDArray[np.int64] = np.argmax(worth >= worth.max(axis=1, keepdims=True) - _EQUAL, axis=1)
        return cells


class Information:
    """Shoot at the cell whose outcome tells most: whose probability is nearest to 1/2, the likelier of two.

    This identifies the board quickly; how soon the patterns are uncovered is another matter.
    """

    name = "information"
    deterministic = True

    def __init__(self, board: Board) -> None:
        self._board = board

    def choose(self, hits: Bools, misses: Bools) -> NDArray[np.int64]:
        """Choose a cell for each state; see `maxmin.battleship.strategies.Strategy`."""
        probability = posteriors(self._board, hits, misses)
        doubt = np.minimum(probability, 1 - probability).round(9)  # grows with the entropy of the outcome
        cells: NDArray[np.int64] = np.argmax(
            np.where(hits | misses, -1.0, doubt + 1e-10 * probability), axis=1
        )
        return cells


def _order(board: Board, tie: str) -> NDArray[np.int64]:
    cells = np.arange(board.n_cells, dtype=np.int64)
    if tie == "last":
        return cells[::-1]
    if tie == "centre":
        rows, columns = np.divmod(cells, board.columns)
        away = (2 * rows - board.rows + 1) ** 2 + (2 * columns - board.columns + 1) ** 2
        return np.argsort(away, kind="stable")
    return cells
