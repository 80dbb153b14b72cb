"""`solve_rational` and `SquareSystem`: small programs with known answers, and every kind of bad start."""

import random
from fractions import Fraction
from itertools import combinations

import pytest
from flint import fmpq, fmpq_mat

from maxmin.errors import Cancelled, MaxminError, SizeError
from maxmin.exact import square
from maxmin.exact.rational_lp import RationalProgram, solve_rational
from maxmin.exact.square import SquareSystem


def program(matrix, right, objective, free=()) -> RationalProgram:
    """Write a dense program; numbers may be anything that Fraction takes."""
    columns = list(zip(*matrix, strict=True))
    entries = [[(row, rational(v)) for row, v in enumerate(column) if v] for column in columns]
    starts = [sum(map(len, entries[:j])) for j in range(len(entries) + 1)]
    return RationalProgram(
        start=starts,
        row=[row for column in entries for row, _ in column],
        value=[value for column in entries for _, value in column],
        objective=[rational(number) for number in objective],
        right=[rational(number) for number in right],
        free=[j in free for j in range(len(columns))],
    )


def rational(number) -> fmpq:
    exact = Fraction(number)
    return fmpq(exact.numerator, exact.denominator)


def sparse(rng, size, density):
    return [
        [Fraction(rng.randint(-9, 9), rng.randint(1, 5)) * (rng.random() < density) for _ in range(size)]
        for _ in range(size)
    ]


def columns_of(matrix):
    return [[(i, rational(v)) for i, v in enumerate(line) if v] for line in zip(*matrix, strict=True)]


def test_a_square_system_is_solved_as_a_dense_one():
    rng = random.Random(1)
    solved = 0
    for _ in range(200):
        size = rng.randint(1, 9)
        matrix = sparse(rng, size, rng.choice((0.25, 0.5, 1)))
        dense = fmpq_mat([[rational(v) for v in row] for row in matrix])
        right = [rational(rng.randint(-5, 5)) for _ in range(size)]
        system = SquareSystem(columns_of(matrix))
        column = fmpq_mat(size, 1, right)
        if dense.det() == 0:
            with pytest.raises(ZeroDivisionError):
                system.solve(right)
            continue
        assert system.solve(right) == dense.solve(column).entries()
        assert system.solve_transposed(right) == dense.transpose().solve(column).entries()
        solved += 1
    assert solved > 50


def test_large_nuclei_are_lifted_and_agree():
    rng = random.Random(2)
    size = square._DIXON_FROM + 5
    matrix = sparse(rng, size, 1)
    right = [rational(rng.randint(-5, 5)) for _ in range(size)]
    dense = fmpq_mat([[rational(v) for v in row] for row in matrix])
    assert SquareSystem(columns_of(matrix)).solve(right) == dense.solve(fmpq_mat(size, 1, right)).entries()


def test_independent_columns_and_unit_columns_of_the_rows_make_a_basis():
    rng = random.Random(3)
    singular = 0
    for _ in range(200):
        size = rng.randint(1, 7)
        matrix = sparse(rng, size, rng.choice((0.3, 0.6)))
        dense = fmpq_mat([[rational(v) for v in row] for row in matrix])
        columns, rows = SquareSystem(columns_of(matrix)).independent()
        assert len(columns) == dense.rank() == size - len(rows)
        basis = [columns_of(matrix)[j] for j in columns] + [[(row, fmpq(1))] for row in rows]
        SquareSystem(basis).solve([fmpq(1)] * size)
        singular += bool(rows)
    assert singular > 50


def test_a_nucleus_that_is_too_large_is_refused_before_it_is_built(monkeypatch):
    monkeypatch.setattr(square, "_MOST", 3)
    with pytest.raises(SizeError, match=r"4 equations; 3 is the most.* method lp"):
        SquareSystem(columns_of([[2, 1, 1, 1], [1, 2, 1, 1], [1, 1, 2, 1], [1, 1, 1, 2]]))


def test_a_small_program():
    """Maximize 3x + 5y under x <= 4, 2y <= 12, 3x + 2y <= 18 (Hillier and Lieberman's Wyndor Glass)."""
    found = solve_rational(
        program(
            [[1, 0, 1, 0, 0], [0, 2, 0, 1, 0], [3, 2, 0, 0, 1]],
            [4, 12, 18],
            [3, 5, 0, 0, 0],
        )
    )
    assert found.value == 36
    assert found.x[:2] == [2, 6]
    assert found.dual == [0, fmpq(3, 2), 1]
    assert found.pivots == 0
    assert sorted(found.basis) == [0, 1, 2]


def by_enumeration(linear: RationalProgram) -> fmpq | None:
    """The best basic solution, of all."""
    values = []
    for basis in combinations(range(linear.n_columns), linear.n_rows):
        system = SquareSystem([linear.column(j) for j in basis])
        try:
            x = system.solve(linear.right)
        except ZeroDivisionError:
            continue
        if all(value >= 0 for value in x):
            values.append(sum((linear.objective[j] * v for j, v in zip(basis, x, strict=True)), fmpq(0)))
    return max(values, default=None)


@pytest.mark.parametrize("seed", range(60))
def test_any_start_leads_to_the_optimum_of_all_basic_solutions(seed):
    """Bounded programs (the last row bounds the sum) with few different numbers, so that ties are common."""
    rng = random.Random(seed)
    n_rows, n_columns = rng.randint(1, 3), rng.randint(4, 6)
    matrix = [[rng.choice((-1, 0, 0, 1, 2)) for _ in range(n_columns)] for _ in range(n_rows)]
    right = [rng.choice((0, 0, 1, 2)) for _ in range(n_rows)]
    linear = program(
        [*matrix, [1] * n_columns], [*right, 3], [rng.choice((-1, 0, 1, 1)) for _ in range(n_columns)]
    )
    best = by_enumeration(linear)
    numbers = range(linear.n_columns + linear.n_rows)
    starts = [None, [], *(rng.sample(numbers, linear.n_rows) for _ in range(5))]
    for start in starts:
        if best is None and linear_rank(linear) == linear.n_rows:
            with pytest.raises(MaxminError, match="no solution"):
                solve_rational(linear, basis=start)
        elif best is not None:
            assert solve_rational(linear, basis=start).value == best


def linear_rank(linear: RationalProgram) -> int:
    matrix = fmpq_mat(linear.n_rows, linear.n_columns)
    for j in range(linear.n_columns):
        for row, value in linear.column(j):
            matrix[row, j] = value
    return matrix.rank()


def test_beale_cycles_not():
    """Beale (Naval Research Logistics Quarterly 1955): the largest coefficient alone goes in a circle here."""
    linear = program(
        [
            [Fraction(1, 4), -60, Fraction(-1, 25), 9, 1, 0, 0],
            [Fraction(1, 2), -90, Fraction(-1, 50), 3, 0, 1, 0],
            [0, 0, 1, 0, 0, 0, 1],
        ],
        [0, 0, 1],
        [Fraction(3, 4), -150, Fraction(1, 50), -6, 0, 0, 0],
    )
    assert solve_rational(linear, basis=[4, 5, 6]).value == fmpq(1, 20)
    assert solve_rational(linear).value == fmpq(1, 20)


def test_equations_that_say_the_same_twice():
    found = solve_rational(program([[1, 1], [2, 2]], [1, 2], [1, 0]))
    assert found.value == 1
    assert any(number >= 2 for number in found.basis)


def test_equations_that_contradict_each_other():
    with pytest.raises(MaxminError, match="no solution"):
        solve_rational(program([[1, 1], [2, 2]], [1, 3], [1, 0]))


def test_free_columns_go_below_zero():
    """Minimize |x + 5| over x - u + v = -5: the free x alone does it."""
    found = solve_rational(program([[1, -1, 1]], [-5], [0, -1, -1], free=(0,)), basis=[1])
    assert found.value == 0
    assert found.x == [-5, 0, 0]


def test_a_program_without_a_largest_solution():
    with pytest.raises(MaxminError, match="grows without end"):
        solve_rational(program([[1, -1]], [1], [1, 0]))


def test_a_difference_that_no_float_sees():
    tiny = Fraction(1, 10**40)
    found = solve_rational(program([[1, 1]], [1], [1, 1 + tiny]))
    assert found.value == rational(1 + tiny)
    assert found.x == [0, 1]


def test_stopping_between_pivots():
    linear = program([[1, 1]], [1], [1, 2])
    with pytest.raises(Cancelled):
        solve_rational(linear, basis=[0], keep_going=lambda pivots: False)
    assert solve_rational(linear, basis=[0]).pivots == 1
