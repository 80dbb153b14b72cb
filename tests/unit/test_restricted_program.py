"""Restricted linear programs: the value of other routes, restrictions that are games, honest bounds."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.brute_force import team_value
from reference.random_games import random_game

from maxmin.errors import UnknownNameError
from maxmin.match import make_match
from maxmin.solve import linear_program, solve
from maxmin.solve.growing_sides import SelectedSide
from maxmin.solve.linear_program import LP_SOLVERS, solve_linear_program
from maxmin.solve.restricted_program import support
from maxmin.sources import load_tree


def _match(name, team):
    return make_match(load_tree(name), team)


def _bounds(match, found):
    reach = [
        problem.realize(strategy)[problem.n_beliefs :]
        for problem, strategy in zip(match.sides, (found.team, found.others), strict=True)
    ]
    return match.bounds(*reach)


@given(seed=st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_it_finds_the_value_that_brute_force_finds(seed):
    tree = random_game(seed, size=12)
    solution = solve(tree, team=(1, 2), method="restricted_lp", gap=1e-10)
    assert solution.converged
    assert solution.value == pytest.approx(team_value(tree, (1, 2)), abs=1e-9)


@pytest.mark.parametrize(
    ("game", "team"), [("3K5", (1, 2)), ("3L122", (1, 3)), ("3D2", (2, 3)), ("4K4", (1, 2))]
)
def test_it_agrees_with_column_generation_on_benchmark_games(game, team):
    solution = solve(game, team=team, method="restricted_lp", gap=1e-9)
    other = solve(game, team=team, method="column_generation", gap=1e-9)
    assert solution.converged
    assert solution.value == pytest.approx(other.value, abs=1e-7)
    assert solution.lower <= other.upper + 1e-9
    assert other.lower <= solution.upper + 1e-9


def _restricted(problem, allowed):
    side = SelectedSide(problem)
    side.keep(allowed)
    return side


def test_all_prescriptions_allowed_is_the_whole_problem():
    problem = _match("3K4", (1, 2)).team
    side = _restricted(problem, np.ones(problem.n_prescriptions, dtype=bool))
    assert (side.problem.belief_start == problem.belief_start).all()
    assert (side.problem.children == problem.children).all()
    assert side.problem.n_leaf_classes == problem.n_leaf_classes
    uniform = problem.distribution(np.ones(problem.n_prescriptions))
    assert (side.extend(uniform) == uniform).all()


def test_a_restricted_side_gets_no_more_and_a_restricted_opponent_leaves_no_less():
    match = _match("3K4", (1, 2))
    value = solve("3K4", team=(1, 2), method="exact").value
    rng = np.random.default_rng(7)
    for restricted in range(2):
        allowed = [np.ones(problem.n_prescriptions, dtype=bool) for problem in match.sides]
        strategy = match.sides[restricted].distribution(
            rng.random(match.sides[restricted].n_prescriptions) ** 8
        )
        allowed[restricted] = support(match.sides[restricted], strategy, 0.05)
        ours, theirs = (_restricted(*pair) for pair in zip(match.sides, allowed, strict=True))
        part = replace(match, team=ours.problem, others=theirs.problem)
        bounds = _bounds(part, solve_linear_program(part))
        assert bounds.gap < 1e-8
        assert (bounds.lower - value) * (1 if restricted else -1) > 1e-6


def test_the_support_keeps_one_prescription_in_each_belief():
    problem = _match("3K3", (1, 2)).team
    uniform = problem.distribution(np.ones(problem.n_prescriptions))
    allowed = support(problem, uniform, 2.0)
    assert (np.add.reduceat(allowed, problem.belief_start[:-1]) == 1).all()


def test_nothing_gains_once_everything_is_allowed():
    problem = _match("3K3", (1, 2)).team
    worth = np.random.default_rng(3).random(problem.n_leaf_classes)
    best = problem.best_response(worth)[0]
    side = _restricted(problem, np.ones(problem.n_prescriptions, dtype=bool))
    before = side.problem
    assert side.answer(worth, 0.0, None) == pytest.approx(best, abs=1e-12)
    assert side.problem is before
    side = _restricted(problem, support(problem, problem.distribution(np.ones(problem.n_prescriptions)), 2.0))
    before = None
    while side.problem is not before:
        before = side.problem
        side.answer(worth, 0.0, None)
    assert side.problem.best_response(worth)[0] == pytest.approx(best, abs=1e-12)


def test_exchanged_sides_have_the_opposite_value():
    match = _match("3K3", (1, 2))
    swapped = match.exchanged()
    bounds, opposite = (_bounds(each, solve_linear_program(each)) for each in (match, swapped))
    assert bounds.lower == pytest.approx(-opposite.upper, abs=1e-9)
    assert bounds.upper == pytest.approx(-opposite.lower, abs=1e-9)


@pytest.mark.parametrize("lp_solver", LP_SOLVERS)
def test_the_solvers_of_linear_programs_agree(lp_solver):
    solution = solve("3K3", team=(1, 3), method="lp", gap=1e-4, lp_solver=lp_solver)
    assert solution.converged
    assert solution.lower - 1e-9 <= 0 <= solution.upper + 1e-9


@pytest.mark.parametrize("lp_solver", ["simplex", "interior_point"])
def test_where_a_program_stalls_its_dual_is_solved(monkeypatch, lp_solver):
    answers = iter(["stalled", "optimal"])
    monkeypatch.setattr(linear_program, "_status", lambda highs: next(answers))
    solution = solve("3K4", team=(1, 2), method="lp", gap=1e-9, lp_solver=lp_solver)
    assert (solution.stopped_by, solution.converged) == ("optimal", True)
    assert solution.value == pytest.approx(-1 / 24, abs=1e-9)
    assert next(answers, None) is None


def test_an_unknown_solver_of_linear_programs_is_refused_by_name():
    with pytest.raises(UnknownNameError, match="there is no lp_solver 'gurobi'; there are auto, simplex"):
        solve("3K3", method="lp", lp_solver="gurobi")


def test_what_stops_it_leaves_honest_bounds():
    value = solve("3L122", team=(1, 2), method="lp", gap=1e-9).value
    few = solve("3L122", team=(1, 2), method="restricted_lp", gap=0, iterations=30)
    assert (few.stopped_by, few.iterations) == ("iterations", 30)
    short = solve("3L122", team=(1, 2), method="restricted_lp", gap=0, seconds=1e-6)
    assert short.stopped_by == "seconds"
    stopped = solve(
        "3L122",
        team=(1, 2),
        method="restricted_lp",
        gap=0,
        callback=lambda snapshot: snapshot.iterations < 50,
    )
    assert stopped.stopped_by == "interrupt"
    for solution in (few, short, stopped):
        assert solution.lower - 1e-9 <= value <= solution.upper + 1e-9
