"""Tables I and II: optimal strategies of fair Kuhn poker (Kuhn 1950), and what each of them guarantees.

Player 1 has a family of them, with a parameter a from 0 to 1/3; player 2 has one. The paper's Gambit found a = 0.
"""

from fractions import Fraction

from maxmin.exact import solve_exact
from maxmin.non_adaptive import answer
from maxmin.sources import load_tree
from maxmin.studies.findings import Cell, Findings, Table
from maxmin.studies.kuhn_hands import CARDS, FAIR, behavior, fair_player_1, fair_player_2

_FORMULAS = {"3": "3a", "3 cb": "1", "2": "0", "2 cb": "a + 1/3", "1": "a", "1 cb": "0"}
_SHOWN = tuple(Fraction(number) for number in ("0", "1/6", "1/3"))
_TRIED = (*_SHOWN, Fraction(1, 3) + Fraction(1, 100))


def find() -> Findings:
    """Lay out both tables, and the exact best responses to every strategy in them."""
    return Findings(
        tables=(_player_1(), _player_2(), _guarantees()),
        notes=(
            f"The value is {FAIR} for player 1, from both sides: exact linear program, exact best responses.",
            "Every a from 0 to 1/3 is optimal: what is guaranteed is linear in a between the rows that are shown.",
        ),
    )


def _player_1() -> Table:
    tables = [fair_player_1(a) for a in _SHOWN]
    rows: list[tuple[Cell, ...]] = [
        (*_situation(label), _FORMULAS[label], *(table[label] for table in tables)) for label in _FORMULAS
    ]
    columns = ("card", "situation", "bets or calls", *(f"a = {a}" for a in _SHOWN))
    return Table("player-1", "Table I: player 1, fair", columns, tuple(rows))


def _player_2() -> Table:
    rows = tuple((*_situation(label), odds) for label, odds in fair_player_2().items())
    return Table("player-2", "Table II: player 2, fair", ("card", "situation", "bets or calls"), rows)


def _situation(label: str) -> tuple[str, str]:
    card, _, history = label.partition(" ")
    words = {"": "first to act", "cb": "check, then a bet", "c": "after a check", "b": "after a bet"}
    return CARDS[card], words[history]


def _guarantees() -> Table:
    """Best respond to every strategy: player 1 is sure of what player 2 leaves it, and the other way round."""
    tree = load_tree("kuhn_cheating")
    rows: list[tuple[Cell, ...]] = []
    for a in _TRIED:
        if a <= Fraction(1, 3):
            left, _ = answer(tree, 2, behavior(tree, 1, fair_player_1(a)))
        else:  # bets with a king cannot exceed 1: 3a is cut there
            left, _ = answer(tree, 2, behavior(tree, 1, fair_player_1(a) | {"3": Fraction(1)}))
        rows.append((f"player 1, a = {a}", -left, FAIR, "yes" if -left == FAIR else "no"))
    got, _ = answer(tree, 1, behavior(tree, 2, fair_player_2()))
    solved = solve_exact(tree).value
    rows.append(("player 2", got, FAIR, "yes" if got == FAIR else "no"))
    rows.append(("exact linear program", solved, FAIR, "yes" if solved == FAIR else "no"))
    columns = ("strategy", "player 1 then gets", "paper's value", "optimal")
    return Table("guarantees", "What each strategy guarantees", columns, tuple(rows))
