"""Recursive games: oracles that are wrong, and what is no game at all."""

import math

import numpy as np
import pytest

from maxmin.errors import GameError, SizeError
from maxmin.recursive import MatrixState, RecursiveGame, solve_recursive

STATE = MatrixState([[0.0, 0.5], [0.75, 0.0]], [[0.5, 0.5], [0.5, 0.5]])


class Oracle:
    """A state that answers through its matrices, except in what is replaced."""

    def __init__(self, **replaced):
        self.replaced = replaced

    def __getattr__(self, name):
        return self.replaced.get(name) or getattr(STATE, name)


def row_zero(columns, weights, values):
    """Return what row 0 gets: often less than the best."""
    worth = STATE.payoffs([0], columns)[0] + values @ STATE.multipliers([0], columns)[:, 0]
    return 0, float(worth @ weights)


def column_one(rows, weights, values):
    """Return what column 1 leaves: often more than the best."""
    worth = STATE.payoffs(rows, [1])[:, 0] + values @ STATE.multipliers(rows, [1])[:, :, 0]
    return 1, float(worth @ weights)


def test_an_oracle_is_solved_like_its_matrices():
    whole = solve_recursive(RecursiveGame(STATE, t1=1, t2=1)).repeated
    listed = solve_recursive(RecursiveGame(Oracle(), t1=1, t2=1)).repeated
    assert listed.value == pytest.approx(whole.value, abs=1e-12)
    assert listed.value == pytest.approx(0.6, abs=1e-12)  # a round is worth 0.3, and half of it comes again


@pytest.mark.parametrize("method", ["newton", "value_iteration"])
@pytest.mark.parametrize(
    ("replaced", "message"),
    [
        (
            {"best_row": row_zero, "start": lambda: (1, 0)},
            "the oracle contradicts itself: best_row returned 0",
        ),
        ({"best_column": column_one}, "the oracle contradicts itself: best_column returned 1"),
        ({"best_row": lambda *_: (1, math.nan)}, "best row 1 is worth nan, not a finite number"),
        ({"best_column": lambda *_: (1, math.nan)}, "best column 1 is worth nan, not a finite number"),
        ({"best_row": lambda *_: (1, math.inf)}, "best row 1 is worth inf, not a finite number"),
        ({"payoffs": lambda rows, columns: np.full((len(rows), len(columns)), math.nan)}, "finite numbers"),
        ({"multipliers": lambda *_: np.zeros((2, 1, 1))}, "have the shapes"),
    ],
)
def test_oracles_that_are_wrong(method, replaced, message):
    with pytest.raises(GameError, match=message):
        solve_recursive(RecursiveGame(Oracle(**replaced), t1=1, t2=1), method=method)


def test_what_is_no_game():
    with pytest.raises(GameError, match="takes a RecursiveGame, not <maxmin"):
        solve_recursive(STATE)
    with pytest.raises(GameError, match=r"state 1 is \[\[1\]\], neither a MatrixState nor a StateOracle"):
        RecursiveGame([[[1]]], t1=1)


def test_names_that_are_none():
    with pytest.raises(GameError, match="which are text"):
        RecursiveGame(STATE, names=[[1]], t1=1)
    with pytest.raises(GameError, match="rows: names must be hashable"):
        MatrixState([[1], [2]], [[0], [0]], rows=[[1], [2]])


@pytest.mark.parametrize("fee", [np.int64(1), np.float32(1)])
def test_fees_of_any_kind_of_real_number(fee):
    assert RecursiveGame(STATE, t1=fee).t1 == 1


def test_an_upper_bound_that_is_not_there_is_no_number():
    game = RecursiveGame(MatrixState([[1]], [[1]]), t1=1)
    found = solve_recursive(game, method="value_iteration", iterations=3)
    assert found.repeated.lower == pytest.approx(2)
    assert (found.repeated.upper, found.gap) == (math.inf, math.inf)
    assert found.to_json()["gap"] is None


@pytest.mark.parametrize("payoffs", [lambda *_: [["a"]], lambda *_: [[1], [1, 2]], lambda *_: None])
def test_blocks_that_are_no_numbers(payoffs):
    with pytest.raises(GameError, match="the oracle's payoffs must be"):
        solve_recursive(RecursiveGame(Oracle(payoffs=payoffs), t1=1, t2=1))


def test_matrices_that_do_not_fit_are_refused_before_they_are_copied():
    large = np.broadcast_to(np.float64(0.5), (3_000_000, 2_000_000))
    with pytest.raises(SizeError, match="a matrix of 3,000,000 x 2,000,000 would need"):
        MatrixState(large, large)
