"""Games of OpenSpiel taken over as trees.

OpenSpiel states probabilities and payoffs as floats. A float that is the nearest one to a fraction with a
denominator up to 10,000 is taken for that fraction, so that 0.16666666666666666 is 1/6 again and exact
answers are possible; other floats stay floats.
"""

from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import Any

from maxmin.errors import GameError, MaxminError, SizeError
from maxmin.formats.scanner import unique_labels
from maxmin.rational import Number
from maxmin.tree import GameTree, player_names
from maxmin.tree_builder import TreeBuilder

_LARGEST_DENOMINATOR = 10_000


def from_openspiel(game: Any, *, most_nodes: int = 5_000_000) -> GameTree:
    """Return the tree of an OpenSpiel game.

    Simultaneous moves become moves in turn that nobody sees. Infosets are OpenSpiel's information states.

    Parameters
    ----------
    game
        A ``pyspiel.Game``, or its name with parameters, such as ``"kuhn_poker(players=3)"``.
    most_nodes
        Refuse a game with more nodes than this.

    Raises
    ------
    MaxminError
        If OpenSpiel is not installed.
    GameError
        If there is no such game, or it does not say what players know.
    SizeError
        If it has more than `most_nodes` nodes.
    """
    try:
        import pyspiel
    except ImportError as error:
        raise MaxminError("OpenSpiel is not installed: pip install 'maxmin[openspiel]'") from error
    try:
        game = pyspiel.load_game(game) if isinstance(game, str) else game
        name = str(game)
        if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
            game = pyspiel.convert_to_turn_based(game)
    except pyspiel.SpielError as error:
        raise GameError(f"OpenSpiel: {error}") from error
    kind = game.get_type()
    if kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        raise GameError(f"{name}: moves are neither in turn nor simultaneous")
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        raise GameError(f"{name}: OpenSpiel only samples its chance moves and does not list them")
    return _walk(game, name, _knowledge(kind, name), most_nodes)


def _knowledge(kind: Any, name: str) -> Callable[[Any], Hashable]:
    """Return the function that says what the player who acts knows."""
    if kind.provides_information_state_string:
        return lambda state: state.information_state_string()
    if kind.provides_information_state_tensor:
        return lambda state: tuple(state.information_state_tensor())
    raise GameError(f"{name}: OpenSpiel does not say what players of this game know (no information states)")


def _walk(game: Any, name: str, knowledge: Callable[[Any], Hashable], most_nodes: int) -> GameTree:
    builder = TreeBuilder(name, player_names(game.num_players()))
    stack: list[tuple[Any, int, int]] = [(game.new_initial_state(), -1, -1)]
    node = -1
    while stack:
        state, parent, action = stack.pop()
        if node + 1 >= most_nodes:
            raise SizeError(f"{name} has more than {most_nodes:,} nodes; raise most_nodes if that is right")
        if state.is_terminal():
            node = builder.leaf(parent, action, [_recovered(payoff) for payoff in state.returns()])
            continue
        if state.is_chance_node():
            moves, odds = zip(*state.chance_outcomes(), strict=True)
            labels = _labels(state, moves)
            outcomes = list(zip(labels, map(_recovered, odds), strict=True))
            node = builder.chance(parent, action, outcomes)
        else:
            moves = state.legal_actions()
            player = state.current_player() + 1
            node = builder.decision(parent, action, player, knowledge(state), _labels(state, moves))
        for index in range(len(moves) - 1, -1, -1):
            stack.append((state.child(moves[index]), node, index))
    return builder.finish()


def _labels(state: Any, moves: Any) -> tuple[str, ...]:
    player = state.current_player()
    return unique_labels(state.action_to_string(player, move) for move in moves)


def _recovered(number: float) -> Number:
    fraction = Fraction(number).limit_denominator(_LARGEST_DENOMINATOR)
    return fraction if float(fraction) == number else number
