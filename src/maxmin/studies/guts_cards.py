"""Beyond the paper: guts with two cards from one deck, the weenie rule, and whole games played with chips.

With cards there are ties, and a hand tells something of the others'. Thresholds are classes of hands; what either
side could gain by holding with other sets of classes is computed as well. The weenie rule: if nobody holds, the
best hand pays a pot. Of that the paper's abstract says that the Nash equilibrium is optimal against coalitions.
"""

from typing import TYPE_CHECKING

import numpy as np

from maxmin.guts import GutsValue, solve_guts
from maxmin.guts.card_coalition import CardSolution, solve_card_guts
from maxmin.guts.card_rules import TIES
from maxmin.guts.result import Mixture
from maxmin.guts.simulate import simulate
from maxmin.studies.findings import Cell, Findings, Table
from maxmin.studies.guts_solved import FINE, on_grid

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_GAMES, _SEED = 500_000, 1
_SIMULATED = (2, 5)
"""Coalitions whose games are played with chips."""

_CARDS = (
    "ties",
    "weenie rule",
    "one round",
    "repeated",
    "lower",
    "upper",
    "player 1",
    "coalition",
    "player 1's gain",
    "coalition's gain",
)
_RULES = (
    "N",
    "points",
    "weenie, one round",
    "weenie, repeated",
    "Nash threshold",
    "player 1",
    "without the rule",
)
_PLAYED = ("game", "value", "mean", "standard error", "deviations", "growth", "largest pot", "rounds")


def find() -> Findings:
    """Solve the card game under each rule for ties, the weenie rule on grids, and play games with chips."""
    cards = tuple(_with_cards(ties, weenie) for weenie in (False, True) for ties in TIES)
    return Findings(
        tables=(
            Table("two-cards", "1 v 2 with two cards of 52: the value for player 1", _CARDS, cards),
            Table(
                "weenie",
                "The weenie rule on grids",
                _RULES,
                tuple(_weenie(n, m) for n, m in ((2, 51), (2, 101), (3, 31))),
            ),
            Table(
                "chips",
                f"The repeated value, and {_GAMES:,} games with chips",
                _PLAYED,
                tuple(map(_play, _SIMULATED)),
            ),
        ),
        notes=(
            "Ties: lot, one of the best by lot; split, they share; first and last, player 1 wins or loses ties.",
            "Gains: the most that a side would get more in a round by holding with any other set of hands.",
            "With the weenie rule the threshold of the symmetric equilibrium is 3^(-1/N). A coalition gains "
            "nothing where that is nearly a grid point, and little on the other grids.",
            "Growth: the mean square of the stakes' multiplier; the standard error means something below 1.",
        ),
    )


def _with_cards(ties: str, weenie: bool) -> tuple[Cell, ...]:
    found = solve_card_guts(cards=2, ties=ties, weenie=weenie)
    worth = found.repeated
    sides = _hands(found, worth.player), _hands(found, worth.coalition)
    gains = found.gain_of_player, found.gain_of_coalition
    rule = "yes" if weenie else "no"
    return ties, rule, found.one_shot.value, worth.value, worth.lower, worth.upper, *sides, *gains


def _hands(found: CardSolution, mixture: Mixture) -> str:
    parts = (f"{weight:.1%} {', '.join(map(found.hand, held))}" for held, weight in mixture)
    return "; ".join(parts)


def weenie_threshold(players: int) -> float:
    """Return the threshold of the symmetric equilibrium with the weenie rule: N players all drop one time in 3."""
    return float(3 ** (-1 / players))


def _weenie(players: int, points: int) -> tuple[Cell, ...]:
    found = solve_guts(coalition=players, grid=points, weenie=True)
    mean = sum(weight * held[0] for held, weight in found.repeated.player)
    values = found.one_shot.value, found.repeated.value
    plain = on_grid(players, points).repeated.value
    return players, points, *values, weenie_threshold(players), mean, plain


def _play(players: int) -> tuple[Cell, ...]:
    found: GutsValue = on_grid(players).repeated
    played = simulate(found.player, found.coalition, games=_GAMES, seed=_SEED)
    deviations = (played.mean - found.value) / played.standard_error
    facts = played.growth, played.largest_pot, played.rounds
    return (
        f"1 v {players}, {FINE} points",
        found.value,
        played.mean,
        played.standard_error,
        deviations,
        *facts,
    )


def draw(findings: Findings) -> "Figure":
    """Draw the value with cards by rule."""
    from matplotlib.figure import Figure

    rows = findings.table("two-cards").rows
    place = np.arange(len(TIES))
    figure = Figure(figsize=(6, 3.6), layout="constrained")
    axes = figure.add_subplot()
    for shift, rule, color, label in (
        (-0.2, "no", "C3", "nobody holds: redeal"),
        (0.2, "yes", "C0", "weenie rule"),
    ):
        values = [float(row[3]) for row in rows if row[1] == rule]  # type: ignore[arg-type]
        bars = axes.bar(place + shift, values, 0.4, color=color, label=label)
        axes.bar_label(bars, fmt="{:.4f}", fontsize=7)  # some are too near to 0 to be seen
    axes.axhline(0, color="black", lw=0.8)
    axes.axhline(on_grid(2).repeated.value, color="gray", ls="--", lw=1, label=f"no cards, {FINE} points")
    words = ("by lot", "shared", "to player 1", "against player 1")
    axes.set(
        title="1 v 2 with two cards, repeated game",
        xlabel="ties",
        ylabel="value for player 1, antes",
        xticks=place,
        xticklabels=words,
    )
    axes.legend(loc="lower left", fontsize=8)
    return figure
