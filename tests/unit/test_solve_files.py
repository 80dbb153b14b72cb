"""Solution files: they come back as they were, the checker agrees with them, and damage is refused."""

import json

import numpy as np
import pytest
from reference.random_games import random_game

from maxmin.archive import read_archive, write_archive
from maxmin.errors import FileError, MaxminError, SolutionError
from maxmin.solve import Solution, load_solution, solve
from maxmin.solve.result import FORMAT, FORMAT_VERSION
from maxmin.verify import verify

GAMES = {
    "two players": ("kuhn_poker(players=2)", (1,), "dcfr+"),
    "second player": ("leduc_poker(players=2)", (2,), "pcfr+"),
    "team": ("3K4", (1, 2), "dcfr+"),
    "team apart": ("3K3", (1, 3), "lp"),
    "teams": ("4K4", (1, 3), "cfr+"),
    "chained": ("3D2", (1, 2), "pdcfr+"),
    "imperfect recall": (random_game(4, size=20, players=2, memory="forgets"), (1,), "dcfr+"),
    "general sum": (random_game(5, size=20, total=None), (2, 3), "dcfr+"),
}


@pytest.fixture(scope="module", params=GAMES)
def solution(request) -> Solution:
    game, team, method = GAMES[request.param]
    return solve(game, team=team, method=method, gap=5e-3, iterations=3000)


@pytest.fixture
def path(solution, tmp_path):
    solution.save(tmp_path / "solution.npz")
    return tmp_path / "solution.npz"


def test_a_solution_comes_back(solution, path):
    again = load_solution(path)
    assert again.to_json() == solution.to_json() == json.loads(json.dumps(solution.to_json()))
    assert repr(again) == repr(solution)
    for side in ("strategy", "opponent"):
        ours, theirs = getattr(again, side), getattr(solution, side)
        assert ours.side == theirs.side
        for name, array in theirs.to_arrays().items():
            assert ours.to_arrays()[name].tobytes() == array.tobytes()
    assert again.tree.numbers == solution.tree.numbers
    assert again.tree.infoset_labels == solution.tree.infoset_labels


def test_saving_again_gives_the_same_arrays(path, tmp_path):
    load_solution(path).save(tmp_path / "again.npz")
    first, second = (read_archive(one, FORMAT, FORMAT_VERSION) for one in (path, tmp_path / "again.npz"))
    assert first[0] == second[0]
    assert first[1].keys() == second[1].keys()
    for name, array in first[1].items():
        assert array.dtype == second[1][name].dtype
        assert array.tobytes() == second[1][name].tobytes()


def test_the_checker_agrees_with_the_bounds(solution, path):
    for source in (path, solution):
        report = verify(source)
        assert report.ok, report
        unit = max(1.0, np.abs(solution.tree.payoffs).max())
        assert report.lower == pytest.approx(solution.lower, abs=1e-8 * unit)
        assert report.upper == pytest.approx(solution.upper, abs=1e-8 * unit)


@pytest.mark.parametrize("name", ["lower", "upper"])
def test_the_checker_sees_bounds_that_claim_too_much(solution, path, name):
    header, arrays = read_archive(path, FORMAT, FORMAT_VERSION)
    header[name] += {"lower": 1, "upper": -1}[name] * 1e-3 * np.ptp(solution.tree.payoffs)
    write_archive(path, header, arrays)
    assert not verify(path).ok


@pytest.mark.parametrize(("rest", "status"), [(0.0, "failed"), (0.5, "not checked"), (1.0, "not checked")])
def test_plans_that_leave_something_out_prove_no_more_than_they_do(rest, status, tmp_path):
    """A file may say that its plans are half of a strategy; that is no proof of a better bound."""
    path = tmp_path / "solution.npz"
    small().save(path)
    header, arrays = read_archive(path, FORMAT, FORMAT_VERSION)
    header["lower"] = header["value"] = header["upper"]
    write_archive(path, header, arrays | {"team_rest": np.array(rest)})
    report = verify(path)
    found = {check.name: check.status for check in report.checks}
    assert found["lower bound"] == found["lower bound, exact arithmetic"] == status
    assert report.ok is (status != "failed")


def small() -> Solution:
    return solve("3K3", team=(1, 2), iterations=20)


def test_cut_files_are_refused(tmp_path):
    path = tmp_path / "solution.npz"
    small().save(path)
    whole = path.read_bytes()
    for length in [*range(0, len(whole), 211), len(whole) - 1]:
        path.write_bytes(whole[:length])
        for read in (load_solution, verify):
            with pytest.raises(SolutionError, match=r"solution\.npz is not a maxmin solution"):
                read(path)


def test_cut_out_bytes_are_refused(tmp_path):
    path = tmp_path / "solution.npz"
    small().save(path)
    whole = path.read_bytes()
    for start in range(0, len(whole), 211):
        path.write_bytes(whole[:start] + whole[start + 7 :])
        with pytest.raises(MaxminError, match=r"solution\.npz"):
            load_solution(path)


HEADERS = {
    "another version": (
        {"format_version": FORMAT_VERSION + 1},
        "format version 2; this maxmin reads version 1",
    ),
    "another format": ({"format": "maxmin solver state"}, "is not a maxmin solution"),
    "no such player": ({"team": [7]}, r"solution\.npz"),
    "another team": ({"team": [1, 3]}, r"solution\.npz"),
    "everybody": ({"team": [1, 2, 3]}, r"solution\.npz"),
    "nobody": ({"team": []}, r"solution\.npz"),
    "no list": ({"team": 3}, r"solution\.npz"),
    "text": ({"team": ["first"]}, r"solution\.npz"),
}


@pytest.mark.parametrize("name", HEADERS)
def test_other_headers_are_refused(name, tmp_path):
    path, (changes, what) = tmp_path / "solution.npz", HEADERS[name]
    small().save(path)
    header, arrays = read_archive(path, FORMAT, FORMAT_VERSION)
    write_archive(path, header | changes, arrays)
    with pytest.raises(SolutionError, match=what):
        load_solution(path)


@pytest.mark.parametrize("name", list(small().to_json()))
def test_missing_fields_are_refused(name, tmp_path):
    path = tmp_path / "solution.npz"
    small().save(path)
    header, arrays = read_archive(path, FORMAT, FORMAT_VERSION)
    del header[name]
    write_archive(path, header, arrays)
    with pytest.raises(SolutionError, match=r"solution\.npz"):
        load_solution(path)


def test_missing_arrays_are_refused(tmp_path):
    path = tmp_path / "solution.npz"
    small().save(path)
    header, arrays = read_archive(path, FORMAT, FORMAT_VERSION)
    for name in arrays:
        if name.startswith(("tree_", "team_strategy_", "opponent_strategy_")):
            write_archive(path, header, {key: array for key, array in arrays.items() if key != name})
            with pytest.raises(SolutionError, match=r"solution\.npz"):
                load_solution(path)


def test_a_solution_is_saved_whole_or_not_at_all(tmp_path):
    solution = small()
    with pytest.raises(FileError, match="there is no folder"):
        solution.save(tmp_path / "none" / r"solution\.npz")
    with pytest.raises(FileError, match="it is a folder"):
        solution.save(tmp_path)
    assert list(tmp_path.iterdir()) == []
    solution.save(tmp_path / "any name")
    assert [file.name for file in tmp_path.iterdir()] == ["any name"]
    assert load_solution(tmp_path / "any name").to_json() == solution.to_json()
