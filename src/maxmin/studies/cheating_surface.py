"""Figure 6: the value over the probabilities p and q with which the players cheat, and its patches.

The explanation that the paper misses: scale each type's realization plan by its type's probability. Then p is
only in the right-hand side of the linear program, q only in the objective. So an optimal basis is optimal on a
rectangle, and there the value is bilinear in p and q. `maxmin.exact.parametric` finds all of them and proves that
they cover the square.
"""

from fractions import Fraction
from typing import TYPE_CHECKING

from maxmin.exact.parametric import ParametricSolution, solve_parametric
from maxmin.studies.findings import Cell, Findings, Table, rows_of
from maxmin.studies.kuhn_hands import FAIR

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_STEPS = 20
_CORNERS = (
    ("nobody cheats", 0, 0, FAIR),
    ("player 1 always", 1, 0, Fraction(2, 18)),
    ("player 2 always", 0, 1, Fraction(-2, 18)),
    ("both always", 1, 1, Fraction(0)),
    ("both at 90 %", Fraction(9, 10), Fraction(9, 10), Fraction(0)),
)


def find() -> Findings:
    """Find all patches, the corners, and the values on a grid."""
    solved = solve_parametric("kuhn_cheating", over=("p", "q"))
    corners = rows_of(*((name, p, q, solved.value(p=p, q=q), paper) for name, p, q, paper in _CORNERS))
    grid = [Fraction(step, _STEPS) for step in range(_STEPS + 1)]
    surface = rows_of(*((p, q, solved.value(p=p, q=q)) for p in grid for q in grid))
    covered = "are proved to cover the square" if solved.proved else "were not proved to cover the square"
    return Findings(
        tables=(
            Table("corners", "Corners of the surface", ("who cheats", "p", "q", "value", "paper"), corners),
            Table("patches", "The patches", ("p", "q", "value"), _patches(solved)),
            Table("grid", "The surface on a grid", ("p", "q", "value"), surface),
        ),
        notes=(
            f"The patches {covered}; each was compared with the game itself at random rational points.",
            "The paper's figures for cheats are quoted from a public summary of it.",
        ),
    )


def _patches(solved: ParametricSolution) -> tuple[tuple[Cell, ...], ...]:
    """List the different regions; several bases may share one."""
    rows = {}
    for patch in solved.patches:
        (p_low, p_high), (q_low, q_high) = patch.box
        rows[patch.box, str(patch.value)] = (
            f"{p_low} to {p_high}",
            f"{q_low} to {q_high}",
            str(patch.value),
        )
    return tuple(rows.values())


def draw(findings: Findings) -> "Figure":
    """Draw the surface, and beside it the map of the patches with their formulas."""
    import numpy as np
    from matplotlib.figure import Figure

    side = _STEPS + 1
    p, q, value = np.array(findings.table("grid").rows, dtype=float).T.reshape(3, side, side)
    figure = Figure(figsize=(10, 4.4), layout="constrained")
    surface = figure.add_subplot(1, 2, 1, projection="3d")
    surface.plot_surface(
        p,
        q,
        value,
        cmap="RdBu",
        vmin=-0.2,
        vmax=0.2,
        rcount=side,
        ccount=side,
        edgecolor="gray",
        linewidth=0.2,
    )
    surface.view_init(elev=28, azim=-125)
    surface.set(xlabel="p", ylabel="q", title="value for player 1")
    plane = figure.add_subplot(1, 2, 2)
    plane.pcolormesh(p, q, value, cmap="RdBu", shading="gouraud", vmin=-0.2, vmax=0.2)
    for row in findings.table("patches").rows:
        _outline(plane, *map(str, row))
    plane.set(xlabel="p", ylabel="q", title="its patches", xlim=(0, 1), ylim=(0, 1), aspect="equal")
    return figure


def _outline(axes, p: str, q: str, formula: str) -> None:  # type: ignore[no-untyped-def]
    (left, right), (bottom, top) = ([float(Fraction(end)) for end in span.split(" to ")] for span in (p, q))
    axes.plot([left, right, right, left, left], [bottom, bottom, top, top, bottom], color="black", lw=0.8)
    words = formula.replace("*", "").replace(" - ", "\n- ").replace(" + ", "\n+ ")
    axes.text((left + right) / 2, (bottom + top) / 2, words, ha="center", va="center", fontsize=7.5)
