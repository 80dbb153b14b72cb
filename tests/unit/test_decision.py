"""Decision problems: estimates, memory limits, branching, payoffs between two problems, clear refusals."""

import dataclasses

import numpy as np
import pytest
from reference.random_games import random_game

from maxmin.decision import build_problem, check_side, payoff_matrix
from maxmin.errors import Cancelled, NotTimeableError, SizeError, UnknownNameError
from maxmin.limits import default_memory
from maxmin.size_estimate import estimate
from maxmin.sources import load_tree
from maxmin.tree_builder import TreeBuilder


@pytest.mark.parametrize("ranks", [3, 4, 5, 6, 8, 12])
def test_estimate_of_kuhn_poker_by_hand(ranks):
    """Public states of the team {1, 2} of three-player Kuhn poker, with c check, b bet.

    Player 1 first: 2^r. After c player 2: 2^r, times the sets of cards with which player 1 may have checked.
    After ccb player 1: with each card two actions or not met, 3^r, times 2^r. Elsewhere one member has finished,
    so that the other knows its own card j, and only the partner's r - 1 cards are still open, each in or out:
    after b, player 2; after cbf and cbc, player 1; after ccbf and ccbc, player 2.
    """
    open_cards = 2 ** (ranks - 1)
    known = ranks * open_cards * (2 + 2 * 3 + 2 * 3)
    expected = 2**ranks + 4**ranks + 6**ranks + known
    found = estimate(load_tree(f"3K{ranks}"), (1, 2))
    assert found.prescriptions == expected
    assert found.most_infosets == ranks


@pytest.mark.parametrize(
    ("game", "team"),
    [
        ("3K4", (1, 2)),
        ("3K6", (1, 2)),
        ("4K5", (1, 2)),
        ("4K5", (3, 4)),
        ("4K5", (1, 2, 3)),
        ("3L133", (1, 2)),
        ("3L223", (1, 2)),
        ("3D2", (1, 2)),
        ("3D3", (1, 2)),
        ("3D3", (3,)),
        ("leduc_poker(players=2)", (1,)),
    ],
)
@pytest.mark.parametrize("reduce_branching", [True, False])
def test_estimates_are_right_within_a_factor_of_two(game, team, reduce_branching):
    tree = load_tree(game)
    found = estimate(tree, team, reduce_branching=reduce_branching)
    problem = build_problem(tree, team, reduce_branching=reduce_branching)
    assert problem.n_prescriptions / 2 <= found.prescriptions <= 2 * problem.n_prescriptions
    assert problem.most_infosets == found.most_infosets
    assert problem.public_states == found.public_states


def test_memory_limits_are_sharp():
    """The least limit that is enough is found by halving; below it there is a refusal, never a wrong problem."""
    tree = load_tree("3K4")
    full = build_problem(tree, (1, 2))
    low, high = 1, default_memory()
    while high - low > 1000:
        middle = (low + high) // 2
        try:
            problem = build_problem(tree, (1, 2), memory=middle)
        except SizeError:
            low = middle
        else:
            assert (problem.n_beliefs, problem.n_edges) == (full.n_beliefs, full.n_edges)
            high = middle
    needed = (
        full.belief_start.nbytes
        + full.child_start.nbytes
        + full.children.nbytes
        + 3 * 8 * full.n_prescriptions
    )
    assert needed <= high <= 10 * needed


def test_refusals_have_figures_and_a_remedy():
    with pytest.raises(SizeError) as error:
        build_problem(load_tree("3K6"), (1, 2), memory=1_000_000)
    for part in (
        "1,2 in kuhn_poker(players=3,ranks=6)",
        "5.35e+04 prescriptions",
        "k = 6",
        "counted",
        "Raise",
    ):
        assert part in str(error.value)


def test_building_can_be_stopped():
    with pytest.raises(Cancelled):
        build_problem(load_tree("4K5"), (1, 2, 3), progress=lambda prescriptions: False)


def test_chains_have_two_options_each():
    tree = load_tree("3D3")
    chained = build_problem(tree, (1, 2))
    whole = build_problem(tree, (1, 2), reduce_branching=False)
    own = np.isin(tree.infoset_player, (1, 2))
    assert tree.infoset_n_actions[own].max() > 2
    assert (whole.decision_options == tree.infoset_n_actions[whole.decision_infoset]).all()
    assert (chained.decision_options == np.minimum(tree.infoset_n_actions[chained.decision_infoset], 2)).all()
    links = np.bincount(chained.decision_infoset, minlength=tree.n_infosets)[own]
    np.testing.assert_array_equal(links, np.maximum(tree.infoset_n_actions[own] - 1, 1))
    assert chained.n_prescriptions < whole.n_prescriptions


def test_a_player_has_no_chains():
    tree = load_tree("3D3")
    assert dataclasses.asdict(estimate(tree, (3,))) == dataclasses.asdict(
        estimate(tree, (3,), reduce_branching=False)
    )


@pytest.mark.parametrize("seed", range(12))
def test_payoff_matrix_sums_over_classes(seed):
    tree = random_game(seed, size=20)
    rows, columns = build_problem(tree, (1, 2)), build_problem(tree, (3,))
    weight = np.random.default_rng(seed).integers(-3, 4, tree.n_leaves).astype(float)
    dense = np.zeros((rows.n_leaf_classes, columns.n_leaf_classes))
    np.add.at(dense, (rows.leaf_class, columns.leaf_class), weight)
    for matrix, expected in zip(payoff_matrix(rows, columns, weight), (dense, dense.T), strict=True):
        found = np.zeros_like(expected)
        found[np.repeat(np.arange(len(found)), np.diff(matrix.start)), matrix.column] = matrix.value
        np.testing.assert_array_equal(found, expected)
        assert (matrix.value != 0).all()


def test_sizes_are_plain_numbers():
    sizes = build_problem(load_tree("3K3"), (1, 2)).sizes()
    assert all(type(size) in (int, float) for size in sizes.values())
    assert sizes["k"] == 3
    assert sizes["plain_edges"] >= sizes["edges"] >= sizes["prescriptions"] > sizes["beliefs"]
    assert sizes["converted_game_paths"] >= sizes["leaf_classes"]


def test_sides_are_sorted_sets():
    tree = load_tree("3K3")
    assert check_side(tree, [2, 1]) == check_side(tree, {1, 2}) == (1, 2)
    assert check_side(tree, np.array([3])) == (3,)
    assert all(type(player) is int for player in check_side(tree, np.array([3, 1])))


@pytest.mark.parametrize(
    "side", [(), (0,), (4,), (1, 2, 3), ("1",), (1.0,), 3, None, "12", b"\1", (True,), (1, 1)]
)
def test_sides_that_are_none_are_refused(side):
    with pytest.raises(UnknownNameError):
        check_side(load_tree("3K3"), side)


@pytest.mark.parametrize("side", [np.array([1, 2]), {2: 0, 1: 0}.keys(), iter((1, 2))])
def test_any_list_of_players_makes_a_problem(side):
    assert build_problem(load_tree("3K3"), side).side == (1, 2)


def crossing():
    """Chance decides who moves first; the second mover does not know that it is second."""
    builder = TreeBuilder("crossing", ("a", "b", "c"))
    root = builder.chance(-1, -1, [("heads", 1 / 2), ("tails", 1 / 2)])
    for action, order in enumerate([(1, 2), (2, 1)]):
        first = builder.decision(root, action, order[0], "in the dark", "lr")
        for move in range(2):
            second = builder.decision(first, move, order[1], "in the dark", "lr")
            for last in range(2):
                builder.leaf(second, last, [move - last, 0, last - move])
    return builder.finish()


def test_sides_that_are_not_timeable_are_refused_alone_they_are_fine():
    tree = crossing()
    for build in (build_problem, estimate):
        with pytest.raises(NotTimeableError, match="in the dark"):
            build(tree, (1, 2))
        for side in ((1,), (2,), (1, 3)):
            build(tree, side)
