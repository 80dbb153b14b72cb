"""Hands of two or three cards: their classes by rank, in order of strength, and their names.

Suits do not count, so a hand is a multiset of ranks, and hands of equal ranks tie. From the top:

    two cards      a pair; no pair: the higher card decides, then the other
    three cards    three of a kind; a straight, if these count; a pair, then the third card; no pair

Ranks are 0, 1, ... from the lowest, which is 2 in a full deck. The highest also ends a straight below the lowest.
"""

from collections.abc import Sequence
from itertools import combinations_with_replacement
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Ranks: TypeAlias = tuple[int, ...]
"""The ranks of a hand, the highest first."""

Counts: TypeAlias = NDArray[np.int64]

RANKS = "23456789TJQKA"
SUITS = 4

_NO_PAIR, _PAIR, _STRAIGHT, _THREE = range(4)
_BASE = 16
"""Ranks are the digits of a strength in this base."""


def hand_classes(cards: int, *, ranks: int, suits: int, straights: bool) -> list[Ranks]:
    """Return all classes of hands, the weakest first."""
    hands = [
        hand[::-1]
        for hand in combinations_with_replacement(range(ranks), cards)
        if max(map(hand.count, hand)) <= suits
    ]
    order = np.argsort(strengths(np.array(hands), ranks=ranks, straights=straights))
    return [hands[place] for place in order.tolist()]


def strengths(hands: Counts, *, ranks: int, straights: bool) -> Counts:
    """Return how strong hands are: equal for hands that tie, else more for the better one.

    Parameters
    ----------
    hands : (..., cards) int64
        Ranks of the cards, in any order.
    ranks
        How many ranks the deck has.
    straights
        Whether straights count.
    """
    cards = np.sort(hands, axis=-1)[..., ::-1]
    if cards.shape[-1] == 2:
        high, low = cards[..., 0], cards[..., 1]
        return _strength(np.where(high == low, _PAIR, _NO_PAIR), high, low)
    high, middle, low = cards[..., 0], cards[..., 1], cards[..., 2]
    three = high == low
    pair = (high == middle) | (middle == low)
    kind = np.where(three, _THREE, np.where(pair, _PAIR, _NO_PAIR))
    # In a hand with a pair the middle card is one of it; the third card is the other end.
    third = np.where(high == middle, low, high)
    first = np.where(pair, middle, high)
    second = np.where(pair, third, middle)
    if straights:
        below_lowest = (high == ranks - 1) & (middle == 1) & (low == 0)
        straight = ((high == middle + 1) & (middle == low + 1)) | below_lowest
        kind = np.where(straight, _STRAIGHT, kind)
        first = np.where(below_lowest, 1, first)
    return _strength(kind, first, second, low)


def hand_name(hand: Sequence[int], ranks: int) -> str:
    """Name a class of hands by its ranks, those that there are several of first: AA7."""
    order = sorted(hand, key=lambda rank: (-list(hand).count(rank), -rank))
    return "".join(RANKS[len(RANKS) - ranks :][rank] for rank in order)


def _strength(kind: Counts, *ranks: Counts) -> Counts:
    strength: Counts = kind
    for rank in ranks:
        strength = strength * _BASE + rank
    return strength
