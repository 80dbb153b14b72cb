"""`maxmin solve`: what is printed, what is saved, and that nothing is lost when it ends early."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import maxmin

FIELDS = [
    *("game", "team", "method", "value", "lower", "upper", "gap", "relative_gap", "iterations", "seconds"),
    *("build_seconds", "converged", "stopped_by", "exact", "sizes", "trace", "version", "seed", "reason"),
]


def test_json_has_the_fields_of_the_contract_in_order(answer):
    found = answer("solve", "3K4", "--team", "2,1", "--gap", "1e-4")
    assert list(found) == FIELDS
    assert found["game"] == "kuhn_poker(players=3,ranks=4)"
    assert found["team"] == [1, 2]
    assert found["lower"] <= -1 / 24 <= found["upper"]
    assert found["relative_gap"] <= 1e-4
    assert found["converged"] is True
    assert found["stopped_by"] == "gap"
    assert found["sizes"]["leaves"] == 312
    assert found["version"] == maxmin.__version__


def test_json_is_all_that_a_user_sees_on_stdout(run):
    result = run("solve", "3K4", "--team", "1,2", "--json", "--save", "a.npz")
    assert result.returncode == 0
    assert result.stdout.count("\n") == 1
    assert list(json.loads(result.stdout)) == FIELDS
    assert "saved in a.npz" in result.stderr


def test_quiet_leaves_stderr_empty(run):
    result = run("solve", "3K4", "--team", "1,2", "--quiet", "--save", "a.npz")
    assert result.returncode == 0
    assert result.stderr == ""


def test_the_report_says_what_people_need(run):
    result = run("solve", "3L133", "--team", "1,2", "--gap", "1e-3")
    assert result.returncode == 0
    words = result.stdout
    assert words.startswith("leduc_poker(players=3,bets=1,ranks=3,suits=3): the team {1,2} against {3}\n")
    for part in ("value", "bounds", "gap / 2", "stopped by", "time", "prescriptions", "knows", "--all"):
        assert part in words
    assert len(words.splitlines()) < 60


def test_default_team_is_player_1_and_the_default_gap_one_in_a_thousand(answer):
    found = answer("solve", "kuhn_poker")
    assert found["team"] == [1]
    assert 0 <= found["relative_gap"] <= 1e-3
    assert found["lower"] <= -1 / 18 <= found["upper"]


def test_iterations_and_method_are_obeyed(answer):
    found = answer("solve", "3K4", "--team", "1,2", "--gap", "0", "--iterations", "7", "--method", "cfr+")
    assert found["iterations"] == 7
    assert found["method"] == "cfr+"
    assert found["stopped_by"] == "iterations"
    assert found["converged"] is False


def test_the_linear_program_agrees_with_regret_minimization(answer):
    program = answer("solve", "3K4", "--team", "1,2", "--method", "lp")
    regret = answer("solve", "3K4", "--team", "1,2", "--method", "pcfr+", "--gap", "1e-4")
    assert program["gap"] < 1e-8
    assert regret["lower"] - 1e-9 <= program["value"] <= regret["upper"] + 1e-9


def test_a_game_for_one_player_is_solved_against_nobody(run, tmp_path: Path):
    (tmp_path / "alone.efg").write_text(
        'EFG 2 R "alone" { "a" }\np "" 1 1 "s" { "x" "y" } 0\nt "" 1 "" { 1 }\nt "" 2 "" { 3 }\n'
    )
    result = run("solve", "alone.efg", "--save", "alone.npz")
    assert result.returncode == 0
    assert result.stdout.startswith("alone: the team {1} against nobody\n  value       3\n")
    assert run("verify", "alone.npz").returncode == 0
    assert "You get +3" in run("play", "alone.npz", "--seat", "1", "--hands", "1", stdin="y\n").stdout


def test_a_saved_solution_is_the_one_that_was_printed(answer, tmp_path: Path):
    found = answer("solve", "3K4", "--team", "1,2", "--save", tmp_path / "a.npz")
    assert maxmin.load_solution(tmp_path / "a.npz").to_json() == found


@pytest.mark.parametrize("target", ["", "nowhere/a.npz"])
def test_a_target_that_cannot_be_written_is_refused_before_solving(invoke, tmp_path: Path, target):
    result = invoke("solve", "3K4", "--team", "1,2", "--save", tmp_path / target)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"error: cannot write {tmp_path}")
    assert result.stdout == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_does_not_lose_the_answer(run):
    result = run("solve", "3K4", "--team", "1,2", "--save", "/dev/full", "--json", "--quiet")
    assert result.returncode == 1
    assert result.stderr == "error: cannot write /dev/full: No space left on device\n"
    assert list(json.loads(result.stdout)) == FIELDS


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_stdout_is_an_error(tmp_path: Path):
    command = [sys.executable, "-m", "maxmin", "games"]
    with open("/dev/full", "w") as full:
        result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert result.returncode == 1
    assert result.stderr == "error: No space left on device\n"


def test_a_closed_pipe_is_not_worth_a_word():
    command = f"{sys.executable} -m maxmin games | true"
    result = subprocess.run(command, shell=True, stderr=subprocess.PIPE, text=True, check=False)
    assert result.stderr == ""


def test_a_solve_goes_on_from_a_checkpoint(answer, tmp_path: Path):
    state = tmp_path / "state.npz"
    settings = ("solve", "3K4", "--team", "1,2", "--method", "cfr+")
    whole = answer(*settings, "--gap", "1e-4")
    first = answer(*settings, "--gap", "1e-2", "--checkpoint", state)
    resumed = answer(*settings, "--gap", "1e-4", "--checkpoint", state)
    assert first["iterations"] < resumed["iterations"]
    for field in ("iterations", "value", "lower", "upper"):
        assert resumed[field] == whole[field]


def _start(*arguments: object, folder: Path) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "maxmin", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder)


def _interrupt(process: "subprocess.Popen[str]", when: str) -> tuple[str, str]:
    """Press Ctrl-C as soon as progress with these words is written; return what is printed from then on."""
    assert process.stderr is not None
    assert any(when in line for line in process.stderr)
    process.send_signal(signal.SIGINT)
    return process.communicate(timeout=60)


def test_ctrl_c_prints_and_saves_the_best_so_far(tmp_path: Path):
    settings = ["solve", "3K6", "--team", "1,2", "--method", "cfr", "--gap", "0", "--json", "--save", "a.npz"]
    process = _start(*settings, folder=tmp_path)
    stdout, stderr = _interrupt(process, "lower")
    assert process.returncode == 130
    found = json.loads(stdout)
    assert found["stopped_by"] == "interrupt"
    assert found["converged"] is False
    assert found["lower"] <= found["upper"]
    assert maxmin.load_solution(tmp_path / "a.npz").to_json() == found
    assert "interrupted: this is the best so far" in stderr
    assert "Traceback" not in stderr


def test_ctrl_c_while_building_ends_in_order(tmp_path: Path):
    process = _start(
        *["solve", "3K12", "--team", "1,2", "--method", "dcfr+", "--memory", "1TB", "--save", "a.npz"],
        folder=tmp_path,
    )
    stdout, stderr = _interrupt(process, "building")
    assert process.returncode == 130
    assert stdout == ""
    assert stderr.splitlines()[-1] == "interrupted"
    assert "Traceback" not in stderr
    assert list(tmp_path.iterdir()) == []
