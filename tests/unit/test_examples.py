"""The example scripts run, and what they print is right."""

import re
import runpy
from pathlib import Path

import pytest

from maxmin.solve import MINIMIZERS

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def output(capsys):
    """Run an example as a script; return what it prints."""

    def output(name: str) -> str:
        runpy.run_path(str(EXAMPLES / name), run_name="__main__")
        return str(capsys.readouterr().out)

    return output


def test_all_examples_are_tested():
    assert {path.name for path in EXAMPLES.glob("*.py")} == {
        "team_game.py",
        "own_game.py",
        "compare_methods.py",
        "train_in_jax.py",
        "train_with_stable_baselines.py",
    }


def test_team_game_prints_the_published_value_and_one_move_for_each_infoset(output):
    printed = output("team_game.py")
    lower, upper = map(float, re.search(r"gets (\S+) to (\S+) a hand", printed).groups())
    assert lower - 5e-5 <= -1 / 24 <= upper + 5e-5  # four digits are printed
    assert "check of every claim: ok" in printed
    situations = re.findall(r"player \d, who knows .*(?=:)", printed)
    assert len(set(situations)) == len(situations) >= 8


def test_own_game_prints_the_proved_values(output):
    caught = re.findall(r"(\d) doors: caught with probability (\S+)", output("own_game.py"))
    assert len(caught) == 4
    for doors, probability in caught:
        assert float(probability) == pytest.approx(2 / int(doors), abs=1e-4)


def test_compare_methods_prints_a_line_for_each(output):
    methods = re.findall(r"^  (\S+) +\d+ iterations", output("compare_methods.py"), re.MULTILINE)
    assert sorted(methods) == sorted(MINIMIZERS)


def test_train_in_jax_comes_close_to_the_greedy_player(output):
    shots = dict(re.findall(r"^(\w+) +(\S+) shots$", output("train_in_jax.py"), re.MULTILINE))
    assert shots.keys() == {"learned", "greedy", "random"}
    assert float(shots["greedy"]) <= float(shots["learned"]) < 8 < float(shots["random"])


def test_train_with_stable_baselines_beats_random_shots(output):
    pytest.importorskip("sb3_contrib")  # brings PyTorch, too heavy for the tests; run by hand
    shots = dict(
        re.findall(r"^(\S.*\S) +(\S+) shots$", output("train_with_stable_baselines.py"), re.MULTILINE)
    )
    assert float(shots["maskable PPO"]) < float(shots["random"]) - 5
