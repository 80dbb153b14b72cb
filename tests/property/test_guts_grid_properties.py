"""Guts on random grids: best responses, symmetries, and what adding plans can do."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.guts import all_multisets

from maxmin.guts import make_grid, round_payoffs, solve_guts

sides = st.tuples(st.integers(1, 3), st.integers(1, 3), st.integers(2, 5))
profiles = st.lists(st.floats(0, 1), min_size=2, max_size=9)


@given(profiles, st.randoms(use_true_random=False))
def test_payoffs_sum_to_zero_and_follow_the_players(thresholds, draw):
    alpha, beta = round_payoffs(thresholds)
    assert alpha.sum() == pytest.approx(0, abs=1e-12)
    assert -1e-12 <= beta <= len(thresholds) - 1 + 1e-12
    order = draw.sample(range(len(thresholds)), len(thresholds))
    moved, same = round_payoffs([thresholds[i] for i in order])
    np.testing.assert_allclose(moved, alpha[order], atol=1e-12)
    assert same == pytest.approx(beta, abs=1e-12)


@given(profiles)
def test_players_with_equal_thresholds_get_the_same(thresholds):
    alpha, _ = round_payoffs([*thresholds, thresholds[0]])
    assert alpha[-1] == pytest.approx(alpha[0], abs=1e-12)


@given(sides, st.floats(-3, 3), st.integers(0, 2**32 - 1))
def test_no_plan_beats_the_best_response(players, value, seed):
    against, coalition, points = players
    rules = make_grid(coalition=coalition, against=against, grid=points)
    rows, columns = all_multisets(points, against), all_multisets(points, coalition)
    worth = rules.payoffs(rows, columns) + value * rules.multipliers(rows, columns)[0]
    rng = np.random.default_rng(seed)
    x, y = rng.dirichlet(np.full(len(rows), 0.2)), rng.dirichlet(np.full(len(columns), 0.2))
    values = np.array([value])
    assert rules.best_column(rows, x, values)[1] == pytest.approx((x @ worth).min(), abs=1e-12)
    assert rules.best_row(columns, y, values)[1] == pytest.approx((worth @ y).max(), abs=1e-12)


@settings(max_examples=12)
@given(sides)
def test_sides_change_the_sign_and_blocs_are_fewer_plans(players):
    against, coalition, points = players
    one = solve_guts(coalition=coalition, against=against, grid=points).one_shot
    other = solve_guts(coalition=against, against=coalition, grid=points).one_shot
    assert one.value == pytest.approx(-other.value, abs=1e-9)
    if against == 1:
        reduced = solve_guts(coalition=coalition, grid=points, reduced=True).one_shot
        assert reduced.value >= one.value - 1e-9
