"""Linear programs over the rationals, solved exactly: a basis from HiGHS, proved, or pivoted until it is.

HiGHS's basis is solved exactly; if the point is primal and dual feasible in exact arithmetic it is optimal.
(Applegate, Cook, Dash and Espinoza, Operations Research Letters 2007.) If not, the simplex method goes on from
there in exact arithmetic: first on the sum of all infeasibilities, then on the objective. The column with the
largest reduced cost enters; after a step of length 0 the first one does (Bland, Mathematics of Operations Research
1977) until the point moves again, so no basis comes twice.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from flint import fmpq

from maxmin.errors import Cancelled, MaxminError
from maxmin.exact.float_basis import float_basis
from maxmin.exact.square import SquareSystem

ZERO, ONE = fmpq(0), fmpq(1)


@dataclass(frozen=True, eq=False, repr=False)
class RationalProgram:
    """Maximize objective . x where A x = right, and x[j] >= 0 unless free[j].

    Attributes
    ----------
    start : (n_columns + 1,) list of int
        Entries of column j of A are ``start[j] .. start[j + 1] - 1``.
    row : list of int
        The row of each entry; a row occurs at most once in a column.
    value : list of fmpq
        The entries.
    objective : (n_columns,) list of fmpq
    right : (n_rows,) list of fmpq
    free : (n_columns,) list of bool
    """

    start: Sequence[int]
    row: Sequence[int]
    value: Sequence[fmpq]
    objective: Sequence[fmpq]
    right: Sequence[fmpq]
    free: Sequence[bool]

    def __repr__(self) -> str:
        return f"RationalProgram(rows={self.n_rows}, columns={self.n_columns}, entries={len(self.value)})"

    @property
    def n_rows(self) -> int:
        """How many equations there are."""
        return len(self.right)

    @property
    def n_columns(self) -> int:
        """How many unknowns there are."""
        return len(self.objective)

    def column(self, j: int) -> list[tuple[int, fmpq]]:
        """Return the entries of column j of A: (row, value). Column n_columns + i is the unit column of row i."""
        if j >= self.n_columns:
            return [(j - self.n_columns, ONE)]
        span = slice(self.start[j], self.start[j + 1])
        return list(zip(self.row[span], self.value[span], strict=True))

    def reduced_cost(self, j: int, dual: Sequence[fmpq], objective: Sequence[fmpq]) -> fmpq:
        """Return objective[j] - dual . A[:, j]."""
        total = objective[j]
        for entry in range(self.start[j], self.start[j + 1]):
            price = dual[self.row[entry]]
            if price:
                total = total - price * self.value[entry]
        return total


@dataclass(frozen=True, eq=False, repr=False)
class BasicSolution:
    """An optimal basic solution; all numbers are exact.

    Attributes
    ----------
    basis : (n_rows,) tuple of int
        The basic columns; all others are 0. A number of n_columns + i stands for the unit column of row i; it is
        0 in the solution.
    x : (n_columns,) list of fmpq
    dual : (n_rows,) list of fmpq
        Prices with objective[j] - dual . A[:, j] <= 0, and = 0 in free columns.
    value : fmpq
        objective . x = dual . right.
    pivots : int
        How many exact pivots were made; 0 if HiGHS's basis is optimal.
    """

    basis: tuple[int, ...]
    x: list[fmpq]
    dual: list[fmpq]
    value: fmpq
    pivots: int


def solve_rational(
    program: RationalProgram,
    *,
    basis: Sequence[int] | None = None,
    seconds: float = float("inf"),
    keep_going: Callable[[float], bool] | None = None,
) -> BasicSolution:
    """Solve a program exactly.

    Parameters
    ----------
    program
        What to solve.
    basis
        Where to start, as in `BasicSolution`, such as from a program near by; default: where HiGHS ends.
    seconds
        Time limit of HiGHS.
    keep_going
        Asked now and then, with the number of exact pivots so far; returns False to stop.

    Raises
    ------
    MaxminError
        If the program has no solution, or no largest one; if the time ends.
    Cancelled
        If `keep_going` said so.
    """
    if basis is None:
        basis = float_basis(program, seconds=seconds, keep_going=keep_going)
    simplex = _Simplex(program, basis, keep_going or (lambda _: True))
    simplex.maximize(infeasibility=True)
    dual = simplex.maximize(infeasibility=False)
    solution = simplex.solution(dual)
    _prove(program, solution)
    return solution


class _Simplex:
    """The simplex method on exact numbers; the basis is solved anew after each step, as steps are few."""

    def __init__(
        self, program: RationalProgram, basis: Sequence[int], keep_going: Callable[[float], bool]
    ) -> None:
        self.program = program
        self.keep_going = keep_going
        self.pivots = 0
        self._stalled = False
        self._zeros = [ZERO] * program.n_columns
        units = range(program.n_columns, program.n_columns + program.n_rows)
        self.basis = list(basis) if len(basis) == program.n_rows else list(units)
        try:
            self._solve()
        except ZeroDivisionError:
            columns, rows = self.system.independent()
            self.basis = [self.basis[place] for place in columns] + [units[row] for row in rows]
            self._solve()

    def _solve(self) -> None:
        self.system = SquareSystem([self.program.column(j) for j in self.basis])
        self.x = self.system.solve(self.program.right)

    def _exchange(self, place: int, column: int) -> None:
        self.basis[place] = column
        self.pivots += 1
        if not self.keep_going(self.pivots):
            raise Cancelled("stopped before the exact answer")
        self._solve()

    def _outside(self) -> Iterator[int]:
        basic = set(self.basis)
        return (j for j in range(self.program.n_columns) if j not in basic)

    def maximize(self, *, infeasibility: bool) -> list[fmpq]:
        """Pivot until there is no infeasibility, or else until the objective is at its largest; return prices."""
        program = self.program
        while True:
            if infeasibility:
                signs = [self._violation(place) for place in range(program.n_rows)]
                if not any(signs):
                    return []
                objective: Sequence[fmpq] = self._zeros
                dual = self.system.solve_transposed([fmpq(-sign) for sign in signs])
            else:
                objective = program.objective
                costs = [objective[j] if j < program.n_columns else ZERO for j in self.basis]
                dual = self.system.solve_transposed(costs)
            entering = self._entering(dual, objective)
            if entering is None:
                if infeasibility:
                    raise MaxminError("the program has no solution")
                return dual
            self._step(*entering)

    def _violation(self, place: int) -> int:
        """Say whether a basic column is below (-1) or above (1) what it may be; a unit column may only be 0."""
        x, j = self.x[place], self.basis[place]
        if j >= self.program.n_columns:
            return (x > 0) - (x < 0)
        return -1 if x < 0 and not self.program.free[j] else 0

    def _stops(self, place: int, by: fmpq) -> bool:
        """Say whether a basic column that changes comes to 0, from either side, and must not cross it."""
        x, j = self.x[place], self.basis[place]
        is_unit = j >= self.program.n_columns
        if not by or (not is_unit and self.program.free[j]):
            return False
        return bool(by < 0 if x > 0 else by > 0 if x < 0 else by < 0 or is_unit)

    def _entering(self, dual: Sequence[fmpq], objective: Sequence[fmpq]) -> tuple[int, fmpq] | None:
        best: tuple[int, fmpq] | None = None
        for j in self._outside():
            cost = self.program.reduced_cost(j, dual, objective)
            improves = cost > 0 or (cost < 0 and self.program.free[j])
            if improves and (best is None or abs(cost) > abs(best[1])):
                best = (j, cost)
                if self._stalled:
                    break
        return best

    def _step(self, column: int, cost: fmpq) -> None:
        """Let a column enter; the first basic one that comes to 0 leaves."""
        right = [ZERO] * self.program.n_rows
        for row, value in self.program.column(column):
            right[row] = value if cost < 0 else -value
        change = self.system.solve(right)
        leaving = min(
            (
                (-self.x[place] / by, self.basis[place], place)
                for place, by in enumerate(change)
                if self._stops(place, by)
            ),
            default=None,
        )
        if leaving is None:
            raise MaxminError("the program has no largest solution: its objective grows without end")
        length, _, place = leaving
        self._stalled = not length
        self._exchange(place, column)

    def solution(self, dual: list[fmpq]) -> BasicSolution:
        """Return the basic solution of the present basis."""
        x = list(self._zeros)
        for j, value in zip(self.basis, self.x, strict=True):
            if j < self.program.n_columns:
                x[j] = value
        value = _dot(self.program.objective, x)
        return BasicSolution(tuple(self.basis), x, dual, value, self.pivots)


def _dot(left: Sequence[fmpq], right: Sequence[fmpq]) -> fmpq:
    return sum((a * b for a, b in zip(left, right, strict=True) if a and b), ZERO)


def _prove(program: RationalProgram, solution: BasicSolution) -> None:
    """Check from the program alone that x and dual are feasible and of the same value, hence optimal."""
    left = [ZERO] * program.n_rows
    for j, x in enumerate(solution.x):
        for row, value in program.column(j) if x else ():
            left[row] = left[row] + value * x
    costs = [program.reduced_cost(j, solution.dual, program.objective) for j in range(program.n_columns)]
    proved = (
        all(a == b for a, b in zip(left, program.right, strict=True))
        and all(x >= 0 or free for x, free in zip(solution.x, program.free, strict=True))
        and all(cost == 0 if free else cost <= 0 for cost, free in zip(costs, program.free, strict=True))
        and _dot(solution.dual, program.right) == solution.value
    )
    if not proved:
        raise AssertionError("an exact basic solution does not solve its program")
