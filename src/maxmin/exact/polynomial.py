"""Exact polynomials and rational functions of parameters, and proofs that they do not change sign on a box.

Polynomials are python-flint's ``fmpq_mpoly``: sparse, with rational coefficients. A rational function is kept
in lowest terms. The sign on a box is proved by Bernstein's expansion: on a box a polynomial lies between its
least and its largest Bernstein coefficient.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from typing import Any, TypeAlias

import numpy as np
from flint import Ordering, fmpq, fmpq_mpoly, fmpq_mpoly_ctx
from numpy.typing import NDArray

Interval: TypeAlias = tuple[Fraction, Fraction]
Box: TypeAlias = tuple[Interval, ...]
"""One interval per parameter, both ends included."""

Point: TypeAlias = tuple[Fraction, ...]


def ring(parameters: Sequence[str]) -> fmpq_mpoly_ctx:
    """Return the ring of polynomials in some parameters."""
    return fmpq_mpoly_ctx.get(tuple(parameters), Ordering.lex)


def rational(number: Fraction) -> fmpq:
    """Turn a ``Fraction`` into FLINT's type."""
    return fmpq(number.numerator, number.denominator)


def fraction(number: fmpq) -> Fraction:
    """Turn FLINT's type into a ``Fraction``."""
    return Fraction(int(number.p), int(number.q))


def evaluate(polynomial: fmpq_mpoly, point: Point) -> Fraction:
    """Return the value at a point."""
    return fraction(polynomial(*[rational(number) for number in point]))


def text(polynomial: fmpq_mpoly) -> str:
    """Write a polynomial as Python does: ``1/6*p**2*q - 1/18``."""
    return str(polynomial).replace("^", "**")


class Ratio:
    """A rational function in lowest terms; the denominator's leading coefficient is 1."""

    __slots__ = ("den", "num")

    def __init__(self, num: fmpq_mpoly, den: fmpq_mpoly) -> None:
        if not den.is_one():
            common = num.gcd(den)
            num, den = num / common, den / common
            lead = den.coefficient(0)
            num, den = num / lead, den / lead
        self.num = num
        self.den = den

    def minus_product(self, left: "Ratio", right: "Ratio") -> "Ratio":
        """Return ``self - left * right``, the step of elimination."""
        num, den = left.num * right.num, left.den * right.den
        if den.is_one() and self.den.is_one():
            return Ratio(self.num - num, den)
        return Ratio(self.num * den - num * self.den, self.den * den)

    def over(self, other: "Ratio") -> "Ratio":
        """Return ``self / other``."""
        if other.num.is_constant() and other.den.is_one():
            return Ratio(self.num / other.num.leading_coefficient(), self.den)
        return Ratio(self.num * other.den, self.den * other.num)

    def at(self, point: Point) -> Fraction:
        """Return the value at a point.

        Raises
        ------
        ZeroDivisionError
            Where the denominator vanishes.
        """
        return evaluate(self.num, point) / evaluate(self.den, point)

    def __str__(self) -> str:
        if self.den.is_one():
            return text(self.num)
        return f"({text(self.num)})/({text(self.den)})"


def solve_sparse(rows: Sequence[dict[int, Ratio]], right: Sequence[Ratio], zero: Ratio) -> list[Ratio] | None:
    """Solve a square system by sparse elimination; None if it is singular.

    Pivots are numbers as long as there are any, and among these the ones that fill in least (Markowitz 1957).
    So a system whose parameters stand in few places is solved almost wholly in numbers.
    """
    rows = [dict(row) for row in rows]
    right = list(right)
    columns: dict[int, set[int]] = {column: set() for column in range(len(rows))}
    for index, row in enumerate(rows):
        for column in row:
            columns[column].add(index)
    active = set(range(len(rows)))
    order = []
    while active:
        pivot = _pivot(rows, columns, active)
        if pivot is None:
            return None
        index, column = pivot
        order.append(pivot)
        active.remove(index)
        for other in rows[index]:
            columns[other].discard(index)
        for below in list(columns[column]):
            factor = rows[below].pop(column).over(rows[index][column])
            _subtract(rows, columns, below, index, column, factor, zero)
            right[below] = right[below].minus_product(factor, right[index])
        columns[column].clear()
    solution = [zero] * len(rows)
    for index, column in reversed(order):
        total = right[index]
        for other, entry in rows[index].items():
            if other != column and not solution[other].num.is_zero():
                total = total.minus_product(entry, solution[other])
        solution[column] = total.over(rows[index][column])
    return solution


def _pivot(
    rows: Sequence[dict[int, Ratio]], columns: dict[int, set[int]], active: set[int]
) -> tuple[int, int] | None:
    best, least = None, None
    for index in active:
        row = rows[index]
        for column, entry in row.items():
            cost = (
                not (entry.num.is_constant() and entry.den.is_one()),
                (len(row) - 1) * (len(columns[column]) - 1),
            )
            if least is None or cost < least:
                best, least = (index, column), cost
        if least == (False, 0):
            break
    return best


def _subtract(
    rows: Sequence[dict[int, Ratio]],
    columns: dict[int, set[int]],
    below: int,
    index: int,
    column: int,
    factor: Ratio,
    zero: Ratio,
) -> None:
    """Subtract `factor` times row `index` from row `below`, whose entry in the pivot's column is gone."""
    target = rows[below]
    for other, entry in rows[index].items():
        if other == column:
            continue
        changed = target.get(other, zero).minus_product(factor, entry)
        if changed.num.is_zero():
            if target.pop(other, None) is not None:
                columns[other].discard(below)
        else:
            target[other] = changed
            columns[other].add(below)


def bernstein(polynomial: fmpq_mpoly, box: Box) -> NDArray[Any]:
    """Return the Bernstein coefficients on a box, of the polynomial's own degrees: object array of Fraction."""
    context = polynomial.context()
    inside = [
        rational(low) + rational(high - low) * gen
        for gen, (low, high) in zip(context.gens(), box, strict=True)
    ]
    moved = polynomial.compose(*inside, ctx=context)
    degrees = [int(degree) for degree in polynomial.degrees()]
    table = np.full([degree + 1 for degree in degrees], Fraction(0), dtype=object)
    for powers, coefficient in moved.to_dict().items():
        table[tuple(int(power) for power in powers)] = fraction(coefficient)
    for axis, degree in enumerate(degrees):
        if degree:
            table = np.moveaxis(np.tensordot(_to_bernstein(degree), table, axes=(1, axis)), 0, axis)
    return table


@cache
def _to_bernstein(degree: int) -> NDArray[Any]:
    """Return the matrix that takes powers to Bernstein coefficients: (degree + 1, degree + 1)."""
    return np.array(
        [[Fraction(comb(i, j), comb(degree, j)) for j in range(degree + 1)] for i in range(degree + 1)],
        dtype=object,
    )


def sign_on(polynomial: fmpq_mpoly, box: Box) -> int:
    """Return 1 if proved nonnegative on a box, -1 if proved nonpositive there, else 0."""
    corners = product(*[(rational(low), rational(high)) for low, high in box])
    values = [polynomial(*corner) for corner in corners]
    if min(values) < 0 < max(values):
        return 0
    least, largest = fraction(min(values)), fraction(max(values))
    if max(polynomial.degrees()) > 1:  # else the extremes are at corners
        coefficients = bernstein(polynomial, box).ravel().tolist()
        least, largest = min(coefficients), max(coefficients)
    if least >= 0:
        return 1
    return -1 if largest <= 0 else 0
