"""The probability heuristic of L. Clementis, "Study of Game Strategy Emergence by Using Neural Networks".

With one hit open and one pattern considered, list the placements that cover the hit and no miss. The coverings of
a cell are the number of such placements that cover it; over the number of placements they are its probability of a
hit. Shoot where it is greatest.

How it goes on after several hits, before the first one, and once a pattern is complete, the paper does not say.
Each reading is an option of `PaperHeuristic`.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from maxmin.battleship.board import Board, Bools
from maxmin.battleship.simple import pick
from maxmin.battleship.state import check_states
from maxmin.errors import GameError

Floats32 = NDArray[np.float32]

READINGS = {
    "hits": ("all", "most", "any"),
    "finished": ("apart", "closed", "open"),
    "hunt": ("coverings", "random"),
    "tie": ("first", "random"),
}
"""The options of `PaperHeuristic` and the values that they take; the first is the default."""


@dataclass(frozen=True)
class Coverings:
    """What the heuristic counts.

    Attributes
    ----------
    coverings : (batch, n_cells) float32
        How many of the placements considered cover each cell.
    placements : (batch,) float32
        How many placements are considered.
    hunting : (batch,) booleans
        Whether no hit is open.
    """

    coverings: Floats32
    placements: Floats32
    hunting: Bools


class PaperHeuristic:
    """Shoot at the cell that most of the considered placements cover.

    Parameters
    ----------
    board
        The board.
    hits
        Which placements are considered if several hits are open: those that cover "all" of them (if there is none:
        any); those that cover the "most"; or "any" that cover one at least.
    finished
        What becomes of a pattern that is complete: its hits are no longer open and the others lie "apart" from it,
        as the rule about touching says; its hits are "closed", but the rule is not used; or its hits stay "open".
    hunt
        Where to shoot while no hit is open: by the "coverings" of all placements that cover no miss, or at
        "random".
    tie
        Among equal cells take the "first", or a "random" one.
    seed
        Of random choices.

    Raises
    ------
    GameError
        If an option has another value.
    """

    def __init__(
        self,
        board: Board,
        *,
        hits: str = "all",
        finished: str = "apart",
        hunt: str = "coverings",
        tie: str = "first",
        seed: int = 0,
    ) -> None:
        self._options = {"hits": hits, "finished": finished, "hunt": hunt, "tie": tie}
        for name, value in self._options.items():
            if value not in READINGS[name]:
                raise GameError(f"paper: {name} must be one of {', '.join(READINGS[name])}, not {value!r}")
        changed = [f"{name}={value}" for name, value in self._options.items() if value != READINGS[name][0]]
        self.name = f"paper({','.join(changed)})" if changed else "paper"
        self.deterministic = hunt != "random" and tie != "random"
        self._board = board
        self._rng = np.random.default_rng(seed)
        self._places = _Places(board)

    def seeded(self, seed: int) -> "PaperHeuristic":
        """Return a copy whose random choices begin with this seed."""
        return PaperHeuristic(self._board, **self._options, seed=seed)

    def choose(self, hits: Bools, misses: Bools) -> NDArray[np.int64]:
        """Choose a cell for each state; see `maxmin.battleship.strategies.Strategy`."""
        found = self.coverings(hits, misses)
        unknown = ~(hits | misses)
        worth = np.where(unknown, found.coverings, -1)
        if self._options["hunt"] == "random":
            worth = np.where(found.hunting[:, None] & unknown, 0, worth)
        best = worth == worth.max(axis=1, keepdims=True)
        if self._options["tie"] == "random":
            return pick(self._rng, best)
        cells: NDArray[np.int64] = np.argmax(best, axis=1)
        if self._options["hunt"] == "random":
            cells = np.where(found.hunting, pick(self._rng, best), cells)
        return cells

    def coverings(self, hits: Bools, misses: Bools) -> Coverings:
        """Count the placements considered, and those that cover each cell, for a batch of states."""
        check_states(self._board, hits, misses)
        places = self._places
        fits = ~places.meet(misses)
        unexplained = hits
        if self._options["finished"] != "open":
            finished = places.finished(hits, fits)
            closed = places.cells_of(finished)
            unexplained = hits & ~closed
            kept_free = places.blocked_by(finished) if self._options["finished"] == "apart" else closed
            fits &= places.of_kinds_left(finished) & ~places.meet(kept_free)
        hunting: Bools = np.logical_not(unexplained.any(axis=1))
        considered = self._considered(places.count(unexplained), unexplained.sum(axis=1, keepdims=True), fits)
        considered = np.where(considered.any(axis=1, keepdims=True), considered, fits)
        return Coverings(
            considered.astype(np.float32) @ places.cells,
            considered.sum(axis=1, dtype=np.float32),
            hunting,
        )

    def _considered(self, n_covered: Floats32, n_open: NDArray[np.int64], fits: Bools) -> Bools:
        """Return which placements are considered: by how many of the open hits each covers."""
        considered: Bools = fits & ((n_covered > 0) | (n_open == 0))
        if self._options["hits"] == "most":
            most = np.where(fits, n_covered, -1).max(axis=1, keepdims=True)
            considered &= n_covered == most
        elif self._options["hits"] == "all":
            every = fits & (n_covered == n_open)
            considered &= every | ~every.any(axis=1, keepdims=True)
        return considered


class _Places:
    """The placements of all kinds as matrices, so that a batch of states is a matrix product."""

    def __init__(self, board: Board) -> None:
        everything = [cells for places in board.placements for cells in places]
        self.cells = _matrix(board, everything)
        self._blocked = _matrix(board, [board.around(cells) for cells in everything])
        self._size = self.cells.sum(axis=1)
        self._kind = np.repeat(np.arange(len(board.kinds)), list(map(len, board.placements)))
        self._copies = np.bincount(board.order, minlength=len(board.kinds))
        inside = self.cells @ self.cells.T == self._size[:, None]
        self._larger = (inside & (self._size[:, None] < self._size)).T.astype(np.float32)

    def count(self, cells: Bools) -> Floats32:
        """Return how many of the cells each placement covers, (batch, n_placements)."""
        return cells.astype(np.float32) @ self.cells.T

    def meet(self, cells: Bools) -> Bools:
        """Return which placements cover one of the cells."""
        met: Bools = self.count(cells) > 0
        return met

    def cells_of(self, chosen: Bools) -> Bools:
        """Return the cells of the placements."""
        cells: Bools = chosen.astype(np.float32) @ self.cells > 0
        return cells

    def blocked_by(self, chosen: Bools) -> Bools:
        """Return the cells of the placements and those beside them that must stay free."""
        cells: Bools = chosen.astype(np.float32) @ self._blocked > 0
        return cells

    def finished(self, hits: Bools, fits: Bools) -> Bools:
        """Return which placements are complete patterns: all hit, no hit beside, and no part of a larger one."""
        beside: Bools = hits.astype(np.float32) @ (self._blocked - self.cells).T > 0
        complete: Bools = (self.count(hits) == self._size) & ~beside
        if self._larger.any():
            complete &= fits.astype(np.float32) @ self._larger == 0
        return complete

    def of_kinds_left(self, finished: Bools) -> Bools:
        """Return which placements are of a kind that is not yet complete as often as it is hidden."""
        complete = np.stack(
            [finished[:, self._kind == kind].sum(axis=1) for kind in range(len(self._copies))], 1
        )
        left = complete < self._copies
        left |= ~left.any(axis=1, keepdims=True)
        by_placement: Bools = left[:, self._kind]
        return by_placement


def _matrix(board: Board, sets: list[tuple[int, ...]] | list[set[int]]) -> Floats32:
    return board.unpack(board.masks_of(sets)).astype(np.float32)
