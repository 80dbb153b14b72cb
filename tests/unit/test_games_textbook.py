"""The textbook games are worth what they say, by brute force in fractions over all joint pure plans."""

from fractions import Fraction
from itertools import product

import pytest
from reference.brute_force import exact_team_value

from maxmin.build import build_tree
from maxmin.errors import GameError
from maxmin.games import CATALOGUE, make_game
from maxmin.games.textbook import ForgetfulPlayer, PrivateSignal

TEXTBOOK = [name for name, family in CATALOGUE.items() if not family.parameters]
GRID = [Fraction(step, 8) for step in range(9)]


@pytest.mark.parametrize("name", TEXTBOOK)
def test_value_is_as_stated(name):
    game = make_game(name)
    tree = build_tree(game)
    assert exact_team_value(tree, game.team) == game.value


@pytest.mark.parametrize(
    ("name", "value"), [("hide_and_seek", Fraction(1, 4)), ("one_time_pad", 0), ("private_signal", 0)]
)
def test_members_who_randomize_on_their_own_get_less(name, value):
    game = make_game(name)
    assert _most_on_their_own(game, game.team) == value < game.value


def test_forgetful_player_gets_nothing_with_a_behavior_strategy():
    assert _most_on_their_own(make_game("forgetful_player"), (1,)) == 0


def test_absent_minded_driver_gets_more_with_a_behavior_strategy():
    tree = build_tree(make_game("absent_minded_driver"))
    value = {
        odds: _expected(tree, {0: (1 - odds, odds)}) for odds in (Fraction(step, 12) for step in range(13))
    }
    assert max(value, key=value.get) == Fraction(2, 3)
    assert max(value.values()) == Fraction(4, 3)


def _most_on_their_own(game, team):
    """Return the best guarantee over a grid of behavior strategies (two actions everywhere), a lower bound.

    The grid holds the best points of these games: the upper bounds are proved where they are defined.
    """
    tree = build_tree(game)
    mine = [i for i, player in enumerate(tree.infoset_player.tolist()) if player in team]
    theirs = [i for i, player in enumerate(tree.infoset_player.tolist()) if player not in team]
    grid = GRID if len(mine) < 3 else GRID[::4]
    best = None
    for odds in product(grid, repeat=len(mine)):
        behavior = {infoset: (one, 1 - one) for infoset, one in zip(mine, odds, strict=True)}
        replies = product([(1, 0), (0, 1)], repeat=len(theirs))
        worst = min(
            _expected(tree, behavior | dict(zip(theirs, reply, strict=True)), team) for reply in replies
        )
        best = worst if best is None else max(best, worst)
    return best


def _expected(tree, behavior, team=(1,)):
    """Return the team's expected payoff if all play the given probabilities at their infosets."""
    total = Fraction(0)
    for leaf, numbers in zip(tree.leaves.tolist(), tree.payoff_number.tolist(), strict=True):
        reach, node = Fraction(1), leaf
        while tree.parent[node] >= 0:
            parent = tree.parent[node]
            reach *= tree.numbers[tree.probability_number[node]]
            if tree.infoset[parent] >= 0:
                reach *= behavior[int(tree.infoset[parent])][tree.action[node]]
            node = parent
        total += reach * sum(tree.numbers[numbers[player - 1]] for player in team)
    return total


class LeakingSignal(PrivateSignal):
    """The private signal if the guesser saw the coin too: what a wrong solver would compute."""

    stages = (
        *PrivateSignal.stages[:2],
        PrivateSignal.stages[2]._replace(sees=(0,)),
        PrivateSignal.stages[3],
    )


def test_a_leak_would_be_seen():
    assert exact_team_value(build_tree(LeakingSignal()), (1, 2)) == 1


class RememberingPlayer(ForgetfulPlayer):
    """The forgetful player's game if she knew the deal when she keeps or swaps."""

    stages = (*ForgetfulPlayer.stages[:2], ForgetfulPlayer.stages[2]._replace(sees=(0,)))


def test_remembering_is_worth_a_quarter():
    assert exact_team_value(build_tree(RememberingPlayer()), (1,)) == Fraction(1, 2)


def test_unknown_move_is_refused():
    with pytest.raises(GameError, match="hide_and_seek, after left: there is no move 'up'"):
        make_game("hide_and_seek").child(("left",), "up")
