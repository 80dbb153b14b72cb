"""Hider against searcher on small boards: what the best hider guarantees, and what one who draws boards gives away.

Against uniform boards the best searcher takes the optimum of `maxmin.battleship.optimal`, replayed board by board;
the value of the game `battleship` is what a hider guarantees who may choose. Both are fractions, and proved.
"""

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from maxmin.battleship.board import Board
from maxmin.battleship.optimal import optimum
from maxmin.exact import solve_exact
from maxmin.exact.solution import ExactSolution
from maxmin.plans import Behavior
from maxmin.sources import load_tree
from maxmin.studies.findings import Cell, Findings, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SIZES = (
    *((1, 8, "2"), (2, 3, "2"), (2, 4, "2"), (1, 8, "2+2"), (3, 3, "2+2")),
    *((3, 3, "3"), (2, 5, "3"), (2, 4, "L"), (3, 3, "L"), (3, 3, "T"), (3, 3, "S")),
)
"""Rows, columns, patterns."""

GAMES = {f"{size[0]} x {size[1]}, {size[2]}": size for size in _SIZES}
"""The same by their names in the tables."""


def find() -> Findings:
    """Solve every game, and find the optimum against its uniform hider."""
    values: list[tuple[Cell, ...]] = []
    hiders: list[tuple[Cell, ...]] = []
    for name, (rows, columns, patterns) in GAMES.items():
        board = Board(rows, columns, patterns.split("+"))
        solved = solve_exact(load_tree(f"battleship(rows={rows},columns={columns},patterns={patterns})"))
        uniform, n = optimum(board).mean_shots, len(board.configurations())
        values.append((name, n, uniform, solved.value, solved.value - uniform))
        hiders += [
            (name, cells, len(chances), Fraction(1, n), sum(chances) / len(chances))
            for cells, chances in _alike(board, solved).items()
        ]
    return Findings(
        tables=(
            Table(
                "values",
                "Expected shots of the best searcher",
                ("board", "boards", "uniform hider", "best hider", "given away"),
                tuple(values),
            ),
            Table(
                "hiders",
                "How often each board is hidden; mirror images and turned ones in one row",
                ("board", "cells", "boards", "uniform hider", "a best hider"),
                tuple(hiders),
            ),
        ),
        notes=(
            "Patterns may touch at corners only. All values are exact: strategies of both sides meet in them.",
            "Best hiders are not unique; this one hides all boards of a row alike, and guarantees the value too.",
        ),
    )


def _alike(board: Board, solved: ExactSolution) -> dict[str, list[Fraction]]:
    """Return, for boards that are alike, the cells of one of them and the hider's probabilities of all."""
    assert isinstance(solved.team, Behavior)
    names = solved.tree.infoset_actions[int(solved.team.infosets[0])]
    alike: dict[str, list[Fraction]] = {}
    for name, chance in zip(names, solved.team.probabilities[0], strict=False):
        alike.setdefault(_first_image(board, name), []).append(chance)
    return alike


def _first_image(board: Board, name: str) -> str:
    """Mirror and turn a board in all ways, and return the first by the names of its cells."""
    covered = np.zeros((board.rows, board.columns), dtype=np.bool_)
    covered.flat[[board.parse_cell(cell) for cell in name.split()]] = True
    turned = (covered, covered.T) if board.rows == board.columns else (covered,)
    images = [each[::down, ::right] for each in turned for down, right in product((1, -1), repeat=2)]
    return min(" ".join(board.cell_name(cell) for cell in np.flatnonzero(image).tolist()) for image in images)


def draw(findings: Findings) -> "Figure":
    """Draw the boards that a best hider hides more or less often than a uniform one, where it does so."""
    from matplotlib.figure import Figure

    unlike = [row[0] for row in findings.table("values").rows if row[4]]
    rows = [row for row in findings.table("hiders").rows if row[0] in unlike]
    boards = [Board(*GAMES[str(row[0])][:2], ["1"]) for row in rows]
    widths = [board.columns for board in boards]
    figure = Figure(figsize=(12, 2.4), layout="constrained")
    grid = figure.subplots(1, len(rows), width_ratios=widths)
    for axes, board, row in zip(grid, boards, rows, strict=True):
        _draw_board(axes, board, *row)
    return figure


def _draw_board(
    axes: "Axes", board: Board, name: Cell, cells: Cell, n: Cell, uniform: Cell, best: Cell
) -> None:
    covered = np.zeros((board.rows, board.columns))
    covered.flat[[board.parse_cell(cell) for cell in str(cells).split()]] = 1
    axes.pcolormesh(covered, cmap="Blues", vmin=0, vmax=1.5, edgecolors="gray", linewidth=0.5)
    axes.set(aspect="equal", xticks=(), yticks=(), ylim=(board.rows, 0))
    axes.set_anchor("N")
    axes.set_title(f"{name}: one of {n} alike\nuniform {uniform}, best {best}", fontsize=9)
