"""Rows by HiGHS alone: the linear program of a matrix game, written and solved as its documentation says."""

import highspy
import numpy as np
from clock import Clock
from random_matrix import random_matrix
from rows import Row


def linear_program(*, rows: int, columns: int, solver: str) -> Row:
    """Time writing the row player's program from arrays and running it; `solver` is an option of HiGHS."""
    matrix = random_matrix(rows, columns)
    with Clock() as clock:
        highs = highspy.Highs()
        highs.setOptionValue("output_flag", False)
        highs.setOptionValue("solver", solver)
        highs.passModel(_model(matrix))
        highs.run()
        solution = highs.getSolution()
        row_strategy = np.array(solution.col_value)[:-1]
        column_strategy = -np.array(solution.row_dual)[:-1]
    gap = (matrix @ column_strategy).max() - (row_strategy @ matrix).min()
    return {"solve": clock.seconds(), "relative_gap": gap / np.ptp(matrix), "value": solution.col_value[-1]}


def _model(matrix: np.ndarray) -> highspy.HighsLp:
    """Maximize v where each column leaves at least v to the mixture x of rows: columns x, then v."""
    rows, columns = matrix.shape
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = rows + 1, columns + 1
    lp.sense_ = highspy.ObjSense.kMaximize
    lp.col_cost_ = np.append(np.zeros(rows), 1.0)
    lp.col_lower_ = np.append(np.zeros(rows), -np.inf)
    lp.col_upper_ = np.full(rows + 1, np.inf)
    lp.row_lower_ = np.append(np.zeros(columns), 1.0)
    lp.row_upper_ = np.append(np.full(columns, np.inf), 1.0)
    lines = np.column_stack([matrix, np.ones(rows)])
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_ = np.append(np.arange(rows + 1) * (columns + 1), rows * (columns + 1) + columns)
    lp.a_matrix_.index_ = np.append(np.tile(np.arange(columns + 1), rows), np.arange(columns))
    lp.a_matrix_.value_ = np.append(lines.ravel(), np.full(columns, -1.0))
    return lp
