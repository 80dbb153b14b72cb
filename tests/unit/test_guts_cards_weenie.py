"""The weenie rule on the continuum and on grids: sums over who holds in fractions, whole matrices, symmetry."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.guts import all_multisets, exact_round, integral, polynomial_product

from maxmin.errors import GameError, SizeError
from maxmin.guts import make_grid, solve_guts, weenie_payoffs
from maxmin.matrix import solve_matrix


def exact_weenies(thresholds):
    """Return how often nobody holds and each has the best hand: who is below whose threshold, piece by piece."""
    ends = sorted({Fraction(0), *thresholds})
    found = []
    for i, own in enumerate(thresholds):
        total = Fraction(0)
        for low, high in pairwise(ends):
            if high <= own:
                below = [
                    [Fraction(0), Fraction(1)] if other >= high else [other]
                    for j, other in enumerate(thresholds)
                    if j != i
                ]
                product = polynomial_product(below)
                total += integral(product, low) - integral(product, high)
        found.append(total)
    return found


@pytest.mark.parametrize("n", [2, 3, 5])
def test_rounds_in_fractions(n):
    rng = np.random.default_rng(n)
    for _ in range(8):
        thresholds = [Fraction(int(k), 8) for k in rng.integers(0, 9, n)]
        alpha, beta = exact_round(thresholds)
        none = np.prod(thresholds)
        weenies = exact_weenies(thresholds)
        assert sum(weenies) == none
        found = weenie_payoffs([float(held) for held in thresholds])
        expected = [float(a + none - n * weenie) for a, weenie in zip(alpha, weenies, strict=True)]
        np.testing.assert_allclose(found[0], expected, atol=1e-14)
        assert found[1] == pytest.approx(float(beta + none), abs=1e-14)


@given(st.lists(st.floats(0, 1), min_size=2, max_size=8), st.randoms(use_true_random=False))
def test_payoffs_sum_to_zero_and_follow_the_players(thresholds, draw):
    alpha, beta = weenie_payoffs(thresholds)
    assert alpha.sum() == pytest.approx(0, abs=1e-12)
    order = draw.sample(range(len(thresholds)), len(thresholds))
    moved, same = weenie_payoffs([thresholds[i] for i in order])
    np.testing.assert_allclose(moved, alpha[order], atol=1e-12)
    assert same == pytest.approx(beta, abs=1e-12)


@pytest.mark.parametrize(
    "options",
    [
        {"coalition": 2, "grid": 12},
        {"coalition": 3, "grid": 7},
        {"coalition": 3, "against": 2, "grid": 5},
        {"coalition": 5, "grid": 31, "reduced": True},
    ],
)
def test_values_are_those_of_the_whole_matrices(options):
    solution, rules = solve_guts(weenie=True, **options), make_grid(weenie=True, **options)
    rows, columns = rules.plans(rules.row_players), rules.plans(rules.column_players)
    if not options.get("reduced"):
        assert columns == all_multisets(options["grid"], options["coalition"])
    profiles = np.array([[rules.thresholds[list(row + column)] for column in columns] for row in rows])
    alpha, beta = weenie_payoffs(profiles)
    payoffs = alpha[..., : rules.row_players].sum(-1)
    value = solution.repeated.value
    assert solution.weenie
    assert solve_matrix(payoffs, method="lp").value == pytest.approx(solution.one_shot.value, abs=1e-9)
    assert solve_matrix(payoffs + value * beta, method="lp").value == pytest.approx(value, abs=1e-8)
    assert 0 <= solution.gap <= 1e-9


def test_small_coalitions_gain_nothing_on_fine_grids():
    """Everybody drops with probability (1/3)^(1/N), as near as the grid has it; five can do better."""
    for coalition, grid in ((1, 61), (2, 61), (3, 31)):
        found = solve_guts(coalition=coalition, grid=grid, weenie=True).repeated
        assert abs(found.value) < 1e-3
        held = (1 / 3) ** (1 / coalition)
        assert all(abs(t - held) < 1.5 / grid for profile, _ in found.coalition for t in profile)
    assert solve_guts(coalition=5, grid=51, reduced=True, weenie=True).repeated.value < -5e-3


@pytest.mark.parametrize("coalition", [6, 9])
def test_large_tables_let_the_stakes_grow(coalition):
    """From seven players on stakes grow on average where everybody plays well: a small edge is worth any sum."""
    held = (1 / 3) ** (1 / coalition)
    assert weenie_payoffs([held] * (coalition + 1))[1] > 1 > weenie_payoffs([(1 / 3) ** (1 / 5)] * 6)[1]
    solution = solve_guts(coalition=coalition, grid=101, reduced=True, weenie=True)
    assert solution.outcome == "does not enter"
    assert (solution.repeated.lower, solution.repeated.upper) == (-1, -1)
    assert -0.01 < solution.one_shot.value < 0


def test_what_makes_no_sense_is_refused():
    with pytest.raises(GameError, match=r"must be in \[0, 1\]"):
        weenie_payoffs([0.5, 1.5])
    with pytest.raises(SizeError, match="coarser grid or fewer players"):
        solve_guts(coalition=6, grid=101, weenie=True)
