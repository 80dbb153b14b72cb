"""Figure 1: one player against two. Payoffs over player 1's threshold, and the way to the value of the whole game.

T(v) is the value of a round, if v is what player 1 expects of the rounds to come, per unit of their stakes. The
repeated game is worth the v with T(v) = v. Value iteration applies T again and again: from -1, player 1's fee for
leaving, and from 2, the coalition's. Newton's method replaces v by payoff / (1 - multiplier) of the optimum.
"""

from itertools import zip_longest
from typing import TYPE_CHECKING

import numpy as np

from maxmin.guts import GutsValue, round_payoffs
from maxmin.guts.continuum import against_mixture, find_saddle
from maxmin.studies.findings import Cell, Findings, Table, rows_of
from maxmin.studies.guts_solved import ABOUT_FIGURES, FINE, minus, on_grid, summarize, without_grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PAPER = {"value": -0.013, "player": 0.64, "bloc": 0.68, "weight": 0.86, "pseudo_bloc": 0.86}
"""What the paper has for the repeated game on 101 points, by fictitious play."""

_FEES = -1.0, 2.0
_LEAST_STAKES = 1e-6
"""At stakes 0 (v = -1) the equations for the continuum divide by 0; the value of a round is continuous in v."""

_STEPS = 24
_CLOSE = 1e-12
"""Antes; what is nearer to the value is drawn at this distance."""


def find() -> Findings:
    """Find strategies on grids and without one, payoffs over player 1's threshold, and both iterations."""
    full, reduced, continuum = on_grid(2), on_grid(2, reduced=True), without_grid(2)
    games = (
        (f"{FINE} points", full.repeated),
        (f"{FINE} points, reduced", reduced.repeated),
        ("no grid", continuum.repeated),
        (f"{FINE} points, one round", full.one_shot),
        (f"{FINE} points, reduced, one round", reduced.one_shot),
        ("no grid, one round", continuum.one_shot),
    )
    columns = ("game", "value", "lower", "upper", "player 1", "bloc", "its probability", "pseudo-bloc")
    paper = ("paper", PAPER["value"], None, None, *(PAPER[name] for name in list(PAPER)[1:]))
    rows = rows_of(paper, *((name, *_facts(value)) for name, value in games))
    steps = ("step", "from -1", "from 2", "Newton, from 0")
    held = ("threshold of player 1", "bloc", "pseudo-bloc", "mixture")
    curve = rows_of(*((v, round_value(v)) for v in np.linspace(*_FEES, 61).tolist()))
    return Findings(
        tables=(
            Table("strategies", "1 v 2: the value for player 1 and both sides' thresholds", columns, rows),
            Table("iteration", "The way to the value, without a grid", steps, _iterations()),
            Table("payoffs", "What player 1 gets, without a grid", held, _payoffs(continuum.repeated)),
            Table("rounds", "The value of a round if v is expected of the next", ("v", "T(v)"), curve),
        ),
        notes=(
            "The paper's value is that of the repeated game; a single round is worth less than half of it.",
            "On 101 points the full coalition splits a bloc between two grid points, as in (0.67, 0.68).",
            ABOUT_FIGURES,
        ),
    )


def _facts(found: GutsValue) -> tuple[Cell, ...]:
    return found.value, found.lower, found.upper, *summarize(found)


def _payoffs(found: GutsValue) -> tuple[tuple[Cell, ...], ...]:
    """Compute payoff + value * multiplier over thresholds of player 1, against each profile and the mixture."""
    p = np.linspace(0.4, 1, 61)
    held = [np.broadcast_to(profile, (len(p), 2)) for profile, _ in found.coalition]
    rounds = [round_payoffs(np.column_stack([p, profile])) for profile in held]
    bloc, pseudo_bloc = (alpha[:, 0] + found.value * beta for alpha, beta in rounds)
    (_, weight), _ = found.coalition
    mixture = weight * bloc + (1 - weight) * pseudo_bloc
    return rows_of(*np.column_stack([p, bloc, pseudo_bloc, mixture]).tolist())


def round_value(value: float) -> float:
    """Return T(v), found in floats."""
    return _mixed_value(value, value)


def _mixed_value(solved: float, value: float) -> float:
    """Return what the optimal strategies of a round with one v are worth in a round with another."""
    s = find_saddle(2, max(1 + solved, _LEAST_STAKES))
    return against_mixture(s.player, s.bloc, s.pseudo_bloc, s.weight, 2, 1 + value)[0]


def _newton(value: float) -> float:
    payoff = _mixed_value(value, 0.0)
    return payoff / (1 - (_mixed_value(value, 1.0) - payoff))


def _iterations() -> tuple[tuple[Cell, ...], ...]:
    below, above, newton = [_FEES[0]], [_FEES[1]], [0.0]
    for _ in range(_STEPS):
        below.append(round_value(below[-1]))
        above.append(round_value(above[-1]))
    while len(newton) < 2 or abs(newton[-1] - newton[-2]) > _CLOSE:
        newton.append(_newton(newton[-1]))
    return rows_of(*((k, *row) for k, row in enumerate(zip_longest(below, above, newton))))


def draw(findings: Findings) -> "Figure":
    """Draw payoffs over player 1's threshold, T with both staircases, and how fast all come near."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 3.9), layout="constrained")
    payoffs, rounds, errors = figure.subplots(1, 3)
    _draw_payoffs(payoffs, findings)
    _draw_rounds(rounds, findings)
    _draw_errors(errors, findings)
    return figure


def _draw_payoffs(axes: "Axes", findings: Findings) -> None:
    p, *curves = np.array(findings.table("payoffs").rows, dtype=float).T
    (best,) = (row for row in findings.table("strategies").rows if row[0] == "no grid")
    value, player, bloc, weight, pseudo_bloc = (float(best[at]) for at in (1, 4, 5, 6, 7))  # type: ignore[arg-type]
    labels = (
        f"bloc ({bloc:.3f}, {bloc:.3f})",
        f"pseudo-bloc (0, {pseudo_bloc:.3f})",
        f"mixture, {weight:.1%} bloc",
    )
    for curve, label, style in zip(curves, labels, ("C0--", "C1--", "k-"), strict=True):
        axes.plot(p, curve, style, label=label)
    axes.plot(player, value, "ko", ms=5)
    words = f"({player:.4f}, {minus(f'{value:.4f}')})"
    axes.annotate(
        words, (player, value), (-100, 20), textcoords="offset points", arrowprops={"arrowstyle": "-"}
    )
    axes.set(
        title="What player 1 gets, by his threshold",
        xlabel="threshold of player 1",
        ylabel="antes, of a round and those to come",
        ylim=(-0.12, 0.03),
        xlim=(0.4, 0.9),
    )
    axes.legend(loc="lower left", fontsize=8)


def _draw_rounds(axes: "Axes", findings: Findings) -> None:
    v, worth = np.array(findings.table("rounds").rows, dtype=float).T
    steps = np.array(findings.table("iteration").rows, dtype=float).T
    axes.plot(v, worth, "k-", label="T(v), the value of a round")
    axes.plot(v, v, color="gray", lw=0.8, label="v")
    for path, color, label in ((steps[1], "C0", "from −1"), (steps[2], "C3", "from 2")):
        corners = np.repeat(path, 2)
        axes.plot(corners[:-1], corners[1:], color=color, lw=1, label=f"value iteration {label}")
    axes.set(
        title="Value iteration",
        xlabel="v: expected of the rounds to come, antes",
        ylabel="antes",
        xlim=_FEES,
    )
    axes.legend(loc="upper left", fontsize=8)


def _draw_errors(axes: "Axes", findings: Findings) -> None:
    steps, *paths = np.array(findings.table("iteration").rows, dtype=float).T
    (value,) = (row[1] for row in findings.table("strategies").rows if row[0] == "no grid")
    labels = ("value iteration from −1", "value iteration from 2", "Newton's method from 0")
    for path, label, style in zip(paths, labels, ("C0.-", "C3.-", "C2s-"), strict=True):
        distance = np.abs(path - float(value))  # type: ignore[arg-type]
        axes.semilogy(steps, np.maximum(distance, _CLOSE), style, ms=5, lw=1, label=label)
    axes.set(title="How fast", xlabel="steps", ylabel="distance from the value, antes", ylim=(_CLOSE / 3, 5))
    axes.grid(alpha=0.3)
    axes.legend(loc="upper right", fontsize=8)
