"""`TreeBuilder` and `GameTree`: what they hold, and every refusal."""

import dataclasses
import math
from fractions import Fraction

import numpy as np
import pytest
from reference.random_games import random_game, rebuild

from maxmin.build import build_tree
from maxmin.errors import GameError
from maxmin.games.kuhn_poker import KuhnPoker
from maxmin.tree import GameTree
from maxmin.tree_builder import TreeBuilder


def new_builder() -> TreeBuilder:
    return TreeBuilder("tiny", ["Ann", "Bob"])


def signal() -> TreeBuilder:
    """A coin that Ann sees; Bob sees what Ann does. Built in preorder."""
    builder = new_builder()
    coin = builder.chance(-1, -1, [("heads", Fraction(1, 3)), ("tails", Fraction(2, 3))])
    for side in (0, 1):
        ann = builder.decision(coin, side, 1, ("heads", "tails")[side], ["stay", "go"])
        builder.leaf(ann, 0, [0, 0])
        bob = builder.decision(ann, 1, 2, "Ann went", ["left", "right"], label="when Ann went")
        for move in (0, 1):
            builder.leaf(bob, move, [1 - 2 * (move == side), Fraction(-1, 2)])
    return builder


@pytest.fixture
def tree() -> GameTree:
    return signal().finish()


def test_nodes_are_breadth_first(tree):
    assert tree.parent.tolist() == [-1, 0, 0, 1, 1, 2, 2, 4, 4, 6, 6]
    assert tree.player.tolist() == [0, 1, 1, -1, 2, -1, 2, -1, -1, -1, -1]
    assert tree.infoset.tolist() == [-1, 0, 1, -1, 2, -1, 2, -1, -1, -1, -1]
    assert tree.action.tolist() == [-1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1]
    assert tree.n_children.tolist() == [2, 2, 2, 0, 2, 0, 2, 0, 0, 0, 0]
    assert tree.leaves.tolist() == [3, 5, 7, 8, 9, 10]
    assert tree.levels.tolist() == [0, 1, 3, 7, 11]


def test_children_are_neighbours_in_action_order(tree):
    for node in range(tree.n_nodes):
        for move in range(tree.n_children[node]):
            child = tree.first_child[node] + move
            assert (tree.parent[child], tree.action[child]) == (node, move)


def test_infosets_have_words(tree):
    assert tree.infoset_labels == ("heads", "tails", "when Ann went")
    assert tree.infoset_player.tolist() == [1, 1, 2]
    assert tree.infoset_actions == (("stay", "go"), ("stay", "go"), ("left", "right"))
    assert tree.infoset_n_actions.tolist() == [2, 2, 2]


def test_equal_keys_of_two_players_are_two_infosets():
    builder = new_builder()
    ann = builder.decision(-1, -1, 1, "same", ["on"])
    bob = builder.decision(ann, 0, 2, "same", ["l", "r"])
    builder.leaf(bob, 0, [0, 0])
    builder.leaf(bob, 1, [0, 0])
    tree = builder.finish()
    assert tree.infoset_player.tolist() == [1, 2]
    assert tree.infoset_actions == (("on",), ("l", "r"))


def test_counts_and_repr(tree):
    assert (tree.n_nodes, tree.n_leaves, tree.n_players, tree.n_infosets) == (11, 6, 2, 3)
    assert repr(tree) == "GameTree('tiny', players=2, nodes=11, leaves=6, infosets=3)"


def test_numbers_stay_exact(tree):
    assert tree.exact
    at_last_leaf = [tree.numbers[number] for number in tree.payoff_number[5]]
    assert at_last_leaf == [-1, Fraction(-1, 2)]
    assert all(isinstance(number, Fraction) for number in tree.numbers)
    assert tree.numbers[tree.probability_number[2]] == Fraction(2, 3)
    assert tree.payoffs[5].tolist() == [-1.0, -0.5]


def test_equal_numbers_are_kept_once():
    builder = new_builder()
    ann = builder.decision(-1, -1, 1, "a", ["l", "r"])
    builder.leaf(ann, 0, [2, 2.0])
    builder.leaf(ann, 1, [Fraction(2), Fraction(4, 2)])
    tree = builder.finish()
    assert sorted(tree.numbers) == [1, 2]
    assert tree.exact


def test_a_float_that_is_no_integer_stays_a_float():
    builder = new_builder()
    builder.leaf(-1, -1, [0.1, Fraction(1, 10)])
    tree = builder.finish()
    assert not tree.exact
    assert [type(tree.numbers[number]) for number in tree.payoff_number[0]] == [float, Fraction]


def test_chance_reach(tree):
    np.testing.assert_allclose(tree.chance_reach[[0, 1, 2, 3, 10]], [1, 1 / 3, 2 / 3, 1 / 3, 2 / 3])
    np.testing.assert_allclose(tree.probability[[1, 2, 3, 4]], [1 / 3, 2 / 3, 1, 1])


def test_chance_reach_sums_to_one_over_a_deal():
    tree = build_tree(KuhnPoker(players=3, ranks=4))
    np.testing.assert_allclose(tree.chance_reach[1 : tree.levels[2]].sum(), 1)


def test_histories_in_words(tree):
    assert tree.history(0) == ()
    assert tree.history(10) == ("tails", "go", "right")
    assert tree.where(0) == "after nothing"
    assert tree.where(8) == "after heads / go / right"


def test_nothing_can_be_changed(tree):
    with pytest.raises(dataclasses.FrozenInstanceError):
        tree.name = "other"
    for array in (tree.parent, tree.payoffs, tree.probability, tree.chance_reach):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7


def test_a_leaf_alone_is_a_game():
    builder = new_builder()
    assert builder.leaf(-1, -1, [4, -4]) == 0
    tree = builder.finish()
    assert (tree.n_nodes, tree.n_leaves, tree.n_infosets) == (1, 1, 0)
    assert tree.levels.tolist() == [0, 1]
    assert tree.chance_reach.tolist() == [1.0]
    assert tree.history(0) == ()


def test_preorder_and_breadth_first_give_the_same_tree():
    for seed in range(20):
        tree = random_game(seed)  # built breadth first
        again = in_preorder(tree)
        for name in (
            "parent",
            "player",
            "infoset",
            "action",
            "first_child",
            "leaves",
            "payoffs",
            "probability",
        ):
            np.testing.assert_array_equal(getattr(again, name), getattr(tree, name), err_msg=f"{seed} {name}")
        assert again.infoset_labels == tree.infoset_labels
        assert all(again.history(node) == tree.history(node) for node in range(tree.n_nodes))


def in_preorder(tree: GameTree) -> GameTree:
    builder = TreeBuilder(tree.name, tree.player_names)
    leaves = tree.leaves.tolist()

    def copy(node: int, parent: int, action: int) -> None:
        children = range(tree.first_child[node], tree.first_child[node] + tree.n_children[node])
        moves = [tree.labels[tree.label[child]] for child in children]
        infoset = int(tree.infoset[node])
        if not moves:
            row = tree.payoff_number[leaves.index(node)]
            builder.leaf(parent, action, [tree.numbers[number] for number in row])
            return
        if infoset < 0:
            odds = [tree.numbers[tree.probability_number[child]] for child in children]
            new = builder.chance(parent, action, list(zip(moves, odds, strict=True)))
        else:
            label = tree.infoset_labels[infoset]
            new = builder.decision(parent, action, int(tree.player[node]), infoset, moves, label)
        for move, child in enumerate(children):
            copy(child, new, move)

    copy(0, -1, -1)
    return builder.finish()


def test_a_copy_is_equal():
    tree = random_game(7)
    again = rebuild(tree)
    np.testing.assert_array_equal(again.parent, tree.parent)
    np.testing.assert_array_equal(again.infoset, tree.infoset)
    np.testing.assert_array_equal(again.payoffs, tree.payoffs)
    assert again.infoset_labels == tree.infoset_labels


def test_a_long_path_needs_no_recursion():
    builder = new_builder()
    node = builder.decision(-1, -1, 1, 0, ["on"])
    for step in range(1, 5000):
        node = builder.decision(node, 0, 1 + step % 2, step, ["on"])
    builder.leaf(node, 0, [1, -1])
    tree = builder.finish()
    assert len(tree.levels) == 5002
    assert tree.history(5000) == ("on",) * 5000


def test_contents_are_numbered_once():
    """A reader that meets the same content again only needs its number."""
    builder = new_builder()
    content = builder.decision_content(1, "a", ["l", "r"])
    assert builder.decision_content(1, "a", ["l", "r"]) == content
    won, lost = builder.leaf_content([1, -1]), builder.leaf_content([-1, 1])
    assert builder.leaf_content([1.0, -1.0]) == won != lost
    coin = builder.chance_content([("h", Fraction(1, 2)), ("t", Fraction(1, 2))], where="here")
    root = builder.add(-1, -1, coin)
    for side in (0, 1):
        node = builder.add(root, side, content)
        builder.add(node, 0, won)
        builder.add(node, 1, lost)
    tree = builder.finish()
    assert tree.payoffs.tolist() == [[1, -1], [-1, 1], [1, -1], [-1, 1]]
    assert tree.infoset.tolist()[:3] == [-1, 0, 0]


# Refusals: each message says where and what.


def after_heads() -> tuple[TreeBuilder, int]:
    builder = new_builder()
    return builder, builder.chance(-1, -1, [("heads", Fraction(1, 2)), ("tails", Fraction(1, 2))])


def refused(message: str):
    """Expect a `GameError` with exactly this message."""
    return pytest.raises(GameError, match=f"^{message}$")


@pytest.mark.parametrize("player", [0, 3, -1])
def test_unknown_players_are_refused(player):
    builder, root = after_heads()
    with refused(f"tiny, after heads: player {player} of 2"):
        builder.decision(root, 0, player, "a", ["l", "r"])


def test_no_actions_are_refused():
    builder, root = after_heads()
    with refused("tiny, after heads: player 1 has no action, but the game is not over"):
        builder.decision(root, 0, 1, "a", [])


def test_an_infoset_with_other_actions_elsewhere_is_refused():
    builder, root = after_heads()
    builder.decision(root, 0, 1, "a", ["l", "r"])
    with refused(
        r"tiny, after tails: infoset 'a' of player 1 has actions \['l'\] here and \['l', 'r'\] elsewhere"
    ):
        builder.decision(root, 1, 1, "a", ["l"])


def test_a_refused_decision_leaves_no_trace():
    builder, root = after_heads()
    with pytest.raises(GameError):
        builder.decision(root, 0, 3, "a", ["l", "r"])
    ann = builder.decision(root, 0, 1, "a", ["only"])
    builder.leaf(ann, 0, [0, 0])
    builder.leaf(root, 1, [0, 0])
    assert builder.finish().n_nodes == 4


@pytest.mark.parametrize("payoffs", [[], [1], [1, 2, 3]])
def test_a_wrong_number_of_payoffs_is_refused(payoffs):
    builder, root = after_heads()
    with refused(f"tiny, after heads: {len(payoffs)} payoffs for 2 players"):
        builder.leaf(root, 0, payoffs)


@pytest.mark.parametrize(
    ("payoff", "complaint"),
    [
        (math.nan, "nan is not a finite number"),
        (math.inf, "inf is not a finite number"),
        ("much", "'much' is not a number"),
        (None, "None is not a number"),
        (10**400, "an integer of 1,329 bits is not a number"),
    ],
)
def test_payoffs_that_are_no_finite_numbers_are_refused(payoff, complaint):
    builder = new_builder()
    with refused(f"tiny, after nothing: a payoff: {complaint}"):
        builder.leaf(-1, -1, [0, payoff])


def test_negative_probabilities_are_refused():
    with refused("tiny, after nothing: a chance outcome has a negative probability"):
        new_builder().chance(-1, -1, [("h", Fraction(3, 2)), ("t", Fraction(-1, 2))])


def test_a_chance_move_without_outcomes_is_refused():
    builder, root = after_heads()
    with refused("tiny, after heads: a chance move without outcomes"):
        builder.chance(root, 0, [])


def test_probabilities_that_miss_one_are_refused():
    with refused("tiny, after nothing: chance probabilities sum to 0.999, not 1"):
        new_builder().chance(-1, -1, [("h", Fraction(1, 2)), ("t", Fraction(499, 1000))])


def test_probabilities_that_are_no_numbers_are_refused():
    with pytest.raises(GameError, match="nan is not a finite number"):
        new_builder().chance(-1, -1, [("h", math.nan), ("t", 0.5)])


def test_rounded_probabilities_are_scaled_with_a_warning():
    builder = new_builder()
    third = Fraction(3333333, 10**7)
    with pytest.warns(UserWarning, match=r"tiny, after nothing: chance .* sum to 0.9999999; scaled to 1"):
        root = builder.chance(-1, -1, [("a", third), ("b", third), ("c", third)])
    for move in range(3):
        builder.leaf(root, move, [0, 0])
    assert builder.finish().probability.tolist() == [1, 1 / 3, 1 / 3, 1 / 3]


def test_floats_that_round_are_scaled_in_silence():
    builder = new_builder()
    root = builder.chance(-1, -1, [(str(index), 0.1) for index in range(10)])
    for move in range(10):
        builder.leaf(root, move, [0, 0])
    assert builder.finish().chance_reach[1:].sum() == pytest.approx(1, abs=1e-15)


def test_no_nodes_are_refused():
    with refused("tiny: the game has no nodes"):
        new_builder().finish()


def test_a_missing_child_is_refused():
    builder, root = after_heads()
    builder.leaf(root, 0, [0, 0])
    with refused("tiny, after nothing: 1 children for 2 moves"):
        builder.finish()


def test_a_missing_grandchild_is_named_by_its_history():
    builder, root = after_heads()
    builder.leaf(root, 0, [0, 0])
    ann = builder.decision(root, 1, 1, "a", ["l", "r"])
    builder.leaf(ann, 1, [0, 0])
    with refused("tiny, after tails: 1 children for 2 moves"):
        builder.finish()


def test_children_out_of_order_are_refused():
    builder, root = after_heads()
    builder.leaf(root, 1, [0, 0])
    builder.leaf(root, 0, [0, 0])
    with refused("tiny: the nodes are not in preorder or breadth first"):
        builder.finish()


def test_the_same_child_twice_is_refused():
    builder, root = after_heads()
    builder.leaf(root, 0, [0, 0])
    builder.leaf(root, 0, [0, 0])
    with refused("tiny: the nodes are not in preorder or breadth first"):
        builder.finish()


def test_two_roots_are_refused():
    builder = new_builder()
    builder.leaf(-1, -1, [0, 0])
    builder.leaf(-1, -1, [0, 0])
    with refused("tiny: the game has more than one root"):
        builder.finish()


def test_cousins_out_of_order_are_refused():
    builder, root = after_heads()
    first = builder.decision(root, 0, 1, "a", ["on"])
    second = builder.decision(root, 1, 1, "a", ["on"])
    builder.leaf(second, 0, [0, 0])
    builder.leaf(first, 0, [0, 0])
    with refused("tiny: the nodes are not in preorder or breadth first"):
        builder.finish()


def test_an_infoset_has_no_more_actions_than_plans_can_hold():
    builder = TreeBuilder("wide", ("one",))
    with pytest.raises(GameError, match="40,000 actions in one infoset; at most 32,767"):
        builder.decision(-1, -1, 1, "wide", [str(action) for action in range(40_000)])
