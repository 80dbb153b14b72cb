"""From rules to a tree: `build_tree` walks a `Game`; a `DealtGame` is expanded over all deals at once.

The second way visits each public state once, in Python, and lays out its copies (one per deal) with array
operations. Both give the same tree, node by node.
"""

import gc
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from maxmin.deals import check_states, expand_deals
from maxmin.game import CHANCE, OVER, DealtGame, Game
from maxmin.tree import GameTree, player_names
from maxmin.tree_builder import TreeBuilder


def build_tree(game: Game) -> GameTree:
    """Lay out a game as flat arrays, and check it on the way.

    Raises
    ------
    GameError
        With the history that leads to the fault.
    SizeError
        If there are more than 10 million states.
    """
    with _no_garbage():
        return expand_deals(game) if isinstance(game, DealtGame) else _walk(game)


@contextmanager
def _no_garbage() -> Iterator[None]:
    """Look for no reference cycles meanwhile: states by the million hold none, and it takes a third of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _walk(game: Game) -> GameTree:
    builder = TreeBuilder(game.name, player_names(game.players))
    queue: deque[tuple[Any, int, int]] = deque([(game.root(), -1, -1)])
    met = 0
    while queue:
        met += 1
        check_states(game, met)
        state, parent, action = queue.popleft()
        turn = game.turn(state)
        if turn == OVER:
            builder.leaf(parent, action, game.payoffs(state))
            continue
        if turn == CHANCE:
            outcomes = game.chance(state)
            node = builder.chance(parent, action, outcomes)
            moves = [label for label, _ in outcomes]
        else:
            moves = list(game.actions(state))
            node = builder.decision(parent, action, turn, game.infoset(state), moves)
        for index, move in enumerate(moves):
            queue.append((game.child(state, move), node, index))
    return builder.finish()
