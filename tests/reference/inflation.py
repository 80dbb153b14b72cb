"""Complete inflation (Kaneko and Kline 1995), step by step: split infosets until no step changes any."""

from collections.abc import Sequence

from maxmin.tree import GameTree


def inflated_infosets(tree: GameTree, side: Sequence[int]) -> list[frozenset[int]]:
    """Return the side's infosets, as sets of nodes, after complete inflation."""
    nodes = [node for node in range(tree.n_nodes) if tree.player[node] in side]
    parts = [
        frozenset(node for node in nodes if tree.infoset[node] == infoset)
        for infoset in dict.fromkeys(tree.infoset[nodes].tolist())
    ]
    while True:
        own_moves = _own_moves(tree, parts)
        split = [piece for part in parts for piece in _pieces(part, own_moves)]
        if len(split) == len(parts):
            return sorted(split, key=min)
        parts = split


def _own_moves(tree: GameTree, parts: list[frozenset[int]]) -> list[set[tuple[int, int]]]:
    """Return for each node the moves of the side that lead there: (number of a part, action)."""
    number = {node: index for index, part in enumerate(parts) for node in part}
    moves: list[set[tuple[int, int]]] = [set()]
    for node in range(1, tree.n_nodes):
        up = int(tree.parent[node])
        moves.append(moves[up] | ({(number[up], int(tree.action[node]))} if up in number else set()))
    return moves


def _pieces(part: frozenset[int], own_moves: list[set[tuple[int, int]]]) -> list[frozenset[int]]:
    """Split nodes into components of "one plan, with one action for each part, reaches both"."""
    pieces: list[set[int]] = []
    for node in part:
        touched = [
            piece for piece in pieces if any(_together(own_moves[node], own_moves[one]) for one in piece)
        ]
        pieces = [piece for piece in pieces if piece not in touched]
        pieces.append({node}.union(*touched))
    return [frozenset(piece) for piece in pieces]


def _together(first: set[tuple[int, int]], second: set[tuple[int, int]]) -> bool:
    moves = first | second
    return len(moves) == len({part for part, _ in moves})
