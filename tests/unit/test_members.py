"""Teams without belief DAGs: local search, the integer program, and column generation that asks them."""

import numpy as np
import pytest
from reference.brute_force import team_value
from reference.random_games import random_game

from maxmin.decision import build_problem, payoff_matrix
from maxmin.errors import GameError
from maxmin.match import scaled_payoffs, sides_of
from maxmin.members import best_replies, members_of, random_starts, relaxed_value
from maxmin.plans import PlanMixture
from maxmin.solve import list_match as list_match_module
from maxmin.solve import load_solution, solve
from maxmin.solve.column_generation import ColumnGeneration
from maxmin.solve.integer_response import IntegerResponse
from maxmin.solve.list_match import ListMatch
from maxmin.sources import load_tree
from maxmin.verify import verify

GAMES = [("3K3", (1, 2)), ("3K4", (1, 3)), ("3D2", (2, 3))]


def worth_of(tree, members, seed):
    gains = np.random.default_rng(seed).normal(size=tree.n_leaves)
    return gains, np.bincount(members.leaf_class, gains, minlength=members.n_leaf_classes)


@pytest.mark.parametrize(("name", "side"), GAMES)
def test_local_search_says_what_its_plans_get(name, side):
    tree = load_tree(name)
    members = members_of(tree, side)
    gains, worth = worth_of(tree, members, seed=1)
    found, plans = best_replies(members, worth, random_starts(members, 6, np.random.default_rng(2)))
    for value, plan in zip(found, plans, strict=True):
        reach = PlanMixture(members.agents.infosets, plan[None], np.ones(1)).leaf_reach(tree, players=side)
        assert gains @ reach == pytest.approx(value, abs=1e-9)
        assert worth[members.classes_of(plan)].sum() == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize(("name", "side"), GAMES)
def test_the_integer_program_gets_what_the_belief_dag_gets(name, side):
    tree = load_tree(name)
    members, problem = members_of(tree, side), build_problem(tree, side)
    program = IntegerResponse(members)
    for seed in range(3):  # one program, several objectives
        gains, worth = worth_of(tree, members, seed)
        best, _ = problem.best_response(
            np.bincount(problem.leaf_class, gains, minlength=problem.n_leaf_classes)
        )
        bound, point = program.solve(worth)
        found, _ = best_replies(members, worth, point)
        assert bound == pytest.approx(best, abs=1e-5)
        assert found[0] == pytest.approx(best, abs=1e-9)
        assert relaxed_value(members, worth) >= best - 1e-9


def list_match(tree, team, *, lists_team):
    sides = sides_of(tree, team)
    scale, weight = scaled_payoffs(tree, sides[0])
    listed, whole = sides if lists_team else reversed(sides)
    members, problem = members_of(tree, listed), build_problem(tree, whole)
    return ListMatch(tree, scale, lists_team, members, problem, *payoff_matrix(members, problem, weight))


@pytest.mark.parametrize("lists_team", [True, False])
@pytest.mark.parametrize("seed", range(8))
def test_column_generation_without_a_dag_ends_at_the_value(seed, lists_team):
    tree = random_game(seed, size=14)
    run = ColumnGeneration(list_match(tree, (1, 2), lists_team=lists_team), precision=1e-7)
    while run.improves:
        run.advance()
    value = team_value(tree, (1, 2))
    bounds = run.bounds()
    assert bounds.lower - 1e-9 <= value <= bounds.upper + 1e-9
    assert bounds.gap <= 1e-5 * run.match.scale.payoff_range


@pytest.fixture
def no_room(monkeypatch):
    """Let belief DAGs be too large that are only middling; 3K4's team has hundreds of prescriptions."""
    monkeypatch.setattr(list_match_module, "MANY_PRESCRIPTIONS", 100)


def test_a_team_too_large_for_its_dag_is_solved_saved_and_verified(no_room, tmp_path):
    solution = solve("3K4", team=(1, 2), gap=1e-6)
    assert (solution.method, solution.converged) == ("column_generation", True)
    assert "joint_sequences" in solution.sizes["team"]
    plans = solution.strategy.plans()
    assert plans.leaf_reach(solution.tree) == pytest.approx(solution.strategy.leaf_reach(), abs=1e-12)
    solution.save(tmp_path / "answer.npz")
    assert verify(tmp_path / "answer.npz").ok
    assert load_solution(tmp_path / "answer.npz").strategy.plans().weights == pytest.approx(plans.weights)
    other = solve("3K4", team=(3,), gap=1e-6)
    assert "joint_sequences" in other.sizes["opponent"]
    assert solution.value == pytest.approx(-other.value, abs=1e-5)
    with_dag = solve("3K4", team=(1, 2), method="lp")
    assert solution.value == pytest.approx(with_dag.value, abs=1e-5)


def test_bounds_are_honest_from_the_first_round(no_room):
    value = solve("3K4", team=(1, 2), method="lp").value
    solution = solve("3K4", team=(1, 2), iterations=1)
    assert (solution.stopped_by, solution.converged) == ("iterations", False)
    assert np.isfinite(solution.gap)
    assert solution.lower - 1e-9 <= value <= solution.upper + 1e-9


def test_an_absent_minded_member_is_refused_by_name():
    with pytest.raises(GameError, match="player 1 is absent-minded"):
        members_of(load_tree("tests/cases/R01_absent_minded_driver.efg"), (1,))
