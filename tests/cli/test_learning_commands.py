"""``maxmin battleship train``: what it prints, saves and refuses."""

import subprocess
import sys

import pytest

TINY = ("--board", "3x3", "--patterns", "2")
QUICK = ("--steps", "200", "--channels", "4", "--layers", "2")
RUNS = ("--window", "3", "--hidden", "4", "--iterations", "20", "--games", "10")
LEARNERS = ["supervised", "reinforcement", "paper-supervised", "paper-reinforcement"]


@pytest.mark.parametrize("learner", LEARNERS)
def test_help_has_examples_and_fits_80_columns(invoke, learner):
    result = invoke("battleship", "train", learner, "--help")
    assert result.exit_code == 0
    assert f"  maxmin battleship train {learner}" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_what_supervised_learns_is_saved_and_played(answer, invoke, tmp_path):
    path = tmp_path / "policy.npz"
    facts = answer("battleship", "train", "supervised", *TINY, *QUICK, "--save", path)
    assert facts["learner"] == "supervised"
    assert facts["exact"]
    assert facts["mean_shots"] == pytest.approx(min(each["shots"] for each in facts["curve"]))
    measured = answer("battleship", "evaluate", path, *TINY)["strategies"][0]
    assert measured["mean_shots"] == facts["mean_shots"]
    result = invoke("battleship", "evaluate", path)
    assert result.exit_code == 1
    assert "cannot play on board(7x7" in result.stderr


def test_many_runs_of_the_papers_network(answer, invoke, tmp_path):
    path, saved = tmp_path / "runs.npz", tmp_path / "best.npz"
    command = ("battleship", "train", "paper-supervised", *TINY, *RUNS, "--runs", "3", "--checkpoint", path)
    facts = answer(*command, "--save", saved)
    assert (facts["runs"], facts["diverged"], facts["stopped_by"]) == (3, 0, "done")
    assert facts["spread"]["least"] <= facts["mean_shots"] <= facts["spread"]["most"]
    again = answer(*command)
    assert again["mean_shots"] == facts["mean_shots"]
    assert answer("battleship", "evaluate", saved, *TINY)["strategies"][0]["name"] == "paper-supervised"
    printed = invoke(*command).stdout
    assert "3, of which 0 diverged" in printed
    other = invoke(*command, "--seed", "1")
    assert other.exit_code == 1
    assert "use another file, or the same settings" in other.stderr


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["oracle"], 2, "No such command 'oracle'"),
        (["supervised", "--steps", "0"], 2, "'--steps'"),
        (["supervised", "--teacher", "oracle"], 1, "there is no teacher 'oracle'"),
        (["supervised", "--board", "1x1"], 1, "does not fit onto a board of 1 x 1"),
        (["supervised", "--seconds", "0"], 2, "is not a time limit"),
        (["supervised", "--save", "nowhere/policy.npz"], 1, "there is no folder nowhere"),
        (["paper-supervised", "--jobs", "0"], 2, "0 processes do no work"),
        (["paper-supervised", "--runs", "1.5"], 2, "'--runs'"),
        (["paper-supervised", "--rate", "nan"], 1, "learning rate must be a positive number"),
        (["paper-supervised", "--window", "4"], 1, "odd side"),
        (["paper-supervised", "--seed", "-1"], 2, "'--seed'"),
        (["paper-supervised", "--roulette"], 2, "No such option"),
        (["paper-reinforcement", "--discount", "2"], 1, "discount must be a number from 0 to 1"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(invoke, arguments, status, message):
    result = invoke("battleship", "train", *arguments)
    assert result.exit_code == status
    assert message in " ".join(result.stderr.split())
    assert result.stdout == ""


def test_without_the_extra_a_line_says_what_to_install():
    program = "import sys; sys.modules['jax'] = None; from maxmin.cli import main; main()"
    command = [sys.executable, "-c", program, "battleship", "train", "supervised"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert result.stderr == "error: learning needs the package jax: pip install 'maxmin[learn]'\n"
