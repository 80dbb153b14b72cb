"""``maxmin guts``: facts and strategies in words, JSON, wrong usage."""

import pytest


def test_words(invoke):
    result = invoke("guts", "--coalition", "2", "--grid", "101", "--quiet")
    assert result.exit_code == 0
    assert result.stderr == ""
    words = " ".join(result.stdout.split())
    assert "guts, 1 against 2, on 101 thresholds, any thresholds" in words
    assert "repeated value -0.0131" in words
    assert "one-shot value -0.0055" in words
    assert "outcome entered" in words
    assert "101 of player 1's side, 5,151 of the coalition" in words
    assert "0.67, 0.68" in words
    assert "0, 0.86" in words


def test_words_of_a_bloc(invoke):
    result = invoke("guts", "--coalition", "15", "--reduced", "--quiet")
    words = " ".join(result.stdout.split())
    assert "blocs and pseudo-blocs" in words
    assert "0, 0.97 x 14" in words
    assert "0.94 x 15" in words


def test_json(answer):
    solution = answer("guts", "--coalition", 3, "--grid", 21)
    for name in ("one_shot", "repeated"):
        value = solution[name]
        assert set(value) == {"value", "lower", "upper"}
        assert -1e-12 <= value["upper"] - value["lower"] <= 1e-9
        assert value["lower"] <= value["value"] <= value["upper"]
    assert solution["repeated"]["value"] < solution["one_shot"]["value"] < 0
    assert solution["sizes"] == {"rows": 21, "columns": 1771}
    assert (solution["coalition"], solution["against"], solution["grid"]) == (3, 1, 21)
    assert solution["reduced"] is False
    assert solution["seconds"] > 0
    for name, players in (("player", 1), ("coalition", 3)):
        mixture = solution["strategies"][name]
        assert sum(one["probability"] for one in mixture) == pytest.approx(1)
        assert all(len(one["thresholds"]) == players for one in mixture)
        assert all(0 <= held <= 1 for one in mixture for held in one["thresholds"])


def test_sides_of_several_and_reduced(answer):
    same = answer("guts", "--coalition", 2, "--against", 2, "--grid", 21, "--reduced")
    assert abs(same["repeated"]["value"]) <= 1e-9
    assert same["sizes"] == {"rows": 41, "columns": 41}
    assert same["reduced"] is True


def test_limits(answer):
    stopped = answer("guts", "--coalition", 4, "--grid", 101, "--iterations", 1)
    assert stopped["stopped_by"] == "iterations"
    assert stopped["converged"] is False
    assert stopped["repeated"]["lower"] < stopped["repeated"]["upper"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--coalition", "1.5"], "'--coalition'"),
        (["--coalition", "two"], "'--coalition'"),
        (["--grid", "nan"], "'--grid'"),
        (["--gap", "-1"], "is not a gap"),
        (["--gap", "nan"], "is not a gap"),
        (["--seconds", "0"], "is not a time limit"),
        (["--iterations", "0"], "'--iterations'"),
    ],
)
def test_wrong_usage(invoke, arguments, message):
    result = invoke("guts", *arguments)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--coalition", "0"], "coalition must be a whole number from 1 up"),
        (["--coalition", "-2"], "coalition must be a whole number from 1 up"),
        (["--against", "0"], "against must be a whole number from 1 up"),
        (["--grid", "1"], "grid must be a whole number from 2 up"),
        (["--coalition", "100000", "--grid", "100000"], "use a coarser grid or fewer players"),
        (["--method", "newtown"], "did you mean newton"),
    ],
)
def test_what_cannot_be_done(invoke, arguments, message):
    result = invoke("guts", *arguments, "--quiet")
    assert result.exit_code == 1
    assert message in result.stderr
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""
