"""Zero-sum matrix games: `solve_matrix` runs one method and certifies what it returns.

Methods, each in the file of its name: `linear_program`, `double_oracle`.
"""

import math
import operator
from collections.abc import Sequence
from typing import Any

from maxmin.errors import GameError, MaxminError, UnknownNameError
from maxmin.matrix.double_oracle import DoubleOracle
from maxmin.matrix.linear_program import LinearProgram
from maxmin.matrix.oracle import MatrixOracle, Plan
from maxmin.matrix.payoffs import read_payoffs
from maxmin.matrix.result import Callback, ExactMatrixSolution, MatrixSnapshot, MatrixSolution
from maxmin.matrix.run import Ended, Limits, Method, gap_of, run_method
from maxmin.names import nearest

__all__ = [
    "METHODS",
    "ExactMatrixSolution",
    "MatrixOracle",
    "MatrixSnapshot",
    "MatrixSolution",
    "Plan",
    "solve_matrix",
]

METHODS: tuple[str, ...] = ("auto", "lp", "double_oracle")
"""All names that `solve_matrix` takes as its method."""

_CROSSING = 1e-9
"""Bounds that cross by no more than this share of the payoff range have met."""


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
        What the row player, who maximizes, gets from the column player: a matrix, or a `MatrixOracle`.
    method
        One of `METHODS`. "auto" takes the linear program for a matrix and double oracle for an oracle.
    gap
        Stop when the gap between the bounds is at most this share of the payoff range (of an oracle: of the range
        of payoffs looked at).
    seconds, iterations
        Stop after so much; the best so far is returned, as it is on Ctrl-C.
    rows, columns
        Plans that double oracle begins with, such as those of a game near by.
    callback
        Called with a `MatrixSnapshot` now and then; returns False to stop.

    Raises
    ------
    GameError
        If the payoffs are no matrix of finite real numbers; if an oracle contradicts itself.
    UnknownNameError
        If there is no such method.
    MaxminError
        If an argument makes no sense.

    Examples
    --------
    >>> solution = solve_matrix([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    >>> abs(solution.value) < 1e-15
    True
    """
    if method not in METHODS:
        near = nearest(method, METHODS, most=2)
        hint = f"did you mean {' or '.join(near)}? " if near else ""
        raise UnknownNameError(f"there is no method {method!r}: {hint}there are {', '.join(METHODS)}")
    limits = _limits(gap, seconds, iterations)
    if hasattr(payoffs, "best_row"):
        run: Method = DoubleOracle(payoffs, rows=rows, columns=columns)
        ended = run_method(run, limits, callback, float)
        return _certify(run, "double_oracle", ended, limits, float, None)
    matrix = read_payoffs(payoffs)
    if method == "double_oracle":
        run = DoubleOracle(matrix, rows=rows, columns=columns, payoff_range=matrix.payoff_range)
    else:
        method, run = "lp", LinearProgram(matrix, seconds=seconds)
    ended = run_method(run, limits, callback, matrix.units.to_payoff)
    return _certify(run, method, ended, limits, matrix.units.to_payoff, matrix.shape)


def _limits(gap: float, seconds: float | None, iterations: int | None) -> Limits:
    if not gap >= 0 or math.isinf(gap):
        raise MaxminError(f"gap must be 0 or more, not {gap}")
    if seconds is not None and not seconds > 0:
        raise MaxminError(f"seconds must be more than 0, not {seconds}")
    whole = None
    if iterations is not None:
        try:
            whole = operator.index(iterations)
        except TypeError:
            raise MaxminError(f"iterations must be a whole number, not {iterations!r}") from None
        if whole < 1:
            raise MaxminError(f"iterations must be 1 or more, not {whole}")
    return Limits(float(gap), None if seconds is None else float(seconds), whole)


def _certify(
    run: Method, method: str, ended: Ended, limits: Limits, to_payoff: Any, shape: tuple[int, int] | None
) -> MatrixSolution:
    """Put the bounds in order: they may cross by a rounding error."""
    lower, upper = to_payoff(run.row_side.bound), to_payoff(run.column_side.bound)
    if lower - upper > _CROSSING * max(run.payoff_range, abs(lower)):
        raise GameError(f"the bounds cross: {lower} > {upper}; a best response of the oracle is not one")
    lower, upper = min(lower, upper), max(lower, upper)
    relative = gap_of(run)
    return MatrixSolution(
        value=lower + (upper - lower) / 2,
        lower=lower,
        upper=upper,
        gap=upper - lower,
        relative_gap=relative,
        method=method,
        iterations=run.iterations,
        seconds=ended.seconds,
        converged=relative <= limits.gap,
        stopped_by=ended.stopped_by,
        trace=ended.trace,
        exact=None,
        rows=run.row_side.plans,
        row_weights=run.row_side.weights,
        columns=run.column_side.plans,
        column_weights=run.column_side.weights,
        shape=shape,
    )
