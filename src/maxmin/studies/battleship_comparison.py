"""People, networks, heuristics and search, the paper's beside ours, and the bound that no strategy can pass.

The paper's networks are adapted here as often as the paper says, a few runs of each. On small boards the optimum
itself is known, and what heuristics lose to it.
"""

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from maxmin.battleship.board import Board
from maxmin.battleship.bound import lower_bound
from maxmin.battleship.optimal import optimum
from maxmin.errors import Cancelled
from maxmin.studies.battleship_learning import PAPER, adapted
from maxmin.studies.battleship_measures import measured
from maxmin.studies.findings import Cell, Findings, Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_Row: TypeAlias = tuple[str, str, float, float | None, float | None]
"""From whom, who, mean shots, deviation over runs, score."""

_PAPER_ROWS: tuple[tuple[str, float, float | None], ...] = (
    ("twelve people, 100 games", 21.022, None),
    ("paper's network, reinforcement", PAPER["reinforcement"], 6.030),
    ("paper's network, supervised", PAPER["supervised"], None),
)
"""Mean shots, and the score where the paper gives it."""

_STRATEGIES = {
    "paper": "the paper's heuristic, to the letter",
    "learned": "modern network, supervised",
    "greedy": "greedy on the exact posterior",
    "rollout(nesting=2)": "search",
}

_ENOUGH = 16.0
"""The bound rises until it passes this, after some seconds; more takes a minute and longer."""

_SMALL = ((4, 4), (4, 5), (5, 5))


def find() -> Findings:
    """Measure all players, and prove the bound."""
    board = Board()
    rows: list[_Row] = [("paper", name, shots, None, score) for name, shots, score in _PAPER_ROWS]
    rows += [
        ("ours", f"paper's network, {learner}", *_average(learner))
        for learner in ("reinforcement", "supervised")
    ]
    found = measured(_STRATEGIES, board)
    rows += [
        ("ours", words, one.mean_shots, None, one.score)
        for words, one in zip(_STRATEGIES.values(), found, strict=True)
    ]
    bound = lower_bound(board, callback=lambda bound: bound.lower < _ENOUGH)
    if bound.lower < _ENOUGH:
        raise Cancelled("stopped before the bound was proved")
    rows.append(("ours", "proven: no strategy takes fewer", bound.lower, None, None))
    return Findings(
        tables=(
            Table(
                "players",
                "Average shots, the paper's and ours, and how far above the bound",
                ("from", "player", "mean shots", "deviation over runs", "score", "above the bound"),
                tuple((*row, row[2] - bound.lower) for row in rows),
            ),
            Table(
                "small",
                "Small boards: the optimum, exactly, and what others take",
                ("board", "boards", "optimum", "optimum, as a decimal", "greedy", "search"),
                tuple(_small(*size) for size in _SMALL),
            ),
        ),
        notes=(
            "7 x 7 cells, two L-shaped patterns that may touch at corners only, uniform placement. Strategies are "
            "exact over all 14,572 boards.",
            f"Of the paper's networks we adapted {len(adapted('supervised').shots)} (supervised) and "
            f"{len(adapted('reinforcement').shots)} (reinforcement), the paper 10,000 of each.",
            "The bound is what is proved in seconds; maxmin battleship bound goes on.",
        ),
    )


def _average(learner: str) -> tuple[float, float, float]:
    runs = adapted(learner)
    return float(runs.final_shots.mean()), float(runs.final_shots.std(ddof=1)), float(runs.scores.mean())


def _small(rows: int, columns: int) -> tuple[Cell, ...]:
    board = Board(rows, columns)
    best = optimum(board).mean_shots
    shots = (one.mean_shots for one in measured(("greedy", "rollout(nesting=2)"), board))
    return f"{rows} x {columns}", len(board.configurations()), best, float(best), *shots


def draw(findings: Findings) -> "Figure":
    """Draw all players on a line of shots, and where no strategy can be."""
    from matplotlib.figure import Figure

    *players, (_, _, bound, *_) = findings.table("players").rows
    figure = Figure(figsize=(8.5, 3.8), layout="constrained")
    axes = figure.add_subplot()
    players.sort(key=lambda row: -float(row[2]))  # type: ignore[arg-type]
    for place, (source, _, shots, deviation, *_) in enumerate(players):
        color = {"paper": "tab:red", "ours": "tab:blue"}[str(source)]
        axes.errorbar(
            np.array([shots], float),
            [place],
            xerr=np.array([deviation], float),
            color=color,
            marker="o",
            capsize=3,
        )
        axes.annotate(
            f"{shots:.3f}", (shots, place), (0, 6), textcoords="offset points", ha="center", fontsize=8
        )
    names = [f"{player} ({source})" for source, player, *_ in players]
    axes.set_yticks(range(len(names)), names)
    axes.axvspan(0, float(bound), color="gray", alpha=0.3)  # type: ignore[arg-type]
    axes.text(15.4, 0, f"proven: no strategy\ntakes fewer than\n{bound:.3f}", fontsize=8)
    axes.set(
        xlabel="average shots (bars: deviation over runs)", xlim=(15.3, 21.6), ylim=(-0.6, len(names) - 0.3)
    )
    axes.grid(axis="x", alpha=0.25)
    return figure
