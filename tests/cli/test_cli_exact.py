"""`maxmin solve --method exact`: fractions on the screen, in JSON, in files; and what is refused."""

from dataclasses import replace

import pytest

import maxmin


def test_value_and_strategy_are_printed_as_fractions(run):
    result = run("solve", "kuhn_poker", "--method", "exact", "--save", "kuhn.npz")
    assert result.returncode == 0
    assert "-1/18 exactly, -0.0555556 rounded" in result.stdout
    assert "exact, 0 pivots after HiGHS" in result.stdout
    assert "fold 2/3, call 1/3" in run("show", "kuhn.npz", "--player", "2").stdout
    verified = run("verify", "kuhn.npz")
    assert verified.returncode == 0
    assert verified.stdout.count("-1/18, exactly the claimed value") == 2


def test_json_has_value_and_strategies_as_fractions(answer):
    found = answer("solve", "3K4", "--team", "1,2", "--method", "exact")
    assert found["exact"]["value"] == "-1/24"
    assert found["exact"]["team"]["team"] == [1, 2]
    assert all("/" in plan["weight"] or plan["weight"] == "1" for plan in found["exact"]["team"]["plans"])
    assert found["exact"]["opponent"]["player"] == 3
    assert (found["gap"], found["stopped_by"], found["iterations"]) == (0, "optimal", 0)


def test_matrix_games_and_decimals(tmp_path, answer):
    path = tmp_path / "game.nfg"
    path.write_text('NFG 1 R "m" { "a" "b" } { 2 2 }\n\n0.1 -0.1 -1 1 -1 1 1/3 -1/3\n')
    for options in ((), ("--rationalize",)):
        found = answer("solve", path, "--method", "exact", *options)
        assert found["exact"]["value"] == "-29/73"


@pytest.mark.parametrize("option", [("--method", "exakt"), ("--method", "exact", "--seconds", "1e-9")])
def test_what_cannot_be_done_is_one_line(run, option):
    result = run("solve", "kuhn_poker", "--quiet", *option)
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("game", ["kuhn_poker", "3K3"])
def test_a_file_whose_exact_answer_does_not_fit_is_one_line(tmp_path, run, game):
    path = tmp_path / "odd.npz"
    solution = maxmin.solve(game, team=(1, 2) if game == "3K3" else (1,), method="exact")
    nothing = {"plans": [{"weight": 1, "plan": {}}]} if game == "3K3" else {"behavior": {}}
    team = {key: value for key, value in solution.exact["team"].items() if key in ("player", "team")}
    replace(solution, exact={**solution.exact, "team": {**team, **nothing}}).save(path)
    result = run("show", path)
    assert result.returncode == 1
    assert "Traceback" not in result.stderr
    verified = run("verify", path)
    assert verified.returncode == 1
    assert "failed" in verified.stdout
