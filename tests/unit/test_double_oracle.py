"""Double oracle on plans: both sides listed, with and without belief DAGs, against independent routes."""

import itertools
import signal
from fractions import Fraction

import numpy as np
import pytest
from reference.brute_force import exact_team_value, team_value
from reference.random_games import random_game

from maxmin.decision import build_problem, payoff_matrix
from maxmin.errors import GameError, MaxminError, NotTimeableError, SizeError
from maxmin.match import scaled_payoffs, sides_of
from maxmin.members import best_replies, members_of, random_starts
from maxmin.solve import double_oracle as double_oracle_module
from maxmin.solve import list_match as list_match_module
from maxmin.solve import load_solution, solve
from maxmin.solve.double_oracle import DoubleOracle
from maxmin.solve.integer_response import IntegerResponse
from maxmin.solve.list_match import PlanMatch
from maxmin.sources import load_tree
from maxmin.tree_builder import TreeBuilder
from maxmin.verify import verify


def plan_match(tree, team, *, without_dag):
    sides = sides_of(tree, team)
    scale, weight = scaled_payoffs(tree, sides[0])
    kinds = [members_of if bare else build_problem for bare in without_dag]
    ours, theirs = (make(tree, side) for make, side in zip(kinds, sides, strict=True))
    return PlanMatch(tree, ours, theirs, scale, *payoff_matrix(ours, theirs, weight))


@pytest.fixture
def no_room(monkeypatch):
    """Let belief DAGs be too large that have more than a few prescriptions."""
    monkeypatch.setattr(list_match_module, "MANY_PRESCRIPTIONS", 20)
    monkeypatch.setattr(list_match_module, "QUICK_PRESCRIPTIONS", 20)


@pytest.mark.parametrize("without_dag", [(True, True), (True, False), (False, False)])
@pytest.mark.parametrize("seed", range(6))
def test_it_ends_at_the_value(seed, without_dag):
    tree = random_game(seed, size=14)
    team = (1,) if seed % 2 else (1, 2)
    run = DoubleOracle(plan_match(tree, team, without_dag=without_dag), precision=1e-7)
    while run.improves:
        run.advance(lambda _: True)
        bounds = run.bounds()
        assert bounds.lower - 1e-9 <= team_value(tree, team) <= bounds.upper + 1e-9
    assert bounds.gap <= 1e-5 * run.match.scale.payoff_range


def test_four_players_two_against_two_without_any_belief_dag(no_room, tmp_path):
    """The published value of 4K5 is -0.037 to three places; the linear program needs both belief DAGs."""
    solution = solve("4K4", team=(1, 2), gap=1e-5)
    assert (solution.method, solution.stopped_by) == ("double_oracle", "gap")
    assert "no side has more than 400 infosets" in solution.reason
    assert solution.sizes["team"]["plans"] > 1
    assert solution.sizes["opponent"]["plans"] > 1
    program = solve("4K4", team=(1, 2), method="lp")
    assert program.reason == ""
    assert solution.lower - 1e-6 <= program.value <= solution.upper + 1e-6
    solution.save(tmp_path / "answer.npz")
    assert verify(tmp_path / "answer.npz").ok
    loaded = load_solution(tmp_path / "answer.npz")
    assert loaded.reason == solution.reason
    assert loaded.opponent.plans().weights == pytest.approx(solution.opponent.plans().weights)
    assert sum(weight for weight in loaded.strategy.plans().weights) == pytest.approx(1)
    assert loaded.strategy.sample(np.random.default_rng(1))


def test_the_same_run_gives_the_same_bytes(no_room):
    first, second = (solve("3K4", team=(1, 2), method="double_oracle") for _ in range(2))
    assert (first.lower, first.upper) == (second.lower, second.upper)
    assert first.strategy.probability.tobytes() == second.strategy.probability.tobytes()


def crossing():
    """Two coins say in which order each team's members move; nobody sees a coin or a move."""
    builder = TreeBuilder("crossing", ("a", "b", "c", "d"))
    gains = iter(np.random.default_rng(5).integers(-4, 5, size=64).tolist())
    root = builder.chance(-1, -1, [(str(coins), Fraction(1, 4)) for coins in range(4)])
    orders = [(first, second) for first in ((1, 2), (2, 1)) for second in ((3, 4), (4, 3))]
    for coins, (ours, theirs) in enumerate(orders):
        front = [builder.decision(root, coins, ours[0], "in the dark", "lr")]
        for player in (ours[1], *theirs):
            front = [
                builder.decision(node, move, player, "in the dark", "lr") for node in front for move in (0, 1)
            ]
        for node in front:
            for move in (0, 1):
                gain = next(gains)
                builder.leaf(node, move, [gain, 0, -gain, 0])
    return builder.finish()


def test_two_teams_without_an_order_in_time_are_solved():
    tree = crossing()
    value = float(exact_team_value(tree, (1, 2)))
    with pytest.raises(NotTimeableError):
        solve(tree, team=(1, 2), method="lp")
    with pytest.raises(SizeError, match="take method double_oracle"):
        solve(tree, team=(1, 2), method="column_generation")
    solution = solve(tree, team=(1, 2), gap=1e-6)
    assert (solution.method, solution.converged) == ("double_oracle", True)
    assert solution.lower - 1e-9 <= value <= solution.upper + 1e-9
    assert verify(solution).ok


def test_bounds_of_stopped_proofs_are_honest(monkeypatch):
    """An integer program that is stopped at any time leaves a bound that no plan exceeds."""
    tree = load_tree("3K5")
    members, problem = members_of(tree, (1, 2)), build_problem(tree, (1, 2))
    gains = np.random.default_rng(3).normal(size=tree.n_leaves)
    worth = np.bincount(members.leaf_class, gains, minlength=members.n_leaf_classes)
    best, _ = problem.best_response(np.bincount(problem.leaf_class, gains, minlength=problem.n_leaf_classes))
    program = IntegerResponse(members)
    assert program.relax(worth) >= best - 1e-12
    assert program.relax(worth, lambda _: False) >= best - 1e-12
    _, plans = best_replies(members, worth, random_starts(members, 4, np.random.default_rng(0)))
    for precision in (0.0, 0.1, 1.0, 10.0):
        bound, _ = program.solve(worth, start=plans[0], precision=precision)
        assert best - 1e-6 <= bound <= best + precision + 1e-5
    calls = itertools.count()
    bound, _ = program.solve(worth, lambda _: next(calls) < 1)
    assert bound >= best - 1e-6


@pytest.mark.parametrize(
    "limits", [{"iterations": 2}, {"callback": lambda snapshot: snapshot.iterations < 3}]
)
def test_what_there_is_is_returned(no_room, limits):
    value = solve("3K4", team=(1, 2), method="lp").value
    solution = solve("3K4", team=(1, 2), method="double_oracle", gap=0, **limits)
    assert solution.stopped_by in ("iterations", "interrupt")
    assert np.isfinite(solution.gap)
    assert solution.lower - 1e-9 <= value <= solution.upper + 1e-9
    assert verify(solution).ok


def test_ctrl_c_in_a_proof_keeps_the_bounds(no_room, monkeypatch):
    prove = double_oracle_module.DoubleOracle._prove

    def interrupt(run, keep_going):
        signal.raise_signal(signal.SIGINT)
        return prove(run, keep_going)

    monkeypatch.setattr(double_oracle_module.DoubleOracle, "_prove", interrupt)
    solution = solve("3K4", team=(1, 2), method="double_oracle", gap=0)
    assert solution.stopped_by == "interrupt"
    assert solution.lower < solution.upper


def test_absent_minded_members_are_refused_by_name():
    with pytest.raises(GameError, match="player 1 is absent-minded"):
        solve("tests/cases/R01_absent_minded_driver.efg", method="double_oracle")


def test_checkpoints_are_refused(tmp_path):
    with pytest.raises(MaxminError, match="double_oracle keeps no state"):
        solve("kuhn_poker", method="double_oracle", checkpoint=tmp_path / "state")
