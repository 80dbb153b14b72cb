"""Figure 2: what coalitions of all sizes take from player 1, on grids and without one, and how both sides play.

Without a grid blocs and pseudo-blocs are all that a coalition needs (docs/theory/guts-continuum.md). On a grid it
gains by the other profiles, for they come nearer to a threshold between two points.
"""

from typing import TYPE_CHECKING

import numpy as np

from maxmin.guts import solve_limit
from maxmin.guts.asynchronous import nash_threshold
from maxmin.studies.findings import Cell, Findings, Table
from maxmin.studies.guts_solved import (
    ABOUT_FIGURES,
    COALITIONS,
    COARSE,
    FINE,
    minus,
    on_grid,
    summarize,
    without_grid,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LARGE = (2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000)
_TICKS = (2, 5, 10, 30, 100, 300, 1000)
_FULL = (2, 3, 4, 5)
"""Full games that the paper solved, on 21 points but for the first."""

_VALUES = ("N", "reduced", "full", "no grid", "reduced - full", "full - no grid")
_PLAYED = ("N", "one round", "repeated", "player 1", "bloc", "its probability", "pseudo-bloc", "Nash")


def find() -> Findings:
    """Find values on both grids and without one, and strategies without one up to a thousand players."""
    return Findings(
        tables=(
            Table(
                "fine", f"Repeated value, {FINE} points", _VALUES, tuple(_values(n, FINE) for n in COALITIONS)
            ),
            Table(
                "coarse",
                f"Repeated value, {COARSE} points",
                _VALUES,
                tuple(_values(n, COARSE) for n in _FULL),
            ),
            Table("continuum", "No grid: values, and thresholds of the repeated game", _PLAYED, _played()),
            Table(
                "rates",
                "No grid: N (1 - threshold), how many would hold if N players had it",
                ("N", "player 1", "bloc", "pseudo-bloc", "Nash"),
                _rates(),
            ),
        ),
        notes=(
            "Values are player 1's, in antes. The last line of the last table is the limit for N to infinity.",
            "Reduced: blocs and pseudo-blocs only. Nash: the threshold of the symmetric equilibrium, worth 0.",
            ABOUT_FIGURES,
        ),
    )


def _values(players: int, points: int) -> tuple[Cell, ...]:
    full = on_grid(players, points).repeated.value
    reduced = on_grid(players, points, reduced=True).repeated.value
    continuum = without_grid(players).repeated.value
    return players, reduced, full, continuum, reduced - full, full - continuum


def _played() -> tuple[tuple[Cell, ...], ...]:
    rows = []
    for n in _LARGE:
        found = without_grid(n)
        values = found.one_shot.value, found.repeated.value
        rows.append((n, *values, *summarize(found.repeated), nash_threshold(n)))
    return tuple(rows)


def _rates() -> tuple[tuple[Cell, ...], ...]:
    rows: list[tuple[Cell, ...]] = []
    for n in _LARGE:
        found = summarize(without_grid(n).repeated)
        held = found.player, found.bloc, found.pseudo_bloc, nash_threshold(n)
        rows.append((n, *(n * (1 - threshold) for threshold in held)))
    limit = solve_limit().repeated.rates
    return (*rows, (None, limit.player, limit.bloc, limit.pseudo_bloc, float(np.log(2))))


def draw(findings: Findings) -> "Figure":
    """Draw values, thresholds and what the grid changes."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 3.9), layout="constrained")
    values, rates, costs = figure.subplots(1, 3)
    _draw_values(values, findings)
    _draw_rates(rates, findings)
    _draw_costs(costs, findings)
    return figure


def _draw_values(axes: "Axes", findings: Findings) -> None:
    n, one_shot, repeated = np.array(findings.table("continuum").rows, dtype=float).T[:3]
    grid = np.array(findings.table("fine").rows, dtype=float).T
    limit = solve_limit()
    for curve, end, color, label in (
        (one_shot, limit.one_shot.value, "C0", "one round"),
        (repeated, limit.repeated.value, "k", "repeated game"),
    ):
        axes.semilogx(n, curve, color=color, label=f"{label}, no grid")
        axes.axhline(end, color=color, lw=0.8, ls=":")
        words = f"N → ∞: {minus(f'{end:.4f}')}"
        axes.annotate(
            words, (1000, end), (0, -11), textcoords="offset points", fontsize=8, color=color, ha="right"
        )
    axes.plot(grid[0], grid[1], "C3o", ms=3.5, label=f"repeated game, reduced, {FINE} points")
    axes.set(
        title="The value for player 1", xlabel="N, players of the coalition", ylabel="antes", ylim=(-0.175, 0)
    )
    axes.set_xticks(_TICKS, labels=map(str, _TICKS))
    axes.legend(loc="upper right", fontsize=8)


def _draw_rates(axes: "Axes", findings: Findings) -> None:
    *rows, limit = np.array(findings.table("rates").rows, dtype=float)
    n, *curves = np.array(rows).T
    labels = ("player 1", "bloc", "pseudo-bloc, the others", "Nash equilibrium")
    for curve, end, label, style in zip(curves, limit[1:], labels, ("k-", "C0-", "C1-", "C2--"), strict=True):
        (line,) = axes.semilogx(n, curve, style, label=label)
        axes.axhline(end, color=line.get_color(), lw=0.8, ls=":")
    axes.set(
        title="Thresholds: above, a player holds more often",
        xlabel="N, players of the coalition",
        ylabel="N × (1 − threshold)",
        ylim=(0.2, 1.65),
    )
    axes.set_xticks(_TICKS, labels=map(str, _TICKS))
    axes.legend(loc="upper left", fontsize=8)


def _draw_costs(axes: "Axes", findings: Findings) -> None:
    rows = np.array(findings.table("fine").rows, dtype=float).T
    coarse = np.array(findings.table("coarse").rows, dtype=float).T
    n, continuum = rows[0], rows[3]
    axes.plot(n, 1000 * (rows[1] - continuum), "C3o-", ms=4, lw=1, label=f"reduced, {FINE} points")
    axes.plot(n, 1000 * (rows[2] - continuum), "C0s-", ms=4, lw=1, label=f"full, {FINE} points")
    for row, style, name in ((1, "C3o:", "reduced"), (2, "C0s:", "full")):
        label = f"{name}, {COARSE} points"
        axes.plot(coarse[0], 1000 * (coarse[row] - coarse[3]), style, ms=4, mfc="white", lw=1, label=label)
    axes.axhline(0, color="black", lw=0.8)
    axes.set(
        title="What the grid adds to the value",
        xlabel="N, players of the coalition",
        ylabel="thousandths of an ante",
    )
    axes.legend(loc="upper right", fontsize=8)
