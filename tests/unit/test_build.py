"""The tree of a dealt game, built over all deals at once, is the tree that walking its rules gives."""

import random
from fractions import Fraction

import numpy as np
import pytest

from maxmin.build import build_tree
from maxmin.errors import GameError
from maxmin.game import CHANCE, OVER, DealtGame, check_game
from maxmin.games import make_game


class Walked:
    """The same game without the shorthand, so that `build_tree` walks it state by state."""

    def __init__(self, game):
        self.name, self.players = game.name, game.players
        for method in ("root", "turn", "actions", "chance", "child", "infoset", "payoffs"):
            setattr(self, method, getattr(game, method))


class Bets(DealtGame):
    """A dealt game with faults on demand: player 1 says a or b, a coin is tossed for all, player 2 answers."""

    name = "bets"
    players = 2

    def __init__(self, **faults):
        self.faults = faults

    def __getattribute__(self, name):
        faults = super().__getattribute__("__dict__").get("faults", {})
        return faults[name] if name in faults else super().__getattribute__(name)

    def deals(self):
        third = Fraction(1, 3)
        return [(("x", "y"), third), (("y", "x"), third), (("x", "x"), third)]

    def start(self):
        return ""

    def public_turn(self, public):
        return (1, CHANCE, 2, OVER)[len(public)]

    def moves(self, public):
        return ("a", "b") if not public else ("c", "d")

    def draws(self, public, hands):
        # Hand x of player 1 never sees tails; outcomes come in different orders.
        return [("h", 1), ("t", 0)] if hands[0] == "x" else [("t", Fraction(1, 4)), ("h", Fraction(3, 4))]

    def after(self, public, move):
        return public + move

    def history(self, public):
        return public

    def result(self, public):
        return public[0] == public[-1]

    def settle(self, result, hands):
        return (len(hands[0]) + result, 0.5)


class RandomDealt(DealtGame):
    """Random hands, odds, moves, payoffs, and draws that depend on hands; a state is the tuple of moves."""

    def __init__(self, seed):
        self.name = f"random {seed}"
        self.seed = seed
        self.players = self._random("players").randint(1, 3)

    def _random(self, *key):
        return random.Random(repr((self.seed, *key)))

    def deals(self):
        rng = self._random("deals")
        hands = {tuple(rng.choice("xyz") for _ in range(self.players)) for _ in range(4)}
        odds = [rng.randint(0, 3) for _ in hands]
        odds[0] += 1
        return [(hand, Fraction(one, sum(odds))) for hand, one in zip(sorted(hands), odds, strict=True)]

    def start(self):
        return ()

    def public_turn(self, public):
        return self._random("turn", public).choice(
            [OVER, *range(self.players + 1)] if len(public) < 4 else [OVER]
        )

    def moves(self, public):
        return tuple("abc")[: self._random("moves", public).randint(1, 3)]

    def draws(self, public, hands):
        rng = self._random("draws", public, hands)
        draws = rng.sample("uvw", rng.randint(1, 3))
        odds = [rng.randint(0, 2) for _ in draws]
        odds[0] += 1
        return [(draw, Fraction(one, sum(odds))) for draw, one in zip(draws, odds, strict=True)]

    def after(self, public, move):
        return (*public, move)

    def history(self, public):
        return "".join(public)

    def result(self, public):
        return public[-1:]

    def settle(self, result, hands):
        rng = self._random("settle", result, hands)
        return [rng.choice([rng.randint(-3, 3), Fraction(rng.randint(-3, 3), 3), 0.1]) for _ in hands]


@pytest.mark.parametrize(
    "game",
    [
        make_game("2K3"),
        make_game("4K4"),
        make_game("leduc_poker"),
        make_game("leduc_poker(suited=true)"),
        make_game("3L133"),
        make_game("leduc_poker(players=3,bets=2,ranks=2,suits=2,suited=true)"),
        make_game("3D2"),
        make_game("liars_dice(sides=3,order=count,wild=true)"),
        Bets(),
        *(RandomDealt(seed) for seed in range(40)),
    ],
    ids=lambda game: game.name,
)
def test_expanding_equals_walking(game):
    fast, slow = build_tree(game), build_tree(Walked(game))
    assert (fast.name, fast.player_names) == (slow.name, slow.player_names)
    for name in (
        "parent",
        "player",
        "infoset",
        "action",
        "first_child",
        "n_children",
        "leaves",
        "infoset_player",
    ):
        np.testing.assert_array_equal(getattr(fast, name), getattr(slow, name), err_msg=name)
    assert fast.infoset_labels == slow.infoset_labels
    assert fast.infoset_actions == slow.infoset_actions
    assert _decoded(fast.label, fast.labels) == _decoded(slow.label, slow.labels)
    assert _decoded(fast.probability_number, fast.numbers) == _decoded(slow.probability_number, slow.numbers)
    assert _decoded(fast.payoff_number.ravel(), fast.numbers) == _decoded(
        slow.payoff_number.ravel(), slow.numbers
    )
    np.testing.assert_array_equal(fast.payoffs, slow.payoffs)
    assert fast.exact == slow.exact


def _decoded(indices, table):
    values = [table[index] if index >= 0 else None for index in indices.tolist()]
    return [(type(value), value) for value in values]


def test_dealt_game_passes_the_check():
    assert check_game(Bets()) == build_tree(Bets()).n_nodes


@pytest.mark.parametrize(
    ("faults", "message"),
    [
        ({"deals": lambda: []}, r"bets, the deal: probabilities sum to 0"),
        (
            {"deals": lambda: [(("x", "y"), 0.5), (("y", "x"), 0.499)]},
            r"bets, the deal: probabilities sum to 0\.999, or one of them is negative",
        ),
        ({"deals": lambda: [(("x", "y"), 2), (("y", "x"), -1)]}, r"the deal: .* one of them is negative"),
        ({"deals": lambda: [(("x", "y"), 0.5)] * 2}, r"bets: a deal is listed twice"),
        ({"deals": lambda: [(("x",), 1)]}, r"bets: the deal 'x' is not one hand for each player"),
        ({"public_turn": lambda public: 3}, r"bets, after '': player 3 of 2"),
        ({"moves": lambda public: ()}, r"bets, after '': moves \[\] are not a choice"),
        ({"moves": lambda public: ("a", "a")}, r"bets, after '': moves \['a', 'a'\] are not a choice"),
        (
            {"history": lambda public: ""},
            r"bets, after '': two public states are described in the same words",
        ),
        (
            {"draws": lambda public, hands: [("h", 0.5), ("t", 0.4)]},
            r"bets, after 'a', the draw: probabilities sum to 0\.9",
        ),
        (
            {"draws": lambda public, hands: [("h", 0.5), ("h", 0.5)]},
            r"bets, after 'a', the draw: two outcomes have the same name",
        ),
        (
            {"draws": lambda public, hands: [("h", float("nan"))]},
            r"bets, after 'a', the draw: nan is not a finite number",
        ),
        ({"settle": lambda result, hands: (1,)}, r"bets: 1 payoffs for 2 players"),
        (
            {"settle": lambda result, hands: (1, float("inf"))},
            r"bets, hands x y: a payoff: inf is not a finite number",
        ),
    ],
)
def test_faults_are_named(faults, message):
    with pytest.raises(GameError, match=message):
        build_tree(Bets(**faults))


def test_one_node_game():
    tree = build_tree(make_game("goofspiel(cards=1)"))
    assert (tree.n_nodes, tree.n_leaves, tree.n_infosets) == (1, 1, 0)


def test_dealt_game_without_moves():
    tree = build_tree(Bets(public_turn=lambda public: OVER, result=lambda public: False))
    assert (tree.n_nodes, tree.n_leaves, tree.n_infosets) == (4, 3, 0)


def test_unknown_deal_is_refused():
    with pytest.raises(GameError, match="bets: there is no deal 'y y'"):
        Bets().child(None, "y y")
