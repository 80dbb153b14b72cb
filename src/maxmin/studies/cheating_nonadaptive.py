"""A cheat that is not known of, over the probability of cheating, beside one that is known of.

The other player keeps to its fair strategy; the cheat answers it whenever it sees the cards. Its gain is linear
in how often it cheats. If the probability is known, the other one adapts: the value is concave (player 1's
cheat) or convex (player 2's), and leaves the line where adapting begins to pay.
"""

from fractions import Fraction
from typing import TYPE_CHECKING

from maxmin.non_adaptive import answer
from maxmin.sources import load_tree
from maxmin.studies.findings import Findings, Table
from maxmin.studies.kuhn_hands import behavior, fair_player_1, fair_player_2, name_of, value

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_ODDS = tuple(Fraction(step, 12) for step in range(13))
_COLUMNS = ("cheats with", "not known of", "known of", "difference")


def find() -> Findings:
    """Compute both curves of both players exactly."""
    return Findings(
        tables=(
            Table("player-1", "Player 1 cheats: what it gets", _COLUMNS, tuple(map(_player_1, _ODDS))),
            Table("player-2", "Player 2 cheats: what player 1 gets", _COLUMNS, tuple(map(_player_2, _ODDS))),
        ),
        notes=(
            "Up to 1/3 there is no difference: against a rare cheat the fair strategy is still optimal.",
            "Player 1's fair strategy is that with a = 0; every a from 0 to 1/3 gives the same figures.",
        ),
    )


def _player_1(odds: Fraction) -> tuple[Fraction, ...]:
    tree = load_tree(name_of(p=odds))
    unknown, _ = answer(tree, 1, behavior(tree, 2, fair_player_2()))
    known = value(name_of(p=odds))
    return odds, unknown, known, unknown - known


def _player_2(odds: Fraction) -> tuple[Fraction, ...]:
    tree = load_tree(name_of(q=odds))
    left, _ = answer(tree, 2, behavior(tree, 1, fair_player_1(Fraction(0))))
    known = value(name_of(q=odds))
    return odds, -left, known, -left - known


def draw(findings: Findings) -> "Figure":
    """Draw both curves of both players."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 3.4), layout="constrained")
    for axes, table in zip(figure.subplots(1, 2), findings.tables, strict=True):
        odds = [float(number) for number in table.column("cheats with")]  # type: ignore[arg-type]
        for name, style in (("not known of", "--"), ("known of", "-")):
            axes.plot(odds, [float(number) for number in table.column(name)], style, label=name)  # type: ignore[arg-type]
        axes.set(title=table.title, xlabel="probability of cheating")
        axes.grid(alpha=0.3)
        axes.legend()
    return figure
