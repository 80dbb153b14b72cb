"""The search of `maxmin.guts.asynchronous`: members on a grid of thresholds who improve one after another.

A member's best answer to the others, player 1 answering best as well, is the minimum of a convex function of the
member's mean: the largest of lines between grid points, found by Kelley's cutting planes (1960) in one dimension.
So each step is exact and none makes it worse; where all stop may depend on the start, so there are many starts.
"""

import math
from typing import TypeAlias

import numpy as np

from maxmin.interrupt import Watch
from maxmin.recursive.game import UNIT
from maxmin.tree import Floats

Member: TypeAlias = list[tuple[float, float]]
"""A member's thresholds, each with its probability."""

SMALL = 1e-12
"""What improves by less has come to its end."""

_STARTS = 24
_MOST_SWEEPS = 1000
_DIGITS = 12
"""Of a probability; what is left would be rounding errors."""


class GridCoalition:
    """Members who play means of grid points, each on its own.

    A member with mean m between two grid points mixes these two: F(x) = E max(x, its threshold) is then
    max(x, m) at the grid points and linear between them, the least that mean m allows. Products of these are
    polynomials between grid points, integrated exactly by Gauss-Legendre.

    Parameters
    ----------
    players
        N.
    points
        Of the grid.

    Attributes
    ----------
    rounding : float
        No payoff and no multiplier is further off than this: a win is a sum over the cells of products of the
        members' factors, none of them negative, and counts 2 n times.
    """

    def __init__(self, players: int, points: int) -> None:
        self.players = players
        self.rounding = 2 * (players + 1) * (points + 4 * players + 8) * UNIT
        self.thresholds: Floats = np.linspace(0.0, 1.0, points)
        nodes, weights = np.polynomial.legendre.leggauss(players // 2 + 1)
        step = 1 / (points - 1)
        self._nodes: Floats = self.thresholds[:-1, None] + step * (nodes + 1) / 2
        self._weights: Floats = weights * step / 2

    def payoffs(self, means: Floats, stakes: float) -> Floats:
        """Return what each threshold of player 1 brings: (points,).

        Parameters
        ----------
        means : (players,)
        stakes
            c: 1, plus what player 1 expects of the rounds to come.
        """
        p, n = self.thresholds, self.players + 1
        wins = self._above(self._product(means))
        dropped = 2 * p * means.prod()
        payoffs: Floats = stakes * ((1 - means).sum() - p + dropped) - 1 - n * (1 - p) + 2 * n * wins
        return payoffs

    def improve(self, means: Floats, member: int, stakes: float) -> float:
        """Return the best mean of one member against the others' and player 1's best answers."""
        p, n = self.thresholds, self.players + 1
        others = np.delete(means, member)
        product = self._product(others)
        plain, moment = self._above(product), self._above(product * self._nodes)
        # Integral from p to 1 of max(x, q) times the others': of q up to q, of x from there.
        index = np.arange(len(p))
        later = np.maximum.outer(index, index)
        wins = p * (plain[:, None] - plain[later]) + moment[later]
        row = p[:, None]
        dropped = 2 * row * p * others.prod()
        table = stakes * ((1 - others).sum() + 1 - p - row + dropped) - 1 - n * (1 - row) + 2 * n * wins
        return _least_mean(p, table)

    def _product(self, means: Floats) -> Floats:
        p = self.thresholds
        product: Floats = np.ones_like(self._nodes)
        for mean in means:
            product *= np.interp(self._nodes, p, np.maximum(p, mean))
        return product

    def _above(self, values: Floats) -> Floats:
        """Return the integrals from each grid point to 1."""
        pieces = (self._weights * values).sum(axis=1)
        integrals: Floats = np.concatenate([np.cumsum(pieces[::-1])[::-1], [0.0]])
        return integrals

    def repeated_upper(self, means: Floats) -> float:
        """Return what is left to player 1 in the whole game: the w that is largest of payoffs + w * multipliers.

        It is rounded up.
        """
        payoffs = self.payoffs(means, 1.0)
        ends = 1 - (self.payoffs(means, 2.0) - payoffs)
        payoffs = payoffs + self.rounding
        ends = ends + np.where(payoffs < 0, 3, -3) * self.rounding
        if not (ends > 0).all():
            return float(self.players)  # the coalition leaves at once
        return math.nextafter(float((payoffs / ends).max()), math.inf)

    def one_shot_upper(self, means: Floats) -> float:
        """Return what is left to player 1 in a round, rounded up."""
        return float(self.payoffs(means, 1.0).max()) + self.rounding

    def mixtures(self, means: Floats) -> list[Member]:
        """Return the thresholds that each member plays, with their probabilities."""
        return [self._mixture(mean) for mean in means.tolist()]

    def _mixture(self, mean: float) -> Member:
        p = self.thresholds
        k = min(int(np.searchsorted(p, mean, side="right")) - 1, len(p) - 2)
        share = (mean - p[k]) / (p[k + 1] - p[k])
        pairs = (float(p[k]), 1 - float(share)), (float(p[k + 1]), float(share))
        return [pair for pair in pairs if pair[1] > 0]


def _least_mean(thresholds: Floats, table: Floats) -> float:
    """Return where the largest row is least, with rows linear between their columns.

    The largest row is convex; its least column has the minimum in one of the two cells beside it.
    """
    k = int(table.max(axis=0).argmin())
    cells = [cell for cell in (k - 1, k) if 0 <= cell < len(thresholds) - 1]
    found = [(*_least_share(table[:, cell], table[:, cell + 1]), cell) for cell in cells]
    _, share, cell = min(found)
    share = round(share, _DIGITS)
    return float((1 - share) * thresholds[cell] + share * thresholds[cell + 1])


def _least_share(left: Floats, right: Floats) -> tuple[float, float]:
    """Return the minimum over s in [0, 1] of the largest of (1 - s) left + s right, and its s: Kelley's cuts."""
    low, high = int(left.argmax()), int(right.argmax())
    slopes = right - left
    if slopes[low] >= 0:
        return float(left[low]), 0.0
    if slopes[high] <= 0:
        return float(right[high]), 1.0
    while True:
        share = (left[high] - left[low]) / (slopes[low] - slopes[high])
        values = left + share * slopes
        top = int(values.argmax())
        if values[top] <= values[low] + SMALL or top in (low, high):
            return float(values[top]), float(share)
        low, high = (top, high) if slopes[top] < 0 else (low, top)


def spread_starts(players: int) -> Floats:
    """Return means to start from: those of the symmetric equilibrium, and others all over, the same each time."""
    spread = np.random.default_rng(0).random((_STARTS - 1, players)) ** (1 / players)
    return np.vstack([np.full(players, 0.5 ** (1 / players)), spread])


def search(
    coalition: GridCoalition, stakes: float, starts: Floats, watch: Watch
) -> tuple[Floats, list[float]]:
    """Return the best means that were reached, and what each start ended with; at least one start is finished."""
    ends: list[float] = []
    best = starts[0]
    for start in starts:
        means, end = _descend(coalition, start.copy(), stakes, watch)
        if not ends or end < min(ends):
            best = means
        ends.append(end)
        if not watch.keep_going(len(ends)):
            break
    return best, ends


def _descend(coalition: GridCoalition, means: Floats, stakes: float, watch: Watch) -> tuple[Floats, float]:
    """Improve one member after another until none gains."""
    end = float(coalition.payoffs(means, stakes).max())
    for _ in range(_MOST_SWEEPS):
        for member in range(coalition.players):
            means[member] = coalition.improve(means, member, stakes)
        before, end = end, float(coalition.payoffs(means, stakes).max())
        if end > before - SMALL or not watch.keep_going(0):
            break
    return means, end
