"""`maxmin games`, `info`, `verify` and `show`."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from maxmin import TreeBuilder, load_solution, make_game, save_tree, verify
from maxmin.games import CATALOGUE


def test_games_lists_the_whole_catalogue(answer, invoke):
    listed = answer("games")["games"]
    assert [family["name"] for family in listed] == list(CATALOGUE)
    table = invoke("games").stdout
    assert all(family["name"] in table and family["description"] in table for family in listed)


def test_examples_of_the_catalogue_can_be_made(answer):
    for family in answer("games")["games"]:
        for example in family["examples"]:
            assert make_game(example).name.partition("(")[0] == family["name"]


@pytest.mark.parametrize("name", ["leduc_poker", "3L133", "leduc_poker(players=3)"])
def test_a_family_is_found_by_any_of_its_names(answer, invoke, name):
    family = answer("games", name)
    assert family["name"] == "leduc_poker"
    assert [parameter["name"] for parameter in family["parameters"]][:4] == [
        "players",
        "bets",
        "ranks",
        "suits",
    ]
    assert "the most bets and raises in a round" in invoke("games", name).stdout


def test_info_counts(answer):
    facts = answer("info", "3L133")
    assert (facts["players"], facts["leaves"], facts["nodes"], facts["infosets"]) == (3, 6477, 12688, 684)
    assert [player["infosets"] for player in facts["of_player"]] == [228, 228, 228]
    assert all(player["perfect_recall"] for player in facts["of_player"])
    assert facts["of_player"][0]["payoff_range"] == [-7, 14]
    assert (facts["timeable"], facts["absent_minded"], facts["constant_sum"]) == (True, False, 0)
    assert facts["exact"] is True
    assert "sizes" not in facts


def test_info_counts_what_a_team_decides(answer):
    sizes = answer("info", "3K4", "--team", "2,1")["sizes"]
    assert sizes["team"]["side"] == [1, 2]
    assert sizes["opponent"]["side"] == [3]
    assert sizes["team"]["counted"] is True
    assert sizes["team"]["k"] == 4
    assert sizes["opponent"]["k"] == 1


def test_info_estimates_what_would_take_long(answer):
    """3K12 has a belief that meets 12 infosets: 2^12 prescriptions and more in each of many beliefs."""
    sizes = answer("info", "3K12", "--team", "1,2")["sizes"]["team"]
    assert sizes["counted"] is False
    assert sizes["k"] == 12
    assert sizes["prescriptions"] > 1e9
    assert "bytes" not in sizes
    assert sizes["bytes_to_solve"] > 1e10


def test_info_of_more_prescriptions_than_a_float_can_say(answer, invoke, tmp_path: Path):
    builder = TreeBuilder("signals", ["told", "mate", "enemy"])
    root = builder.chance(-1, -1, [(str(signal), Fraction(1, 1100)) for signal in range(1100)])
    for signal in range(1100):
        told = builder.decision(root, signal, 1, signal, ["left", "right"])
        for action in range(2):
            mate = builder.decision(told, action, 2, "", ["left", "right"])
            builder.leaf(mate, 0, [0, 0, 0])
            builder.leaf(mate, 1, [1, 0, -1])
    save_tree(builder.finish(), tmp_path / "signals.efg")
    sizes = answer("info", tmp_path / "signals.efg", "--team", "1,2")["sizes"]["team"]
    assert (sizes["counted"], sizes["k"], sizes["prescriptions"] >= 1e299) == (False, 1100, True)
    assert "1e+300" in invoke("info", tmp_path / "signals.efg", "--team", "1,2").stdout


def test_info_speaks_of_forgetful_and_absent_minded_players(answer, invoke):
    assert answer("info", "forgetful_player")["of_player"][0]["perfect_recall"] is False
    assert answer("info", "absent_minded_driver")["absent_minded"] is True
    assert "absent-minded   yes" in invoke("info", "absent_minded_driver").stdout


def test_verify_agrees_with_the_library(answer, invoke, solved: Path):
    found = answer("verify", solved)
    report = verify(solved)
    assert found["ok"] is True
    assert (found["lower"], found["upper"]) == (report.lower, report.upper)
    assert [check["status"] for check in found["checks"]] == [check.status for check in report.checks]
    table = invoke("verify", solved)
    assert table.exit_code == 0
    assert all(check.name in table.stdout for check in report.checks)


def test_verify_fails_a_solution_that_claims_too_much(invoke, tmp_path: Path, solved: Path):
    boasting = _changed(solved, tmp_path / "boasting.npz", '"lower": -0.0', '"lower": -0.00')
    result = invoke("verify", boasting)
    assert result.exit_code == 1
    assert "failed" in result.stdout
    assert "a check failed" in result.stdout
    assert result.stderr.startswith(f"error: {boasting} does not hold what it claims: lower bound, ")


def test_verify_prints_json_also_when_a_check_fails(invoke, tmp_path: Path, solved: Path):
    boasting = _changed(solved, tmp_path / "boasting.npz", '"lower": -0.0', '"lower": -0.00')
    result = invoke("verify", boasting, "--json")
    assert result.exit_code == 1
    assert '"ok": false' in result.stdout


def _changed(path: Path, copy: Path, old: str, new: str) -> Path:
    """Copy a solution and change its header."""
    with np.load(path) as archive:
        arrays = dict(archive)
    header = str(arrays["header"])
    assert old in header
    np.savez(copy, **{**arrays, "header": np.array(header.replace(old, new))})
    return copy


def test_show_tells_every_infoset_that_the_team_reaches(answer, solved: Path):
    shown = answer("show", solved)
    assert shown["side"] == [1, 2]
    solution = load_solution(solved)
    marginals = solution.strategy.marginals()
    assert len(shown["infosets"]) == len(marginals)
    for row, marginal in zip(shown["infosets"], marginals, strict=True):
        assert row["player"] in (1, 2)
        assert row["infoset"] == solution.tree.infoset_labels[marginal.infoset]
        assert sum(row["probabilities"]) == pytest.approx(1)


def test_show_one_player(answer, solved: Path):
    assert {row["player"] for row in answer("show", solved, "--player", "2")["infosets"]} == {2}
    other = answer("show", solved, "--player", "3")
    assert other["side"] == [3]
    assert {row["player"] for row in other["infosets"]} == {3}


def test_show_plans_are_a_distribution_over_whole_plans(answer, solved: Path):
    plans = answer("show", solved, "--plans")["plans"]
    weights = [plan["weight"] for plan in plans]
    assert sum(weights) == pytest.approx(1)
    assert weights == sorted(weights, reverse=True)
    for plan in plans:
        first = [move for move in plan["moves"] if move["player"] == 1 and len(move["infoset"]) == 1]
        assert sorted(move["infoset"] for move in first) == ["1", "2", "3", "4"]
        assert all(move["action"] in ("check", "bet") for move in first)


def test_few_plans_are_sure_of_less_but_all_of_what_was_certified(answer, invoke, solved: Path):
    everything = answer("show", solved, "--plans")
    assert len(everything["plans"]) == everything["of"]
    assert everything["loss"] == pytest.approx(0, abs=1e-7)
    few = answer("show", solved, "--plans", "--most", "2")
    assert len(few["plans"]) == 2
    assert few["of"] == everything["of"]
    assert sum(plan["weight"] for plan in few["plans"]) == pytest.approx(1)
    assert few["guarantee"] < everything["guarantee"]
    assert few["loss"] == pytest.approx(everything["guarantee"] - few["guarantee"], abs=1e-7)
    assert "Playing these 2 plans alone" in invoke("show", solved, "--plans", "--most", "2").stdout


def test_show_at_most_so_many_rows(answer, solved: Path):
    assert len(answer("show", solved, "--most", "4")["infosets"]) == 4
    assert len(answer("show", solved, "--beliefs", "--most", "4")["beliefs"]) == 4


def test_show_beliefs(answer, solved: Path):
    beliefs = answer("show", solved, "--beliefs")["beliefs"]
    assert beliefs[0]["reach"] == pytest.approx(1)
    for belief in beliefs:
        assert sum(one["probability"] for one in belief["prescriptions"]) == pytest.approx(1)


@pytest.mark.parametrize("kind", [[], ["--plans"], ["--beliefs"]])
def test_show_in_words(invoke, solved: Path, kind):
    short, whole = invoke("show", solved, *kind), invoke("show", solved, *kind, "--all")
    assert short.exit_code == whole.exit_code == 0
    assert short.stdout.startswith("kuhn_poker(players=3,ranks=4): how {1,2} plays\n")
    assert "knows" in short.stdout
    assert "check" in short.stdout
    assert len(whole.stdout) >= len(short.stdout)
    assert whole.stderr == ""


def test_show_refuses_a_player_who_is_not_there(invoke, solved: Path):
    result = invoke("show", solved, "--player", "4")
    assert result.exit_code == 1
    assert result.stderr == "error: there is no player 4: kuhn_poker(players=3,ranks=4) has players 1 to 3\n"
