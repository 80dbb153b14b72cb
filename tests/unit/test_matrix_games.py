"""`solve_matrix`: known games by every method, odd games, and how a solve ends."""

import random
import signal
import warnings
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
from reference.matrix_games import fictitious_play, regret_matching, value_by_supports

from maxmin.errors import Cancelled, MaxminError
from maxmin.matrix import METHODS, solve_matrix

OPTIMIZERS = ("auto", "lp", "interior_point", "double_oracle", "exact")
ITERATIVE = ("fictitious_play", "alternating_fictitious_play", "optimistic_fictitious_play", "rm+")
ROCK_PAPER_SCISSORS = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]


def blotto(ours, theirs, fields):
    """Who sends more regiments to a field wins it, and the others' regiments there."""

    def orders(regiments):
        return [order for order in product(range(regiments + 1), repeat=fields) if sum(order) == regiments]

    def won(a, b):
        return b + 1 if a > b else -(a + 1) if a < b else 0

    return [
        [sum(map(won, ours_sent, theirs_sent)) for theirs_sent in orders(theirs)]
        for ours_sent in orders(ours)
    ]


KNOWN = {
    "one by one": ([[7]], Fraction(7)),
    "one row": ([[3, 1, 2]], Fraction(1)),
    "one column": ([[3], [1], [2]], Fraction(3)),
    "all equal": ([[2, 2, 2], [2, 2, 2]], Fraction(2)),
    "all zero": ([[0, 0], [0, 0], [0, 0]], Fraction(0)),
    "matching pennies": ([[1, -1], [-1, 1]], Fraction(0)),
    "rock, paper, scissors": (ROCK_PAPER_SCISSORS, Fraction(0)),
    "two-finger Morra": ([[2, -3], [-3, 4]], Fraction(-1, 12)),
    "saddle point": ([[4, 2, 5], [3, 1, 0]], Fraction(2)),
    "saddle point amid ties": ([[0, 0, 1], [0, 0, -1], [1, -1, 0]], Fraction(0)),
    "hide and seek": (np.diag([1, 2, 4, 5]).tolist(), Fraction(20, 39)),
    # McKinsey (Introduction to the Theory of Games, 1952), chapter 3: four regiments against three at two posts.
    "Colonel Blotto": (blotto(4, 3, 2), Fraction(14, 9)),
    "Blotto, alike": (blotto(5, 5, 3), Fraction(0)),
    "duplicated rows and columns": ([[2, -3, 2], [2, -3, 2], [-3, 4, -3]], Fraction(-1, 12)),
}


@pytest.mark.parametrize("method", OPTIMIZERS)
@pytest.mark.parametrize("name", KNOWN)
def test_known_games_exactly_or_nearly_so(name, method):
    payoffs, value = KNOWN[name]
    solution = solve_matrix(payoffs, method=method)
    assert solution.converged
    assert solution.lower <= solution.value <= solution.upper
    assert solution.value == pytest.approx(float(value), abs=1e-9)
    check_strategies(payoffs, solution, tolerance=1e-12)


@pytest.mark.parametrize("method", ITERATIVE)
@pytest.mark.parametrize("name", KNOWN)
def test_known_games_are_bounded_at_any_time(name, method):
    payoffs, value = KNOWN[name]
    for iterations in (1, 7, 3000):
        solution = solve_matrix(payoffs, method=method, iterations=iterations)
        assert solution.lower - 1e-12 <= value <= solution.upper + 1e-12
        assert solution.iterations <= iterations
        check_strategies(payoffs, solution, tolerance=1e-12)
    assert solution.relative_gap < 0.05


def check_strategies(payoffs, solution, tolerance):
    """Strategies are distributions, and both bounds are what they guarantee."""
    matrix = np.array(payoffs, dtype=float)
    rows, columns = solution.row_strategy, solution.column_strategy
    for strategy, weights in ((rows, solution.row_weights), (columns, solution.column_weights)):
        assert (weights > 0).all()
        assert strategy.sum() == pytest.approx(1, abs=1e-12)
    scale = max(1.0, np.abs(matrix).max())
    assert (rows @ matrix).min() == pytest.approx(solution.lower, abs=tolerance * scale)
    assert (matrix @ columns).max() == pytest.approx(solution.upper, abs=tolerance * scale)


def random_matrix(seed, *, most=4):
    rng = random.Random(seed)
    numbers = [Fraction(n, d) for n in range(-3, 4) for d in (1, 2, 3)]
    n_columns = rng.randint(1, most)
    return [[rng.choice(numbers) for _ in range(n_columns)] for _ in range(rng.randint(1, most))]


@pytest.mark.parametrize("seed", range(25))
def test_values_are_those_of_all_supports(seed):
    matrix = random_matrix(seed)
    value = value_by_supports(matrix)
    found = solve_matrix(matrix, method="exact")
    assert found.exact.value == value
    for method in OPTIMIZERS:
        assert solve_matrix(matrix, method=method).value == pytest.approx(float(value), abs=1e-12), method


@pytest.mark.parametrize("seed", range(10))
def test_exact_strategies_guarantee_exactly_the_value(seed):
    matrix = random_matrix(100 + seed, most=7)
    exact = solve_matrix(matrix, method="exact").exact
    columns = list(zip(*matrix, strict=True))
    x, y = exact.row_strategy, exact.column_strategy
    assert sum(x) == sum(y) == 1
    assert min((*x, *y)) >= 0
    assert min(sum(a * b for a, b in zip(x, column, strict=True)) for column in columns) == exact.value
    assert max(sum(a * b for a, b in zip(y, row, strict=True)) for row in matrix) == exact.value


def test_exact_numbers_are_fractions_in_json_too():
    solution = solve_matrix([["1/3", 0], [Fraction(0), "0.5"]], method="exact")
    assert solution.exact.value == Fraction(1, 5)
    assert solution.to_json()["exact"] == {
        "value": "1/5",
        "row_strategy": ["3/5", "2/5"],
        "column_strategy": ["3/5", "2/5"],
    }
    assert solution.value == solution.lower == solution.upper == 0.2


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("variant", ["simultaneous", "alternating", "optimistic"])
def test_fictitious_play_is_that_of_the_papers(variant, seed):
    rng = random.Random(seed)
    matrix = [[rng.randint(-4, 4) for _ in range(3 + seed % 3)] for _ in range(4)]
    method = "fictitious_play" if variant == "simultaneous" else f"{variant}_fictitious_play"
    solution = solve_matrix(matrix, method=method, iterations=60, gap=0)
    seen = [
        [count / t for counts in fictitious_play(matrix, variant, t) for count in counts]
        for t in (int(entry[1]) for entry in solution.trace)
    ]
    assert solution.row_strategy.tolist() in [pytest.approx(each[:4]) for each in seen]
    assert solution.column_strategy.tolist() in [pytest.approx(each[4:]) for each in seen]
    bounds = [(min(np.array(each[:4]) @ matrix), max(np.array(matrix) @ each[4:])) for each in seen]
    assert solution.lower == pytest.approx(max(lower for lower, _ in bounds))
    assert solution.upper == pytest.approx(min(upper for _, upper in bounds))


@pytest.mark.parametrize("seed", range(6))
def test_regret_matching_is_that_of_the_paper(seed):
    rng = random.Random(seed)
    matrix = [[rng.randint(-9, 9) for _ in range(4)] for _ in range(5)]
    solution = solve_matrix(matrix, method="rm+", iterations=40, gap=0)
    averages = [regret_matching(matrix, int(entry[1])) for entry in solution.trace]
    lower = [min(rows @ np.array(matrix)) for rows, _ in averages]
    upper = [max(np.array(matrix) @ columns) for _, columns in averages]
    assert solution.lower == pytest.approx(max(lower))
    assert solution.upper == pytest.approx(min(upper))
    assert solution.row_strategy == pytest.approx(averages[int(np.argmax(lower))][0])
    assert solution.column_strategy == pytest.approx(averages[int(np.argmin(upper))][1])


@pytest.mark.parametrize("method", ITERATIVE)
def test_the_same_input_gives_the_same_bytes(method):
    matrix = np.random.default_rng(3).random((40, 700))
    first, second = (solve_matrix(matrix, method=method, iterations=500) for _ in range(2))
    assert first.row_weights.tobytes() == second.row_weights.tobytes()
    assert first.column_weights.tobytes() == second.column_weights.tobytes()


@pytest.mark.parametrize(
    ("method", "gap"), [("optimistic_fictitious_play", 5e-3), ("rm+", 1e-4), ("fictitious_play", 0.05)]
)
def test_iterative_methods_come_near_the_linear_program(method, gap):
    matrix = np.random.default_rng(4).normal(size=(30, 90))
    value = solve_matrix(matrix, method="lp").value
    solution = solve_matrix(matrix, method=method, gap=gap, iterations=30_000)
    assert solution.converged
    assert solution.stopped_by == "gap"
    assert solution.lower - 1e-12 <= value <= solution.upper + 1e-12


@pytest.mark.parametrize("method", ["lp", "interior_point", "double_oracle"])
@pytest.mark.parametrize("scale", [1e-200, 1e-10, 1e10, 1e200])
@pytest.mark.parametrize("shift", [0.0, 3.0, -1e3])
def test_units_do_not_matter(method, scale, shift):
    matrix = np.random.default_rng(5).integers(-8, 9, (12, 17)) / 8
    value = solve_matrix(matrix, method=method).value
    solution = solve_matrix((matrix + shift) * scale, method=method)
    assert solution.relative_gap < 1e-10
    assert solution.value / scale - shift == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("method", ["auto", "lp", "interior_point", "double_oracle"])
def test_a_gap_of_zero_ends_too(method):
    with warnings.catch_warnings(action="error"):
        for seed in range(4):
            matrix = np.random.default_rng(seed).integers(-1, 2, (25, 30))
            solution = solve_matrix(np.repeat(matrix, 2, axis=0), method=method, gap=0)
            assert solution.relative_gap < (1e-9 if method == "interior_point" else 1e-12)
            assert solution.stopped_by in ("gap", "optimal")


def test_methods_agree_where_interior_point_is_at_home():
    matrix = np.random.default_rng(6).random((120, 400))
    solutions = [solve_matrix(matrix, method=method) for method in ("lp", "interior_point")]
    assert solutions[0].value == pytest.approx(solutions[1].value, abs=1e-12)
    assert all(solution.relative_gap < 1e-12 for solution in solutions)


def test_the_program_grows_past_the_payoffs_it_was_written_for():
    """Payoffs of each new row and column are much larger than all before."""
    size = 12
    matrix = np.array([[(-1.0) ** (i + j) * 10.0 ** max(i, j) for j in range(size)] for i in range(size)])
    solution = solve_matrix(matrix, method="double_oracle", rows=[0], columns=[0])
    assert solution.value == pytest.approx(solve_matrix(matrix, method="lp").value, abs=1e-9 * 10.0**size)
    assert solution.converged


@pytest.mark.parametrize("method", ["double_oracle", *ITERATIVE])
def test_iterations_are_kept(method):
    solution = solve_matrix(np.random.default_rng(8).random((30, 30)), method=method, iterations=2)
    assert (solution.iterations, solution.stopped_by, solution.converged) == (2, "iterations", False)
    assert len(solution.trace) == 2


@pytest.mark.parametrize("method", ["fictitious_play", "rm+"])
def test_seconds_are_kept(method):
    matrix = np.random.default_rng(9).random((200, 200))
    solution = solve_matrix(matrix, method=method, gap=0, seconds=0.1)
    assert solution.stopped_by == "seconds"
    assert solution.lower < solution.upper


@pytest.mark.parametrize("method", ["lp", "interior_point"])
def test_out_of_time_at_once_leaves_pure_strategies(method):
    matrix = np.random.default_rng(10).random((60, 60))
    solution = solve_matrix(matrix, method=method, seconds=1e-9)
    assert solution.stopped_by == "seconds"
    assert solution.lower >= matrix.min(axis=1).max()
    assert not solution.converged


@pytest.mark.parametrize("method", ["double_oracle", "interior_point", *ITERATIVE])
def test_a_callback_sees_bounds_close_in_and_stops(method):
    seen = []

    def callback(snapshot):
        seen.append(snapshot)
        return len(seen) < 5

    solution = solve_matrix(np.random.default_rng(11).random((80, 90)), method=method, callback=callback)
    assert solution.stopped_by == "interrupt"
    assert len(seen) == 5
    assert all(a.lower <= b.lower <= b.upper <= a.upper for a, b in pairwise(seen))
    assert seen[-1].lower == pytest.approx(solution.lower)


@pytest.mark.parametrize("method", ["fictitious_play", "rm+", "lp"])
def test_control_c_keeps_what_there_is(method):
    matrix = np.random.default_rng(12).random((300, 300))

    def callback(_):
        signal.raise_signal(signal.SIGINT)

    solution = solve_matrix(matrix, method=method, gap=0, callback=callback)
    assert solution.stopped_by == "interrupt"
    assert solution.lower <= solution.upper


def test_an_exact_answer_that_is_out_of_time():
    matrix = [[random.Random(r * 50 + c).randint(-9, 9) for c in range(50)] for r in range(50)]
    with pytest.raises((MaxminError, Cancelled), match="allow more"):
        solve_matrix(matrix, method="exact", seconds=1e-9)


def test_all_methods_are_tested_here():
    assert set(METHODS) == {*OPTIMIZERS, *ITERATIVE}
