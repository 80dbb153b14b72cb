"""A first guess of the optimal basis of a rational program, by HiGHS in floats.

Rows and columns are scaled by powers of two before: that changes no basis, but lets floats see payoffs of 1e19 and
of 1e-19 alike. Whatever HiGHS says is only a start: `maxmin.exact.rational_lp` checks it exactly.
"""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from maxmin.errors import Cancelled, MaxminError
from maxmin.highs import quiet_highs, run_highs

if TYPE_CHECKING:
    import highspy

    from maxmin.exact.rational_lp import RationalProgram

_TOLERANCE = 1e-10
"""The least that HiGHS takes."""

_INTERIOR_POINT_FROM = 10_000
"""With more columns than this, interior point and crossover are faster than simplex."""

_PASSES = 4


def float_basis(
    program: "RationalProgram", *, seconds: float, keep_going: Callable[[float], bool] | None
) -> list[int]:
    """Return the basis that HiGHS finds, numbered as in `BasicSolution`; empty if it finds none.

    Raises
    ------
    MaxminError, Cancelled
        If the time ends, or `keep_going` says no.
    """
    import highspy

    highs = quiet_highs(seconds=seconds)
    for option in ("primal_feasibility_tolerance", "dual_feasibility_tolerance"):
        highs.setOptionValue(option, _TOLERANCE)
    highs.setOptionValue("solver", "ipm" if program.n_columns > _INTERIOR_POINT_FROM else "simplex")
    highs.passModel(_model(program))
    run_highs(highs, "the linear program in floats", keep_going)
    status = highs.getModelStatus()
    if status == highspy.HighsModelStatus.kTimeLimit:
        raise MaxminError(f"the time limit of {seconds:g} seconds ended before the exact answer; allow more")
    if status == highspy.HighsModelStatus.kInterrupt:
        raise Cancelled("stopped before the exact answer")
    basis = highs.getBasis()
    if not basis.valid:
        return []
    basic = highspy.HighsBasisStatus.kBasic
    places = [*basis.col_status, *basis.row_status]
    return [number for number, place in enumerate(places) if place == basic]


def _model(program: "RationalProgram") -> "highspy.HighsLp":
    import highspy

    start = np.array(program.start)
    row = np.array(program.row, dtype=np.int32)
    value = np.array([float(number) for number in program.value])
    column = np.repeat(np.arange(program.n_columns), np.diff(start))
    row_power, column_power = _powers(row, column, value, (program.n_rows, program.n_columns))
    right = np.ldexp([float(number) for number in program.right], row_power)
    cost = np.ldexp([float(number) for number in program.objective], column_power)
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = program.n_columns, program.n_rows
    lp.sense_ = highspy.ObjSense.kMaximize
    lp.col_cost_ = _to_one(cost)
    lp.col_lower_ = np.where(program.free, -highspy.kHighsInf, 0.0)
    lp.col_upper_ = np.full(program.n_columns, highspy.kHighsInf)
    lp.row_lower_ = lp.row_upper_ = _to_one(right)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_, lp.a_matrix_.index_ = start.astype(np.int32), row
    lp.a_matrix_.value_ = np.ldexp(value, row_power[row] + column_power[column])
    return lp


def _powers(
    row: NDArray[np.int32], column: NDArray[np.int64], value: NDArray[np.float64], shape: tuple[int, int]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return powers of two for rows and columns that bring entries near 1: geometric means, in turn."""
    kept = np.flatnonzero(value)
    entry = np.log2(np.abs(value[kept]))
    powers = [np.zeros(shape[0]), np.zeros(shape[1])]
    lines = (row[kept], column[kept])
    for side in (0, 1) * _PASSES:
        line, across = lines[side], lines[1 - side]
        total = np.bincount(line, entry + powers[1 - side][across], minlength=shape[side])
        powers[side] = -total / np.maximum(np.bincount(line, minlength=shape[side]), 1)
    return powers[0].round().astype(np.int64), powers[1].round().astype(np.int64)


def _to_one(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scale so that the largest is near 1."""
    largest = float(np.abs(values).max(initial=0.0))
    return np.ldexp(values, -math.frexp(largest)[1]) if largest else values
