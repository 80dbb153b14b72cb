"""Slow references for guts: exact sums over who holds, all multisets, and real chips."""

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product


def polynomial_product(factors: Sequence[Sequence[Fraction]]) -> list[Fraction]:
    """Multiply polynomials given by their coefficients, lowest first."""
    result = [Fraction(1)]
    for factor in factors:
        longer = [Fraction(0)] * (len(result) + len(factor) - 1)
        for i, a in enumerate(result):
            for j, b in enumerate(factor):
                longer[i + j] += a * b
        result = longer
    return result


def integral(polynomial: Sequence[Fraction], low: Fraction) -> Fraction:
    """Integrate a polynomial from `low` to 1."""
    return sum((c * (1 - low ** (e + 1)) / (e + 1) for e, c in enumerate(polynomial)), Fraction(0))


def exact_wins(thresholds: Sequence[Fraction]) -> list[Fraction]:
    """Return how often each player holds and wins: a sum over the 2^n sets of holders."""
    n = len(thresholds)
    wins = [Fraction(0)] * n
    for holds in product((False, True), repeat=n):
        holders = [i for i in range(n) if holds[i]]
        dropped = Fraction(1)
        for i in range(n):
            dropped *= 1 if holds[i] else thresholds[i]
        for winner in holders:
            # The winner's hand x is above every holder's threshold; the other holders' hands are below x.
            beaten = [[-thresholds[j], Fraction(1)] for j in holders if j != winner]
            wins[winner] += dropped * integral(
                polynomial_product(beaten), max(thresholds[j] for j in holders)
            )
    return wins


def exact_round(thresholds: Sequence[Fraction]) -> tuple[list[Fraction], Fraction]:
    """Return each player's payoff and the multiplier, from the rules: a sum over the sets of holders."""
    n = len(thresholds)
    alpha, beta = [Fraction(0)] * n, Fraction(0)
    for holds in product((False, True), repeat=n):
        chance = Fraction(1)
        for held, p in zip(holds, thresholds, strict=True):
            chance *= 1 - p if held else p
        r = sum(holds)
        beta += chance * (r - 1 if r else 1)
        for i in range(n):
            alpha[i] += chance * (r - 2 if r else 0) - (chance * n if holds[i] else 0)
    return [a + 2 * n * w for a, w in zip(alpha, exact_wins(thresholds), strict=True)], beta


def all_multisets(points: int, players: int) -> list[tuple[int, ...]]:
    """Return every multiset of `players` grid points."""
    return list(combinations_with_replacement(range(points), players))


def exact_matrices(
    row_players: int, column_players: int, points: int
) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
    """Return payoffs and multipliers of all pairs of multisets."""
    payoffs, multipliers = [], []
    for row in all_multisets(points, row_players):
        rounds = [
            exact_round([Fraction(at, points - 1) for at in (*row, *column)])
            for column in all_multisets(points, column_players)
        ]
        payoffs.append([sum(alpha[:row_players], Fraction(0)) for alpha, _ in rounds])
        multipliers.append([beta for _, beta in rounds])
    return payoffs, multipliers


def play_with_chips(n: int, profile: Callable[[], Sequence[float]], rng: random.Random) -> list[float]:
    """Play a whole game of n players with chips: antes into the pot, pots won and matched.

    `profile` gives the thresholds of a round; returns what each player gains.
    """
    cash, pot = [-1.0] * n, float(n)
    while True:
        thresholds = profile()
        hands = [rng.random() for _ in range(n)]
        holders = [i for i in range(n) if hands[i] > thresholds[i]]
        if not holders:
            continue
        winner = max(holders, key=lambda i: hands[i])
        cash[winner] += pot
        if len(holders) == 1:
            return cash
        for loser in holders:
            if loser != winner:
                cash[loser] -= pot
        pot *= len(holders) - 1
