"""Values of guts on a grid: published figures, full matrices with a linear program, exact payoffs, other routes."""

import random
from fractions import Fraction

import numpy as np
import pytest
from reference.guts import all_multisets, exact_matrices, play_with_chips

from maxmin.errors import GameError, MaxminError, SizeError, UnknownNameError
from maxmin.guts import make_grid, solve_guts
from maxmin.matrix import solve_matrix


def value_by_bisection(payoffs, multipliers, low, high):
    """Return V with value(A + V B) = V; the multipliers are below 1 near the optimum, so there is one."""
    for _ in range(40):
        middle = (low + high) / 2
        grows = solve_matrix(payoffs + middle * multipliers, method="lp").value > middle
        low, high = (middle, high) if grows else (low, middle)
    return (low + high) / 2


@pytest.mark.parametrize(
    ("against", "coalition", "grid"), [(1, 2, 21), (1, 3, 11), (1, 5, 7), (2, 3, 6), (3, 1, 8)]
)
def test_values_are_those_of_the_whole_matrices(against, coalition, grid):
    solution = solve_guts(coalition=coalition, against=against, grid=grid)
    rules = make_grid(coalition=coalition, against=against, grid=grid)
    rows, columns = all_multisets(grid, against), all_multisets(grid, coalition)
    payoffs, multipliers = rules.payoffs(rows, columns), rules.multipliers(rows, columns)[0]
    assert solution.sizes == {"rows": len(rows), "columns": len(columns)}
    assert solution.one_shot.value == pytest.approx(solve_matrix(payoffs, method="lp").value, abs=1e-9)
    repeated = value_by_bisection(payoffs, multipliers, -against, coalition)
    assert solution.repeated.value == pytest.approx(repeated, abs=1e-8)
    assert solution.outcome == "entered"
    assert solution.converged


class ExactRounds:
    """All plans with exact payoffs; what is the least and the most that mixtures bring with v to come."""

    def __init__(self, against, coalition, grid):
        self.payoffs, self.multipliers = exact_matrices(against, coalition, grid)
        self.rows, self.columns = all_multisets(grid, against), all_multisets(grid, coalition)
        self.grid = grid

    def weights(self, plans, mixture):
        """Return the exact weight of each plan; the floats are scaled to sum to exactly 1."""
        total = sum(Fraction(weight) for _, weight in mixture)
        weights = [Fraction(0)] * len(plans)
        for thresholds, weight in mixture:
            place = plans.index(tuple(round(held * (self.grid - 1)) for held in thresholds))
            weights[place] += Fraction(weight) / total
        return weights

    def worth(self, row, column, v):
        return self.payoffs[row][column] + Fraction(v) * self.multipliers[row][column]

    def least(self, player, v):
        x = self.weights(self.rows, player)
        return min(
            sum(x[r] * self.worth(r, c, v) for r in range(len(x)) if x[r]) for c in range(len(self.columns))
        )

    def most(self, coalition, v):
        y = self.weights(self.columns, coalition)
        return max(
            sum(y[c] * self.worth(r, c, v) for c in range(len(y)) if y[c]) for r in range(len(self.rows))
        )


@pytest.mark.parametrize("method", ["newton", "value_iteration", "fictitious_play"])
@pytest.mark.parametrize(("against", "coalition", "grid"), [(1, 2, 6), (1, 3, 4), (2, 2, 4)])
def test_bounds_hold_in_exact_arithmetic(against, coalition, grid, method):
    """Against all plans, with exact payoffs, to 1e-12: the mixtures prove the bounds, of one round and of all.

    Who plays x for ever has L if a round is worth more than the fee with the fee to come, and L with L to come.
    """
    solution = solve_guts(coalition=coalition, against=against, grid=grid, method=method)
    rounds = ExactRounds(against, coalition, grid)
    once, again = solution.one_shot, solution.repeated
    assert rounds.least(once.player, 0) >= once.lower - 1e-12
    assert rounds.most(once.coalition, 0) <= once.upper + 1e-12
    assert rounds.least(again.player, -against) > -against
    assert rounds.least(again.player, again.lower) >= again.lower - 1e-12
    assert rounds.most(again.coalition, coalition) < coalition
    assert rounds.most(again.coalition, again.upper) <= again.upper + 1e-12
    for found in (once, again):
        assert -1e-12 <= found.upper - found.lower <= (0.05 if method == "fictitious_play" else 1e-9)


def test_one_against_one_on_two_points():
    """Hold or drop: every value from -1 to 1 comes back to itself, so player 1 does not enter."""
    solution = solve_guts(coalition=1, grid=2)
    assert solution.outcome == "does not enter"
    assert (solution.repeated.lower, solution.repeated.upper) == (-1, 1)
    assert solution.repeated.value == -1
    assert solution.one_shot.value == 0


@pytest.mark.parametrize("reduced", [False, True])
def test_one_against_two_is_as_published(reduced):
    """As fictitious play had it, roughly: the bloc 0.68 at 86 %, (0, 0.86) at 14 %, player 1 at 0.64."""
    solution = solve_guts(coalition=2, grid=101, reduced=reduced)
    assert solution.repeated.value == pytest.approx(-0.013, abs=5e-4)
    (bloc, often), (pseudo_bloc, seldom) = solution.strategies["coalition"]
    assert bloc == ((0.68, 0.68) if reduced else (0.67, 0.68))
    assert pseudo_bloc == (0.0, 0.86)
    assert (often, seldom) == (pytest.approx(0.86, abs=0.04), pytest.approx(0.14, abs=0.04))
    player = solution.strategies["player"]
    assert sum(thresholds[0] * weight for thresholds, weight in player) == pytest.approx(0.64, abs=0.01)


def test_two_against_two_is_as_published():
    solution = solve_guts(coalition=2, against=2, grid=21)
    assert solution.repeated.value == pytest.approx(0, abs=1e-9)
    for mixture in solution.strategies.values():
        blocs = sum(weight for (low, high), weight in mixture if 0.7 <= low <= high <= 0.85)
        assert blocs == pytest.approx(0.95, abs=0.03)


@pytest.mark.parametrize("players", [1, 2, 3])
def test_equal_sides_get_nothing(players):
    solution = solve_guts(coalition=players, against=players, grid=21)
    for found in (solution.one_shot, solution.repeated):
        assert found.value == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("reduced", [False, True])
def test_changing_sides_changes_the_sign(reduced):
    one = solve_guts(coalition=4, against=2, grid=21, reduced=reduced)
    other = solve_guts(coalition=2, against=4, grid=21, reduced=reduced)
    assert one.repeated.value == pytest.approx(-other.repeated.value, abs=1e-8)
    assert one.one_shot.value == pytest.approx(-other.one_shot.value, abs=1e-8)


@pytest.mark.parametrize(("coalition", "grid"), [(2, 101), (3, 51), (5, 21), (9, 41)])
def test_blocs_and_pseudo_blocs_are_nearly_all_a_coalition_needs(coalition, grid):
    full = solve_guts(coalition=coalition, grid=grid).repeated
    reduced = solve_guts(coalition=coalition, grid=grid, reduced=True).repeated
    assert full.lower <= reduced.upper + 1e-12
    assert reduced.value - full.value < 2e-3
    assert all(len(set(profile)) == 1 or profile[0] == 0 for profile, _ in reduced.coalition)


def test_larger_coalitions_take_more():
    values = [solve_guts(coalition=n, grid=101, reduced=True).repeated.value for n in range(1, 12)]
    assert values == sorted(values, reverse=True)
    assert values[0] == pytest.approx(0, abs=1e-9)


def test_finer_grids_are_better_for_both():
    """A grid within a finer one: value and strategies change little, as the game is continuous."""
    coarse, fine = (solve_guts(coalition=3, grid=grid).repeated.value for grid in (101, 401))
    assert coarse == pytest.approx(fine, abs=2e-4)


@pytest.mark.parametrize(("coalition", "grid"), [(15, 101), (40, 61), (2, 2001)])
def test_large_games_close(coalition, grid):
    solution = solve_guts(coalition=coalition, grid=grid)
    assert solution.converged
    assert solution.gap <= 1e-9
    assert -0.17 < solution.repeated.value < solution.one_shot.value < 0


def test_methods_agree():
    newton, iterated = (solve_guts(coalition=3, grid=21, method=m) for m in ("newton", "value_iteration"))
    assert newton.repeated.value == pytest.approx(iterated.repeated.value, abs=1e-8)
    played = solve_guts(coalition=3, grid=21, method="fictitious_play", gap=2e-3)
    assert played.repeated.lower - 1e-9 <= newton.repeated.value <= played.repeated.upper + 1e-9
    assert played.gap <= 2e-3


def test_chips_confirm_the_repeated_value():
    """Whole games with chips; both sides draw a joint profile for each round."""
    solution = solve_guts(coalition=2, grid=51)
    draw = random.Random(7)
    sides = [tuple(zip(*solution.strategies[side], strict=True)) for side in ("player", "coalition")]

    def profile():
        return [held for plans, weights in sides for held in draw.choices(plans, weights)[0]]

    cash = [play_with_chips(3, profile, draw)[0] for _ in range(40_000)]
    error = np.std(cash) / np.sqrt(len(cash))
    assert error < 0.03
    assert abs(np.mean(cash) - solution.repeated.value) < 4 * error


def test_limits_and_callback():
    stopped = solve_guts(coalition=6, grid=101, iterations=1)
    assert (stopped.stopped_by, stopped.converged) == ("iterations", False)
    assert stopped.repeated.lower <= stopped.repeated.value < stopped.repeated.upper
    seen = []
    solve_guts(coalition=2, grid=21, callback=seen.append)
    assert seen
    assert seen[-1].lower <= seen[-1].upper


def test_solutions_are_the_same_bytes_each_time():
    one, two = (solve_guts(coalition=3, grid=31) for _ in range(2))
    assert one.repeated == two.repeated
    assert one.one_shot == two.one_shot


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"coalition": 0}, GameError, "coalition must be a whole number from 1 up"),
        ({"coalition": -3}, GameError, "not -3"),
        ({"coalition": 2.5}, GameError, "not 2.5"),
        ({"coalition": 2.0}, GameError, "not 2.0"),
        ({"coalition": True}, GameError, "not True"),
        ({"coalition": "2"}, GameError, "not '2'"),
        ({"coalition": float("nan")}, GameError, "not nan"),
        ({"coalition": 2, "against": 0}, GameError, "against must be a whole number from 1 up"),
        ({"coalition": 2, "grid": 1}, GameError, "grid must be a whole number from 2 up"),
        ({"coalition": 2, "grid": 10.5}, GameError, "not 10.5"),
        ({"coalition": 10**6, "grid": 10**6}, SizeError, "use a coarser grid or fewer players"),
        ({"coalition": 10**400}, SizeError, "use a coarser grid or fewer players"),
        ({"coalition": 5, "grid": 101, "method": "fictitious_play"}, SizeError, "newton"),
        ({"coalition": 2, "method": "simplex"}, UnknownNameError, "there is no method 'simplex'"),
        ({"coalition": 2, "gap": -1.0}, MaxminError, "gap"),
        ({"coalition": 2, "gap": float("nan")}, MaxminError, "gap"),
        ({"coalition": 2, "seconds": 0}, MaxminError, "seconds"),
        ({"coalition": 2, "iterations": 0}, MaxminError, "iterations"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        solve_guts(**arguments)
