"""What a zero-sum matrix game is to the solvers that never write it down: `MatrixOracle`."""

from collections.abc import Hashable, Sequence
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]

Plan: TypeAlias = Hashable
"""How an oracle names a row or a column; equal plans are the same row or column."""


class MatrixOracle(Protocol):
    """A zero-sum matrix game given by payoffs of a few plans and by best responses among all.

    The row player maximizes, the column player minimizes. Weights are nonnegative and sum to 1.
    """

    def block(self, rows: Sequence[Plan], columns: Sequence[Plan]) -> Floats:
        """Return the payoffs to the row player, (len(rows), len(columns)) float64."""
        ...

    def best_row(self, columns: Sequence[Plan], weights: Floats) -> tuple[Plan, float]:
        """Return a best row against a mixture of columns, and what it gets."""
        ...

    def best_column(self, rows: Sequence[Plan], weights: Floats) -> tuple[Plan, float]:
        """Return a best column against a mixture of rows, and what the row player gets."""
        ...

    def start(self) -> tuple[Plan, Plan]:
        """Return a row and a column to begin with."""
        ...
