"""Boards as text and as pictures."""

from typing import TYPE_CHECKING

from maxmin.battleship.board import Board, Bools
from maxmin.battleship.cell_names import row_name
from maxmin.battleship.state import State

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from maxmin.battleship.posterior import Posterior

HIT, MISS, UNKNOWN, COVERED = "X", "o", ".", "#"


def render(state: State, *, covered: Bools | None = None) -> str:
    """Draw what has been seen: X hit, o missed, . not shot at.

    Parameters
    ----------
    state
        What has been seen.
    covered : (n_cells,) booleans
        Where the patterns are; those cells that are not hit are drawn as #.
    """
    marks = [
        HIT if c in state.hits else MISS if c in state.misses else UNKNOWN for c in range(state.board.n_cells)
    ]
    if covered is not None:
        marks = [COVERED if mark == UNKNOWN and covered[c] else mark for c, mark in enumerate(marks)]
    return _grid(state.board, marks)


def render_posterior(posterior: "Posterior") -> str:
    """Draw how likely each cell is covered, in percent; X hit, o missed."""
    state = posterior.state
    percent = [f"{100 * p:.0f}" for p in posterior.probability]
    for mark, cells in ((HIT, state.hits), (MISS, state.misses)):
        for cell in cells:
            percent[cell] = mark
    return _grid(state.board, percent)


def draw_posterior(posterior: "Posterior") -> "Figure":
    """Draw how likely each cell is covered as a heat map; hits and misses are marked, the likeliest cell framed."""
    import numpy as np
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle

    state = posterior.state
    board = state.board
    figure = Figure(figsize=(1.6 + 0.55 * board.columns, 1.2 + 0.55 * board.rows), layout="constrained")
    axes = figure.add_subplot()
    shot = [cell in state.hits | state.misses for cell in range(board.n_cells)]
    shown = np.where(shot, np.nan, posterior.probability)
    image = axes.imshow(shown.reshape(board.rows, board.columns), cmap="viridis", vmin=0)
    figure.colorbar(image, ax=axes, label="probability of a hit", shrink=0.8)
    for cell, p in enumerate(posterior.probability):
        mark = HIT if cell in state.hits else MISS if cell in state.misses else f"{p:.2f}"
        bright = shot[cell] or p > 0.7 * np.nanmax(shown)
        row, column = divmod(cell, board.columns)
        axes.text(
            column, row, mark, ha="center", va="center", color="black" if bright else "white", fontsize=8
        )
    if state.unknown:
        row, column = divmod(posterior.best(), board.columns)
        axes.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, fill=False, edgecolor="red", lw=2))
    axes.set_xticks(range(board.columns), [str(column + 1) for column in range(board.columns)])
    axes.set_yticks(range(board.rows), [row_name(row) for row in range(board.rows)])
    return figure


def _grid(board: Board, marks: list[str]) -> str:
    """Lay marks out as rows under the numbers of the columns."""
    names = [row_name(row) for row in range(board.rows)]
    left = max(map(len, names))
    width = max(len(str(board.columns)), *map(len, marks))
    lines = [" " * left + "".join(f" {column + 1:>{width}}" for column in range(board.columns))]
    for row, name in enumerate(names):
        cells = marks[row * board.columns : (row + 1) * board.columns]
        lines.append(f"{name:<{left}}" + "".join(f" {mark:>{width}}" for mark in cells))
    return "\n".join(lines)
