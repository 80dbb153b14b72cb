"""`check_game` names the fault, and where it is, of games that are broken in one way each."""

import itertools

import pytest

from maxmin.errors import GameError
from maxmin.game import CHANCE, OVER, check_game


class Guess:
    """A sound game to break: chance tosses a coin, player 1 guesses it, player 2 answers the guess."""

    name = "guess"
    players = 2

    def root(self):
        return ()

    def turn(self, state):
        return (CHANCE, 1, 2, OVER)[len(state)]

    def actions(self, state):
        return ["heads", "tails"] if len(state) == 1 else ["yes", "no"]

    def chance(self, state):
        return [("heads", 0.5), ("tails", 0.5)]

    def child(self, state, action):
        return (*state, action)

    def infoset(self, state):
        return state[1:]

    def payoffs(self, state):
        won = state[0] == state[1]
        return (1, -1) if won else (-1, 1)


class Remembering(Guess):
    """Keeps its state in a list that `child` changes."""

    def root(self):
        return []

    def child(self, state, action):
        state.append(action)
        return state

    def infoset(self, state):
        return tuple(state[1:])


class Wavering(Guess):
    """Gives a different answer each time it is asked for `what`."""

    def __init__(self, what, answers):
        endless = itertools.cycle(answers)
        setattr(self, what, lambda state: next(endless))


def broken(**members):
    """Return a game like `Guess` but for the given members."""
    game = Guess()
    for name, member in members.items():
        setattr(game, name, member)
    return game


def test_sound_game_is_walked_to_the_end():
    assert check_game(Guess()) == 1 + 2 + 4 + 8


def test_walk_stops_after_most_states():
    assert check_game(Guess(), most_states=5) == 5


def test_endless_game_is_checked_in_part():
    assert check_game(broken(turn=lambda state: 1, actions=lambda state: ["on"]), most_states=50) == 50


def test_fault_beyond_most_states_is_not_met():
    assert check_game(broken(payoffs=lambda state: (1,)), most_states=3) == 3


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"players": 0}, r"guess: players must be a whole number from 1 up, not 0"),
        ({"players": 2.0}, r"guess: players must be a whole number from 1 up, not 2\.0"),
        ({"players": True}, r"guess: players must be a whole number from 1 up, not True"),
        (
            {"turn": lambda state: 3},
            r"guess, after nothing: turn\(\) says 3; it must be 0 \(chance\), 1\.\.2 or -1",
        ),
        ({"turn": lambda state: None}, r"guess, after nothing: turn\(\) says None; it must be"),
        (
            {"chance": lambda state: []},
            r"guess, after nothing: nothing can happen, .* turn\(\) says 0, which is chance",
        ),
        (
            {"chance": lambda state: None},
            r"guess, after nothing: chance\(\) must return a list or a tuple, not None",
        ),
        (
            {"chance": lambda state: ["heads", "tails"]},
            r"guess, after nothing: chance\(\) must list pairs \(name, probability\), not \['heads'",
        ),
        (
            {"chance": lambda state: [("heads", 0.5), ("tails", 0.499)]},
            r"guess, after nothing: chance probabilities sum to 0\.999, not 1",
        ),
        (
            {"chance": lambda state: [("heads", 1.5), ("tails", -0.5)]},
            r"guess, after nothing: a chance outcome has a negative probability",
        ),
        (
            {"chance": lambda state: [("heads", "half"), ("tails", 0.5)]},
            r"guess, after nothing: the probability of heads: 'half' is not a number",
        ),
        (
            {"chance": lambda state: [("heads", 0.5), ("heads", 0.5)]},
            r"guess, after nothing: two actions have the same name: \['heads', 'heads'\]",
        ),
        ({"actions": lambda state: []}, r"guess, after heads: nothing can be done, but the game is not over"),
        ({"actions": lambda state: ["a", "a"]}, r"guess, after heads: two actions have the same name"),
        (
            {"actions": lambda state: [1, 2]},
            r"guess, after heads: actions and outcomes must be named by strings",
        ),
        (
            {"actions": lambda state: "ab"},
            r"guess, after heads: actions\(\) must return a list or a tuple, not 'ab'",
        ),
        (
            {"actions": lambda state: ["a", "b"] if state[0] == "heads" else ["a"]},
            r"guess, after tails: infoset \(\) of player 1 has actions \['a'\], elsewhere \['a', 'b'\]",
        ),
        ({"infoset": lambda state: [state]}, r"guess, after heads: infoset\(\) must be hashable, not list"),
        (
            {"payoffs": lambda state: (1, 0, -1)},
            r"guess, after heads / heads / yes: 3 payoffs for 2 players",
        ),
        (
            {"payoffs": lambda state: None},
            r"guess, after heads / heads / yes: payoffs\(\) must return a list or a tuple, not None",
        ),
        (
            {"payoffs": lambda state: (0, float("nan"))},
            r"guess, after heads / heads / yes: the payoff of player 2: nan is not a finite number",
        ),
        (
            {"payoffs": lambda state: (float("inf"), 0) if state[-1] == "no" else (0, 0)},
            r"guess, after heads / heads / no: the payoff of player 1: inf is not a finite number",
        ),
        ({"payoffs": lambda state: ("win", 0)}, r"the payoff of player 1: 'win' is not a number"),
    ],
)
def test_fault_is_named_with_its_place(members, message):
    with pytest.raises(GameError, match=f"^{message}" if message.startswith("guess") else message):
        check_game(broken(**members))


def test_missing_members_are_listed():
    class Half:
        name = "half"
        players = 1

        def root(self):
            return None

    with pytest.raises(
        GameError, match=r"Half is not a Game: it lacks turn, actions, chance, child, infoset, payoffs"
    ):
        check_game(Half())


def test_state_that_child_changes_is_found():
    with pytest.raises(
        GameError, match=r"guess, after nothing: the state answers differently after child\(\)"
    ):
        check_game(Remembering())


@pytest.mark.parametrize(
    ("what", "answers", "message"),
    [
        ("turn", [1, 2], r"turn\(\) answers differently when asked twice"),
        ("actions", [["a", "b"], ["b", "a"]], r"actions\(\) answers differently when asked twice"),
    ],
)
def test_rules_that_waver_are_found(what, answers, message):
    with pytest.raises(GameError, match=message):
        check_game(Wavering(what, answers))
