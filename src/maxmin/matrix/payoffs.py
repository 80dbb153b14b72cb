"""Matrices as users give them, checked, and scaled so that solvers see the same numbers whatever the units.

A payoff p is kept as (p - middle) / 2**exponent, which lies between -1 and 1; a sparse matrix is not shifted. All
payoffs of `DensePayoffs` and `SparsePayoffs` are such scaled ones.
"""

import math
from numbers import Real
from typing import Any, TypeAlias

import numpy as np

from maxmin.errors import GameError, SizeError
from maxmin.limits import default_memory
from maxmin.matrix.dense import DensePayoffs
from maxmin.matrix.oracle import Floats
from maxmin.matrix.sparse import SparsePayoffs, sums
from maxmin.matrix.units import Units, units_of
from maxmin.rational import shown

MatrixPayoffs: TypeAlias = DensePayoffs | SparsePayoffs
"""A matrix that was read; either kind has the same methods."""

RAGGED = "must be a matrix: all rows must have the same length"

_EXACT_TAKES = "; method exact also takes text such as '1/3'"

_COPIES = 4
"""Of a dense matrix, at the same time: the scaled one, the one with sides swapped, and two while solving."""


def read_payoffs(payoffs: Any) -> MatrixPayoffs:
    """Check and scale a matrix: an array, nested lists, or a sparse matrix of SciPy or any other with ``tocsr``.

    Raises
    ------
    GameError
        If it is not a matrix of finite real numbers with at least one row and one column.
    SizeError
        If a dense matrix is too large for the machine's memory.
    """
    if hasattr(payoffs, "tocsr"):
        return _read_sparse(payoffs.tocsr())
    array = as_array(payoffs, "payoffs")
    check_shape(array.shape)
    check_size(array.shape)
    entries = to_floats(array, "payoffs", hint=_EXACT_TAKES)
    bad = np.argwhere(~np.isfinite(entries))
    if len(bad):
        row, column = bad[0].tolist()
        raise GameError(
            f"row {row}, column {column} is {entries[row, column]}: payoffs must be finite numbers"
        )
    units = units_of(float(entries.min()), float(entries.max()))
    return DensePayoffs(np.ascontiguousarray(units.scale(entries)), units)


def _read_sparse(matrix: Any) -> SparsePayoffs:
    check_shape(matrix.shape)
    value = to_floats(np.asarray(matrix.data), "payoffs", hint=_EXACT_TAKES)
    start, index = np.asarray(matrix.indptr, dtype=np.int64), np.asarray(matrix.indices, dtype=np.int64)
    row = np.repeat(np.arange(matrix.shape[0]), np.diff(start))
    bad = np.flatnonzero(~np.isfinite(value))
    if len(bad):
        where = f"row {row[bad[0]]}, column {index[bad[0]]}"
        raise GameError(f"{where} is {value[bad[0]]}: payoffs must be finite numbers")
    place, inverse = np.unique(row * matrix.shape[1] + index, return_inverse=True)
    value = sums(inverse, value, len(place))  # entries that are given twice are summed
    payoffs = value if len(place) == math.prod(matrix.shape) else np.append(value, 0.0)
    payoff_range = units_of(float(payoffs.min()), float(payoffs.max())).payoff_range
    units = Units(0.0, math.frexp(float(np.abs(payoffs).max()))[1], payoff_range)
    return SparsePayoffs.of_entries(matrix.shape, place, units.scale(value), units)


def as_array(given: Any, what: str) -> Any:
    """Return nested lists, or what else NumPy reads, as an array of any type; `what` it is begins the error.

    Raises
    ------
    GameError
        If rows have different lengths.
    """
    try:
        return np.asarray(given)
    except ValueError:
        raise GameError(f"{what} {RAGGED}") from None


def check_shape(shape: tuple[int, ...]) -> None:
    """Refuse what has no rows and columns."""
    if len(shape) != 2 or 0 in shape:
        raise GameError(f"payoffs must be a matrix with rows and columns, not an array of shape {shape}")


def check_size(shape: tuple[int, ...]) -> None:
    """Refuse numbers that are too many to be solved, before they are copied.

    Raises
    ------
    SizeError
        If some copies of them do not fit into half of the machine's memory.
    """
    most, needed = default_memory(), _COPIES * 8 * math.prod(shape)
    if needed > most:
        raise SizeError(
            f"a matrix of {' x '.join(f'{size:,}' for size in shape)} would need {needed / 1e6:,.0f} MB to be "
            f"solved; the limit is {most / 1e6:,.0f} MB, half of the machine's. Give a sparse matrix, or an oracle"
        )


def to_floats(array: Any, what: str, *, hint: str = "") -> Floats:
    """Return an array of real numbers as floats; `what` they are begins the error, `hint` ends it.

    Raises
    ------
    GameError
        If they are anything else, booleans and text too, or too large for floats.
    """
    if array.dtype.kind not in "iufO":
        raise GameError(f"{what} must be real numbers, not {array.dtype}{hint}")
    if array.dtype.kind == "O":
        for entry in array.flat:
            if isinstance(entry, bool) or not isinstance(entry, Real):
                raise GameError(f"{what} must be real numbers, not {shown(entry)}{hint}")
    try:
        floats: Floats = array.astype(np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise GameError(f"{what} must be real numbers: {error}") from None
    return floats
