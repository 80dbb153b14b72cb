"""The studies of team games: values that are known, the rule of the scores, and runs that are killed and go on."""

import json
import os
import signal
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from maxmin.cli.app import app
from maxmin.errors import FileError, MaxminError, UnknownNameError
from maxmin.journal import Journal
from maxmin.studies import find_study, team_minimizers, team_table1
from maxmin.studies.long_run import LongRun
from maxmin.studies.team_games import GAMES, PUBLISHED, TEACHING, members, partitions


def test_partitions():
    assert partitions("3K3") == ("1,2", "1,3", "2,3")
    assert partitions("4K5") == ("1,2,3", "1,2,4", "1,3,4", "2,3,4", "1,2", "1,3", "1,4")
    for game in (*GAMES, TEACHING):
        players = set(range(1, int(game[0]) + 1))
        sides = [frozenset(members(team)) for team in partitions(game)]
        assert len(sides) == 2 ** (len(players) - 1) - 1
        assert len({frozenset((side, frozenset(players - side))) for side in sides}) == len(sides)
    assert all(team in partitions(game) for game, team in PUBLISHED)


@pytest.fixture(scope="module")
def table1():
    return find_study("team-table1").find(LongRun(games=("3D2", "3K3", "3K4")))


def test_values_are_the_known_ones(table1):
    values = table1.table("values")
    assert values.column("game") == tuple(game for game in ("3K3", "3K4", "3D2") for _ in range(3))
    known = (0, 0, 0, -1 / 24, 0.026515152, 0.037878788, 0.25, 0.25, 0)
    for value, lower, upper, right in zip(
        *map(values.column, ("value", "lower", "upper")), known, strict=True
    ):
        assert value == pytest.approx(right, abs=1e-8)
        assert lower - 1e-9 <= right <= upper + 1e-8
        assert upper - lower < 1e-8
    assert set(values.column("methods that agree")) == {len(team_table1.METHODS)}
    assert set(values.column("verify")) == {"ok"}


def test_sizes_are_the_known_ones(table1):
    sizes = table1.table("sizes")
    assert sizes.column("leaves") == (78,) * 3 + (312,) * 3 + (504,) * 3
    assert sizes.column("k, team") == (3, 3, 3, 4, 4, 4, 2, 2, 2)
    rows = dict(zip(zip(*map(sizes.column, ("game", "team")), strict=True), sizes.rows, strict=True))
    at = sizes.columns.index("vertices, team")
    assert rows["3K3", "1,2"][at : at + 2] == (490, 921)  # counted by hand from the paper's construction
    assert rows["3K4", "1,2"][at : at + 2] == (2507, 8126)


def test_table1_draws(table1, tmp_path):
    find_study("team-table1").draw(table1).savefig(tmp_path / "figure.png")
    assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")


def test_contradicting_methods_are_an_error():
    first, second, *others = team_table1.METHODS
    row = {first: {"lower": 0.1, "upper": 0.2}, second: {"lower": 0.15, "upper": 0.3}}
    row |= {method: {"status": "> 1"} for method in others}
    assert team_table1.bounds(row) == (0.15, 0.2)
    with pytest.raises(MaxminError, match="methods contradict each other"):
        team_table1.bounds(row | {second: {"lower": 0.21, "upper": 0.3}})


@pytest.mark.parametrize(("method", "status"), [("dcfr+", "too large"), ("lp", "not tried")])
def test_what_does_not_fit_is_said(method, status):
    assert team_table1._answer(("3K12", "1,2", method), 100.0) == {"status": status}


@pytest.fixture(scope="module")
def minimizers():
    return find_study("team-minimizers").find(LongRun(games=("3K3", "3D2"), seconds=0.02))


def test_every_minimizer_is_measured(minimizers):
    runs = minimizers.table("runs")
    assert len(runs.rows) == 6 * len(team_minimizers.MINIMIZERS)
    assert set(minimizers.table("summary").column("minimizer")) == set(team_minimizers.MINIMIZERS)
    for row in runs.rows:
        iterations = [cell for cell in row[3:7] if cell is not None]
        assert iterations == sorted(iterations)
        assert (row[-1] <= team_minimizers.GAPS[-1]) == (len(iterations) == 4)


def test_iterations_are_those_of_solve(minimizers):
    from maxmin import solve

    rows = {row[:3]: row for row in minimizers.table("runs").rows}
    for method in ("dcfr+", "pcfr+", "hs_dcfr"):
        solution = solve("3K3", team=(1, 2), method=method, gap=2e-3)
        assert rows["3K3", "1,2", method][3] == solution.iterations


def test_minimizers_draw(minimizers, tmp_path):
    find_study("team-minimizers").draw(minimizers).savefig(tmp_path / "figure.png")
    assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")


def test_scores_follow_the_rule(monkeypatch):
    monkeypatch.setattr(team_minimizers, "MINIMIZERS", dict.fromkeys("ab"))
    curves = {
        ("3K3", "1,2", "a"): [[1, 1.0, 1.0], [2, 2.0, 1e-3]],
        ("3K3", "1,2", "b"): [[1, 8.0, 1e-3]],
        ("3K3", "1,3", "a"): [[1, 1.0, 1e-3]],
        ("3K3", "1,3", "b"): [[1, 1.0, 1e-3]],
        ("3D2", "1,2", "a"): [[9, 10.0, 1.0]],
        ("3D2", "1,2", "b"): [[1, 5.0, 1e-3]],
        ("3D2", "1,3", "a"): [[9, 10.0, 1.0]],
        ("3D2", "1,3", "b"): [[9, 10.0, 1.0]],
    }
    found = team_minimizers.scores(curves, 2e-3, 10.0)
    # 3K3: a 1 and 1, b 4 and 1, so 1 and 2; 3D2: nobody on the second, a twice 10 over 5, so 4 and 1
    assert found == pytest.approx({"a": (1 * 4) ** 0.5, "b": (2 * 1) ** 0.5})
    assert team_minimizers.scores(curves, 1e-9, 10.0) == {}


def test_games_are_the_studys_own():
    with pytest.raises(UnknownNameError, match="has no game '3K9'; it has 3K"):
        find_study("team-table1").find(LongRun(games=("3K9",)))


def test_what_is_known_is_not_asked_again(tmp_path):
    asked = []

    def answer(task):
        asked.append(task)
        return {"of": task[0]}

    tasks = [("a", "1"), ("b", "1")]
    for _ in range(2):
        with Journal(tmp_path / "x", {}, what="run") as journal:
            found = LongRun(journal=journal).answers(tasks, answer)
        assert found == {("a", "1"): {"of": "a"}, ("b", "1"): {"of": "b"}}
    assert asked == tasks


@pytest.mark.parametrize(
    "line", ['{"of": "a"}', "7", "[]", '[["a", 1], {}]', '[["a", "1"], 7]', '["a", {}, 3]']
)
def test_what_is_no_answer_is_refused_with_its_line(tmp_path, line):
    (tmp_path / "x").write_text(f'{{}}\n[["b"], {{}}]\n{line}\n')
    with Journal(tmp_path / "x", {}, what="run") as journal, pytest.raises(FileError, match="x:3: damaged"):
        LongRun(journal=journal).answers([("a", "1")], lambda _: {})


KILLED = """
import os, signal, sys
from maxmin.cli.app import app
from maxmin.journal import Journal

append = Journal.append
done = []

def append_then_die(self, entry):
    append(self, entry)
    done.append(entry)
    if len(done) == 6:
        self._file.write('[["3K3", "1,3", "lp"], {"status": "do')
        self._file.flush()
        os.kill(os.getpid(), signal.SIGKILL)

Journal.append = append_then_die
app(sys.argv[1:])
"""
ARGUMENTS = ["study", "team-table1", "--games", "3K3", "--seconds", "20", "--quiet"]


def test_a_killed_run_goes_on(tmp_path):
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    child = [sys.executable, "-c", KILLED, *ARGUMENTS, "--out", str(killed)]
    assert subprocess.run(child, check=False, timeout=120).returncode == -signal.SIGKILL
    partial = killed / "team-table1.partial"
    assert [path.name for path in killed.iterdir()] == [partial.name]
    kept = [json.loads(line) for line in partial.read_text().splitlines()[1:7]]
    for folder in (killed, whole):
        result = CliRunner().invoke(app, [*ARGUMENTS, "--out", str(folder)])
        assert result.exit_code == 0, result.stderr
        assert not (folder / partial.name).exists()
    for name in ("sizes", "values"):
        file = f"team-table1-{name}.csv"
        assert (killed / file).read_bytes() == (whole / file).read_bytes()
    before = next(answer for task, answer in kept if task == ["3K3", "1,2", "lp"])
    times = (killed / "team-table1-times.csv").read_text().splitlines()
    assert times[1].split(",")[4] == f"{before['seconds']:.3g}"  # not measured again


def test_ctrl_c_keeps_what_is_done(tmp_path, monkeypatch):
    def interrupt(self, entry):
        append(self, entry)
        os.kill(os.getpid(), signal.SIGINT)

    append = Journal.append
    monkeypatch.setattr(Journal, "append", interrupt)
    result = CliRunner().invoke(app, [*ARGUMENTS, "--out", str(tmp_path)])
    assert result.exit_code == 130
    assert "the same command goes on from there" in result.stderr
    assert len((tmp_path / "team-table1.partial").read_text().splitlines()) == 2


def test_other_settings_are_another_run(tmp_path):
    (tmp_path / "team-table1.partial").write_text('{"study": "team-table1", "version": "0"}\n')
    result = CliRunner().invoke(app, [*ARGUMENTS, "--out", str(tmp_path)])
    assert result.exit_code == 1
    assert "is left from another run: remove it" in result.stderr


@pytest.fixture(scope="module")
def prices():
    return find_study("team-price").find(LongRun(games=("hide_and_seek", "3K3")))


def test_prices_hold_the_known_values(prices):
    values = prices.table("values")
    assert values.column("game") == ("hide_and_seek", "3K3", "3K3", "3K3")
    assert values.rows[0][2] == pytest.approx(0.25, abs=1e-3)
    for row, together in zip(values.rows, (0.5, 0, 0, 0), strict=True):
        _, _, alone, at_most, low, high, talking, most, _ = row
        assert alone <= at_most
        assert alone <= low <= together + 1e-9
        assert together <= high + 1e-9 <= most + 2e-9
        assert talking <= most


def test_worths_are_differences_in_percent(prices):
    values, worths = prices.table("values").rows, prices.table("worths").rows
    for (*_, low, high, talking, most, _), (_, _, *_, least, largest), (game, *_) in zip(
        values, worths, values, strict=True
    ):
        span = 1 if game == "hide_and_seek" else 6
        assert least == pytest.approx(100 * max(talking - high, 0) / span)
        assert largest == pytest.approx(100 * max(most - low, 0) / span)


def test_prices_draw(prices, tmp_path):
    find_study("team-price").draw(prices).savefig(tmp_path / "figure.png")
    assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")
