"""Learning curves of the paper's network, both adaptations, with the spread over runs.

The paper compares 10,000 runs of each; here a few of the paper's size are adapted, so that it takes less than a
minute. ``maxmin battleship train paper-supervised --runs 10000 --points 8 --json`` does all of them.
"""

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from maxmin.battleship.board import Board
from maxmin.studies.findings import Cell, Findings, Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from maxmin.learning import Runs

PAPER = {"supervised": 19.853, "reinforcement": 20.874}
"""Average shots of the paper's networks over 10,000 runs."""

GREEDY = 17.4179
"""Of the greedy player, exactly over all boards; ``maxmin study battleship-comparison`` computes it."""

_RUNS = {"supervised": 12, "reinforcement": 6}
_POINTS = 8
_QUANTILES = (0.0, 0.25, 0.5, 0.75, 1.0)


@cache
def adapted(learner: str) -> "Runs":
    """Adapt a few networks as often as the paper does, and measure each on the way.

    Raises
    ------
    MaxminError
        If the extra ``learn`` is not installed.
    """
    from maxmin.learning import Adaptation, train_runs
    from maxmin.learning.paper_network import ITERATIONS, RANDOM_SHOTS

    adaptation = Adaptation(
        learner=learner, iterations=ITERATIONS[learner], random_shots=RANDOM_SHOTS[learner]
    )
    return train_runs(Board(), adaptation, runs=_RUNS[learner], points=_POINTS)


def find() -> Findings:
    """Adapt the networks, and measure them on the way."""
    found = {learner: adapted(learner) for learner in PAPER}
    return Findings(
        tables=(
            Table(
                "curves",
                "Average shots of runs on the way: mean, deviation and quantiles over runs",
                ("learner", "iterations", "mean", "deviation", *(f"{level:.0%}" for level in _QUANTILES)),
                tuple(row for runs in found.values() for row in _curve(runs)),
            ),
            Table(
                "runs",
                "Each run at the end",
                ("learner", "run", "mean shots", "score"),
                tuple(row for runs in found.values() for row in _ends(runs)),
            ),
            Table(
                "paper",
                "The paper's averages over 10,000 runs",
                ("learner", "mean shots"),
                tuple(PAPER.items()),
            ),
        ),
        notes=(
            "7 x 7 cells, two L-shaped patterns that may touch at corners only, uniform placement.",
            "Each run is measured on 200 games of its own; that alone makes averages deviate by about 0.2.",
        ),
    )


def _curve(runs: "Runs") -> Iterator[tuple[Cell, ...]]:
    for done, shots in zip(runs.iterations.tolist(), runs.shots[~runs.diverged].T, strict=True):
        quantiles = np.quantile(shots, _QUANTILES).tolist()
        yield runs.adaptation.learner, done, float(shots.mean()), float(shots.std(ddof=1)), *quantiles


def _ends(runs: "Runs") -> Iterator[tuple[Cell, ...]]:
    for run, (shots, score) in enumerate(zip(runs.final_shots, runs.scores, strict=True), start=1):
        yield runs.adaptation.learner, run, float(shots), float(score)


def draw(findings: Findings) -> "Figure":
    """Draw mean, quartiles and extremes over runs, beside the paper's averages."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 4.1), layout="constrained")
    rows = findings.table("curves").rows
    for axes, (learner, paper) in zip(figure.subplots(1, 2, sharey=True), PAPER.items(), strict=True):
        columns = np.array([row[1:] for row in rows if row[0] == learner], dtype=float).T
        columns[0] /= 1000
        thousands, mean, _, least, quarter, _, three_quarters, most = columns
        axes.fill_between(thousands, least, most, color="tab:blue", alpha=0.15, lw=0, label="all runs")
        axes.fill_between(
            thousands, quarter, three_quarters, color="tab:blue", alpha=0.35, lw=0, label="middle half"
        )
        axes.plot(thousands, mean, color="tab:blue", marker="o", ms=3, label="mean over runs")
        axes.axhline(paper, color="tab:red", ls="--", lw=1.2, label="paper, mean of 10,000 runs")
        axes.axhline(GREEDY, color="black", ls=":", lw=1.2, label="greedy on the exact posterior")
        n = len([row for row in findings.table("runs").rows if row[0] == learner])
        axes.set(title=f"{learner}, {n} runs", xlabel="iterations (thousands)", xlim=(0, thousands[-1]))
        axes.grid(alpha=0.25)
    figure.axes[0].set_ylabel("average shots")
    figure.legend(
        *figure.axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=5, fontsize=8
    )
    return figure
