"""What the native core needs to know of a game and one of its sides: `SideView`; infosets may be inflated first."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from maxmin import _core
from maxmin.errors import GameError, NotTimeableError
from maxmin.properties import check_not_absent_minded, check_timeable
from maxmin.tree import GameTree, Ints

Progress = Callable[[float], bool]
"""Called with the work done so far; returns False to stop."""


@dataclass(frozen=True, eq=False)
class SideView:
    """A game tree as one side sees it.

    Attributes
    ----------
    tree : GameTree
    side : tuple of int
    in_side : (n_players + 1,) uint8
        Whether each player belongs to the side; chance, player 0, does not.
    infoset : (n_nodes,) int32
        As in the tree, or parts of its infosets.
    origin : (n_infosets,) int32
        The tree's infoset that each is, or is a part of.
    """

    tree: GameTree
    side: tuple[int, ...]
    in_side: NDArray[np.uint8]
    infoset: Ints
    origin: Ints

    @property
    def n_infosets(self) -> int:
        """How many infosets the side has here."""
        return int(np.isin(self.tree.infoset_player[self.origin], self.side).sum())

    def merge(self, *, reduce_branching: bool) -> _core.SideTree:
        """Merge what the side's own moves cannot separate.

        Raises
        ------
        NotTimeableError
            If the side's infosets come before each other in a circle.
        """
        try:
            return _core.merge_side(*self._arrays, self.in_side, reduce_branching)
        except NotTimeableError:
            try:
                check_not_absent_minded(self.tree)  # the plainest reason
            except GameError as error:
                raise NotTimeableError(str(error)) from None
            check_timeable(self.tree, self.side)
            raise

    def layer(self, merged: _core.SideTree, progress: Progress | None = None) -> _core.SideTree:
        """Lay the tree out layer by layer, as the paper reads it; `merged` is what `merge` returned."""
        return _core.layer_side(*self._arrays, self.in_side, merged, progress)

    @property
    def _arrays(self) -> tuple[Ints, Ints, Ints, Ints, Ints]:
        tree = self.tree
        return (tree.parent, tree.player, self.infoset, tree.action, tree.infoset_n_actions[self.origin])


def view_side(
    tree: GameTree, side: tuple[int, ...], *, inflate: bool = False, progress: Progress | None = None
) -> SideView:
    """Look at a tree as a side does.

    Parameters
    ----------
    tree
        The game.
    side
        The players that decide together.
    inflate
        Split the side's infosets completely (Kaneko and Kline 1995): where no joint pure plan reaches two nodes
        of an infoset, the side may as well tell them apart. Never changes a value.
    progress
        Polled while infosets are split.

    Raises
    ------
    Cancelled
        If `progress` said so.
    """
    in_side = np.zeros(tree.n_players + 1, dtype=np.uint8)
    in_side[list(side)] = 1
    view = SideView(tree, side, in_side, tree.infoset, np.arange(tree.n_infosets, dtype=np.int32))
    if not inflate:
        return view
    infoset, origin = _core.inflate(*view._arrays, in_side, progress)
    return SideView(tree, side, in_side, infoset, origin)
