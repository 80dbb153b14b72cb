"""Zero-sum matrix games: `solve_matrix` runs one method and certifies what it returns.

Methods, each in the file of its name: `linear_program` ("lp"), `interior_point`, `double_oracle`, `fictitious_play`
and its two variants, `regret_matching` ("rm+"), `exact`.
"""

from collections.abc import Sequence
from dataclasses import replace
from numbers import Integral
from typing import Any

from maxmin.errors import MaxminError
from maxmin.limits import Limits, make_limits
from maxmin.matrix.certify import certify_exact, certify_matrix, certify_oracle
from maxmin.matrix.double_oracle import DoubleOracle
from maxmin.matrix.fictitious_play import ORDERS, FictitiousPlay
from maxmin.matrix.interior_point import InteriorPoint
from maxmin.matrix.linear_program import LinearProgram
from maxmin.matrix.oracle import MatrixOracle, Plan
from maxmin.matrix.payoffs import MatrixPayoffs, read_payoffs
from maxmin.matrix.regret_matching import RegretMatching
from maxmin.matrix.result import Callback, ExactMatrixSolution, MatrixSnapshot, MatrixSolution
from maxmin.matrix.run import Method, run_exact, run_method
from maxmin.matrix.sparse import SparsePayoffs
from maxmin.names import unknown_method

__all__ = [
    "METHODS",
    "ExactMatrixSolution",
    "MatrixOracle",
    "MatrixSnapshot",
    "MatrixSolution",
    "Plan",
    "solve_matrix",
]

METHODS: tuple[str, ...] = ("auto", "lp", "interior_point", "double_oracle", *ORDERS, "rm+", "exact")
"""All names that `solve_matrix` takes as its method."""

_MOST_ITERATIONS = {"rm+": 100_000, **dict.fromkeys(ORDERS, 1_000_000)}
"""When to stop if neither seconds nor iterations are given: to small gaps the way is long."""

_OF_ORACLES = ("auto", "double_oracle")


def solve_matrix(
    payoffs: Any,
    *,
    method: str = "auto",
    gap: float = 1e-9,
    seconds: float | None = None,
    iterations: int | None = None,
    rows: Sequence[Plan] = (),
    columns: Sequence[Plan] = (),
    callback: Callback | None = None,
) -> MatrixSolution:
    """Find what the row player can guarantee in a zero-sum matrix game, with strategies of both that prove it.

    Parameters
    ----------
    payoffs
        What the row player, who maximizes, gets from the column player, (n_rows, n_columns): an array, nested
        lists, a sparse matrix (SciPy's, or any with ``tocsr``), or a `MatrixOracle`.
    method
        One of `METHODS`. "auto" takes interior point for a dense matrix, and the linear program if rounding stops
        that too early; the linear program for a sparse one; double oracle for an oracle. "exact" takes integers,
        Fractions, and text such as "1/3": `MatrixSolution.exact` then has value and strategies as fractions.
    gap
        Stop when the gap between the bounds is at most this share of the payoff range (of an oracle: of the range
        of the payoffs that were looked at).
    seconds, iterations
        Stop after so much; the best so far is returned, as it is on Ctrl-C. If neither is given, fictitious play
        stops after 1,000,000 iterations and regret matching+ after 100,000.
    rows, columns
        Plans that double oracle begins with, such as those of a game near by.
    callback
        Called with a `MatrixSnapshot` now and then; returns False to stop.

    Returns
    -------
    MatrixSolution

    Raises
    ------
    GameError
        If the payoffs are no matrix of finite real numbers; if an oracle contradicts itself; if payoffs are floats
        and the answer is to be exact.
    UnknownNameError
        If there is no such method.
    SizeError
        If the game is too large for the method.
    MaxminError
        If an argument makes no sense, or time ends before an exact answer.
    Cancelled
        If stopped before an exact answer.

    Examples
    --------
    >>> solution = solve_matrix([[3, -1], [-2, 4]])
    >>> round(solution.value, 12), solution.row_strategy.round(3).tolist()
    (1.0, [0.6, 0.4])
    """
    if method not in METHODS:
        raise unknown_method(method, METHODS)
    limits = make_limits(gap, seconds, iterations)
    if hasattr(payoffs, "best_row"):
        if method not in _OF_ORACLES:
            raise MaxminError(
                f"an oracle is solved by double_oracle, not by {method}: it has no whole matrix"
            )
        oracle_run = DoubleOracle(payoffs, rows=rows, columns=columns)
        return certify_oracle(oracle_run, run_method(oracle_run, limits, callback, float), limits)
    if (len(rows) or len(columns)) and method != "double_oracle":
        raise MaxminError(
            "rows and columns are what double_oracle begins with: take that method, or give none"
        )
    if method == "exact":
        return certify_exact(*run_exact(payoffs, limits))
    matrix = read_payoffs(payoffs)
    if method != "auto":
        return _solve(matrix, method, limits, rows, columns, callback)
    if isinstance(matrix, SparsePayoffs):
        return _solve(matrix, "lp", limits, rows, columns, callback)
    solution = _solve(matrix, "interior_point", limits, rows, columns, callback)
    if solution.converged or solution.stopped_by != "optimal":
        return solution
    left = None if seconds is None else max(seconds - solution.seconds, 0.0)
    return min(
        solution,
        _solve(matrix, "lp", replace(limits, seconds=left), rows, columns, callback),
        key=lambda found: found.gap,
    )


def _solve(
    matrix: MatrixPayoffs,
    method: str,
    limits: Limits,
    rows: Sequence[Plan],
    columns: Sequence[Plan],
    callback: Callback | None,
) -> MatrixSolution:
    if limits.seconds is None and limits.iterations is None:
        limits = replace(limits, iterations=_MOST_ITERATIONS.get(method))
    run = _start(matrix, method, limits, rows, columns)
    ended = run_method(run, limits, callback, matrix.units.to_payoff)
    return certify_matrix(matrix, method, run, ended, limits)


def _start(
    matrix: MatrixPayoffs, method: str, limits: Limits, rows: Sequence[Plan], columns: Sequence[Plan]
) -> Method:
    if method == "lp":
        return LinearProgram(matrix, seconds=limits.seconds)
    if method == "interior_point":
        if isinstance(matrix, SparsePayoffs):
            raise MaxminError("interior_point is for dense matrices: take lp for a sparse one")
        return InteriorPoint(matrix)
    if method == "double_oracle":
        return DoubleOracle(
            matrix,
            rows=_places(rows, matrix.shape[0]),
            columns=_places(columns, matrix.shape[1]),
            payoff_range=matrix.units.scaled_range,
        )
    if method == "rm+":
        return RegretMatching(matrix, most=limits.iterations)
    return FictitiousPlay(matrix, ORDERS[method], most=limits.iterations)


def _places(plans: Sequence[Plan], size: int) -> list[int]:
    return [_place(plan, size) for plan in plans]


def _place(plan: Plan, size: int) -> int:
    if isinstance(plan, bool) or not isinstance(plan, Integral) or not 0 <= plan < size:
        raise MaxminError(f"there is no row or column {plan!r} to begin with: they are 0 to {size - 1}")
    return int(plan)
