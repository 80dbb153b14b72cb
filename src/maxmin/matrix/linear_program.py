"""A matrix game as one linear program (von Neumann 1928; Dantzig 1951), solved by HiGHS.

The row player maximizes v over its mixture x, with

    sum of x = 1,    (x A)[j] - v >= 0  for each column j,

and the duals of these rows are the column player's mixture y. `program_of` writes it for few columns; the game of
more columns than rows is handed over as the column player's, A' = -A transposed, whose program has fewer rows.
`polished` solves the equations of the basis that HiGHS ends with once more, which takes its tolerances out.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from maxmin.highs import quiet_highs, run_highs
from maxmin.matrix.oracle import Floats
from maxmin.matrix.payoffs import DensePayoffs
from maxmin.matrix.side import Side, side_of

if TYPE_CHECKING:
    import highspy

TOLERANCE = 1e-10
"""The least that HiGHS takes; payoffs are scaled to be near 1."""


@dataclass(frozen=True, eq=False)
class Mixtures:
    """A mixture of the rows and one of the columns, with sum 1 each."""

    rows: Floats
    columns: Floats


def uniform(shape: tuple[int, ...]) -> Mixtures:
    """Return the mixtures that play all rows, and all columns, alike."""
    return Mixtures(np.full(shape[0], 1 / shape[0]), np.full(shape[1], 1 / shape[1]))


class LinearProgram:
    """A matrix game, solved as one linear program.

    Attributes
    ----------
    row_side, column_side : Side
        The best mixture so far of each, and what it proves: pure strategies until the program is solved.
    iterations : int
        Of HiGHS.
    finished : bool
    """

    def __init__(self, payoffs: DensePayoffs, *, seconds: float | None = None) -> None:
        row, column = payoffs.start()
        self.payoffs = payoffs
        self.row_side = Side(payoffs.best_column([row], np.ones(1))[1], (row,), np.ones(1))
        self.column_side = Side(payoffs.best_row([column], np.ones(1))[1], (column,), np.ones(1))
        self.payoff_range = payoffs.payoff_range
        self.iterations = 0
        self.finished = self.column_side.bound <= self.row_side.bound
        self._seconds = math.inf if seconds is None else seconds

    def advance(self, keep_going: Callable[[float], bool]) -> None:
        """Solve the program, unless stopped within it."""
        if self.finished:
            return
        entries = self.payoffs.entries
        swapped = entries.shape[1] > entries.shape[0]
        game = -entries.T if swapped else entries
        highs = make_highs(self._seconds)
        highs.passModel(program_of(game))
        run_highs(highs, "the linear program of a matrix game", keep_going)
        info = highs.getInfo()
        self.iterations = max(info.simplex_iteration_count, 0) + max(info.ipm_iteration_count, 0)
        self.finished = True
        found = better(game, mixtures_of(highs), polished(highs, game))
        if found is not None:
            self._take(*((found.columns, found.rows) if swapped else (found.rows, found.columns)))

    def _take(self, rows: Floats, columns: Floats) -> None:
        lower, upper = self.payoffs.of_columns(rows).min(), self.payoffs.of_rows(columns).max()
        if lower > self.row_side.bound:
            self.row_side = side_of(rows, lower)
        if upper < self.column_side.bound:
            self.column_side = side_of(columns, upper)


def make_highs(seconds: float = math.inf) -> Any:
    """Return a quiet HiGHS with the least tolerances."""
    highs = quiet_highs(seconds=seconds)
    for option in ("primal_feasibility_tolerance", "dual_feasibility_tolerance"):
        highs.setOptionValue(option, TOLERANCE)
    return highs


def program_of(entries: Floats) -> "highspy.HighsLp":
    """Write the row player's program: column 0 is v, row 0 the sum; then a column a row and a row a column."""
    import highspy

    n_rows, n_columns = entries.shape
    full = np.empty((n_rows + 1, n_columns + 1))  # a line for each unknown
    full[0], full[1:, 0], full[1:, 1:] = -1.0, 1.0, entries
    full[0, 0] = 0.0
    kept = full != 0
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = n_rows + 1, n_columns + 1
    lp.sense_ = highspy.ObjSense.kMaximize
    lp.col_cost_ = np.append(1.0, np.zeros(n_rows))
    lp.col_lower_ = np.append(-np.inf, np.zeros(n_rows))
    lp.col_upper_ = np.full(n_rows + 1, np.inf)
    lp.row_lower_ = np.append(1.0, np.zeros(n_columns))
    lp.row_upper_ = np.append(1.0, np.full(n_columns, np.inf))
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_ = np.append(0, np.cumsum(kept.sum(axis=1))).astype(np.int32)
    lp.a_matrix_.index_ = np.nonzero(kept)[1].astype(np.int32)
    lp.a_matrix_.value_ = full[kept]
    return lp


def mixtures_of(highs: Any) -> Mixtures | None:
    """Read both mixtures; None if HiGHS has none."""
    solution = highs.getSolution()
    if not (solution.value_valid and solution.dual_valid):
        return None
    return _mixtures(np.array(solution.col_value)[1:], -np.array(solution.row_dual)[1:])


def polished(highs: Any, entries: Floats) -> Mixtures | None:
    """Solve the equations of the basis anew; None if there is no basis, or the answer is no pair of mixtures."""
    basis = highs.getBasis()
    if not basis.valid:
        return None
    from highspy import HighsBasisStatus

    played = np.flatnonzero(np.array([s == HighsBasisStatus.kBasic for s in basis.col_status[1:]]))
    tight = np.flatnonzero(np.array([s != HighsBasisStatus.kBasic for s in basis.row_status[1:]]))
    if len(played) != len(tight):
        return None
    n = len(played)
    square = np.zeros((n + 1, n + 1))
    square[:n, :n] = entries[np.ix_(played, tight)]
    square[:n, n], square[n, :n] = 1.0, 1.0
    unit = np.append(np.zeros(n), 1.0)
    rows, columns = np.zeros(entries.shape[0]), np.zeros(entries.shape[1])
    try:
        rows[played] = np.linalg.solve(square.T, unit)[:n]
        columns[tight] = np.linalg.solve(square, unit)[:n]
    except np.linalg.LinAlgError:
        return None
    return _mixtures(rows, columns)


def better(entries: Floats, *found: Mixtures | None) -> Mixtures | None:
    """Return, of each side, the mixture that guarantees the most."""
    pairs = [pair for pair in found if pair is not None]
    if not pairs:
        return None
    return Mixtures(
        max((pair.rows for pair in pairs), key=lambda rows: (rows @ entries).min()),
        min((pair.columns for pair in pairs), key=lambda columns: (entries @ columns).max()),
    )


def _mixtures(rows: Floats, columns: Floats) -> Mixtures | None:
    """Drop what is below 0 and divide by the sums; None if nothing is left."""
    rows, columns = np.maximum(rows, 0.0), np.maximum(columns, 0.0)
    totals = rows.sum(), columns.sum()
    if not all(math.isfinite(total) and total > 0 for total in totals):
        return None
    return Mixtures(rows / totals[0], columns / totals[1])
