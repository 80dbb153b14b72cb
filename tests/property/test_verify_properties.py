"""The checker against brute force over all joint pure plans, on random games of every kind of recall."""

import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from reference.brute_force import TooManyPlansError, exact_gains, others, plan_masks
from reference.random_games import random_game, rename

from maxmin.exploitability import exploitability
from maxmin.plans import Behavior, PlanMixture
from maxmin.sequences import infosets_of
from maxmin.tree_arrays import tree_difference, tree_from_arrays, tree_to_arrays
from maxmin.verify import best_response, exact_best_response
from maxmin.verify.gains import exact_team_gains, team_gains

ROUTES = sys.modules["maxmin.verify.best_response"]
KINDS = ("perfect", "forgets", "absent-minded")
SIDES = ((1,), (2, 3), (1, 2), (1, 2, 3))

any_game = st.builds(
    lambda seed, size, memory: random_game(seed, size=size, memory=memory, clock=False, total=None),
    seed=st.integers(0, 2**32),
    size=st.integers(4, 14),
    memory=st.sampled_from(KINDS),
)
sides = st.sampled_from(SIDES)
seeds = st.integers(0, 2**32)


def most_gained(tree, side, gains):
    """Return the exact best response by trying all joint pure plans."""
    try:
        masks = plan_masks(tree, side)
    except TooManyPlansError:
        assume(False)
    return max(
        sum((gain for leaf, gain in enumerate(gains) if mask >> leaf & 1), Fraction(0)) for mask in masks
    )


def random_gains(tree, seed):
    rng = np.random.default_rng(seed)
    numbers = rng.integers([-9, 1], [10, 5], (tree.n_leaves, 2)).tolist()
    return np.array([Fraction(*pair) for pair in numbers], dtype=object)


def random_mixture(tree, side, seed):
    """Draw weighted joint pure plans for all infosets of a side, with exact weights."""
    rng = np.random.default_rng(seed)
    infosets = infosets_of(tree, side)
    plans = rng.integers(0, tree.infoset_n_actions[infosets], (int(rng.integers(1, 5)), len(infosets)))
    weights = [Fraction(int(weight)) for weight in rng.integers(1, 6, len(plans))]
    return PlanMixture(infosets, plans, np.array([weight / sum(weights) for weight in weights], dtype=object))


def random_behavior(tree, side, seed):
    rng = np.random.default_rng(seed)
    infosets = infosets_of(tree, side)
    table = np.full((len(infosets), int(tree.infoset_n_actions.max(initial=1))), Fraction(0), dtype=object)
    for row, infoset in zip(table, infosets, strict=True):
        odds = [Fraction(int(weight)) for weight in rng.integers(1, 6, tree.infoset_n_actions[infoset])]
        row[: len(odds)] = [weight / sum(odds) for weight in odds]
    return Behavior(infosets, table)


def own_moves(tree, leaf, infosets):
    """Return the (infoset, action) pairs of a side on the way to a leaf, repeated ones too."""
    node, moves = int(tree.leaves[leaf]), []
    while node:
        infoset = int(tree.infoset[tree.parent[node]])
        if infoset in infosets:
            moves.append((infoset, int(tree.action[node])))
        node = int(tree.parent[node])
    return moves


@given(any_game, sides, seeds)
def test_best_response_is_the_best_of_all_joint_pure_plans(tree, side, seed):
    gains = random_gains(tree, seed)
    truth = most_gained(tree, side, gains)
    bound = best_response(tree, side, gains.astype(float))
    assert bound.proved
    assert bound.value == pytest.approx(float(truth), abs=1e-9)
    assert bound.attained == pytest.approx(float(truth), abs=1e-9)
    assert bound.value >= bound.attained
    played = bound.plan.leaf_reach(tree, players=side)
    assert set(played) <= {0.0, 1.0}
    assert float(played @ gains.astype(float)) == pytest.approx(float(truth), abs=1e-9)


@settings(max_examples=60)
@given(any_game, sides, seeds)
def test_integer_program_agrees_with_brute_force(tree, side, seed):
    gains = random_gains(tree, seed)
    truth = float(most_gained(tree, side, gains))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ROUTES, "_MOST", 0)
        bound = best_response(tree, side, gains.astype(float))
    assert bound.method in ("recursion", "integer program")
    assert bound.proved
    assert bound.value == pytest.approx(truth, abs=1e-5)
    assert bound.attained <= truth + 1e-9
    assert bound.attained == pytest.approx(truth, abs=1e-5)


@settings(max_examples=40)
@given(any_game, sides, seeds)
def test_bounds_hold_when_there_is_no_time(tree, side, seed):
    gains = random_gains(tree, seed)
    truth = float(most_gained(tree, side, gains))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ROUTES, "_MOST", 0)
        bound = best_response(tree, side, gains.astype(float), seconds=0.0)
    assert bound.attained - 1e-9 <= truth <= bound.value + 1e-9
    assert not bound.proved or bound.value - bound.attained < 1e-3


@given(any_game, sides, seeds)
def test_exact_best_response_is_exact(tree, side, seed):
    gains = random_gains(tree, seed)
    bound = exact_best_response(tree, side, gains)
    assert bound.exact == most_gained(tree, side, gains)
    assert bound.proved


@given(any_game, sides, seeds)
def test_reach_of_plans_is_the_weight_of_those_that_play_there(tree, side, seed):
    mixture = random_mixture(tree, side, seed)
    infosets = mixture.infosets.tolist()
    expected = []
    for leaf in range(tree.n_leaves):
        moves = own_moves(tree, leaf, infosets)
        plays = [all(plan[infosets.index(i)] == action for i, action in moves) for plan in mixture.plans]
        expected.append(sum((w for w, does in zip(mixture.weights, plays, strict=True) if does), Fraction(0)))
    assert mixture.exact_leaf_reach(tree, players=side).tolist() == expected
    assert mixture.leaf_reach(tree, players=side) == pytest.approx(np.array(expected, dtype=float), abs=1e-12)


@given(any_game, sides, seeds)
def test_reach_of_behavior_is_the_product_of_its_moves(tree, side, seed):
    behavior = random_behavior(tree, side, seed)
    infosets = behavior.infosets.tolist()
    expected = []
    for leaf in range(tree.n_leaves):
        reach = Fraction(1)
        for infoset, action in own_moves(tree, leaf, infosets):
            reach *= behavior.probabilities[infosets.index(infoset), action]
        expected.append(reach)
    assert behavior.exact_leaf_reach(tree, players=side).tolist() == expected
    assert behavior.leaf_reach(tree, players=side) == pytest.approx(
        np.array(expected, dtype=float), abs=1e-12
    )


@given(any_game, st.sampled_from(((1,), (1, 2), (3, 1))), seeds)
def test_exploitability_is_the_worst_case(tree, team, seed):
    mixture = random_mixture(tree, team, seed)
    gains = [
        gain * reach
        for gain, reach in zip(
            exact_gains(tree, team), mixture.exact_leaf_reach(tree, players=team), strict=True
        )
    ]
    truth = -most_gained(tree, others(tree, team), [-gain for gain in gains])
    found = exploitability(tree, mixture, team=team, value=float(truth) + 0.5)
    assert found.exact == truth
    assert found.guarantee == pytest.approx(float(truth), abs=1e-9)
    assert found.worst_found == pytest.approx(float(truth), abs=1e-9)
    assert found.below_value == pytest.approx(0.5, abs=1e-9)


@given(any_game, sides, seeds)
def test_exact_gains_are_the_floats(tree, side, seed):
    mixture = random_mixture(tree, others(tree, side), seed)
    reach = mixture.exact_leaf_reach(tree, players=others(tree, side))
    exact = exact_team_gains(tree, side, reach)
    truth = [gain * part for gain, part in zip(exact_gains(tree, side), reach, strict=True)]
    assert exact.tolist() == truth
    floats = team_gains(tree, side, mixture.leaf_reach(tree, players=others(tree, side)))
    assert floats == pytest.approx(exact.astype(float), abs=1e-12)


@given(any_game, sides, seeds)
def test_best_response_does_not_depend_on_names_and_orders(tree, side, seed):
    renamed = rename(tree, seed)
    reach = np.ones(tree.n_leaves)
    one = best_response(tree, side, team_gains(tree, side, reach))
    other = best_response(renamed, side, team_gains(renamed, side, reach))
    assert one.value == pytest.approx(other.value, abs=1e-9)


@given(any_game)
def test_trees_survive_as_arrays(tree):
    again = tree_from_arrays(tree_to_arrays(tree))
    assert tree_difference(tree, again) == ""
    assert again.numbers == tree.numbers
    assert again.infoset_actions == tree.infoset_actions
    assert np.array_equal(again.action, tree.action)
    assert np.array_equal(again.first_child, tree.first_child)
