"""Battleship: strategies, and what they are worth, against games that are played one by one."""

import numpy as np
import pytest

from maxmin.battleship import Board, State
from maxmin.battleship.evaluate import evaluate, hit_times
from maxmin.battleship.heuristic import READINGS, PaperHeuristic
from maxmin.battleship.posterior import posterior
from maxmin.battleship.strategies import STRATEGIES, from_function, make_strategy
from maxmin.errors import Cancelled, GameError, StrategyError, UnknownNameError

SMALL = Board(3, 4, ["L", "2"])
MINE = ["random", "hunt-target", "checkerboard", "paper", "greedy", "greedy(tie=next)", "information"]


def likeliest(state):
    """Posterior greedy, one state at a time."""
    return posterior(state).best()


def play_alone(strategy, board, covered):
    """Play one game, shot by shot; return the times of the hits."""
    state, times, shot = State(board), [], 0
    while not state.over:
        hits, misses = state.arrays()
        cell = int(strategy.choose(hits[None], misses[None])[0])
        shot += 1
        state = state.after(cell, hit=bool(covered[cell]))
        if covered[cell]:
            times.append(shot)
    return times


@pytest.mark.parametrize(
    "name", ["greedy", "greedy(tie=last)", "greedy(tie=centre)", "greedy(tie=next)", "paper", "information"]
)
@pytest.mark.parametrize("placement", ["uniform", "sequential"])
def test_exact_expectation_is_that_of_all_games_one_by_one(name, placement):
    board = Board(3, 4, ["L", "2"], placement=placement)
    strategy = make_strategy(name, board)
    found = board.configurations()
    times = np.array([play_alone(strategy, board, covered) for covered in board.unpack(found.masks)])
    [worth] = evaluate([strategy], board)
    assert worth.exact
    assert worth.standard_error == 0
    assert worth.games == len(found)
    assert worth.mean_shots == pytest.approx(found.weights @ times[:, -1], abs=1e-12)
    rates = [(found.weights[:, None] * (times == shot)).sum() for shot in range(1, 13)]
    assert np.allclose(worth.success_rate, rates, atol=1e-12)
    assert worth.score == pytest.approx(6 - found.weights @ (times - 1).sum(axis=1) / 12, abs=1e-12)
    assert worth.distribution.sum() == pytest.approx(1, abs=1e-12)
    assert worth.shots_of(1.0) == times[:, -1].max()


def test_posterior_greedy_on_the_papers_board():
    """Fixed: a change means that ties are broken otherwise. The two distributions of boards differ a little."""
    worth = {}
    for placement in ("uniform", "sequential"):
        board = Board(placement=placement)
        [found] = evaluate([make_strategy("greedy", board)], board)
        worth[placement] = found.mean_shots
    assert worth["uniform"] == pytest.approx(17.417924787, abs=1e-8)
    assert worth["sequential"] == pytest.approx(17.388991086, abs=1e-8)


def test_simulation_agrees_with_the_expectation():
    board = Board()
    strategy = make_strategy("greedy", board)
    [exact] = evaluate([strategy], board)
    [simulated] = evaluate([strategy], board, games=4000, seed=1)
    assert not simulated.exact
    assert abs(simulated.mean_shots - exact.mean_shots) < 4 * simulated.standard_error
    assert simulated.games == 4000


@pytest.mark.parametrize("name", MINE)
def test_games_end_and_no_cell_is_shot_at_twice(name):
    for board in (
        SMALL,
        Board(5, 4, ["3", "2", "2"], touching="all"),
        Board(1, 1, ["1"]),
        Board(2, 7, ["T"]),
    ):
        strategy = make_strategy(name, board, seed=3)
        covered = board.draw(40, seed=2)
        times = hit_times(strategy, board, covered)  # refuses a cell that has been shot at
        assert (np.diff(times, axis=1) > 0).all()
        assert (times[:, -1] <= board.n_cells).all()
        assert (times[:, 0] >= 1).all()


def test_hunters_shoot_beside_hits():
    board = Board(7, 7, ["L", "L"])
    hits, misses = (cells[None] for cells in State.parse(board, "D4", "D3 C4").arrays())
    for name in ("hunt-target", "checkerboard"):
        chosen = {int(make_strategy(name, board, seed=seed).choose(hits, misses)[0]) for seed in range(20)}
        assert chosen == {board.parse_cell("D5"), board.parse_cell("E4")}


def test_checkerboard_hunts_on_diagonals_that_no_pattern_escapes():
    for patterns, step in ((["L", "L"], 3), (["5", "2"], 2), (["4", "5"], 4), (["O"], 2), (["1"], 1)):
        board = Board(7, 7, patterns)
        nothing = np.zeros((300, board.n_cells), dtype=bool)
        chosen = make_strategy("checkerboard", board, seed=1).choose(nothing, nothing)
        diagonal = np.zeros(board.n_cells, dtype=bool)
        diagonal[[c for c in range(board.n_cells) if sum(divmod(c, 7)) % step == 0]] = True
        assert diagonal[chosen].all()
        assert all(diagonal[list(cells)].any() for places in board.placements for cells in places)


def test_random_choices_follow_the_seed():
    board = Board()
    strategies = [make_strategy(name, board) for name in ("random", "greedy(tie=random)")]
    first, again, other = (evaluate(strategies, board, games=600, seed=seed) for seed in (1, 1, 2))
    for a, b, c in zip(first, again, other, strict=True):
        assert (a.distribution == b.distribution).all()
        assert (a.distribution != c.distribution).any()


def test_processes_do_not_change_the_result():
    strategies = [make_strategy(name, SMALL) for name in ("random", "greedy", "hunt-target")]
    alone, shared = (evaluate(strategies, SMALL, games=1200, seed=4, jobs=jobs) for jobs in (1, 2))
    assert [one.to_json() for one in alone] == [one.to_json() for one in shared]


def test_a_users_own_function():
    own = from_function(likeliest, board=SMALL)
    [worth, greedy] = evaluate([own, make_strategy("greedy", SMALL)], SMALL)
    assert worth.name == "likeliest"
    assert worth.mean_shots == greedy.mean_shots
    named = from_function(lambda state: SMALL.cell_name(state.unknown[0]), board=SMALL, name="in order")
    assert evaluate([named], SMALL)[0].exact
    drawn = from_function(lambda state: state.unknown[-1], board=SMALL, name="drawn", deterministic=False)
    assert evaluate([drawn], SMALL, games=30, jobs=2)[0].games == 30


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda state: 0, "own shoots at A1, where it has shot before"),
        (lambda state: 12, "own chooses no cell: there is no cell 12; this board has cells 0 to 11"),
        (lambda state: -1, "own chooses no cell: there is no cell -1"),
        (lambda state: 3.7, "own chooses no cell: there is no cell 3.7"),
        (lambda state: None, "own chooses no cell: there is no cell None"),
        (lambda state: 10**30, "own chooses no cell: there is no cell 10000"),
        (lambda state: True, "own chooses no cell: there is no cell True"),
        (lambda state: (0, 1), "own chooses no cell"),
        (lambda state: "Z9", "own chooses no cell: 'Z9' is no cell of this board"),
    ],
)
def test_shots_that_are_refused(function, message):
    with pytest.raises(StrategyError, match=message):
        evaluate([from_function(function, board=SMALL, name="own")], SMALL)


def test_strategies_that_choose_no_cells():
    class Wrong:
        name, deterministic = "wrong", True

        def choose(self, hits, misses):
            return np.zeros(len(hits))

    with pytest.raises(
        StrategyError, match="wrong must choose 1 cells, one for each state, as whole numbers"
    ):
        evaluate([Wrong()], SMALL)


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("gready", UnknownNameError, "did you mean greedy"),
        ("", UnknownNameError, "there is no strategy ''"),
        ("greedy(ties=first)", UnknownNameError, "has no option 'ties'; its options are tie"),
        ("information(tie=first)", UnknownNameError, "it has no options"),
        ("greedy(tie)", GameError, "write the option tie as tie=VALUE"),
        ("greedy(tie=best)", GameError, "tie must be one of first, last, centre, random, next, not 'best'"),
        ("paper(hits=none)", GameError, "paper: hits must be one of all, most, any, not 'none'"),
        ("greedy(tie=first", UnknownNameError, "there is no strategy"),
    ],
)
def test_strategies_that_cannot_be_made(text, error, message):
    with pytest.raises(error, match=message):
        make_strategy(text, SMALL)


@pytest.mark.parametrize(
    "arguments", [{"games": 0}, {"games": 1.5}, {"games": True}, {"seed": -1}, {"seed": 0.5}]
)
def test_numbers_that_are_refused(arguments):
    with pytest.raises(GameError, match="must be a whole number"):
        evaluate([make_strategy("random", SMALL)], SMALL, **arguments)


def test_stopping_keeps_what_all_have_played():
    strategies = [make_strategy(name, SMALL) for name in ("random", "hunt-target")]
    found = evaluate(strategies, SMALL, games=5000, callback=lambda done: done < 0.3)
    assert [one.stopped_by for one in found] == ["interrupt", "interrupt"]
    assert [one.games for one in found] == [1500, 1500]
    greedy = make_strategy("greedy", SMALL)
    for stopped in (strategies, [greedy]):
        with pytest.raises(Cancelled, match="before a single strategy was measured"):
            evaluate(stopped, SMALL, callback=lambda done: False)
    [first] = evaluate([greedy, greedy], SMALL, callback=lambda done: done == 0)
    assert (first.exact, first.stopped_by) == (True, "interrupt")


@pytest.mark.parametrize("name", MINE)
def test_strategies_are_called_as_they_are_made(name):
    assert make_strategy(name, SMALL).name == name
    assert name.partition("(")[0] in STRATEGIES


def test_readings_differ_where_both_patterns_are_hit():
    """D4 and A1 are hit: no L covers both, so "all" falls back on any, and "most" is "any" too."""
    board = Board()
    one, two = State.parse(board, "D4"), State.parse(board, "D4 D5 A1")
    for state, differ in ((one, False), (two, True)):
        hits, misses = (cells[None] for cells in state.arrays())
        n = {
            reading: float(PaperHeuristic(board, hits=reading).coverings(hits, misses).placements[0])
            for reading in READINGS["hits"]
        }
        assert n["any"] == n["all"]
        assert (n["most"] < n["any"]) == differ


def test_a_complete_pattern_is_set_apart():
    board = Board()
    hits, misses = (cells[None] for cells in State.parse(board, "A1 A2 A3 B1").arrays())
    found = {fin: PaperHeuristic(board, finished=fin).coverings(hits, misses) for fin in READINGS["finished"]}
    assert [bool(found[each].hunting[0]) for each in READINGS["finished"]] == [True, True, False]
    beside, corner = board.parse_cell("B2"), board.parse_cell("B4")
    assert found["apart"].coverings[0, beside] == 0
    assert found["closed"].coverings[0, beside] > 0
    assert found["apart"].coverings[0, corner] > 0
