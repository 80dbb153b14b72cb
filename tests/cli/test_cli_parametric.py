"""``maxmin parametric`` and ``maxmin sweep`` as a user types them."""

from fractions import Fraction

import pytest


def test_parametric_as_json(answer):
    found = answer("parametric", "kuhn_cheating", "--over", "p", "--box", "p=0:1/2", "--quiet")
    assert found["proved"] is True
    assert found["box"] == {"p": ["0", "1/2"]}
    assert [patch["region"]["box"]["p"] for patch in found["patches"]] == [["0", "1/3"], ["1/3", "1/2"]]
    assert [patch["formula"] for patch in found["patches"]] == ["7/18*p - 1/18", "2/9*p"]
    sample = found["patches"][1]["sample"]
    assert Fraction(sample["value"]) == Fraction(2, 9) * Fraction(sample["point"]["p"])


def test_parametric_in_words(invoke):
    result = invoke("parametric", "kuhn_cheating", "--over", "p", "--quiet")
    assert result.exit_code == 0
    assert "breakpoints  1/3, 1/2" in result.stdout
    assert "yes: every patch, and that they cover the whole box" in result.stdout
    assert "1/3 <= p <= 1/2" in result.stdout


def test_what_is_only_sampled_is_said(invoke):
    result = invoke("parametric", "kuhn_cheating", "--over", "p", "--seconds", "1e-9", "--quiet")
    assert result.exit_code == 0
    assert "proved for 0% of it, the value is only sampled in 1 cell\n" in result.stdout


def test_sweep(answer, invoke, tmp_path):
    path = tmp_path / "x.csv"
    words = ["sweep", "kuhn_cheating", "--over", "p=0:1:3", "--over", "q=0:1:2", "--jobs", 1]
    found = answer(*words, "--save", path, "--quiet")
    assert found["axes"] == {"p": ["0", "1/2", "1"], "q": ["0", "1"]}
    assert found["values"][2] == pytest.approx([1 / 9, 0], abs=1e-9)
    assert len(path.read_text().splitlines()) == 8
    result = invoke(*words)
    assert "largest  0.111111 at p = " in result.stdout
    assert [line.split() for line in result.stdout.splitlines()[-6:]][:2] == [
        ["0", "0", "-0.0555556"],
        ["0", "1", "-0.111111"],
    ]


def test_long_table_of_a_sweep_is_not_printed(invoke):
    result = invoke("sweep", "kuhn_cheating", "--over", "p=0:1:31", "--jobs", 1)
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == 5


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (("parametric", "kuhn_cheating", "--over", "z"), 1, "has no parameter 'z'"),
        (("parametric", "kuhn_cheating", "--over", "p", "--box", "p=0:1.5"), 1, "p must be a probability"),
        (("parametric", "kuhn_cheating", "--over", "p", "--box", "p=1:0"), 1, "is reversed"),
        (("parametric", "kuhn_cheating", "--over", "p", "--box", "p=1/2:1/2"), 1, "is a single point"),
        (("parametric", "kuhn_cheating", "--over", "p", "--box", "q=0:1"), 1, "does not vary"),
        (("parametric", "kuhn_cheating", "--over", "p", "--box", "p=0:1/0"), 2, "division by zero"),
        (("parametric", "kuhn_cheating", "--over", "p", "--box", "p=abc"), 2, "write p=0:1/2"),
        (("parametric", "kuhn_cheating", "--over", "p,,q"), 2, "is not a list of parameters"),
        (("parametric", "kuhn_cheating(p=1/2)", "--over", "p"), 1, "states p already"),
        (("parametric", "game.efg", "--over", "p"), 1, "only a game of the catalogue"),
        (("sweep", "kuhn_cheating", "--over", "p=0:1.5:3"), 1, "p must be a probability"),
        (("sweep", "kuhn_cheating", "--over", "p=1:0:3"), 2, "is not an axis"),
        (("sweep", "kuhn_cheating", "--over", "p=0:1"), 2, "p=LOW:HIGH:COUNT"),
        (("sweep", "kuhn_cheating", "--over", "p=0:1:3", "--over", "p=0:1:2"), 2, "p is named twice"),
        (("sweep", "kuhn_cheating", "--over", "p=0:1:3", "--save", "x.txt"), 1, ".csv or .parquet"),
        (("sweep", "kuhn_cheating", "--over", "p=0:1:3", "--jobs", "0"), 2, "0 processes"),
    ],
)
def test_bad_input(invoke, tmp_path, monkeypatch, words, status, message):
    monkeypatch.chdir(tmp_path)
    result = invoke(*words, "--json", "--quiet")
    assert result.exit_code == status
    assert message in " ".join(result.stderr.split())
    assert result.stdout == ""
    assert not list(tmp_path.iterdir())
