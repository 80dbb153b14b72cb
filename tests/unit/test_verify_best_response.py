"""Best responses on known games: the three routes agree, and exact answers are the known ones."""

import sys
from fractions import Fraction

import numpy as np
import pytest

from maxmin.agents import agents_of
from maxmin.build import build_tree
from maxmin.games import make_game
from maxmin.sequences import infosets_of, sequences
from maxmin.tree_builder import TreeBuilder
from maxmin.verify import best_response, exact_best_response
from maxmin.verify.enumeration import enumerate_plans
from maxmin.verify.gains import team_gains

ROUTES = sys.modules["maxmin.verify.best_response"]


def random_reach(tree, player, seed):
    """Return the reach of a random behavior strategy of one player."""
    rng = np.random.default_rng(seed)
    found = sequences(tree, infosets_of(tree, [player]))
    reach = np.ones(found.n_sequences)
    for first, stop in zip(found.first, found.stop, strict=True):
        reach[first:stop] = reach[found.parent[first]] * rng.dirichlet([0.5] * (stop - first))
    return reach[found.leaf]


@pytest.mark.parametrize("name", ["3K3", "3K4"])
@pytest.mark.parametrize("seed", range(5))
def test_enumeration_and_integer_program_agree(name, seed, monkeypatch):
    tree = build_tree(make_game(name))
    gains = team_gains(tree, (1, 2), random_reach(tree, 3, seed))
    enumerated = best_response(tree, (1, 2), gains)
    assert enumerated.method == "enumeration"
    monkeypatch.setattr(ROUTES, "_MOST", 0)
    programmed = best_response(tree, (1, 2), gains)
    assert programmed.method == "integer program"
    assert programmed.proved
    assert programmed.value == pytest.approx(enumerated.value, abs=1e-7)
    assert programmed.attained == pytest.approx(enumerated.value, abs=1e-9)


@pytest.mark.parametrize("name", ["3K6", "3L133", "kuhn_poker(players=4,ranks=5)"])
def test_integer_program_proves_what_its_plan_gets(name):
    tree = build_tree(make_game(name))
    team = tuple(range(1, tree.n_players))
    gains = team_gains(tree, team, random_reach(tree, tree.n_players, 7))
    bound = best_response(tree, team, gains)
    assert bound.method == "integer program"
    assert bound.proved
    assert bound.attained == pytest.approx(bound.value, abs=1e-7)
    assert gains @ bound.plan.leaf_reach(tree, players=team) == pytest.approx(bound.attained, abs=1e-12)


def test_team_gets_no_more_than_one_player_who_sees_everything_that_its_members_see():
    tree = build_tree(make_game("3K4"))
    gains = team_gains(tree, (1, 2), random_reach(tree, 3, 0))
    team = best_response(tree, (1, 2), gains)
    joint = agents_of(tree, (1, 2)).joint
    assert not joint.perfect_recall
    alone = best_response(tree, (1,), gains)
    assert alone.method == "recursion"
    assert team.value < np.maximum(gains, 0).sum()
    informed = ROUTES.backward_induction(joint, joint.per_sequence(gains))[0]
    assert team.value < informed


def driver():
    builder = TreeBuilder("driver", ["driver"])
    first = builder.decision(-1, -1, 1, "crossing", ["exit", "on"])
    builder.leaf(first, 0, [0])
    second = builder.decision(first, 1, 1, "crossing", ["exit", "on"])
    builder.leaf(second, 0, [4])
    builder.leaf(second, 1, [1])
    return builder.finish()


def test_absent_minded_driver_gets_1_with_a_plan_drawn_before_play(monkeypatch):
    tree = driver()
    gains = team_gains(tree, (1,), np.ones(3))
    bound = best_response(tree, (1,), gains)
    assert (bound.value, bound.attained, bound.method) == (1.0, 1.0, "enumeration")
    assert bound.plan.plans.tolist() == [[1]]
    monkeypatch.setattr(ROUTES, "_MOST", 0)
    bound = best_response(tree, (1,), gains)
    assert bound.method == "integer program"
    assert bound.value == pytest.approx(1.0, abs=1e-6)
    exact = exact_best_response(tree, (1,), np.array([Fraction(gain) for gain in gains]))
    assert exact.exact == 1


def forgetful():
    """Player 1 moves twice and forgets: matching its own first move pays 1 and 3, missing it nothing."""
    builder = TreeBuilder("forgets", ["one"])
    root = builder.decision(-1, -1, 1, "first", ["l", "r"])
    for action, payoff in enumerate((1, 3)):
        node = builder.decision(root, action, 1, "second", ["l", "r"])
        for move in range(2):
            builder.leaf(node, move, [payoff * (move == action)])
    return builder.finish()


def test_player_who_forgets_keeps_to_the_plan():
    bound = best_response(forgetful(), (1,), team_gains(forgetful(), (1,), np.ones(4)))
    assert (bound.value, bound.method) == (3.0, "enumeration")
    assert bound.plan.plans.tolist() == [[1, 1]]


def test_members_who_see_the_same_are_one_player():
    builder = TreeBuilder("open", ["one", "two"])
    root = builder.decision(-1, -1, 1, "x", ["l", "r"])
    for action in range(2):
        node = builder.decision(root, action, 2, action, ["l", "r"])
        builder.leaf(node, 0, [1, action])
        builder.leaf(node, 1, [2, -action])
    tree = builder.finish()
    bound = best_response(tree, (1, 2), team_gains(tree, (1, 2), np.ones(4)))
    assert (bound.value, bound.method) == (2.0, "recursion")


@pytest.mark.parametrize("side", [(), (2,)])
def test_side_without_infosets_gets_what_comes(side):
    tree = driver() if not side else build_tree(make_game("kuhn_poker"))
    gains = np.zeros(tree.n_leaves) if side else np.array([1.0, 2.0, 4.0])
    assert best_response(tree, side, gains).value == gains.sum()


def test_one_leaf_game():
    builder = TreeBuilder("over", ["one", "two"])
    builder.leaf(-1, -1, [3, -3])
    tree = builder.finish()
    assert best_response(tree, (1, 2), team_gains(tree, (1,), np.ones(1))).value == 3
    assert exact_best_response(tree, (2,), np.array([Fraction(-3)])).exact == -3


def test_gains_must_be_one_finite_number_a_leaf():
    with pytest.raises(ValueError, match="3 finite numbers, one per leaf"):
        best_response(driver(), (1,), np.ones(2))
    with pytest.raises(ValueError, match="3 finite numbers, one per leaf"):
        best_response(driver(), (1,), np.array([1.0, np.nan, 0.0]))


def test_without_time_there_is_still_a_proved_bound():
    tree = build_tree(make_game("3K8"))
    gains = team_gains(tree, (1, 2), random_reach(tree, 3, 3))
    truth = best_response(tree, (1, 2), gains)
    assert truth.proved
    hasty = best_response(tree, (1, 2), gains, seconds=0)
    assert not hasty.proved
    assert hasty.attained <= truth.value + 1e-9
    assert hasty.value >= truth.value - 1e-9


def test_enumeration_says_when_it_is_too_much():
    tree = build_tree(make_game("3K4"))
    agents = agents_of(tree, (1, 2))
    gains = np.ones(len(agents.ends))
    assert enumerate_plans(agents, gains, most=1_000) is None
    assert enumerate_plans(agents, gains, most=10_000_000) is not None


def test_huge_payoffs_keep_their_digits():
    tree = build_tree(make_game("3K6"))
    reach = random_reach(tree, 3, 1)
    small = best_response(tree, (1, 2), team_gains(tree, (1, 2), reach))
    large = best_response(tree, (1, 2), 1e9 * team_gains(tree, (1, 2), reach))
    assert large.proved
    assert large.value == pytest.approx(1e9 * small.value, rel=1e-7)


def test_highs_prints_nothing(capfd):
    tree = build_tree(make_game("3K6"))
    best_response(tree, (1, 2), team_gains(tree, (1, 2), random_reach(tree, 3, 1)))
    assert capfd.readouterr() == ("", "")
