"""Leaf by leaf, the games are OpenSpiel's: same histories, chances, payoffs and infosets, in other words."""

from collections import defaultdict

import pytest

from maxmin.build import build_tree
from maxmin.games import make_game

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")


def _theirs(name):
    """List the leaves: dealt cards and moves, probability, payoffs, and the infosets passed on the way."""
    leaves = []
    stack = [(pyspiel.load_game_as_turn_based(name).new_initial_state(), (), 1.0, ())]
    while stack:
        state, moves, reach, infosets = stack.pop()
        if state.is_terminal():
            leaves.append((moves, reach, tuple(state.returns()), infosets))
        elif state.is_chance_node():
            for action, odds in state.chance_outcomes():
                stack.append((state.child(action), (*moves, ("chance", action)), reach * odds, infosets))
        else:
            player = state.current_player()
            known = (player, state.information_state_string(player))
            for action in state.legal_actions():
                move = (player, state.action_to_string(player, action))
                stack.append((state.child(action), (*moves, move), reach, (*infosets, known)))
    return leaves


def _ours(spec):
    tree = build_tree(make_game(spec))
    leaves = []
    for leaf, payoffs in zip(tree.leaves.tolist(), tree.payoffs.tolist(), strict=True):
        node, infosets = int(tree.parent[leaf]), []
        while node >= 0:
            if tree.infoset[node] >= 0:
                infosets.append((int(tree.infoset_player[tree.infoset[node]]) - 1, int(tree.infoset[node])))
            node = int(tree.parent[node])
        leaves.append(
            (tree.history(leaf), tree.chance_reach[leaf], tuple(payoffs), tuple(reversed(infosets)))
        )
    return leaves


def _compare(name, spec, translate):
    """Compare the leaves, matched by `translate`, and see whether infosets correspond one to one."""
    ours = {history: rest for history, *rest in _ours(spec)}
    theirs = {translate(moves): rest for moves, *rest in _theirs(name)}
    assert ours.keys() == theirs.keys()
    ours_of, theirs_of = defaultdict(set), defaultdict(set)
    for history, (reach, payoffs, infosets) in ours.items():
        their_reach, their_payoffs, their_infosets = theirs[history]
        assert reach == pytest.approx(their_reach, rel=1e-12)
        assert payoffs == pytest.approx(their_payoffs, abs=1e-12)
        for our, their in zip(infosets, their_infosets, strict=True):
            assert our[0] == their[0]
            ours_of[their].add(our)
            theirs_of[our].add(their)
    assert all(len(found) == 1 for found in (*ours_of.values(), *theirs_of.values()))


def _dealt(moves, name_of):
    """Put the cards that chance deals first into one move, as our trees do."""
    first = next(index for index, (player, _) in enumerate(moves) if player != "chance")
    return " ".join(name_of(action) for _, action in moves[:first]), moves[first:]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_kuhn_poker(players):
    def translate(moves):
        deal, moves = _dealt(moves, lambda action: str(action + 1))
        told, bet = [], False
        for _, text in moves:
            told.append({"Pass": ("check", "fold"), "Bet": ("bet", "call")}[text][bet])
            bet = bet or text == "Bet"
        return (deal, *told)

    _compare(f"kuhn_poker(players={players})", f"kuhn_poker(players={players})", translate)


def test_leduc_poker():
    def card(action):
        return f"{action // 2 + 1}{'ab'[action % 2]}"

    def translate(moves):
        deal, moves = _dealt(moves, card)
        told, raises = [], 0
        for player, text in moves:
            if player == "chance":
                told.append(card(text))
                raises = 0
            else:
                told.append({"Fold": "fold", "Call": ("check", "call"), "Raise": ("bet", "raise")}[text])
                if text != "Fold":
                    told[-1] = told[-1][raises > 0]
                raises += text == "Raise"
        return (deal, *told)

    _compare("leduc_poker", "leduc_poker(suited=true)", translate)


@pytest.mark.parametrize("sides", [2, 3, 5])
@pytest.mark.parametrize(("order", "rule"), [("count", "reset-face"), ("face", "reset-quantity")])
def test_liars_dice(sides, order, rule):
    def translate(moves):
        deal, moves = _dealt(moves, lambda action: str(action + 1))
        return (deal, *("call" if text == "Liar" else text.replace("-", "x") for _, text in moves))

    _compare(
        f"liars_dice(dice_sides={sides},bidding_rule={rule})",
        f"liars_dice(sides={sides},order={order},wild=true)",
        translate,
    )


# With 4 cards OpenSpiel's information states forget the order of the bids.
@pytest.mark.parametrize(
    ("name", "spec"),
    [
        ("num_cards=3,points_order=random", "cards=3"),
        ("num_cards=3,points_order=descending", "cards=3,prizes=descending"),
        ("num_cards=3,points_order=ascending", "cards=3,prizes=ascending"),
        ("num_cards=3,points_order=descending,players=3", "players=3,cards=3,prizes=descending"),
    ],
)
def test_goofspiel(name, spec):
    def translate(moves):
        return tuple(
            f"prize {move + 1}" if player == "chance" else move.rpartition(" ")[2] for player, move in moves
        )

    _compare(f"goofspiel({name},returns_type=point_difference)", f"goofspiel({spec})", translate)
