"""Matrices as users give them, checked, and scaled so that solvers see the same numbers whatever the units.

A payoff p is kept as (p - middle) / 2**exponent, which lies between -1 and 1; a sparse matrix is not shifted. All
payoffs of `DensePayoffs` and `SparsePayoffs` are such scaled ones.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from maxmin.errors import GameError
from maxmin.matrix.oracle import Floats, Plan

Integers: TypeAlias = NDArray[np.int32]


@dataclass(frozen=True)
class Units:
    """How scaled payoffs are turned back: payoff = middle + 2**exponent * scaled."""

    middle: float
    exponent: int
    payoff_range: float

    def scale(self, payoffs: Floats) -> Floats:
        """Return payoffs scaled."""
        return np.ldexp(payoffs, -self.exponent) - math.ldexp(self.middle, -self.exponent)

    def to_payoff(self, scaled: float) -> float:
        """Return a scaled value in payoff units."""
        return self.middle + math.ldexp(scaled, self.exponent)


@dataclass(frozen=True, eq=False)
class DensePayoffs:
    """A dense matrix; also a `MatrixOracle` whose plans are the numbers of rows and columns."""

    entries: Floats
    units: Units

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns."""
        return self.entries.shape[0], self.entries.shape[1]

    @property
    def payoff_range(self) -> float:
        """The largest minus the smallest payoff, scaled."""
        return math.ldexp(self.units.payoff_range, -self.units.exponent)

    def of_rows(self, column_strategy: Floats) -> Floats:
        """Return what each row gets against a mixture of all columns."""
        return self.entries @ column_strategy

    def of_columns(self, row_strategy: Floats) -> Floats:
        """Return what each column leaves to a mixture of all rows."""
        return row_strategy @ self.entries

    def least_of_rows(self) -> Floats:
        """Return the least entry of each row."""
        least: Floats = self.entries.min(axis=1)
        return least

    def most_of_columns(self) -> Floats:
        """Return the largest entry of each column."""
        most: Floats = self.entries.max(axis=0)
        return most

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
        """Return the pure maximin row and the pure minimax column."""
        return int(self.least_of_rows().argmax()), int(self.most_of_columns().argmin())


def read_payoffs(payoffs: Any) -> DensePayoffs:
    """Check and scale a matrix.

    Raises
    ------
    GameError
        If it is not a matrix of finite real numbers with at least one row and one column.
    """
    entries = _dense(payoffs)
    units = units_of(entries)
    return DensePayoffs(np.ascontiguousarray(units.scale(entries)), units)


def units_of(payoffs: Floats) -> Units:
    """Choose units in which the payoffs lie between -1 and 1.

    Raises
    ------
    GameError
        If they are further apart than the largest float.
    """
    least, most = float(payoffs.min()), float(payoffs.max())
    payoff_range = most - least
    if not math.isfinite(payoff_range):
        raise GameError("the payoffs are too far apart for floats: divide them by a constant")
    return Units(least + payoff_range / 2, math.frexp(payoff_range / 2)[1], payoff_range)


def _dense(payoffs: Any) -> Floats:
    try:
        array = np.asarray(payoffs)
    except ValueError:
        raise GameError("payoffs must be a matrix: all rows must have the same length") from None
    if array.ndim != 2 or not array.size:
        raise GameError(
            f"payoffs must be a matrix with rows and columns, not an array of shape {array.shape}"
        )
    if array.dtype.kind not in "iufO":
        raise GameError(f"payoffs must be real numbers, not {array.dtype}")
    try:
        entries = array.astype(np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise GameError(f"payoffs must be real numbers: {error}") from None
    bad = np.argwhere(~np.isfinite(entries))
    if len(bad):
        row, column = bad[0].tolist()
        raise GameError(
            f"the payoff in row {row}, column {column} is {entries[row, column]}, not a finite number"
        )
    return entries


def _numbers(plans: Sequence[Plan]) -> NDArray[np.int64]:
    return np.array(plans, dtype=np.int64)
