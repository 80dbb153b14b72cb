"""Full communication: what members know between their moves, and a team as one player who knows all of it."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from reference.brute_force import TooManyPlansError, dag_value, team_value
from reference.random_games import games, informed
from reference.talking import Talking, cells, depths

from maxmin.build import build_tree
from maxmin.communication import full_communication
from maxmin.errors import GameError, NotTimeableError, UnknownNameError
from maxmin.games import make_game
from maxmin.knowledge import knowledge
from maxmin.properties import perfect_recall, timeable
from maxmin.solve import solve
from maxmin.sources import load_tree
from maxmin.tree_builder import TreeBuilder
from maxmin.verify import verify

TEAM = (1, 2)


def hands_told(game, team):
    """Say what a team knows together in a game that deals hands and plays in the open."""
    return lambda state: (tuple(state[0][member - 1] for member in team), game.history(state[1]))


@pytest.mark.parametrize(
    ("name", "team"),
    [
        ("3K3", (1, 2)),
        ("3K4", (1, 2)),
        ("3K4", (1, 3)),
        ("3K4", (2, 3)),
        ("4K5", (1, 3)),
        ("4K5", (2, 3, 4)),
        ("3L133", (1, 3)),
        ("leduc_poker(suited=true,players=3,bets=1,ranks=2,suits=2)", (2, 3)),
        ("3D2", (1, 2)),
        ("3D2", (2, 3)),
        ("4D2", (1, 3)),
    ],
)
def test_games_that_deal_hands_give_what_their_rules_say(name, team):
    game = make_game(name)
    told, truth = (
        full_communication(load_tree(name), team),
        build_tree(Talking(game, team, hands_told(game, team))),
    )
    assert np.array_equal(told.parent, truth.parent)
    assert np.array_equal(told.player, truth.player)
    assert np.array_equal(told.infoset, truth.infoset)
    assert np.array_equal(told.payoffs, truth.payoffs)
    assert told.infoset_actions == truth.infoset_actions
    assert perfect_recall(told)


@pytest.mark.parametrize("spec", ["p=1/2", "q=1/3,sees=next", "p=1/2,q=choice", "p=choice"])
@pytest.mark.parametrize("team", [(1, 2), (2, 3)])
def test_who_peeks_tells(spec, team):
    game = make_game(f"peeking(game=kuhn_poker(players=3,ranks=3),{spec})")

    def told(state):
        if len(state.flags) < len(game.layers):
            return tuple(
                flag
                for flag, layer in zip(state.flags, game.layers, strict=False)
                if layer.player in team and layer.what == "cheat"
            )
        hands, public = state.below
        return tuple(game._view(member, state.flags, hands) for member in team), game.game.history(public)

    truth = build_tree(Talking(game, team, told))
    assert np.array_equal(full_communication(build_tree(game), team).infoset, truth.infoset)


@pytest.mark.parametrize("team", [(1, 2), (1, 3), (2, 3)])
def test_bids_that_are_made_at_once_are_not_told_before_the_round_is_over(team):
    game = make_game("goofspiel(players=3,cards=3)")

    def told(state):
        done = len(state.bids) // 3 * 3
        ours = [bid for index, bid in enumerate(state.bids[done:], 1) if index in team]
        return state.prizes, state.bids[:done], tuple(ours)

    tree = full_communication(build_tree(game), team)
    assert np.array_equal(tree.infoset, build_tree(Talking(game, team, told)).infoset)


@pytest.mark.parametrize(
    "name", ["3K4", "3D2", "private_signal", "hide_and_seek", "goofspiel(players=3,cards=3)"]
)
def test_one_member_has_nobody_to_talk_to(name):
    tree = load_tree(name)
    for member in range(1, tree.n_players + 1):
        told = full_communication(tree, (member,))
        assert told.n_infosets == tree.n_infosets
        assert np.array_equal(told.infoset, tree.infoset)
        assert told.name == tree.name


@pytest.mark.parametrize(
    ("name", "value"), [("hide_and_seek", 0.5), ("one_time_pad", 0.5), ("private_signal", 1), ("3K3", 0)]
)
def test_values_of_small_games(name, value):
    told = full_communication(load_tree(name), TEAM)
    solution = solve(told, gap=1e-9, method="lp")
    assert solution.value == pytest.approx(value, abs=1e-7)
    assert dag_value(told, (1,)) == pytest.approx(value, abs=1e-7)
    assert verify(solution).ok


@pytest.mark.parametrize(
    ("name", "team", "value"),
    [
        ("3K3", (1, 2), "0"),
        ("3K4", (1, 2), "0"),
        ("3K4", (1, 3), "5/78"),
        ("3K4", (2, 3), "1/12"),
        ("3D2", (1, 2), "1/4"),
        ("3D2", (2, 3), "0"),
    ],
)
def test_values_are_those_of_the_game_made_from_rules(name, team, value):
    game = make_game(name)
    told = solve(full_communication(load_tree(name), team), method="exact")
    truth = solve(build_tree(Talking(game, team, hands_told(game, team))), gap=1e-7, method="lp")
    assert told.exact["value"] == value
    assert truth.lower - 1e-9 <= Fraction(value) <= truth.upper + 1e-9


def test_labels_say_what_the_others_know():
    told = full_communication(load_tree("3K4"), (1, 3))
    assert told.infoset_labels[0] == "1 (3: 3 cc or 3 cb)"
    assert "4 cb (1: 2 cbf or 2 cbk)" in told.infoset_labels
    assert "4 bf (1: 2)" in told.infoset_labels  # who has bet acts no more
    assert told.player_names == ("player 1 and player 3", "player 2")
    assert told.name == "kuhn_poker(players=3,ranks=4) where 1,3 talk"


@given(games(most=25))
def test_the_arrays_follow_the_definition_word_by_word(tree):
    for member in (1, 2):
        known = knowledge(tree, (member, 3 - member))[:, 0]
        time = depths(tree)
        for now, parts in enumerate(cells(tree, member, time)):
            acting = [node for node in np.flatnonzero(np.isin(tree.player, TEAM)) if time[node] == now]
            part_of = {node: index for index, part in enumerate(parts) for node in part}
            for one, other in itertools.combinations(acting, 2):
                assert (known[one] == known[other]) == (part_of[one] == part_of[other])


@given(games(most=25, clock=False, memory="forgets"))
def test_members_who_forget_and_infosets_of_several_depths(tree):
    assume(timeable(tree, TEAM))
    told = full_communication(tree, TEAM)
    assert perfect_recall(told, 1)
    assert np.array_equal(told.infoset >= 0, tree.infoset >= 0)
    for infoset in range(told.n_infosets):  # infosets are divided, never joined
        assert len(set(tree.infoset[told.infoset == infoset].tolist())) == 1


@given(games(most=16))
def test_talking_is_worth_at_least_what_is_told_at_moves(tree):
    told = full_communication(tree, TEAM)
    assert perfect_recall(told, 1)
    try:
        values = [team_value(tree, TEAM), team_value(informed(tree, TEAM), TEAM), team_value(told, (1,))]
    except TooManyPlansError:
        assume(False)
    assert values[0] <= values[1] + 1e-7
    assert values[1] <= values[2] + 1e-7


@given(games(most=20))
@settings(max_examples=15)
def test_teams_of_one(tree):
    for member in (1, 2, 3):
        assert np.array_equal(full_communication(tree, (member,)).infoset, tree.infoset)


def spies(*, looks, again):
    """Player 3 hides a coin; 1 guesses; 2, who is told the coin, guesses; `looks`: 2 has a move that shows it."""
    builder = TreeBuilder("spies", ("finder", "spy", "hider"))
    root = builder.decision(-1, -1, 3, "hide", ("left", "right"))
    nodes = [(root, side) for side in (0, 1)]
    if looks:
        nodes = [(builder.decision(*place, 2, f"looks {place[1]}", ("on",)), 0) for place in nodes]
    ends = [
        (builder.decision(*place, 1, "guess", ("left", "right")), side) for side, place in enumerate(nodes)
    ]
    return finish_guessing(builder, ends, again=again)


def finish_guessing(builder, nodes, *, again):
    """Pay for a right guess; `again`: after a last move of player 2, who then knows the answer."""
    places = [(node, guess, side) for node, side in nodes for guess in (0, 1)]
    wins = [int(guess == side) for _, guess, side in places]
    if again:
        places = [
            (builder.decision(node, guess, 2, f"sees {side}", ("on",)), 0, side)
            for node, guess, side in places
        ]
    for (node, action, _), won in zip(places, wins, strict=True):
        builder.leaf(node, action, (won, 0, -won))
    return builder.finish()


def test_a_move_of_an_opponent_is_told_only_after_the_tree_shows_that_it_was_seen():
    assert solve(
        full_communication(spies(looks=False, again=True), TEAM), method="lp"
    ).value == pytest.approx(0.5)
    assert solve(full_communication(spies(looks=True, again=True), TEAM), method="lp").value == pytest.approx(
        1
    )
    assert solve(
        full_communication(spies(looks=True, again=False), TEAM), method="lp"
    ).value == pytest.approx(1)


def tossed(*, again):
    """A coin is tossed unseen by player 2, who acts; then 1 guesses it; `again`: then 2 acts again and knows it."""
    builder = TreeBuilder("tossed", ("guesser", "teller", "payer"))
    root = builder.chance(-1, -1, [("heads", 0.5), ("tails", 0.5)])
    blind = [builder.decision(root, side, 2, "blind", ("on",)) for side in (0, 1)]
    ends = [
        (builder.decision(node, 0, 1, "guess", ("heads", "tails")), side) for side, node in enumerate(blind)
    ]
    return finish_guessing(builder, ends, again=again)


@pytest.mark.parametrize("again", [False, True])
def test_nobody_tells_what_it_did_not_know_at_its_last_move_or_never_learns(again):
    told = full_communication(tossed(again=again), TEAM)
    assert solve(told, method="lp").value == pytest.approx(0.5)


def who_goes_first():
    """A coin says which of two members moves first; neither can tell."""
    builder = TreeBuilder("who goes first", ("one", "two", "payer"))
    root = builder.chance(-1, -1, [("one", 0.5), ("two", 0.5)])
    for action, (first, second) in enumerate(((1, 2), (2, 1))):
        node = builder.decision(root, action, first, "move", ("on",))
        builder.leaf(builder.decision(node, 0, second, "move", ("on",)), 0, (0, 0, 0))
    return builder.finish()


def test_bad_input():
    tree = load_tree("3K3")
    for team in ((), (1, 2, 3), (4,), (0, 1), "12", None):
        with pytest.raises(UnknownNameError):
            full_communication(tree, team)
    with pytest.raises(GameError, match="absent-minded"):
        full_communication(load_tree("absent_minded_driver"), (1,))
    with pytest.raises(NotTimeableError):
        full_communication(who_goes_first(), TEAM)
