"""Where boards come from and what may touch: how many boards there are, how far apart, and what that is worth.

The paper does not say whether its boards are uniform or laid pattern by pattern. Both readings are measured, and
what it costs a searcher to believe in the wrong one.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from maxmin.battleship.board import PLACEMENT, TOUCHING, Board
from maxmin.battleship.evaluate import evaluate
from maxmin.battleship.posterior import posterior
from maxmin.battleship.state import State
from maxmin.battleship.strategies import make_strategy
from maxmin.studies.battleship_measures import measured, name_cells
from maxmin.studies.findings import Cell, Findings, Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def find() -> Findings:
    """Measure both distributions of boards, for all rules of touching."""
    boards = {(t, p): Board(touching=t, placement=p) for t in TOUCHING for p in PLACEMENT}
    return Findings(
        tables=(
            Table(
                "distances",
                "How many boards there are, and how far apart uniform and sequential ones",
                ("touching", "boards", "total variation", "the same, as a decimal"),
                tuple(_distance(boards, touching) for touching in TOUCHING),
            ),
            Table(
                "shots",
                "Expected shots, exactly",
                ("touching", "boards are", "strategy", "believes in", "mean shots", "score"),
                tuple(_shots(boards)),
            ),
            Table(
                "cells",
                "How likely each cell is covered",
                ("touching", "boards are", "cell", "probability"),
                tuple(
                    (touching, placement, board.cell_name(cell), probability)
                    for (touching, placement), board in boards.items()
                    for cell, probability in enumerate(posterior(State(board)).probability.tolist())
                ),
            ),
        ),
        notes=(
            "7 x 7 cells, two L-shaped patterns. The paper lets them touch at corners only.",
            "The greedy searcher shoots where a hit is likeliest by the distribution that it believes in.",
        ),
    )


def _distance(boards: dict[tuple[str, str], Board], touching: str) -> tuple[Cell, ...]:
    """Half the sum of what probabilities differ by, in fractions."""
    uniform, sequential = (
        dict(zip(map(bytes, board.configurations().masks), board.exact_weights(), strict=True))
        for board in (boards[touching, placement] for placement in PLACEMENT)
    )
    apart = sum((abs(uniform[each] - sequential[each]) for each in uniform), Fraction(0)) / 2
    return touching, len(uniform), apart, float(apart)


def _shots(boards: dict[tuple[str, str], Board]) -> Iterator[tuple[Cell, ...]]:
    for (touching, placement), board in boards.items():
        for belief in PLACEMENT:
            (found,) = evaluate([make_strategy("greedy", boards[touching, belief])], board)
            yield touching, placement, "greedy", belief, found.mean_shots, found.score
        (found,) = measured(["paper"], board)
        yield touching, placement, "paper", None, found.mean_shots, found.score


def draw(findings: Findings) -> "Figure":
    """Draw how likely each cell is covered, by rule and by distribution."""
    from matplotlib.figure import Figure

    board = Board()
    rows = findings.table("cells").rows
    figure = Figure(figsize=(9, 6), layout="constrained")
    grid = figure.subplots(len(PLACEMENT), len(TOUCHING), sharex=True, sharey=True)
    most = max(float(row[3]) for row in rows)  # type: ignore[arg-type]
    for across, touching in enumerate(TOUCHING):
        for down, placement in enumerate(PLACEMENT):
            shown = np.array([row[3] for row in rows if row[:2] == (touching, placement)], dtype=float)
            axes = grid[down, across]
            image = axes.imshow(shown.reshape(board.rows, board.columns), cmap="viridis", vmin=0, vmax=most)
            for cell, p in enumerate(shown):
                color = "black" if p > 0.7 * most else "white"
                row, column = divmod(cell, board.columns)
                axes.text(column, row, f"{100 * p:.0f}", ha="center", va="center", color=color, fontsize=7)
            axes.set_title(f"touching: {touching}, {placement}")
            name_cells(axes, board)
    figure.colorbar(
        image, ax=grid, label="probability that the cell is covered; percent in the cells", shrink=0.7
    )
    return figure
