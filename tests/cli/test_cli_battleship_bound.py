"""``maxmin battleship bound`` and ``maxmin battleship optimum``."""

from pathlib import Path

import pytest
from cli.conftest import invoke

WHERE = ("--board", "4x4")


def test_bound_as_json_states_the_gap(answer):
    found = answer("battleship", "bound", *WHERE, "--against", "rollout(width=1,endgame=0)")
    assert found["optimal"]
    assert found["exact_lower"] == "263/26"
    assert found["strategy"]["exact"]
    assert found["gap"] == pytest.approx(found["strategy"]["mean_shots"] - 263 / 26, abs=1e-12)
    assert found["trace"][-1][1] == found["lower"]


def test_bound_in_words():
    result = invoke("battleship", "bound", *WHERE, "--against", "greedy")
    assert result.exit_code == 0
    for words in (
        "the best strategy takes 10.115385 shots",
        "263/26",
        "greedy takes 10.153846, a gap of 0.0385",
    ):
        assert words in result.stdout


def test_bound_that_could_go_on_says_so(tmp_path):
    path = tmp_path / "bound.npz"
    result = invoke("battleship", "bound", "--seconds", "1e-6", "--checkpoint", path)
    assert result.exit_code == 0
    assert "no strategy takes fewer than 8.000000 shots" in result.stdout
    assert "the time limit" in result.stdout
    assert path.exists()


def test_optimum_is_saved_and_replayed(answer, tmp_path):
    path = tmp_path / "tree.npz"
    found = answer("battleship", "optimum", *WHERE, "--save", path)
    again = answer("battleship", "optimum", "--replay", path)
    assert found == again
    assert found["exact"] == "263/26"
    assert "replayed" in invoke("battleship", "optimum", "--replay", path).stdout


def test_saved_tree_is_evaluated_as_a_strategy(answer, tmp_path):
    path = tmp_path / "tree.npz"
    answer("battleship", "optimum", *WHERE, "--save", path)
    found = answer("battleship", "evaluate", path, "greedy", *WHERE)
    tree, greedy = found["strategies"]
    assert (tree["name"], tree["exact"]) == ("optimal", True)
    assert tree["mean_shots"] == pytest.approx(263 / 26, abs=1e-12)
    assert tree["mean_shots"] < greedy["mean_shots"]
    refused = invoke("battleship", "evaluate", path, "--board", "4x5")
    assert refused.exit_code == 1
    assert "plays its own games only" in refused.stderr
    path.write_bytes(path.read_bytes()[:-200])
    assert invoke("battleship", "evaluate", path, *WHERE).exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (("bound", "--board", "9x9"), 1, "at most 64"),
        (("bound", "--against", "gredy"), 1, "did you mean greedy?"),
        (("bound", "--checkpoint", "nowhere/bound.npz"), 1, "there is no folder"),
        (("optimum", "--replay", "nothing.npz"), 1, "there is no such file"),
        (("optimum", "--seconds", "1e-6"), 130, "before the optimum was found"),
        (("bound", "--seconds", "0"), 2, "not a time limit"),
    ],
)
def test_bad_input_is_one_line(arguments, status, words):
    result = invoke("battleship", *arguments)
    assert result.exit_code == status
    assert words in result.stderr
    assert not result.stdout


def test_damaged_checkpoint_is_kept(tmp_path: Path):
    path = tmp_path / "bound.npz"
    path.write_bytes(b"something else")
    result = invoke("battleship", "bound", *WHERE, "--checkpoint", path)
    assert result.exit_code == 1
    assert "not a maxmin battleship bound" in result.stderr
    assert path.read_bytes() == b"something else"
