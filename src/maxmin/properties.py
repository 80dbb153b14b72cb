"""Properties of a game tree: perfect recall, absent-mindedness, timeability, constant sum.

A tree without one of them is a game all the same; some methods need it. So each property comes twice: as a
question (`perfect_recall`, ...), and as a check (`check_perfect_recall`, ...) that raises with the infosets
and histories involved. All take time near-linear in the nodes.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from maxmin.errors import GameError, NotTimeableError
from maxmin.rational import Exact
from maxmin.sequences import last_own_move
from maxmin.tree import Floats, GameTree, Ints

_ROUNDING = 1e-9
"""Float payoffs whose sums differ by no more than this, relative to the largest payoff, sum to a constant."""


def perfect_recall(tree: GameTree, player: int | None = None) -> bool:
    """Say whether a player (all players, if None) never forgets what it knew and did.

    A player has perfect recall if and only if the nodes of each of its infosets share the player's own last
    infoset and action.
    """
    players = range(1, tree.n_players + 1) if player is None else (player,)
    return all(_forgetful_pair(tree, one) is None for one in players)


def check_perfect_recall(tree: GameTree, player: int) -> None:
    """Raise if a player forgets.

    Raises
    ------
    GameError
        With an infoset, and two histories that lead there after different moves of the player.
    """
    pair = _forgetful_pair(tree, player)
    if pair is None:
        return
    own = tree.player == player
    move, _ = last_own_move(tree, own)
    first, second = (f"{tree.where(node)} ({_move_in_words(tree, move[node])})" for node in pair)
    raise GameError(
        f"{tree.name}: player {player} forgets: {_infoset_in_words(tree, tree.infoset[pair[0]])} is met "
        f"{first} and {second}; "
        "give the player different infosets there, or use a method for teams, which needs no recall"
    )


def absent_minded(tree: GameTree) -> bool:
    """Say whether some path from the root passes the same infoset twice."""
    return _repeated_pair(tree) is not None


def check_not_absent_minded(tree: GameTree) -> None:
    """Raise if some path passes the same infoset twice.

    Raises
    ------
    GameError
        With the player, the infoset, and both histories.
    """
    pair = _repeated_pair(tree)
    if pair is None:
        return
    infoset = int(tree.infoset[pair[0]])
    raise GameError(
        f"{tree.name}: player {tree.infoset_player[infoset]} is absent-minded: "
        f"{_infoset_in_words(tree, infoset)} is met {tree.where(pair[0])} and again {tree.where(pair[1])}; "
        "give the second meeting an infoset of its own"
    )


def timeable(tree: GameTree, side: Sequence[int]) -> bool:
    """Say whether the nodes can be put at depths such that each infoset of a side lies at one depth.

    Children must lie deeper than their parents. Such depths exist if and only if the relation "comes before
    on some path" among the infosets of the side has no cycle.

    Parameters
    ----------
    tree
        The game.
    side
        The numbers of the side's players.
    """
    return _Precedence(tree, side).cycle() is None


def check_timeable(tree: GameTree, side: Sequence[int]) -> None:
    """Raise if the infosets of a side cannot be put at depths.

    Raises
    ------
    NotTimeableError
        With a cycle of infosets, each of which comes before the next one after the history given.
    """
    precedence = _Precedence(tree, side)
    cycle = precedence.cycle()
    if cycle is None:
        return
    steps = [
        f"{_infoset_in_words(tree, precedence.earlier[edge])} comes before "
        f"{_infoset_in_words(tree, precedence.later[edge])} {tree.where(int(precedence.node[edge]))}"
        for edge in cycle
    ]
    raise NotTimeableError(
        f"{tree.name}: not timeable: {', but '.join(steps)}; a team belief DAG needs one order for all: "
        "split one of these infosets, so that its player knows what came first"
    )


def constant_sum(tree: GameTree) -> Exact | None:
    """Return what the payoffs of all players sum to at each leaf, or None if leaves differ.

    Leaves that chance never reaches do not count. The sum is a ``Fraction`` if all payoffs are known exactly;
    sums of floats may differ by rounding.
    """
    return None if _unequal_pair(tree) else _sum_at(tree, int(_reached_leaves(tree)[0]))


def check_constant_sum(tree: GameTree) -> Exact:
    """Return what the payoffs of all players sum to; raise if that depends on the leaf.

    Raises
    ------
    GameError
        With two leaves, and the sums there.
    """
    pair = _unequal_pair(tree)
    if pair is None:
        return _sum_at(tree, int(_reached_leaves(tree)[0]))
    first, second = (f"{_sum_at(tree, leaf)} {tree.where(int(tree.leaves[leaf]))}" for leaf in pair)
    raise GameError(
        f"{tree.name}: not constant-sum: payoffs sum to {first} and to {second}; "
        "what one side wins the other must lose, so make all payoffs sum to the same number"
    )


def payoff_range(tree: GameTree, team: Sequence[int]) -> tuple[float, float]:
    """Return the least and the largest total payoff of a team, over the leaves that chance can reach."""
    total = tree.payoffs[:, [player - 1 for player in team]].sum(axis=1)[_reached_leaves(tree)]
    return float(total.min()), float(total.max())


def _forgetful_pair(tree: GameTree, player: int) -> tuple[int, int] | None:
    """Find two nodes of one infoset of the player with different own last moves."""
    own = tree.player == player
    nodes = np.flatnonzero(own)
    move = last_own_move(tree, own)[0][nodes]
    width = int(tree.infoset_n_actions.max(initial=1))
    sequence = tree.infoset[tree.parent[move]].astype(np.int64) * width + tree.action[move]
    sequence[move == 0] = -1
    infoset = tree.infoset[nodes]
    first = np.zeros(tree.n_infosets, dtype=np.int64)
    first[infoset[::-1]] = np.arange(len(nodes))[::-1]
    odd = np.flatnonzero(sequence != sequence[first[infoset]])
    if not len(odd):
        return None
    return int(nodes[first[infoset[odd[0]]]]), int(nodes[odd[0]])


def _repeated_pair(tree: GameTree) -> tuple[int, int] | None:
    """Find two nodes of one infoset, the second below the first."""
    entry, size = _preorder(tree)
    nodes = np.flatnonzero(tree.infoset >= 0)
    nodes = nodes[np.lexsort((entry[nodes], tree.infoset[nodes]))]
    upper, lower = nodes[:-1], nodes[1:]
    # Subtrees are nested or disjoint: if an infoset has nested ones, it has two in a row in preorder.
    nested = (tree.infoset[upper] == tree.infoset[lower]) & (entry[lower] < entry[upper] + size[upper])
    found = np.flatnonzero(nested)
    return (int(upper[found[0]]), int(lower[found[0]])) if len(found) else None


def _preorder(tree: GameTree) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return each node's place in preorder and the size of its subtree: (n_nodes,) int64 both."""
    size = np.ones(tree.n_nodes, dtype=np.int64)
    levels = list(zip(tree.levels[1:-1], tree.levels[2:], strict=True))
    for start, stop in reversed(levels):
        above = tree.parent[start]
        counts = np.bincount(tree.parent[start:stop] - above, weights=size[start:stop])
        size[above : above + len(counts)] += counts.astype(np.int64)
    before = np.cumsum(size) - size
    entry = np.zeros(tree.n_nodes, dtype=np.int64)
    for start, stop in levels:
        parent = tree.parent[start:stop]
        entry[start:stop] = entry[parent] + 1 + before[start:stop] - before[tree.first_child[parent]]
    return entry, size


class _Precedence:
    """Which infoset of a side comes right before which: one edge a pair, sorted by the earlier infoset.

    Attributes
    ----------
    earlier, later : (n_edges,) int64
        Infosets; `earlier` is the side's last one on the way to `later`.
    node : (n_edges,) int64
        A node of the later infoset that shows it.
    """

    def __init__(self, tree: GameTree, side: Sequence[int]) -> None:
        own = np.isin(tree.player, list(side))
        nodes = np.flatnonzero(own)
        move = last_own_move(tree, own)[0][nodes]
        nodes, move = nodes[move > 0], move[move > 0]
        self.n_infosets = tree.n_infosets
        pair = tree.infoset[tree.parent[move]].astype(np.int64) * tree.n_infosets + tree.infoset[nodes]
        pair, first = np.unique(pair, return_index=True)
        self.earlier, self.later = np.divmod(pair, max(tree.n_infosets, 1))
        self.node = nodes[first]

    def cycle(self) -> list[int] | None:
        """Return the edges of a cycle, in order, or None if there is none."""
        waiting = self._peel()
        if not waiting.any():
            return None
        # Whatever is left waits for something that is left: walk backwards until an infoset comes again.
        stuck = np.flatnonzero(waiting[self.earlier] & waiting[self.later])
        into = np.full(self.n_infosets, -1)
        into[self.later[stuck]] = stuck
        infoset, walk = int(np.flatnonzero(waiting)[0]), list[int]()
        seen: dict[int, int] = {}
        while infoset not in seen:
            seen[infoset] = len(walk)
            walk.append(int(into[infoset]))
            infoset = int(self.earlier[walk[-1]])
        return walk[seen[infoset] :][::-1]

    def _peel(self) -> NDArray[np.bool_]:
        """Take away infosets that wait for no other, as long as there are any; say which are left."""
        waits_for = np.bincount(self.later, minlength=self.n_infosets)
        start = np.searchsorted(self.earlier, np.arange(self.n_infosets + 1))
        ready = np.flatnonzero(waits_for == 0)
        while len(ready):
            counts = start[ready + 1] - start[ready]
            skipped = np.repeat(start[ready] - np.cumsum(counts) + counts, counts)
            freed = self.later[skipped + np.arange(len(skipped))]
            np.subtract.at(waits_for, freed, 1)
            ready = np.unique(freed[waits_for[freed] == 0])
        return waits_for > 0


def _reached_leaves(tree: GameTree) -> NDArray[np.int64]:
    return np.flatnonzero(tree.chance_reach[tree.leaves] > 0)


def _unequal_pair(tree: GameTree) -> tuple[int, int] | None:
    """Find two leaves (their indices) with different sums of payoffs."""
    leaves = _reached_leaves(tree)
    sums = tree.payoffs[leaves].sum(axis=1)
    low, high = int(leaves[sums.argmin()]), int(leaves[sums.argmax()])
    if _differ(tree, sums):
        return low, high
    if not tree.exact:
        return None
    # Floats agree; exact sums are compared once for each way of paying.
    for leaf in leaves[_first_of_each_row(tree.payoff_number[leaves])].tolist():
        if _sum_at(tree, leaf) != _sum_at(tree, low):
            return low, leaf
    return None


def _differ(tree: GameTree, sums: Floats) -> bool:
    return bool(np.ptp(sums) > _ROUNDING * np.abs(tree.payoffs).max())


def _first_of_each_row(rows: Ints) -> NDArray[np.int64]:
    """Return the index of the first occurrence of each different row."""
    code, first = np.zeros(len(rows), dtype=np.int64), np.zeros(1, dtype=np.int64)
    for column in rows.T:
        key = code * (int(column.max()) + 1) + column
        _, first, code = np.unique(key, return_index=True, return_inverse=True)
    return first


def _sum_at(tree: GameTree, leaf: int) -> Exact:
    total: Exact = Fraction(0)
    for number in tree.payoff_number[leaf].tolist():
        total += tree.numbers[number]
    return total


def _infoset_in_words(tree: GameTree, infoset: int) -> str:
    return f"infoset {tree.infoset_labels[infoset]!r} of player {tree.infoset_player[infoset]}"


def _move_in_words(tree: GameTree, move: int) -> str:
    """Say which own action the node `move` is the result of; 0 stands for none."""
    if move == 0:
        return "its first move"
    infoset = tree.infoset[tree.parent[move]]
    action = tree.infoset_actions[infoset][tree.action[move]]
    return f"its last move was {action!r} at infoset {tree.infoset_labels[infoset]!r}"
