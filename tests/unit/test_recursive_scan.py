"""All fixed points of games whose T is known."""

import math

import pytest

from maxmin.errors import GameError, MaxminError
from maxmin.recursive import MatrixState, RecursiveGame, fixed_points


def one_state(payoffs, multipliers):
    return RecursiveGame(MatrixState(payoffs, multipliers), t1=1, t2=1)


def test_attracting_and_repelling():
    # T(v) = max(1/4, 2 v - 1/2), whatever the fees.
    found = fixed_points(one_state([[0.25], [-0.5]], [[0], [2]]), low=-5, high=5)
    assert [point.kind for point in found.points] == ["attracting", "repelling"]
    assert [point.value for point in found.points] == pytest.approx([0.25, 0.5], abs=1e-12)
    assert all(point.certain and point.upper - point.lower <= 1e-8 for point in found.points)
    assert found.stopped_by == "gap"


def test_three_crossings():
    # T(v) = max(-1, min(3 v, 2 + v / 2)) stays at -1, leads away from 0, and comes down to v again at 4.
    found = fixed_points(one_state([[-1, -1], [0, 2]], [[0, 0], [3, 0.5]]), low=-3, high=6)
    assert [point.kind for point in found.points] == ["attracting", "repelling", "attracting"]
    assert [point.value for point in found.points] == pytest.approx([-1, 0, 4], abs=1e-9)


def test_no_fixed_point():
    assert fixed_points(one_state([[1]], [[1]]), low=-10, high=10).points == ()


def test_all_values_are_fixed_points():
    (point,) = fixed_points(one_state([[0]], [[1]]), low=-1, high=2).points
    assert (point.kind, point.certain, point.lower, point.upper) == ("interval", False, -1, 2)


def test_touching():
    # T(v) = 1 / (2 - v) up to 1, and 1 above, has slope 1 at 1 on the left, where T and v are hard to tell apart.
    (point,) = fixed_points(one_state([[0, 1], [1, 0]], [[1, 0], [0, 0]]), low=-1, high=2, gap=1e-4).points
    assert point.lower <= 1 <= point.upper
    assert point.value == pytest.approx(1, abs=1e-3)


def test_fixed_point_at_an_end():
    (point,) = fixed_points(one_state([[1]], [[0]]), low=-1, high=1).points
    assert point.lower <= 1 <= point.upper


def test_time_limit_keeps_what_is_not_decided():
    game = one_state([[0, 1], [1, 0]], [[1, 0], [0, 0]])
    found = fixed_points(game, low=-1, high=2, seconds=1e-3)
    assert found.stopped_by == "seconds"
    assert any(point.lower <= 1 <= point.upper for point in found.points)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"low": 1, "high": 1}, "low must be less than high"),
        ({"low": 0, "high": math.inf}, "both finite"),
        ({"low": math.nan, "high": 1}, "both finite"),
        ({"low": 0, "high": 1, "gap": 0}, "gap must be"),
        ({"low": 0, "high": 1, "seconds": -1}, "seconds must be"),
    ],
)
def test_bad_arguments(arguments, message):
    with pytest.raises(MaxminError, match=message):
        fixed_points(one_state([[1]], [[0]]), **arguments)


def test_several_states_are_refused():
    states = [MatrixState([[1]], [[[0]], [[0]]])] * 2
    with pytest.raises(GameError, match="this one has 2"):
        fixed_points(RecursiveGame(states), low=0, high=1)


@pytest.mark.parametrize(("low", "high"), [("a", 1), (True, 2), (0, 10**400), (None, 1)])
def test_ends_that_are_no_numbers(low, high):
    with pytest.raises(MaxminError, match=r"(low|high) must be a number"):
        fixed_points(one_state([[1]], [[0]]), low=low, high=high)
