"""`maxmin info --compare`, `info` of sides that are not timeable, and `solve --observations --inflate`."""

import pytest
from reference.random_games import random_game

from maxmin import properties
from maxmin.side_sizes import compare_sizes
from maxmin.solve import choice, list_match
from maxmin.sources import load_tree, save_tree


def test_info_sets_constructions_side_by_side(answer, invoke):
    facts = answer("info", "couriers(towns=3,gate=unseen)", "--team", "1,2,3", "--compare")
    tree = load_tree("couriers(towns=3,gate=unseen)")
    assert facts["constructions"]["team"] == compare_sizes(tree, (1, 2, 3)).to_json()
    assert facts["constructions"]["opponent"]["side"] == [4]
    printed = invoke("info", "couriers(towns=3,gate=unseen)", "--team", "1,2,3", "--compare").stdout
    assert "public, inflated" in printed
    assert "2,070" in printed  # edges of the DAG of public states
    assert "not counted" not in printed


def test_info_says_what_was_not_counted(invoke):
    assert "not counted" in invoke("info", "couriers(towns=30)", "--team", "1,2,3", "--compare").stdout


def test_info_and_auto_agree_on_what_is_listed(invoke, monkeypatch):
    """Of 4K9 {1,2} it said column generation where `solve` takes double oracle."""
    monkeypatch.setattr(list_match, "MANY_PRESCRIPTIONS", 100)
    printed = invoke("info", "3K4", "--team", "1,2").stdout
    assert "Not needed for {1,2}: maxmin solve lists its plans, by column generation." in printed
    monkeypatch.setattr(choice, "MOST_ANSWERS", 10)
    printed = invoke("info", "3K4", "--team", "1,2").stdout
    assert "Not needed for {1,2}: maxmin solve lists the plans of both sides, by double oracle." in printed


def test_info_estimates_what_takes_long_to_count(answer, monkeypatch):
    """Of 4K12 it went on for minutes."""
    monkeypatch.setattr("maxmin.cli.info._MOST_SECONDS", 0.05)
    monkeypatch.setattr("maxmin.size_estimate.PRESCRIPTIONS_PER_SECOND", 1e9)
    sizes = answer("info", "3K8", "--team", "1,2")["sizes"]
    assert not sizes["team"]["counted"]
    assert sizes["opponent"]["counted"]


def test_comparing_needs_a_team(invoke):
    result = invoke("info", "3K3", "--compare")
    assert result.exit_code == 2
    assert "--team" in result.stderr


@pytest.fixture
def in_a_circle(tmp_path):
    """A game for three, whose team {1,2} is not timeable, though nobody is absent-minded."""
    tree = next(
        tree
        for tree in (random_game(seed, size=12, memory="forgets", clock=False) for seed in range(200))
        if not properties.timeable(tree, (1, 2)) and not properties.absent_minded(tree)
    )
    save_tree(tree, tmp_path / "circle.efg")
    return tmp_path / "circle.efg"


def test_info_of_a_side_that_is_not_timeable_shows_the_rest(answer, invoke, in_a_circle):
    facts = answer("info", in_a_circle, "--team", "1,2", "--compare")
    ours, theirs = facts["sizes"]["team"], facts["sizes"]["opponent"]
    assert (ours["timeable"], ours["counted"], theirs["timeable"], theirs["counted"]) == (
        False,
        False,
        True,
        True,
    )
    assert "not timeable: infoset" in ours["reason"]
    assert theirs["k"] >= 0
    assert facts["constructions"]["team"] is None
    printed = invoke("info", in_a_circle, "--team", "1,2", "--compare").stdout
    assert "No belief DAG of {1,2}" in printed
    assert "constructions for {3}" in printed


def test_info_of_an_absent_minded_side_names_the_player(invoke):
    result = invoke("info", "absent_minded_driver", "--team", "1")
    assert result.exit_code == 0
    assert "No belief DAG of {1}" in result.stdout
    assert "player 1 is absent-minded" in result.stdout


def test_solve_takes_any_construction(answer):
    values = [
        answer("solve", "3K3", "--team", "1,2", "--method", "lp", *options)["value"]
        for options in (
            (),
            ("--observations", "public"),
            ("--inflate",),
            ("--observations", "public", "--inflate"),
        )
    ]
    assert values == pytest.approx([values[0]] * 4, abs=1e-9)


def test_solve_refuses_other_observations(invoke):
    result = invoke("solve", "3K3", "--observations", "private")
    assert result.exit_code == 2
    assert "neither connected nor public" in result.stderr
