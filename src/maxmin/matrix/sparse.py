"""`SparsePayoffs`: a matrix game of which only the payoffs that are not 0 are stored."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from maxmin import _core
from maxmin.matrix.oracle import Floats, Plan
from maxmin.matrix.units import Units

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class SparsePayoffs:
    """A sparse matrix; also a `MatrixOracle` whose plans are the numbers of rows and columns.

    Attributes
    ----------
    shape : (n_rows, n_columns)
    row, column : (n_entries,) int64
        Where the entries are, row by row; no place twice.
    value : (n_entries,) float64
        Scaled.
    units : Units
    """

    shape: tuple[int, int]
    row: Integers
    column: Integers
    value: Floats
    units: Units

    @classmethod
    def of_entries(
        cls, shape: tuple[int, int], place: Integers, value: Floats, units: Units
    ) -> "SparsePayoffs":
        """Make one of entries whose places are row * n_columns + column, in order."""
        row, column = np.divmod(place[value != 0], shape[1])
        return cls((int(shape[0]), int(shape[1])), row, column, value[value != 0], units)

    @cached_property
    def row_start(self) -> Integers:
        """Where the entries of each row start, (n_rows + 1,)."""
        return np.searchsorted(self.row, np.arange(self.shape[0] + 1))

    def of_rows(self, column_strategy: Floats) -> Floats:
        """Return what each row gets against a mixture of all columns."""
        return sums(self.row, self.value * column_strategy[self.column], self.shape[0])

    def of_columns(self, row_strategy: Floats) -> Floats:
        """Return what each column leaves to a mixture of all rows."""
        return sums(self.column, self.value * row_strategy[self.row], self.shape[1])

    def swapped(self) -> "SparsePayoffs":
        """Return the game with the sides swapped: rows are columns, and payoffs are the others'."""
        order = np.argsort(self.column, kind="stable")
        entries = self.column[order], self.row[order], -self.value[order]
        return SparsePayoffs((self.shape[1], self.shape[0]), *entries, self.units)

    def by_rows(self) -> tuple[Integers, Integers, Floats]:
        """Return the entries: where each row starts (n_rows + 1,), their columns, their values."""
        return self.row_start, self.column, self.value

    def lines(self) -> tuple[_core.PayoffLines, _core.PayoffLines]:
        """Return, for the core, a line for each column and a line for each row."""
        swapped = self.swapped()
        of_rows = _core.PayoffLines(
            self.shape[0], -swapped.value, swapped.row_start, swapped.column.astype(np.int32)
        )
        return of_rows, _core.PayoffLines(
            self.shape[1], self.value, self.row_start, self.column.astype(np.int32)
        )

    def block(self, rows: Sequence[Plan], columns: Sequence[Plan]) -> Floats:
        """See `MatrixOracle`."""
        place = np.full(self.shape[1], -1)
        place[np.array(columns, dtype=np.int64)] = np.arange(len(columns))
        block = np.zeros((len(rows), len(columns)))
        for line, row in zip(block, np.array(rows, dtype=np.int64).tolist(), strict=True):
            span = slice(self.row_start[row], self.row_start[row + 1])
            there = place[self.column[span]]
            line[there[there >= 0]] = self.value[span][there >= 0]
        return block

    def best_row(self, columns: Sequence[Plan], weights: Floats) -> tuple[Plan, float]:
        """See `MatrixOracle`."""
        payoffs = self.of_rows(_spread(columns, weights, self.shape[1]))
        return int(payoffs.argmax()), float(payoffs.max())

    def best_column(self, rows: Sequence[Plan], weights: Floats) -> tuple[Plan, float]:
        """See `MatrixOracle`."""
        payoffs = self.of_columns(_spread(rows, weights, self.shape[0]))
        return int(payoffs.argmin()), float(payoffs.min())

    def start(self) -> tuple[Plan, Plan]:
        """Return the row with the best worst payoff, and the column with the best worst payoff to its side."""
        least, most = np.full(self.shape[0], np.inf), np.full(self.shape[1], -np.inf)
        np.minimum.at(least, self.row, self.value)
        np.maximum.at(most, self.column, self.value)
        rows_full = np.bincount(self.row, minlength=self.shape[0]) == self.shape[1]
        columns_full = np.bincount(self.column, minlength=self.shape[1]) == self.shape[0]
        least = np.where(rows_full, least, np.minimum(least, 0.0))
        most = np.where(columns_full, most, np.maximum(most, 0.0))
        return int(least.argmax()), int(most.argmin())


def sums(place: Integers, value: Floats, size: int) -> Floats:
    """Return the sum of the values of each place, (size,) float64."""
    total: Floats = np.bincount(place, value, minlength=size).astype(np.float64, copy=False)
    return total


def _spread(plans: Sequence[Plan], weights: Floats, size: int) -> Floats:
    strategy = np.zeros(size)
    strategy[np.array(plans, dtype=np.int64)] = weights
    return strategy
