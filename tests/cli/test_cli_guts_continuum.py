"""``maxmin guts`` without a grid, in the limit, and against members who mix on their own."""

import pytest

FIELDS = {"game", "coalition", "against", "grid", "method", "one_shot", "repeated", "strategies"}
FIELDS |= {"gap", "seconds", "sizes", "stopped_by"}


def test_continuous_as_json(answer):
    found = answer("guts", "--continuous", "--coalition", "3", "--quiet")
    assert found.keys() >= FIELDS
    assert found["repeated"]["value"] == pytest.approx(-0.0338324271341, abs=1e-12)
    assert found["one_shot"]["value"] == pytest.approx(-0.0133772373799, abs=1e-12)
    assert found["gap"] == found["repeated"]["upper"] - found["repeated"]["lower"] < 1e-12
    assert [one["thresholds"][0] for one in found["strategies"]["coalition"]][1] == 0


def test_continuous_in_words(invoke):
    result = invoke("guts", "--continuous", "--coalition", "15")
    assert result.exit_code == 0
    assert "guts, 1 against 15, on the continuum" in result.stdout
    assert "-0.119174782" in result.stdout
    assert "0, 0.9713" in result.stdout
    assert "x 14" in result.stdout


def test_limit(answer, invoke):
    assert answer("guts", "--limit").keys() >= FIELDS
    result = invoke("guts", "--limit")
    assert "-0.1565327233" in result.stdout
    assert "1 - 1.138220" in result.stdout


def test_asynchronous_as_json(answer):
    found = answer("guts", "--asynchronous", "--coalition", "2")
    assert found.keys() >= FIELDS | {"synchronous", "nash"}
    assert found["grid"] is None
    assert found["repeated"]["value"] == found["nash"] == 0
    on_grid = answer("guts", "--asynchronous", "--coalition", "2", "--grid", "11", "--seconds", "60")
    assert on_grid["grid"] == 11
    assert on_grid["stopped_by"] == "starts"


def test_asynchronous_in_words(invoke):
    result = invoke("guts", "--asynchronous", "--coalition", "20")
    assert "The first 12 of 20 members; all: --json" in result.stdout
    assert "a theorem" in result.stdout
    assert "of 24 starts ended at the best" in invoke("guts", "--asynchronous", "--grid", "6").stdout


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("--continuous", "--grid", "5"), "'--grid': does not go with --continuous"),
        (("--continuous", "--limit"), "'--limit': does not go with --continuous"),
        (("--limit", "--coalition", "3"), "'--coalition': does not go with --limit"),
        (("--asynchronous", "--reduced"), "'--reduced': does not go with --asynchronous"),
        (("--asynchronous", "--against", "2"), "'--against': does not go with --asynchronous"),
    ],
)
def test_options_that_do_not_go_together(invoke, options, named):
    result = invoke("guts", *options)
    assert result.exit_code == 2
    assert named in result.stderr
    assert not result.stdout


@pytest.mark.parametrize(
    "options",
    [
        ("--continuous", "--coalition", "0"),
        ("--continuous", "--coalition", "1000000"),
        ("--asynchronous", "--coalition", "-1"),
        ("--asynchronous", "--grid", "1"),
        ("--asynchronous", "--grid", "1000000"),
    ],
)
def test_bad_sizes(invoke, options):
    result = invoke("guts", *options)
    assert result.exit_code == 1
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert not result.stdout
