"""`Strategy`: what it says (marginals, beliefs), what it draws, its plans and its arrays, by independent routes."""

from dataclasses import replace

import numpy as np
import pytest
from reference.random_games import random_game

from maxmin.decision import build_problem
from maxmin.errors import SolutionError
from maxmin.plans import Behavior, PlanMixture
from maxmin.solve import Solution, solve
from maxmin.sources import load_tree
from maxmin.strategy import Strategy
from maxmin.tree import GameTree
from maxmin.tree_builder import TreeBuilder

GAMES = {
    "3K3": ("3K3", (1, 2)),
    "3L122": ("3L122", (1, 3)),
    "3D2": ("3D2", (1, 2)),  # more than two actions, chained
    "goofspiel": ("goofspiel(players=3,cards=3)", (2, 3)),  # actions that a teammate does not see
    "random": (random_game(12, size=25, memory="forgets"), (1, 2)),
}
DRAWS = 1000


@pytest.fixture(scope="module", params=GAMES)
def solution(request) -> Solution:
    game, team = GAMES[request.param]
    return solve(game, team=team, gap=1e-2, iterations=1000)


@pytest.fixture(params=["strategy", "opponent"])
def strategy(request, solution) -> Strategy:
    return getattr(solution, request.param)


def walk(tree: GameTree, side: tuple[int, ...], plan: dict[int, int]) -> tuple[np.ndarray, set[int]]:
    """Play a plan down the tree, with all moves of everybody else: what leaves and infosets it meets."""
    stack, leaves, infosets = [0], set(), set()
    while stack:
        node = stack.pop()
        children = range(tree.first_child[node], tree.first_child[node] + tree.n_children[node])
        if tree.player[node] in side:
            infoset = int(tree.infoset[node])
            infosets.add(infoset)
            children = [children[plan[infoset]]]
        if not len(children):
            leaves.add(node)
        stack.extend(children)
    return np.isin(tree.leaves, list(leaves)), infosets


def as_dict(mixture: PlanMixture, row: int) -> dict[int, int]:
    plan = zip(mixture.infosets.tolist(), mixture.plans[row].tolist(), strict=True)
    return {infoset: action for infoset, action in plan if action >= 0}


def test_marginals_are_those_of_the_plans(strategy):
    tree, mixture = strategy.tree, strategy.plans()
    marginals = {one.infoset: one for one in strategy.marginals()}
    assert list(marginals) == sorted(marginals)
    for column, infoset in enumerate(mixture.infosets.tolist()):
        weight = [
            mixture.weights[mixture.plans[:, column] == a].sum()
            for a in range(tree.infoset_n_actions[infoset])
        ]
        if sum(weight) < 1e-7:
            assert infoset not in marginals or marginals[infoset].reach < 1e-6
            continue
        found = marginals[infoset]
        assert found.reach == pytest.approx(sum(weight), abs=1e-7)
        np.testing.assert_allclose(found.reach * found.probabilities, weight, atol=1e-7)
        assert found.probabilities.sum() == pytest.approx(1)


def test_beliefs_prescribe_what_the_marginals_say(strategy):
    total: dict[tuple[int, int], float] = {}
    for belief in strategy.beliefs():
        assert 0 < belief.reach <= 1 + 1e-12
        assert sum(odds for _, odds in belief.prescriptions) == pytest.approx(1)
        assert len({moves for moves, _ in belief.prescriptions}) == len(belief.prescriptions)
        for moves, odds in belief.prescriptions:
            assert len({infoset for infoset, _ in moves}) == len(moves)
            for move in moves:
                total[move] = total.get(move, 0) + belief.reach * odds
    for marginal in strategy.marginals():
        for action, odds in enumerate(marginal.probabilities.tolist()):
            assert total.pop((marginal.infoset, action), 0) == pytest.approx(marginal.reach * odds, abs=1e-12)
    assert not total


def test_draws_are_whole_plans_and_as_frequent_as_they_should_be(strategy):
    rng = np.random.default_rng(5)
    count = np.zeros(strategy.tree.n_leaves)
    known: dict[tuple, np.ndarray] = {}
    for _ in range(DRAWS):
        plan = strategy.sample(rng)
        key = tuple(sorted(plan.items()))
        if key not in known:
            known[key], infosets = walk(strategy.tree, strategy.side, plan)
            assert infosets == plan.keys()  # it says what to do wherever it comes, and nothing else
        count += known[key]
    expected = strategy.leaf_reach()
    deviation = np.sqrt(np.maximum(expected * (1 - expected), 0) / DRAWS)
    assert (np.abs(count / DRAWS - expected) <= 5 * deviation + 4 / DRAWS).all()  # 4: rare plans come in ones


def test_draws_depend_on_the_generator_only(solution):
    draw = [solution.strategy.sample(np.random.default_rng(seed)) for seed in (1, 1)]
    assert draw[0] == draw[1]
    assert all(type(number) is int for pair in draw[0].items() for number in pair)


def test_plans_are_the_strategy(strategy):
    mixture = strategy.plans()
    np.testing.assert_array_equal(mixture.infosets, strategy.infosets)
    assert (np.diff(mixture.weights) <= 0).all()
    reach = np.zeros(strategy.tree.n_leaves)
    for row, weight in enumerate(mixture.weights.tolist()):
        leaves, infosets = walk(strategy.tree, strategy.side, as_dict(mixture, row))
        assert infosets == as_dict(mixture, row).keys()
        reach += weight * leaves
    np.testing.assert_allclose(reach, strategy.leaf_reach(), atol=1e-8)
    np.testing.assert_allclose(mixture.leaf_reach(strategy.tree, players=strategy.side), reach, atol=1e-12)


def test_a_few_plans_say_what_they_leave_out(strategy):
    everything = strategy.plans()
    weights = dict(zip(map(tuple, everything.plans.tolist()), everything.weights.tolist(), strict=True))
    few = strategy.decompose(most=2)
    assert few.mixture.n_plans == min(2, everything.n_plans)
    assert few.mixture.weights.sum() == pytest.approx(1)
    left = 1 - sum(weights[tuple(plan)] for plan in few.mixture.plans.tolist())
    assert few.rest == pytest.approx(left, abs=1e-8)
    half = strategy.decompose(rest=0.5)
    assert half.rest <= 0.5
    assert half.mixture.n_plans <= everything.n_plans


def test_classes_of_plans_are_where_they_lead(strategy):
    parts = strategy.decompose(most=20)
    for row, classes in enumerate(map(strategy.classes_of, parts.prescriptions)):
        leaves, _ = walk(strategy.tree, strategy.side, as_dict(parts.mixture, row))
        np.testing.assert_array_equal(leaves, np.isin(strategy.leaf_class, classes))
        assert len(set(classes.tolist())) == len(classes)


def test_written_out_it_reaches_the_same_leaves(strategy):
    explicit, rest = strategy.explicit()
    assert rest <= 1e-9
    reach = explicit.leaf_reach(strategy.tree, players=strategy.side)
    np.testing.assert_allclose(reach, strategy.leaf_reach(), atol=1e-8)


def test_a_player_is_written_as_behavior_a_team_as_plans():
    solution = solve("3K3", team=(1, 2), iterations=20)
    assert isinstance(solution.opponent.explicit()[0], Behavior)
    assert isinstance(solution.strategy.explicit()[0], PlanMixture)
    forgets = solve("tests/cases/R02_forgets_own_move.efg", iterations=20)
    assert {type(one.explicit()[0]) for one in (forgets.strategy, forgets.opponent)} == {
        Behavior,
        PlanMixture,
    }


def test_arrays_round_trip(strategy):
    again = Strategy.from_arrays(strategy.tree, strategy.side, strategy.to_arrays())
    assert again.leaf_reach().tobytes() == strategy.leaf_reach().tobytes()
    assert list(again.beliefs()) == list(strategy.beliefs())
    assert again.sample(np.random.default_rng(0)) == strategy.sample(np.random.default_rng(0))


def replaced(array: np.ndarray, index: int, value) -> np.ndarray:
    array = array.copy()
    array[index] = value
    return array


DAMAGE = {
    "belief_start": [
        (lambda a: a[:-1], "rows"),
        (lambda a: replaced(a, 0, 1), "rows"),
        (lambda a: replaced(a, -1, a[-1] + 1), "rows"),
        (lambda a: replaced(a, 1, a[2]), "rows"),  # a belief without prescriptions
        (lambda a: replaced(a, 1, -1), "rows"),
        (lambda a: a[:1], "rows"),
        (lambda a: a[:0], "rows"),
    ],
    "child_start": [
        (lambda a: a[:-1], "rows"),
        (lambda a: np.append(a, a[-1]), "rows"),
        (lambda a: replaced(a, 1, 10**9), "rows"),
        (lambda a: replaced(a, -1, a[-1] + 1), "rows"),
    ],
    "children": [
        (lambda a: replaced(a, 0, 0), "DAG"),
        (lambda a: replaced(a, 0, -5), "DAG"),
        (lambda a: replaced(a, 0, 2**31 - 1), "DAG"),
        (lambda a: a[:-1], "rows"),
    ],
    "probability": [
        (lambda a: replaced(a, 0, np.nan), "sum to 1"),
        (lambda a: replaced(a, 0, np.inf), "sum to 1"),
        (lambda a: replaced(a, 0, a[0] + 1e-6), "sum to 1"),
        (lambda a: 2 * a, "sum to 1"),
        (lambda a: a[:-1], "rows"),
        (lambda a: a.astype(np.float32), "probability of the strategy is not a row of float64"),
        (lambda a: a[:, None], "probability of the strategy is not a row"),
    ],
    "move_start": [(lambda a: a[:-1], "rows"), (lambda a: replaced(a, 1, -1), "rows")],
    "move_infoset": [
        (lambda a: replaced(a, 0, -1), "does not fit the game"),
        (lambda a: replaced(a, 0, 10**6), "does not fit the game"),
        (lambda a: a[:-1], "rows"),
    ],
    "move_action": [
        (lambda a: replaced(a, 0, -1), "an action that does not exist"),
        (lambda a: replaced(a, 0, 2), "an action that does not exist"),
        (lambda a: a[:-1], "rows"),
    ],
    "leaf_class": [
        (lambda a: a[:-1], "does not fit the game"),
        (lambda a: replaced(a, 0, -1), "does not fit the game"),
        (lambda a: replaced(a, 0, 2**31 - 1), "does not fit the game"),  # would take 16 GB
        (lambda a: a[:0], "does not fit the game"),
        (lambda a: a.astype(float), "leaf_class of the strategy is not a row of int32"),
    ],
}


@pytest.mark.parametrize(
    ("name", "change", "what"), [(name, *damage) for name, list_ in DAMAGE.items() for damage in list_]
)
def test_damaged_arrays_are_refused(name, change, what):
    strategy = solve("3K3", team=(1, 2), iterations=20).strategy
    arrays = strategy.to_arrays()
    with pytest.raises(SolutionError, match=what):
        Strategy.from_arrays(strategy.tree, strategy.side, arrays | {name: change(arrays[name])})


def test_negative_probabilities_are_refused():
    strategy = solve("3K3", team=(1, 2), iterations=20).strategy
    arrays = strategy.to_arrays()
    assert arrays["belief_start"][1] > 1
    odds = replaced(replaced(arrays["probability"], 0, -0.5), 1, arrays["probability"][:2].sum() + 0.5)
    with pytest.raises(SolutionError, match="sum to 1"):
        Strategy.from_arrays(strategy.tree, strategy.side, arrays | {"probability": odds})


@pytest.mark.parametrize("name", DAMAGE)
def test_missing_arrays_are_refused(name):
    strategy = solve("3K3", team=(1, 2), iterations=1).strategy
    arrays = strategy.to_arrays()
    del arrays[name]
    with pytest.raises(SolutionError, match=f"has no {name}"):
        Strategy.from_arrays(strategy.tree, strategy.side, arrays)


def test_a_strategy_of_another_side_or_game_is_refused():
    strategy = solve("3K3", team=(1, 2), iterations=20).strategy
    with pytest.raises(SolutionError, match="does not fit the game"):
        Strategy.from_arrays(strategy.tree, (3,), strategy.to_arrays())
    with pytest.raises(SolutionError, match="does not fit the game"):
        Strategy.from_arrays(load_tree("3K4"), (1, 2), strategy.to_arrays())


def test_products_of_tiny_probabilities_do_not_tear_the_strategy_apart():
    """1e-200 twice is 0 in floats: the second belief is reached all the same."""
    builder = TreeBuilder("four steps", ("a", "b"))
    node = builder.decision(-1, -1, 1, 0, "lr")
    for step in range(1, 4):
        builder.leaf(node, 0, [step, -step])
        node = builder.decision(node, 1, 1, step, "lr")
    builder.leaf(node, 0, [9, -9])
    builder.leaf(node, 1, [4, -4])
    tree = builder.finish()
    problem = build_problem(tree, (1,))
    tiny = np.tile([1.0, 1e-200], 4)
    strategy = Strategy.from_problem(tree, problem, tiny)
    assert strategy.n_beliefs == 4
    assert (strategy.children >= 0).all()
    again = Strategy.from_arrays(tree, (1,), strategy.to_arrays())
    assert again.leaf_reach().sum() == pytest.approx(1)
    np.testing.assert_array_equal(again.plans().plans, [[0, -1, -1, -1]])
    assert [one.infoset for one in again.marginals()] == [0, 1]


def test_what_is_never_played_is_left_out():
    tree = load_tree("3K3")
    problem = build_problem(tree, (3,))
    first = np.zeros(problem.n_prescriptions)
    first[problem.belief_start[:-1]] = 1
    strategy = Strategy.from_problem(tree, problem, first)
    assert len(strategy.probability) == strategy.n_beliefs
    assert strategy.plans().n_plans == 1
    assert strategy.sample(np.random.default_rng(0)) == as_dict(strategy.plans(), 0)
    assert (
        repr(strategy)
        == f"Strategy(side=(3,), beliefs={strategy.n_beliefs}, prescriptions={strategy.n_beliefs})"
    )


def test_damage_to_a_strategy_shows_in_its_reach():
    """The checks above are not idle: a changed, still valid, probability is another strategy."""
    strategy = solve("3K3", team=(1, 2), iterations=20).strategy
    span = slice(*strategy.belief_start[:2])
    turned = strategy.probability.copy()
    turned[span] = turned[span][::-1]
    assert not np.allclose(replace(strategy, probability=turned).leaf_reach(), strategy.leaf_reach())
