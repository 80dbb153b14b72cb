"""JSON files of recursive games: what they say is what is read, and each mistake is named with its field."""

import json
from pathlib import Path

import pytest

from maxmin.errors import FileError, FormatError, SizeError
from maxmin.recursive import solve_recursive
from maxmin.recursive.game_files import read_recursive

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def read(tmp_path):
    def read(text):
        path = tmp_path / "game.json"
        path.write_text(text if isinstance(text, str) else json.dumps(text))
        return read_recursive(path)

    return read


def test_one_state(read):
    game = read(
        '{"payoffs": [["1/3", -0.5]], "multipliers": [[2, 0]], "columns": ["l", "r"], "t1": "1/2", "t2": 3}'
    )
    assert (game.names, game.t1, game.t2) == (("1",), 0.5, 3)
    (state,) = game.states
    assert state.payoffs([0], ["r", "l"]).tolist() == [[-0.5, 1 / 3]]
    assert state.multipliers([0], ["l"]).tolist() == [[[2]]]


def test_several_states(read):
    game = read(
        {
            "states": [
                {"name": "a", "payoffs": [[1]], "multipliers": {"b": [["1/4"]]}},
                {"name": "b", "payoffs": [[0], [2]], "multipliers": {"a": [[1], [0]], "b": [[0], [0.5]]}},
            ],
            "t1": None,
        }
    )
    assert game.names == ("a", "b")
    assert game.states[0].multipliers([0], [0]).ravel().tolist() == [0, 0.25]
    assert game.states[1].multipliers([0, 1], [0])[..., 0].tolist() == [[1, 0], [0, 0.5]]


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("recursive/*.json")), ids=lambda path: path.stem)
def test_examples_are_solved(path):
    expected = {
        "shapley": {"1": (17**0.5 - 3) / 2},
        "everett": {"1": 1.0},
        "several-fixed-points": {"1": 0.25},
        "two-states": {"calm": 4 / 7, "storm": 1 / 7},  # all mix evenly: c = (1 + s) / 2, s = c / 4
    }[path.stem]
    solution = solve_recursive(read_recursive(path))
    assert {
        state.name: pytest.approx(state.repeated.value, abs=1e-6) for state in solution.states
    } == expected


GOOD = {"payoffs": [[1, 2]], "multipliers": [[0, 1]], "t1": 1}
TWO = {"name": "a", "payoffs": [[1]], "multipliers": {}}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("{", "game.json:1:2: not JSON"),
        ('{"payoffs": [[1]],}', "game.json:1:19: not JSON"),
        ("[" * 100_000, "nested too deeply|not JSON"),
        ("[]", "must hold an object"),
        ("{}", "payoffs is missing"),
        ({"payoffs": [[1]]}, "multipliers is missing"),
        ({"multipliers": [[1]]}, "payoffs is missing"),
        ({**GOOD, "payof": 1}, "payof: there is no such field; did you mean payoffs"),
        ({**GOOD, "payoffs": 3}, "payoffs must be a matrix"),
        ({**GOOD, "payoffs": []}, "payoffs must be a matrix"),
        ({**GOOD, "payoffs": [[]]}, "payoffs must be a matrix"),
        ({**GOOD, "payoffs": [1, 2]}, "payoffs must be a matrix"),
        ({**GOOD, "payoffs": [[1, 2], [3]]}, r"payoffs\[1\] has 1 numbers, payoffs\[0\] has 2"),
        ({**GOOD, "payoffs": [[1, "x"]]}, r"payoffs\[0\]\[1\]: bad number x"),
        ({**GOOD, "payoffs": [[1, "1/0"]]}, "division by zero"),
        ({**GOOD, "payoffs": [[1, True]]}, r"payoffs\[0\]\[1\] must be a number"),
        ({**GOOD, "payoffs": [[1, None]]}, r"payoffs\[0\]\[1\] must be a number"),
        ('{"payoffs": [[NaN]], "multipliers": [[0]]}', r"payoffs\[0\]\[0\]: bad number NaN"),
        ('{"payoffs": [[0]], "multipliers": [[Infinity]]}', r"multipliers\[0\]\[0\]: bad number Infinity"),
        ('{"payoffs": [[1e999]], "multipliers": [[0]]}', r"payoffs\[0\]\[0\]: number 1e999 is outside"),
        ('{"payoffs": [[0]], "payoffs": [[0]]}', "'payoffs' is given twice"),
        ({**GOOD, "multipliers": [[0]]}, "multipliers is 1 x 1, payoffs are 1 x 2"),
        ({**GOOD, "multipliers": [[0, -0.5]]}, r"multipliers\[0\]\[1\] must be at least 0, not -0.5"),
        ({**GOOD, "multipliers": {"2": [[0, 1]]}}, "multipliers: there is no state '2'"),
        ({**GOOD, "rows": ["a", "b"]}, "rows: 1 are needed"),
        ({**GOOD, "columns": ["a", "a"]}, "columns: 2 are needed, all different"),
        ({**GOOD, "columns": [1, 2]}, "columns must be a list of names"),
        ({**GOOD, "t1": "one"}, "t1: bad number one"),
        ({**GOOD, "t1": [1]}, "t1 must be a number"),
        ({**GOOD, "t1": -3, "t2": 1}, "both would rather leave"),
        ({"payoffs": [[1]], "multipliers": [[0]], "t2": 1}, "t1 is missing"),
        ({"payoffs": [[1]], "multipliers": [[1]]}, "Give the fees"),
        ({"states": []}, "states must be a list of objects"),
        ({"states": [3]}, r"states\[0\] must be an object"),
        ({"states": [{"payoffs": [[1]]}]}, r"states\[0\].name is missing"),
        ({"states": [{**TWO, "name": 7}]}, r"states\[0\].name must be text, not 7"),
        ({"states": [TWO, TWO]}, "the name 'a' is given to 2 states"),
        ({"states": [{**TWO, "t1": 1}]}, r"states\[0\].t1: there is no such field"),
        (
            {"states": [TWO, {**TWO, "name": "b", "multipliers": [[1]]}]},
            r"states\[1\].multipliers must be an object",
        ),
        ({"states": [TWO, {**TWO, "name": "b", "multipliers": {"c": [[1]]}}]}, "there is no state 'c'"),
        (
            {"states": [TWO, {**TWO, "name": "b", "multipliers": {"a": [[-1]]}}]},
            r"states\[1\].multipliers\['a'\]\[0\]\[0\] must be at least 0",
        ),
        ({**GOOD, "states": []}, "payoffs: there is no such field"),
    ],
)
def test_mistakes(read, text, message):
    with pytest.raises(FormatError, match=message) as error:
        read(text)
    assert "game.json" in str(error.value)
    assert "\n" not in str(error.value)


def test_missing_file(tmp_path):
    with pytest.raises(FileError, match="there is no such file"):
        read_recursive(tmp_path / "none.json")


def test_too_many_states_for_the_memory(read, monkeypatch):
    monkeypatch.setattr("maxmin.matrix.payoffs.default_memory", lambda: 1000)
    states = [{"name": str(number), "payoffs": [[1]], "multipliers": {}} for number in range(6)]
    with pytest.raises(SizeError, match="6 x 6 would need"):
        read({"states": states, "t1": 1})
