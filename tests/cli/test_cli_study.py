"""``maxmin study``: the list, one study with its files, and what goes wrong."""

import csv
from fractions import Fraction

import pytest


def test_list_names_all_studies(answer, invoke):
    from maxmin.studies import STUDIES

    assert [study["name"] for study in answer("study")["studies"]] == list(STUDIES)
    assert all(name in invoke("study").stdout for name in STUDIES)


def test_study_prints_and_saves_the_same_table(answer, tmp_path):
    found = answer("study", "cheating-fair", "--out", tmp_path / "new")
    guarantees = found["tables"][-1]
    assert guarantees["rows"][0] == ["player 1, a = 0", "-1/18", "-1/18", "yes"]
    assert [file.rpartition("-")[0] for file in found["files"]]
    with (tmp_path / "new" / "cheating-fair-guarantees.csv").open() as file:
        rows = list(csv.reader(file))
    assert rows == [guarantees["columns"], *guarantees["rows"]]
    assert Fraction(rows[1][1]) == Fraction(-1, 18)


def test_study_draws(invoke, tmp_path):
    result = invoke("study", "cheating-nonadaptive", "--out", tmp_path)
    assert result.exit_code == 0, result.stderr
    assert "known of" in result.stdout
    assert (tmp_path / "cheating-nonadaptive.png").read_bytes().startswith(b"\x89PNG")
    assert "saved" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("Cheating-Fair",), "there is no study 'Cheating-Fair'; did you mean cheating-fair"),
        (("cheating-fiar",), "there is no study 'cheating-fiar'; did you mean cheating-fair"),
        (("cheating-fair", "--out", "file/below"), "cannot make the folder file/below"),
        (("cheating-fair", "--out", "file"), "cannot make the folder file"),
        (("team-table1", "--games", "3K9", "--out", "."), "the study has no game '3K9'; it has 3K"),
        (("team-table1", "--seconds", "-1"), "seconds must be more than 0, not -1"),
    ],
)
def test_study_says_what_is_wrong(invoke, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("here")
    result = invoke("study", *arguments)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"error: {message}")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]


@pytest.mark.parametrize("option", [("--games", "3K3"), ("--seconds", "1")])
def test_only_long_studies_take_these_options(invoke, option):
    result = invoke("study", "cheating-fair", *option)
    assert result.exit_code == 2
    assert (
        "cheating-fair does not take it; team-table1, team-minimizers, team-sampling, team-price do"
        in " ".join(result.stderr.split())
    )
