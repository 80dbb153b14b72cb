"""Slow reference for guts with cards: every deal of a small deck, every decision, chips counted in fractions."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

Deal = tuple[tuple[int, ...], ...]
"""The ranks of each player's hand, the highest first."""


def all_deals(ranks: int, suits: int, cards: int) -> Iterator[Deal]:
    """Yield every deal of three hands of cards that are told apart, all equally likely."""
    deck = [(rank, suit) for rank in range(ranks) for suit in range(suits)]
    for first in combinations(deck, cards):
        left = [card for card in deck if card not in first]
        for second in combinations(left, cards):
            rest = [card for card in left if card not in second]
            for third in combinations(rest, cards):
                yield tuple(
                    tuple(sorted((rank for rank, _ in hand), reverse=True)) for hand in (first, second, third)
                )


def strength(hand: Sequence[int], ranks: int, *, straights: bool) -> tuple[int, ...]:
    """Return what hands are compared by, in the order of Python's tuples."""
    by_count = sorted(hand, key=lambda rank: (hand.count(rank), rank), reverse=True)
    most = max(hand.count(rank) for rank in hand)
    if straights and len(hand) == 3 and most == 1:
        if hand[0] - hand[2] == 2:
            return (2, hand[0], 0, 0)
        if list(hand) == [ranks - 1, 1, 0]:
            return (2, 1, 0, 0)
    kind = {1: 0, 2: 1, 3: 3}[most]
    return (kind, *by_count)


def play_round(
    strengths: Sequence[tuple[int, ...]], holds: Sequence[bool], ties: str, *, weenie: bool
) -> list[tuple[Fraction, list[Fraction], Fraction]]:
    """Return the outcomes of a round at a pot of 1: their chances, everybody's cash and the next pot."""
    holders = [seat for seat in range(3) if holds[seat]]
    if not holders and not weenie:
        return [(Fraction(1), [Fraction(0)] * 3, Fraction(1))]
    compared = holders or [0, 1, 2]
    best = max(strengths[seat] for seat in compared)
    top = [seat for seat in compared if strengths[seat] == best]
    winners = {"split": [top], "lot": [[seat] for seat in top], "first": [top[:1]], "last": [top[-1:]]}[ties]
    outcomes = []
    for chosen in winners:
        cash = [Fraction(0)] * 3
        if holders:
            losers = [seat for seat in holders if seat not in chosen]
            for seat in chosen:
                cash[seat] += Fraction(1, len(chosen))
            for seat in losers:
                cash[seat] -= 1
            pot = Fraction(len(losers))
        else:
            for seat in chosen:
                cash[seat] -= Fraction(1, len(chosen))
            pot = Fraction(2)
        outcomes.append((Fraction(1, len(winners)), cash, pot))
    return outcomes


def expected_round(
    deals: Sequence[Deal], held: Sequence[set[tuple[int, ...]]], rules: dict[str, object], ranks: int
) -> tuple[Fraction, Fraction]:
    """Return what player 1 gets with the ante at the end, and the multiplier, if each holds with a set of hands."""
    alpha = beta = Fraction(0)
    straights = bool(rules["straights"])
    for deal in deals:
        values = [strength(hand, ranks, straights=straights) for hand in deal]
        holds = [hand in own for hand, own in zip(deal, held, strict=True)]
        for chance, cash, pot in play_round(values, holds, str(rules["ties"]), weenie=bool(rules["weenie"])):
            # A pot of 3 becomes 3 * pot; everybody is credited pot - 1 antes.
            alpha += chance * (3 * cash[0] + pot - 1)
            beta += chance * pot
    return alpha / len(deals), beta / len(deals)
