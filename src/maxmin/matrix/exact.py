"""A matrix game over the rationals: value and strategies as fractions, proved in exact arithmetic.

The linear program of `maxmin.matrix.linear_program`, with a slack s for each column:

    maximize v  where  sum of x = 1,  (x A)[j] - v - s[j] = 0,  x >= 0,  s >= 0;

minus the duals of the latter rows is the column player's mixture. `maxmin.exact.rational_lp` solves it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from maxmin.errors import GameError
from maxmin.matrix.payoffs import RAGGED, check_shape, read_payoffs
from maxmin.matrix.result import ExactMatrixSolution
from maxmin.rational import Number, exact, parse_number, shown

if TYPE_CHECKING:
    from flint import fmpq

    from maxmin.exact.rational_lp import RationalProgram


@dataclass(frozen=True, eq=False)
class ExactPayoffs:
    """A matrix of fractions, by its entries that are not 0: (row, column, payoff), row by row."""

    shape: tuple[int, int]
    entries: list[tuple[int, int, Fraction]]

    def swapped(self) -> "ExactPayoffs":
        """Return the game with the sides swapped: rows are columns, and payoffs are the others'."""
        entries = sorted((column, row, -payoff) for row, column, payoff in self.entries)
        return ExactPayoffs((self.shape[1], self.shape[0]), entries)


def read_exact(payoffs: Any) -> ExactPayoffs:
    """Read integers, fractions, and text such as "1/3" or "0.25"; a float only if it is a whole number.

    Raises
    ------
    GameError
        If it is no matrix, or a payoff is anything else.
    """
    if hasattr(payoffs, "tocsr"):
        sparse = read_payoffs(payoffs)
        start, columns, values = sparse.by_rows()
        rows = np.repeat(np.arange(sparse.shape[0]), np.diff(start))
        numbers = np.ldexp(values, sparse.units.exponent)
        listed = zip(rows.tolist(), columns.tolist(), numbers.tolist(), strict=True)
        return ExactPayoffs(sparse.shape, [(i, j, _fraction(number, i, j)) for i, j, number in listed])
    array = _objects(payoffs)
    check_shape(array.shape)
    entries = [
        (row, column, _fraction(payoff, row, column))
        for row, line in enumerate(array.tolist())
        for column, payoff in enumerate(line)
    ]
    return ExactPayoffs((array.shape[0], array.shape[1]), [entry for entry in entries if entry[2]])


def solve_exact(
    payoffs: ExactPayoffs, *, seconds: float | None, keep_going: Callable[[float], bool]
) -> tuple[ExactMatrixSolution, int]:
    """Solve a game of fractions; return the answer and how many exact pivots it took.

    Raises
    ------
    MaxminError
        If the time ends.
    SizeError
        If a system of equations is too large for exact arithmetic.
    Cancelled
        If `keep_going` said so.
    """
    from maxmin.exact.rational_lp import solve_rational

    n_rows, n_columns = payoffs.shape
    swapped = n_columns > n_rows
    game = payoffs.swapped() if swapped else payoffs
    limit = float("inf") if seconds is None else seconds
    found = solve_rational(_program(game), seconds=limit, keep_going=keep_going)
    strategy = tuple(_to_fraction(weight) for weight in found.x[: game.shape[0]])
    answer = tuple(_to_fraction(-price) for price in found.dual[:-1])
    value = _to_fraction(found.value)
    if swapped:
        return ExactMatrixSolution(-value, answer, strategy), found.pivots
    return ExactMatrixSolution(value, strategy, answer), found.pivots


def _program(game: ExactPayoffs) -> "RationalProgram":
    """Write the program: columns x, then v, then s; rows: a row for each column of the game, then the sum."""
    from flint import fmpq

    from maxmin.exact.rational_lp import RationalProgram

    n_rows, n_columns = game.shape
    lines: list[list[tuple[int, fmpq]]] = [[] for _ in range(n_rows)]
    for row, column, payoff in game.entries:
        lines[row].append((column, fmpq(payoff.numerator, payoff.denominator)))
    for line in lines:
        line.append((n_columns, fmpq(1)))
    lines.append([(column, fmpq(-1)) for column in range(n_columns)])
    lines += [[(column, fmpq(-1))] for column in range(n_columns)]
    n = len(lines)
    return RationalProgram(
        start=np.append(0, np.cumsum([len(line) for line in lines])).tolist(),
        row=[row for line in lines for row, _ in line],
        value=[value for line in lines for _, value in line],
        objective=[fmpq(int(k == n_rows)) for k in range(n)],
        right=[fmpq(0)] * n_columns + [fmpq(1)],
        free=[k == n_rows for k in range(n)],
    )


def _objects(payoffs: Any) -> Any:
    try:
        array = np.array(payoffs, dtype=object)
    except ValueError:
        raise GameError(f"payoffs {RAGGED}") from None
    if array.ndim == 1 and any(isinstance(row, list | tuple) for row in array):
        raise GameError(f"payoffs {RAGGED}")
    return array


def _fraction(payoff: Any, row: int, column: int) -> Fraction:
    try:
        if isinstance(payoff, bool):
            raise GameError("it is neither a number nor text")
        number: Number = parse_number(payoff.strip()) if isinstance(payoff, str) else payoff
        value = exact(number)
    except (GameError, ValueError) as error:
        raise GameError(f"row {row}, column {column} is {shown(payoff)}: {error}") from None
    if isinstance(value, Fraction):
        return value
    raise GameError(
        f"row {row}, column {column} is the float {payoff!r}: exact payoffs are integers, Fractions, or text, "
        "such as '1/3' or '0.1'"
    )


def _to_fraction(number: "fmpq") -> Fraction:
    return Fraction(int(number.p), int(number.q))
