"""What the programs of `linear_program` and `column_generation` share: the side that answers, as potentials.

Both maximize what the answering side leaves the other one: v[root], where each belief b of the answering side
has a potential v[b] no larger than the sum of v and w over the children of any of its prescriptions, and w[m] is
what its leaf class m is worth. The duals of these rows are the answering side's flow.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from maxmin.decision import DecisionProblem
from maxmin.tree import Floats

if TYPE_CHECKING:
    import highspy


class Rows:
    """Collects the entries of a sparse matrix, block by block."""

    def __init__(self) -> None:
        self.n_rows = 0
        self._entries: list[tuple[NDArray[Any], NDArray[Any], NDArray[Any]]] = []

    def add(self, row: NDArray[Any], column: NDArray[Any], value: float | Floats) -> None:
        """Add entries; rows count from the start of the current block."""
        self._entries.append((row + self.n_rows, column, np.broadcast_to(value, row.shape)))

    def close(self, n_rows: int) -> None:
        """End a block of that many rows."""
        self.n_rows += n_rows

    def compressed(self) -> tuple[NDArray[np.int32], NDArray[np.int32], Floats]:
        """Return row starts, columns and values."""
        row, column, value = (np.concatenate(part) for part in zip(*self._entries, strict=True))
        order = np.argsort(row, kind="stable")
        start = np.searchsorted(row[order], np.arange(self.n_rows + 1))
        return start.astype(np.int32), column[order].astype(np.int32), value[order]


def maximize_potential(rows: Rows, answering: DecisionProblem, worth: int) -> "highspy.HighsLp":
    """Add the rows of the answering side, and make a program that maximizes the potential of its root.

    Parameters
    ----------
    rows
        All other rows: equations with right-hand side 0, but for the first, which has 1.
    answering
        The side that answers.
    worth
        The column of its first leaf class. Columns before it are nonnegative; w and v, behind it, are free.
    """
    import highspy

    potential = worth + answering.n_leaf_classes
    n_equal, n_prescriptions = rows.n_rows, answering.n_prescriptions
    belief = np.repeat(np.arange(answering.n_beliefs), np.diff(answering.belief_start))
    prescription = np.repeat(np.arange(n_prescriptions), np.diff(answering.child_start))
    inside = answering.children < answering.n_beliefs
    child = np.where(inside, potential, worth - answering.n_beliefs) + answering.children
    rows.add(np.arange(n_prescriptions), potential + belief, 1.0)
    rows.add(prescription, child, -1.0)
    rows.close(n_prescriptions)

    infinity = highspy.kHighsInf
    lp = highspy.HighsLp()
    lp.num_col_ = potential + answering.n_beliefs
    lp.num_row_ = rows.n_rows
    lp.sense_ = highspy.ObjSense.kMaximize
    cost = np.zeros(lp.num_col_)
    cost[potential] = 1.0
    lp.col_cost_ = cost
    lp.col_lower_ = np.concatenate([np.zeros(worth), np.full(lp.num_col_ - worth, -infinity)])
    lp.col_upper_ = np.full(lp.num_col_, infinity)
    upper = np.zeros(rows.n_rows)
    upper[0] = 1.0
    lp.row_upper_ = upper
    lp.row_lower_ = np.concatenate([upper[:n_equal], np.full(n_prescriptions, -infinity)])
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_, lp.a_matrix_.index_, lp.a_matrix_.value_ = rows.compressed()
    return lp
