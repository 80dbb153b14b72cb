"""Guts between two sides on a grid of thresholds, as a matrix game that is never written down.

A side of k players that acts as one chooses a *multiset* of k grid points, one threshold a player; rows are those
of player 1's side, columns those of the coalition. There are C(M + k - 1, k) of them on M points. Best responses
are exact. Against a mixture of the other side's multisets r with weights x, all that matters of it is

    S = sum x_r * sum (1 - r_i),    P = sum x_r * product r_i,    G(t) = sum x_r * product max(t, r_i).

With o players over there, who expect v per unit of the stakes from the rounds to come, and n players in all, own
thresholds q with F(t) = product max(t, q_j) leave the other side

    (o + v) * (S - 1) - o - n S  +  (o + v) * (sum (1 - q_j) + 2 P * product q_j)  +  2 n * integral of F dG:

the integral over (0, 1] is how often the other side wins (that nobody holds over there is G's jump at 0). Between
two thresholds F is a power of t times a product of thresholds, so the integral is made of the moments

    J_j(t) = integral from 0 to t of s^j G'(s) ds,    j = 0, 1, ...

at the grid points, and the best q is found by dynamic programming (cpp/src/multiset_response.cpp).
"""

import math
from collections.abc import Sequence
from itertools import combinations_with_replacement
from typing import TypeAlias

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from maxmin import _core
from maxmin.errors import SizeError
from maxmin.guts.payoffs import round_payoffs
from maxmin.matrix.oracle import Plan
from maxmin.tree import Floats, Ints

Multiset: TypeAlias = tuple[int, ...]
"""A pure strategy of a side: the grid points of its players' thresholds, in ascending order."""

SEARCH_BYTES = 2**30
"""The most memory that one search for a best response may take."""

LARGEST_BYTES = 2**31
"""What takes more to write down is refused."""


def check_fits(n_bytes: int, what: str) -> None:
    """Refuse what would take too much memory, before it is made.

    Raises
    ------
    SizeError
        If it is more than `LARGEST_BYTES`.
    """
    if n_bytes > LARGEST_BYTES:
        needed = min(n_bytes, 10**30) / 1e9
        raise SizeError(
            f"{what} would take about {needed:,.3g} GB, and the limit is {LARGEST_BYTES / 1e9:.1f} GB: "
            "use a coarser grid or fewer players"
        )


class GridGuts:
    """A round of guts on the thresholds 0, 1 / (points - 1), ..., 1; a `maxmin.recursive.StateOracle`.

    Plans are `Multiset`. There is one state: multipliers have a first axis of length 1, and `values` one entry.

    Parameters
    ----------
    row_players, column_players
        How many there are on player 1's side, and in the coalition.
    points
        Of the grid, at least 2.
    """

    def __init__(self, row_players: int, column_players: int, points: int) -> None:
        self.row_players = row_players
        self.column_players = column_players
        self.thresholds: Floats = np.arange(points) / (points - 1)
        powers = np.arange(1, row_players + column_players + 1)[:, None]
        # Row e - 1: the integral of s^(e - 1) from each grid point to the next.
        self._steps: Floats = np.diff(self.thresholds**powers) / powers

    def payoffs(self, rows: Sequence[Plan], columns: Sequence[Plan]) -> Floats:
        """Return what the row side gets in one round, (n_rows, n_columns) float64."""
        held = [self._held(rows)[:, None, :], self._held(columns)[None, :, :]]
        shape = len(rows), len(columns)
        profiles = [np.broadcast_to(side, (*shape, side.shape[-1])) for side in held]
        alpha, _ = round_payoffs(np.concatenate(profiles, axis=-1))
        payoffs: Floats = alpha[..., : self.row_players].sum(-1)
        return payoffs

    def multipliers(self, rows: Sequence[Plan], columns: Sequence[Plan]) -> Floats:
        """Return how the stakes are multiplied, (1, n_rows, n_columns) float64."""
        p, q = self._held(rows), self._held(columns)
        holders = (1 - p).sum(1)[:, None] + (1 - q).sum(1)
        multipliers: Floats = (holders - 1 + 2 * np.outer(p.prod(1), q.prod(1)))[None]
        return multipliers

    def best_column(self, rows: Sequence[Plan], weights: Floats, values: Floats) -> tuple[Plan, float]:
        """Return the coalition's best response to a mixture of rows, and what it leaves the row side."""
        return self._respond(self.column_players, self._points(rows), weights, float(values[0]))

    def best_row(self, columns: Sequence[Plan], weights: Floats, values: Floats) -> tuple[Plan, float]:
        """Return the row side's best response to a mixture of columns, and what it gets."""
        plan, left = self._respond(self.row_players, self._points(columns), weights, -float(values[0]))
        return plan, -left

    def start(self) -> tuple[Plan, Plan]:
        """Return blocs where all others of a player drop half of the time; the optimum is near."""
        n, points = self.row_players + self.column_players, len(self.thresholds)
        at = round((points - 1) * (1 / 2) ** (1 / (n - 1)))
        return (at,) * self.row_players, (at,) * self.column_players

    def count(self, players: int) -> int:
        """Return how many pure strategies a side of so many players has."""
        return math.comb(len(self.thresholds) + players - 1, players)

    def plans(self, players: int) -> list[Multiset]:
        """Return all pure strategies of a side of so many players."""
        return list(combinations_with_replacement(range(len(self.thresholds)), players))

    def search(self, players: int, moments: Floats, hold: float, drop: float) -> tuple[Multiset, float]:
        """Return the multiset q of so many grid points that loses the least, and its loss.

        The loss is ``hold * sum (1 - q_j) + drop * product q_j +`` the integral of F with these moments.

        Parameters
        ----------
        players
            The length of q.
        moments : (players + 1, points) float64
            J_j at each grid point, as at the head of this file.
        hold, drop
            In antes.

        Raises
        ------
        SizeError
            If the search takes more than `SEARCH_BYTES`.
        """
        loss, found = _core.best_multiset(
            self.thresholds, moments.ravel(), players, hold, drop, SEARCH_BYTES, _go_on
        )
        return tuple(found.tolist()), loss

    def _points(self, plans: Sequence[Plan]) -> Ints:
        return np.array(plans, dtype=np.int64)

    def _held(self, plans: Sequence[Plan]) -> Floats:
        held: Floats = self.thresholds[self._points(plans)]
        return held

    def _respond(self, own: int, others: Ints, weights: Floats, value: float) -> tuple[Multiset, float]:
        """Return the plan of `own` players that leaves least to the others, and how much; see the file's head."""
        n, o = self.row_players + self.column_players, others.shape[1]
        held = self.thresholds[others]
        holders = float(weights @ (1 - held).sum(1))
        all_drop = float(weights @ held.prod(1))
        plan, loss = self.search(
            own, 2 * n * self._moments(others, weights, own), o + value, 2 * (o + value) * all_drop
        )
        return plan, (o + value) * (holders - 1) - o - n * holders + loss

    def _moments(self, plans: Ints, weights: Floats, own: int) -> Floats:
        """Return J_j of a mixture at the grid points for j = 0..own: (own + 1, points)."""
        o, points = plans.shape[1], len(self.thresholds)
        edges = np.hstack([plans, np.full((len(plans), 1), points - 1)])
        # Between edges k - 1 and k, counted from 0, a plan's product is t^k times its higher thresholds.
        higher = weights[:, None] * np.cumprod(self.thresholds[edges[:, :0:-1]], axis=1)[:, ::-1]
        factors = np.zeros((o, points))
        for k in range(o):
            np.add.at(factors[k], edges[:, k], higher[:, k])
            np.subtract.at(factors[k], edges[:, k + 1], higher[:, k])
        derivative = np.arange(1, o + 1)[:, None] * np.cumsum(factors, axis=1)[:, :-1]
        steps = sliding_window_view(self._steps, o, axis=0)[: own + 1]
        moments = np.zeros((own + 1, points))
        np.cumsum(np.einsum("ki,jik->ji", derivative, steps), axis=1, out=moments[:, 1:])
        return moments


def _go_on(done: float) -> bool:
    """Say that a search is to go on; while Python runs this, it sees a second Ctrl-C."""
    return True
