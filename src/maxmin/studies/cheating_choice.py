"""Cheating as a choice: each player decides, in secret and before the deal, whether to cheat; checks deter it.

A player who may cheat can always be honest, so the choice never costs it anything. It is deterred where the
choice is worth nothing: where the value is that of the fair game. Let player 1 alone be deterred from s on, and
player 2 alone from r on. If both may cheat, both are deterred from r = s = the larger of the two on: each then has
an honest strategy that holds a cheating opponent to the value of the fair game, and the two are an equilibrium.
"""

from fractions import Fraction
from typing import TYPE_CHECKING

from maxmin.studies.findings import Cell, Findings, Table
from maxmin.studies.kuhn_hands import FAIR, READINGS, name_of, value

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_CURVE = tuple(Fraction(step, 48) for step in range(17))
"""From no checks to one in three; every cheat is deterred before."""

_HALVINGS = 16
_SIMPLE = 100
"""Two fractions with denominators up to this differ by more than the interval that halving leaves."""


def find() -> Findings:
    """Find thresholds and curves in every reading."""
    thresholds: list[tuple[Cell, ...]] = []
    curves: list[tuple[Cell, ...]] = []
    for options in READINGS:
        reading = ", ".join(options.values())
        first, second = threshold(1, options), threshold(2, options)
        thresholds.append((reading, first, second, max(first, second)))
        curves += [(reading, x, _value(1, x, options), _value(2, x, options)) for x in _CURVE]
    return Findings(
        tables=(
            Table(
                "thresholds",
                "The least probability of checking that deters a cheat",
                ("reading", "player 1, from s", "player 2, from r", "both, from r = s"),
                tuple(thresholds),
            ),
            Table(
                "curves",
                "The value for player 1, if one may cheat and is checked on with probability x",
                ("reading", "x", "player 1 may cheat", "player 2 may cheat"),
                tuple(curves),
            ),
        ),
        notes=(
            f"Deterred means that the value is {FAIR}, as in the fair game: the choice to cheat is worth nothing.",
            "A fraction: the value is fair there, and is not a hundred-thousandth below, both exactly. A decimal: "
            "the threshold is no fraction with a denominator up to 100; it is rounded up to 5 digits.",
        ),
    )


def threshold(player: int, options: dict[str, str]) -> Fraction | float:
    """Return the probability of checking from which on a player's choice to cheat is worth nothing."""
    low, high = Fraction(0), Fraction(1)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _value(player, middle, options) == FAIR:
            high = middle
        else:
            low = middle
    simple = ((low + high) / 2).limit_denominator(_SIMPLE)
    if low < simple <= high and _value(player, simple, options) == FAIR:
        return simple
    return float(f"{float(high):.5f}")


def _value(player: int, x: Fraction, options: dict[str, str]) -> Fraction:
    odds = {"p": "choice", "s": x} if player == 1 else {"q": "choice", "r": x}
    return value(name_of(**odds, **options))


def draw(findings: Findings) -> "Figure":
    """Draw the curves of each reading."""
    import numpy as np
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.8), layout="constrained")
    table, thresholds = findings.table("curves"), findings.table("thresholds").rows
    for index, (axes, name) in enumerate(zip(figure.subplots(1, 2), table.columns[2:], strict=True), 2):
        alike: dict[tuple[Cell, ...], list[str]] = {}
        for reading in dict.fromkeys(map(str, table.column("reading"))):
            curve = tuple(row[index] for row in table.rows if row[0] == reading)
            alike.setdefault(curve, []).append(reading)
        for curve, readings in alike.items():
            label = "\n= ".join(readings)
            (kink,) = [row[index - 1] for row in thresholds if row[0] == readings[0]]
            points = sorted(zip((*_CURVE, kink), (*curve, FAIR), strict=True))
            axes.plot(*np.array(points, dtype=float).T, label=label, lw=1.2)
        axes.axhline(float(FAIR), color="black", lw=0.6, ls=":")
        axes.set(title=name, xlabel="probability of checking", ylabel="value for player 1", xlim=(0, 1 / 3))
        axes.legend(fontsize=6.5)
    return figure
