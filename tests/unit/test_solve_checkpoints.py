"""Checkpoints: a run that is cut and resumed is the run that was never cut; anything else is refused."""

import errno
import os
import resource
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from reference.random_games import random_game, rebuild

from maxmin.archive import read_archive, write_archive
from maxmin.errors import FileError, MaxminError, SolutionError
from maxmin.match import make_match
from maxmin.solve import MINIMIZERS, Solution, solve
from maxmin.solve.checkpoint import STATE_FORMAT, STATE_VERSION
from maxmin.solve.regret import RegretRun
from maxmin.sources import load_tree

GAME, TEAM, END = "3L122", (1, 2), 130


def run(path: Path | None, method: str = "dcfr+", **options) -> Solution:
    settings = {"team": TEAM, "gap": 0, "iterations": END, **options}
    return solve(GAME, method=method, checkpoint=path, **settings)


def check_same(cut: Solution, whole: Solution) -> None:
    assert cut.iterations == whole.iterations == END
    assert (cut.lower, cut.upper, cut.stopped_by) == (whole.lower, whole.upper, whole.stopped_by)
    for side in ("strategy", "opponent"):
        ours, theirs = getattr(cut, side).to_arrays(), getattr(whole, side).to_arrays()
        for name, array in theirs.items():
            assert ours[name].tobytes() == array.tobytes(), name
    bounds = {row[1]: row[2:] for row in whole.trace}
    assert all(row[2:] == bounds.get(row[1], row[2:]) for row in cut.trace)
    assert bounds.keys() <= {row[1] for row in cut.trace}
    assert (np.diff(np.array(cut.trace)[:, :2], axis=0) >= [0, 1]).all()


@pytest.mark.parametrize("method", [name for name, kind in MINIMIZERS.items() if not kind.planned])
def test_a_run_cut_by_iterations_goes_on_with_the_same_bytes(method, tmp_path):
    path = tmp_path / "state.npz"
    for iterations in (1, 2, 37, 100):
        assert run(path, method, iterations=iterations).iterations == iterations
    check_same(run(path, method), run(None, method))


@pytest.mark.parametrize("method", MINIMIZERS)
@pytest.mark.parametrize("alternating", [True, False])
def test_a_run_cut_by_its_callback_goes_on_with_the_same_bytes(method, alternating, tmp_path):
    path, cuts, solution = tmp_path / "state.npz", 0, None
    while solution is None or solution.stopped_by == "interrupt":
        calls = iter([True] * 4)  # then it returns False
        solution = run(
            path,
            method,
            alternating=alternating,
            callback=lambda snapshot, calls=calls: snapshot.stage == "building" or next(calls, False),
        )
        cuts += 1
    assert cuts > 2
    check_same(solution, run(None, method, alternating=alternating))


def test_a_run_cut_at_any_moment_goes_on_with_the_same_bytes():
    """The core asks whether to go on every 50 ms, wherever it is."""
    match = make_match(load_tree("3L133"), TEAM)
    whole, cut = (RegretRun(match, MINIMIZERS["dcfr+"]) for _ in range(2))
    whole.advance(500)
    while cut.iterations < 500:
        resumed = RegretRun(match, MINIMIZERS["dcfr+"])
        resumed.restore(cut.to_arrays() if cut.iterations else resumed.to_arrays())
        resumed.advance(500 - resumed.iterations, lambda done: False)
        cut = resumed
    for name, array in whole.to_arrays().items():
        assert cut.to_arrays()[name].tobytes() == array.tobytes(), name


def test_seconds_go_on_where_they_stopped(tmp_path):
    first = run(tmp_path / "state.npz", iterations=60)
    second = run(tmp_path / "state.npz", iterations=61)
    assert second.seconds >= first.trace[-1][0]
    assert second.trace[: len(first.trace)] == first.trace


def test_a_finished_run_stays_finished(tmp_path):
    path = tmp_path / "state.npz"
    done = run(path)
    again = run(path)
    check_same(again, done)
    assert again.trace == done.trace
    assert solve(GAME, team=TEAM, method="dcfr+", gap=1, checkpoint=path).stopped_by == "gap"


@pytest.mark.parametrize(
    ("game", "options", "what"),
    [
        ("3L122", {"team": (1, 3)}, r"team \[1, 2\], this run has \[1, 3\]"),
        ("3L122", {"method": "cfr+"}, "method 'dcfr+', this run has 'cfr+'"),
        ("3L122", {"alternating": False}, "alternating True, this run has False"),
        ("3K3", {}, "game 'leduc_poker.*', this run has 'kuhn_poker"),
    ],
)
def test_the_state_of_another_run_is_refused(game, options, what, tmp_path):
    path = tmp_path / "state.npz"
    run(path, iterations=3)
    before = path.read_bytes()
    with pytest.raises(MaxminError, match=what.replace("+", r"\+")) as error:
        solve(game, **{"team": TEAM, "method": "dcfr+", "iterations": 9, "checkpoint": path, **options})
    assert str(path) in str(error.value)
    assert path.read_bytes() == before


def test_a_schedule_for_another_number_of_iterations_is_refused(tmp_path):
    run(tmp_path / "state.npz", "hs_dcfr", callback=lambda snapshot: snapshot.stage == "building")
    with pytest.raises(MaxminError, match="planned 130, this run has 131"):
        run(tmp_path / "state.npz", "hs_dcfr", iterations=131)


def test_the_state_of_another_game_of_that_name_and_size_is_refused(tmp_path):
    tree = random_game(8, size=14)
    other = rebuild(tree, payoffs=lambda row: [payoff**3 + Fraction(1, 7) for payoff in row])
    assert (other.name, other.n_leaves) == (tree.name, tree.n_leaves)
    settings = {"team": (1, 2), "method": "dcfr+", "gap": 0, "checkpoint": tmp_path / "state.npz"}
    solve(tree, iterations=3, **settings)
    with pytest.raises(SolutionError, match=r"state\.npz: the saved state is of another game"):
        solve(other, iterations=9, **settings)


def damage_state(path: Path, change) -> None:
    header, arrays = read_archive(path, STATE_FORMAT, STATE_VERSION)
    change(header, arrays)
    write_archive(path, header, arrays)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda header, arrays: arrays.pop("team_regrets"), "lacks team_regrets"),
        (lambda header, arrays: arrays.pop("iterations"), "lacks iterations"),
        (lambda header, arrays: header.pop("trace"), "lacks its trace"),
        (lambda header, arrays: header.update(trace=[]), "lacks its trace"),
        (lambda header, arrays: header.update(trace=[3]), "lacks its trace"),
        (lambda header, arrays: header.update(format_version=99), "format version 99"),
        (lambda header, arrays: header.update(format="maxmin solution"), "is not a maxmin solver state"),
        (lambda header, arrays: arrays.update(others_reach=arrays["others_reach"][1:]), "another game"),
        (lambda header, arrays: arrays.update(team_regrets=arrays["team_regrets"] > 0), "another game"),
    ],
)
def test_damaged_states_are_refused(change, what, tmp_path):
    path = tmp_path / "state.npz"
    run(path, iterations=3)
    damage_state(path, change)
    before = path.read_bytes()
    with pytest.raises(SolutionError, match=what):
        run(path)
    assert path.read_bytes() == before


def test_what_is_no_state_is_refused(tmp_path):
    path = tmp_path / "state.npz"
    run(path, iterations=3)
    whole = path.read_bytes()
    for damaged in (b"", b"no archive", whole[: len(whole) // 2], whole[:-1]):
        path.write_bytes(damaged)
        with pytest.raises(SolutionError, match="is not a maxmin solver state"):
            run(path)
        assert path.read_bytes() == damaged
    run(None, iterations=3).save(path)
    with pytest.raises(SolutionError, match="is not a maxmin solver state"):
        run(path)


def test_the_linear_program_takes_no_checkpoint(tmp_path):
    with pytest.raises(MaxminError, match="keeps no state"):
        run(tmp_path / "state.npz", "lp")


def test_with_a_checkpoint_auto_takes_a_method_that_has_one(tmp_path):
    assert run(None, "auto").method == "restricted_lp"
    assert run(tmp_path / "state.npz", "auto", iterations=3).method == "steep_sapcfr+"


def never(snapshot) -> bool:
    raise AssertionError("work began before the checkpoint was checked")


def test_a_checkpoint_that_cannot_be_written_is_refused_before_the_work(tmp_path):
    with pytest.raises(FileError, match="there is no folder"):
        run(tmp_path / "nowhere" / "state.npz", callback=never)
    with pytest.raises(FileError, match="it is a folder"):
        run(tmp_path, callback=never)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission_is_refused_before_the_work(tmp_path):
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(FileError, match="no permission"):
            run(tmp_path / "state.npz", callback=never)
    finally:
        tmp_path.chmod(0o700)


@pytest.mark.parametrize("earlier", [False, True])
def test_nothing_is_half_written_when_the_disk_is_full(earlier, tmp_path):
    path = tmp_path / "state.npz"
    if earlier:
        run(path, iterations=3)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, hard))
    try:
        with pytest.raises(FileError, match=os.strerror(errno.EFBIG)):
            run(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before
