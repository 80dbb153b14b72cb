"""Two strategies on the same boards: on how many each is quicker, and one board shot by shot, with what was likely.

All boards are played by both, so the comparison is exact; the difference of their means is made of boards on which
one gains a lot and boards on which it loses.
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from maxmin.battleship.board import Board, Bools
from maxmin.battleship.evaluate import hit_times
from maxmin.battleship.posterior import posterior
from maxmin.battleship.state import State
from maxmin.battleship.strategies import Strategy, make_strategy
from maxmin.studies.battleship_measures import name_cells
from maxmin.studies.findings import Cell, Findings, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STRATEGIES = ("greedy", "paper(hits=any)")
OTHERS = ("paper", "information", "learned", "rollout(nesting=1)")
"""Compared with the first of those whose games are shown."""

_SEED = 36
"""Of the board that is shown; both strategies take about their means on it."""
_MOMENTS = (0, 5, 10, 15)
"""Shots after which the figure shows what is likely."""


def find() -> Findings:
    """Compare on all boards, and play one."""
    board = Board()
    covered = board.unpack(board.configurations().masks)
    first, *others = (make_strategy(name, board) for name in (*STRATEGIES, *OTHERS))
    shots = hit_times(first, board, covered)[:, -1]
    rows: list[tuple[Cell, ...]] = []
    for name, other in zip((*STRATEGIES[1:], *OTHERS), others, strict=True):
        more = hit_times(other, board, covered)[:, -1] - shots
        counts = [int(np.count_nonzero(each)) for each in (more > 0, more == 0, more < 0)]
        rows.append((name, *counts, float(more.mean()), float(more.std()), int(more.max()), int(more.min())))
    (shown,) = board.draw(1, seed=_SEED)
    return Findings(
        tables=(
            Table(
                "pairs",
                f"{STRATEGIES[0]} against others, over all boards",
                (
                    *("the other", f"{STRATEGIES[0]} is quicker", "equal", "slower"),
                    *("shots gained", "deviation", "most", "least"),
                ),
                tuple(rows),
            ),
            Table(
                "games",
                "One board, shot by shot",
                ("strategy", "shot", "cell", "outcome"),
                tuple(
                    row
                    for name in STRATEGIES
                    for row in _game(name, make_strategy(name, board), board, shown)
                ),
            ),
        ),
        notes=(
            "7 x 7 cells, two L-shaped patterns that may touch at corners only, uniform placement.",
            f"The board shown is drawn with seed {_SEED}.",
        ),
    )


def _game(name: str, strategy: Strategy, board: Board, covered: Bools) -> list[tuple[Cell, ...]]:
    """Play one board."""
    state = State(board)
    rows: list[tuple[Cell, ...]] = []
    while not state.over:
        hits, misses = (cells[None] for cells in state.arrays())
        cell = int(strategy.choose(hits, misses)[0])
        state = state.after(cell, hit=bool(covered[cell]))
        rows.append((name, len(rows) + 1, board.cell_name(cell), "hit" if covered[cell] else "miss"))
    return rows


def draw(findings: Findings) -> "Figure":
    """Draw the board with both strategies' shots, and what was likely during the first one's game."""
    from matplotlib.colors import PowerNorm
    from matplotlib.figure import Figure

    board = Board()
    games = {
        name: [(str(row[2]), row[3] == "hit") for row in findings.table("games").rows if row[0] == name]
        for name in STRATEGIES
    }
    figure = Figure(figsize=(9.6, 7.6), layout="constrained")
    above, below = figure.subfigures(2, 1, height_ratios=(1.5, 1), squeeze=False)[:, 0]
    for axes, (name, game) in zip(above.subplots(1, len(games)), games.items(), strict=True):
        _draw_game(axes, board, game)
        axes.set_title(f"{name}: {len(game)} shots")
    panels = below.subplots(1, len(_MOMENTS))
    for axes, moment in zip(panels, _MOMENTS, strict=True):
        seen = games[STRATEGIES[0]][:moment]
        likely = _likely(board, seen)
        image = axes.imshow(
            likely.reshape(board.rows, board.columns), cmap="viridis", norm=PowerNorm(0.5, 0, 1)
        )
        _mark(axes, board, {cell: "×" if hit else "·" for cell, hit in seen})
        axes.set_title(f"after {moment} shots" if moment else "at the start", fontsize=9)
        name_cells(axes, board)
    below.suptitle(f"probability of a hit, as {STRATEGIES[0]} sees it (× hit, · missed)", fontsize=10)
    below.colorbar(image, ax=panels, shrink=0.8)
    return figure


def _likely(board: Board, seen: list[tuple[str, bool]]) -> NDArray[np.float64]:
    """Return how likely each cell is a hit; not a number where it has been shot at."""
    state = State(board, [cell for cell, hit in seen if hit], [cell for cell, hit in seen if not hit])
    shot = [cell not in state.unknown for cell in range(board.n_cells)]
    return np.where(shot, np.nan, posterior(state).probability)


def _draw_game(axes: "Axes", board: Board, game: list[tuple[str, bool]]) -> None:
    """Draw the numbers of the shots, on the patterns that they uncovered."""
    shown = np.zeros(board.n_cells)
    for cell, hit in game:
        shown[board.parse_cell(cell)] = 1 if hit else 0.3
    axes.imshow(shown.reshape(board.rows, board.columns), cmap="Blues", vmin=0, vmax=1.6)
    _mark(axes, board, {cell: str(number) for number, (cell, _) in enumerate(game, start=1)})
    name_cells(axes, board)


def _mark(axes: "Axes", board: Board, marks: dict[str, str]) -> None:
    for cell, mark in marks.items():
        row, column = divmod(board.parse_cell(cell), board.columns)
        axes.text(column, row, mark, ha="center", va="center", fontsize=9)
