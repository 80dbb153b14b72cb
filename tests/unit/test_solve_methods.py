"""Every method finds the value that independent routes find, and says truthfully how far it came."""

import json
from fractions import Fraction

import numpy as np
import pytest
from reference.brute_force import dag_value, exact_team_value, team_value
from reference.random_games import random_game

from maxmin.errors import MaxminError
from maxmin.match import make_match
from maxmin.solve import METHODS, MINIMIZERS, solve
from maxmin.solve.minimizer import discount, next_discount, ones, power, running_weight
from maxmin.solve.regret import RegretRun
from maxmin.sources import load_tree

ROUNDING = 1e-12
GAP = 2e-3


@pytest.fixture(scope="module")
def games():
    """Return trees with a team and its value, found without any DAG of the core or in fractions."""
    kuhn = load_tree("kuhn_poker(players=2)")
    three = load_tree("3K3")
    found = [(kuhn, (1,), float(exact_team_value(kuhn, (1,)))), (three, (1, 3), dag_value(three, (1, 3)))]
    for seed in (3, 8, 15):
        tree = random_game(seed, size=14)
        found.append((tree, (1, 2), team_value(tree, (1, 2))))
    return found


@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize("method", MINIMIZERS)
def test_every_method_converges_to_the_value(games, method, alternating):
    for tree, team, value in games:
        solution = solve(tree, team=team, method=method, gap=GAP, iterations=30_000, alternating=alternating)
        assert solution.converged, (tree.name, solution)
        assert solution.stopped_by == "gap"
        assert solution.lower - 1e-9 <= value <= solution.upper + 1e-9


@pytest.mark.parametrize("method", ["lp", "auto"])
def test_linear_program_ends_at_the_value(games, method):
    for tree, team, value in games:
        solution = solve(tree, team=team, method=method, gap=1e-9)
        assert (solution.method, solution.stopped_by, solution.converged) == ("lp", "optimal", True)
        assert solution.value == pytest.approx(value, abs=1e-9)


def test_column_generation_ends_at_the_value(games):
    for tree, team, value in games:
        solution = solve(tree, team=team, method="column_generation", gap=1e-8)
        assert (solution.stopped_by, solution.converged) == ("gap", True)
        assert solution.value == pytest.approx(value, abs=1e-6)
        assert solution.lower - 1e-9 <= value <= solution.upper + 1e-9


def test_kuhn_poker_is_worth_minus_an_eighteenth_within_the_bounds():
    for method in METHODS:
        solution = solve("kuhn_poker(players=2)", method=method, gap=1e-4, iterations=5000)
        lower, upper = (
            Fraction(solution.lower) - Fraction(ROUNDING),
            Fraction(solution.upper) + Fraction(ROUNDING),
        )
        assert lower <= Fraction(-1, 18) <= upper


@pytest.mark.parametrize("method", [*MINIMIZERS, "column_generation", "dag_column_generation"])
def test_the_trace_is_in_order_and_holds_the_value(method):
    solution = solve("3K3", team=(1, 3), method=method, gap=1e-5, iterations=300)
    seconds, iterations, lower, upper = np.array(solution.trace).T
    assert (np.diff(iterations) > 0).all()
    assert (np.diff(seconds) >= 0).all()
    assert (lower <= upper).all()
    assert (lower <= 1e-9).all()  # the value is 0
    assert (upper >= -1e-9).all()
    assert solution.trace[-1][1] == solution.iterations
    assert solution.trace[-1][2:] == pytest.approx([solution.lower, solution.upper], abs=1e-12)
    assert seconds[-1] <= solution.seconds


@pytest.mark.parametrize("method", ["dcfr+", "lp", "column_generation", "dag_column_generation"])
def test_json_is_plain(method):
    solution = solve(
        "3K3", team=np.array([2, 1]), method=method, gap=np.float32(1e-3), iterations=np.int64(50)
    )
    fields = solution.to_json()
    assert json.loads(json.dumps(fields, allow_nan=False)) == fields
    assert fields["team"] == [1, 2]
    assert fields["sizes"]["leaves"] == 78
    assert fields["gap"] == fields["upper"] - fields["lower"]


def test_the_same_run_gives_the_same_bytes():
    first, second = (solve("3L122", team=(1, 2), iterations=60, gap=0) for _ in range(2))
    for name, array in first.strategy.to_arrays().items():
        assert array.tobytes() == second.strategy.to_arrays()[name].tobytes()
    assert (first.lower, first.upper) == (second.lower, second.upper)


@pytest.mark.parametrize("method", [*MINIMIZERS, "column_generation", "dag_column_generation"])
def test_stopping_at_the_gap_is_converging(method):
    """The bounds that are returned are computed anew; rounding must not leave them outside of the gap."""
    for gap in (1e-1, 1e-2, 3e-3, 1e-3):
        solution = solve("3K3", team=(1, 2), method=method, gap=gap, iterations=5000)
        assert solution.converged == (solution.stopped_by == "gap")


def test_simultaneous_updates_are_another_run():
    runs = [solve("3K4", team=(1, 2), method="cfr", iterations=20, alternating=way) for way in (True, False)]
    assert runs[0].trace != runs[1].trace


def test_unknown_methods_are_refused_with_near_names():
    from maxmin.errors import UnknownNameError

    with pytest.raises(UnknownNameError, match=r"there is no method 'dcfr-': did you mean .*dcfr"):
        solve("3K3", method="dcfr-")


def test_plain_regret_matching_by_hand():
    """Rock, paper, scissors with a doubled prize: the first iterations of CFR, worked out in NumPy."""
    payoffs = np.array([[0.0, -1, 2], [1, 0, -1], [-2, 1, 0]])
    match = make_match(matrix_game(payoffs), (1,))
    run = RegretRun(match, MINIMIZERS["cfr"], alternating=True)
    scale = match.scale.half_range
    mine, theirs = np.full(3, 1 / 3), np.full(3, 1 / 3)
    my_regret, their_regret, sums = np.zeros(3), np.zeros(3), np.zeros((2, 3))
    for t in range(1, 30):
        gain = (payoffs @ theirs - match.scale.middle) / scale
        my_regret += gain - mine @ gain
        mine = matched(my_regret)
        loss = -(mine @ payoffs - match.scale.middle) / scale
        their_regret += loss - theirs @ loss
        theirs = matched(their_regret)
        sums += mine, theirs
        run.advance(1)
        ours, others = run.averages()
        np.testing.assert_allclose(ours, sums[0] / t, atol=1e-12)
        np.testing.assert_allclose(others, sums[1] / t, atol=1e-12)
        bounds = run.bounds()
        assert bounds.lower == pytest.approx((sums[0] / t @ payoffs).min(), abs=1e-12)
        assert bounds.upper == pytest.approx((payoffs @ sums[1] / t).max(), abs=1e-12)


def matched(regret):
    positive = np.maximum(regret, 0)
    return positive / positive.sum() if positive.any() else np.full(len(regret), 1 / len(regret))


def matrix_game(payoffs):
    from maxmin.tree_builder import TreeBuilder

    builder = TreeBuilder("matrix", ("row", "column"))
    rows, columns = payoffs.shape
    root = builder.decision(-1, -1, 1, "row", [str(row) for row in range(rows)])
    for row in range(rows):
        node = builder.decision(root, row, 2, "column", [str(column) for column in range(columns)])
        for column in range(columns):
            builder.leaf(node, column, [payoffs[row, column], -payoffs[row, column]])
    return builder.finish()


def test_schedules_of_the_papers():
    t = np.arange(1.0, 6)
    np.testing.assert_allclose(ones(t, 5), 1)
    np.testing.assert_allclose(power(2)(t, 5), [1, 4, 9, 16, 25])
    np.testing.assert_allclose(discount(1.5)(t, 5)[1:], [s**1.5 / (s**1.5 + 1) for s in (1, 2, 3, 4)])
    assert discount(1.5)(t, 5)[0] == 0
    np.testing.assert_allclose(next_discount(2.3)(t, 5), t**2.3 / (t**2.3 + 1))
    np.testing.assert_allclose(running_weight(lambda s, n: 0 * s + 2)(t, 5), t**2)
    np.testing.assert_allclose(running_weight(lambda s, n: 0 * s + 2)(t[3:], 5), t[3:] ** 2)


def test_hyperparameter_schedules_at_their_ends():
    """alpha goes from 1 to 4, beta from -1 to -3, gamma from 30 to 25 in the iterations that are planned."""
    kind, n = MINIMIZERS["hs_dcfr"], 10
    t = np.array([1.0, 2, n + 1, 5 * n])
    alpha, beta = np.array([1.3, 4, 4]), np.array([-1.2, -3, -3])
    s = t[1:] - 1
    np.testing.assert_allclose(kind.positive(t, n)[1:], s**alpha / (s**alpha + 1))
    np.testing.assert_allclose(kind.negative(t, n)[1:], s**beta / (s**beta + 1))
    weight = kind.weight(t, n)
    assert weight[1] / weight[0] == pytest.approx(2.0 ** (30 - 5 * 0.2))
    late = kind.weight(np.array([50.0, 51.0]), n)
    assert late[1] / late[0] == pytest.approx((51 / 50) ** 25)


def test_bounds_that_cross_are_a_fault_not_an_answer():
    match = make_match(load_tree("kuhn_poker"), (1,))
    met = match.scale.to_bounds(1e-12, 0.0)
    assert met.lower <= met.upper
    with pytest.raises(MaxminError, match="cross by"):
        match.scale.to_bounds(0.1, 0.0)
