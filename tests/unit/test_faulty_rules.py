"""Rules as a newcomer writes them wrong: refused before they are solved, with the mistake named."""

from fractions import Fraction

import numpy as np
import pytest

from maxmin import deals
from maxmin.errors import GameError, SizeError
from maxmin.game import DealtGame, check_game
from maxmin.sources import load_tree


class Pennies:
    """A sound game to break: two players show a penny each."""

    name = "pennies"
    players = 2

    def root(self):
        return ()

    def turn(self, state):
        return -1 if len(state) == 2 else len(state) + 1

    def actions(self, state):
        return ["heads", "tails"]

    def chance(self, state):
        return []

    def child(self, state, action):
        return (*state, action)

    def infoset(self, state):
        return f"player {len(state) + 1}"

    def payoffs(self, state):
        return (1, -1) if state[0] == state[1] else (-1, 1)


class OneCard(DealtGame):
    """A sound dealt game to break: one card each, player 1 says something, the higher card wins."""

    name = "one card"
    players = 2

    def deals(self):
        return [(("J", "Q"), Fraction(1, 2)), (("Q", "J"), Fraction(1, 2))]

    def start(self):
        return ""

    def public_turn(self, public):
        return -1 if public else 1

    def moves(self, public):
        return ["a", "b"]

    def after(self, public, move):
        return public + move

    def history(self, public):
        return public

    def result(self, public):
        return public

    def settle(self, result, hands):
        return (1, -1) if hands[0] == "Q" else (-1, 1)


def changed(rules, **members):
    """Return a game of a class like `rules` but for the given members."""
    return type("Changed", (rules,), members)()


def grow(self, state, action):
    """Return the state that it was given, changed."""
    state.append(action)
    return state


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"name": 5}, "name must be a string, not 5"),
        ({"players": "2"}, "players must be a whole number"),
        ({"turn": lambda self, state: -1 if len(state) == 2 else len(state)}, "players count from 1"),
        ({"turn": lambda self, state: None}, r"turn\(\) says None"),
        ({"actions": lambda self, state: None}, r"actions\(\) must return a list or a tuple, not None"),
        ({"actions": lambda self, state: {"heads", "tails"}}, r"actions\(\) must return a list or a tuple"),
        ({"actions": lambda self, state: [0, 1]}, "must be named by strings"),
        ({"actions": lambda self, state: ["heads", "heads"]}, "two actions have the same name"),
        (
            {"root": lambda self: [], "child": grow, "infoset": lambda self, state: len(state)},
            "leave the old one alone",
        ),
        ({"infoset": lambda self, state: [1]}, r"infoset\(\) must be hashable, not list"),
        ({"infoset": lambda self, state: object()}, r"infoset\(\) answers differently when asked twice"),
        ({"payoffs": lambda self, state: 1}, r"payoffs\(\) must return a list or a tuple, not 1"),
        ({"payoffs": lambda self, state: {1: 1, 2: -1}}, r"payoffs\(\) must return a list or a tuple"),
        ({"payoffs": lambda self, state: ["1", "-1"]}, "the payoff of player 1: '1' is not a number"),
        (
            {"payoffs": lambda self, state: [10**400, 0]},
            r"the payoff of player 1: an integer of 1,329 bits is not a number",
        ),
    ],
)
def test_mistakes_are_named_before_a_tree_is_built(members, message):
    with pytest.raises(GameError, match=message):
        load_tree(changed(Pennies, **members))


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"deals": lambda self: None}, r"deals\(\) must return a list or a tuple, not None"),
        ({"deals": lambda self: [((1, 2), 1)]}, "each hand a string"),
        ({"deals": lambda self: ["JQ"]}, r"deals\(\) must list pairs"),
        ({"public_turn": lambda self, public: 0 if not public else -1}, r"no draws\(\) are written"),
        ({"public_turn": lambda self, public: None}, r"turn\(\) says None"),
        ({"moves": lambda self, public: "ab"}, r"actions\(\) must return a list or a tuple, not 'ab'"),
        ({"settle": lambda self, result, hands: 1}, r"payoffs\(\) must return a list or a tuple, not 1"),
        ({"result": lambda self, public: [public]}, r"result\(\) must be hashable, not list"),
        ({"verdict": lambda self, result, hands: [1]}, r"verdict\(\) must be hashable, not list"),
    ],
)
def test_mistakes_in_dealt_games_are_named(members, message):
    with pytest.raises(GameError, match=message):
        load_tree(changed(OneCard, **members))


def test_a_class_is_not_yet_a_game():
    for check in (load_tree, check_game):
        with pytest.raises(GameError, match=r"Pennies is a class: make a game of it, Pennies\(\)"):
            check(Pennies)


def test_rules_that_lack_members_are_told_which():
    class Half:
        name = "half"
        players = 1

        def root(self):
            return None

    with pytest.raises(GameError, match="it lacks turn, actions"):
        load_tree(Half())


def test_numbers_of_numpy_are_numbers():
    game = changed(
        Pennies,
        turn=lambda self, state: np.int64(-1 if len(state) == 2 else len(state) + 1),
        payoffs=lambda self, state: np.array([1.0, -1.0]),
    )
    assert load_tree(game).n_leaves == 4


def test_rounded_odds_are_scaled_with_a_warning():
    game = changed(
        Pennies,
        turn=lambda self, state: -1 if state else 0,
        chance=lambda self, state: [(str(side), 0.16666667) for side in range(6)],
        payoffs=lambda self, state: (1, -1),
    )
    with pytest.warns(UserWarning, match="sum to 1.00000002; scaled to 1"):
        assert load_tree(game).n_leaves == 6


@pytest.mark.parametrize(
    "game",
    [
        changed(Pennies, turn=lambda self, state: 1 + len(state) % 2),
        changed(OneCard, public_turn=lambda self, public: 1 + len(public) % 2),
    ],
    ids=["walked", "dealt"],
)
def test_a_game_that_never_ends_is_refused(monkeypatch, game):
    monkeypatch.setattr(deals, "_MOST_STATES", 5000)
    with pytest.raises(SizeError, match="more than 5,000 states: does it say"):
        load_tree(game)
