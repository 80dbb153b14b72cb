"""When to stop, as callers say it: each solver refuses the same nonsense in the same words."""

import re

import pytest

from maxmin import solve
from maxmin.errors import GameError, MaxminError, UnknownNameError
from maxmin.guts import solve_asynchronous, solve_continuum, solve_guts
from maxmin.matrix import solve_matrix
from maxmin.rational import exact, shown
from maxmin.recursive import MatrixState, RecursiveGame, fixed_points, solve_recursive

HUGE = 10**5000
GAME = RecursiveGame(MatrixState([[0, 1], [1, 0]], [[0.5, 0], [0, 0.5]]), t1=1)

SOLVERS = {
    "solve": lambda **limits: solve("kuhn_poker", **limits),
    "solve_matrix": lambda **limits: solve_matrix([[1, 0], [0, 2]], **limits),
    "solve_recursive": lambda **limits: solve_recursive(GAME, **limits),
    "solve_guts": lambda **limits: solve_guts(coalition=2, grid=5, **limits),
    "fictitious_play": lambda **limits: solve_guts(coalition=2, grid=5, method="fictitious_play", **limits),
    "fixed_points": lambda **limits: fixed_points(GAME, low=-1, high=1, **limits),
    "solve_asynchronous": lambda **limits: solve_asynchronous(coalition=2, grid=5, **limits),
}
TAKES = {"fixed_points": {"gap", "seconds"}, "solve_asynchronous": {"seconds"}}

LIMITS = [
    ({"gap": -1}, "gap must be 0 or more, not -1"),
    ({"gap": float("nan")}, "gap must be 0 or more, not nan"),
    ({"gap": float("inf")}, "gap must be 0 or more, not inf"),
    ({"gap": "small"}, "gap must be a number, not 'small'"),
    ({"gap": None}, "gap must be a number, not None"),
    ({"gap": True}, "gap must be a number, not True"),
    ({"gap": HUGE}, "gap must be a number that a float can hold, not an integer of 16,610 bits"),
    ({"seconds": 0}, "seconds must be more than 0, not 0"),
    ({"seconds": float("nan")}, "seconds must be more than 0, not nan"),
    ({"seconds": "1"}, "seconds must be a number, not '1'"),
    ({"seconds": True}, "seconds must be a number, not True"),
    ({"seconds": HUGE}, "seconds must be a number that a float can hold"),
    ({"iterations": 0}, "iterations must be a whole number from 1 up, not 0"),
    ({"iterations": -HUGE}, "iterations must be a whole number from 1 up, not an integer of 16,610 bits"),
    ({"iterations": 2.5}, "iterations must be a whole number from 1 up, not 2.5"),
    ({"iterations": True}, "iterations must be a whole number from 1 up, not True"),
    ({"iterations": "3"}, "iterations must be a whole number from 1 up, not '3'"),
]


@pytest.mark.parametrize("solver", SOLVERS)
def test_limits_that_make_no_sense(solver):
    for limits, message in LIMITS:
        if limits.keys() <= TAKES.get(solver, limits.keys()):
            with pytest.raises(MaxminError, match=re.escape(message)):
                SOLVERS[solver](**limits)


@pytest.mark.parametrize("solver", ["solve", "solve_matrix", "solve_recursive", "solve_guts"])
def test_methods_that_there_are_not(solver):
    for method in ("simplex", None, 3):
        with pytest.raises(UnknownNameError, match=f"there is no method {method!r}: there are "):
            SOLVERS[solver](method=method)


def test_guts_names_all_its_methods():
    with pytest.raises(UnknownNameError, match="did you mean fictitious_play"):
        solve_guts(coalition=2, method="fictitous_play")


def test_integers_that_python_does_not_write():
    assert shown(HUGE) == "an integer of 16,610 bits"
    assert shown(12345) == "12345"
    for function in (
        lambda: exact(HUGE),
        lambda: solve_matrix([[HUGE, 1]], method="exact"),
        lambda: solve_continuum(coalition=HUGE),
        lambda: solve_continuum(coalition=-HUGE),
        lambda: solve_guts(coalition=-HUGE),
        lambda: RecursiveGame(MatrixState([[0.5]], [[0.5]]), t1=HUGE),
    ):
        with pytest.raises(GameError, match="an integer of 16,610 bits"):
            function()
