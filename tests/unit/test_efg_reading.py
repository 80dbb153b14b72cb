"""Gambit's extensive games: all that the format allows is read, all else is refused with its place."""

from fractions import Fraction

import pytest

from maxmin.errors import FileError, FormatError, SizeError
from maxmin.files import read_text
from maxmin.formats.efg import parse_efg, read_efg

HEAD = 'EFG 2 R "game" { "Ann" "Bob" }\n'
PENNIES = (
    HEAD
    + """"a comment"

p "" 1 1 "a" { "h" "t" } 0
p "" 2 1 "b" { "h" "t" } 0
t "" 1 "win" { 1, -1 }
t "" 2 "lose" { -1, 1 }
p "" 2 1 "b" { "h" "t" } 0
t "" 2 "lose" { -1, 1 }
t "" 1 "win" { 1, -1 }
"""
)


def told(tree):
    """Describe a tree by its content alone."""
    return {
        "name": (tree.name, tree.player_names),
        "nodes": list(
            zip(
                tree.parent.tolist(),
                tree.player.tolist(),
                tree.infoset.tolist(),
                tree.action.tolist(),
                strict=True,
            )
        ),
        "moves": [tree.labels[label] for label in tree.label[1:]],
        "infosets": list(
            zip(tree.infoset_player.tolist(), tree.infoset_labels, tree.infoset_actions, strict=True)
        ),
        "odds": [tree.numbers[number] for number in tree.probability_number],
        "payoffs": [[tree.numbers[number] for number in row] for row in tree.payoff_number],
    }


def test_pennies():
    tree = parse_efg(PENNIES)
    assert tree.name == "game"
    assert tree.player_names == ("Ann", "Bob")
    assert tree.player.tolist() == [1, 2, 2, -1, -1, -1, -1]
    assert tree.infoset.tolist() == [0, 1, 1, -1, -1, -1, -1]
    assert tree.infoset_labels == ("a", "b")
    assert tree.infoset_actions == (("h", "t"), ("h", "t"))
    assert tree.payoffs.tolist() == [[1, -1], [-1, 1], [-1, 1], [1, -1]]


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\ufeff" + text,
        lambda text: text.replace(" ", "\t"),
        lambda text: text.replace(" ", "\n"),
        lambda text: text.replace(",", " "),
        lambda text: text.replace(",", " ,"),
        lambda text: text.replace("}", ", }"),
        lambda text: text.replace("{ ", "{").replace(" }", "}"),
        lambda text: text.replace('"a comment"\n', ""),
        lambda text: text.replace("2 R", "2 D"),
        lambda text: text.replace('"h"', "h").replace('"t"', "t"),
        lambda text: text.replace('"a"', "a").replace('"b"', "b"),
        lambda text: text.replace('"win"', "win").replace('"lose"', "t"),
        lambda text: text.replace('"win"', "").replace('"lose"', ""),
        lambda text: text.replace('p ""', "p node").replace('t ""', "t node"),
        lambda text: text.replace('"Ann" "Bob"', "Ann Bob").replace('"game"', "game"),
        lambda text: text.replace(' 1 "win" { 1, -1 }', " 7 { 1 -1 }"),
        lambda text: text.replace("2 1 ", "2 90210 "),
        lambda text: text.replace("{ 1, -1 }", "{ 4/4, -1.0e0 }"),
        lambda text: text.replace(' "b" { "h" "t" } 0', " 0").replace(" 2 1 0", ' 2 1 "b" { "h" "t" } 0', 1),
        lambda text: text.replace(' "lose" { -1, 1 }', "").replace(" 2\n", ' 2 "lose" { -1, 1 }\n', 1),
        lambda text: text.replace('p "" 2 1 "b"', 'p "" 2 1 ""').replace('2 1 ""', '2 1 "b"', 1),
        lambda text: text.rstrip("\n"),
    ],
)
def test_other_ways_to_write_the_same_game(change):
    assert told(parse_efg(change(PENNIES))) == told(parse_efg(PENNIES))


def test_a_chance_infoset_may_be_restated_by_number():
    text = HEAD + (
        'c "" 1 "coin" { "x" 1/3 "y" 2/3 } 0\n'
        'c "" 1 0\nt "" 1 "" { 1 -1 }\nt "" 0\n'
        'c "" 1 "coin" { "x" 1/3 "y" 2/3 } 0\nt "" 1\nt "" 0\n'
    )
    tree = parse_efg(text)
    assert [tree.numbers[number] for number in tree.probability_number] == [
        1,
        *[Fraction(1, 3), Fraction(2, 3)] * 3,
    ]


def test_payoffs_of_chance_and_decision_nodes_add_up():
    text = HEAD + (
        'c "" 1 "coin" { "x" 1/2 "y" 1/2 } 1 "fee" { -1/2, 1/2 }\n'
        'p "" 1 1 "a" { "l" "r" } 2 "tip" { 10 0 }\nt "" 1\nt "" 0\n'
        't "" 2\n'
    )
    tree = parse_efg(text)
    assert tree.payoffs.tolist() == [[9.5, 0.5], [9, 1], [9.5, 0.5]]
    assert tree.exact


def test_labels_keep_quotes_backslashes_and_line_breaks():
    text = 'EFG 2 R "a \\"b\\" c" { "A" "B" }\np "" 1 1 "x\\y\\\\" { "new\nline" "\\"" } 0\nt "" 0\nt "" 0'
    tree = parse_efg(text)
    assert tree.name == 'a "b" c'
    assert tree.infoset_labels == ("x\\y\\",)
    assert tree.infoset_actions == (("new\nline", '"'),)


def test_missing_and_doubled_names_are_filled_in():
    text = 'EFG 2 R "" { "" "A" "A" }\np "" 2 5 "" { "" "go" "go" "go (2)" } 0\n' + 't "" 0\n' * 4
    tree = parse_efg(text)
    assert tree.player_names == ("player 1", "A", "A (2)")
    assert tree.infoset_labels == ("(2,5)",)
    assert tree.infoset_actions == (("1", "go", "go (3)", "go (2)"),)


def test_infosets_of_two_players_may_have_the_same_number():
    text = HEAD + 'p "" 1 1 "" { "l" } 0\np "" 2 1 "" { "x" "y" } 0\nt "" 0\nt "" 0'
    assert parse_efg(text).infoset_player.tolist() == [1, 2]


REFUSED = [
    ("", "1:1: expected EFG at the start of the file"),
    ("NFG 1 R", "1:1: expected EFG at the start of the file"),
    ("EFG 1 R", "1:5: this is version 1 of the format; only version 2 can be read"),
    ("EFG 2 X", "1:7: expected R or D"),
    ("EFG 2 R", "1:8: expected the title, but the file ends here"),
    ('EFG 2 R "x', "1:9: the quote that begins here is never closed"),
    ('EFG 2 R "x" { }', "1:15: a game needs at least one player"),
    ('EFG 2 R "x" { "A"', "1:18: expected the name of a player, but the file ends here"),
    (HEAD, "2:1: the file ends, but the tree is not complete: a node is missing"),
    (HEAD + 'q "" 1', "2:1: expected a node (c, p or t), found q"),
    (HEAD + 't ""', "2:5: expected the number of an outcome, but the file ends here"),
    (HEAD + 't "" 1', "2:6: outcome 1 was not given before, and no payoffs are given here"),
    (HEAD + 't "" 1 "" { 1 }', "2:6: outcome 1 has 1 payoffs for 2 players"),
    (HEAD + 't "" 1 "" { 1 2 3 }', "2:6: outcome 1 has 3 payoffs for 2 players"),
    (HEAD + 't "" 1 "" 1 2', "2:11: expected '{', found 1"),
    (HEAD + 't "" 1 "" { 1 x }', "2:15: bad number x"),
    (HEAD + 't "" 1 "" { 1 "x" }', '2:15: expected a number, found "x"'),
    (HEAD + 't "" 1 "" { 1 1/0 }', "2:15: bad number 1/0: division by zero"),
    (HEAD + 't "" 1 "" { 1 inf }', "2:15: bad number inf"),
    (HEAD + 't "" 1 "" { 1 1e999 }', "2:15: number 1e999 is outside the range of a float"),
    (HEAD + 't "" 0 "" { 1 -1 }', "2:6: outcome 0 pays nothing; payoffs need another number"),
    (HEAD + 't "" -1', "2:6: the number of an outcome must not be negative: -1"),
    (HEAD + 't "" 1.5', "2:6: expected the number of an outcome, found 1.5"),
    (HEAD + 'p "" 0 1 "a" { "l" } 0', "2:6: player 0 of 2"),
    (HEAD + 'p "" 1 1 0', "2:1: infoset 1 of player 1 was not given before, and no actions are given here"),
    (HEAD + 'c "" 3 0', "2:1: chance infoset 3 was not given before, and no actions are given here"),
    (HEAD + 'p "" 1 1 "a" { } 0', "2:1: player 1 has no action, but the game is not over"),
    (HEAD + 'p "" 1 1 "a" { { } 0', "2:16: expected the name of an action, found '{'"),
    (HEAD + 'c "" 1 "a" { } 0', "2:1: a chance move without outcomes"),
    (HEAD + 'c "" 1 "a" { "x" 3/2 "y" -1/2 } 0', "2:1: a chance outcome has a negative probability"),
    (HEAD + 'c "" 1 "a" { "x" "y" } 0', '2:18: expected a number, found "y"'),
    (
        HEAD + 'p "" 1 1 "a" { "l" "r" } 0\nt "" 0\n',
        "4:1: the file ends, but the tree is not complete: a node is missing",
    ),
    (
        HEAD + 'p "" 1 1 "a" { "l" "r" "s" } 0\nt "" 0\n',
        "4:1: the file ends, but the tree is not complete: a node is missing, and 1 other branches",
    ),
    (
        PENNIES.replace('"b" { "h" "t" }', '"b" { "t" "h" }', 1),
        "8:1: infoset 1 of player 2 was given with actions t, h on line 5, here with h, t",
    ),
    (
        PENNIES.replace('"b"', '"c"', 1),
        "8:1: infoset 1 of player 2 was given the name 'c' on line 5, here b",
    ),
    (
        PENNIES.removesuffix("{ 1, -1 }\n") + "{ -1, 1 }\n",
        "10:6: outcome 1 was given as { 1, -1 } on line 6, here as { -1, 1 }",
    ),
    (
        HEAD + 'c "" 1 "" { "x" 1/2 "y" 1/2 } 0\nt "" 0\nc "" 1 "" { "x" 1/3 "y" 2/3 } 0\n',
        "4:1: chance infoset 1 was given with probabilities { 1/2, 1/2 } on line 2, here with { 1/3, 2/3 }",
    ),
]


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_refusals(text, message):
    with pytest.raises(FormatError) as refused:
        parse_efg(text, file="game.efg")
    assert str(refused.value) == f"game.efg:{message}"


def test_payoffs_that_add_up_beyond_a_float_are_refused():
    huge = "9" * 308
    text = HEAD + f'p "" 1 1 "a" {{ "l" }} 1 "" {{ {huge} 0 }}\nt "" 2 "" {{ {huge}0/10 1 }}\n'
    with pytest.raises(FormatError, match=r"^game.efg:3:"):
        parse_efg(text, file="game.efg")


def test_a_long_chain_is_no_recursion():
    depth = 20_000
    text = HEAD + 'p "" 1 1 "a" { "on" } 0\n' * depth + 't "" 0\n'
    assert parse_efg(text).n_nodes == depth + 1


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "1:1: the file is empty"),
        (b" \n\n", "1:1: the file is empty"),
        (b"\x00\x01\xff\xfe", "1:1: expected EFG at the start of the file"),
        (b'EFG 2 R\n "\xff"', "2:3: byte 0xff is not UTF-8 text"),
        ('EFG 2 R "x"'.encode("utf-16"), "1:1: expected EFG at the start of the file"),
    ],
)
def test_files_that_are_not_text(tmp_path, data, message):
    path = tmp_path / "game.efg"
    path.write_bytes(data)
    with pytest.raises(FormatError) as refused:
        read_efg(path)
    assert str(refused.value).startswith(f"{path}:{message}")


def test_a_folder_and_a_missing_file(tmp_path):
    (tmp_path / "folder.efg").mkdir()
    with pytest.raises(FileError, match=r"cannot read .*folder.efg: it is a folder"):
        read_efg(tmp_path / "folder.efg")
    (tmp_path / "kuhn.efg").write_text(PENNIES, encoding="utf-8")
    with pytest.raises(FileError, match=r"kunh.efg: there is no such file; near it there is .*kuhn.efg"):
        read_efg(tmp_path / "kunh.efg")


def test_a_huge_file_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "huge.efg"
    with open(path, "wb") as file:
        file.write(HEAD.encode())
        file.truncate(2**34)
    with pytest.raises(SizeError, match=r"huge.efg has 16,384 MiB; .* above 1,024 MiB are not read"):
        read_text(path, starts_with="EFG")


def test_a_huge_binary_file_is_refused_by_its_first_bytes(tmp_path):
    path = tmp_path / "zeros.efg"
    with open(path, "wb") as file:
        file.truncate(2**34)
    with pytest.raises(FormatError, match=r"zeros.efg:1:1: expected EFG"):
        read_efg(path)
