"""`MatrixSolution`: the value of a matrix game between certified bounds, and how it was found."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from maxmin.errors import MaxminError
from maxmin.matrix.oracle import Floats, Plan


@dataclass(frozen=True)
class MatrixSnapshot:
    """How far a solve has come; what a callback is given.

    Attributes
    ----------
    iterations : int
    seconds : float
        Since the start.
    lower, upper : float
        Payoff units; the best so far.
    relative_gap : float
    """

    iterations: int
    seconds: float
    lower: float
    upper: float
    relative_gap: float


Callback: TypeAlias = Callable[[MatrixSnapshot], object]
"""Called with a `MatrixSnapshot` now and then; a solve stops in order when it returns False."""


@dataclass(frozen=True)
class ExactMatrixSolution:
    """The value and both optimal strategies as fractions; a weight for each row and each column."""

    value: Fraction
    row_strategy: tuple[Fraction, ...]
    column_strategy: tuple[Fraction, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the fractions as text, such as ``"1/3"``."""
        return {
            "value": str(self.value),
            "row_strategy": [str(weight) for weight in self.row_strategy],
            "column_strategy": [str(weight) for weight in self.column_strategy],
        }


@dataclass(frozen=True, eq=False, repr=False)
class MatrixSolution:
    """What the row player can guarantee in a matrix game, with strategies of both players that prove it.

    Attributes
    ----------
    value : float
        Halfway between the bounds. Payoff units to the row player, as are the next three.
    lower, upper : float
        What the best column leaves against the row strategy; what the best row gets against the column strategy.
    gap : float
        ``upper - lower``.
    relative_gap : float
        `gap` divided by the range of the payoffs (of an oracle: of those that were looked at).
    method : str
    iterations : int
        Of simplex, interior point, fictitious play or regret matching; rounds of double oracle; exact pivots.
    seconds : float
    converged : bool
        Whether the relative gap that was asked for was reached.
    stopped_by : str
        "gap", "optimal", "seconds", "iterations" or "interrupt".
    trace : list of [seconds, iterations, lower, upper]
    exact : ExactMatrixSolution or None
        Of method "exact"; the bounds above are then its value, rounded.
    rows, columns : tuple
        The plans that are played: numbers of rows and columns, or an oracle's names.
    row_weights, column_weights : (n_plans,) float64
        How often each is played; positive, with sum 1.
    shape : tuple of int or None
        Of the matrix; None if the game is an oracle.
    """

    value: float
    lower: float
    upper: float
    gap: float
    relative_gap: float
    method: str
    iterations: int
    seconds: float
    converged: bool
    stopped_by: str
    trace: list[list[float]]
    exact: ExactMatrixSolution | None
    rows: tuple[Plan, ...]
    row_weights: Floats
    columns: tuple[Plan, ...]
    column_weights: Floats
    shape: tuple[int, int] | None

    def __repr__(self) -> str:
        return f"MatrixSolution({self.lower:.6g} <= value <= {self.upper:.6g}, {self.method})"

    @property
    def row_strategy(self) -> Floats:
        """The probability of every row, (n_rows,) float64.

        Raises
        ------
        MaxminError
            If the game is an oracle, whose rows are not numbered.
        """
        return self._spread(0, self.rows, self.row_weights)

    @property
    def column_strategy(self) -> Floats:
        """The probability of every column, (n_columns,) float64; raises as `row_strategy` does."""
        return self._spread(1, self.columns, self.column_weights)

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON types; plans that are neither numbers nor text become text."""
        return {
            "value": self.value,
            "lower": self.lower,
            "upper": self.upper,
            "gap": self.gap,
            "relative_gap": self.relative_gap,
            "method": self.method,
            "iterations": self.iterations,
            "seconds": self.seconds,
            "converged": self.converged,
            "stopped_by": self.stopped_by,
            "trace": self.trace,
            "exact": None if self.exact is None else self.exact.to_json(),
            "rows": [plan if isinstance(plan, int | str) else str(plan) for plan in self.rows],
            "row_weights": self.row_weights.tolist(),
            "columns": [plan if isinstance(plan, int | str) else str(plan) for plan in self.columns],
            "column_weights": self.column_weights.tolist(),
        }

    def _spread(self, axis: int, plans: Sequence[Plan], weights: Floats) -> Floats:
        if self.shape is None:
            raise MaxminError("an oracle's plans are not numbered: take rows and row_weights, or columns")
        strategy = np.zeros(self.shape[axis])
        strategy[np.array(plans, dtype=np.int64)] = weights
        return strategy
