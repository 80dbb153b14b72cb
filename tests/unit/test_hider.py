"""Hider against searcher: the rules, values by two routes, and what a uniform hider gives away."""

from fractions import Fraction
from itertools import product

import pytest

import maxmin
from maxmin.battleship.optimal import optimum
from maxmin.build import build_tree
from maxmin.errors import GameError, SizeError, UnknownNameError
from maxmin.game import check_game
from maxmin.games import make_game


def test_rules_are_a_game_and_its_leaves_are_counted():
    game = make_game("battleship")
    check_game(game)
    tree = build_tree(game)
    assert (tree.player == -1).sum() == game._count_leaves() == 654


@pytest.mark.parametrize("spec", ["battleship", "battleship(rows=3,columns=3,patterns=3)"])
def test_where_a_uniform_hider_gives_nothing_away(spec):
    value = Fraction(maxmin.solve(spec, method="exact").exact["value"])
    assert value == optimum(make_game(spec).board).mean_shots


def test_a_uniform_hider_gives_away_what_the_values_differ():
    game = make_game("battleship(rows=3,columns=3,patterns=L)")
    solution = maxmin.solve(game, gap=1e-9)
    assert solution.value == pytest.approx(145 / 24, abs=1e-8)
    assert optimum(game.board).mean_shots == Fraction(95, 16) < Fraction(145, 24)


def test_left_out_shots_change_no_value():
    """Solve 1 x 4 with a domino as a matrix game over all orders of shots, none left out."""
    game = make_game("battleship(rows=1,columns=4,patterns=2)")
    full = _Everything(game)
    reduced, whole = (maxmin.solve(rules, method="lp", gap=1e-9).value for rules in (game, full))
    assert reduced == pytest.approx(whole, abs=1e-9)


class _Everything:
    """The same game, in which every cell may be shot at until all are uncovered."""

    players = 2

    def __init__(self, game):
        self.name = "everything"
        self.boards = [frozenset((cell, cell + 1)) for cell in range(3)]
        assert len(self.boards) == len(game._boards)

    def root(self):
        return (None, ())

    def turn(self, state):
        hidden, shots = state
        if hidden is None:
            return 1
        return -1 if self.boards[hidden] <= set(shots) else 2

    def actions(self, state):
        hidden, shots = state
        if hidden is None:
            return [f"board {index}" for index in range(len(self.boards))]
        return [f"cell {cell}" for cell in range(4) if cell not in shots]

    def chance(self, state):
        raise AssertionError

    def child(self, state, action):
        hidden, shots = state
        number = int(action.split()[1])
        return (number, ()) if hidden is None else (hidden, (*shots, number))

    def infoset(self, state):
        hidden, shots = state
        if hidden is None:
            return "hide"
        return tuple((cell, cell in self.boards[hidden]) for cell in shots)

    def payoffs(self, state):
        return [len(state[1]), -len(state[1])]


@pytest.mark.parametrize(
    ("spec", "error", "words"),
    [
        ("battleship(rows=0)", GameError, "rows must be a whole number from 1 to 8, not 0"),
        ("battleship(patterns=9)", GameError, "does not fit"),
        ("battleship(patterns=Q)", UnknownNameError, "no pattern 'Q'"),
        ("battleship(patterns=2+2+2+2)", GameError, "8 cells together"),
        ("battleship(touching=edges)", GameError, "touching must be none, corners or all"),
        ("battleship(rows=4,columns=4,patterns=L)", SizeError, "at most 10,000,000"),
    ],
)
def test_bad_names(spec, error, words):
    with pytest.raises(error, match=words):
        make_game(spec)


def test_single_board_leaves_nothing_to_do():
    solution = maxmin.solve("battleship(rows=1,columns=2,patterns=2)")
    assert solution.value == 2


def test_every_size_up_to_3_by_2_is_worth_at_least_its_pattern():
    for rows, columns in product((1, 2), (2, 3)):
        solution = maxmin.solve(f"battleship(rows={rows},columns={columns},patterns=2)", method="lp")
        assert 2 - 1e-9 <= solution.value <= rows * columns + 1e-9
