"""``maxmin recursive``: what it prints for people and for programs, and how it refuses."""

import json

import pytest

DOUBLE = {"payoffs": [["1/4"], [-0.5]], "multipliers": [[0], [2]], "rows": ["take", "double"], "t1": 1}


@pytest.fixture
def game(tmp_path):
    """Write a game into a file; return its path."""

    def write(file):
        path = tmp_path / "game.json"
        path.write_text(json.dumps(file))
        return path

    return write


def test_json_of_one_state(answer, game):
    found = answer("recursive", game(DOUBLE))
    assert found["outcome"] == "entered"
    assert found["repeated"]["value"] == pytest.approx(0.25, abs=1e-9)
    assert found["repeated"]["lower"] <= 0.25 <= found["repeated"]["upper"]
    assert found["one_shot"]["rows"] == found["repeated"]["rows"] == ["take"]
    assert found["states"] == [{key: found[key] for key in ("name", "outcome", "one_shot", "repeated")}]
    assert (found["method"], found["stopped_by"], found["converged"]) == ("newton", "gap", True)
    assert (found["t1"], found["t2"], found["fixed_points"]) == (1, None, None)


def test_json_of_a_scan(answer, game):
    points = answer("recursive", game(DOUBLE), "--scan", "-1,2")["fixed_points"]["points"]
    assert [(point["kind"], point["certain"]) for point in points] == [
        ("attracting", True),
        ("repelling", True),
    ]


def test_json_of_what_diverges(answer, game):
    found = answer("recursive", game({"payoffs": [[1]], "multipliers": [[2]], "t1": 0.5}))
    assert (found["outcome"], found["repeated"]["value"], found["repeated"]["upper"]) == (
        "diverges",
        None,
        None,
    )


def test_table(invoke, game):
    result = invoke(
        "recursive", game(DOUBLE), "--scan", "0,1", "--method", "value_iteration", "--iterations", 100
    )
    assert result.exit_code == 0, result.stderr
    assert "state 1: entered" in result.stdout
    assert "repeated  0.25, between 0.25" in result.stdout
    assert "take: 100" in result.stdout
    assert "fixed points between 0 and 1: 2" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--gap", "-1"], "is not a gap"),
        (["--gap", "nan"], "is not a gap"),
        (["--seconds", "0"], "is not a time limit"),
        (["--iterations", "0"], "'--iterations'"),
        (["--scan", "1"], "is not an interval"),
        (["--scan", "1,0"], "the first is not less than the second"),
        (["--scan", "0,nan"], "bad number nan"),
        (["--scan", "0,1,2"], "is not an interval"),
    ],
)
def test_wrong_usage(invoke, game, arguments, message):
    result = invoke("recursive", game(DOUBLE), *arguments)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("file", "arguments", "message"),
    [
        (DOUBLE, ["--method", "neton"], "did you mean newton"),
        ({"payoffs": [[1]]}, [], "multipliers is missing"),
        ({"states": [{"name": "a", "payoffs": [[1]], "multipliers": {}}] * 2}, [], "given to 2 states"),
        (
            {"states": [{"name": name, "payoffs": [[1]], "multipliers": {}} for name in "ab"]},
            ["--scan", "0,1"],
            "this one has 2",
        ),
    ],
)
def test_what_cannot_be_done(invoke, game, file, arguments, message):
    result = invoke("recursive", game(file), *arguments, "--quiet")
    assert result.exit_code == 1
    assert result.stderr.startswith("error: ")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
