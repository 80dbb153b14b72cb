"""Floats in a game: refused where exact answers are asked for, or read as the fractions that they most likely mean.

A float stands for all numbers that round to it. If one of these is a fraction of small denominator it is taken:
0.1 becomes 1/10, 0.3333333333333333 becomes 1/3. Otherwise the float is what Python prints of it: 1e-19 becomes
1/10^19. The game that is then solved exactly is the one with these fractions.
"""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np

from maxmin.errors import GameError
from maxmin.game import CHANCE
from maxmin.tree import GameTree

_SIMPLE = 1 << 26
"""Fractions of smaller denominators lie so far apart that no two below 1 round to the same float."""


def check_exact(tree: GameTree) -> None:
    """Check that all payoffs and probabilities are fractions.

    Raises
    ------
    GameError
        With the first float and where it stands.
    """
    is_float = np.array([isinstance(number, float) for number in tree.numbers])
    drawn = np.flatnonzero(is_float[tree.probability_number])
    paid = np.flatnonzero(is_float[tree.payoff_number].any(axis=1))
    if len(drawn):
        node, what = int(drawn[0]), "probability"
        number = tree.numbers[tree.probability_number[node]]
    elif len(paid):
        node, what = int(tree.leaves[paid[0]]), "payoff"
        number = next(n for i in tree.payoff_number[paid[0]] if isinstance(n := tree.numbers[i], float))
    else:
        return
    raise GameError(
        f"{tree.name}: the {what} {number!r} {tree.where(node)} is a float, and exact answers need fractions: "
        f"write it as {simplest(float(number))}, or ask to rationalize (--rationalize)"
    )


def rationalize(tree: GameTree) -> GameTree:
    """Return the game with each float replaced by the fraction that it most likely means.

    Chance's probabilities at a node are scaled if they then do not sum to 1.
    """
    if tree.exact:
        return tree
    numbers = [simplest(number) if isinstance(number, float) else number for number in tree.numbers]
    index = {number: i for i, number in reversed(list(enumerate(numbers)))}
    probability_number = tree.probability_number.copy()
    for node in np.flatnonzero((tree.player == CHANCE) & (tree.n_children > 0)).tolist():
        span = slice(tree.first_child[node], tree.first_child[node] + tree.n_children[node])
        odds = [numbers[i] for i in probability_number[span].tolist()]
        total = sum(odds, Fraction(0))
        if total != 1:
            probability_number[span] = [_number(one / total, numbers, index) for one in odds]
    return replace(tree, numbers=tuple(numbers), probability_number=probability_number)


def _number(number: Fraction, numbers: list[Fraction], index: dict[Fraction, int]) -> int:
    if number not in index:
        index[number] = len(numbers)
        numbers.append(number)
    return index[number]


def simplest(number: float) -> Fraction:
    """Return the simplest fraction that rounds to a float; if it is not simple, what the float's digits say."""
    exact = Fraction(number)
    if exact < 0:
        return -simplest(-number)
    above = math.nextafter(number, math.inf)
    if exact.denominator == 1 or math.isinf(above):
        return exact
    found = _between((exact + Fraction(math.nextafter(number, 0.0))) / 2, (exact + Fraction(above)) / 2)
    return found if found.denominator < _SIMPLE else Fraction(repr(number))


def _between(low: Fraction, high: Fraction) -> Fraction:
    """Return the fraction of least denominator above `low`, which is not negative, and below `high`."""
    whole = low // 1
    if whole + 1 < high:
        return Fraction(whole + 1)
    inverse = 1 / (high - whole)
    if low == whole:
        return whole + Fraction(1, inverse // 1 + 1)
    return whole + 1 / _between(inverse, 1 / (low - whole))
