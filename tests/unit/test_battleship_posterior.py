"""Battleship: posteriors against plain counting, by both routes, and what is said of impossible states."""

from fractions import Fraction

import numpy as np
import pytest
from reference import battleship as slow

from maxmin.battleship import Board, State
from maxmin.battleship.posterior import Tracker, contradiction, posterior, posteriors
from maxmin.errors import GameError, SizeError

FLEET = Board(10, 10, ["5", "4", "3", "3", "2"], touching="all")


def random_states(board, n, seed):
    """States that are seen on boards drawn at random, early and late."""
    rng = np.random.default_rng(seed)
    for covered in board.draw(n, seed=seed):
        shot = rng.random(board.n_cells) < 0.7 * rng.random()
        yield State.from_arrays(board, covered & shot, ~covered & shot)


def plain_posterior(chances, state):
    left = {cells: p for cells, p in chances.items() if state.hits <= cells and not state.misses & cells}
    total = sum(left.values())
    return [
        float(sum(p for cells, p in left.items() if c in cells) / total) for c in range(state.board.n_cells)
    ]


@pytest.mark.parametrize(
    "board",
    [
        Board(3, 4, ["L", "2"]),
        Board(3, 3, ["2", "2", "2"], touching="all"),
        Board(4, 4, ["2", "2", "3"], touching="none"),
        Board(3, 4, ["L", "2"], placement="sequential"),
    ],
    ids=str,
)
def test_posterior_is_that_of_plain_counting(board):
    chances = slow.sequential(board) if board.placement == "sequential" else slow.configurations(board)
    states = list(random_states(board, 12, seed=1))
    batch = posteriors(board, *(np.array(each) for each in zip(*(s.arrays() for s in states), strict=True)))
    for state, row in zip(states, batch, strict=True):
        expected = plain_posterior(chances, state)
        found = posterior(state)
        assert np.allclose(found.probability, expected, atol=1e-12)
        assert np.allclose(row, expected, atol=1e-12)
        assert found.exact
        ways = slow.configurations(board)
        assert found.count == sum(
            w for cells, w in ways.items() if state.hits <= cells and not state.misses & cells
        )


@pytest.mark.parametrize("board", [Board(), Board(6, 6, ["3", "3", "3", "L"], touching="all")], ids=str)
def test_placements_and_lists_agree(board, monkeypatch):
    """The route of boards that are too large to list, on boards that are not."""
    states = list(random_states(board, 6, seed=2))
    listed = [posterior(state) for state in states]
    monkeypatch.setitem(board.__dict__, "listed", None)
    for state, expected in zip(states, listed, strict=True):
        exact = posterior(state, work=1e12)
        assert exact.exact
        assert exact.count == expected.count
        assert np.allclose(exact.probability, expected.probability, atol=1e-12)
        sampled = posterior(state, work=0, samples=8000, seed=4)
        off = abs(sampled.probability - expected.probability)
        assert (off <= 5 * sampled.standard_error + 2e-3).all()


def test_standard_errors_are_those_of_the_samples():
    state = next(random_states(FLEET, 1, seed=3))
    exact = posterior(state).probability
    runs = [posterior(state, work=0, samples=1024, seed=seed) for seed in range(30)]
    spread = np.sqrt(np.mean([(run.probability - exact) ** 2 for run in runs], axis=0))
    stated = np.mean([run.standard_error for run in runs], axis=0)
    sampled = stated > 1e-3
    assert 0.8 < np.median(spread[sampled] / stated[sampled]) < 1.25


def test_mid_game_of_the_fleet():
    for state in random_states(FLEET, 5, seed=6):
        found = posterior(state)
        assert found.probability.sum() == pytest.approx(17, abs=1e-9)
        assert found.probability[list(state.hits)] == pytest.approx(1)
        assert (found.probability[list(state.misses)] == 0).all()
        assert found.best() in state.unknown


def test_a_tracker_follows_a_game():
    board = Board()
    covered = board.draw(1, seed=7)[0]
    tracker = Tracker(State(board))
    rng = np.random.default_rng(7)
    while not tracker.state.over:
        cell = int(rng.choice(tracker.state.unknown))
        tracker.shoot(cell, hit=bool(covered[cell]))
        assert np.allclose(tracker.posterior().probability, posterior(tracker.state).probability, atol=1e-12)
    assert (tracker.posterior().probability == covered).all()


def test_the_papers_state_exactly():
    """The exact posterior of the worked example: E4 stays best, as with the heuristic."""
    board = Board()
    state = State.parse(board, "D4", "D3 B4 G5")
    found = posterior(state)
    assert found.count == 1095
    assert board.cell_name(found.best()) == "E4"
    assert found.probability[found.best()] == pytest.approx(float(Fraction(612, 1095)), abs=1e-12)


@pytest.mark.parametrize(
    ("hits", "misses", "named"),
    [
        ("A1 A7 G7 C2", "", {"A7 hit", "C2 hit", "G7 hit"}),
        ("", "", set()),
        ("D4 D5 D6 D7", "A1 B2", {"D4 hit", "D5 hit", "D6 hit", "D7 hit"}),
    ],
)
def test_contradictions_are_named(hits, misses, named):
    board = Board() if named else Board(3, 3, ["3", "3", "3"], touching="none")
    state = State.parse(board, hits, misses)
    message = contradiction(state)
    assert all(each in message for each in named)
    if named:
        assert "missed" not in message
        with pytest.raises(GameError, match="contradict each other"):
            posterior(state)
        with pytest.raises(GameError, match="contradict each other"):
            posteriors(board, *(cells[None] for cells in state.arrays()))


def test_each_named_cell_is_needed():
    board = FLEET
    state = State.parse(board, "A1 A10 J1 J10 E5 F7 C3", "B2 B3")
    with pytest.raises(GameError, match="contradict") as error:
        posterior(state)
    cells = [
        word for word in str(error.value).partition(";")[0].replace(",", " ").split() if word[0] in "ABCEFJ"
    ]
    cells = [word for word in cells if word[1:].isdigit()]
    assert len(cells) == 6
    for left_out in cells:
        posterior(State(board, [cell for cell in cells if cell != left_out]), work=0, samples=64)


def test_a_shot_that_contradicts_changes_nothing():
    board = Board(2, 3, ["2"])
    tracker = Tracker(State.parse(board, "A1", "B1"))
    with pytest.raises(GameError, match="A1 hit, A2 missed, B1 missed"):
        tracker.shoot(1, hit=False)
    assert tracker.state == State.parse(board, "A1", "B1")
    tracker.shoot(1, hit=True)
    assert tracker.state.over


def test_what_cannot_be_sampled():
    with pytest.raises(GameError, match="only then is the posterior of pieces laid one after another known"):
        posterior(State(Board(10, 10, ["5", "4", "3", "3", "2"], placement="sequential")))
    with pytest.raises(GameError, match="samples must be a whole number from 32 up, not 1"):
        posterior(State(FLEET), samples=1)
    crowded = Board(6, 6, ["O"] * 9, touching="all")
    assert posterior(State(crowded)).count == 1
    with pytest.raises(SizeError, match="agrees with what was seen; draw more samples"):
        posterior(State(Board(12, 12, ["O"] * 36, touching="all")), work=0, samples=32)
