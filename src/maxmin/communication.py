"""Full communication: a team as one player who knows at each move all that its members know.

`full_communication` makes a tree into a tree: the same nodes, moves, chances and payoffs, with the team merged into
player 1 and its infosets divided by what the members know together. What a member knows where others act is the
matter of `maxmin.knowledge`. The merged player has perfect recall, so the tree is a game for one player against
everybody else: `solve` needs no belief DAG for the team, and `verify` checks the answer.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from maxmin.decision import check_side
from maxmin.knowledge import knowledge
from maxmin.rational import Exact
from maxmin.sequences import last_own_move
from maxmin.tree import GameTree, Ints

_MOST_NAMED = 2
"""So many infosets that a member may come to are named in a label."""


def full_communication(tree: GameTree, team: Sequence[int]) -> GameTree:
    """Make a team one player who is told at once what any of its members knows.

    Parameters
    ----------
    tree
        The game.
    team
        The players' numbers.

    Returns
    -------
    GameTree
        The same nodes. Player 1 is the team, paid what its members get together; all others follow in their order.

    Raises
    ------
    UnknownNameError
        If the team is not some, but not all, of the players.
    GameError
        If somebody is absent-minded.
    NotTimeableError
        If the team's infosets come before each other in a circle.

    Examples
    --------
    >>> from maxmin import load_tree, solve
    >>> told = full_communication(load_tree("private_signal"), (1, 2))
    >>> round(solve(told, gap=1e-9).value, 6)
    1.0
    """
    side = check_side(tree, team)
    others = [player for player in range(1, tree.n_players + 1) if player not in side]
    seat = np.arange(
        -1, tree.n_players + 1, dtype=np.int32
    )  # of player p at p + 1: leaves and chance keep theirs
    seat[np.array(side) + 1] = 1
    seat[np.array(others, dtype=np.int64) + 1] = np.arange(2, len(others) + 2)
    first, infoset = _divide(tree, knowledge(tree, side))
    numbers, payoff_number = _payoffs(tree, side, others)
    old = tree.infoset[first]
    names = [tree.player_names[player - 1] for player in side]
    return GameTree(
        name=f"{tree.name} where {','.join(map(str, side))} talk" if len(side) > 1 else tree.name,
        player_names=(" and ".join(names), *(tree.player_names[player - 1] for player in others)),
        parent=tree.parent,
        player=seat[tree.player + 1],
        infoset=infoset,
        action=tree.action,
        first_child=tree.first_child,
        n_children=tree.n_children,
        label=tree.label,
        labels=tree.labels,
        infoset_player=seat[tree.infoset_player[old] + 1],
        infoset_labels=_labels(tree, side, first),
        infoset_actions=tuple(tree.infoset_actions[number] for number in old),
        leaves=tree.leaves,
        numbers=numbers,
        probability_number=tree.probability_number,
        payoff_number=payoff_number,
    )


def _divide(tree: GameTree, known: NDArray[np.int64]) -> tuple[NDArray[np.int64], Ints]:
    """Divide infosets by what is known: the first node of each new one, in order, and each node's new infoset."""
    acting = np.flatnonzero(tree.infoset >= 0)
    told = np.column_stack([tree.infoset[acting], known[acting]])
    _, first, number = np.unique(told, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    infoset = np.full(tree.n_nodes, -1, dtype=np.int32)
    infoset[acting] = rank[number.ravel()]
    return acting[first[order]], infoset


def _payoffs(tree: GameTree, side: Sequence[int], others: Sequence[int]) -> tuple[tuple[Exact, ...], Ints]:
    """Return the table of numbers, longer by the team's sums, and what player 1 and each other one gets."""
    mine = tree.payoff_number[:, np.array(side) - 1]
    ways, way = np.unique(mine, axis=0, return_inverse=True)
    sums = [sum((tree.numbers[number] for number in row), Fraction(0)) for row in ways.tolist()]
    theirs = tree.payoff_number[:, np.array(others, dtype=np.int64) - 1]
    payoffs = np.column_stack([len(tree.numbers) + way.ravel(), theirs])
    return (*tree.numbers, *sums), payoffs.astype(np.int32)


def _labels(tree: GameTree, side: Sequence[int], first: NDArray[np.int64]) -> tuple[str, ...]:
    """Say in words what is known at some nodes: by the player who acts and, in brackets, by the team's others."""
    words = [tree.infoset_labels[number] for number in tree.infoset[first]]
    ours = np.flatnonzero(np.isin(tree.player[first], side)) if len(side) > 1 else np.zeros(0, dtype=np.int64)
    for member in side:
        last, _ = last_own_move(tree, tree.player == member)
        coming = _coming(tree, member)
        for index in ours.tolist():
            node = int(first[index])
            if tree.player[node] == member:
                continue
            move = int(last[node])
            infosets = coming.get(node) or ([int(tree.infoset[tree.parent[move]])] if move else [])
            named = [tree.infoset_labels[number] or "nothing" for number in infosets]
            if named:
                words[index] += f" ({member}: {' or '.join(named)})"
    return tuple(words)


def _coming(tree: GameTree, member: int) -> dict[int, list[int]]:
    """List a few of the infosets that the member may come to next, for each node above one."""
    coming: dict[int, list[int]] = {}
    for node in np.flatnonzero(tree.player == member).tolist():
        infoset, above = int(tree.infoset[node]), int(tree.parent[node])
        while above >= 0 and tree.player[above] != member:
            known = coming.setdefault(above, [])
            if infoset in known or len(known) == _MOST_NAMED:
                break
            known.append(infoset)
            above = int(tree.parent[above])
    return coming
