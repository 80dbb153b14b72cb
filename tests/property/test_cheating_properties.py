"""Kuhn poker with cheating at random probabilities and readings: exact, float and a second program agree."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.cheating import value as reference_value

from maxmin import load_tree, solve
from maxmin.exact import solve_exact
from maxmin.properties import perfect_recall
from maxmin.studies.kuhn_hands import name_of

PROBABILITIES = st.fractions(min_value=0, max_value=1, max_denominator=12)
ODDS = st.fixed_dictionaries(dict.fromkeys("pqrs", PROBABILITIES))
READINGS = st.fixed_dictionaries(
    {
        "know": st.sampled_from(["before_hit", "before_full", "after"]),
        "amount": st.sampled_from(["matched", "pot", "ante"]),
    }
)
OTHER_READINGS = st.fixed_dictionaries(
    {
        "draw": st.sampled_from(["both_caught", "both_cheat"]),
        "fold": st.sampled_from(["wins", "loses"]),
        "announce": st.sampled_from(["true", "false"]),
    }
)


@settings(max_examples=12)
@given(odds=ODDS, reading=READINGS)
def test_exact_and_float_values_are_those_of_the_second_program(odds, reading):
    tree = load_tree(name_of(**odds, **reading))
    expected = reference_value(odds, **reading)
    assert solve_exact(tree).value == expected
    assert solve(tree, method="lp", gap=1e-12).value == pytest.approx(float(expected), abs=1e-9)


@settings(max_examples=12)
@given(odds=ODDS, reading=READINGS, other=OTHER_READINGS)
def test_every_reading_is_a_game_of_perfect_recall_that_starts_fair(odds, reading, other):
    tree = load_tree(name_of(**odds, **reading, **other))
    assert perfect_recall(tree)
    honest = load_tree(name_of(**(odds | {"p": 0, "q": 0}), **reading, **other))
    assert solve_exact(honest).value == Fraction(-1, 18)
    unchecked = load_tree(name_of(**(odds | {"r": 0, "s": 0}), **reading, **other))
    assert solve_exact(unchecked).value == reference_value({"p": odds["p"], "q": odds["q"]})


@settings(max_examples=12)
@given(odds=ODDS, reading=READINGS, other=OTHER_READINGS)
def test_who_may_choose_to_cheat_is_no_worse_off_than_honest(odds, reading, other):
    options = {"q": odds["q"], "r": odds["r"], "s": odds["s"]} | reading | other
    choice, honest = (solve_exact(load_tree(name_of(p=p, **options))).value for p in ("choice", 0))
    assert choice >= honest
