"""`maxmin battleship posterior`, `evaluate` and `play`."""

import json
import signal
import subprocess
import sys
import time

import pytest

from maxmin.battleship import Board

SMALL = ("--board", "3x4", "--patterns", "L,2")


def test_posterior_of_the_worked_example(answer, invoke, tmp_path):
    arguments = ("battleship", "posterior", "--hits", "D4", "--misses", "d3, b4 G5")
    found = answer(*arguments)
    assert (found["best"], found["count"], found["exact"]) == ("E4", 1095, True)
    assert found["misses"] == ["B4", "D3", "G5"]
    assert len(found["probability"]) == len(found["standard_error"]) == 49
    shown = invoke(*arguments, "--heat", tmp_path / "map.png")
    assert "E4, 0.5589" in shown.stdout
    assert "D 12 14  o  X 42 30  7" in shown.stdout
    assert "saved in" in shown.stderr
    assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")


def test_posterior_from_samples(answer, invoke):
    fleet = ("--board", "10x10", "--patterns", "5,4,3,3,2", "--touching", "all", "--hits", "E5")
    found = answer("battleship", "posterior", *fleet, "--work", 0, "--samples", 2000)
    assert not found["exact"]
    assert 0 < max(found["standard_error"]) < 0.05
    shown = invoke("battleship", "posterior", *fleet, "--work", 0, "--samples", 2000).stdout
    assert "ways left  about" in shown
    assert "standard errors up to" in shown


def test_posterior_where_all_is_known(answer):
    found = answer(
        "battleship", "posterior", "--board", "1x2", "--patterns", "1", "--hits", "A1", "--misses", "A2"
    )
    assert (found["best"], found["count"]) == (None, 1)


def test_evaluate_side_by_side(answer, invoke):
    found = answer("battleship", "evaluate", "greedy", "random", *SMALL, "--seed", 1)
    assert found["board"] == str(Board(3, 4, ["L", "2"]))
    greedy, random = found["strategies"]
    assert (greedy["exact"], random["exact"]) == (True, False)
    assert greedy["standard_error"] == 0 < random["standard_error"]
    assert greedy["mean_shots"] < random["mean_shots"]
    assert sum(greedy["success_rate"]) == pytest.approx(6)
    assert len(greedy["distribution"]) == 12
    shown = invoke("battleship", "evaluate", "greedy", "paper(hits=any)", *SMALL)
    assert "exact" in shown.stdout
    assert "paper(hits=any)" in shown.stdout


def test_evaluate_stops_in_time(invoke):
    result = invoke("battleship", "evaluate", "random", "--games", 10**7, "--seconds", 0.3, "--json")
    assert result.exit_code == 0
    [found] = json.loads(result.stdout)["strategies"]
    assert found["stopped_by"] == "seconds"
    assert 0 < found["games"] < 10**7
    assert "stopped by the time limit" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["posterior", "--board", "7"], "is not a size"),
        (["posterior", "--board", "7x-7"], "is not a size"),
        (["posterior", "--samples", "1"], "'--samples'"),
        (["posterior", "--work", "-1"], "'--work'"),
        (["evaluate"], "Missing argument 'STRATEGY...'"),
        (["evaluate", "greedy", "--games", "0"], "'--games'"),
        (["evaluate", "greedy", "--seed", "-1"], "'--seed'"),
        (["evaluate", "greedy", "--seed", "x"], "'--seed'"),
        (["evaluate", "greedy", "--jobs", "0"], "0 processes do no work"),
        (["evaluate", "greedy", "--seconds", "0"], "is not a time limit"),
        (["sink"], "No such command 'sink'"),
    ],
)
def test_wrong_usage(invoke, arguments, message):
    result = invoke("battleship", *arguments)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["posterior", "--board", "0x7"], "rows must be a whole number from 1 up"),
        (["posterior", "--board", "1x1"], "the pattern L does not fit"),
        (["posterior", "--board", "99x99"], "more than 1024 cells"),
        (["posterior", "--patterns", "8"], "the pattern 8 does not fit"),
        (["posterior", "--patterns", ""], "there is no pattern ''"),
        (["posterior", "--patterns", "L,,L"], "there is no pattern ''"),
        (
            ["posterior", "--board", "3x3", "--patterns", "3,3,3", "--touching", "none"],
            "do not fit onto the board together",
        ),
        (["posterior", "--touching", "edges"], "touching must be one of"),
        (["posterior", "--placement", "fair"], "placement must be one of"),
        (["posterior", "--hits", "H1"], "'H1' is no cell of this board; its cells are A1 to G7"),
        (["posterior", "--hits", "A1", "--misses", "A1"], "both hit and missed"),
        (["posterior", "--hits", "A1,A7,G7"], "these contradict each other: A1 hit, A7 hit, G7 hit"),
        (["posterior", "--heat", "no/such/folder.png"], "there is no folder"),
        (["evaluate", "gready"], "did you mean greedy"),
        (["evaluate", "greedy(tie=x)"], "tie must be one of"),
        (["evaluate", "missing.npz"], "there is no such file"),
        (["play", "--beside", "gready"], "did you mean greedy"),
    ],
)
def test_what_cannot_be_done(invoke, arguments, message):
    result = invoke("battleship", *arguments, "--quiet")
    assert result.exit_code == 1
    assert message in result.stderr
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1


def test_a_game_to_the_end(invoke):
    cells = "\n".join(Board(3, 4, ["L", "2"]).cell_name(cell) for cell in range(12))
    result = invoke("battleship", "play", *SMALL, "--seed", 1, "--beside", "greedy", stdin=cells)
    assert result.exit_code == 0
    assert "All is uncovered, in" in result.stdout
    assert "greedy uncovers this board in" in result.stdout


def test_a_game_with_hints_and_slips(invoke):
    stdin = "?\nhint\na1\nA1\nZ9\n\nq\n"
    result = invoke("battleship", "play", *SMALL, "--seed", 1, stdin=stdin)
    assert result.exit_code == 0
    for text in ("Likeliest: ", "A1 has been shot at before", "'Z9' is no cell of this board", "Type a cell"):
        assert text in result.stdout
    assert "Stopped after 1 shots. It was (# not found):" in result.stdout


def test_a_game_goes_on_where_there_is_no_hint(invoke):
    large = ("--board", "10x10", "--patterns", "5,4,3,3,2", "--placement", "sequential")
    result = invoke("battleship", "play", *large, "--seed", 1, stdin="hint\nA1\nq\n")
    assert result.exit_code == 0
    assert "there is no hint: " in result.stdout
    assert "Stopped after 1 shots" in result.stdout


def test_a_game_ends_with_its_input_and_in_json(invoke):
    result = invoke("battleship", "play", *SMALL, "--seed", 1, "--json", stdin="A1\nhint\n")
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {
        "board": str(Board(3, 4, ["L", "2"])),
        "shots": 1,
        "finished": False,
        "hints": 1,
    }


def test_ctrl_c_ends_a_game_without_a_traceback(tmp_path):
    command = [sys.executable, "-m", "maxmin", "battleship", "play", "--seed", "1"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path
    ) as game:
        assert game.stdout is not None
        game.stdout.read(10)  # the game has begun
        time.sleep(0.2)
        game.send_signal(signal.SIGINT)
        _, errors = game.communicate(timeout=60)
    assert game.returncode == 130
    assert b"Traceback" not in errors
