"""Kuhn poker with cheating and detection: sizes, readings, bad input, and values against a second program."""

import re
from decimal import Decimal
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from reference.cheating import value as reference_value

from maxmin import check_game, load_tree, make_game, solve
from maxmin.build import build_tree
from maxmin.errors import GameError, SizeError, UnknownNameError
from maxmin.games.kuhn_cheating import KuhnCheating
from maxmin.games.kuhn_poker import KuhnPoker
from maxmin.games.peeking import Peeking
from maxmin.properties import perfect_recall

HALF = Fraction(1, 2)
FULL = {"p": Fraction(2, 5), "q": Fraction(1, 3), "r": Fraction(1, 4), "s": Fraction(3, 7)}


def value(game) -> float:
    return solve(game, method="lp", gap=1e-12).value


@pytest.mark.parametrize(
    ("odds", "know", "nodes", "infosets"),
    [
        ("", "before_hit", 55, (6, 6)),
        ("p", "before_hit", 111, (18, 6)),
        ("q", "before_hit", 111, (6, 18)),
        ("pq", "before_hit", 223, (18, 18)),
        ("pqrs", "before_full", 895, (54, 54)),
        ("pqrs", "before_hit", 895, (36, 36)),
        ("pqrs", "after", 895, (18, 18)),
    ],
)
def test_sizes_of_the_five_games(odds, know, nodes, infosets):
    game = KuhnCheating(**dict.fromkeys(odds, HALF), know=know)
    tree = build_tree(game)
    assert check_game(game) == tree.n_nodes == nodes
    assert tuple(np.count_nonzero(tree.infoset_player == player) for player in (1, 2)) == infosets
    assert perfect_recall(tree)
    assert tree.exact


@pytest.mark.parametrize("end", [0, 1])
def test_branches_of_probability_zero_are_kept(end):
    tree = build_tree(KuhnCheating(p=end, q=end, r=end, s=end))
    assert tree.n_nodes == 895
    assert value(tree) == pytest.approx(
        float(reference_value(dict.fromkeys("pqrs", Fraction(end)))), abs=1e-12
    )


@pytest.mark.parametrize("amount", ["matched", "pot", "ante"])
@pytest.mark.parametrize("know", ["before_hit", "before_full", "after"])
def test_value_is_that_of_the_second_program(know, amount):
    expected = reference_value(FULL, know=know, amount=amount)
    assert value(KuhnCheating(**FULL, know=know, amount=amount)) == pytest.approx(float(expected), abs=1e-12)


@pytest.mark.parametrize(
    ("odds", "expected"),
    [
        ({}, Fraction(-1, 18)),
        ({"p": 1}, Fraction(1, 9)),
        ({"q": 1}, Fraction(-1, 9)),
        ({"p": 1, "q": 1}, Fraction(0)),
        ({"p": Fraction(9, 10), "q": Fraction(9, 10)}, Fraction(0)),
    ],
)
def test_corners(odds, expected):
    assert reference_value({name: Fraction(number) for name, number in odds.items()}) == expected
    assert value(KuhnCheating(**odds)) == pytest.approx(float(expected), abs=1e-12)


@pytest.mark.parametrize("know", ["before_hit", "before_full", "after"])
def test_value_does_not_depend_on_the_order_of_the_layers(know):
    game = KuhnCheating(**FULL, know=know)
    usual = value(game)
    for order in ([3, 2, 1, 0], [2, 0, 3, 1]):
        game.layers = tuple(KuhnCheating(**FULL).layers[index] for index in order)
        assert [layer.player for layer in game.layers] != [1, 2, 1, 2]
        assert value(game) == pytest.approx(usual, abs=1e-12)


@pytest.mark.parametrize("know", ["before_hit", "before_full", "after"])
def test_games_collapse(know):
    p, q = FULL["p"], FULL["q"]
    four = value(KuhnCheating(p=p, q=q))
    assert value(KuhnCheating(p=p, q=q, r=0, s=0, know=know)) == pytest.approx(four, abs=1e-12)
    assert value(KuhnCheating(p=0, q=0, r=HALF, s=HALF, know=know)) == pytest.approx(-1 / 18, abs=1e-12)
    assert value(KuhnCheating(p=0, q=q)) == pytest.approx(value(KuhnCheating(q=q)), abs=1e-12)
    assert value(KuhnCheating(p=p, q=0)) == pytest.approx(value(KuhnCheating(p=p)), abs=1e-12)


def test_a_sure_cheat_makes_full_knowledge_and_a_hit_the_same():
    odds = FULL | {"p": 1, "q": 1}
    before_hit, before_full = (
        value(KuhnCheating(**odds, know=know)) for know in ("before_hit", "before_full")
    )
    assert before_hit == pytest.approx(before_full, abs=1e-12)


def payoff_of(game: Peeking, *moves: str) -> int:
    state = game.root()
    for move in moves:
        state = game.child(state, move)
    first, second = game.payoffs(state)
    assert first == -second
    return first


CAUGHT_2 = ("1 is honest", "2 cheats", "1 checks", "2 does not check")
CAUGHT_1 = ("1 cheats", "2 is honest", "1 does not check", "2 checks")
CAUGHT_BOTH = ("1 cheats", "2 cheats", "1 checks", "2 checks")
CAUGHT_ONE_OF_TWO = ("1 cheats", "2 cheats", "1 checks", "2 does not check")


@pytest.mark.parametrize(
    ("options", "moves", "expected"),
    [
        ({}, (*CAUGHT_2, "1 3", "bet", "call"), 2),
        ({}, (*CAUGHT_2, "1 3", "check", "bet", "fold"), 1),
        ({"amount": "pot"}, (*CAUGHT_2, "1 3", "check", "bet", "fold"), 2),
        ({"amount": "ante"}, (*CAUGHT_2, "1 3", "bet", "call"), 1),
        ({"fold": "loses"}, (*CAUGHT_2, "1 3", "check", "bet", "fold"), -1),
        ({"fold": "loses"}, (*CAUGHT_2, "1 3", "bet", "call"), 2),
        ({}, (*CAUGHT_1, "3 1", "bet", "fold"), -1),
        ({"amount": "pot"}, (*CAUGHT_1, "3 1", "bet", "fold"), -2),
        ({"fold": "loses"}, (*CAUGHT_1, "3 1", "bet", "fold"), 1),
        ({}, (*CAUGHT_BOTH, "3 1", "bet", "call"), 0),
        ({}, (*CAUGHT_ONE_OF_TWO, "1 3", "bet", "call"), 2),
        ({"draw": "both_cheat"}, (*CAUGHT_ONE_OF_TWO, "1 3", "bet", "call"), 0),
        ({"draw": "both_cheat"}, (*CAUGHT_2, "1 3", "bet", "call"), 2),
        ({"fold": "loses"}, (*CAUGHT_BOTH, "3 1", "bet", "fold"), 2 - 1),
        ({}, ("1 is honest", "2 is honest", "1 checks", "2 checks", "3 1", "bet", "call"), 2),
    ],
)
def test_what_a_catch_pays(options, moves, expected):
    assert payoff_of(KuhnCheating(**FULL, **options), *moves) == expected


@pytest.mark.parametrize(
    ("options", "moves", "known"),
    [
        ({}, (*CAUGHT_2, "1 3"), "1 (caught)"),
        ({"know": "before_full"}, (*CAUGHT_2, "1 3"), "1 (caught)"),
        ({"know": "after"}, (*CAUGHT_2, "1 3"), "1"),
        ({}, (*CAUGHT_2, "1 3", "bet"), "3 (sees 1) b"),
        ({"announce": True}, (*CAUGHT_2, "1 3", "bet"), "3 (sees 1, checked) b"),
        ({}, ("1 is honest", "2 is honest", "1 checks", "2 checks", "1 3"), "1"),
        (
            {"know": "before_full"},
            ("1 is honest", "2 is honest", "1 checks", "2 checks", "1 3"),
            "1 (clean)",
        ),
        ({}, (*CAUGHT_BOTH, "1 3"), "1 (sees 3, caught)"),
    ],
)
def test_what_players_know(options, moves, known):
    game = KuhnCheating(**FULL, **options)
    state = game.root()
    for move in moves:
        state = game.child(state, move)
    assert game.infoset(state) == known


@pytest.mark.parametrize(
    "tenth", ["0.1", "1/10", ".1", "1e-1", 0.1, Decimal("0.1"), Fraction(1, 10), " 2/20 "]
)
def test_a_tenth_is_a_tenth(tenth):
    assert KuhnCheating(p=tenth).name == "kuhn_cheating(p=1/10,ranks=3)"
    assert KuhnCheating(p=np.float64(0.1)).layers[0].odds == Fraction(1, 10)


def test_names_are_read_back():
    for options in product(
        ("p=1/3", "p=choice"), ("q=0.25", "q=1"), ("know=after,announce=true", "fold=loses")
    ):
        name = make_game(f"kuhn_cheating({','.join(options)})").name
        assert make_game(name).name == name
        assert load_tree(name).name == name


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("p=1.5", GameError, "p must be a probability from 0 to 1 (such as 1/3 or 0.1), or choice, not 3/2"),
        (
            "q=-0.1",
            GameError,
            "q must be a probability from 0 to 1 (such as 1/3 or 0.1), or choice, not -1/10",
        ),
        ("p=1/0", GameError, "not '1/0'"),
        ("p=abc", GameError, "not 'abc'"),
        ("p=nan", GameError, "not 'nan'"),
        ("p=true", GameError, "not 'true'"),
        ("p=1e999999999", GameError, "not '1e999999999'"),
        ("r=choice", GameError, "r must be a probability from 0 to 1 (such as 1/3 or 0.1), not 'choice'"),
        ("know=before", GameError, "know must be before_hit, before_full or after, not 'before'"),
        ("amount=all", GameError, "amount must be matched, pot or ante, not 'all'"),
        ("x=1", UnknownNameError, "kuhn_cheating has no parameter 'x'"),
        ("knows=after", UnknownNameError, "did you mean know?"),
        ("p=1/2,p=1/3", GameError, "p is stated twice"),
        ("ranks=1000,p=1,q=1,r=1,s=1", SizeError, "leaves"),
    ],
)
def test_bad_input_is_refused(text, error, message):
    with pytest.raises(error, match=re.escape(message)):
        load_tree(f"kuhn_cheating({text})")


@pytest.mark.parametrize(
    "number", [True, float("nan"), float("inf"), None.__class__, 2, -1, 1j, [0.5], b"1/2"]
)
def test_bad_probabilities_are_refused_in_python(number):
    with pytest.raises(GameError, match="p must be a probability"):
        KuhnCheating(p=number)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("game=goofspiel,p=1", "deals no hands first"),
        ("game=3K4,r=1/2", "r and s need two players"),
        ("game=liars_dice(sides=2),r=1/2", "r and s need a game of contributions"),
        ("game=khun,p=1", "there is no game 'khun'"),
        ("game=2K1,p=1", "ranks must be"),
    ],
)
def test_what_peeking_does_not_fit_is_refused(text, message):
    with pytest.raises((GameError, UnknownNameError), match=re.escape(message)):
        make_game(f"peeking({text})")


@pytest.mark.parametrize(
    "game", ["2K3", "2K4", "2L122", "leduc_poker(bets=1,ranks=2,suits=2,suited=true)", "2D2"]
)
def test_without_layers_peeking_changes_nothing(game):
    assert value(f"peeking(game={game})") == pytest.approx(value(game), abs=1e-10)


def test_peeking_at_kuhn_poker_is_kuhn_cheating():
    odds = "p=2/5,q=1/3,r=1/4,s=3/7,know=before_full,amount=pot"
    general, own = load_tree(f"peeking(game=2K4,{odds})"), load_tree(f"kuhn_cheating(ranks=4,{odds})")
    assert general.infoset_labels == own.infoset_labels
    assert np.array_equal(general.payoffs, own.payoffs)


@pytest.mark.parametrize("game", ["2K4", "2L122"])
def test_seeing_more_never_hurts(game):
    for cheat, sign in (("p", 1), ("q", -1)):
        values = [sign * value(f"peeking(game={game},{cheat}={odds})") for odds in ("0", "1/3", "2/3", "1")]
        assert (np.diff(values) > -1e-9).all()
        assert values[-1] > values[0] + 1e-3


def test_a_cheat_by_choice_is_worth_the_best_probability_that_is_not_known():
    """Without detection a player may as well peek always; if a peek is surely punished, never."""
    assert value("kuhn_cheating(p=choice)") == pytest.approx(1 / 9, abs=1e-12)
    assert value("kuhn_cheating(q=choice)") == pytest.approx(-1 / 9, abs=1e-12)
    assert value("kuhn_cheating(p=choice,s=1)") == pytest.approx(-1 / 18, abs=1e-12)


def test_a_team_with_a_cheat_gains():
    """Player 1 of the team {1, 3} sees the card of player 2; its mate does not."""
    honest = solve("3K4", team=(1, 3), gap=1e-4)
    cheating = solve("peeking(game=3K4,p=1,sees=next)", team=(1, 3), gap=5e-3)
    assert cheating.lower > honest.upper + 0.01


@pytest.mark.parametrize(("sees", "known"), [("all", "2 (sees 3 4)"), ("next", "2 (sees 3)")])
def test_whose_hands_a_cheat_sees(sees, known):
    game = Peeking(game="3K4", p=1, sees=sees)
    state = game.child(game.child(game.root(), "1 cheats"), "2 3 4")
    assert game.infoset(state) == known


def test_rules_of_ones_own_can_be_peeked_at():
    class HighStakes(KuhnPoker):
        def settle(self, result, verdict):
            return [10 * payoff for payoff in super().settle(result, verdict)]

    assert value(Peeking(game=HighStakes(), p=1)) == pytest.approx(10 / 9, abs=1e-9)
    with pytest.raises(GameError, match="peeking: game must be the name of a game, not 7"):
        Peeking(game=7)
