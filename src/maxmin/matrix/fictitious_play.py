"""Fictitious play: each side plays a best response to how often the other side has played each of its plans.

Brown (Activity Analysis of Production and Allocation, 1951) and Robinson (Annals of Mathematics 1951): the average
plays converge to optimal strategies. Three variants:

    fictitious_play              both sides at once (what most packages mean by the name)
    alternating_fictitious_play  the columns respond to the row just played too, as in Brown's own papers
                                 (Berger, Journal of Economic Theory 2007)
    optimistic_fictitious_play   the other side's last play counts twice
                                 (Lazarsfeld, Piliouras, Sim and Skoulakis, NeurIPS 2025)

What differs from the papers: the first plan of each side is played first, and of several best responses the first.
An iteration adds one line of the matrix to the totals of each side: it costs rows plus columns, not their product.
"""

from collections.abc import Callable

import numpy as np

from maxmin import _core
from maxmin.matrix.matrix_run import MatrixRun
from maxmin.matrix.payoffs import MatrixPayoffs
from maxmin.matrix.side import side_of

ORDERS = {
    "fictitious_play": _core.PlayOrder.SIMULTANEOUS,
    "alternating_fictitious_play": _core.PlayOrder.ALTERNATING,
    "optimistic_fictitious_play": _core.PlayOrder.OPTIMISTIC,
}
"""The variants, by the names that `maxmin.matrix.solve_matrix` takes."""

_GROWTH = 1.1
"""Bounds are looked at each time that there are so many times as many iterations."""


class FictitiousPlay(MatrixRun):
    """A run of fictitious play."""

    def __init__(self, payoffs: MatrixPayoffs, order: _core.PlayOrder, *, most: int | None) -> None:
        super().__init__(payoffs)
        n_rows, n_columns = payoffs.shape
        self._order, self._most = order, most
        self._lines = payoffs.lines()
        self._next = _core.Plays()
        self._row_totals, self._row_counts = np.zeros(n_rows), np.zeros(n_rows)
        self._column_totals, self._column_counts = np.zeros(n_columns), np.zeros(n_columns)

    def advance(self, keep_going: Callable[[float], bool]) -> None:
        """Iterate until the next look at the bounds."""
        stop = max(self.iterations + 1, int(self.iterations * _GROWTH))
        stop = stop if self._most is None else min(stop, self._most)
        self.iterations += _core.fictitious_play(
            *self._lines,
            self._row_totals,
            self._row_counts,
            self._column_totals,
            self._column_counts,
            self._order,
            self._next,
            stop - self.iterations,
            keep_going,
        )
        # The totals are best responses already, without a product of the whole matrix.
        lower, upper = -self._column_totals.max() / self.iterations, self._row_totals.max() / self.iterations
        if lower > self.row_side.bound:
            self.row_side = side_of(self._row_counts / self.iterations, lower)
        if upper < self.column_side.bound:
            self.column_side = side_of(self._column_counts / self.iterations, upper)
