"""Trees written as ``.efg`` and read back; pygambit, where it is installed, reads the same game."""

from fractions import Fraction

import pytest

from maxmin.errors import GameError
from maxmin.formats.efg import format_efg, parse_efg, read_efg, write_efg
from maxmin.formats.gambit import from_gambit, to_gambit
from maxmin.sources import load_tree
from maxmin.tree_builder import TreeBuilder


def small_tree():
    builder = TreeBuilder('a "game"', ["Ann", "Bob"])
    root = builder.chance(-1, -1, [("heads", Fraction(1, 3)), ("tails", Fraction(2, 3))])
    for side in range(2):
        node = builder.decision(root, side, 2, "blind", ["l", "r"])
        for move in range(2):
            builder.leaf(node, move, [Fraction(side - move, 7), move])
    return builder.finish()


def test_the_text():
    assert format_efg(small_tree()) == (
        'EFG 2 R "a \\"game\\"" { "Ann" "Bob" }\n""\n\n'
        'c "" 1 "" { "heads" 1/3 "tails" 2/3 } 0\n'
        'p "" 2 1 "blind" { "l" "r" } 0\n'
        't "" 1 "" { 0, 0 }\n'
        't "" 2 "" { -1/7, 1 }\n'
        'p "" 2 1 "blind" { "l" "r" } 0\n'
        't "" 3 "" { 1/7, 0 }\n'
        't "" 4 "" { 0, 1 }\n'
    )


def test_a_file(tmp_path):
    path = tmp_path / "small.efg"
    write_efg(small_tree(), path)
    assert format_efg(read_efg(path)) == format_efg(small_tree())
    assert [entry.name for entry in tmp_path.iterdir()] == ["small.efg"]


def test_floats_are_written_as_their_shortest_decimal():
    builder = TreeBuilder("g", ["A"])
    builder.leaf(-1, -1, [0.1])
    tree = parse_efg(format_efg(builder.finish()))
    assert tree.numbers[tree.payoff_number[0, 0]] == Fraction(1, 10)
    assert tree.payoffs[0, 0] == 0.1


@pytest.mark.parametrize(
    "name", ["3K4", "3L133", "goofspiel(cards=3)", "one_time_pad", "absent_minded_driver"]
)
def test_games_of_the_catalogue_come_back_the_same(name):
    tree = load_tree(name)
    back = parse_efg(format_efg(tree))
    assert format_efg(back) == format_efg(tree)
    for field in ("parent", "player", "infoset", "action", "infoset_player", "payoffs", "probability"):
        assert getattr(back, field).tolist() == getattr(tree, field).tolist(), field
    assert back.infoset_labels == tree.infoset_labels
    assert back.infoset_actions == tree.infoset_actions


@pytest.mark.parametrize("name", ["3K4", "kuhn_poker", "one_time_pad", "absent_minded_driver"])
def test_pygambit_reads_the_same_game(name):
    pytest.importorskip("pygambit")
    tree = load_tree(name)
    game = to_gambit(tree)
    assert len(game.players) == tree.n_players
    assert len(list(game.infosets)) == tree.n_infosets
    assert format_efg(from_gambit(game)) == format_efg(tree)
    assert format_efg(load_tree(game)) == format_efg(tree)


def test_what_pygambit_refuses_is_refused():
    pytest.importorskip("pygambit")
    builder = TreeBuilder("g", ["A"])
    node = builder.decision(-1, -1, 1, "two  spaces", ["é"])
    builder.leaf(node, 0, [1])
    with pytest.raises(GameError, match="pygambit refuses this game"):
        to_gambit(builder.finish())
