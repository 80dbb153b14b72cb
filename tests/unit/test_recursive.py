"""Recursive games whose values are known or follow by hand: Shapley's, Everett's, and the paper's cases."""

import math

import numpy as np
import pytest

from maxmin.errors import GameError, MaxminError, UnknownNameError
from maxmin.matrix import solve_matrix
from maxmin.recursive import METHODS, MatrixState, RecursiveGame, solve_recursive


def one_state(payoffs, multipliers, **fees):
    return RecursiveGame(MatrixState(payoffs, multipliers), **fees)


def assert_value(found, value, *, gap=1e-9):
    assert found.upper - found.lower <= gap
    assert found.lower - 1e-15 <= value <= found.upper + 1e-15
    assert found.value == pytest.approx(value, abs=gap)


def test_shapley_square_root():
    # T(v) = val [[1 + v/2, 0], [0, 1]] = (1 + v/2) / (2 + v/2), so v^2 + 3 v - 2 = 0: the value is irrational.
    game = one_state([[1, 0], [0, 1]], [[0.5, 0], [0, 0]])
    solution = solve_recursive(game)
    assert_value(solution.repeated, (math.sqrt(17) - 3) / 2, gap=1e-13)
    # x (1 + v/2) = 1 - x makes both columns equally bad.
    v = (math.sqrt(17) - 3) / 2
    assert solution.repeated.rows == (0, 1)
    assert solution.repeated.row_weights[0] == pytest.approx(1 / (2 + v / 2), abs=1e-12)
    assert_value(solution.one_shot, 0.5)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("stop", [0.5, 0.1])
def test_shapley_two_states(method, stop):
    # "up" pays 1 and leads to "down", which costs 1 and leads back: v1 = 1 + c v2, v2 = -1 + c v1.
    c = 1 - stop
    states = [MatrixState([[1]], [[[0]], [[c]]]), MatrixState([[-1]], [[[c]], [[0]]])]
    solution = solve_recursive(RecursiveGame(states, names=["up", "down"]), method=method)
    assert_value(solution["up"].repeated, 1 / (1 + c))
    assert_value(solution["down"].repeated, -1 / (1 + c))


@pytest.mark.parametrize("discount", [0.5, 0.9, 0.999])
def test_big_match(discount):
    # Blackwell and Ferguson (1968): the discounted value is 1/2 at every discount, and player 1, who ends the
    # guessing by saying 1, does so with probability (1 - d) / (2 - d).
    ends = 1 / (1 - discount)
    guess = MatrixState([[1, 0], [0, ends]], [[discount, discount], [0, 0]], rows=["0", "1"])
    solution = solve_recursive(RecursiveGame(guess))
    assert_value(solution.repeated, ends / 2, gap=1e-9)
    assert solution.repeated.row_weights[1] == pytest.approx((1 - discount) / (2 - discount), abs=1e-9)


def test_big_match_with_absorbing_states():
    d, nothing = 0.9, np.zeros((2, 2))
    guess = MatrixState([[1, 0], [0, 1]], [[[d, d], [0, 0]], [[0, 0], [0, d]], [[0, 0], [d, 0]]])
    won = MatrixState([[1]], [[[0]], [[d]], [[0]]])
    lost = MatrixState(nothing, [nothing, nothing, np.full((2, 2), d)])
    solution = solve_recursive(RecursiveGame([guess, won, lost], names=["guess", "won", "lost"]))
    for name, value in {"guess": 5, "won": 10, "lost": 0}.items():
        assert_value(solution[name].repeated, value)


def test_everett_only_almost_optimal():
    # Everett (1957): [[again, 1], [1, 0]] is worth 1, though no mixture guarantees it: T(v) = 1 / (2 - v) has a
    # double fixed point at 1, of which floats give half of their digits.
    solution = solve_recursive(one_state([[0, 1], [1, 0]], [[1, 0], [0, 0]]))
    assert_value(solution.repeated, 1, gap=1e-6)
    assert solution.outcome == "entered"
    assert 0 < solution.repeated.row_weights[-1] < 1e-3


def test_everett_value_iteration_is_slow():
    # From 0, 1 / (2 - v) goes through 1/2, 2/3, 3/4, ...
    game = one_state([[0, 1], [1, 0]], [[1, 0], [0, 0]], t1=0, t2=1)
    solution = solve_recursive(game, method="value_iteration", iterations=99)
    assert solution.repeated.lower == pytest.approx(99 / 100, abs=1e-12)
    assert solution.repeated.upper == 1
    assert (solution.outcome, solution.stopped_by, solution.converged) == ("not settled", "iterations", False)


def test_everett_mirrored():
    solution = solve_recursive(one_state([[0, -1], [-1, 0]], [[1, 0], [0, 0]]))
    assert_value(solution.repeated, -1, gap=1e-6)


def test_everett_waiting_for_ever_pays_nothing():
    # Player 1 waits, or ends the game at -1; T(v) = max(v, -1) has all v from -1 up as fixed points.
    assert_value(solve_recursive(one_state([[0], [-1]], [[1], [0]])).repeated, 0)
    assert_value(solve_recursive(one_state([[0, 1]], [[1, 0]])).repeated, 0)


@pytest.mark.parametrize("sign", [1, -1])
def test_everett_loops_at_other_values(sign):
    # In "choose" the player who likes it moves to "end", which pays 1/2; the other state only makes bounds wide.
    loop_or_end = [[[1, 0]], [[0, 1]], [[0, 0]]]
    choose = np.array(loop_or_end) if sign < 0 else np.array(loop_or_end).transpose(0, 2, 1)
    states = [
        MatrixState(np.zeros(choose.shape[1:]), choose),
        MatrixState([[0.5 * sign]], np.zeros((3, 1, 1))),
        MatrixState([[-3 * sign]], np.zeros((3, 1, 1))),
    ]
    solution = solve_recursive(RecursiveGame(states, names=["choose", "end", "other"]))
    assert_value(solution["choose"].repeated, 0.5 * sign)
    assert_value(solution["other"].repeated, -3 * sign)


def test_everett_random_walk():
    # Between ruin at 0 (-1) and 6 (+1), one step up or down: v_i = 2 i / 6 - 1.
    n = 5
    states = []
    for i in range(n):
        steps = np.zeros((n, 1, 1))
        for j in (i - 1, i + 1):
            if 0 <= j < n:
                steps[j] = 0.5
        states.append(MatrixState([[0.5 * (i == n - 1) - 0.5 * (i == 0)]], steps))
    solution = solve_recursive(RecursiveGame(states))
    for i, state in enumerate(solution.states, start=1):
        assert_value(state.repeated, 2 * i / 6 - 1)


@pytest.mark.parametrize("method", METHODS)
def test_player_1_does_not_enter(method):
    # T(v) = -1 + v/2 lies below v at -t1 = -1/2, and its fixed point -2 cannot be reached.
    solution = solve_recursive(one_state([[-1]], [[0.5]], t1=0.5, t2=3), method=method)
    assert (solution.outcome, solution.repeated.value, solution.repeated.upper) == (
        "does not enter",
        -0.5,
        -0.5,
    )
    assert solution.one_shot.value == -1


def test_both_players_see_that_stakes_grow_against_player_1():
    # T(v) = 2 v - 3/4 leads away from its fixed point 3/4, down from -1 and from 1/2.
    game = one_state([[-0.75]], [[2.0]], t1=1, t2=0.5)
    solution = solve_recursive(game)
    assert (solution.outcome, solution.repeated.value, solution.converged) == ("does not enter", -1, True)


def test_v1_equal_to_v0_is_not_worth_entering():
    solution = solve_recursive(one_state([[0]], [[1]], t1=1, t2=1))
    assert (solution.outcome, solution.repeated.value) == ("does not enter", -1)
    assert (solution.repeated.lower, solution.repeated.upper) == (-1, 1)


@pytest.mark.parametrize(("payoff", "multiplier"), [(1, 2), (0.1, 1)])
def test_diverges(payoff, multiplier):
    game = one_state([[payoff]], [[multiplier]], t1=0.05)
    solution = solve_recursive(game)
    assert (solution.outcome, solution.repeated.value, solution.stopped_by) == ("diverges", math.inf, "gap")
    assert solution.to_json()["repeated"]["value"] is None


def test_diverges_by_two_rows_in_turn():
    # The first row alone leads from -1 to 0, the second from there to any sum, though from -1 it leads down.
    solution = solve_recursive(one_state([[0], [0.9]], [[0.5], [2]], t1=1))
    assert solution.outcome == "diverges"


@pytest.mark.parametrize("method", METHODS)
def test_capped_at_t2(method):
    solution = solve_recursive(one_state([[1]], [[2]], t1=0.5, t2=3), method=method)
    assert (solution.outcome, solution.repeated.value) == ("capped at t2", 3)


@pytest.mark.parametrize("method", METHODS)
def test_bounds_do_not_meet(method):
    # T(v) = max(1/4, 2 v - 1/2): fixed points 1/4 and 1/2; from t2 = 1 it never comes down.
    game = one_state([[0.25], [-0.5]], [[0], [2]], t1=1, t2=1)
    solution = solve_recursive(game, method=method)
    assert solution.outcome == "bounds do not meet"
    assert solution.repeated.value == solution.repeated.lower == pytest.approx(0.25, abs=1e-12)
    assert solution.repeated.upper == 1
    assert (solution.converged, solution.stopped_by) == (False, "optimal")


def test_optimal_mixture_alone_does_not_reach_the_value():
    # T(v) = 0.8 v, but against x = (1/2, 1/2), optimal at 0, column 2 multiplies losses by 1.6.
    game = one_state([[1, -1], [-1, 1]], [[0, 1.6], [0, 1.6]], t1=1, t2=1)
    solution = solve_recursive(game)
    assert_value(solution.repeated, 0)
    assert solution.outcome == "entered"


def test_states_that_are_entered_and_not():
    # "good" pays 1 and leads to "bad" at half the stakes; "bad" costs 5, so player 1 pays his fee 1 there: 1 - 1/2.
    states = [MatrixState([[1]], [[[0]], [[0.5]]]), MatrixState([[-5]], [[[0.5]], [[0]]])]
    solution = solve_recursive(RecursiveGame(states, names=["good", "bad"], t1=1, t2=4))
    assert_value(solution["good"].repeated, 0.5)
    assert (solution["good"].outcome, solution["bad"].outcome) == ("entered", "does not enter")
    assert solution["bad"].repeated.value == -1


class Hidden:
    """A state of which a solver sees no more than it asks for."""

    def __init__(self, state):
        self.payoffs, self.multipliers, self.start = state.payoffs, state.multipliers, state.start
        self.best_row, self.best_column = state.best_row, state.best_column


@pytest.mark.parametrize("fees", [{"t1": 1}, {"t1": 1, "t2": 2}])
@pytest.mark.parametrize("hide", [lambda state: state, Hidden])
def test_large_matrices(hide, fees):
    random = np.random.default_rng(3)
    payoffs, multipliers = random.uniform(-1, 1, (70, 90)), random.uniform(0, 0.9, (70, 90))
    solution = solve_recursive(RecursiveGame(hide(MatrixState(payoffs, multipliers)), **fees))
    assert solution.gap <= 1e-9
    value = solution.repeated.value
    assert solve_matrix(payoffs + value * multipliers).value == pytest.approx(value, abs=1e-8)
    assert solve_matrix(payoffs).value == pytest.approx(solution.one_shot.value, abs=1e-8)


def test_callback_stops_in_order():
    seen = []

    def stop(snapshot):
        seen.append(snapshot)
        return len(seen) < 4

    game = one_state([[0, 1], [1, 0]], [[1, 0], [0, 0]])
    solution = solve_recursive(game, callback=stop)
    assert (solution.stopped_by, solution.converged) == ("interrupt", False)
    assert solution.repeated.lower <= 1 <= solution.repeated.upper
    assert seen[-1].gap == seen[-1].upper - seen[-1].lower


def test_oracles_of_several_states():
    random = np.random.default_rng(7)
    states = [
        MatrixState(random.uniform(-1, 1, (30, 40)), random.uniform(0, 0.45, (2, 30, 40))) for _ in range(2)
    ]
    whole = solve_recursive(RecursiveGame(states, t1=1, t2=1))
    hidden = solve_recursive(RecursiveGame([Hidden(state) for state in states], t1=1, t2=1))
    for known, found in zip(whole.states, hidden.states, strict=True):
        assert found.repeated.value == pytest.approx(known.repeated.value, abs=1e-9)
        assert found.one_shot.value == pytest.approx(known.one_shot.value, abs=1e-9)


def test_time_limit():
    game = one_state([[0, 1], [1, 0]], [[1, 0], [0, 0]])
    assert solve_recursive(game, method="value_iteration", seconds=0.02).stopped_by == "seconds"


@pytest.mark.parametrize(
    ("payoffs", "multipliers", "message"),
    [
        ([[math.nan]], [[0]], "not a finite number"),
        ([[1]], [[math.inf]], "not a finite number"),
        ([[1e101]], [[0]], "1e.101 is too large"),
        ([[1]], [[-0.5]], "multipliers must be at least 0, not -0.5"),
        ([[1, 2]], [[0]], "both need one number for each row and column"),
        ([[1, 2], [3]], [[0]], "payoffs must be a matrix"),
        ([1, 2], [[0]], "payoffs must be a matrix"),
        ([], [[0]], "payoffs must be a matrix"),
        ([["1"]], [[0]], "payoffs must be real numbers"),
        ([[True]], [[0]], "payoffs must be real numbers"),
        ([[None]], [[0]], "payoffs must be real numbers, not None"),
    ],
)
def test_bad_matrices(payoffs, multipliers, message):
    with pytest.raises(GameError, match=message):
        MatrixState(payoffs, multipliers)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"t2": 1}, "t1 is missing"),
        ({"t1": -3, "t2": 1}, "both would rather leave"),
        ({"t1": math.nan}, "t1 must be a number of stakes"),
        ({"t1": True}, "t1 must be a number of stakes"),
        ({"t1": 1, "t2": math.inf}, "t2 must be a number of stakes"),
        ({}, "nobody can leave, and in state 1 play might never end"),
        ({"t1": 1, "names": ["a", "b"]}, "1 states need as many different names"),
    ],
)
def test_bad_games(arguments, message):
    with pytest.raises(GameError, match=message):
        RecursiveGame(MatrixState([[1]], [[1]]), **arguments)


def test_bad_states():
    state = MatrixState([[1]], [[1]])
    with pytest.raises(GameError, match="at least one state"):
        RecursiveGame([], t1=1)
    with pytest.raises(GameError, match="state 1 has multipliers towards 1 states; the game has 2"):
        RecursiveGame([state, state], t1=1)


@pytest.mark.parametrize("arguments", [{"gap": -1}, {"gap": math.nan}, {"seconds": 0}, {"iterations": 0}])
def test_bad_limits(arguments):
    with pytest.raises(MaxminError, match=next(iter(arguments))):
        solve_recursive(one_state([[1]], [[0]]), **arguments)


def test_unknown_method_and_state():
    game = one_state([[1]], [[0]])
    with pytest.raises(UnknownNameError, match="did you mean newton"):
        solve_recursive(game, method="neton")
    with pytest.raises(MaxminError, match="there is no state 'x'"):
        solve_recursive(game)["x"]


class Wrong(MatrixState):
    """An oracle whose multipliers are not what they should be."""

    def __init__(self, block):
        super().__init__(np.eye(60), np.zeros((60, 60)))
        self.block = block

    def multipliers(self, rows, columns):
        return self.block(len(rows), len(columns))


@pytest.mark.parametrize(
    ("block", "message"),
    [
        (lambda r, c: np.zeros((r, c)), "have the shapes"),
        (lambda r, c: np.full((1, r, c), -1.0), "at least 0"),
        (lambda r, c: np.full((1, r, c), np.nan), "finite"),
    ],
)
def test_oracle_that_contradicts_the_protocol(block, message):
    with pytest.raises(GameError, match=message):
        solve_recursive(RecursiveGame(Wrong(block), t1=1))


@pytest.mark.parametrize("iterations", [1, 2, 5])
def test_few_iterations_prove_something(iterations):
    random = np.random.default_rng(5)
    payoffs, multipliers = random.uniform(-1, 1, (70, 90)), random.uniform(0, 0.5, (70, 90))
    hidden = Hidden(MatrixState(payoffs, multipliers))
    found = solve_recursive(RecursiveGame(hidden, t1=2, t2=2), iterations=iterations)
    best = solve_recursive(one_state(payoffs, multipliers, t1=2, t2=2)).repeated.value
    assert found.repeated.lower <= best <= found.repeated.upper
    assert found.gap < 1
