"""A matrix game as one linear program (von Neumann 1928; Dantzig 1951), solved by HiGHS.

The row player maximizes v over its mixture x, with

    sum of x = 1,    (x A)[j] - v >= 0  for each column j,

and minus the duals of these rows are the column player's mixture y. A game of more columns than rows is handed over
with its sides swapped, as then the program has fewer rows. `polished` solves the equations of the basis that HiGHS
ends with once more, which takes HiGHS's tolerances out.
"""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from maxmin.errors import SizeError
from maxmin.highs import quiet_highs, run_highs
from maxmin.matrix.matrix_run import MatrixRun
from maxmin.matrix.oracle import Floats
from maxmin.matrix.payoffs import MatrixPayoffs
from maxmin.matrix.support import Mixtures, solve_support, to_mixtures

if TYPE_CHECKING:
    import highspy

_TOLERANCE = 1e-10
"""The least that HiGHS takes; payoffs are scaled to be near 1."""

_INTERIOR_POINT_FROM = 350
"""With more rows and columns than this, interior point is faster than simplex (measured on random games)."""

_MOST_ENTRIES = 2**31 - 1


class Lines(Protocol):
    """What a program is written from: `DensePayoffs`, `SparsePayoffs`."""

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns."""

    def by_rows(self) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
        """Return the entries that are not 0: where each row starts, their columns, their values."""


class LinearProgram(MatrixRun):
    """A matrix game, solved as one linear program; until then the best pure strategies stand.

    Attributes
    ----------
    iterations : int
        Of HiGHS.
    """

    def __init__(self, payoffs: MatrixPayoffs, *, seconds: float | None = None) -> None:
        super().__init__(payoffs)
        self._seconds = math.inf if seconds is None else seconds
        self.take_pure()

    def advance(self, keep_going: Callable[[float], bool]) -> None:
        """Solve the program, unless stopped within it."""
        if self.finished:
            return
        swapped = self.payoffs.shape[1] > self.payoffs.shape[0]
        game = self.payoffs.swapped() if swapped else self.payoffs
        highs = make_highs(self._seconds)
        highs.setOptionValue("solver", "ipm" if min(game.shape) > _INTERIOR_POINT_FROM else "simplex")
        highs.passModel(program_of(game))
        run_highs(highs, "the linear program of a matrix game", keep_going)
        info = highs.getInfo()
        self.iterations = max(info.simplex_iteration_count, 0) + max(info.ipm_iteration_count, 0)
        self.finished = True
        for found in (mixtures_of(highs), polished(highs, game.block)):
            if found is not None:
                self.take(*((found.columns, found.rows) if swapped else (found.rows, found.columns)))


def make_highs(seconds: float = math.inf) -> Any:
    """Return a quiet HiGHS with the least tolerances."""
    highs = quiet_highs(seconds=seconds)
    for option in ("primal_feasibility_tolerance", "dual_feasibility_tolerance"):
        highs.setOptionValue(option, _TOLERANCE)
    return highs


def program_of(payoffs: Lines) -> "highspy.HighsLp":
    """Write the row player's program: column 0 is v, row 0 the sum; then a column a row and a row a column.

    Raises
    ------
    SizeError
        If it has more entries than HiGHS can number.
    """
    import highspy

    n_rows, n_columns = payoffs.shape
    start, column, value = payoffs.by_rows()
    if len(value) + n_rows + n_columns > _MOST_ENTRIES:
        raise SizeError(f"{len(value):,} payoffs are more than the linear program can hold: take method rm+")
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = n_rows + 1, n_columns + 1
    lp.sense_ = highspy.ObjSense.kMaximize
    lp.col_cost_ = np.append(1.0, np.zeros(n_rows))
    lp.col_lower_ = np.append(-np.inf, np.zeros(n_rows))
    lp.col_upper_ = np.full(n_rows + 1, np.inf)
    lp.row_lower_ = np.append(1.0, np.zeros(n_columns))
    lp.row_upper_ = np.append(1.0, np.full(n_columns, np.inf))
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    # Column 0 has -1 in each row but the first; each other column has 1 there, before its payoffs.
    lp.a_matrix_.start_ = np.append(0, n_columns + start + np.arange(n_rows + 1)).astype(np.int32)
    index, coefficient = np.insert(column + 1, start[:-1], 0), np.insert(value, start[:-1], 1.0)
    lp.a_matrix_.index_ = np.append(np.arange(1, n_columns + 1), index).astype(np.int32)
    lp.a_matrix_.value_ = np.append(np.full(n_columns, -1.0), coefficient)
    return lp


def mixtures_of(highs: Any) -> Mixtures | None:
    """Read both mixtures; None if HiGHS has none."""
    solution = highs.getSolution()
    if not (solution.value_valid and solution.dual_valid):
        return None
    return to_mixtures(np.array(solution.col_value)[1:], -np.array(solution.row_dual)[1:])


def polished(highs: Any, block: Callable[[Any, Any], Floats]) -> Mixtures | None:
    """Solve the equations of the basis anew; None if there is no basis, or the answer is no pair of mixtures.

    Parameters
    ----------
    highs
        After a run.
    block
        Returns the payoffs of some rows and columns.
    """
    from highspy import HighsBasisStatus

    basis = highs.getBasis()
    if not basis.valid:
        return None
    played = np.array([status == HighsBasisStatus.kBasic for status in basis.col_status[1:]])
    loose = np.array([status == HighsBasisStatus.kBasic for status in basis.row_status[1:]])
    return solve_support(block, np.flatnonzero(played), np.flatnonzero(~loose), (len(played), len(loose)))
