"""Strategies: which cell to shoot at next, for many states at once; one interface for all, also for a user's own."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from maxmin.battleship.board import Board, Bools
from maxmin.battleship.state import State
from maxmin.errors import StrategyError


class Strategy(Protocol):
    """Says where to shoot.

    Attributes
    ----------
    name : str
        What it is called.
    deterministic : bool
        Whether the same state always gets the same cell; then its expectation can be exact.
    """

    name: str
    deterministic: bool

    def choose(self, hits: Bools, misses: Bools) -> NDArray[np.int64]:
        """Return the next cell for each of a batch of states.

        Parameters
        ----------
        hits, misses : (batch, n_cells) booleans
            What has been seen; no state is over.

        Returns
        -------
        (batch,) int64
            Cells not yet shot at.
        """
        ...


@dataclass(frozen=True)
class FunctionStrategy:
    """A user's own function as a strategy, see `from_function`."""

    function: Callable[[State], int | str]
    board: Board
    name: str
    deterministic: bool = True

    def choose(self, hits: Bools, misses: Bools) -> NDArray[np.int64]:
        """Ask the function for each state; see `Strategy.choose`."""
        cells = np.empty(len(hits), dtype=np.int64)
        for index, seen in enumerate(zip(hits, misses, strict=True)):
            state = State.from_arrays(self.board, *seen)
            cell = self.function(state)
            cells[index] = self.board.parse_cell(cell) if isinstance(cell, str) else cell
        return cells


def from_function(
    function: Callable[[State], int | str], *, board: Board, name: str = "", deterministic: bool = True
) -> Strategy:
    """Make a strategy of a function from a `State` to a cell (its number or its name).

    Set `deterministic` to False if it draws at random: then it is measured by simulation.
    """
    return FunctionStrategy(function, board, name or function.__name__, deterministic)


def check_choice(
    board: Board, strategy: Strategy, cells: NDArray[np.int64], hits: Bools, misses: Bools
) -> None:
    """Refuse cells that are not on the board or have been shot at.

    Raises
    ------
    StrategyError
        The message names the strategy, the cell and the state.
    """
    if np.shape(cells) != (len(hits),) or not np.issubdtype(np.asarray(cells).dtype, np.integer):
        raise StrategyError(
            f"{strategy.name} must choose {len(hits)} cells, one for each state, as whole numbers"
        )
    off = (cells < 0) | (cells >= board.n_cells)
    if off.any():
        raise StrategyError(
            f"{strategy.name} shoots at cell {cells[off][0]}; this board has cells 0 to {board.n_cells - 1}"
        )
    again = (hits | misses)[np.arange(len(cells)), cells]
    if again.any():
        row = int(np.flatnonzero(again)[0])
        raise StrategyError(
            f"{strategy.name} shoots at {board.cell_name(int(cells[row]))}, where it has shot before"
        )
