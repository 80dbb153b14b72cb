"""Decision problems of the native core against brute force and the literal belief DAG, on random games.

The strongest test is the first: what pure plans on the DAG reach is what joint pure plans reach, no more and
no less. Splitting observations too finely adds something. A right but too large DAG is found by sizes.
"""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from reference.belief_dag import belief_dag, dag_masks
from reference.brute_force import TooManyPlansError, others, plan_masks, rows
from reference.random_games import games, merge_team, random_game, rename, reseat

from maxmin import properties
from maxmin.build import build_tree
from maxmin.errors import NotTimeableError
from maxmin.games.kuhn_poker import KuhnPoker
from maxmin.tree import GameTree

_core = pytest.importorskip("maxmin._core", reason="the native core is not built")
from maxmin.decision import DecisionProblem, build_problem  # noqa: E402  (needs the core)
from maxmin.strategy import Strategy  # noqa: E402

RECIPES = {
    "perfect recall": {},
    "forgets": {"memory": "forgets"},
    "no clock": {"clock": False},
    "forgets, no clock": {"clock": False, "memory": "forgets"},
    "shared": {"shared": (1, 2)},
    "four players": {"players": 4},
}
SIDES = [(1, 2), (3,), (1,), (2, 3)]
MANY = 2000

for_each_recipe = pytest.mark.parametrize("recipe", RECIPES)
with_and_without_reduction = pytest.mark.parametrize("reduce_branching", [True, False])
seeds = st.integers(0, 2**32)


def some_games(recipe: str) -> st.SearchStrategy[GameTree]:
    return games(most=24, **RECIPES[recipe])


def masks_of(tree: GameTree, side: tuple[int, ...]) -> set[int]:
    """Return the joint pure plans of a timeable side, as leaf masks; skip what is too large."""
    assume(properties.timeable(tree, side))
    try:
        masks = plan_masks(tree, side)
    except TooManyPlansError:
        masks = set()
    assume(0 < len(masks) <= MANY)
    return masks


def problem_masks(problem: DecisionProblem) -> set[int]:
    """Return what pure plans on the DAG reach, each leaf class written as its leaves."""
    leaves_of = [0] * problem.n_leaf_classes
    for leaf, one in enumerate(problem.leaf_class.tolist()):
        leaves_of[one] |= 1 << leaf
    n_beliefs = problem.n_beliefs
    return dag_masks(
        lambda belief: [children_of(problem, p) for p in prescriptions_of(problem, belief)],
        lambda vertex: leaves_of[vertex - n_beliefs] if vertex >= n_beliefs else None,
    )


def prescriptions_of(problem: DecisionProblem, belief: int) -> range:
    return range(problem.belief_start[belief], problem.belief_start[belief + 1])


def children_of(problem: DecisionProblem, prescription: int) -> list[int]:
    span = slice(problem.child_start[prescription], problem.child_start[prescription + 1])
    return [int(child) for child in problem.children[span]]


def random_behavior(problem: DecisionProblem, seed: int) -> NDArray[np.float64]:
    """Draw a distribution over the prescriptions of each belief, some of them pure."""
    rng = np.random.default_rng(seed)
    weight = rng.random(problem.n_prescriptions) * (rng.random(problem.n_prescriptions) < 0.7)
    weight[problem.belief_start[:-1]] += 1e-3
    total = np.add.reduceat(weight, problem.belief_start[:-1])
    return weight / np.repeat(total, np.diff(problem.belief_start))


def leaf_reach(problem: DecisionProblem, behavior: NDArray[np.float64]) -> NDArray[np.float64]:
    reach = np.empty(problem.n_beliefs + problem.n_leaf_classes)
    _core.realize(problem.core, behavior, reach)
    return reach[problem.n_beliefs + problem.leaf_class]


def best_response(problem: DecisionProblem, gain: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
    """Return the best response's worth by the core, and the behavior that picks what it chose."""
    values = np.zeros(problem.n_beliefs + problem.n_leaf_classes)
    values[problem.n_beliefs :] = np.bincount(problem.leaf_class, gain, problem.n_leaf_classes)
    choice = np.empty(problem.n_beliefs, dtype=np.int32)
    worth = _core.best_response(problem.core, values, choice)
    behavior = np.zeros(problem.n_prescriptions)
    behavior[choice] = 1
    return worth, behavior


def sizes_of(problem: DecisionProblem) -> tuple[int, ...]:
    return problem.n_beliefs, problem.n_prescriptions, problem.n_edges, problem.n_leaf_classes


@for_each_recipe
@with_and_without_reduction
@given(data=st.data())
def test_pure_plans_on_the_dag_are_the_joint_pure_plans(recipe, reduce_branching, data):
    tree = data.draw(some_games(recipe))
    side = data.draw(st.sampled_from(SIDES))
    masks = masks_of(tree, side)
    assert problem_masks(build_problem(tree, side, reduce_branching=reduce_branching)) == masks


@for_each_recipe
@with_and_without_reduction
@given(data=st.data())
def test_arrays_are_well_formed(recipe, reduce_branching, data):
    tree = data.draw(some_games(recipe))
    side = data.draw(st.sampled_from(SIDES))
    assume(properties.timeable(tree, side))
    problem = build_problem(tree, side, reduce_branching=reduce_branching)
    for start, total in (
        (problem.belief_start, problem.n_prescriptions),
        (problem.child_start, problem.n_edges),
    ):
        assert start.dtype == np.int32
        assert start[0] == 0
        assert start[-1] == total
    assert (np.diff(problem.belief_start) > 0).all()
    belief = np.repeat(np.arange(problem.n_beliefs), np.diff(problem.belief_start))
    parent = np.repeat(belief, np.diff(problem.child_start))
    assert (problem.children > parent).all()
    met = np.unique(problem.children)
    np.testing.assert_array_equal(met, np.arange(1, problem.n_beliefs + problem.n_leaf_classes))
    np.testing.assert_array_equal(np.unique(problem.leaf_class), np.arange(problem.n_leaf_classes))


@for_each_recipe
@given(data=st.data())
def test_leaves_of_one_class_are_reached_by_the_same_plans(recipe, data):
    tree = data.draw(some_games(recipe))
    side = data.draw(st.sampled_from(SIDES))
    reached = rows(masks_of(tree, side), tree.n_leaves)
    problem = build_problem(tree, side)
    first = np.zeros(problem.n_leaf_classes, dtype=int)
    first[problem.leaf_class[::-1]] = np.arange(tree.n_leaves)[::-1]
    np.testing.assert_array_equal(reached, reached[:, first[problem.leaf_class]])


@for_each_recipe
@with_and_without_reduction
@given(data=st.data(), seed=seeds)
def test_best_response_is_the_best_plan(recipe, reduce_branching, data, seed):
    tree = data.draw(some_games(recipe))
    side = data.draw(st.sampled_from(SIDES))
    plans = rows(masks_of(tree, side), tree.n_leaves)
    problem = build_problem(tree, side, reduce_branching=reduce_branching)
    gain = np.random.default_rng(seed).normal(size=tree.n_leaves)
    worth, behavior = best_response(problem, gain)
    assert worth == pytest.approx((plans @ gain).max(), abs=1e-12)
    reach = leaf_reach(problem, behavior)
    assert set(reach) <= {0, 1}
    assert reach @ gain == pytest.approx(worth, abs=1e-12)


@for_each_recipe
@given(data=st.data(), seed=seeds)
def test_chance_and_both_sides_reach_leaves_with_total_probability_one(recipe, data, seed):
    tree = data.draw(some_games(recipe))
    team = data.draw(st.sampled_from(SIDES))
    rest = others(tree, team)
    assume(properties.timeable(tree, team) and properties.timeable(tree, rest))
    probability = tree.chance_reach[tree.leaves].copy()
    for side in (team, rest):
        problem = build_problem(tree, side)
        reach = leaf_reach(problem, random_behavior(problem, seed))
        assert reach.min() >= 0
        assert reach.max() <= 1 + 1e-12
        probability *= reach
    assert probability.sum() == pytest.approx(1, abs=1e-12)


@for_each_recipe
@with_and_without_reduction
@given(data=st.data(), seed=seeds)
def test_prescriptions_say_which_actions_they_play(recipe, reduce_branching, data, seed):
    """Plans drawn from a strategy, played on the tree, reach what the flow on the DAG reaches."""
    tree = data.draw(some_games(recipe))
    side = data.draw(st.sampled_from(SIDES))
    masks = masks_of(tree, side)
    problem = build_problem(tree, side, reduce_branching=reduce_branching)
    behavior = random_behavior(problem, seed)
    strategy = Strategy.from_problem(tree, problem, behavior)
    np.testing.assert_allclose(strategy.leaf_reach(), leaf_reach(problem, behavior), atol=1e-12)
    np.testing.assert_allclose(strategy.plans().leaf_reach(tree), strategy.leaf_reach(), atol=1e-7)
    drawn = allowed_leaves(tree, side, strategy.sample(np.random.default_rng(seed)))
    assert drawn in masks


def allowed_leaves(tree: GameTree, side: tuple[int, ...], plan: dict[int, int]) -> int:
    """Return the leaves at which no move of the side departs from the plan."""
    mask = 0
    for leaf, node in enumerate(tree.leaves.tolist()):
        follows = True
        while node:
            parent = int(tree.parent[node])
            if tree.player[parent] in side:
                follows &= plan.get(int(tree.infoset[parent])) == tree.action[node]
            node = parent
        mask |= follows << leaf
    return mask


@for_each_recipe
@given(data=st.data())
def test_relabelling_changes_no_size(recipe, data):
    tree = data.draw(some_games(recipe))
    side = data.draw(st.sampled_from(SIDES))
    assume(properties.timeable(tree, side))
    sizes = sizes_of(build_problem(tree, side, reduce_branching=False))
    seats = data.draw(st.permutations(range(1, tree.n_players + 1)))
    seated = tuple(seats[player - 1] for player in side)
    assert sizes_of(build_problem(reseat(tree, seats), seated, reduce_branching=False)) == sizes
    renamed = rename(tree, data.draw(seeds))
    assert sizes_of(build_problem(renamed, side, reduce_branching=False)) == sizes


@for_each_recipe
@given(data=st.data())
def test_a_team_has_the_problem_of_the_player_that_plays_for_it(recipe, data):
    tree = data.draw(some_games(recipe))
    assume(properties.timeable(tree, (1, 2)))
    team, player = build_problem(tree, (1, 2)), build_problem(merge_team(tree, (1, 2)), (1,))
    for name in ("belief_start", "child_start", "children", "leaf_class", "belief_decisions"):
        np.testing.assert_array_equal(getattr(team, name), getattr(player, name), err_msg=name)


def one_agent(recipe: str) -> tuple[int, ...]:
    """Return a side of that recipe which acts like one player of perfect recall."""
    return (1, 2) if recipe == "shared" else (1,)


@pytest.mark.parametrize("recipe", ["perfect recall", "no clock", "shared"])
@given(data=st.data())
def test_perfect_recall_gives_the_sequence_form(recipe, data):
    """One infoset a belief, one belief an infoset, one prescription a sequence."""
    tree, side = data.draw(some_games(recipe)), one_agent(recipe)
    assume(properties.timeable(tree, side))
    problem = build_problem(tree, side, reduce_branching=False)
    own = np.isin(tree.infoset_player, side)
    met = np.diff(problem.belief_decision_start)
    assert met.max() <= 1
    assert problem.most_infosets <= 1
    np.testing.assert_array_equal(
        np.sort(problem.decision_infoset[problem.belief_decisions]), np.flatnonzero(own)
    )
    sequences = np.diff(problem.belief_start)[met == 1].sum()
    assert sequences == tree.infoset_n_actions[own].sum()


@given(tree=games(most=24, clock=False, memory="absent-minded"), side=st.sampled_from(SIDES))
def test_a_problem_is_built_if_and_only_if_the_side_is_timeable(tree, side):
    if properties.timeable(tree, side):
        build_problem(tree, side)
    else:
        with pytest.raises(NotTimeableError):
            build_problem(tree, side)


@with_and_without_reduction
def test_the_dag_is_no_larger_than_the_literal_one(reduce_branching):
    """Summed, because times of nodes are not unique: one game may be larger by a prescription or two."""
    ours, literal = np.zeros(2), np.zeros(2)
    for seed in range(150):
        tree = random_game(seed, size=seed % 25)
        problem = build_problem(tree, (1, 2), reduce_branching=reduce_branching)
        dag = belief_dag(tree, (1, 2), reduced=reduce_branching)
        ours += problem.n_beliefs, problem.n_prescriptions
        literal += dag.leaf.count(None), sum(map(len, dag.prescriptions))
    assert (ours <= literal).all()


def kuhn(ranks: int) -> GameTree:
    return build_tree(KuhnPoker(players=3, ranks=ranks))


@pytest.mark.parametrize("ranks", [3, 4])
def test_kuhn_poker_is_no_larger_than_published(ranks):
    problem = build_problem(kuhn(ranks), (1, 2))
    dag = belief_dag(kuhn(ranks), (1, 2))
    assert problem.n_beliefs <= dag.leaf.count(None)
    assert problem.n_prescriptions <= len(dag.links)
    assert problem.most_infosets == dag.k == ranks


def test_leaves_that_differ_in_the_opponents_card_only_are_one_class():
    tree = kuhn(4)
    assert build_problem(tree, (1, 2)).n_leaf_classes < tree.n_leaves
    assert build_problem(tree, (3,)).n_leaf_classes < tree.n_leaves / 3


def test_plans_of_three_player_kuhn_poker():
    """Of the 2^24 joint pure plans of the team that assign an action to each infoset, 17,080 differ."""
    masks = problem_masks(build_problem(kuhn(3), (1, 2)))
    assert masks == plan_masks(kuhn(3), (1, 2))
    assert len(masks) == 17080
