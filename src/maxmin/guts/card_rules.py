"""One round of guts with real cards, player 1 against two others, by thresholds over the classes of hands.

A threshold p is the weakest class that is held (n_classes: none is). What remains to be said of real cards is what
a tie does. In all rules, with the pot 3 at stakes 1, m times as high after the round, and `cash` what a player
takes from the pot less what he pays into it, the ante at the end brings him

    m - 1 + cash        he is credited m - 1 further antes that nobody will be asked for; if m = 0 he pays his ante

    ties      the best hand that is held is held by several
    "lot"     one of them, drawn by lot, has won and the others have lost, as if the suits decided
    "first"   player 1 wins against equal hands
    "last"    player 1 loses against equal hands
    "split"   they share the pot and pay nothing; the others pay a pot each. If all holders share, nobody pays:
              the pot is gone and the game ends, as it does with a single holder

So with r holders of whom k win (k = 1 but for "split") m = r - k, and with none m = 1. With the weenie rule, if
nobody holds, who has the best hand pays a pot (m = 2); equal hands share that, or one pays, by the same rule.

Let h_i be how often i holds, T_i how often he does not pay then, S_1 what player 1 gets of the pots on average, Q
how often nobody holds, L_1 how often player 1 is the weenie, w = 1 with the weenie rule and else 0:

    beta  = sum of (h_i - T_i) + (1 + w) Q            alpha_1 = beta - 1 + 3 (S_1 + T_1 - h_1 - w L_1)

All are sums of `Deals.below` over player 1's hand a: the others do not beat it if their hands are below max(q, a)
and max(r, a); or a + 1 in place of a, where ties do not harm. A lot weighs the four cases by 1/3, 1/6, 1/6, 1/3.
Counts are whole numbers, of sixths of deals; a payoff is rounded once.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from maxmin.errors import UnknownNameError
from maxmin.guts.card_deals import Deals
from maxmin.guts.card_hands import Counts
from maxmin.matrix.oracle import Plan
from maxmin.tree import Floats

TIES = ("lot", "split", "first", "last")
"""What a tie may do; see the head of this file."""

PLAYERS = 3

_Bound: TypeAlias = Callable[[Any, Any], Any]

_CORNERS = {"first": ((1, 1, 6),), "last": ((0, 0, 6),), "lot": ((0, 0, 2), (0, 1, 1), (1, 0, 1), (1, 1, 2))}
"""With a + which of 0 and 1 for the two others a hand a is compared, and the weight in sixths."""


class Chances(NamedTuple):
    """Sixths of deals in which something happens, for an array of profiles of thresholds."""

    unpaid: Counts  # T_1
    share: Counts  # S_1
    others_unpaid: Counts  # T_2 + T_3
    none: Counts  # Q
    weenie: Counts  # w L_1
    held: Counts  # h_1
    others_held: Counts  # h_2 + h_3


class CardGuts:
    """A round of guts with cards; a `maxmin.recursive.StateOracle` with one state.

    A row is a threshold, a column two of them in ascending order: the seats of the coalition are alike.

    Parameters
    ----------
    deals
    ties
        One of `TIES`.
    weenie
        Whether the best hand pays if nobody holds.

    Raises
    ------
    UnknownNameError
        If there is no such rule for ties.
    """

    def __init__(self, deals: Deals, *, ties: str = "lot", weenie: bool = False) -> None:
        if ties not in TIES:
            raise UnknownNameError(f"there is no rule {ties!r} for ties: there are {', '.join(TIES)}")
        self.deals, self.ties, self.weenie = deals, ties, weenie
        self.places: Counts = np.arange(len(deals.classes) + 1)
        hands = 6 * deals.total // deals.hand_total * deals.ways
        self._held: Counts = _above(hands)
        self._rows: dict[Plan, tuple[Floats, Floats]] = {}
        self._columns: dict[Plan, tuple[Floats, Floats]] = {}

    def payoffs(self, rows: Sequence[Plan], columns: Sequence[Plan]) -> Floats:
        """Return what player 1 gets in one round, (n_rows, n_columns) float64."""
        places: Any = list(rows)
        return np.stack([self.column(column)[0][places] for column in columns], axis=1)

    def multipliers(self, rows: Sequence[Plan], columns: Sequence[Plan]) -> Floats:
        """Return how the stakes are multiplied, (1, n_rows, n_columns) float64."""
        places: Any = list(rows)
        return np.stack([self.column(column)[1][places] for column in columns], axis=1)[None]

    def best_row(self, columns: Sequence[Plan], weights: Floats, values: Floats) -> tuple[Plan, float]:
        """Return player 1's best threshold against a mixture of columns, and what it gets."""
        worth = self.against_columns(columns, weights, float(values[0]))
        return int(worth.argmax()), float(worth.max())

    def best_column(self, rows: Sequence[Plan], weights: Floats, values: Floats) -> tuple[Plan, float]:
        """Return the coalition's best thresholds against a mixture of rows, and what player 1 gets."""
        worth = self.against_rows(rows, weights, float(values[0]))
        place = int(worth.argmin())
        return tuple(sorted(divmod(place, len(worth)))), float(worth.flat[place])

    def start(self) -> tuple[Plan, Plan]:
        """Return thresholds at which two of three hands are dropped; the optimum is near."""
        at = int(np.searchsorted(self.deals.drop, 2 / 3))
        return at, (at, at)

    def against_columns(self, columns: Sequence[Plan], weights: Floats, value: float) -> Floats:
        """Return what each threshold of player 1 gets with `value` to come: (n_classes + 1,)."""
        return _mean(map(self.column, columns), weights, value)

    def against_rows(self, rows: Sequence[Plan], weights: Floats, value: float) -> Floats:
        """Return what each pair of thresholds of the others leaves player 1: (n_classes + 1, n_classes + 1)."""
        return _mean(map(self.row, rows), weights, value)

    def column(self, thresholds: Any) -> tuple[Floats, Floats]:
        """Return alpha_1 and beta of every threshold of player 1 against two: (n_classes + 1,) each."""
        if thresholds not in self._columns:
            self._columns[thresholds] = self._round(self.column_chances(*thresholds))
        return self._columns[thresholds]

    def row(self, threshold: Any) -> tuple[Floats, Floats]:
        """Return alpha_1 and beta of a threshold against every two: (n_classes + 1, n_classes + 1) each."""
        if threshold not in self._rows:
            self._rows[threshold] = self._round(self.row_chances(threshold))
        return self._rows[threshold]

    def column_chances(self, q: int, r: int) -> Chances:
        """Count deals for every threshold of player 1."""
        a, below = self.places[:-1], self.deals.below
        share = _above(self._ahead(a, q, r, np.maximum, self._corners))
        none = _below(6 * self.deals.ways * below[:, q, r])
        unpaid, others = share, 6 * self.deals.total - none - share
        if self.ties == "split":
            unpaid = _above(self._ahead(a, q, r, np.maximum, _CORNERS["first"]))
            others = sum(
                self._ahead(a[x:, None], self.places, y, np.maximum, _CORNERS["first"]).sum(axis=0)
                for x, y in ((q, r), (r, q))
            )
        weenie = (
            _below(self._ahead(a, q, r, np.minimum, self._corners)) if self.weenie else np.zeros_like(none)
        )
        return Chances(unpaid, share, others, none, weenie, self._held, self._held[q] + self._held[r])

    def row_chances(self, p: int) -> Chances:
        """Count deals for all pairs of thresholds of the others."""
        q, r = self.places[:, None], self.places
        n, ways, below = len(self.deals.classes), self.deals.ways, self.deals.below

        def total(hands: range, bound: _Bound, corners: Any) -> Counts:
            count = np.zeros((n + 1, n + 1), dtype=np.int64)
            for a in hands:
                count += self._ahead(a, q, r, bound, corners)
            return count

        share = total(range(p, n), np.maximum, self._corners)
        none: Counts = 6 * np.einsum("a,aqr->qr", ways[:p], below[:p])
        unpaid, others = share, 6 * self.deals.total - none - share
        if self.ties == "split":
            unpaid = total(range(p, n), np.maximum, _CORNERS["first"])
            second = _above(self._ahead(self.places[:-1, None], p, r, np.maximum, _CORNERS["first"]))
            others = second + second.T
        weenie = total(range(p), np.minimum, self._corners) if self.weenie else np.zeros_like(none)
        return Chances(unpaid, share, others, none, weenie, self._held[p], self._held[q] + self._held[r])

    @property
    def _corners(self) -> tuple[tuple[int, int, int], ...]:
        return _CORNERS["lot" if self.ties == "split" else self.ties]

    def _ahead(self, a: Any, q: Any, r: Any, bound: _Bound, corners: Any) -> Counts:
        """Count, with a hand of class a, where the others' are below bound(q, a) and bound(r, a); see the head."""
        below = self.deals.below
        cases = (weight * below[a, bound(q, a + i), bound(r, a + j)] for i, j, weight in corners)
        counts: Counts = self.deals.ways[a] * sum(cases)
        return counts

    def _round(self, chances: Chances) -> tuple[Floats, Floats]:
        """Return alpha_1 and beta as at the head of this file."""
        unpaid, share, others_unpaid, none, weenie, held, others_held = chances
        deals = 6 * self.deals.total
        more = held + others_held - unpaid - others_unpaid + (2 if self.weenie else 1) * none
        return (more - deals + PLAYERS * (share + unpaid - held - weenie)) / deals, more / deals


def _above(counts: Counts) -> Counts:
    """Sum over the classes from each threshold up, along the first axis."""
    sums = np.zeros((len(counts) + 1, *counts.shape[1:]), dtype=np.int64)
    sums[:-1] = np.cumsum(counts[::-1], axis=0)[::-1]
    return sums


def _below(counts: Counts) -> Counts:
    """Sum over the classes below each threshold, along the first axis."""
    return np.concatenate([[0], np.cumsum(counts, axis=0)])


def _mean(rounds: Iterable[tuple[Floats, Floats]], weights: Floats, value: float) -> Floats:
    found = [weight * (payoff + value * more) for weight, (payoff, more) in zip(weights, rounds, strict=True)]
    mean: Floats = np.sum(found, axis=0)
    return mean
