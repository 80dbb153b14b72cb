"""Best responses of coalitions on a grid: against all multisets, and exact payoffs of tiny grids."""

import numpy as np
import pytest
from reference.guts import all_multisets, exact_matrices

from maxmin.errors import SizeError
from maxmin.guts import grid as grid_module
from maxmin.guts.grid import GridGuts
from maxmin.guts.reduced import ReducedGuts

SIDES = [
    (1, 1, 6),
    (1, 2, 9),
    (1, 3, 6),
    (1, 5, 4),
    (2, 1, 9),
    (2, 2, 6),
    (3, 2, 5),
    (2, 4, 4),
    (3, 3, 4),
    (1, 4, 2),
]


def reduced_plans(points, players):
    blocs = {(at,) * players for at in range(points)}
    return sorted(blocs | {(0,) + (at,) * (players - 1) for at in range(points) if players > 1})


def mixtures(rng, n_plans):
    """Return sparse random weights, such as solvers come up with, and one pure plan."""
    for _ in range(6):
        yield rng.dirichlet(np.full(n_plans, 0.1))
    yield np.eye(n_plans)[rng.integers(n_plans)]


@pytest.mark.parametrize("sides", SIDES)
@pytest.mark.parametrize("rules", [GridGuts, ReducedGuts])
def test_best_responses_are_the_best_of_all_plans(rules, sides):
    plans = all_multisets if rules is GridGuts else reduced_plans
    row_players, column_players, points = sides
    game = rules(*sides)
    rows, columns = plans(points, row_players), plans(points, column_players)
    assert (game.count(row_players), game.count(column_players)) == (len(rows), len(columns))
    payoffs, multipliers = game.payoffs(rows, columns), game.multipliers(rows, columns)[0]
    rng = np.random.default_rng(sum(sides))
    for value in (0.0, -row_players, column_players, rng.uniform(-row_players, column_players), -50.0, 50.0):
        worth = payoffs + value * multipliers
        tolerance = 1e-13 * (1 + abs(value))
        for weights in mixtures(rng, len(rows)):
            plan, left = game.best_column(rows, weights, np.array([value]))
            assert left == pytest.approx((weights @ worth).min(), abs=tolerance)
            assert (weights @ worth)[columns.index(plan)] == pytest.approx(left, abs=tolerance)
        for weights in mixtures(rng, len(columns)):
            plan, got = game.best_row(columns, weights, np.array([value]))
            assert got == pytest.approx((worth @ weights).max(), abs=tolerance)
            assert (worth @ weights)[rows.index(plan)] == pytest.approx(got, abs=tolerance)


@pytest.mark.parametrize("sides", [(1, 1, 5), (1, 2, 4), (2, 2, 3), (1, 3, 3)])
def test_matrices_of_tiny_grids_are_exact(sides):
    row_players, column_players, points = sides
    game = GridGuts(*sides)
    rows, columns = all_multisets(points, row_players), all_multisets(points, column_players)
    payoffs, multipliers = exact_matrices(*sides)
    np.testing.assert_allclose(game.payoffs(rows, columns), np.array(payoffs, dtype=float), atol=1e-14)
    np.testing.assert_allclose(
        game.multipliers(rows, columns)[0], np.array(multipliers, dtype=float), atol=1e-14
    )


@pytest.mark.parametrize("sides", [(1, 2, 101), (1, 12, 41), (3, 3, 31), (4, 9, 21)])
def test_no_sampled_plan_beats_the_best_response_on_larger_grids(sides):
    row_players, column_players, points = sides
    game = GridGuts(*sides)
    rng = np.random.default_rng(points)
    sampled = [tuple(sorted(rng.integers(points, size=column_players).tolist())) for _ in range(3000)]
    rows = [tuple(sorted(rng.integers(points, size=row_players).tolist())) for _ in range(4)]
    weights, value = rng.dirichlet(np.ones(4)), np.array([-0.1])
    plan, left = game.best_column(rows, weights, value)
    near = [
        tuple(sorted(np.clip(np.array(plan) + step, 0, points - 1)))
        for step in np.eye(column_players, dtype=int)
    ]
    tried = [plan, *sampled, *near]
    worth = weights @ (game.payoffs(rows, tried) + value * game.multipliers(rows, tried)[0])
    assert worth[0] == pytest.approx(left, abs=1e-12)
    assert worth.min() >= left - 1e-12


def test_a_search_that_needs_too_much_memory_is_refused(monkeypatch):
    monkeypatch.setattr(grid_module, "SEARCH_BYTES", 1000)
    game = GridGuts(1, 6, 51)
    with pytest.raises(SizeError, match="use a coarser grid or fewer players"):
        game.best_column([(30,)], np.ones(1), np.zeros(1))
