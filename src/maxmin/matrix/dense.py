"""`DensePayoffs`: a matrix game whose payoffs are all stored."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from maxmin import _core
from maxmin.matrix.oracle import Floats, Plan
from maxmin.matrix.units import Units


@dataclass(frozen=True, eq=False)
class DensePayoffs:
    """A dense matrix; also a `MatrixOracle` whose plans are the numbers of rows and columns.

    Attributes
    ----------
    entries : (n_rows, n_columns) float64, C order
        Scaled.
    units : Units
    """

    entries: Floats
    units: Units

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns."""
        return self.entries.shape[0], self.entries.shape[1]

    def of_rows(self, column_strategy: Floats) -> Floats:
        """Return what each row gets against a mixture of all columns."""
        return self.entries @ column_strategy

    def of_columns(self, row_strategy: Floats) -> Floats:
        """Return what each column leaves to a mixture of all rows."""
        return row_strategy @ self.entries

    def swapped(self) -> "DensePayoffs":
        """Return the game with the sides swapped: rows are columns, and payoffs are the others'."""
        return DensePayoffs(np.ascontiguousarray(-self.entries.T), self.units)

    def by_rows(self) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
        """Return the entries that are not 0: where each row starts (n_rows + 1,), their columns, their values."""
        kept = self.entries != 0
        start = np.append(0, np.cumsum(kept.sum(axis=1)))
        return start, np.nonzero(kept)[1], self.entries[kept]

    def lines(self) -> tuple[_core.PayoffLines, _core.PayoffLines]:
        """Return, for the core, a line for each column and a line for each row."""
        return _lines(np.ascontiguousarray(self.entries.T)), _lines(self.entries)

    def block(self, rows: Sequence[Plan], columns: Sequence[Plan]) -> Floats:
        """See `MatrixOracle`."""
        return self.entries[np.ix_(_numbers(rows), _numbers(columns))]

    def best_row(self, columns: Sequence[Plan], weights: Floats) -> tuple[Plan, float]:
        """See `MatrixOracle`."""
        payoffs = self.entries[:, _numbers(columns)] @ weights
        return int(payoffs.argmax()), float(payoffs.max())

    def best_column(self, rows: Sequence[Plan], weights: Floats) -> tuple[Plan, float]:
        """See `MatrixOracle`."""
        payoffs = weights @ self.entries[_numbers(rows)]
        return int(payoffs.argmin()), float(payoffs.min())

    def start(self) -> tuple[Plan, Plan]:
        """Return the row with the best worst payoff, and the column with the best worst payoff to its side."""
        return int(self.entries.min(axis=1).argmax()), int(self.entries.max(axis=0).argmin())


def _lines(entries: Floats) -> _core.PayoffLines:
    nothing = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int32)
    return _core.PayoffLines(entries.shape[1], entries.ravel(), *nothing)


def _numbers(plans: Sequence[Plan]) -> NDArray[np.int64]:
    return np.array(plans, dtype=np.int64)
