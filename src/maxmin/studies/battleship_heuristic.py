"""Tables 1 and 2: the probability heuristic on the worked example, and what its readings are worth.

D3, B4 and G5 were missed, D4 was hit, one pattern is considered. The paper prints the covered cell B5 as B1 in its
text; no L-shaped pattern covers both B1 and D4.
"""

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from maxmin.battleship.board import Board
from maxmin.battleship.cell_names import row_name
from maxmin.battleship.evaluate import evaluate
from maxmin.battleship.heuristic import PaperHeuristic
from maxmin.battleship.state import State
from maxmin.battleship.strategies import make_strategy
from maxmin.studies.findings import Findings, Table, rows_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_HITS, _MISSES = "D4", "D3 B4 G5"

_PLACEMENTS = (2, 3, 2, 2, 2, 2, 2, 2)
"""The paper's table 1: placements by orientation, P1 to P8."""

_COVERINGS = {
    **{"B5": 1, "C2": 1, "C3": 2, "C4": 7, "C5": 3, "C6": 2, "D5": 7, "D6": 4},
    **{"E2": 1, "E3": 2, "E4": 10, "E5": 3, "E6": 2, "F3": 1, "F4": 3, "F5": 2},
}
"""The paper's table 2: coverings of the cells that have any."""

_READINGS = (
    ("cover all open hits", "paper"),
    ("cover most open hits", "paper(hits=most)"),
    ("cover any open hit", "paper(hits=any)"),
    ("all; what a complete pattern keeps free is not used", "paper(finished=closed)"),
    ("all; a complete pattern's hits stay open", "paper(finished=open)"),
)


def find() -> Findings:
    """Compute both tables, and the exact expected shots of each reading."""
    board = Board()
    state = State.parse(board, _HITS, _MISSES)
    worth = evaluate([make_strategy(name, board) for _, name in _READINGS], board)
    rows = ((words, one.mean_shots, one.score) for (words, _), one in zip(_READINGS, worth, strict=True))
    return Findings(
        tables=(
            _placements(state),
            _coverings(state),
            Table(
                "readings",
                "What each reading is worth, exactly over all uniform boards",
                ("placements considered", "mean shots", "score"),
                rows_of(*rows),
            ),
        ),
        notes=(
            "The paper prints B5 as B1 in its text. Twelve people who knew the heuristic took 21.022 shots.",
            "A board of 7 x 7 cells, two L-shaped patterns that may touch at corners only, uniform placement.",
        ),
    )


def _placements(state: State) -> Table:
    board = state.board
    rows = []
    for number, shape in enumerate(board.kinds[0].orientations):
        places = map(set, board.places(shape))
        fitting = sum(1 for cells in places if cells & state.hits and not cells & state.misses)
        rows.append((f"P{number + 1}", fitting, _PLACEMENTS[number]))
    rows.append(("all", sum(row[1] for row in rows), sum(_PLACEMENTS)))
    title = "Placements that cover D4 and no miss, by orientation"
    return Table("placements", title, ("orientation", "placements", "paper"), rows_of(*rows))


def _coverings(state: State) -> Table:
    board = state.board
    hits, misses = (cells[None] for cells in state.arrays())
    found = PaperHeuristic(board).coverings(hits, misses)
    n = int(found.placements[0])
    counts = {cell: int(found.coverings[0, cell]) for cell in state.unknown}
    total = sum(counts.values())
    rows = [
        (
            board.cell_name(cell),
            k,
            _COVERINGS.get(board.cell_name(cell), 0),
            Fraction(k, total),
            Fraction(k, n),
        )
        for cell, k in counts.items()
        if k or board.cell_name(cell) in _COVERINGS
    ]
    columns = ("cell", "coverings", "paper", "covering probability", "hit probability")
    return Table("coverings", "Coverings of each cell", columns, rows_of(*rows))


def draw(findings: Findings) -> "Figure":
    """Draw the coverings on the board."""
    from matplotlib.figure import Figure

    board = Board()
    shown = np.zeros(board.n_cells)
    for name, coverings, *_ in findings.table("coverings").rows:
        shown[board.parse_cell(str(name))] = float(coverings)  # type: ignore[arg-type]
    figure = Figure(figsize=(5, 4.4), layout="constrained")
    axes = figure.add_subplot()
    image = axes.imshow(shown.reshape(board.rows, board.columns), cmap="Blues")
    figure.colorbar(image, ax=axes, label="placements that cover the cell")
    seen = {**dict.fromkeys(_HITS.split(), "hit"), **dict.fromkeys(_MISSES.split(), "miss")}
    for cell, k in enumerate(shown):
        row, column = divmod(cell, board.columns)
        mark = seen.get(board.cell_name(cell), f"{k:.0f}")
        color = "white" if k > 0.6 * shown.max() else "black"
        axes.text(column, row, mark, ha="center", va="center", color=color, fontsize=9)
    axes.set_xticks(range(board.columns), [str(column + 1) for column in range(board.columns)])
    axes.set_yticks(range(board.rows), [row_name(row) for row in range(board.rows)])
    return figure
