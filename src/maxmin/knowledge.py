"""What a member of a team knows at each moment, also where others act, as far as a tree tells.

A tree says what a player knows only where that player acts, by infosets. What it knows in between follows here
from one rule: **what chance does, a member notices at once, if it will show so at its next own move; what other
players do, and what it did not know when it last acted, it knows from its next own move on.** A member who will
not act again learns nothing more. In games that deal hands and then play in the open this is exactly what the
rules say. Elsewhere the tree may leave it open; a node of the member with a single action settles what it knows
there (see the page on full communication in the documentation).

In detail. Each node has a time, the least one at which every infoset of the side lies at one time; a node waits
from the time after its parent's to its own. At each time a member divides the waiting nodes into *cells* of nodes
that it cannot tell apart, none of which is in two cells of the time before. Two nodes of one cell stay together if

* some next infoset of the member lies at or below both (next: with no other one of the member's in between); or
* other players (or nobody) moved towards both, and the same if it was the member itself; or
* the member does not act again below either; or
* the same outcome of chance led to both, and the member waits for news: some of those that were in their cell
  before had no next infoset in common, so that telling them apart would be to tell too early.

Infosets of the member at this time are cells of their own. A member who forgets is taken to remember its own moves.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmin.game import CHANCE
from maxmin.properties import check_not_absent_minded, check_timeable, perfect_recall
from maxmin.sequences import last_own_move
from maxmin.tree import GameTree

_Numbers = NDArray[np.int64]

_MOVED, _SILENT, _CHANCE = range(3)
"""Kinds of ties between nodes of a cell: players moved; the member acts no more; the same outcome of chance."""


def knowledge(tree: GameTree, side: Sequence[int]) -> _Numbers:
    """Say, for each node at which the side acts, what each member knows there.

    Parameters
    ----------
    tree
        The game.
    side
        The players' numbers, checked.

    Returns
    -------
    (n_nodes, members) int64
        A member knows the same at two nodes of one infoset if and only if its entries agree; -1 where the side does
        not act.

    Raises
    ------
    GameError
        If somebody is absent-minded.
    NotTimeableError
        If the side's infosets come before each other in a circle.
    """
    check_not_absent_minded(tree)
    check_timeable(tree, side)
    time = _times(tree, side)
    known = np.full((tree.n_nodes, len(side)), -1, dtype=np.int64)
    acts = np.isin(tree.player, list(side))
    moments = list(_Moment.all(tree, time))
    for column, member in enumerate(side):
        for moment, cell in zip(moments, _cells(tree, member, moments), strict=True):
            here = acts[moment.nodes] & moment.ends
            known[moment.nodes[here], column] = cell[here]
    return known


@dataclass(frozen=True, eq=False)
class _Moment:
    """The nodes that wait at one time, ascending.

    Attributes
    ----------
    nodes : (n,) int64
    ends : (n,) bool
        Whether this is the node's own time, after which a move follows.
    before : (n,) int64
        Where its parent, or itself if it waited already, stands among the nodes of the time before.
    moved : (n,) bool
        Whether it is the parent: a move led here from the time before.
    """

    nodes: _Numbers
    ends: NDArray[np.bool_]
    before: _Numbers
    moved: NDArray[np.bool_]

    @staticmethod
    def all(tree: GameTree, time: _Numbers) -> "Sequence[_Moment]":
        """List the moments of a tree in order."""
        since = np.where(tree.parent < 0, 0, time[tree.parent] + 1)
        moments: list[_Moment] = []
        for now in range(int(time.max()) + 1):
            nodes = np.flatnonzero((since <= now) & (now <= time))
            moved = since[nodes] == now
            above = np.where(moved, tree.parent[nodes], nodes)
            before = np.searchsorted(moments[-1].nodes, above) if moments else above
            moments.append(_Moment(nodes, time[nodes] == now, before, moved))
        return moments


def _times(tree: GameTree, side: Sequence[int]) -> _Numbers:
    """Return the least times, by depth, that put each infoset of a timeable side at one time: (n_nodes,)."""
    levels = list(zip(tree.levels[:-1], tree.levels[1:], strict=True))
    time = np.repeat(np.arange(len(levels)), np.diff(tree.levels))
    own = np.flatnonzero(np.isin(tree.player, list(side)))
    while True:
        latest = np.zeros(tree.n_infosets, dtype=np.int64)
        np.maximum.at(latest, tree.infoset[own], time[own])
        if np.array_equal(latest[tree.infoset[own]], time[own]):
            return time
        time[own] = latest[tree.infoset[own]]
        for start, stop in levels[1:]:
            time[start:stop] = np.maximum(time[start:stop], time[tree.parent[start:stop]] + 1)


def _cells(tree: GameTree, member: int, moments: Sequence[_Moment]) -> list[_Numbers]:
    """Divide the nodes of each moment into what the member cannot tell apart: a number for each cell."""
    nexts = _next_infosets(tree, member, moments)
    cells = [np.zeros(len(moments[0].nodes), dtype=np.int64)]
    for now in range(1, len(moments)):
        news = _waits_for_news(cells[-1], nexts[now - 1])
        ties = _ties(tree, member, moments[now - 1], moments[now], cells[-1], news, nexts[now])
        cells.append(_components(len(moments[now].nodes), np.concatenate([nexts[now], ties])))
    return cells


def _next_infosets(tree: GameTree, member: int, moments: Sequence[_Moment]) -> list[_Numbers]:
    """List for each moment which next infosets each node has: rows (index of the node, -1, 0, infoset, 0)."""
    infoset = _remembered(tree, member)
    pairs: list[_Numbers] = []
    above, met = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    for moment in reversed(moments):
        own = np.flatnonzero((tree.player[moment.nodes] == member) & moment.ends)
        later = ~np.isin(above, own)
        found = np.stack([np.append(above[later], own), np.append(met[later], infoset[moment.nodes[own]])])
        index, met = np.unique(found, axis=1)
        pairs.append(_rows(index, -1, 0, met, 0))
        above = moment.before[index]
    return pairs[::-1]


def _remembered(tree: GameTree, member: int) -> _Numbers:
    """Return the member's infosets as they would be if it remembered its own moves: (n_nodes,)."""
    infoset = tree.infoset.astype(np.int64)
    if perfect_recall(tree, member):
        return infoset
    own = tree.player == member
    last, length = last_own_move(tree, own)
    count = 0
    for moves in range(int(length.max()) + 1):
        nodes = np.flatnonzero(own & (length == moves))
        move = last[nodes]
        past = np.where(move > 0, infoset[tree.parent[move]], -1)
        told = np.stack([past, tree.action[move], tree.infoset[nodes]])
        number = np.unique(told, axis=1, return_inverse=True)[1].ravel()
        infoset[nodes] = count + number
        count += int(number.max(initial=-1)) + 1
    return infoset


def _waits_for_news(cell: _Numbers, nexts: _Numbers) -> NDArray[np.bool_]:
    """Say for each node whether its cell holds nodes that the member will tell apart at its next move anyway."""
    alike = _components(len(cell), nexts)
    parts = np.unique(np.stack([cell, alike]), axis=1)[0]
    return np.bincount(parts, minlength=len(cell))[cell] > 1


def _ties(
    tree: GameTree,
    member: int,
    last: _Moment,
    moment: _Moment,
    cell: _Numbers,
    news: NDArray[np.bool_],
    nexts: _Numbers,
) -> _Numbers:
    """Tie nodes of one cell that stay together for another reason than next infosets: rows (index, kind, ...)."""
    nodes, before = moment.nodes, moment.before
    player = np.where(moment.moved, tree.player[last.nodes[before]], -1)
    by_chance, own = player == CHANCE, player == member
    choice = np.where(own, tree.action[nodes] + 1, 0)
    within, waits = cell[before], news[before]
    # If chance moves at some nodes of a cell only, noticing that would be news.
    uneven = np.zeros(len(cell), dtype=bool)
    uneven[within[~by_chance]] = True
    quiet = ~by_chance | (waits & uneven[within])
    decides = (tree.player[nodes] == member) & moment.ends
    silent = np.ones(len(nodes), dtype=bool)
    silent[nexts[:, 0]] = False
    kinds = (
        (quiet & ~decides, _rows(np.arange(len(nodes)), _MOVED, within, choice, 0)),
        (silent, _rows(np.arange(len(nodes)), _SILENT, within, choice, 0)),
        (by_chance & waits & ~decides, _rows(np.arange(len(nodes)), _CHANCE, within, 0, tree.label[nodes])),
    )
    return np.concatenate([rows[chosen] for chosen, rows in kinds])


def _rows(index: _Numbers, *columns: NDArray[Any] | int) -> _Numbers:
    return np.stack(np.broadcast_arrays(index, *columns), axis=1).astype(np.int64)


def _components(n_nodes: int, ties: _Numbers) -> _Numbers:
    """Join nodes that share a tie; return the least node of each one's component: (n_nodes,)."""
    tie = np.unique(ties[:, 1:], axis=0, return_inverse=True)[1].ravel()
    node, label = ties[:, 0], np.arange(n_nodes)
    while True:
        least = np.full(int(tie.max(initial=-1)) + 1, n_nodes)
        np.minimum.at(least, tie, label[node])
        joined = label.copy()
        np.minimum.at(joined, node, least[tie])
        joined = joined[joined]
        if np.array_equal(joined, label):
            return label
        label = joined
