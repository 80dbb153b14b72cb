"""Beyond the paper: coalitions whose members mix each on their own, beside those that agree on joint profiles.

The paper leaves these open. Without a grid the answer is a theorem: they gain nothing over the symmetric Nash
equilibrium (docs/theory/guts-continuum.md). On a grid a search finds the upper bound.
"""

from typing import TYPE_CHECKING

import numpy as np

from maxmin.guts import round_payoffs, solve_asynchronous
from maxmin.guts.asynchronous import nash_threshold
from maxmin.studies.findings import Cell, Findings, Table
from maxmin.studies.guts_solved import COARSE, FINE, without_grid

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_GRIDS = (COARSE, FINE)
_COALITIONS = (2, 3, 4, 5, 10, 15)
_SMALL = (2, 3, 4, 5)
_DRAWN = 2
_THRESHOLDS = np.linspace(0.5, 0.95, 91)


def find() -> Findings:
    """Find what members leave to player 1, with a joint draw and without, and what one threshold for all leaves."""
    grids = tuple(_on_grid(n, points) for points in _GRIDS for n in _SMALL)
    values = ("N", "Nash threshold", "agreed, one round", "agreed, repeated", "alone, lower", "alone, upper")
    found = ("N", "points", "agreed", "alone, lower", "alone, upper", "starts", "ended at the best")
    left = ("threshold", "pure bloc", "best threshold of player 1")
    return Findings(
        tables=(
            Table(
                "continuum", "No grid: the value for player 1", values, tuple(map(_without_grid, _COALITIONS))
            ),
            Table("grids", "Repeated value on grids", found, grids),
            Table("blocs", f"One round, N = {_DRAWN}: what a pure bloc leaves to player 1", left, _blocs()),
        ),
        notes=(
            "Agreed: a joint draw each round. Alone: each member mixes on its own; bounds of the repeated value.",
            "Without a grid members alone leave exactly 0, for every N, and so does the Nash equilibrium; "
            "the upper bound is that of its threshold, rounded.",
            "On a grid player 1 and the members are hampered by turns, so that a little less than 0 can be left.",
        ),
    )


def _without_grid(players: int) -> tuple[Cell, ...]:
    found = solve_asynchronous(coalition=players)
    agreed = found.synchronous_one_shot.value, found.synchronous_repeated.value
    return players, nash_threshold(players), *agreed, found.repeated.lower, found.repeated.upper


def _on_grid(players: int, points: int) -> tuple[Cell, ...]:
    found = solve_asynchronous(coalition=players, grid=points)
    bounds = found.repeated.lower, found.repeated.upper
    return players, points, found.synchronous_repeated.value, *bounds, found.starts, found.reached


def _blocs() -> tuple[tuple[Cell, ...], ...]:
    """Compute player 1's best payoff in one round against (q, q), over thresholds on a fine grid."""
    own = np.linspace(0, 1, 2001)
    rows = []
    for q in _THRESHOLDS.tolist():
        alpha, _ = round_payoffs(np.column_stack([own, *[np.full_like(own, q)] * _DRAWN]))
        best = int(alpha[:, 0].argmax())
        rows.append((q, float(alpha[best, 0]), float(own[best])))
    return tuple(rows)


def draw(findings: Findings) -> "Figure":
    """Draw what a pure bloc leaves, and what members who agree take."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.6), layout="constrained")
    blocs, values = figure.subplots(1, 2)
    q, left, _ = np.array(findings.table("blocs").rows, dtype=float).T
    nash, agreed = nash_threshold(_DRAWN), without_grid(_DRAWN).one_shot.value
    blocs.plot(q, left, "C0-", label="both at one threshold")
    blocs.plot(nash, 0, "ko", ms=5, label=f"Nash: {nash:.4f}")
    blocs.axhline(agreed, color="C3", ls="--", label="the two agree on a joint draw")
    blocs.set(
        title="1 v 2, one round",
        xlabel="threshold of both members",
        ylabel="left to player 1 at most, antes",
        xlim=(0.55, 0.8),
        ylim=(-0.02, 0.12),
    )
    blocs.legend(loc="upper left", fontsize=8)
    rows = np.array(findings.table("continuum").rows, dtype=float).T
    place = np.arange(len(rows[0]))
    values.bar(place - 0.2, -rows[2], 0.4, color="C0", label="agreed, one round")
    values.bar(place + 0.2, -rows[3], 0.4, color="C3", label="agreed, repeated game")
    values.plot(place, -rows[4], "ko", ms=5, label="alone, both: 0")
    values.set(
        title="What a coalition takes from player 1",
        xlabel="N, players of the coalition",
        ylabel="antes",
        xticks=place,
        xticklabels=[f"{n:g}" for n in rows[0]],
    )
    values.legend(loc="upper left", fontsize=8)
    return figure
