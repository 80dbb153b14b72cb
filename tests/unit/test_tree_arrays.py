"""Trees as arrays: what is damaged is refused, whatever is damaged."""

import io
import json

import numpy as np
import pytest

from maxmin.build import build_tree
from maxmin.errors import SolutionError
from maxmin.games import make_game
from maxmin.tree_arrays import tree_difference, tree_from_arrays, tree_to_arrays
from maxmin.tree_builder import TreeBuilder


@pytest.fixture(scope="module")
def leduc():
    return build_tree(make_game("leduc_poker(players=2,bets=1,ranks=2,suits=2)"))


def test_file_without_pickle_gives_the_same_tree(leduc, tmp_path):
    np.savez_compressed(tmp_path / "tree.npz", **tree_to_arrays(leduc))
    with np.load(tmp_path / "tree.npz", allow_pickle=False) as file:
        again = tree_from_arrays(file)
    assert tree_difference(leduc, again) == ""
    assert again.numbers == leduc.numbers
    assert again.exact
    assert again.where(again.n_nodes - 1) == leduc.where(leduc.n_nodes - 1)


def test_floats_come_back_to_the_last_bit():
    builder = TreeBuilder("ünïcode", ["one"])
    root = builder.chance(-1, -1, [("l", 0.1), ("r", 0.9)])
    builder.leaf(root, 0, [1 / 3])
    builder.leaf(root, 1, [1e300])
    tree = builder.finish()
    file = io.BytesIO()
    np.savez(file, **tree_to_arrays(tree))
    file.seek(0)
    again = tree_from_arrays(np.load(file, allow_pickle=False))
    assert again.numbers == tree.numbers
    assert [type(number) for number in again.numbers] == [type(number) for number in tree.numbers]
    assert again.name == "ünïcode"


def test_differences_have_names(leduc):
    kuhn = build_tree(make_game("kuhn_poker"))
    assert tree_difference(leduc, kuhn) == "name"
    arrays = tree_to_arrays(kuhn)
    payoffs = arrays["tree_payoff_number"] = arrays["tree_payoff_number"].copy()
    payoffs[[0, 1]] = payoffs[[1, 0]]
    assert not np.array_equal(payoffs[0], payoffs[1])
    assert tree_difference(kuhn, tree_from_arrays(arrays)) == "payoffs"


def set_entry(name, index, value):
    def damage(arrays):
        arrays[f"tree_{name}"][index] = value

    return damage


def set_text(name, change):
    def damage(arrays):
        text = json.loads(str(arrays["tree_text"]))
        text[name] = change(text[name])
        arrays["tree_text"] = np.array(json.dumps(text))

    return damage


def replace(name, change):
    def damage(arrays):
        arrays[f"tree_{name}"] = change(arrays[f"tree_{name}"])

    return damage


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda arrays: arrays.pop("tree_parent"), "no array tree_parent"),
        (lambda arrays: arrays.pop("tree_text"), "no array tree_text"),
        (lambda arrays: arrays.update(tree_text=np.array("{")), "tree_text is not JSON"),
        (lambda arrays: arrays.update(tree_text=np.array("[]")), "names no game"),
        (set_text("name", lambda _: 3), "names no game"),
        (set_text("labels", lambda _: [1]), "labels in tree_text is not a list of strings"),
        (set_text("infoset_actions", lambda _: ["ab"]), "infoset_actions in tree_text"),
        (set_text("numbers", lambda _: None), "numbers in tree_text is not a list"),
        (set_text("numbers", lambda numbers: ["1/0", *numbers[1:]]), "division by zero"),
        (set_text("numbers", lambda numbers: [True, *numbers[1:]]), "True is not a number"),
        (set_text("numbers", lambda numbers: [float("nan"), *numbers[1:]]), "not finite"),
        (set_text("numbers", lambda numbers: numbers[:2]), "outside 0 .. 1"),
        (set_text("infoset_labels", lambda labels: labels[1:]), "differ in number"),
        (set_text("infoset_actions", lambda actions: actions[1:]), "differ in number"),
        (set_text("player_names", lambda names: names[:1]), "outside"),
        (replace("parent", lambda a: a.astype(float)), "tree_parent does not hold whole numbers"),
        (replace("parent", lambda a: a[:-1]), "another length"),
        (replace("parent", lambda a: a.astype(np.int64) + 2**40), "too large"),
        (replace("parent", lambda a: a[:0]), "another length"),
        (set_entry("parent", 0, 0), "not a root"),
        (set_entry("parent", 5, 5), "before its parent"),
        (set_entry("parent", 7, -1), "before its parent"),
        (set_entry("parent", -1, 0), "breadth-first"),
        (set_entry("player", -1, 0), "a leaf has children, or another node has none"),
        (set_entry("player", 1, 2), "an infoset has two players"),
        (set_entry("player", 1, 9), "tree_player holds a number outside -1 .. 2"),
        (set_entry("infoset", 1, -1), "a decision has no infoset"),
        (set_entry("infoset", 0, 0), "a decision has no infoset"),
        (set_entry("infoset", 1, 10**6), "tree_infoset holds a number outside"),
        (set_entry("infoset_player", 0, 0), "tree_infoset_player holds a number outside 1 .. 2"),
        (set_entry("label", 5, -1), "a move has no name"),
        (set_entry("label", -1, 0), "a move has two names"),
        (replace("probability_number", lambda a: a + (np.arange(len(a)) == 1)), "do not sum to 1"),
        (replace("probability_number", lambda a: a + 2 * (np.arange(len(a)) == 9)), "a probability is wrong"),
        (replace("payoff_number", lambda a: a[1:]), "payoffs do not fit the leaves"),
        (replace("payoff_number", lambda a: a.ravel()), "payoffs do not fit the leaves"),
    ],
)
def test_damaged_arrays_are_refused(leduc, damage, message):
    arrays = {name: array.copy() for name, array in tree_to_arrays(leduc).items()}
    tree_from_arrays(arrays)
    damage(arrays)
    with pytest.raises(SolutionError, match=message):
        tree_from_arrays(arrays)
