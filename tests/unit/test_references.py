"""The slow references agree with each other and with published figures: others are tested by them."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from reference.belief_dag import SideTree, belief_dag, dag_masks, pad, reduce_branching, side_tree, times
from reference.brute_force import (
    TooManyPlansError,
    best_response,
    dag_value,
    exact_gains,
    exact_matrix_value,
    exact_team_value,
    gains,
    matrix_value,
    others,
    plan_masks,
    rows,
    team_value,
)
from reference.random_games import informed, merge_team, random_game, rename, reseat, scale, shift

from maxmin import properties
from maxmin.build import build_tree
from maxmin.games.kuhn_poker import KuhnPoker
from maxmin.tree import GameTree
from maxmin.tree_builder import TreeBuilder

RECIPES = {
    "perfect recall": {},
    "forgets": {"memory": "forgets"},
    "no clock": {"clock": False},
    "forgets, no clock": {"clock": False, "memory": "forgets"},
    "shared": {"shared": (1, 2)},
}
TEAM, OTHERS = (1, 2), (3,)


def random_team_games(recipe: str, n_games: int, *, most_plans: int = 200) -> list[tuple[int, GameTree]]:
    """Return timeable games of many shapes and sizes, small enough for everything."""
    found = []
    for seed in range(n_games):
        tree = random_game(seed, size=4 + seed % 18, **RECIPES[recipe])
        if not all(properties.timeable(tree, side) for side in (TEAM, OTHERS)):
            continue
        if max(len(plan_masks(tree, side)) for side in (TEAM, OTHERS)) <= most_plans:
            found.append((seed, tree))
    assert len(found) > n_games // 2
    return found


@pytest.mark.parametrize(("ranks", "vertices", "edges"), [(3, 490, 921), (4, 2507, 8126)])
def test_published_size_of_the_belief_dag(ranks, vertices, edges):
    """Zhang, Farina, Sandholm 2023, counted with one chance node at the root and nothing folded away."""
    dag = belief_dag(build_tree(KuhnPoker(players=3, ranks=ranks)), TEAM)
    assert (dag.n_vertices, dag.n_edges) == (vertices, edges)
    assert dag.k == ranks


def test_each_observation_point_of_kuhn_poker_has_one_parent():
    dag = belief_dag(build_tree(KuhnPoker(players=3, ranks=3)), TEAM)
    assert len(dag.links) == len(dag.observations)


def test_kuhn_poker_has_two_actions_and_nothing_to_reduce():
    tree = build_tree(KuhnPoker(players=3, ranks=3))
    assert belief_dag(tree, TEAM, reduced=True) == belief_dag(tree, TEAM)


@pytest.mark.parametrize(("ranks", "value"), [(3, 0.0), (4, -1 / 24)])
def test_published_value_of_three_player_kuhn_poker(ranks, value):
    assert dag_value(build_tree(KuhnPoker(players=3, ranks=ranks)), TEAM) == pytest.approx(value, abs=1e-9)


def test_value_of_two_player_kuhn_poker_is_minus_an_eighteenth():
    tree = build_tree(KuhnPoker(players=2, ranks=3))
    assert exact_team_value(tree, (1,)) == Fraction(-1, 18)
    assert team_value(tree, (1,)) == pytest.approx(-1 / 18, abs=1e-9)
    assert dag_value(tree, (1,)) == pytest.approx(-1 / 18, abs=1e-9)


@pytest.mark.parametrize("recipe", RECIPES)
def test_plans_on_the_belief_dag_are_the_joint_pure_plans(recipe):
    for _, tree in random_team_games(recipe, 80):
        for side in (TEAM, OTHERS):
            masks = plan_masks(tree, side)
            assert belief_dag(tree, side).masks() == masks
            assert belief_dag(tree, side, reduced=True).masks() == masks


@pytest.mark.parametrize("recipe", RECIPES)
def test_value_of_the_belief_dag_is_the_value_of_the_matrix_of_plans(recipe):
    for _, tree in random_team_games(recipe, 36):
        value = team_value(tree, TEAM)
        assert dag_value(tree, TEAM) == pytest.approx(value, abs=1e-8)
        assert dag_value(tree, TEAM, reduced=True) == pytest.approx(value, abs=1e-8)


def test_exact_value_is_the_float_value():
    for _, tree in random_team_games("perfect recall", 40, most_plans=16):
        assert team_value(tree, TEAM) == pytest.approx(float(exact_team_value(tree, TEAM)), abs=1e-8)


def test_masks_are_what_each_plan_allows():
    """`plan_masks` folds infoset by infoset; this plays every plan down the tree instead."""
    for seed, tree in random_team_games("forgets, no clock", 30):
        infosets = [infoset for infoset in range(tree.n_infosets) if tree.infoset_player[infoset] in TEAM]
        n_actions = tree.infoset_n_actions[infosets].tolist()
        if np.prod(n_actions, dtype=float) > 2000:
            continue
        plans = (dict(zip(infosets, plan, strict=True)) for plan in product(*map(range, n_actions)))
        assert plan_masks(tree, TEAM) == {played(tree, plan) for plan in plans}, seed


def played(tree: GameTree, plan: dict[int, int]) -> int:
    mask, stack = 0, [0]
    while stack:
        node = stack.pop()
        children = range(tree.first_child[node], tree.first_child[node] + tree.n_children[node])
        if tree.infoset[node] in plan:
            children = children[plan[tree.infoset[node]] :][:1]
        if tree.player[node] < 0:
            mask |= 1 << tree.leaves.tolist().index(node)
        stack.extend(children)
    return mask


def test_a_team_that_shares_everything_meets_one_infoset_at_a_time():
    for _, tree in random_team_games("shared", 60):
        dag = belief_dag(tree, TEAM)
        assert dag.k <= 1
        assert len([infosets for infosets in dag.infosets if infosets]) == len(
            [player for player in tree.infoset_player if player in TEAM]
        )


def test_teams_that_hide_things_meet_several():
    assert {belief_dag(tree, TEAM).k for _, tree in random_team_games("perfect recall", 80)} >= {1, 2, 3}


def test_a_team_is_worth_what_the_player_is_that_plays_for_it():
    for recipe in RECIPES:
        for _, tree in random_team_games(recipe, 12):
            assert team_value(merge_team(tree, TEAM), (1,)) == pytest.approx(team_value(tree, TEAM), abs=1e-9)


def test_values_of_the_two_sides_sum_to_the_constant():
    for _, tree in random_team_games("forgets", 20):
        shifted = shift(tree, 1, Fraction(5, 2))
        assert team_value(shifted, TEAM) + team_value(shifted, OTHERS) == pytest.approx(2.5, abs=1e-8)


def test_transformations_do_to_the_value_what_they_should():
    for seed, tree in random_team_games("perfect recall", 24):
        value = team_value(tree, TEAM)
        assert team_value(scale(tree, Fraction(7, 3)), TEAM) == pytest.approx(7 / 3 * value, abs=1e-8)
        assert team_value(shift(tree, 2, Fraction(-4)), TEAM) == pytest.approx(value - 4, abs=1e-8)
        assert team_value(shift(tree, 3, Fraction(-4)), TEAM) == pytest.approx(value, abs=1e-8)
        assert team_value(rename(tree, seed), TEAM) == pytest.approx(value, abs=1e-8)
        assert team_value(reseat(tree, (3, 1, 2)), (1, 3)) == pytest.approx(value, abs=1e-8)


def test_transformations_change_what_they_say_and_nothing_else():
    tree = random_game(5)
    renamed, turned = rename(tree, 1), reseat(tree, (3, 1, 2))
    assert renamed.n_nodes == tree.n_nodes
    assert renamed.n_infosets == tree.n_infosets
    assert set(renamed.infoset_labels).isdisjoint(tree.infoset_labels)
    assert sorted(map(tuple, renamed.payoffs)) == sorted(map(tuple, tree.payoffs))
    assert turned.player_names == ("player 2", "player 3", "player 1")
    np.testing.assert_array_equal(turned.payoffs[:, [2, 0, 1]], tree.payoffs)


def test_an_informed_team_has_perfect_recall_and_does_no_worse():
    better = False
    for _, tree in random_team_games("perfect recall", 60):
        told = informed(tree, TEAM)
        assert properties.perfect_recall(merge_team(told, TEAM), 1)
        assert told.n_infosets >= tree.n_infosets
        gain = team_value(told, TEAM) - team_value(tree, TEAM)
        assert gain >= -1e-8
        better |= gain > 0.1
    assert better


def test_random_games_are_what_their_recipe_says():
    for seed in range(60):
        size = seed % 20
        clocked, forgetful = random_game(seed, size=size), random_game(seed, size=size, memory="forgets")
        for tree in (clocked, forgetful):
            assert properties.timeable(tree, (1, 2, 3))
            assert tree.exact
            assert not properties.absent_minded(tree)
            assert properties.constant_sum(tree) == 0
            assert np.count_nonzero(tree.player >= 0) <= size
        assert properties.perfect_recall(clocked)
        again = random_game(seed, size=size)
        np.testing.assert_array_equal(clocked.payoffs, again.payoffs)
        np.testing.assert_array_equal(clocked.parent, again.parent)


def test_random_games_reach_the_corners():
    trees = [random_game(seed, clock=False, memory="forgets") for seed in range(60)]
    assert any(not properties.perfect_recall(tree) for tree in trees)
    assert any(not properties.timeable(tree, TEAM) for tree in trees)
    assert any(tree.chance_reach.min() == 0 for tree in trees)
    assert any(len(actions) == 1 for tree in trees for actions in tree.infoset_actions)
    assert any(len(actions) == 3 for tree in trees for actions in tree.infoset_actions)
    assert any(len(set(map(len, map(tree.history, tree.leaves.tolist())))) > 2 for tree in trees)
    assert any(len(set(pad_depths(tree))) > 1 for tree in trees)


def pad_depths(tree: GameTree) -> list[int]:
    """Return the depths of the nodes of the infoset whose depths differ most."""
    depths: dict[int, list[int]] = {-1: [0]}
    for node in np.flatnonzero(tree.infoset >= 0).tolist():
        depths.setdefault(int(tree.infoset[node]), []).append(len(tree.history(node)))
    return max(depths.values(), key=lambda found: max(found) - min(found))


def test_padding_puts_each_infoset_at_one_depth_and_keeps_the_plans():
    padded_something = False
    for _, tree in random_team_games("forgets, no clock", 40):
        plain = side_tree(tree, TEAM)
        padded = pad(plain)
        depths: dict[object, set[int]] = {}
        stack = [(0, 0)]
        while stack:
            node, depth = stack.pop()
            depths.setdefault(padded.infoset[node], set()).add(depth)
            stack.extend((child, depth + 1) for child in padded.children[node])
        depths.pop(None, None)
        assert all(len(found) == 1 for found in depths.values())
        padded_something |= len(padded.children) > len(plain.children)
        assert sorted(leaf for leaf in padded.leaf if leaf is not None) == list(range(tree.n_leaves))
    assert padded_something


def test_times_refuse_what_has_none():
    tree = SideTree()
    road = tree.add("road")
    again = tree.add("road")
    tree.children[road] = [again, tree.add(leaf=0)]
    tree.children[again] = [tree.add(leaf=1), tree.add(leaf=2)]
    with pytest.raises(ValueError, match="not timeable"):
        times(tree)


def test_reduced_branching_is_binary():
    for _, tree in random_team_games("perfect recall", 30):
        reduced = reduce_branching(side_tree(tree, TEAM))
        for node, infoset in enumerate(reduced.infoset):
            assert infoset is None or len(reduced.children[node]) <= 2


def public_choices(n_hands: int, n_actions: int) -> GameTree:
    """Chance deals player 1 one of `n_hands` hands; it acts in the open, then player 2 guesses the hand."""
    builder = TreeBuilder("public choices", ["speaker", "guesser"])
    deal = builder.chance(-1, -1, [(f"hand {hand}", Fraction(1, n_hands)) for hand in range(n_hands)])
    actions = [f"say {action}" for action in range(n_actions)]
    guesses = [f"guess {hand}" for hand in range(n_hands)]
    for hand in range(n_hands):
        speak = builder.decision(deal, hand, 1, hand, actions)
        for action in range(n_actions):
            guess = builder.decision(speak, action, 2, action, guesses)
            for guessed in range(n_hands):
                builder.leaf(guess, guessed, [guessed == hand, 0])
    return builder.finish()


def test_reduction_pays_where_actions_are_public():
    """With b actions in k hands a belief has b^k prescriptions; binary choices, seen by all, make it less."""
    tree = public_choices(4, 5)
    plain, reduced = belief_dag(tree, (1, 2)), belief_dag(tree, (1, 2), reduced=True)
    assert plain.k == reduced.k == 4
    assert len(plain.prescriptions[plain.prescriptions[0][0][0]]) == 5**4
    assert reduced.n_edges < plain.n_edges
    assert max(map(len, reduced.prescriptions)) == 2**4
    assert dag_value(tree, (1, 2)) == pytest.approx(1.0, abs=1e-9)
    assert dag_value(tree, (1, 2), reduced=True) == pytest.approx(1.0, abs=1e-9)


def test_refined_observations_would_be_worth_too_much():
    """Two mates who see different coins and must both guess the other's: no more than 1/2 without talking."""
    builder = TreeBuilder("two coins", ["Ann", "Bob", "house"])
    root = builder.chance(-1, -1, [(coins, Fraction(1, 4)) for coins in ("hh", "ht", "th", "tt")])
    for index, coins in enumerate(("hh", "ht", "th", "tt")):
        ann = builder.decision(root, index, 1, coins[0], "ht")
        for first in (0, 1):
            bob = builder.decision(ann, first, 2, coins[1], "ht")
            for second in (0, 1):
                won = "ht"[first] == coins[1] and "ht"[second] == coins[0]
                builder.leaf(bob, second, [won, 0, -int(won)])
    tree = builder.finish()
    assert exact_team_value(tree, TEAM) == Fraction(1, 2)
    assert dag_value(tree, TEAM) == pytest.approx(0.5, abs=1e-9)
    assert belief_dag(tree, TEAM).k == 2


def test_matrix_values_that_are_known():
    pennies = [[Fraction(1), Fraction(-1)], [Fraction(-1), Fraction(1)]]
    cycle = [[Fraction((column - row) % 3 - 1) for column in range(3)] for row in range(3)]
    assert exact_matrix_value(pennies) == 0
    assert exact_matrix_value([[Fraction(2), Fraction(-1)], [Fraction(-1), Fraction(1)]]) == Fraction(1, 5)
    assert exact_matrix_value([[Fraction(3, 7)]]) == Fraction(3, 7)
    assert exact_matrix_value([[Fraction(1), Fraction(2)]]) == 1
    assert exact_matrix_value([[Fraction(1)], [Fraction(2)]]) == 2
    assert exact_matrix_value([[Fraction(-row) for row in line] for line in cycle]) == exact_matrix_value(
        cycle
    )


def test_exact_and_float_matrix_values_agree():
    rng = np.random.default_rng(1)
    for _ in range(40):
        payoffs = rng.integers(-3, 4, size=rng.integers(1, 8, size=2))
        value = exact_matrix_value([[Fraction(int(entry)) for entry in row] for row in payoffs])
        assert matrix_value(payoffs.astype(float)) == pytest.approx(float(value), abs=1e-9)


def test_exact_gains_are_the_gains():
    for seed in range(20):
        tree = random_game(seed)
        np.testing.assert_allclose(gains(tree, TEAM), [float(gain) for gain in exact_gains(tree, TEAM)])


def test_best_response_takes_the_best_plan():
    tree = random_game(3)
    gain = np.random.default_rng(3).normal(size=tree.n_leaves)
    best = max(sum(gain[z] for z in range(tree.n_leaves) if mask >> z & 1) for mask in plan_masks(tree, TEAM))
    assert best_response(tree, TEAM, gain) == pytest.approx(best)
    assert rows({0b10, 0b01}, 2).tolist() == [[1, 0], [0, 1]]
    assert others(tree, (2,)) == (1, 3)


def test_too_many_plans_are_refused():
    with pytest.raises(TooManyPlansError):
        plan_masks(build_tree(KuhnPoker(players=3, ranks=6)), TEAM)


def test_flow_that_arrives_twice_is_noticed():
    with pytest.raises(AssertionError, match="twice"):
        dag_masks(lambda _: [[1, 1]], lambda vertex: 1 if vertex else None)


def test_paths_are_counted_without_being_built():
    for _, tree in random_team_games("perfect recall", 20):
        dag = belief_dag(tree, TEAM)
        stack, vertices = [0], 0
        while stack:
            belief = stack.pop()
            vertices += 1 + len(dag.prescriptions[belief])
            stack.extend(child for children in dag.prescriptions[belief] for child in children)
        assert dag.n_paths == vertices
