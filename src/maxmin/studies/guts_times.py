"""Run times then and now: the paper's games by fictitious play, as it did, and by Newton's method.

Times are CPU seconds of this process, measured while the study runs. The paper's are of its own machine, in Python;
fictitious play here runs in C++ on multisets in place of all profiles, and so is much faster than the paper's.
"""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from maxmin.guts import solve_continuum, solve_guts, solve_limit
from maxmin.studies.findings import Cell, Findings, Table
from maxmin.studies.guts_solved import COALITIONS, COARSE, FINE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MINUTES, _HOUR = "minutes", "over an hour"
_GAMES: tuple[tuple[str, str | None, dict[str, Any]], ...] = (
    (f"1 v 2, {FINE} points", _MINUTES, {"coalition": 2, "grid": FINE}),
    (f"1 v 3, {COARSE} points", None, {"coalition": 3, "grid": COARSE}),
    (f"1 v 4, {COARSE} points", None, {"coalition": 4, "grid": COARSE}),
    (f"1 v 5, {COARSE} points", _HOUR, {"coalition": 5, "grid": COARSE}),
    (f"2 v 2, {COARSE} points", None, {"coalition": 2, "against": 2, "grid": COARSE}),
)
"""The full games that the paper solved, and what is known of its times: from minutes for N = 2 to N = 5."""

_TABLE = f"1 v 2..15, {FINE} points, reduced"


def find() -> Findings:
    """Solve each game of the paper both ways, and ours without a grid, and take the time."""
    solve_limit()  # FLINT is imported here
    rows = [_both_ways(*game) for game in _GAMES]
    rows.append((_TABLE, None, None, None, *_measure(_reduced_games)))
    rows.append(("1 v 2, no grid", None, None, None, *_measure(lambda: solve_continuum(coalition=2).gap)))
    rows.append(
        ("1 v 1000, no grid", None, None, None, *_measure(lambda: solve_continuum(coalition=1000).gap))
    )
    rows.append(("N to infinity", None, None, None, *_measure(_limit_gap)))
    columns = ("game", "paper", "fictitious play, s", "its gap", "maxmin, s", "gap")
    return Findings(
        tables=(
            Table(
                "times", "CPU seconds for the repeated value, and the gap of the bounds", columns, tuple(rows)
            ),
        ),
        notes=(
            "Fictitious play: value iteration as in the paper, 10,000 plays a step, until a step moves the value "
            "no further than they are exact. Both ways give one round and the repeated game.",
            "The paper's times are of other machines and of Python; it gives no bounds.",
            "Times differ from run to run.",
        ),
    )


def _both_ways(name: str, paper: str | None, game: dict[str, Any]) -> tuple[Cell, ...]:
    play = _measure(lambda: solve_guts(**game, method="fictitious_play").gap)
    return name, paper, *play, *_measure(lambda: solve_guts(**game).gap)


def _measure(solve: Callable[[], float]) -> tuple[float, float]:
    """Return CPU seconds, and the gap that was found."""
    start = time.process_time()
    gap = solve()
    return time.process_time() - start, gap


def _reduced_games() -> float:
    return max(solve_guts(coalition=n, grid=FINE, reduced=True).gap for n in COALITIONS)


def _limit_gap() -> float:
    found = solve_limit().repeated
    return found.upper - found.lower


def draw(findings: Findings) -> "Figure":
    """Draw the times as bars; the paper's as the least that its words say."""
    from matplotlib.figure import Figure

    rows = findings.table("times").rows
    place = np.arange(len(rows))
    said = {_MINUTES: 120.0, _HOUR: 3600.0}
    paper = [said.get(str(row[1]), np.nan) for row in rows]
    play, newton = np.array([[row[2], row[4]] for row in rows], dtype=float).T
    figure = Figure(figsize=(7.5, 4), layout="constrained")
    axes = figure.add_subplot()
    for shift, seconds, color, label in (
        (-0.27, paper, "gray", "paper (“minutes”: 2 minutes; “over an hour”: 1 hour)"),
        (0, play, "C3", "fictitious play, in C++"),
        (0.27, newton, "C0", "maxmin"),
    ):
        axes.barh(place + shift, seconds, 0.25, color=color, label=label)
    axes.set(
        title="Time for the value of the repeated game",
        xscale="log",
        xlim=(1e-4, 1e5),
        xlabel="CPU seconds",
        yticks=place,
        yticklabels=[row[0] for row in rows],
    )
    axes.invert_yaxis()
    axes.legend(loc="lower right", fontsize=8)
    return figure
