"""`State`: what has been seen of a board so far; the order of the shots does not matter."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from maxmin.battleship.board import Board, Bools
from maxmin.errors import GameError


@dataclass(frozen=True)
class State:
    """Which cells have been shot at, and what was there.

    Attributes
    ----------
    board : Board
        The board.
    hits, misses : frozenset of int
        The cells; names such as "D4" may be given instead.

    Raises
    ------
    GameError
        If a cell is not on the board, or is both hit and missed.
    """

    board: Board
    hits: frozenset[int] = frozenset()
    misses: frozenset[int] = frozenset()

    def __init__(
        self, board: Board, hits: Iterable[int | str] = (), misses: Iterable[int | str] = ()
    ) -> None:
        object.__setattr__(self, "board", board)
        object.__setattr__(self, "hits", frozenset(as_cell(board, cell) for cell in hits))
        object.__setattr__(self, "misses", frozenset(as_cell(board, cell) for cell in misses))
        both = sorted(self.hits & self.misses)
        if both:
            raise GameError(f"{', '.join(map(board.cell_name, both))}: a cell cannot be both hit and missed")

    @property
    def unknown(self) -> tuple[int, ...]:
        """The cells not yet shot at, in order."""
        shot = self.hits | self.misses
        return tuple(cell for cell in range(self.board.n_cells) if cell not in shot)

    @property
    def over(self) -> bool:
        """Whether every cell of every pattern has been hit."""
        return len(self.hits) == self.board.n_covered

    def after(self, cell: int | str, *, hit: bool) -> "State":
        """Return the state after one more shot.

        Raises
        ------
        GameError
            If the cell is not on the board, or has been shot at before.
        """
        cell = as_cell(self.board, cell)
        if cell in self.hits or cell in self.misses:
            raise GameError(f"{self.board.cell_name(cell)} has been shot at before")
        if hit:
            return State(self.board, self.hits | {cell}, self.misses)
        return State(self.board, self.hits, self.misses | {cell})

    def arrays(self) -> tuple[Bools, Bools]:
        """Return hits and misses as (n_cells,) booleans each."""
        hits, misses = np.zeros((2, self.board.n_cells), dtype=np.bool_)
        hits[list(self.hits)] = True
        misses[list(self.misses)] = True
        return hits, misses

    @classmethod
    def from_arrays(cls, board: Board, hits: Bools, misses: Bools) -> "State":
        """Return the state of (n_cells,) booleans."""
        return cls(board, np.flatnonzero(hits).tolist(), np.flatnonzero(misses).tolist())

    @classmethod
    def parse(cls, board: Board, hits: str = "", misses: str = "") -> "State":
        """Read cells as people write them: ``D4,D5 e4``."""
        return cls(board, hits.replace(",", " ").split(), misses.replace(",", " ").split())


def check_states(board: Board, hits: Bools, misses: Bools) -> None:
    """Refuse what is no batch of states of a board.

    Raises
    ------
    GameError
        If hits and misses are not booleans, (batch, n_cells) each.
    """
    for name, cells in (("hits", hits), ("misses", misses)):
        shape, kind = np.shape(cells), getattr(cells, "dtype", None)
        if len(shape) != 2 or shape != (len(hits), board.n_cells) or kind != np.bool_:
            raise GameError(
                f"hits and misses of {board} are booleans, (batch, {board.n_cells}) each; these {name} "
                f"are {kind or type(cells).__name__} of the shape {shape}"
            )


def as_cell(board: Board, cell: int | str) -> int:
    """Return the number of a cell that is given by its number or its name.

    Raises
    ------
    GameError
        If there is no such cell on the board.
    """
    if isinstance(cell, str):
        return board.parse_cell(cell)
    if isinstance(cell, bool) or not isinstance(cell, int | np.integer) or not 0 <= cell < board.n_cells:
        raise GameError(f"there is no cell {cell!r}; this board has cells 0 to {board.n_cells - 1}")
    return int(cell)
