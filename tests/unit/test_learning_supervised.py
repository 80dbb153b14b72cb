"""The teacher against plain Python on a small board; the supervised learner; training on the command line."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from maxmin.battleship import Board
from maxmin.battleship.evaluate import evaluate
from maxmin.errors import Cancelled, GameError, SizeError
from maxmin.learning import train_supervised
from maxmin.learning.action_values import Boards, action_values, decision_tree
from maxmin.learning.supervised import _Lessons

BOARD = Board(3, 4, ["2", "2"], touching="none")
TINY = Board(3, 3, ["2"])
QUICK = {"steps": 200, "channels": 4, "layers": 2}


@cache
def hidden():
    """All sets of cells that may be covered, found without the package's lists."""
    dominoes = [
        frozenset({(r, c), (r + down, c + 1 - down)})
        for r in range(3)
        for c in range(4)
        for down in (0, 1)
        if r + down < 3 and c + 1 - down < 4
    ]

    def apart(one, other):
        return all(max(abs(a - c), abs(b - d)) > 1 for a, b in one for c, d in other)

    pairs = {one | other for one in dominoes for other in dominoes if apart(one, other)}
    return [frozenset(4 * r + c for r, c in pair) for pair in pairs]


def after(shot, cell, boards):
    """Split boards by what a shot finds."""
    for hit in (True, False):
        part = tuple(board for board in boards if (cell in board) is hit)
        if part:
            yield {**shot, cell: hit}, part


def greedy_shots(shot, boards):
    """Return the expected shots of the greedy player from here on, as a fraction."""
    if sum(shot.values()) == 4:
        return Fraction(0)
    left = [cell for cell in range(12) if cell not in shot]
    cell = max(left, key=lambda cell: (sum(cell in board for board in boards), -cell))
    return value(shot, cell, boards)


def value(shot, cell, boards):
    """Return the expected shots if this cell is next and greedy goes on."""
    parts = ((len(part), greedy_shots(new, part)) for new, part in after(shot, cell, boards))
    return 1 + sum(Fraction(n, len(boards)) * shots for n, shots in parts)


def test_values_are_those_of_plain_python():
    boards = Boards(BOARD)
    root = boards.root()
    assert len(root.members) == len(hidden())
    assert boards.greedy_shots(root)[0] == pytest.approx(float(greedy_shots({}, tuple(hidden()))))
    found = action_values(boards, root, candidates=12)[0]
    expected = [float(value({}, cell, tuple(hidden()))) for cell in range(12)]
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    states, _ = boards.shoot(root, np.array([5]))
    few = action_values(boards, states, candidates=3)
    assert np.isfinite(few).sum(axis=1).tolist() == [3, 3]
    for row, (shot, part) in enumerate(sorted(after({}, 5, hidden()), key=lambda each: each[0][5])):
        for cell in np.flatnonzero(np.isfinite(few[row])):
            assert few[row, cell] == pytest.approx(float(value(shot, int(cell), part)))


def test_boards_that_are_not_alike_are_weighted():
    board = Board(3, 4, ["3", "2"], placement="sequential")
    boards = Boards(board)
    chosen = decision_tree(boards, lambda beliefs: boards.posterior(beliefs).argmax(axis=1))
    shots = sum(boards.chances(beliefs).sum() for beliefs, _ in chosen)
    assert boards.greedy_shots(boards.root())[0] == pytest.approx(shots)
    weights, covered = board.configurations().weights, board.unpack(board.configurations().masks)
    np.testing.assert_allclose(boards.posterior(boards.root())[0], weights @ covered, rtol=1e-6)


def test_a_rollout_is_no_worse_than_what_it_rolls_out():
    boards = Boards(BOARD)

    def rollout(beliefs):
        return action_values(boards, beliefs, candidates=12).argmin(axis=1)

    shots = sum(boards.chances(beliefs).sum() for beliefs, _ in decision_tree(boards, rollout))
    assert shots <= boards.greedy_shots(boards.root())[0] + 1e-9


def test_turned_states_are_learned_once():
    boards = Boards(TINY)
    lessons = _Lessons(boards, "posterior")
    for corner in (0, 2, 6, 8):
        lessons.add(boards.shoot(boards.root(), np.array([corner]))[0])
    assert len(lessons.hits) == 2
    lessons.add(boards.shoot(boards.root(), np.array([1]))[0])
    assert len(lessons.hits) == len(lessons.targets) == len(lessons.chances) == 4


@pytest.mark.parametrize("teacher", ["rollout", "posterior"])
def test_the_learner_learns_and_says_truly_how_well(teacher):
    training = train_supervised(TINY, teacher=teacher, **QUICK)
    shots = min(each.shots for each in training.curve)
    assert evaluate([training.policy], TINY)[0].mean_shots == pytest.approx(shots)
    greedy = Boards(TINY).greedy_shots(Boards(TINY).root())[0]
    assert shots <= greedy + 0.35
    assert training.policy.facts["teacher"] == teacher
    assert (training.stopped_by, training.curve[-1].steps) == ("done", 200)


def test_the_same_seed_learns_the_same():
    one, same, other = (train_supervised(TINY, **QUICK, seed=seed).policy.weights for seed in (1, 1, 2))
    assert all(np.array_equal(one[name], same[name]) for name in one)
    assert not np.array_equal(one["first"], other["first"])


def test_training_stops_in_order():
    with pytest.raises(Cancelled, match="before the first round"):
        train_supervised(TINY, **QUICK, callback=lambda done: False)
    part = train_supervised(TINY, **QUICK, callback=lambda done: done < 0.6)
    assert part.stopped_by == "interrupt"
    assert 0 < part.curve[-1].steps < 200


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"teacher": "oracle"}, "no teacher 'oracle'"),
        ({"steps": 0}, "steps must be"),
        ({"channels": True}, "channels must be"),
        ({"layers": 1.5}, "layers must be"),
        ({"seed": -1}, "seed must be"),
    ],
)
def test_training_that_cannot_be_is_refused(wrong, message):
    with pytest.raises(GameError, match=message):
        train_supervised(TINY, **wrong)


def test_boards_with_too_many_configurations_are_refused():
    with pytest.raises(SizeError, match="configurations"):
        train_supervised(Board(10, 10, ["5", "4", "3", "3", "2"]), **QUICK)
