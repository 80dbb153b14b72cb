"""Two against two: worth 0 by symmetry; how both pairs play, on the paper's grid and on finer ones.

The matrix of payoffs is skew-symmetric, so that a round is worth 0 if the rounds to come are: 0 is a fixed point.
A strategy that is optimal for one pair is so for the other.
"""

from typing import TYPE_CHECKING

import numpy as np

from maxmin.guts import make_grid
from maxmin.guts.grid import Multiset
from maxmin.guts.result import Mixture
from maxmin.studies.findings import Cell, Findings, Table, rows_of
from maxmin.studies.guts_solved import COARSE, FINE, in_words, on_grid

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GRIDS = (COARSE, 41, FINE, 201)
PAPER_BLOC, PAPER_PSEUDO_BLOC = 0.95, 0.05
"""About how often the paper's pairs play a bloc of 0.75 to 0.8, and (0, 0.95)."""

_DRAWN = 41
_LOW, _HIGH, _PSEUDO = (0.75, 0.75), (0.75, 0.8), (0.0, 0.95)


def find() -> Findings:
    """Find values and strategies, what the paper's strategy loses, and what each profile loses."""
    values, profiles = [], []
    for points in GRIDS:
        for name, reduced in (("full", False), ("reduced", True)):
            found = on_grid(2, points, reduced=reduced, against=2)
            worth = found.repeated
            bounds = worth.value, worth.lower, worth.upper
            shares = *_split(worth.coalition), guarantee(worth.coalition, points)
            values.append((points, name, found.sizes["rows"], *bounds, *shares))
            profiles.append((points, name, in_words(worth.coalition, 0.002)))
    share, kept = paper_guarantee()
    columns = (
        *("points", "coalition", "profiles", "value", "lower", "upper", "bloc 0.7 to 0.8", "the others"),
        "against all profiles",
    )
    losses = ("lower threshold", "higher threshold", "loss")
    return Findings(
        tables=(
            Table(
                "values",
                "2 v 2: values, and how often both thresholds are 0.7 to 0.8",
                columns,
                tuple(values),
            ),
            Table("strategies", "Profiles of a pair", ("points", "coalition", "strategy"), tuple(profiles)),
            Table("losses", f"What a profile loses against the optimum, {_DRAWN} points", losses, _losses()),
        ),
        notes=(
            "Paper: value 0, the bloc 0.75 to 0.8 about 95 % of the time and (0, 0.95) about 5 %.",
            f"On {COARSE} points (0, 0.95) at 5 %, (0.75, 0.75) at {share:.0%} and (0.75, 0.8) at "
            f"{PAPER_BLOC - share:.0%} guarantee {kept:.6f} antes in a round; the value is 0.",
            "Against all profiles: what the strategy guarantees in a round. Blocs and pseudo-blocs are not enough "
            "for two against two; on finer grids profiles between them are played as well.",
        ),
    )


def _split(mixture: Mixture) -> tuple[float, float]:
    near = sum(weight for held, weight in mixture if held[0] >= 0.7 and held[-1] <= 0.8)
    return near, 1 - near


def guarantee(mixture: Mixture, points: int) -> float:
    """Return what a pair's mixture guarantees in a round against all profiles on the grid, nothing to come."""
    rules = make_grid(coalition=2, against=2, grid=points)
    payoffs = rules.payoffs([_plan(held, points) for held, _ in mixture], rules.plans(2))
    return float((np.array([weight for _, weight in mixture]) @ payoffs).min())


def paper_guarantee() -> tuple[float, float]:
    """Return how the paper's bloc is split best between (0.75, 0.75) and (0.75, 0.8), and the guarantee of it."""
    rules = make_grid(coalition=2, against=2, grid=COARSE)
    payoffs = rules.payoffs([_plan(held, COARSE) for held in (_LOW, _HIGH, _PSEUDO)], rules.plans(2))
    shares = np.linspace(0, PAPER_BLOC, 96)
    weights = np.column_stack([shares, PAPER_BLOC - shares, np.full(len(shares), PAPER_PSEUDO_BLOC)])
    kept = (weights @ payoffs).min(axis=1)
    best = int(kept.argmax())
    return float(shares[best]), float(kept[best])


def _plan(held: tuple[float, ...], points: int) -> Multiset:
    return tuple(round(threshold * (points - 1)) for threshold in held)


def _losses() -> tuple[tuple[Cell, ...], ...]:
    """List what each pure profile loses in a round against the optimal mixture."""
    rules = make_grid(coalition=2, against=2, grid=_DRAWN)
    mixture = on_grid(2, _DRAWN, against=2).repeated.coalition
    plans = rules.plans(2)
    payoffs = rules.payoffs(plans, [_plan(held, _DRAWN) for held, _ in mixture])
    losses = -payoffs @ np.array([weight for _, weight in mixture])
    held = rules.thresholds[np.array(plans)]
    return rows_of(*np.column_stack([held, losses]).tolist())


def draw(findings: Findings) -> "Figure":
    """Draw the losses of all profiles, and the profiles that are played."""
    from matplotlib.colors import BoundaryNorm
    from matplotlib.figure import Figure

    low, high, loss = np.array(findings.table("losses").rows, dtype=float).T
    grid = np.full((_DRAWN, _DRAWN), np.nan)
    at = np.rint(np.array([high, low]) * (_DRAWN - 1)).astype(int)
    grid[tuple(at)] = np.maximum(loss, 0)
    axis = np.linspace(0, 1, _DRAWN)
    figure = Figure(figsize=(6.4, 4.8), layout="constrained")
    axes = figure.add_subplot()
    levels = np.array([0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 2])
    picture = axes.contourf(axis, axis, grid, levels=levels, norm=BoundaryNorm(levels, 256), cmap="Blues")
    figure.colorbar(picture, label="loss in a round, antes", ticks=levels, format="%g")
    for held, weight in on_grid(2, _DRAWN, against=2).repeated.coalition:
        axes.plot(*held, "o", color="C3", ms=3 + 14 * weight**0.5, alpha=0.8, mew=0)
        if weight > 0.01:
            axes.annotate(
                f"{weight:.1%}", (held[0], held[1]), (8, -9), textcoords="offset points", fontsize=8
            )
    axes.axline((0, 0), slope=1, color="gray", lw=0.8)
    axes.set(
        title=f"2 v 2, {_DRAWN} points: profiles that are played",
        xlabel="lower threshold of a pair",
        ylabel="higher threshold",
        xlim=(-0.03, 1),
        ylim=(0, 1.03),
        aspect="equal",
    )
    return figure
