"""Older constructions of the decision problem: public states, inflation; and sizes as the paper counts them.

All four combinations must allow exactly the joint pure plans, on random games with teams and players who forget.
Counts are compared with the literal belief DAG, which knows nothing of merged nodes.
"""

from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from property.test_decision_properties import RECIPES, SIDES, masks_of, problem_masks, some_games
from reference.belief_dag import belief_dag, pad, side_tree, unpruned_nodes
from reference.brute_force import TooManyPlansError, others, plan_masks, team_value
from reference.inflation import inflated_infosets
from reference.random_games import games, random_game

from maxmin import properties, solve
from maxmin.decision import build_problem
from maxmin.errors import NotTimeableError
from maxmin.side_sizes import compare_sizes
from maxmin.side_view import view_side
from maxmin.size_estimate import estimate
from maxmin.sources import load_tree
from maxmin.strategy import Strategy

CONSTRUCTIONS = list(product(("connected", "public"), (False, True)))
sides = st.sampled_from(SIDES)
any_recipe = st.sampled_from(list(RECIPES)).flatmap(some_games)


@given(tree=any_recipe, side=sides, reduce_branching=st.booleans())
def test_every_construction_allows_exactly_the_joint_pure_plans(tree, side, reduce_branching):
    masks = masks_of(tree, side)
    for observations, inflate in CONSTRUCTIONS:
        problem = build_problem(
            tree, side, reduce_branching=reduce_branching, observations=observations, inflate=inflate
        )
        assert problem_masks(problem) == masks, (observations, inflate)


@settings(max_examples=25)
@given(tree=any_recipe, team=sides)
def test_every_construction_has_the_value_of_the_game(tree, team):
    assume(properties.timeable(tree, team) and properties.timeable(tree, others(tree, team)))
    try:
        value = team_value(tree, team)
    except TooManyPlansError:
        assume(False)
    for observations, inflate in CONSTRUCTIONS:
        solution = solve(tree, team=team, method="lp", observations=observations, inflate=inflate)
        assert solution.value == pytest.approx(value, abs=1e-7), (observations, inflate)


@given(tree=any_recipe, side=sides)
def test_observations_are_never_coarser_than_public_states(tree, side):
    """Where every infoset has a choice: then two beliefs prescribe no more than both of them at once."""
    assume(properties.timeable(tree, side))
    own = np.isin(tree.infoset_player, side)
    assume((tree.infoset_n_actions[own] > 1).all())
    for inflate in (False, True):
        connected, public = (
            build_problem(tree, side, observations=observations, inflate=inflate)
            for observations in ("connected", "public")
        )
        assert connected.n_prescriptions <= public.n_prescriptions
        assert connected.most_infosets <= public.most_infosets


@given(tree=any_recipe, side=sides)
def test_inflation_never_changes_connected_beliefs(tree, side):
    """Nodes of a belief are reached by one plan, so no infoset is split between any two of them."""
    assume(properties.timeable(tree, side))
    plain, inflated = (
        build_problem(tree, side, reduce_branching=False, inflate=inflate) for inflate in (False, True)
    )
    assert (plain.n_beliefs, plain.n_prescriptions, plain.most_infosets) == (
        inflated.n_beliefs,
        inflated.n_prescriptions,
        inflated.most_infosets,
    )
    public, smaller = (
        build_problem(tree, side, reduce_branching=False, observations="public", inflate=inflate)
        for inflate in (False, True)
    )
    assert smaller.most_infosets <= public.most_infosets
    assert estimate(tree, side, inflate=True).most_infosets <= estimate(tree, side).most_infosets


@given(tree=games(most=24, memory="forgets", clock=False), side=sides)
def test_inflation_splits_as_the_definition_says(tree, side):
    view = view_side(tree, side, inflate=True)
    nodes = np.flatnonzero(np.isin(tree.player, side))
    parts = {}
    for node in nodes.tolist():
        assert view.origin[view.infoset[node]] == tree.infoset[node]
        parts.setdefault(int(view.infoset[node]), set()).add(node)
    assert sorted(map(frozenset, parts.values()), key=min) == inflated_infosets(tree, side)
    assert view.n_infosets == len(parts)
    rest = np.isin(tree.player, side, invert=True)
    np.testing.assert_array_equal(view.infoset[rest], tree.infoset[rest])


@given(tree=any_recipe, side=sides)
def test_plain_counts_are_those_of_the_literal_dag(tree, side):
    assume(properties.timeable(tree, side))
    sizes = compare_sizes(tree, side, reduce_branching=False)
    has_dummies = len(pad(side_tree(tree, side)).children) > tree.n_nodes  # not counted as nodes of the tree
    if not has_dummies:
        assert sizes.find("public").unpruned_nodes == unpruned_nodes(tree, side)
    for observations in ("connected", "public"):
        counted, literal = sizes.find(observations), belief_dag(tree, side, public=observations == "public")
        assert (counted.vertices, counted.edges) == (literal.n_vertices, literal.n_edges), observations
        assert counted.converted_nodes <= counted.unpruned_nodes
        if not has_dummies:
            assert counted.converted_nodes == literal.n_converted, observations


@given(tree=any_recipe, side=sides, seed=st.integers(0, 2**32))
def test_strategies_on_inflated_public_states_play_on_the_tree(tree, side, seed):
    assume(properties.timeable(tree, side))
    problem = build_problem(tree, side, observations="public", inflate=True)
    rng = np.random.default_rng(seed)
    weight = rng.random(problem.n_prescriptions)
    strategy = Strategy.from_problem(tree, problem, problem.distribution(weight))
    np.testing.assert_allclose(strategy.plans().leaf_reach(tree), strategy.leaf_reach(), atol=1e-7)


@pytest.mark.parametrize(
    ("name", "vertices", "edges"), [("3K3", 490, 921), ("3K4", 2507, 8126)], ids=["3K3", "3K4"]
)
def test_kuhn_poker_as_the_paper_counts(name, vertices, edges):
    sizes = compare_sizes(load_tree(name), (1, 2))
    assert (sizes.find("connected").vertices, sizes.find("connected").edges) == (vertices, edges)
    public = belief_dag(load_tree(name), (1, 2), public=True)
    assert (sizes.find("public").vertices, sizes.find("public").edges) == (public.n_vertices, public.n_edges)
    assert sizes.inflated_infosets == sizes.infosets


def test_reduced_branching_as_the_paper_counts():
    tree = load_tree("3D2")
    counted, literal = compare_sizes(tree, (1, 2)).find("connected"), belief_dag(tree, (1, 2), reduced=True)
    assert (counted.vertices, counted.edges) == (literal.n_vertices, literal.n_edges)


@pytest.mark.parametrize("seed", [5, 79, 123])
def test_inflation_can_make_a_side_timeable(seed):
    """Infosets come before each other in a circle, but no plan goes round it."""
    tree = random_game(seed, size=12, memory="forgets", clock=False)
    with pytest.raises(NotTimeableError):
        build_problem(tree, (1, 2))
    for observations in ("connected", "public"):
        problem = build_problem(tree, (1, 2), observations=observations, inflate=True)
        assert problem_masks(problem) == plan_masks(tree, (1, 2))
