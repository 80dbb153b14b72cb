"""Every input file gives the structure and the value that `expected.json` states, or is refused in words."""

import json
import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from maxmin.errors import FormatError, GameError
from maxmin.properties import absent_minded, constant_sum, perfect_recall
from maxmin.solve import solve
from maxmin.sources import load_tree

FOLDER = Path(__file__).parent
EXPECTED = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
GOOD = sorted(name for name in EXPECTED if ".bad." not in name)
TREES = sorted(name for name in GOOD if "infosets" in EXPECTED[name])
VALUED = sorted(
    name
    for name in TREES
    if EXPECTED[name].get("value_player1") is not None and not EXPECTED[name]["absent_minded"]
)

REFUSALS = {
    "F12_ragged_set.bad.efg": ":7:1: infoset 1 of player 2 was given with 2 actions on line 4, here with 1",
    "F13_outcome_restated_differently.bad.efg": ":5:6: outcome 1 was given as { 1, -1 } on line 4, "
    "here as { 2, -2 }",
    "F15_nodes_after_the_tree.bad.efg": ":4:1: the tree is complete, but there are nodes after it",
    "F20_chance_short.bad.efg": ":3:1: chance probabilities sum to 0.99999, not 1",
    "F23_player_out_of_range.bad.efg": ":3:6: player 3 of 2",
    "F24_payoff_nan.bad.efg": ":4:13: bad number nan",
    "F26_long.bad.nfg": ":3:21: 9 numbers where 8 belong: 4 profiles, 2 payoffs each",
}


def load(name):
    """Read a case; only F21, whose probabilities are rounded, may warn."""
    with warnings.catch_warnings():
        if name.startswith("F21"):
            warnings.simplefilter("ignore")
        return load_tree(FOLDER / name)


def test_every_file_has_an_answer():
    files = {path.name for path in FOLDER.iterdir() if path.suffix in (".efg", ".nfg")}
    assert files == set(EXPECTED)
    assert set(REFUSALS) == set(EXPECTED) - set(GOOD)


@pytest.mark.parametrize("name", TREES)
def test_structure(name):
    expected = EXPECTED[name]
    tree = load(name)
    assert tree.exact
    assert tree.n_infosets == expected["infosets"]
    assert np.count_nonzero(tree.chance_reach[tree.leaves]) == expected["leaves_reached"]
    assert bool(perfect_recall(tree)) == expected["perfect_recall"]
    assert bool(absent_minded(tree)) == expected["absent_minded"]
    total = constant_sum(tree)
    if expected["constant_sum"] is None:
        assert total is None
    else:
        assert total == Fraction(expected["constant_sum"])


@pytest.mark.parametrize("name", sorted(REFUSALS))
def test_refusal_names_the_place_and_the_reason(name):
    with pytest.raises(FormatError) as refused:
        load(name)
    assert str(refused.value) == f"{FOLDER / name}{REFUSALS[name]}"


def test_rounded_probabilities_are_scaled_with_a_warning():
    with pytest.warns(UserWarning, match=r"F21_chance_rounded.efg:3:1: .* sum to 1.00000002; scaled to 1"):
        tree = load_tree(FOLDER / "F21_chance_rounded.efg")
    assert {tree.numbers[number] for number in tree.probability_number[1:]} == {Fraction(1, 6)}


def test_numbers_are_exact():
    tree = load("F19_number_forms.efg")
    payoffs = [[str(tree.numbers[number]) for number in row] for row in tree.payoff_number]
    assert payoffs == [["1", "-1"], ["1000", "-1000"], ["10000000000/3", "-10000000000/3"], ["1/2", "-1/2"]]
    odds = [str(tree.numbers[number]) for number in tree.probability_number[1:]]
    assert odds == ["1/3", "1/4", "1/4", "1/6"]


def test_payoffs_add_up_along_the_path():
    tree = load("F06_payoff_on_the_way.efg")
    assert tree.payoffs.tolist() == [[-1, 1], [-3, 3], [-1, 1], [1, -1]]


def test_doubled_labels_are_both_played():
    assert load("F10_double_action_label.efg").infoset_actions == (("go", "go (2)"),)


def test_one_by_one():
    tree = load("D04_one_by_one.nfg")
    assert tree.infoset_actions == (("1",), ("1",))
    assert tree.payoffs.tolist() == [[0, 0]]


@pytest.mark.parametrize("name", VALUED)
def test_value(name):
    tree = load(name)
    solution = solve(tree, gap=1e-9)
    scale = max(1.0, float(np.abs(tree.payoffs).max()))
    assert solution.lower <= solution.upper
    assert solution.value == pytest.approx(EXPECTED[name]["value_player1"], abs=1e-6 * scale)


def test_an_absent_minded_player_is_refused_by_name():
    with pytest.raises(GameError, match="absent-minded: infoset 'road' of player 1"):
        solve(load("R01_absent_minded_driver.efg"))


def test_one_by_one_is_solved():
    assert solve(load("D04_one_by_one.nfg"), gap=1e-9).value == 0
