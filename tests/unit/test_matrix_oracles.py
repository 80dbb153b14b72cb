"""`solve_matrix` of games that are given by best responses: those that are right, and those that are not."""

import math
import signal

import numpy as np
import pytest

from maxmin.errors import GameError, MaxminError
from maxmin.matrix import solve_matrix


class SquaredDistance:
    """Both pick a point of the unit interval; the row player gets the squared distance. Worth 1/4.

    Her best responses are the ends, his is the mean.
    """

    def block(self, rows, columns):
        return (np.array(rows)[:, None] - np.array(columns)) ** 2

    def best_row(self, columns, weights):
        gains = [float(self.block([end], columns)[0] @ weights) for end in (0.0, 1.0)]
        return float(gains[1] > gains[0]), max(gains)

    def best_column(self, rows, weights):
        mean = float(np.array(rows) @ weights)
        return mean, float(weights @ self.block(rows, [mean])[:, 0])

    def start(self):
        return 0.3, 0.9


def test_an_oracle_of_infinitely_many_plans():
    solution = solve_matrix(SquaredDistance())
    assert solution.method == "double_oracle"
    assert solution.value == pytest.approx(0.25, abs=1e-9)
    assert solution.converged
    assert set(solution.rows) == {0.0, 1.0}
    assert solution.row_weights == pytest.approx([0.5, 0.5], abs=1e-4)
    with pytest.raises(MaxminError, match="take rows and row_weights"):
        solution.row_strategy  # noqa: B018 - it raises


def test_an_oracle_goes_on_from_plans():
    first = solve_matrix(SquaredDistance())
    again = solve_matrix(SquaredDistance(), rows=first.rows, columns=first.columns)
    assert again.iterations < first.iterations
    assert again.value == pytest.approx(first.value)
    matrix = np.random.default_rng(7).random((20, 20))
    whole = solve_matrix(matrix, method="double_oracle")
    warm = solve_matrix(matrix, method="double_oracle", rows=whole.rows, columns=whole.columns)
    assert warm.iterations == 1
    assert warm.value == pytest.approx(whole.value, abs=1e-12)


def test_plans_may_be_anything_hashable():
    class Named(SquaredDistance):
        def start(self):
            return 0.0, 1.0

    json = solve_matrix(Named()).to_json()
    assert json["rows"] == ["0.0", "1.0"]
    assert json["exact"] is None


def test_an_oracle_that_contradicts_itself():
    class Wrong(SquaredDistance):
        def best_row(self, columns, weights):
            return 0.5, 0.0

    with pytest.raises(
        GameError, match=r"best_row returned 0\.5, which gets 0\.0; a row that it knows gets 0\.36"
    ):
        solve_matrix(Wrong())


def test_an_oracle_whose_bounds_cross():
    """Of its first best column it says too much: the mixture seems to guarantee more than anybody can get."""

    class Forgetful(SquaredDistance):
        rounds = 0

        def best_column(self, rows, weights):
            self.rounds += 1
            return (0.5, 0.9) if self.rounds == 1 else super().best_column(rows, weights)

        def start(self):
            return 1.0, 0.0

    with pytest.raises(GameError, match="contradicts itself"):
        solve_matrix(Forgetful(), gap=0)


def test_an_oracle_of_wrong_shapes_or_numbers():
    class Flat(SquaredDistance):
        def block(self, rows, columns):
            return np.zeros(len(rows))

    class Lost(SquaredDistance):
        def best_row(self, columns, weights):
            return 0.0, math.nan

    class Text(SquaredDistance):
        def block(self, rows, columns):
            return [["a"]]

    class Ragged(SquaredDistance):
        def block(self, rows, columns):
            return [[1.0], [1.0, 2.0]]

    with pytest.raises(GameError, match="an oracle's block must be real numbers"):
        solve_matrix(Text())
    with pytest.raises(GameError, match="an oracle's block must be a matrix"):
        solve_matrix(Ragged())
    with pytest.raises(GameError, match=r"1 rows and 1 columns has shape \(1,\)"):
        solve_matrix(Flat())
    with pytest.raises(GameError, match="is nan, not a finite number"):
        solve_matrix(Lost())


def test_control_c_in_an_oracle():
    class Slow(SquaredDistance):
        def best_row(self, columns, weights):
            signal.raise_signal(signal.SIGINT)
            return super().best_row(columns, weights)

    solution = solve_matrix(Slow(), gap=0)
    assert (solution.stopped_by, solution.iterations) == ("interrupt", 1)
