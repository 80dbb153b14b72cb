"""From a run to a `MatrixSolution`: the bounds are best responses to exactly the strategies that it holds."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from maxmin.errors import GameError
from maxmin.limits import Limits
from maxmin.matrix.double_oracle import CROSSING, DoubleOracle
from maxmin.matrix.payoffs import MatrixPayoffs
from maxmin.matrix.result import ExactMatrixSolution, MatrixSolution
from maxmin.matrix.run import Ended, Method, relative_gap
from maxmin.matrix.side import Side


def certify_matrix(
    matrix: MatrixPayoffs, method: str, run: Method, ended: Ended, limits: Limits
) -> MatrixSolution:
    """Find both bounds anew, from the matrix and the strategies alone."""
    rows, columns = run.row_side, run.column_side
    rows = replace(rows, bound=matrix.best_column(rows.plans, rows.weights)[1])
    columns = replace(columns, bound=matrix.best_row(columns.plans, columns.weights)[1])
    relative = relative_gap(rows, columns, matrix.units.scaled_range)
    solution = _solution(method, run.iterations, ended, (rows, columns), matrix.units.to_payoff)
    return replace(solution, relative_gap=relative, converged=relative <= limits.gap, shape=matrix.shape)


def certify_oracle(run: DoubleOracle, ended: Ended, limits: Limits) -> MatrixSolution:
    """Take the bounds as the oracle's best responses gave them.

    Raises
    ------
    GameError
        If they cross by more than rounding explains.
    """
    rows, columns = run.row_side, run.column_side
    if rows.bound - columns.bound > CROSSING * max(run.payoff_range, abs(rows.bound)):
        raise GameError(
            f"the oracle contradicts itself: some mixture of rows gets at least {rows.bound:g}, some mixture of "
            f"columns leaves at most {columns.bound:g}; best_row or best_column did not return a best response"
        )
    relative = relative_gap(rows, columns, run.payoff_range)
    solution = _solution("double_oracle", run.iterations, ended, (rows, columns), float)
    return replace(solution, relative_gap=relative, converged=relative <= limits.gap)


def certify_exact(exact: ExactMatrixSolution, pivots: int, ended: Ended) -> MatrixSolution:
    """Round an exact answer; its bounds are its value."""
    value = float(exact.value)
    sides = _rounded(exact.row_strategy, value), _rounded(exact.column_strategy, value)
    shape = len(exact.row_strategy), len(exact.column_strategy)
    trace = [[ended.seconds, pivots, value, value]]
    solution = _solution("exact", pivots, replace(ended, trace=trace), sides, float)
    return replace(solution, exact=exact, shape=shape)


def _rounded(strategy: Sequence[Fraction], value: float) -> Side:
    played = tuple(place for place, weight in enumerate(strategy) if weight)
    return Side(value, played, np.array([float(strategy[place]) for place in played]))


def _solution(
    method: str, iterations: int, ended: Ended, sides: tuple[Side, Side], to_payoff: Callable[[float], float]
) -> MatrixSolution:
    """Put the bounds in order, as they may cross by a rounding error."""
    rows, columns = sides
    lower, upper = sorted((to_payoff(rows.bound), to_payoff(columns.bound)))
    return MatrixSolution(
        value=lower + (upper - lower) / 2,
        lower=lower,
        upper=upper,
        gap=upper - lower,
        relative_gap=0.0,
        method=method,
        iterations=iterations,
        seconds=ended.seconds,
        converged=True,
        stopped_by=ended.stopped_by,
        trace=ended.trace,
        exact=None,
        rows=rows.plans,
        row_weights=rows.weights,
        columns=columns.plans,
        column_weights=columns.weights,
        shape=None,
    )
