"""Kuhn poker with cheating and detection, written a second time: no tree, no maxmin, only fractions.

The rules are a list of leaves; the value is that of the sequence form, by a simplex method in fractions.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product

HISTORIES = {"cc": (1, 1), "cbf": (1, 2), "cbk": (2, 2), "bf": (2, 1), "bk": (2, 2)}
"""How a hand can go, and what each player then has put in."""

Leaf = tuple[Fraction, dict[str, bool], tuple[int, int], str]


def leaves(odds: dict[str, Fraction]) -> Iterator[Leaf]:
    """List probability, what happened (p, q, r, s), cards and history of everything that can happen."""
    for happened in product((False, True), repeat=4):
        flags = dict(zip("pqrs", happened, strict=True))
        chance = Fraction(1, 6)
        for name, flag in flags.items():
            chance *= odds.get(name, Fraction(0)) if flag else 1 - odds.get(name, Fraction(0))
        for cards in permutations((1, 2, 3), 2):
            for history in HISTORIES:
                yield chance, flags, cards, history


def fair_payoff(cards: tuple[int, int], history: str) -> int:
    paid = HISTORIES[history]
    if history.endswith("f"):
        return 1 if history == "bf" else -1
    return min(paid) if cards[0] > cards[1] else -min(paid)


def payoff(flags: dict[str, bool], cards: tuple[int, int], history: str, amount: str) -> int:
    first, second = flags["r"] and flags["q"], flags["s"] and flags["p"]
    if first == second:
        return 0 if first else fair_payoff(cards, history)
    paid = HISTORIES[history]
    win = {"matched": min(paid), "pot": paid[1] if first else paid[0], "ante": 1}[amount]
    return win if first else -win


def view(player: int, flags: dict[str, bool], cards: tuple[int, int], know: str) -> tuple[object, ...]:
    cheats, checks, other = (("p", "r", "q"), ("q", "s", "p"))[player]
    found: object = None
    if know == "before_full" and flags[checks]:
        found = flags[other]
    elif know == "before_hit":
        found = flags[checks] and flags[other]
    return cards[player], cards[1 - player] if flags[cheats] else None, found


def value(odds: dict[str, Fraction], *, know: str = "before_hit", amount: str = "matched") -> Fraction:
    """Return what player 1 can guarantee.

    Payoffs are shifted to be positive, so flow that gets lost only hurts: equations may be inequalities.
    """
    shift = 3
    columns: dict[object, int] = {}
    rows: dict[object, dict[int, Fraction]] = {}
    roots: set[int] = set()

    def column(key: object) -> int:
        return columns.setdefault(key, len(columns))

    for chance, flags, cards, history in leaves(odds):
        if not chance:
            continue
        ours, theirs = _sequences(flags, cards, history, know)
        parent: object = "root"
        for sequence in ours:
            infoset = sequence[:-1]
            rows.setdefault(("flow", infoset), {})[column(sequence)] = Fraction(1)
            if parent != "root":
                rows["flow", infoset][column(parent)] = Fraction(-1)
            parent = sequence
        (reply,) = theirs
        worth = column(("worth", reply[:-1]))
        roots.add(worth)
        row = rows.setdefault(("worth", reply), {})
        row[worth] = Fraction(1)
        gain = chance * (payoff(flags, cards, history, amount) + shift)
        row[column(parent)] = row.get(column(parent), Fraction(0)) - gain
    roots_of_flow = [
        key for key, row in rows.items() if key[0] == "flow" and all(entry > 0 for entry in row.values())
    ]
    table = [[row.get(index, Fraction(0)) for index in range(len(columns))] for row in rows.values()]
    right = [Fraction(key in roots_of_flow) for key in rows]
    cost = [Fraction(index in roots) for index in range(len(columns))]
    return maximum(table, right, cost) - shift


def _sequences(flags: dict[str, bool], cards: tuple[int, int], history: str, know: str):
    """List the decisions of each player on the way: view, what was heard, action."""
    moves: tuple[list[tuple[object, ...]], list[tuple[object, ...]]] = ([], [])
    for index, letter in enumerate(history):
        player = index % 2
        moves[player].append((view(player, flags, cards, know), history[:index], letter))
    return moves


def maximum(table: list[list[Fraction]], right: list[Fraction], cost: list[Fraction]) -> Fraction:
    """Maximize cost x under table x <= right, x >= 0, where right >= 0: simplex, Bland's rule."""
    rows = [[*row, bound] for row, bound in zip(table, right, strict=True)]
    last = [-entry for entry in cost] + [Fraction(0)]
    n_columns = len(cost)
    zero = list(range(n_columns))
    basic = list(range(n_columns, n_columns + len(rows)))
    while improving := [index for index in range(n_columns) if last[index] < 0]:
        enter = min(improving, key=zero.__getitem__)
        bounding = [row for row in range(len(rows)) if rows[row][enter] > 0]
        leave = min(bounding, key=lambda row: (rows[row][-1] / rows[row][enter], basic[row]))
        pivot = rows[leave][enter]
        rows[leave] = [entry / pivot for entry in rows[leave]]
        rows[leave][enter] = 1 / pivot
        used = [(index, entry) for index, entry in enumerate(rows[leave]) if entry and index != enter]
        for row in [*rows[:leave], *rows[leave + 1 :], last]:
            factor = row[enter]
            if factor:
                for index, entry in used:
                    row[index] -= factor * entry
                row[enter] = -factor / pivot
        zero[enter], basic[leave] = basic[leave], zero[enter]
    return last[-1]
