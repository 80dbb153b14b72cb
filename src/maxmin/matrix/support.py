"""The equations of a guess of which plans are played: each of them is worth the value, and weights sum to 1."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from maxmin.matrix.oracle import Floats

Places: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Mixtures:
    """A mixture of the rows and one of the columns, with sum 1 each."""

    rows: Floats
    columns: Floats


def solve_support(
    block: Callable[[Any, Any], Floats], rows: Places, columns: Places, shape: tuple[int, int]
) -> Mixtures | None:
    """Solve for the mixtures of as many rows as columns; None if there are none.

    Parameters
    ----------
    block
        Returns the payoffs of some rows and columns.
    rows, columns
        The plans that are played, if the guess is right.
    shape
        How many rows and columns there are.
    """
    n = len(rows)
    if not 0 < n == len(columns):
        return None
    square = np.zeros((n + 1, n + 1))
    square[:n, :n] = block(rows, columns)
    square[:n, n] = square[n, :n] = 1.0  # times minus the value; the sum
    unit = np.append(np.zeros(n), 1.0)
    row_weights, column_weights = np.zeros(shape[0]), np.zeros(shape[1])
    try:
        row_weights[rows] = np.linalg.solve(square.T, unit)[:n]
        column_weights[columns] = np.linalg.solve(square, unit)[:n]
    except np.linalg.LinAlgError:
        return None
    return to_mixtures(row_weights, column_weights)


def to_mixtures(rows: Floats, columns: Floats) -> Mixtures | None:
    """Drop what is below 0 and divide by the sums; None if nothing is left."""
    rows, columns = np.maximum(rows, 0.0), np.maximum(columns, 0.0)
    totals = float(rows.sum()), float(columns.sum())
    if not all(math.isfinite(total) and total > 0 for total in totals):
        return None
    return Mixtures(rows / totals[0], columns / totals[1])
