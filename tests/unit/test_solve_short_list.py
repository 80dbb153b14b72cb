"""`short_list`: few plans, and what they guarantee, certified by the checker's own best response."""

import sys

import numpy as np
import pytest
from reference.random_games import random_game

from maxmin.errors import MaxminError
from maxmin.solve import solve
from maxmin.solve.short_list import short_list
from maxmin.verify import best_response

GAMES = {
    "3K3": ("3K3", (1, 2)),
    "3K4": ("3K4", (1, 2)),
    "3K4, last two": ("3K4", (2, 3)),
    "3L122": ("3L122", (1, 2)),
    "3D2": ("3D2", (1, 2)),
    "goofspiel": ("goofspiel(players=3,cards=3)", (1, 2)),
    "one player": ("kuhn_poker(players=2)", (2,)),
    "forgets": (random_game(4, size=25, memory="forgets"), (1, 2)),
}


@pytest.fixture(scope="module", params=GAMES)
def solution(request):
    game, team = GAMES[request.param]
    return solve(game, team=team, gap=1e-3, iterations=5000)


@pytest.mark.parametrize("loss", [0.05, 1e-3, 1e-6])
def test_the_guarantee_is_what_an_independent_best_response_leaves(solution, loss):
    tree = solution.tree
    found = short_list(solution, loss=loss)
    others = [player for player in range(1, tree.n_players + 1) if player not in solution.team]
    payoffs = tree.payoffs[:, np.array(solution.team) - 1].sum(axis=1)
    reach = found.plans.leaf_reach(tree, players=solution.team)
    answer = best_response(tree, others, -tree.chance_reach[tree.leaves] * payoffs * reach)
    assert found.guarantee == pytest.approx(-answer.value, abs=1e-9)
    payoff_range = payoffs.max() - payoffs.min()
    assert found.guarantee >= solution.lower - loss * payoff_range - 1e-9
    assert found.guarantee <= solution.upper + 1e-9
    assert found.loss == pytest.approx(solution.upper - found.guarantee)


def test_the_list_is_short_and_in_order(solution):
    plans = short_list(solution).plans
    assert plans.n_plans <= solution.sizes["opponent"]["prescriptions"]
    assert plans.n_plans <= 60
    assert plans.weights.sum() == pytest.approx(1)
    assert (plans.weights > 0).all()
    assert (np.diff(plans.weights) <= 0).all()
    assert len({tuple(plan) for plan in plans.plans.tolist()}) == plans.n_plans
    assert short_list(solution, loss=0.2).plans.n_plans <= plans.n_plans


def test_it_gives_up_in_words(monkeypatch):
    monkeypatch.setattr(sys.modules[short_list.__module__], "_FIRST_PLANS", 1)
    solution = solve("3K4", team=(1, 2), gap=1e-3)
    with pytest.raises(MaxminError, match="1 rounds were not enough for a loss of 1e-09"):
        short_list(solution, loss=1e-9, most=1)
