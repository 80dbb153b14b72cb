"""Battleship: patterns, boards, configurations, states."""

from fractions import Fraction

import numpy as np
import pytest
from reference import battleship as slow

from maxmin.battleship import Board, State, parse_pattern
from maxmin.battleship.patterns import NAMED
from maxmin.battleship.posterior import posterior
from maxmin.battleship.render import draw_posterior, render, render_posterior
from maxmin.errors import GameError, SizeError, UnknownNameError

SMALL = [
    Board(3, 4, ["L", "2"]),
    Board(4, 4, ["2", "2", "3"], touching="none"),
    Board(3, 3, ["2", "2", "2"], touching="all"),
    Board(2, 5, ["3", "##/#."], touching="all"),
    Board(4, 3, ["T", "1", "1"]),
]


def as_sets(board, masks):
    return [frozenset(np.flatnonzero(row).tolist()) for row in board.unpack(masks)]


@pytest.mark.parametrize(
    ("name", "orientations"),
    [
        ("L", 8),
        ("O", 1),
        ("T", 4),
        ("S", 4),
        ("4", 2),
        ("1", 1),
        ("F", 8),
        ("X", 1),
        ("W", 4),
        ("Z", 4),
        ("N", 8),
    ],
)
def test_orientations_of_named_patterns(name, orientations):
    """Counts of fixed polyominoes: 2, 1, 4, 4 and 8 for I O T S L, as in S. Golomb, Polyominoes."""
    assert len(parse_pattern(name).orientations) == orientations


def test_fixed_tetrominoes_and_pentominoes_are_all_there():
    """There are 19 fixed tetrominoes and 63 fixed pentominoes; of these, L (8) and T (4) have no name here."""
    counts = {4: 0, 5: 0}
    for name in [*NAMED, "4", "5"]:
        counts[parse_pattern(name).size] += len(parse_pattern(name).orientations)
    assert counts == {4: 19, 5: 63 - 12}


def test_drawn_patterns():
    assert parse_pattern("#../###").orientations[0] == ((0, 0), (1, 0), (1, 1), (1, 2))
    assert set(parse_pattern(".../..#/###").orientations) == set(parse_pattern("l").orientations)


@pytest.mark.parametrize("text", ["", "..", "#.#", "#./.#"])
def test_what_is_no_polyomino_is_refused(text):
    with pytest.raises((GameError, UnknownNameError)):
        parse_pattern(text)


def test_unknown_patterns_are_named():
    with pytest.raises(UnknownNameError, match="there is no pattern 'Q'"):
        parse_pattern("Q")


@pytest.mark.parametrize("board", SMALL, ids=str)
def test_configurations_are_those_of_the_slow_reference(board):
    found = board.configurations()
    ways = dict(zip(as_sets(board, found.masks), found.ways.tolist(), strict=True))
    assert ways == slow.configurations(board)
    total = sum(ways.values())
    assert np.allclose(
        found.weights, [ways[cells] / total for cells in as_sets(board, found.masks)], rtol=1e-14
    )


@pytest.mark.parametrize("board", SMALL, ids=str)
def test_pieces_laid_one_after_another(board):
    board = Board(board.rows, board.columns, board.patterns, touching=board.touching, placement="sequential")
    found = board.configurations()
    chances = slow.sequential(board)
    assert board.exact_weights() == [chances[cells] for cells in as_sets(board, found.masks)]
    assert np.allclose(found.weights, [float(each) for each in board.exact_weights()], rtol=1e-12)
    assert found.ways.sum() == sum(slow.configurations(board).values())


def test_the_papers_task():
    board = Board()
    assert len(board.configurations()) == 14_572
    assert sum(board.exact_weights()) == 1
    assert board.exact_weights()[0] == Fraction(1, 14_572)
    sequential = Board(placement="sequential").configurations()
    order = np.argsort(board.configurations().masks[:, 0])
    uniform = board.configurations().weights[order]
    assert 0.5 * abs(sequential.weights - uniform).sum() == pytest.approx(0.07, abs=0.005)  # total variation


def test_ways_to_lay_the_standard_fleet():
    """30,093,975,536 on 10 x 10 with both ships of three told apart: a published count."""
    board = Board(10, 10, ["5", "4", "3", "3", "2"], touching="all")
    assert board.listed is None
    found = posterior(State(board))
    assert found.exact
    assert found.count == 30_093_975_536 / 2
    assert found.probability.sum() == pytest.approx(17, abs=1e-9)
    grid = found.probability.reshape(10, 10)
    assert np.allclose(grid, grid.T, atol=1e-12)
    assert np.allclose(grid, grid[::-1], atol=1e-12)


@pytest.mark.parametrize("placement", ["uniform", "sequential"])
def test_drawn_boards_follow_the_weights(placement):
    board = Board(3, 4, ["L", "2"], placement=placement)
    found = board.configurations()
    index = {cells: i for i, cells in enumerate(as_sets(board, found.masks))}
    n = 40_000
    drawn = board.draw(n, seed=5)
    counts = np.bincount(
        [index[frozenset(np.flatnonzero(row).tolist())] for row in drawn], minlength=len(index)
    )
    z = (counts - n * found.weights) / np.sqrt(n * found.weights)
    assert (z**2).sum() < len(index) + 5 * np.sqrt(2 * len(index))  # chi-squared
    assert (board.draw(5, seed=1) == board.draw(5, seed=1)).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rows": 0}, "rows must be a whole number from 1 up, not 0"),
        ({"rows": True}, "rows must be"),
        ({"columns": 2.5}, "columns must be"),
        ({"rows": 40, "columns": 40}, "more than 1024 cells"),
        ({"rows": 2, "columns": 2}, "pattern L does not fit onto a board of 2 x 2"),
        ({"rows": 1, "columns": 1}, "does not fit"),
        ({"patterns": []}, "nothing to hide"),
        ({"patterns": ["8"]}, "pattern 8 does not fit"),
        ({"rows": 3, "columns": 3, "patterns": ["L", "L", "L"]}, "12 cells together"),
        ({"touching": "edges"}, "touching must be one of none, corners, all, not 'edges'"),
        ({"placement": "random"}, "placement must be one of uniform, sequential"),
    ],
)
def test_boards_that_cannot_be(arguments, message):
    with pytest.raises(GameError, match=message):
        Board(**arguments)


def test_patterns_that_fit_alone_but_not_together():
    with pytest.raises(GameError, match="do not fit onto the board together"):
        Board(3, 3, ["3", "3", "3"], touching="none").configurations()


def test_the_smallest_board():
    board = Board(1, 1, ["1"])
    assert len(board.configurations()) == 1
    assert posterior(State(board)).probability.tolist() == [1.0]


def test_a_large_board():
    board = Board(30, 30, ["L", "L"])
    assert board.cell_name(899) == "AD30"
    assert board.parse_cell("ad30") == 899
    assert board.listed is None
    assert board.draw(3, seed=0).sum(axis=1).tolist() == [8, 8, 8]
    with pytest.raises(SizeError, match=r"about 2.05e\+07 configurations.*; the limit is 5,000,000"):
        board.configurations()


@pytest.mark.parametrize(("n", "seed"), [(-1, 0), (1.5, 0), (1, -1), (1, True), (1, 2**64), (10**13, 0)])
def test_numbers_that_draw_no_boards(n, seed):
    with pytest.raises(GameError, match=r"must be a whole number from 0 (up|to)"):
        Board().draw(n, seed=seed)


def test_crowded_boards_cannot_be_drawn():
    with pytest.raises(SizeError, match="too crowded"):
        Board(6, 6, ["O"] * 9, touching="all").draw(1, seed=0)


@pytest.mark.parametrize("name", ["", "A", "7", "A0", "H1", "A8", "A-1", "AAA1", "Ä1", "A²"])
def test_what_is_no_cell(name):
    with pytest.raises(GameError, match="is no cell of this board"):
        Board().parse_cell(name)


def test_states():
    board = Board()
    state = State.parse(board, "D4,e4", "a1")
    assert state == State(board, [24, 31], [0])
    assert State.from_arrays(board, *state.arrays()) == state
    assert state.after(1, hit=False).misses == {0, 1}
    assert len(state.unknown) == 46
    assert not state.over
    for cell in (24, 0):
        with pytest.raises(GameError, match="has been shot at before"):
            state.after(cell, hit=True)
    with pytest.raises(GameError, match="A1: a cell cannot be both hit and missed"):
        State.parse(board, "A1", "A1")
    for cell in (-1, 49, 1.5, True):
        with pytest.raises(GameError, match="there is no cell"):
            State(board, [cell])


def test_text_and_pictures(tmp_path):
    board = Board(2, 3, ["2"])
    state = State.parse(board, "A1", "B1")
    covered = np.array([1, 1, 0, 0, 0, 0], dtype=bool)
    assert render(state) == "  1 2 3\nA X . .\nB o . ."
    assert render(state, covered=covered) == "  1 2 3\nA X # .\nB o . ."
    found = posterior(state)
    assert render_posterior(found) == "    1   2   3\nA   X 100   0\nB   o   0   0"
    draw_posterior(found).savefig(tmp_path / "map.png")
    assert (tmp_path / "map.png").stat().st_size > 1000
