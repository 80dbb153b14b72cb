"""`compare_sizes` and the options of `build_problem`: limits, odd sides, bad input."""

import json

import numpy as np
import pytest
from reference.random_games import random_game

from maxmin import load_tree, properties, solve
from maxmin.decision import build_problem
from maxmin.errors import Cancelled, MaxminError, NotTimeableError, SizeError, UnknownNameError
from maxmin.match import make_match
from maxmin.side_sizes import compare_sizes
from maxmin.tree_builder import TreeBuilder


def with_idle_member():
    """Player 1 and player 3 show a coin; player 2 is there, and never acts."""
    builder = TreeBuilder("idle", ["shows", "idles", "guesses"])
    root = builder.decision(-1, -1, 1, "show", ["heads", "tails"])
    for shown in range(2):
        guess = builder.decision(root, shown, 3, "guess", ["heads", "tails"])
        for guessed in range(2):
            builder.leaf(guess, guessed, [1, 0, -1] if shown == guessed else [-1, 0, 1])
    return builder.finish()


def test_counts_are_what_was_built():
    tree = load_tree("3K4")
    sizes = compare_sizes(tree, (2, 1))
    assert sizes.side == (1, 2)
    assert [(one.observations, one.inflate) for one in sizes.constructions] == [
        ("connected", False),
        ("public", False),
    ]
    for one in sizes.constructions:
        problem = build_problem(tree, (1, 2), observations=one.observations)
        assert (one.k, one.public_states, one.largest_public_state) == (4, 23, 24)
        assert (one.beliefs, one.prescriptions, one.stored_edges) == (
            problem.n_beliefs,
            problem.n_prescriptions,
            problem.n_edges,
        )
    assert sizes.find("public", inflate=True) is sizes.find("public")
    assert json.loads(json.dumps(sizes.to_json()))["constructions"][0]["vertices"] == 2507


def test_one_player_unfolds_to_what_her_own_moves_tell_apart():
    """With perfect recall a prescription is an action: no node of the converted game is there twice."""
    tree = load_tree("kuhn_poker")
    sizes = compare_sizes(tree, (1,)).find("connected")
    assert sizes.k == 1
    assert sizes.converted_leaves == tree.n_leaves
    assert sizes.converted_nodes == tree.n_nodes


def test_what_takes_too_long_or_too_much_memory_is_left_open():
    tree = load_tree("3K12")
    for limit in ({"memory": 1_000_000}, {"seconds": 0.1}):
        sizes = compare_sizes(tree, (1, 2), **limit)
        for one in sizes.constructions:
            assert (one.vertices, one.converted_nodes, one.beliefs, one.k) == (None, None, None, None)
            assert (one.public_states, one.public_state_infosets) == (63, 12)
            assert 1e9 < one.unpruned_nodes < 1e300


def test_counts_end_where_floats_do():
    """In couriers with 600 towns a prescription of the largest public state covers 2400 infosets."""
    tree = load_tree("couriers(towns=600)")
    sizes = compare_sizes(tree, (1, 2, 3), seconds=5, memory=100_000_000)
    assert sizes.find("public").unpruned_nodes == 1e300
    assert sizes.find("public").vertices is None
    assert sizes.find("connected").converted_nodes == 490 * 600 + 1
    json.dumps(sizes.to_json(), allow_nan=False)


def test_comparing_can_be_stopped():
    with pytest.raises(Cancelled):
        compare_sizes(load_tree("3K8"), (1, 2), progress=lambda done: done < 1000)


def test_a_member_who_never_acts_changes_nothing():
    tree = with_idle_member()
    alone, pair = compare_sizes(tree, (1,)), compare_sizes(tree, (1, 2))
    assert alone.constructions == pair.constructions
    idle = compare_sizes(tree, (2,))
    assert (idle.infosets, idle.inflated_infosets, idle.find("public").k) == (0, 0, 0)
    observations = tree.n_nodes - tree.n_leaves  # one below each belief that is no leaf
    assert idle.find("connected").vertices == tree.n_nodes + observations
    for observations in ("connected", "public"):
        solution = solve(tree, team=(1, 2), method="lp", observations=observations, inflate=True)
        assert solution.value == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("inflate", [False, True])
def test_absent_minded_members_are_refused_by_name(inflate):
    tree = load_tree("tests/cases/R01_absent_minded_driver.efg")
    with pytest.raises(NotTimeableError, match="player 1 is absent-minded: infoset 'road'"):
        build_problem(tree, (1,), inflate=inflate)
    with pytest.raises(NotTimeableError, match="player 1 is absent-minded: infoset 'road'"):
        compare_sizes(tree, (1,))


def test_infosets_in_a_circle_are_named():
    tree = next(
        tree
        for tree in (random_game(seed, size=20, clock=False) for seed in range(200))
        if not properties.timeable(tree, (1, 2)) and not properties.timeable(tree, (1, 2, 3))
    )
    with pytest.raises(NotTimeableError, match="not timeable: infoset"):
        compare_sizes(tree, (1, 2))


def test_members_who_forget_are_split_where_their_own_plan_tells():
    tree = load_tree("tests/cases/R02_forgets_own_move.efg")
    sizes = compare_sizes(tree, (1,))
    assert (sizes.infosets, sizes.inflated_infosets) == (2, 3)
    inflated = build_problem(tree, (1,), observations="public", inflate=True)
    np.testing.assert_array_equal(np.sort(inflated.decision_infoset), [0, 1, 1])  # numbers of the tree


def test_senseless_observations_are_refused():
    for call in (
        lambda: solve("3K3", team=(1, 2), observations="private"),
        lambda: make_match(load_tree("3K3"), (1, 2), observations=None),
        lambda: build_problem(load_tree("3K3"), (1, 2), observations=True),
    ):
        with pytest.raises(MaxminError, match="observations must be connected or public, not"):
            call()


def test_senseless_sides_are_refused():
    for side in ((), (4,), (1, 2, 3)):
        with pytest.raises(UnknownNameError):
            compare_sizes(load_tree("3K3"), side)


def test_senseless_limits_are_refused():
    tree = load_tree("3K3")
    for limit in ({"memory": -1}, {"memory": True}, {"seconds": float("nan")}, {"seconds": 0}):
        with pytest.raises(MaxminError, match=f"{next(iter(limit))} must be"):
            compare_sizes(tree, (1, 2), **limit)
    with pytest.raises(MaxminError, match="memory must be"):
        build_problem(tree, (1, 2), memory=-5)


def test_public_states_too_large_for_memory_are_refused_with_figures():
    with pytest.raises(SizeError, match=r"\(k = 80\); the limit is 200 MB"):
        build_problem(load_tree("couriers(towns=20)"), (1, 2, 3), observations="public", memory=200_000_000)
