"""Properties of all matrix games: order of the bounds, shifts, scales, swapped sides, plans that are added."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from reference.matrix_games import value_by_supports

from maxmin.matrix import METHODS, solve_matrix

BRIEF = settings(max_examples=30, deadline=None)
numbers = st.integers(-6, 6)
matrices = arrays(np.int64, array_shapes(min_dims=2, max_dims=2, max_side=7), elements=numbers)
wild = arrays(
    np.float64,
    array_shapes(min_dims=2, max_dims=2, max_side=6),
    elements=st.floats(-1e12, 1e12, allow_nan=False, width=64),
)
for_each_method = pytest.mark.parametrize("method", METHODS)
for_optimizers = pytest.mark.parametrize("method", ["lp", "interior_point", "double_oracle"])


def solve(matrix, method):
    return solve_matrix(matrix, method=method, iterations=400)


@for_each_method
@given(matrix=matrices)
@BRIEF
def test_bounds_hold_the_value_and_lie_between_the_pure_ones(matrix, method):
    solution = solve(matrix, method)
    value = solve_matrix(matrix, method="exact").value
    assert solution.lower <= solution.upper
    assert solution.lower - 1e-12 <= value <= solution.upper + 1e-12
    assert matrix.min() - 1e-12 <= solution.lower
    assert solution.upper <= matrix.max() + 1e-12
    assert solution.gap == pytest.approx(solution.upper - solution.lower)


@given(matrix=arrays(np.int64, array_shapes(min_dims=2, max_dims=2, max_side=4), elements=numbers))
@BRIEF
def test_exact_values_are_those_of_all_supports(matrix):
    from fractions import Fraction

    fractions = [[Fraction(int(number)) for number in row] for row in matrix]
    assert solve_matrix(matrix, method="exact").exact.value == value_by_supports(fractions)


@for_optimizers
@given(matrix=wild)
@BRIEF
def test_any_finite_floats_are_solved(matrix, method):
    solution = solve_matrix(matrix, method=method)
    assert solution.lower <= solution.upper
    assert solution.relative_gap < 1e-7
    assert solution.value == pytest.approx(
        solve_matrix(matrix, method="lp").value, abs=1e-7 * max(np.ptp(matrix), 1e-300)
    )


@for_optimizers
@given(matrix=matrices, shift=st.integers(-1000, 1000), factor=st.sampled_from([1e-9, 0.3, 7.0, 1e9]))
@BRIEF
def test_shifted_and_scaled(matrix, shift, factor, method):
    value = solve_matrix(matrix, method=method).value
    moved = solve_matrix(factor * (matrix + shift), method=method)
    assert moved.value == pytest.approx(factor * (value + shift), abs=1e-9 * factor * (1 + abs(shift)))


@for_optimizers
@given(matrix=matrices)
@BRIEF
def test_swapped_sides(matrix, method):
    solution, swapped = solve_matrix(matrix, method=method), solve_matrix(-matrix.T, method=method)
    assert swapped.value == pytest.approx(-solution.value, abs=1e-8)
    assert swapped.lower <= -solution.lower + 1e-8


@for_optimizers
@given(matrix=matrices, data=st.data())
@BRIEF
def test_plans_that_are_doubled_or_mixtures_of_others_change_nothing(matrix, data, method):
    value = solve_matrix(matrix, method=method).value
    row = data.draw(st.integers(0, matrix.shape[0] - 1))
    doubled = np.vstack([matrix, matrix[row]])
    mixed = np.column_stack([doubled, doubled.mean(axis=1)])
    assert solve_matrix(mixed, method=method).value == pytest.approx(value, abs=1e-8)


@for_optimizers
@given(matrix=matrices, data=st.data())
@BRIEF
def test_more_rows_never_hurt_and_more_columns_never_help(matrix, data, method):
    solution = solve_matrix(matrix, method=method)
    row = data.draw(arrays(np.int64, matrix.shape[1], elements=numbers))
    column = data.draw(arrays(np.int64, matrix.shape[0], elements=numbers))
    assert solve_matrix(np.vstack([matrix, row]), method=method).upper >= solution.lower - 1e-9
    assert solve_matrix(np.column_stack([matrix, column]), method=method).lower <= solution.upper + 1e-9


@for_optimizers
@given(matrix=matrices)
@BRIEF
def test_symmetric_games_are_worth_nothing(matrix, method):
    size = min(matrix.shape)
    square = matrix[:size, :size]
    assert solve_matrix(square - square.T, method=method).value == pytest.approx(0, abs=1e-8)
