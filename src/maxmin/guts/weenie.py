"""Guts with the weenie rule: if nobody holds, the best hand pays a pot into the pot.

Seen at tables, to stop all from waiting for a better deal. The pot doubles, so with the ante charged at the end
everybody is credited one ante, and the weenie pays n. With L_i for how often all drop and i has the best hand,

    beta    = that of `maxmin.guts.payoffs` + Q             Q = product of p_i
    alpha_i = that of `maxmin.guts.payoffs` + Q - n L_i
    L_i     = integral from 0 to p_i of the product over j != i of min(x, p_j) dx

With p_1 <= ... <= p_n and p_0 = 0 that product is p_1 ... p_k x^(n - k - 1) between p_k and p_{k+1}, hence

    L_i = sum over k < i of p_1 ... p_k (p_{k+1}^(n - k) - p_k^(n - k)) / (n - k).

The dynamic program for best responses (`maxmin.guts.grid`) does not know L, so the matrices are written down, and
grids must be coarser.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from maxmin.guts.grid import GridGuts, Multiset, check_fits
from maxmin.guts.payoffs import check_thresholds, round_payoffs
from maxmin.matrix.oracle import Plan
from maxmin.recursive import MatrixState
from maxmin.tree import Floats

_ARRAYS = 6
"""How many numbers for each player, row and column it takes to write the matrices, about."""


def weenie_payoffs(thresholds: ArrayLike) -> tuple[Floats, Floats]:
    """Return what each player gets in a round with the weenie rule, and the multiplier of the stakes, expected.

    Parameters
    ----------
    thresholds : (..., n_players) array_like
        As in `maxmin.guts.round_payoffs`.

    Returns
    -------
    alpha : (..., n_players) float64
        In units of the stakes; sums to 0 over the players.
    beta : (...) float64

    Raises
    ------
    GameError
        As `maxmin.guts.round_payoffs`.

    Examples
    --------
    Nobody ever holds: each is the weenie as often, and the stakes double.

    >>> alpha, beta = weenie_payoffs([1.0, 1.0])
    >>> alpha.tolist(), beta.tolist()
    ([0.0, 0.0], 2.0)
    """
    held = check_thresholds(thresholds)
    alpha, beta = round_payoffs(held)
    none = held.prod(-1)
    return alpha + none[..., None] - held.shape[-1] * _weenies(held), beta + none


def _weenies(thresholds: Floats) -> Floats:
    """Sum L_i as at the head of this file."""
    n = thresholds.shape[-1]
    order = np.argsort(thresholds, axis=-1)
    high = np.take_along_axis(thresholds, order, -1)
    first = np.zeros((*high.shape[:-1], 1))
    low = np.concatenate([first, high[..., :-1]], -1)
    before = np.concatenate([first + 1, np.cumprod(high, -1)[..., :-1]], -1)
    power = np.arange(n, 0, -1)
    pieces = before * (high**power - low**power) / power
    weenies = np.empty_like(high)
    np.put_along_axis(weenies, order, np.cumsum(pieces, -1), -1)
    return weenies


class WeenieGuts(GridGuts):
    """A round of guts on a grid with the weenie rule, its matrices written down.

    Parameters
    ----------
    rules
        The grid, and which plans the sides have.

    Raises
    ------
    SizeError
        If the matrices are too large.
    """

    def __init__(self, rules: GridGuts) -> None:
        super().__init__(rules.row_players, rules.column_players, len(rules.thresholds))
        self._rules = rules
        n = rules.row_players + rules.column_players
        sizes = self.count(rules.row_players), self.count(rules.column_players)
        check_fits(8 * _ARRAYS * n * sizes[0] * sizes[1], "both matrices with the weenie rule")
        rows, columns = rules.plans(rules.row_players), rules.plans(rules.column_players)
        payoffs, multipliers = self._round(rows, columns)
        self._state = MatrixState(payoffs, multipliers, rows=rows, columns=columns)

    def count(self, players: int) -> int:
        """Return how many pure strategies a side of so many players has."""
        return self._rules.count(players)

    def plans(self, players: int) -> list[Multiset]:
        """Return all pure strategies of a side of so many players."""
        return self._rules.plans(players)

    def payoffs(self, rows: Sequence[Plan], columns: Sequence[Plan]) -> Floats:
        """Return what the row side gets in one round, (n_rows, n_columns) float64."""
        return self._state.payoffs(rows, columns)

    def multipliers(self, rows: Sequence[Plan], columns: Sequence[Plan]) -> Floats:
        """Return how the stakes are multiplied, (1, n_rows, n_columns) float64."""
        return self._state.multipliers(rows, columns)

    def best_row(self, columns: Sequence[Plan], weights: Floats, values: Floats) -> tuple[Plan, float]:
        """Return the row side's best plan against a mixture of columns, and what it gets."""
        return self._state.best_row(columns, weights, values)

    def best_column(self, rows: Sequence[Plan], weights: Floats, values: Floats) -> tuple[Plan, float]:
        """Return the coalition's best plan against a mixture of rows, and what it leaves the row side."""
        return self._state.best_column(rows, weights, values)

    def _round(self, rows: Sequence[Plan], columns: Sequence[Plan]) -> tuple[Floats, Floats]:
        sides = [self._held(rows)[:, None, :], self._held(columns)[None, :, :]]
        shape = len(rows), len(columns)
        profiles = [np.broadcast_to(side, (*shape, side.shape[-1])) for side in sides]
        alpha, beta = weenie_payoffs(np.concatenate(profiles, axis=-1))
        return alpha[..., : self.row_players].sum(-1), np.maximum(beta, 0)
