"""How often three players are dealt hands of which classes from one deck, counted exactly.

A class of hands is a multiset of ranks (`maxmin.guts.card_hands`). After a hand with a_r cards of rank r, there are
the product of C(s - a_r, b_r) hands of class b, of s suits, and after that the product of C(s - a_r - b_r, c_r)
hands of class c: cards that one player holds are missing for the others. Nothing is sampled.
"""

import math

import numpy as np
from numpy.typing import NDArray

from maxmin.errors import GameError, SizeError
from maxmin.guts.card_hands import RANKS, SUITS, Counts, Ranks, hand_classes, hand_name
from maxmin.tree import Floats


class Deals:
    """Deals of three hands from one deck, by classes of hands.

    Parameters
    ----------
    cards
        Of a hand, 2 or 3.
    ranks, suits
        Of the deck: one card of each rank in each suit.
    straights
        Whether straights count, with three cards.

    Attributes
    ----------
    classes : list of Ranks
        The weakest first, n_classes.
    ways : (n_classes,) int64
        Hands of each class.
    below : (n_classes, n_classes + 1, n_classes + 1) int32
        Given one hand of class a: in how many ways the second hand's class is below b and the third's below c.
    total : int
        Deals of three hands.

    Raises
    ------
    GameError
        If there is no such deck.
    SizeError
        If it has so many classes that counts do not fit.
    """

    def __init__(
        self, cards: int, *, ranks: int = len(RANKS), suits: int = SUITS, straights: bool = False
    ) -> None:
        if type(cards) is not int or cards not in (2, 3):
            raise GameError(f"hands have 2 or 3 cards, not {cards!r}")
        if not (
            type(ranks) is type(suits) is int
            and 2 <= ranks <= len(RANKS)
            and 1 <= suits <= SUITS
            and ranks * suits >= 3 * cards
        ):
            raise GameError(
                f"a deck has 2 to {len(RANKS)} ranks and 1 to {SUITS} suits, and cards for three hands"
            )
        if straights and (cards < 3 or ranks < 3):
            raise GameError("straights need hands of 3 cards, and 3 ranks")
        self.cards, self.ranks, self.suits, self.straights = cards, ranks, suits, straights
        self.classes: list[Ranks] = hand_classes(cards, ranks=ranks, suits=suits, straights=straights)
        self._counts: Counts = np.array(
            [[hand.count(rank) for rank in range(ranks)] for hand in self.classes]
        )
        self.ways: Counts = self._ways(np.full(ranks, suits))
        deck = ranks * suits
        self.total: int = math.prod(math.comb(deck - dealt * cards, cards) for dealt in range(3))
        self.below = self._count()

    @property
    def hand_total(self) -> int:
        """How many hands there are."""
        return math.comb(self.ranks * self.suits, self.cards)

    @property
    def drop(self) -> Floats:
        """How often a hand is below each class: (n_classes + 1,); 1 at the end."""
        return np.concatenate([[0], np.cumsum(self.ways)]) / self.hand_total

    def name(self, place: int) -> str:
        """Name the weakest hand that is held at a threshold."""
        return "nothing" if place == len(self.classes) else hand_name(self.classes[place], self.ranks)

    def _count(self) -> "NDArray[np.int32]":
        n, rest = len(self.classes), self.total // self.hand_total
        if 6 * rest >= 2**31:  # sixths of deals, see card_rules
            raise SizeError("the deals of such a deck do not fit into 32 bits")
        below = np.zeros((n, n + 1, n + 1), dtype=np.int32)
        for a, counts in enumerate(self._counts):
            left = self.suits - counts
            second = self._ways(left)
            third = self._ways(np.maximum(left - self._counts, 0))
            joint = below[a, 1:, 1:]
            np.multiply(second[:, None], third, out=joint, casting="unsafe")
            np.cumsum(joint, axis=0, out=joint)
            np.cumsum(joint, axis=1, out=joint)
        return below

    def _ways(self, left: Counts) -> Counts:
        """Count the hands of each class, (..., n_classes), with (..., ranks) cards of each rank left."""
        choose = np.array([[math.comb(n, k) for k in range(self.cards + 1)] for n in range(SUITS + 1)])
        ways: Counts = np.ones((*left.shape[:-1], len(self.classes)), dtype=np.int64)
        for place in range(self.cards):
            # Each rank of a hand counts once, where its first card is.
            rank = np.array([hand[place] for hand in self.classes])
            times = [
                hand.count(hand[place]) if hand.index(hand[place]) == place else 0 for hand in self.classes
            ]
            ways *= choose[left[..., rank], times]
        return ways
