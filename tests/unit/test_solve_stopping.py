"""Ctrl-C, callbacks, limits of time and memory: what is returned, what is raised, what is left behind."""

import math
import signal
import threading
import time

import pytest

from maxmin.errors import Cancelled, MaxminError, SizeError, UnknownNameError
from maxmin.interrupt import Watch
from maxmin.solve import Snapshot, solve

LARGE = ("4K5", (1, 2, 3))
"""Takes a tenth of a second and more to build, so that building reports."""


@pytest.fixture(autouse=True)
def handler():
    """Whatever happens, Ctrl-C means afterwards what it meant before."""

    def mine(number, frame):
        raise AssertionError("the handler from before got the signal")

    before = signal.signal(signal.SIGINT, mine)
    yield mine
    after = signal.signal(signal.SIGINT, before)
    assert after is mine


def at(stage: str, number: int, act) -> tuple[list[Snapshot], object]:
    """Return a list that fills with snapshots, and a callback that acts at one of them."""
    seen: list[Snapshot] = []

    def callback(snapshot):
        seen.append(snapshot)
        if sum(one.stage == stage for one in seen) == number:
            return act()
        return None

    return seen, callback


def ctrl_c() -> None:
    signal.raise_signal(signal.SIGINT)


def ctrl_c_twice() -> None:
    ctrl_c()
    ctrl_c()


def stop() -> bool:
    return False


@pytest.mark.parametrize("method", ["dcfr+", "column_generation", "dag_column_generation"])
@pytest.mark.parametrize("act", [ctrl_c, stop])
def test_stopped_while_solving_the_best_so_far_is_returned(act, method):
    seen, callback = at("solving", 5, act)
    solution = solve("3K4", team=(1, 2), gap=0, method=method, callback=callback)
    assert solution.stopped_by == "interrupt"
    assert not solution.converged
    last = seen[-1]
    assert solution.iterations == last.iterations
    assert [solution.lower, solution.upper] == pytest.approx([last.lower, last.upper], abs=1e-12)
    assert solution.lower <= -1 / 24 <= solution.upper
    assert solution.relative_gap == pytest.approx(last.relative_gap, abs=1e-12)


@pytest.mark.parametrize("act", [ctrl_c, stop])
def test_stopped_while_building_there_is_nothing_to_return(act):
    game, team = LARGE
    seen, callback = at("building", 1, act)
    with pytest.raises(Cancelled):
        solve(game, team=team, callback=callback)
    assert [snapshot.stage for snapshot in seen] == ["building"]
    assert seen[0].iterations > 0
    assert (seen[0].lower, seen[0].upper) == (-math.inf, math.inf)


@pytest.mark.parametrize("act", [ctrl_c, stop])
def test_the_linear_program_can_be_stopped(act):
    seen, callback = at("solving", 1, act)
    solution = solve("3D3", team=(1, 2), method="lp", callback=callback)
    assert solution.stopped_by == "interrupt"
    assert solution.lower <= 0.284 <= solution.upper
    assert (seen[-1].lower, seen[-1].upper) == (-math.inf, math.inf)


@pytest.mark.parametrize(
    ("stage", "method"),
    [
        ("building", "dcfr+"),
        ("solving", "dcfr+"),
        ("solving", "lp"),
        ("solving", "column_generation"),
        ("solving", "dag_column_generation"),
    ],
)
def test_a_second_ctrl_c_ends_at_once(stage, method):
    game, team = LARGE if stage == "building" else ("3D3", (1, 2))
    _, callback = at(stage, 1, ctrl_c_twice)
    with pytest.raises(KeyboardInterrupt):
        solve(game, team=team, method=method, gap=0, callback=callback)


@pytest.mark.parametrize(
    ("stage", "method"),
    [
        ("building", "dcfr+"),
        ("solving", "dcfr+"),
        ("solving", "lp"),
        ("solving", "column_generation"),
        ("solving", "dag_column_generation"),
    ],
)
def test_what_a_callback_raises_comes_through(stage, method):
    def fail():
        raise ZeroDivisionError("from the callback")

    game, team = LARGE if stage == "building" else ("3D3", (1, 2))
    _, callback = at(stage, 1, fail)
    with pytest.raises(ZeroDivisionError, match="from the callback"):
        solve(game, team=team, method=method, gap=0, callback=callback)


def test_ctrl_c_and_a_checkpoint(tmp_path):
    path = tmp_path / "state.npz"
    _, callback = at("solving", 9, ctrl_c)
    cut = solve("3K4", team=(1, 2), gap=0, method="dcfr+", callback=callback, checkpoint=path)
    seen, callback = at("solving", 1, stop)
    again = solve("3K4", team=(1, 2), gap=0, method="dcfr+", callback=callback, checkpoint=path)
    assert seen[0].iterations == cut.iterations == again.iterations
    assert (again.lower, again.upper) == (cut.lower, cut.upper)


@pytest.mark.parametrize("method", ["dcfr+", "lp"])
def test_time_limit_while_solving(method):
    solution = solve("3D3", team=(1, 2), gap=0, method=method, seconds=0.2)
    assert solution.stopped_by == "seconds"
    assert not solution.converged
    assert solution.lower <= 0.284 <= solution.upper


def test_time_limit_while_building():
    game, team = LARGE
    with pytest.raises(
        MaxminError, match=r"time limit of 0.001 seconds ended before .* built; allow more"
    ) as error:
        solve(game, team=team, seconds=0.001)
    assert not isinstance(error.value, Cancelled)


@pytest.mark.parametrize("method", ["dcfr+", "lp", "column_generation", "dag_column_generation"])
def test_no_time_at_all_still_gives_bounds(method):
    solution = solve("3K3", team=(1, 2), gap=0, method=method, seconds=1e-9)
    assert solution.lower <= 0 <= solution.upper
    assert solution.stopped_by in ("seconds", "optimal", "gap")


def test_limit_of_iterations():
    for iterations in (1, 7, 100):
        solution = solve("3K3", team=(1, 2), gap=0, method="cfr", iterations=iterations)
        assert (solution.stopped_by, solution.iterations) == ("iterations", iterations)


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"gap": -1e-3}, "gap must be 0 or more"),
        ({"gap": math.nan}, "gap must be 0 or more"),
        ({"gap": math.inf}, "gap must be 0 or more"),
        ({"seconds": 0}, "seconds must be more than 0"),
        ({"seconds": -1}, "seconds must be more than 0"),
        ({"seconds": math.nan}, "seconds must be more than 0"),
        ({"iterations": 0}, "iterations must be a whole number from 1 up"),
        ({"iterations": 2.5}, "iterations must be a whole number"),
        ({"memory": 0}, "memory must be a whole number from 1 up"),
        ({"memory": 1e9}, "memory must be a whole number"),
    ],
)
def test_senseless_limits_are_refused(options, what):
    with pytest.raises(MaxminError, match=what):
        solve("3K3", team=(1, 2), **options)


@pytest.mark.parametrize(
    ("team", "what"),
    [
        ((), "the team is empty"),
        ((1, 4), "no player 4: .* has players 1 to 3"),
        ((0, 1), "no player 0"),
        ((1, 2, 3), "everybody"),
        (2, "list of players' numbers"),
        ("12", "list of players' numbers"),
        ((1.0,), "list of players' numbers"),
    ],
)
def test_senseless_teams_are_refused(team, what):
    with pytest.raises(UnknownNameError, match=what):
        solve("3K3", team=team)


def test_a_large_game_is_solved_within_the_memory_limit_or_refused_with_figures():
    with pytest.raises(SizeError) as error:
        solve("3K8", team=(1, 2), method="dcfr+", memory=20_000_000)
    message = str(error.value)
    assert "1,2 in kuhn_poker(players=3,ranks=8)" in message
    assert "prescriptions" in message
    assert "the limit is 20 MB" in message
    assert "Raise the memory limit, or solve a smaller team or game" in message
    solution = solve("3K8", team=(1, 2), method="dcfr+", memory=130_000_000, iterations=2)
    assert solution.sizes["team"]["bytes"] < 130_000_000


def test_a_hopeless_game_is_refused_after_a_short_trial():
    def brief(snapshot):
        assert snapshot.iterations < 2_000_000  # of 2.19e9

    with pytest.raises(
        SizeError, match=r"about 2.19e\+09 prescriptions and 131,\d\d\d MB \(k = 12\); the limit is 90 MB"
    ):
        solve("3K12", team=(1, 2), method="dcfr+", memory=90_000_000, callback=brief)


def test_watch_says_why():
    with Watch(None, lambda done: done < 3) as watch:
        assert [watch.keep_going(done) for done in range(5)] == [True, True, True, False, False]
    assert watch.reason == "interrupt"
    with Watch(0.01, lambda done: None) as watch:
        assert watch.keep_going(0)
        time.sleep(0.02)
        assert not watch.keep_going(0)
    assert watch.reason == "seconds"


def test_watch_notes_one_ctrl_c_and_raises_the_next():
    with Watch(None, lambda done: True) as watch:
        ctrl_c()
        assert not watch.keep_going(0)
        with pytest.raises(KeyboardInterrupt):
            ctrl_c()
    assert watch.reason == "interrupt"


def test_ctrl_c_after_the_time_limit_is_an_interrupt():
    with Watch(1e-9, lambda done: True) as watch:
        time.sleep(1e-4)
        assert not watch.keep_going(0)
        ctrl_c()
    assert watch.reason == "interrupt"


def test_watches_may_be_nested(handler):
    with Watch(None, lambda done: True) as outer:
        with Watch(None, lambda done: True) as inner:
            ctrl_c()
        assert (outer.reason, inner.reason) == ("", "interrupt")
        ctrl_c()
    assert outer.reason == "interrupt"


def test_the_handler_is_restored_after_an_error(handler):
    with pytest.raises(ValueError, match="mine"), Watch(None, lambda done: True):
        raise ValueError("mine")
    assert signal.getsignal(signal.SIGINT) is handler


def test_a_handler_that_python_did_not_set_is_replaced_by_the_default(monkeypatch):
    set_to = []
    monkeypatch.setattr(signal, "signal", lambda number, what: set_to.append(what))  # returns None
    with Watch(None, lambda done: True):
        pass
    assert set_to[-1] is signal.SIG_DFL


def test_other_threads_leave_ctrl_c_alone(handler):
    found = {}

    def work():
        with Watch(None, lambda done: True) as watch:
            found["handler"] = signal.getsignal(signal.SIGINT)
            found["going"] = watch.keep_going(0)
        found["solution"] = solve("3K3", team=(1, 2), gap=1e-3)
        found["lp"] = solve("3K3", team=(1, 2), method="lp")

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found["handler"] is handler
    assert found["going"]
    assert found["solution"].converged
    assert found["lp"].converged
