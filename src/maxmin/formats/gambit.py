"""Games of pygambit taken over, and handed to it, through the text of Gambit's files."""

import io
from typing import Any

from maxmin.errors import GameError, MaxminError
from maxmin.formats.efg import format_efg, parse_efg
from maxmin.formats.nfg import parse_nfg
from maxmin.tree import GameTree


def from_gambit(game: Any) -> GameTree:
    """Return the tree of a ``pygambit.Game``; a strategic game becomes moves that nobody sees.

    Raises
    ------
    GameError
        If its chance probabilities or payoffs are not those of a game.
    """
    if game.is_tree:
        return parse_efg(game.to_efg(), file="pygambit game")
    return parse_nfg(game.to_nfg(), file="pygambit game")


def to_gambit(tree: GameTree) -> Any:
    """Return a tree as a ``pygambit.Game``.

    Raises
    ------
    MaxminError
        If pygambit is not installed.
    GameError
        If pygambit refuses the game: its newer versions want ASCII names without double spaces.
    """
    try:
        import pygambit
    except ImportError as error:
        raise MaxminError("pygambit is not installed: pip install 'maxmin[gambit]'") from error
    try:
        return pygambit.read_efg(io.BytesIO(format_efg(tree).encode()))
    except ValueError as error:
        raise GameError(f"{tree.name}: pygambit refuses this game: {error}") from error
