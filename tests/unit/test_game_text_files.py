"""The ``.game`` text of LiteEFG, read and written."""

import warnings
from fractions import Fraction

import pytest

from maxmin.errors import FormatError
from maxmin.formats.efg import format_efg
from maxmin.formats.game_text import format_game_text, parse_game_text, read_game_text, write_game_text
from maxmin.sources import load_tree
from maxmin.tree_builder import TreeBuilder

HEAD = "# Opt {\n#     num_players: 2,\n# }\n#\n"
SMALL = (
    HEAD
    + """node / chance actions 12=1.000000 21=3.000000
node /C:12 player 1 actions k b
node /C:12/P1:k leaf payoffs 1=-1 2=1
node /C:12/P1:b player 2 actions c f
node /C:12/P1:b/P2:c leaf payoffs 1=-2 2=2
node /C:12/P1:b/P2:f leaf payoffs 2=-1.5 1=1.5
node /C:21 player 1 actions k b
node /C:21/P1:k leaf payoffs 1=1 2=-1
node /C:21/P1:b leaf payoffs 1=1/3 2=-1/3
infoset P1?x nodes /C:12 /C:21
"""
)


def test_reading():
    tree = parse_game_text(SMALL, file="small.game")
    assert tree.name == "small.game"
    assert tree.player_names == ("player 1", "player 2")
    assert tree.player.tolist() == [0, 1, 1, -1, 2, -1, -1, -1, -1]
    assert tree.infoset.tolist() == [-1, 0, 0, -1, 1, -1, -1, -1, -1]
    assert tree.infoset_labels == ("P1?x", "/C:12/P1:b")
    assert tree.infoset_actions == (("k", "b"), ("c", "f"))
    assert [tree.numbers[number] for number in tree.probability_number[1:3]] == [
        Fraction(1, 4),
        Fraction(3, 4),
    ]
    assert tree.payoffs[:, 0].tolist() == [-1, 1, 1 / 3, -2, 1.5]
    assert tree.exact


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\ufeff" + text,
        lambda text: HEAD + "".join(reversed(text.removeprefix(HEAD).splitlines(keepends=True))),
        lambda text: text.replace(" ", "  \t"),
        lambda text: text.replace("num_players", "players"),
        lambda text: text.removeprefix(HEAD),
        lambda text: text.replace("\nnode", "\n\n# a comment\nnode"),
        lambda text: text.replace("12=1.000000 21=3.000000", "12=0.25 21=3/4"),
    ],
)
def test_other_ways_to_write_the_same_game(change):
    assert format_efg(parse_game_text(change(SMALL))) == format_efg(parse_game_text(SMALL))


def test_free_names():
    text = (
        "# Opt {\n#     openspiel,\n#     players: 2,\n# }\n"
        "node start chance actions left=1/2 right=1/2\nnode left player 1 actions ll lr\n"
        "node right player 1 actions rl rr\n"
        + "".join(
            f"node {name} leaf payoffs 1={pay} 2=0\n" for pay, name in enumerate(["ll", "lr", "rl", "rr"])
        )
        + "infoset p1 nodes left right\n"
    )
    tree = parse_game_text(text)
    assert tree.infoset_actions == (("1", "2"),)
    assert tree.infoset.tolist() == [-1, 0, 0, -1, -1, -1, -1]
    assert tree.payoffs[:, 0].tolist() == [0, 1, 2, 3]


def test_rounded_probabilities_are_scaled_with_a_warning():
    cards = " ".join(f"{card}=0.1667" for card in range(6))
    leaves = "".join(f"node /C:{card} leaf payoffs 1=0\n" for card in range(6))
    with pytest.warns(UserWarning, match=r"dice.game:1:23: chance probabilities sum to 1.0002; scaled to 1"):
        tree = parse_game_text(f"node / chance actions {cards}\n{leaves}", file="dice.game")
    assert {tree.numbers[number] for number in tree.probability_number[1:]} == {Fraction(1, 6)}


REFUSED = [
    ("", "1:1: there are no nodes"),
    (HEAD, "5:1: there are no nodes"),
    ("EFG 2 R", "1:1: expected a node, an infoset or a comment (#), found EFG"),
    ("node / leaf", "1:8: a node line needs a name, a kind (chance, player or leaf) and moves or payoffs"),
    ("node / tree 1 2", "1:8: expected chance, player or leaf, found tree"),
    ("node / leaf payoffs", "1:13: expected 'payoffs' and what follows it"),
    ("node / leaf payoffs 1=x", "1:21: bad number x"),
    ("node / leaf payoffs 1=nan", "1:21: bad number nan"),
    ("node / leaf payoffs x=1", "1:21: expected the number of a player, found x"),
    ("node / leaf payoffs 1=1 1=2", "1:25: the payoff of player 1 is given twice"),
    ("node / leaf payoffs 2=1", "1:13: there is no payoff of player 1"),
    (HEAD + "node / leaf payoffs 1=1", "5:13: there is no payoff of player 2"),
    (HEAD + "node / leaf payoffs 1=1 2=1 3=1", "5:29: player 3 of 2"),
    (HEAD + "node / player 3 actions x", "5:15: player 3 of 2"),
    (HEAD + "node / player 0 actions x", "5:15: player 0 of 2"),
    ("node / player 1 actions", "1:17: expected 'actions' and what follows it"),
    ("node / player 1 actions x", "1:6: move x leads to node /P1:x, which is missing"),
    ("node / chance actions x", "1:23: expected outcome=weight, found x"),
    (
        "node / chance actions x=1/2 y=1/3",
        "1:23: chance probabilities sum to 0.833333333, not 1; only whole weights may sum to more",
    ),
    ("node / chance actions x=1 y=-1", "1:23: the weights of chance must not be negative, nor all zero"),
    ("node / chance actions x=0", "1:23: the weights of chance must not be negative, nor all zero"),
    ("node / leaf payoffs 1=1\nnode / leaf payoffs 1=1", "2:6: node / was given before, on line 1"),
    ("node / leaf payoffs 1=1\nnode /x leaf payoffs 1=1", "2:6: no move leads to node /x"),
    ("node / leaf payoffs 1=1\ninfoset i nodes /", "2:17: node / is not of the player of this infoset"),
    (SMALL + "infoset j nodes /C:12", "15:17: node /C:12 is in an infoset already, on line 14"),
    (SMALL + "infoset j nodes /C:13", "15:17: there is no node /C:13"),
    (
        SMALL.replace("/C:12 /C:21", "/C:12 /C:12/P1:b"),
        "14:26: node /C:12/P1:b is not of the player of this infoset",
    ),
    (
        SMALL.replace("/C:21 player 1 actions k b", "/C:21 player 1 actions b k"),
        "11:6: infoset 'P1?x' of player 1 has actions ['b', 'k'] here and ['k', 'b'] elsewhere",
    ),
    (
        "#\n# openspiel,\nnode a player 1 actions b b\nnode b leaf payoffs 1=1",
        "4:6: two moves lead to node b",
    ),
    ("# openspiel,\nnode a player 1 actions a", "1:1: no node is the root: some move leads to each of them"),
]


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_refusals(text, message):
    with pytest.raises(FormatError) as refused:
        parse_game_text(text, file="x.game")
    assert str(refused.value) == f"x.game:{message}"


@pytest.mark.parametrize(
    "name", ["3K4", "3L133", "goofspiel(cards=3)", "one_time_pad", "absent_minded_driver"]
)
def test_games_of_the_catalogue_come_back_the_same(name, tmp_path):
    tree = load_tree(name)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="payoffs such as")
        write_game_text(tree, tmp_path / "x.game")
    back = read_game_text(tmp_path / "x.game")
    assert format_efg(back) == format_efg(tree)
    assert back.infoset.tolist() == tree.infoset.tolist()


def test_numbers_as_other_tools_read_them():
    builder = TreeBuilder("g", ["A"])
    root = builder.chance(-1, -1, [("a b", Fraction(1, 6)), ("c=d/%", Fraction(5, 6))])
    builder.leaf(root, 0, [Fraction(-7, 8)])
    builder.leaf(root, 1, [12])
    assert format_game_text(builder.finish()).splitlines()[-3:] == [
        "node / chance actions a%20b=1 c%3Dd%2F%25=5",
        "node /C:a%20b leaf payoffs 1=-0.875",
        "node /C:c%3Dd%2F%25 leaf payoffs 1=12",
    ]


def test_payoffs_without_a_decimal_are_written_with_a_warning():
    builder = TreeBuilder("g", ["A"])
    builder.leaf(-1, -1, [Fraction(1, 3)])
    with pytest.warns(
        UserWarning, match="payoffs such as 1/3 are written as fractions, which LiteEFG misreads"
    ):
        text = format_game_text(builder.finish())
    assert parse_game_text(text).payoffs[0, 0] == 1 / 3
