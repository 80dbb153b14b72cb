"""Input that is wrong in kind, size or shape: each is refused by one error that names it."""

import math

import numpy as np
import pytest

from maxmin.battleship import (
    Board,
    Pattern,
    State,
    evaluate,
    from_function,
    make_strategy,
    parse_pattern,
    posterior,
    posteriors,
)
from maxmin.errors import Cancelled, GameError, MaxminError, UnknownNameError

SMALL = Board(3, 4, ("2", "2"))
NATIVE = ("greedy", "information", "rollout", "lookahead")
PLAIN = ("random", "hunt-target", "checkerboard", "paper")
DIGITS = "9" * 5000
"""More than Python turns into a number."""


def nothing(rows, cells):
    return np.zeros((rows, cells), dtype=np.bool_)


@pytest.mark.parametrize(
    ("hits", "misses"),
    [
        (nothing(3, 9), nothing(3, 9)),
        (nothing(3, 12), nothing(2, 12)),
        (nothing(2, 12), nothing(3, 12)),
        (np.zeros(12, dtype=np.bool_), np.zeros(12, dtype=np.bool_)),
        (np.zeros((1, 12)), np.zeros((1, 12))),
        ([[False] * 12], [[False] * 12]),
    ],
)
def test_what_is_no_batch_of_states(hits, misses):
    with pytest.raises(GameError, match=r"are booleans, \(batch, 12\) each; these (hits|misses) are"):
        posteriors(SMALL, hits, misses)
    for name in NATIVE + PLAIN:
        with pytest.raises(GameError, match=r"are booleans, \(batch, 12\) each"):
            make_strategy(name, SMALL).choose(hits, misses)


@pytest.mark.parametrize("name", [*NATIVE, *PLAIN])
def test_a_strategy_on_another_board(name):
    with pytest.raises(GameError, match=r"of the shape \(\d+, 25\)"):
        evaluate([make_strategy(name, SMALL)], Board(5, 5, ("2", "2")), games=3)


def test_no_states_have_no_posteriors():
    assert posteriors(SMALL, nothing(0, 12), nothing(0, 12)).shape == (0, 12)
    large = Board(10, 10, ("5", "4", "3", "3", "2"))
    assert posteriors(large, nothing(0, 100), nothing(0, 100)).shape == (0, 100)


def test_more_digits_than_python_reads():
    with pytest.raises(GameError, match="is no cell of this board"):
        State(SMALL, ["A" + DIGITS])
    with pytest.raises(UnknownNameError, match="there is no pattern"):
        parse_pattern(DIGITS)


@pytest.mark.parametrize("patterns", ["LL", 5, None, [3], [None], [], ["L", 2.0]])
def test_what_are_no_patterns(patterns):
    with pytest.raises(GameError, match="pattern"):
        Board(7, 7, patterns)


@pytest.mark.parametrize("cells", [(), ((0, 0), (0, 0)), ((0, 0), (5, 5)), ((0, 0), (1, 1))])
def test_cells_that_make_no_pattern(cells):
    with pytest.raises(GameError, match=r"has no cell|do not hang together"):
        Pattern("own", cells)


@pytest.mark.parametrize(
    ("name", "cells", "text"),
    [
        ("own", ((3, 3), (3, 4), (4, 4)), "##/.#"),
        ("L", ((0, 0), (0, 1)), "##"),
        ("L", ((0, 0), (0, 1), (0, 2), (1, 2)), "L"),
        ("2", ((-1, 0), (0, 0)), "2"),
    ],
)
def test_the_text_of_a_pattern_reads_as_the_same_shape(name, cells, text):
    pattern = Pattern(name, cells)
    assert str(pattern) == text
    assert set(parse_pattern(text).orientations) == set(pattern.orientations)


@pytest.mark.parametrize(
    "numbers",
    [
        {"seed": 2**64},
        {"seed": 10**40},
        {"samples": 10**20},
        {"work": "much"},
        {"work": None},
        {"work": math.nan},
        {"work": True},
    ],
)
def test_efforts_that_a_posterior_cannot_take(numbers):
    with pytest.raises(GameError, match="must be a"):
        posterior(State(SMALL), **numbers)


@pytest.mark.parametrize(
    "numbers",
    [
        {"jobs": 0},
        {"jobs": -2},
        {"jobs": 1.5},
        {"jobs": True},
        {"jobs": "2"},
        {"games": 10**30},
        {"seed": 2**64},
        {"seconds": -1},
        {"seconds": math.nan},
        {"seconds": "1"},
        {"seconds": True},
    ],
)
def test_numbers_that_no_evaluation_takes(numbers):
    with pytest.raises(MaxminError, match=f"{next(iter(numbers))} must be"):
        evaluate([make_strategy("random", SMALL)], SMALL, **numbers)


@pytest.mark.parametrize("seed", [-1, 1.5, None, True, 2**64])
def test_seeds_that_no_strategy_takes(seed):
    with pytest.raises(GameError, match="the seed must be a whole number"):
        make_strategy("random", SMALL, seed=seed)


def test_one_game_has_no_standard_error():
    (found,) = evaluate([make_strategy("greedy", SMALL)], SMALL, games=1)
    assert found.standard_error == math.inf
    assert found.to_json()["standard_error"] is None


def test_an_error_of_a_function_is_its_own():
    def broken(state):
        raise ZeroDivisionError("of the user")

    with pytest.raises(ZeroDivisionError, match="of the user"):
        evaluate([from_function(broken, board=SMALL)], SMALL)


def test_a_search_stops_in_the_middle_of_a_choice():
    search = make_strategy("rollout(nesting=2,endgame=0)", Board(6, 6))
    with pytest.raises(Cancelled):
        search.choose_until(nothing(1, 36), nothing(1, 36), lambda: False)
