"""The games' rules: published leaf counts, OpenSpiel's trees, exact zero-sum payoffs, rules by hand."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from maxmin.build import build_tree
from maxmin.errors import SizeError
from maxmin.game import check_game
from maxmin.games import CATALOGUE, make_game
from maxmin.games.leduc_poker import LeducPoker, Table
from maxmin.games.parameters import check_size
from maxmin.properties import absent_minded, perfect_recall

SMALL = [
    "2K3",
    "3K5",
    "leduc_poker",
    "leduc_poker(suited=true)",
    "3L133",
    "leduc_poker(players=4,bets=1,ranks=2,suits=3)",
    "3D2",
    "liars_dice(players=3,sides=2,order=count,wild=true)",
    "liars_dice(sides=4,wild=true)",
    "goofspiel(cards=1)",
    "goofspiel(cards=3)",
    "goofspiel(cards=4,prizes=ascending)",
    "goofspiel(players=3,cards=3,prizes=descending,ties=split)",
    *(name for name, family in CATALOGUE.items() if not family.parameters),
]


# Published: Zhang, Farina, Sandholm 2023 (table 1), Farina et al. 2021, and the benchmarks' formulas.
@pytest.mark.parametrize(
    ("spec", "leaves"),
    [
        ("3K3", 78),
        ("3K4", 312),
        ("3K6", 1_560),
        ("3K8", 4_368),
        ("3K12", 17_160),
        ("4K5", 3_960),
        ("3L133", 6_477),
        ("3L143", 20_856),
        ("3L151", 10_020),
        ("3L153", 51_215),
        ("3L223", 8_762),
        ("4L133", 80_322),
        ("3D2", 504),
        ("3D3", 13_797),
        ("3D4", 262_080),
        ("6D2", 262_080),
    ],
)
def test_published_leaf_count(spec, leaves):
    assert build_tree(make_game(spec)).n_leaves == leaves


# From walking OpenSpiel's kuhn_poker, leduc_poker, liars_dice, turn-based goofspiel (2.0): leaves, infosets
# of each player, and how often chance reaches each payoff of player 1 if all moves have weight 1.
@pytest.mark.parametrize(
    ("spec", "leaves", "infosets", "weights"),
    [
        ("kuhn_poker", 30, 6, {-2: 1, -1: Fraction(3, 2), 1: Fraction(3, 2), 2: 1}),
        ("kuhn_poker(players=3)", 312, 16, {-2: 4, -1: Fraction(14, 3), 2: Fraction(4, 3), 3: 2, 4: 1}),
        (
            "leduc_poker(suited=true)",
            5520,
            468,
            {
                **{sign * 13: Fraction(8, 5) for sign in (-1, 1)},
                **{sign * 11: Fraction(8, 5) for sign in (-1, 1)},
                **{sign * 9: Fraction(22, 5) for sign in (-1, 1)},
                **{sign * 7: Fraction(18, 5) for sign in (-1, 1)},
                **{sign * 5: Fraction(23, 5) for sign in (-1, 1)},
                **{sign * 3: Fraction(19, 5) for sign in (-1, 1)},
                **{sign * 1: Fraction(12, 5) for sign in (-1, 1)},
                0: 5,
            },
        ),
        ("liars_dice(sides=2,order=count,wild=true)", 60, 16, {-1: 7, 1: 8}),
        ("liars_dice(sides=3,order=count,wild=true)", 567, 96, {-1: Fraction(280, 9), 1: Fraction(287, 9)}),
        (
            "liars_dice(sides=5,order=count,wild=true)",
            25_575,
            2560,
            {-1: Fraction(12_784, 25), 1: Fraction(12_791, 25)},
        ),
        (
            "goofspiel(cards=3)",
            216,
            57,
            {-2: 2, -1: 5, Fraction(-1, 2): 6, 0: 10, Fraction(1, 2): 6, 1: 5, 2: 2},
        ),
        (
            "goofspiel(cards=3,prizes=descending)",
            36,
            10,
            {-2: 2, -1: 5, Fraction(-1, 2): 6, 0: 10, Fraction(1, 2): 6, 1: 5, 2: 2},
        ),
        (
            "goofspiel(players=3,cards=3,prizes=descending)",
            216,
            28,
            {
                Fraction(-5, 3): 8,
                Fraction(-4, 3): 8,
                -1: 48,
                Fraction(-2, 3): 24,
                Fraction(-1, 3): 28,
                0: 26,
                Fraction(1, 3): 4,
                Fraction(2, 3): 12,
                1: 20,
                Fraction(4, 3): 16,
                Fraction(5, 3): 4,
                2: 14,
                Fraction(8, 3): 2,
                Fraction(10, 3): 2,
            },
        ),
    ],
)
def test_same_tree_as_in_openspiel(spec, leaves, infosets, weights):
    tree = build_tree(make_game(spec))
    assert tree.n_leaves == leaves
    assert set(np.bincount(tree.infoset_player)[1:].tolist()) == {infosets}
    assert _weights(tree) == weights


def _weights(tree):
    reach = [Fraction(1)] * tree.n_nodes
    for node in range(1, tree.n_nodes):
        reach[node] = reach[tree.parent[node]] * tree.numbers[tree.probability_number[node]]
    weights = Counter()
    for leaf, numbers in zip(tree.leaves.tolist(), tree.payoff_number.tolist(), strict=True):
        weights[tree.numbers[numbers[0]]] += reach[leaf]
    return weights


@pytest.mark.parametrize("spec", SMALL)
def test_payoffs_are_exact_and_sum_to_zero(spec):
    tree = build_tree(make_game(spec))
    assert tree.exact
    assert all(sum(tree.numbers[number] for number in row) == 0 for row in tree.payoff_number.tolist())


@pytest.mark.parametrize("spec", SMALL)
def test_check_game_finds_no_fault(spec):
    game = make_game(spec)
    assert check_game(game) == build_tree(game).n_nodes


@pytest.mark.parametrize(
    "spec", [spec for spec in SMALL if spec not in ("forgetful_player", "absent_minded_driver")]
)
def test_players_remember(spec):
    assert perfect_recall(build_tree(make_game(spec)))


def test_games_of_imperfect_recall():
    assert not perfect_recall(build_tree(make_game("forgetful_player")))
    assert not absent_minded(build_tree(make_game("forgetful_player")))
    assert absent_minded(build_tree(make_game("absent_minded_driver")))


@pytest.mark.parametrize(
    "spec",
    [
        "4K5",
        "leduc_poker(players=3,bets=3,ranks=2,suits=2)",
        "leduc_poker(players=4,bets=1,ranks=2,suits=3)",
        "leduc_poker(players=3,bets=1,ranks=2,suits=2,suited=true)",
        "leduc_poker(players=2,bets=1,ranks=1,suits=3)",
        "liars_dice(players=3,sides=2,order=count)",
        "goofspiel(cards=4)",
        "goofspiel(players=3,cards=3,prizes=ascending)",
        "goofspiel(cards=1)",
    ],
)
def test_leaves_are_counted_before_building(spec, monkeypatch):
    counted = []
    rules = type(make_game(spec))
    monkeypatch.setattr(f"{rules.__module__}.check_size", lambda name, leaves: counted.append(leaves))
    assert [build_tree(make_game(spec)).n_leaves] == counted


def test_size_limit_is_not_off_by_one():
    check_size("game", 10_000_000)
    with pytest.raises(SizeError, match=r"^game has 10,000,001 leaves; at most 10,000,000 can be laid out"):
        check_size("game", 10_000_001)


def _play(game, *moves):
    state = game.root()
    for move in moves:
        state = game.child(state, move)
    return state


@pytest.mark.parametrize(
    ("moves", "payoffs"),
    [
        (("2 1 3", "check", "check", "check"), [-1, -1, 2]),
        (("2 1 3", "check", "bet", "fold", "fold"), [-1, 2, -1]),
        (("2 1 3", "check", "bet", "fold", "call"), [3, -2, -1]),
        (("2 1 3", "bet", "call", "call"), [-2, -2, 4]),
    ],
)
def test_kuhn_pays_the_highest_card_still_in(moves, payoffs):
    game = make_game("3K3")
    assert list(game.payoffs(_play(game, *moves))) == payoffs


@pytest.mark.parametrize(
    ("moves", "payoffs"),
    [
        # A pair beats a higher card; raise sizes are 2 and 4.
        (("1 3 2", "bet", "fold", "call", "1", "bet", "call"), [8, -1, -7]),
        # All fold: the board is not dealt.
        (("1 3 2", "check", "check", "bet", "fold", "fold"), [-1, -1, 2]),
        # Two equal hands of three split the pot.
        (
            ("2 2 1", "check", "check", "check", "3", "check", "check", "check"),
            [Fraction(1, 2), Fraction(1, 2), -1],
        ),
        # Three equal hands split it too.
        (("2 2 2", "bet", "call", "call", "1", "check", "check", "check"), [0, 0, 0]),
    ],
)
def test_leduc_pays_pairs_then_high_cards(moves, payoffs):
    game = make_game("3L133")
    state = _play(game, *moves)
    assert game.turn(state) == -1
    assert list(game.payoffs(state)) == payoffs


def test_leduc_second_round_starts_with_the_first_seat_still_in():
    game = make_game("3L133")
    assert game.turn(_play(game, "1 2 3", "check", "bet", "call", "fold", "1")) == 2


def test_leduc_allows_no_more_raises_than_bets():
    game = make_game("leduc_poker(bets=2)")
    assert list(game.actions(_play(game, "1 2", "bet"))) == ["fold", "call", "raise"]
    assert list(game.actions(_play(game, "1 2", "bet", "raise"))) == ["fold", "call"]


def test_leduc_odd_pot_is_split_in_fractions():
    table = Table((1, 1, 1), (False, False, True), 0, 0, round=1, board="3")
    game = LeducPoker(players=3, ranks=3, suits=3)
    winners = game.verdict(game.result(table), ("2", "2", "1"))
    assert winners == (0, 1)
    assert game.settle(game.result(table), winners) == [Fraction(1, 2), Fraction(1, 2), -1]


@pytest.mark.parametrize(
    ("spec", "moves", "payoffs"),
    [
        ("3D2", ("2 2 1", "2x2", "call"), [1, -1, 0]),
        ("3D2", ("2 2 1", "3x2", "call"), [-1, 1, 0]),
        ("3D2", ("1 1 1", "1x1", "2x1", "3x2", "call"), [1, 0, -1]),
        ("liars_dice(sides=3,order=count,wild=true)", ("1 3", "2x1", "call"), [1, -1]),
        ("liars_dice(sides=3,order=count,wild=true)", ("1 3", "2x3", "call"), [-1, 1]),
        ("liars_dice(sides=3,order=count)", ("1 3", "2x1", "call"), [-1, 1]),
    ],
)
def test_liars_dice_settles_between_the_last_bidder_and_the_caller(spec, moves, payoffs):
    game = make_game(spec)
    assert list(game.payoffs(_play(game, *moves))) == payoffs


def test_liars_dice_orders_bids():
    by_face, by_count = make_game("liars_dice(sides=2)"), make_game("liars_dice(sides=2,order=count)")
    assert list(by_face.actions(_play(by_face, "1 1"))) == ["1x1", "2x1", "1x2", "2x2"]
    assert list(by_face.actions(_play(by_face, "1 1", "2x1"))) == ["1x2", "2x2", "call"]
    assert list(by_count.actions(_play(by_count, "1 1", "1x2"))) == ["2x1", "2x2", "call"]


# Prize 3: seats 1 and 3 tie with 3. Prize 2: seat 3 bids highest. Prize 1: the last cards are 2, 3, 1.
@pytest.mark.parametrize(
    ("ties", "payoffs"),
    [("discard", [-1, 0, 1]), ("split", [Fraction(-1, 2), -1, Fraction(3, 2)])],
)
def test_goofspiel_ties(ties, payoffs):
    game = make_game(f"goofspiel(players=3,cards=3,prizes=descending,ties={ties})")
    state = _play(game, "3", "2", "3", "1", "1", "2")
    assert game.turn(state) == -1
    assert list(game.payoffs(state)) == payoffs


def test_goofspiel_hides_the_bids_of_an_unfinished_round():
    game = make_game("goofspiel(cards=3,prizes=ascending)")
    assert game.infoset(_play(game, "1")) == game.infoset(_play(game, "3")) == "1:"
    assert game.infoset(_play(game, "1", "3")) == "1:1,3 2:"
