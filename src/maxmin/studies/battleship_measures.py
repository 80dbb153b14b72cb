"""What the studies of Battleship share: strategies measured by their names, and the names of cells in pictures."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from maxmin.battleship.board import Board
from maxmin.battleship.cell_names import row_name
from maxmin.battleship.evaluate import Evaluation, evaluate
from maxmin.battleship.strategies import make_strategy
from maxmin.errors import Cancelled

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def measured(names: Iterable[str], board: Board) -> list[Evaluation]:
    """Measure strategies, all of them.

    Raises
    ------
    Cancelled
        If it was stopped: a study has no use for less.
    """
    found = evaluate([make_strategy(name, board) for name in names], board)
    if any(one.stopped_by != "done" for one in found):
        raise Cancelled("stopped before all strategies were measured")
    return found


def name_cells(axes: "Axes", board: Board) -> None:
    """Write the names of rows and columns beside a board."""
    axes.set_xticks(range(board.columns), [str(column + 1) for column in range(board.columns)])
    axes.set_yticks(range(board.rows), [row_name(row) for row in range(board.rows)])
