"""Figure 7: both players always cheat; the value over the probabilities r and s with which they check, by reading.

With cheats for certain a check is a catch, so `before_full` and `before_hit` are one reading here. What a checker
knows and how much a catch wins change the picture; the further readings change the default one.
"""

from fractions import Fraction
from typing import TYPE_CHECKING

from maxmin.errors import GameError
from maxmin.exact.parametric import ParametricSolution, solve_parametric
from maxmin.studies.findings import Cell, Findings, Table
from maxmin.studies.kuhn_hands import name_of, value

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CASES: dict[str, dict[str, str]] = {
    f"{know}, {amount}": {"know": know, "amount": amount}
    for know in ("before_hit", "after")
    for amount in ("matched", "pot", "ante")
} | {
    "draw=both_cheat": {"draw": "both_cheat"},
    "fold=loses": {"fold": "loses"},
    "announce=true": {"announce": "true"},
}
"""The readings, by the names that the tables have for them."""

_STEPS = 10
_POINTS = ((1, 0), (0, 1), (1, 1), (Fraction(1, 2), 0), (0, Fraction(1, 2)), (Fraction(1, 2), Fraction(1, 2)))
_SECONDS = 10.0
"""For the patches of a reading; where their borders are not straight, a few cells may stay undecided."""


def find() -> Findings:
    """Find the patches and the values on a grid of every reading."""
    points: list[tuple[Cell, ...]] = []
    patches: list[tuple[Cell, ...]] = []
    grids: list[tuple[Cell, ...]] = []
    axis = [Fraction(step, _STEPS) for step in range(_STEPS + 1)]
    for case, options in CASES.items():
        solved = solve_parametric(name_of(p=1, q=1, **options), over=("r", "s"), seconds=_SECONDS)
        values = [_value(solved, options, Fraction(r), Fraction(s)) for r, s in _POINTS]
        points.append((case, *values, "yes" if solved.proved else f"{float(solved.covered):.4%}"))
        patches += [(case, formula) for formula in solved.formulas]
        grids += [(case, r, s, _value(solved, options, r, s)) for r in axis for s in axis]
    columns = ("reading", *(f"r={r}, s={s}" for r, s in _POINTS), "patches proved")
    return Findings(
        tables=(
            Table("points", "Both always cheat: the value by reading", columns, tuple(points)),
            Table("patches", "Formulas of the patches", ("reading", "value"), tuple(patches)),
            Table("grid", "The surfaces on a grid", ("reading", "r", "s", "value"), tuple(grids)),
        ),
        notes=("Nobody checks: the value is 0. All values are exact; those on the grid too.",),
    )


def _value(solved: ParametricSolution, options: dict[str, str], r: Fraction, s: Fraction) -> Fraction:
    """Take the formula of the patch that holds a point; where none is proved to, solve the game there."""
    try:
        return solved.value(r=r, s=s)
    except GameError:
        return value(name_of(p=1, q=1, r=r, s=s, **options))


def draw(findings: Findings) -> "Figure":
    """Draw a map for each reading."""
    import numpy as np
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 8.4), layout="constrained")
    side = _STEPS + 1
    rows = findings.table("grid").rows
    for axes, case in zip(figure.subplots(3, 3, sharex=True, sharey=True).flat, CASES, strict=True):
        grid = np.array([row[1:] for row in rows if row[0] == case], dtype=float)
        r, s, height = grid.T.reshape(3, side, side)
        levels = np.arange(-17, 18, 2) / 16  # 0 is inside a band
        picture = axes.contourf(r, s, height, levels=levels, cmap="RdBu")
        axes.contour(r, s, height, levels=levels, colors="black", linewidths=0.4)
        axes.set(title=case, aspect="equal", xticks=(0, 0.5, 1), yticks=(0, 0.5, 1))
    figure.supxlabel("r: player 1 checks")
    figure.supylabel("s: player 2 checks")
    figure.colorbar(
        picture, ax=figure.axes, label="value for player 1", shrink=0.6, ticks=(-1, -0.5, 0, 0.5, 1)
    )
    return figure
