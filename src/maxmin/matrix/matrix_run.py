"""`MatrixRun`: what all methods for matrices keep, the best mixture so far of each side."""

import numpy as np

from maxmin.matrix.oracle import Floats
from maxmin.matrix.payoffs import MatrixPayoffs
from maxmin.matrix.side import Side, side_of


class MatrixRun:
    """A run of a method on a matrix, before its first iteration.

    Attributes
    ----------
    payoffs : MatrixPayoffs
    row_side, column_side : Side
        The best mixture so far of each, and what it proves; scaled.
    iterations : int
    finished : bool
        Whether more iterations would bring nothing.
    """

    def __init__(self, payoffs: MatrixPayoffs) -> None:
        self.payoffs = payoffs
        self.payoff_range = payoffs.units.scaled_range
        self.row_side, self.column_side = Side(-np.inf), Side(np.inf)
        self.iterations = 0
        self.finished = False

    def take_pure(self) -> None:
        """Take the best pure strategy of each side; where they meet, at a saddle point, nothing is left to do."""
        row, column = self.payoffs.start()
        one = np.ones(1)
        self.row_side = Side(self.payoffs.best_column([row], one)[1], (row,), one)
        self.column_side = Side(self.payoffs.best_row([column], one)[1], (column,), one)
        self.finished = self.column_side.bound <= self.row_side.bound

    def take(self, rows: Floats, columns: Floats) -> None:
        """Take mixtures over all rows and all columns where they prove more than those before."""
        lower, upper = self.payoffs.of_columns(rows).min(), self.payoffs.of_rows(columns).max()
        if lower > self.row_side.bound:
            self.row_side = side_of(rows, lower)
        if upper < self.column_side.bound:
            self.column_side = side_of(columns, upper)
