"""The price of not drawing together and of not talking: bounds hold what is known, whenever it is stopped."""

import json
import math
import sys
import time
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from reference.brute_force import TooManyPlansError, team_value
from reference.random_games import games

import maxmin.price  # noqa: F401
from maxmin.communication import full_communication
from maxmin.errors import Cancelled, GameError, MaxminError, NotTimeableError, UnknownNameError
from maxmin.price import Interval, _in_order, price
from maxmin.solve import solve
from maxmin.sources import load_tree
from maxmin.tree_builder import TreeBuilder

price_module = sys.modules["maxmin.price"]  # the package's `price` is the function
TEAM = (1, 2)
KNOWN = {
    "hide_and_seek": (1 / 4, 1 / 2, 1 / 2),
    "one_time_pad": (0, 1 / 2, 1 / 2),
    "private_signal": (0, 1 / 4, 1),
}


def holds(interval, value, slack=1e-9):
    return interval.lower - slack <= value <= interval.upper + slack


@pytest.mark.parametrize("name", KNOWN)
def test_textbook_games(name):
    found = price(name, team=TEAM, gap=1e-4)
    for interval, value in zip((found.tme, found.correlated, found.communicating), KNOWN[name], strict=True):
        assert holds(interval, value)
    assert found.correlated.width <= 1e-4 * (found.largest - found.least) + 1e-12
    assert found.communicating.width <= 1e-4 * (found.largest - found.least) + 1e-12
    assert found.tme.lower == pytest.approx(KNOWN[name][0], abs=1e-3)
    assert holds(found.correlation, KNOWN[name][1] - KNOWN[name][0])
    assert holds(found.communication, KNOWN[name][2] - KNOWN[name][1])
    assert found.share(Interval(0.0, found.largest - found.least)) == Interval(0.0, 1.0)


@given(games(most=8))
@settings(max_examples=12)
def test_random_games(tree):
    try:
        together = team_value(tree, TEAM)
        talking = team_value(full_communication(tree, TEAM), (1,))
    except TooManyPlansError:
        assume(False)
    found = price(tree, team=TEAM, gap=0.02, seconds=60)
    assert holds(found.correlated, together, 1e-7)
    assert holds(found.communicating, talking, 1e-7)
    assert found.tme.lower <= together + 1e-7
    assert holds(found.communication, max(talking - together, 0), 1e-6)
    for one in (found.tme, found.correlated, found.communicating, found.correlation, found.communication):
        assert one.lower <= one.upper


def test_a_team_of_one_has_nothing_to_gain():
    found = price("3K3", team=(3,), gap=1e-6)
    assert found.converged
    assert found.correlation.upper <= 2e-6 * 6
    assert found.communication.upper <= 2e-6 * 6


@pytest.mark.parametrize("calls", range(0, 12, 2))
def test_whatever_there_is_when_it_is_stopped(calls):
    seen = []

    def stop(snapshot):
        seen.append(snapshot)
        return len(seen) <= calls

    try:
        found = price("private_signal", team=TEAM, gap=0, callback=stop)
    except Cancelled:
        assert calls < 4
        return
    assert found.stopped_by == "interrupt"
    assert not found.converged
    for interval, value in zip(
        (found.tme, found.correlated, found.communicating), KNOWN["private_signal"], strict=True
    ):
        assert holds(interval, value)
    json.dumps(found.to_json(), allow_nan=False)


def test_time_limits():
    found = price("3K4", team=TEAM, gap=0, seconds=1)
    assert holds(found.correlated, -1 / 24)
    assert holds(found.communicating, 0)
    assert not found.converged


def test_time_is_up_before_the_team_was_looked_at(monkeypatch):
    def slow(*arguments, **options):
        solution = solve(*arguments, **options)
        time.sleep(1)
        return solution

    monkeypatch.setattr(price_module, "solve", slow)
    soon = price("3K3", team=TEAM, seconds=1)
    assert soon.stopped_by == "seconds"
    assert soon.solutions[:2] == (None, None)  # bounds are those of what was solved, and the payoffs
    assert soon.tme == soon.correlated == Interval(soon.least, soon.communicating.upper)


def test_time_is_up_before_members_alone_were_looked_at(monkeypatch):
    def fail(*_, **__):
        time.sleep(0.6)
        raise MaxminError("the time limit of a part ended")

    monkeypatch.setattr(price_module, "solve_tme", fail)
    found = price("3K3", team=TEAM, seconds=2)
    assert found.solutions[0] is None
    assert found.correlated.width <= 1e-3 * 6
    assert found.tme == Interval(found.least, found.correlated.upper)


@pytest.mark.parametrize(("error", "raised"), [(Cancelled, Cancelled), (MaxminError, MaxminError)])
def test_nothing_to_return(monkeypatch, error, raised):
    def fail(*_, **__):
        time.sleep(0.02)
        raise error("no")

    monkeypatch.setattr(price_module, "solve", fail)
    monkeypatch.setattr(price_module, "solve_tme", fail)
    with pytest.raises(raised) as caught:
        price("3K3", team=TEAM, seconds=0.03)
    if error is MaxminError:
        assert "ended before any bound" in str(caught.value)
    with pytest.raises(raised, match="no" if error is MaxminError else None):
        price("3K3", team=TEAM, seconds=1000)  # it was not the time


def test_same_seed_same_answer():
    one, other = (price("hide_and_seek", team=TEAM, gap=0.5, seed=3).to_json() for _ in range(2))
    assert one | {"seconds": 0} == other | {"seconds": 0}
    assert json.loads(json.dumps(one, allow_nan=False)) == one
    assert one["worth"]["correlation"]["lower"] <= one["worth"]["correlation"]["upper"]


def test_bounds_of_one_bound_the_others():
    anything = Interval(-math.inf, math.inf)
    above = Interval(1, math.inf)
    assert _in_order([Interval(1, 2), anything, anything]) == [Interval(1, 2), above, above]
    assert _in_order([anything, anything, Interval(1, 2)])[0] == Interval(-math.inf, 2)


@pytest.mark.parametrize(("off", "fits"), [(0.1, False), (1e-10, True)])
def test_bounds_that_contradict_each_other_are_an_error(monkeypatch, off, fits):
    def wrong(*arguments, **options):
        solution = solve(*arguments, **options)
        return replace(solution, lower=0.5 - 2 * off, upper=0.5 - off)

    monkeypatch.setattr(price_module, "solve", wrong)  # of the game in which the team talks; it gets 1/2
    if fits:
        found = price("hide_and_seek", team=TEAM, gap=0.2)
        assert all(one.width >= 0 for one in (found.tme, found.correlated, found.communicating))
    else:
        with pytest.raises(MaxminError, match="contradict each other"):
            price("hide_and_seek", team=TEAM, gap=0.2)


def test_payoffs_that_are_all_equal():
    builder = TreeBuilder("flat", ("one", "two", "three"))
    first = builder.decision(-1, -1, 1, "a", ("left", "right"))
    for action in (0, 1):
        second = builder.decision(first, action, 2, "b", ("left", "right"))
        for last in (0, 1):
            builder.leaf(second, last, (1, 1, -2))
    found = price(builder.finish(), team=TEAM)
    assert found.converged
    assert found.tme == found.communicating == Interval(2.0, 2.0)
    assert found.share(found.correlation) == Interval(0.0, 0.0)


@pytest.mark.parametrize("team", [(), (1, 2, 3), (4,), (0,), "12", None, (1.5,)])
def test_teams_that_are_none(team):
    with pytest.raises(UnknownNameError):
        price("3K3", team=team)


@pytest.mark.parametrize(
    "arguments",
    [
        {"gap": -1},
        {"gap": math.nan},
        {"gap": True},
        {"seconds": 0},
        {"seconds": "1"},
        {"seed": -1},
        {"seed": 0.5},
    ],
)
def test_bad_arguments(arguments):
    with pytest.raises(MaxminError):
        price("3K3", team=TEAM, **arguments)


def test_games_that_do_not_fit():
    with pytest.raises(GameError, match="absent-minded"):
        price("absent_minded_driver", team=(1,))
    with pytest.raises(UnknownNameError):
        price("3X3", team=TEAM)
    builder = TreeBuilder("who goes first", ("one", "two", "payer"))
    root = builder.chance(-1, -1, [("one", 0.5), ("two", 0.5)])
    for action, (first, second) in enumerate(((1, 2), (2, 1))):
        node = builder.decision(root, action, first, "move", ("on",))
        builder.leaf(builder.decision(node, 0, second, "move", ("on",)), 0, (0, 0, 0))
    with pytest.raises(NotTimeableError):
        price(builder.finish(), team=TEAM)


def test_a_player_who_forgets_is_told_by_its_former_selves():
    found = price("forgetful_player", team=(1,), gap=1e-3)
    assert holds(found.correlated, 1 / 4)
    assert holds(found.communicating, 1 / 2)
    assert load_tree("forgetful_player").n_players == 2
