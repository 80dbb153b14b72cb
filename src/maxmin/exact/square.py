"""`SquareSystem`: exact solutions of sparse square systems B x = b and B^T y = c over the rationals.

Rows with one unknown left, and unknowns that occur in one row only, are peeled off, again and again: a basis of a
sequence-form program is mostly of this kind. What is left, the nucleus, is dense and goes to FLINT, which solves
it by Dixon's p-adic lifting (Numerische Mathematik 1982) where it is large.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from flint import fmpq, fmpq_mat

from maxmin.errors import SizeError

Line = Sequence[tuple[int, fmpq]]
"""The entries of a row or a column that are not 0: (index, value)."""

_DIXON_FROM = 30
"""With more rows than this, lifting is faster than elimination (measured)."""

_MOST = 6000
"""The largest nucleus: a gigabyte, and most of an hour."""


@dataclass(frozen=True)
class _Step:
    """One equation gives one unknown: row `row`, column `column`, with the entry where they meet."""

    row: int
    column: int
    pivot: fmpq


@dataclass(eq=False)
class SquareSystem:
    """A sparse square matrix, peeled. Both solves raise ``ZeroDivisionError`` if it is singular.

    Parameters
    ----------
    columns
        The entries of each column: (row, value).
    """

    columns: Sequence[Line]
    rows: list[list[tuple[int, fmpq]]] = field(init=False)
    _by_row: list[_Step] = field(init=False, default_factory=list)
    _by_column: list[_Step] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self.rows = [[] for _ in self.columns]
        for column, entries in enumerate(self.columns):
            for row, value in entries:
                self.rows[row].append((column, value))
        self._nucleus_rows, self._nucleus_columns = self._peel()
        self._nucleus = self._dense()

    def solve(self, right: Sequence[fmpq]) -> list[fmpq]:
        """Return x with B x = `right`."""
        early = [(step.row, step.column, step.pivot) for step in self._by_row]
        late = [(step.row, step.column, step.pivot) for step in reversed(self._by_column)]
        nucleus = self._nucleus_rows, self._nucleus_columns, self._nucleus
        return _substitute(self.rows, right, early, nucleus, late)

    def solve_transposed(self, right: Sequence[fmpq]) -> list[fmpq]:
        """Return y with B^T y = `right`."""
        early = [(step.column, step.row, step.pivot) for step in self._by_column]
        late = [(step.column, step.row, step.pivot) for step in reversed(self._by_row)]
        nucleus = self._nucleus_columns, self._nucleus_rows, self._nucleus.transpose()
        return _substitute(self.columns, right, early, nucleus, late)

    def independent(self) -> tuple[list[int], list[int]]:
        """Return columns that are independent, as many as there are, and rows that they do not determine."""
        columns, rows = _pivots(self._nucleus), _pivots(self._nucleus.transpose())
        peeled = [step.column for step in (*self._by_row, *self._by_column)]
        left = [row for place, row in enumerate(self._nucleus_rows) if place not in rows]
        return sorted(peeled + [self._nucleus_columns[place] for place in columns]), left

    def _peel(self) -> tuple[list[int], list[int]]:
        """Find the order of the steps; return the rows and columns that are left."""
        lines = {"row": self.rows, "column": self.columns}
        alive = {kind: [True] * len(self.columns) for kind in lines}
        left = {kind: [len(line) for line in lines[kind]] for kind in lines}
        open_lines = [(kind, i) for kind in lines for i, count in enumerate(left[kind]) if count == 1]
        while open_lines:
            kind, index = open_lines.pop()
            across = "column" if kind == "row" else "row"
            if not alive[kind][index] or left[kind][index] != 1:
                continue
            other, pivot = next(entry for entry in lines[kind][index] if alive[across][entry[0]])
            row, column = (index, other) if kind == "row" else (other, index)
            (self._by_row if kind == "row" else self._by_column).append(_Step(row, column, pivot))
            alive[kind][index] = alive[across][other] = False
            for crossing, _ in lines[across][other]:
                left[kind][crossing] -= 1
                if alive[kind][crossing] and left[kind][crossing] == 1:
                    open_lines.append((kind, crossing))
        rows = [row for row, is_left in enumerate(alive["row"]) if is_left]
        return rows, [column for column, is_left in enumerate(alive["column"]) if is_left]

    def _dense(self) -> fmpq_mat:
        place = {row: i for i, row in enumerate(self._nucleus_rows)}
        size = len(place)
        if size > _MOST:
            raise SizeError(
                f"the exact answer needs a dense system of {size:,} equations; {_MOST:,} is the most. "
                "Solve it in floats instead, with method lp"
            )
        entries = [fmpq(0)] * (size * size)
        for j, column in enumerate(self._nucleus_columns):
            for row, value in self.columns[column]:
                if row in place:
                    entries[place[row] * size + j] = value
        return fmpq_mat(size, size, entries)


_Pivots = list[tuple[int, int, fmpq]]


def _substitute(
    equations: Sequence[Line],
    right: Sequence[fmpq],
    early: _Pivots,
    nucleus: tuple[list[int], list[int], fmpq_mat],
    late: _Pivots,
) -> list[fmpq]:
    """Solve the equations that give one unknown at once, then the nucleus, then the others."""
    known = [fmpq(0)] * len(equations)

    def remainder(equation: int) -> fmpq:
        total = right[equation]
        for unknown, value in equations[equation]:
            if known[unknown]:
                total = total - value * known[unknown]
        return total

    for equation, unknown, pivot in early:
        known[unknown] = remainder(equation) / pivot
    inner, unknowns, matrix = nucleus
    if unknowns:
        found = _solve_dense(matrix, [remainder(equation) for equation in inner])
        for unknown, value in zip(unknowns, found, strict=True):
            known[unknown] = value
    for equation, unknown, pivot in late:
        known[unknown] = remainder(equation) / pivot
    return known


def _solve_dense(matrix: fmpq_mat, right: list[fmpq]) -> list[fmpq]:
    algorithm = "dixon" if len(right) > _DIXON_FROM else "fflu"
    column = fmpq_mat(len(right), 1, right)
    return matrix.solve(column, algorithm=algorithm).entries()  # type: ignore[call-arg] # not in the stubs


def _pivots(matrix: fmpq_mat) -> set[int]:
    """Return the pivot columns of the reduced row echelon form."""
    reduced, rank = matrix.rref()
    columns = range(matrix.ncols())
    return {next(j for j in columns if reduced[i, j]) for i in range(rank)}
