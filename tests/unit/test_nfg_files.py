"""Gambit's normal-form games, both ways to state them, and trees written as their reduced normal form."""

import itertools
from fractions import Fraction

import pytest

from maxmin.errors import FormatError, SizeError
from maxmin.formats import nfg
from maxmin.formats.nfg import format_nfg, parse_nfg, read_nfg, write_nfg
from maxmin.sources import load_tree

PAYOFFS = 'NFG 1 R "rows and columns" { "Ann" "Bob" } { 2 3 }\n"comment"\n\n1 -1 2 -2 3 -3 4 -4 5 -5 6 -6\n'
OUTCOMES = (
    'NFG 1 R "rows and columns" { "Ann" "Bob" }\n{ { "1" "2" }\n{ "1" "2" "3" } }\n""\n\n'
    '{ { "a" 1, -1 } { "b" 2 -2 } { "c" 3 -3 } { "" 4, -4, } { "e" 5, -5 } { "f" 6, -6 } }\n1 2 3 4 5 6\n'
)


@pytest.mark.parametrize(
    "text",
    [
        PAYOFFS,
        OUTCOMES,
        "\ufeff" + PAYOFFS.replace("\n", "\r\n"),
        PAYOFFS.split("\n")[0] + " 1 -1, 2 -2, 3 -3, 4 -4, 5 -5, 6 -6",
    ],
)
def test_player_one_changes_fastest(text):
    tree = parse_nfg(text)
    assert tree.name == "rows and columns"
    assert tree.player.tolist()[:3] == [1, 2, 2]
    assert tree.infoset.tolist()[:3] == [0, 1, 1]
    assert tree.infoset_labels == ("Ann", "Bob")
    assert tree.infoset_actions == (("1", "2"), ("1", "2", "3"))
    assert tree.payoffs[:, 0].tolist() == [1, 3, 5, 2, 4, 6]


def test_three_players():
    numbers = " ".join(f"{a}{b}{c} 0 0" for c in (1, 2) for b in (1, 2, 3) for a in (1, 2))
    tree = parse_nfg('NFG 1 R "" { "A" "B" "C" } { 2 3 2 } ' + numbers)
    expected = [float(f"{a}{b}{c}") for a in (1, 2) for b in (1, 2, 3) for c in (1, 2)]
    assert tree.payoffs[:, 0].tolist() == expected


def test_null_outcome_and_doubled_strategies():
    tree = parse_nfg('NFG 1 D "" { "A" "B" } { { "go" "go" } { "" } } { { "x" 1/3 .5 } } 0 1')
    assert tree.infoset_actions == (("go", "go (2)"), ("1",))
    assert [tree.numbers[number] for number in tree.payoff_number[1]] == [Fraction(1, 3), Fraction(1, 2)]
    assert tree.payoffs[0].tolist() == [0, 0]


HEAD = 'NFG 1 R "x" { "A" "B" } '
REFUSED = [
    ("EFG 2 R", "1:1: expected NFG at the start of the file"),
    ("NFG 2 R", "1:5: this is version 2 of the format; only version 1 can be read"),
    (HEAD + "{ 2 }", "1:29: strategies of 1 players are given, but there are 2 players"),
    (HEAD + "{ 2 0 }", "1:29: player 2 has no strategy"),
    (HEAD + "{ 2 -1 }", "1:29: a number of strategies must not be negative: -1"),
    (HEAD + "{ { } 1 }", "1:29: player 1 has no strategy"),
    (HEAD + "{ 2 2 }\n1 2 3", "2:6: 3 numbers where 8 belong: 4 profiles, 2 payoffs each"),
    (HEAD + "{ 1 1 }\n1 2 3", "2:5: 3 numbers where 2 belong: 1 profiles, 2 payoffs each"),
    (
        HEAD + "{ 1000000 1000000 }\n1 2",
        "2:4: 2 numbers where 2000000000000 belong: 1000000000000 profiles, 2 payoffs each",
    ),
    (HEAD + "{ 1 1 }\n1 x", "2:3: bad number x"),
    (HEAD + '{ 1 1 }\n{ { "o" 1 } } 1', "2:11: outcome 1 has 1 payoffs for 2 players"),
    (HEAD + '{ 1 1 }\n{ { "o" 1 2 } } 2', "2:17: there is no outcome 2, only 1 are listed"),
    (HEAD + '{ 1 2 }\n{ { "o" 1 2 } } 1', "2:18: 1 outcomes where 2 belong, one for each profile"),
]


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_refusals(text, message):
    with pytest.raises(FormatError) as refused:
        parse_nfg(text, file="game.nfg")
    assert str(refused.value) == f"game.nfg:{message}"


def test_writing_a_normal_form(tmp_path):
    tree = parse_nfg(PAYOFFS)
    write_nfg(tree, tmp_path / "game.nfg")
    text = (tmp_path / "game.nfg").read_text(encoding="utf-8")
    assert text == (
        'NFG 1 R "rows and columns" { "Ann" "Bob" } { { "1" "2" } { "1" "2" "3" } }\n""\n\n'
        "1 -1\n2 -2\n3 -3\n4 -4\n5 -5\n6 -6\n"
    )
    assert format_nfg(read_nfg(tmp_path / "game.nfg")) == text


def expected_payoffs(tree, plans):
    """Add up the payoffs of the leaves that the plans of all players allow: the definition, leaf by leaf."""
    total = [Fraction(0)] * tree.n_players
    for leaf, row in zip(tree.leaves.tolist(), tree.payoff_number, strict=True):
        weight, node = Fraction(1), leaf
        while node:
            parent = int(tree.parent[node])
            weight *= tree.numbers[tree.probability_number[node]]
            if tree.player[parent] > 0 and plans[tree.infoset[parent]] != tree.action[node]:
                weight = Fraction(0)
            node = parent
        total = [so_far + weight * tree.numbers[number] for so_far, number in zip(total, row, strict=True)]
    return total


@pytest.mark.parametrize(
    "name", ["kuhn_poker(ranks=2)", "hide_and_seek", "absent_minded_driver", "forgetful_player"]
)
def test_the_reduced_normal_form_has_the_payoffs_of_all_pure_plans(name):
    tree = load_tree(name)
    normal = parse_nfg(format_nfg(tree))
    exact = {tuple(normal.numbers[number] for number in row) for row in normal.payoff_number}
    choices = [range(len(actions)) for actions in tree.infoset_actions]
    assert exact == {tuple(expected_payoffs(tree, plans)) for plans in itertools.product(*choices)}


def test_the_reduced_normal_form_leaves_out_what_a_plan_rules_out():
    assert len(list(nfg.reduced_plans(load_tree("kuhn_poker"), 1))) == 27
    assert len(list(nfg.reduced_plans(load_tree("kuhn_poker"), 2))) == 64


def test_a_tree_with_too_many_plans_is_refused():
    with pytest.raises(SizeError, match=r"leduc_poker.*: the normal form has more than 100,000 profiles"):
        format_nfg(load_tree("leduc_poker"))
