"""The ``.game`` text that Farina's and Liu's tools (LiteEFG) read.

::

    # game: kuhn_poker(players=2,ranks=3)
    # player 1: Ann
    # Opt {
    #     players: 2,
    # }
    node / chance actions 12=0.5 21=0.5
    node /C:12 player 1 actions k b
    node /C:12/P1:k player 2 actions f c
    node /C:12/P1:k/P2:f leaf payoffs 1=1 2=-1
    infoset 1? nodes /C:12 /C:13

One line per node or infoset, in any order. The name of a node is its path: below a chance node ``C:`` and the
outcome, below a player's node ``P1:`` and the action. If the head says ``openspiel,``, names are free and the
actions name the child nodes instead; actions are then called 1, 2, ... in the tree. A node in no infoset
line is an infoset of its own. ``num_players: 2,`` may stand for ``players: 2,``; without either, the payoffs
tell. The names of the game and of the players are our own addition, comments to everybody else.

The numbers of chance are weights: counts such as 4=2 are divided by their sum. Weights that are not all whole
must sum to 1 within 0.001 (files print few digits) and are scaled with a warning. Numbers are
read exactly, ``1/3`` too; LiteEFG does not read fractions, so the writer uses whole weights for chance and
warns if it must write a payoff as a fraction. Characters that the format needs itself (space, ``/``, ``=``,
``%``) are written in labels as ``%20`` and so on.
"""

import math
import re
import warnings
from collections.abc import Iterator
from fractions import Fraction
from urllib.parse import quote

from maxmin.files import AnyPath, read_text, write_atomically
from maxmin.formats.game_lines import LineReader
from maxmin.formats.scanner import unique_labels
from maxmin.game import CHANCE
from maxmin.rational import Exact
from maxmin.tree import LEAF, GameTree

_NEEDED = re.compile(r"[\s/=%]")
_UNSAFE = re.compile(r"^ | $|[^\S ]|%")


def read_game_text(path: AnyPath) -> GameTree:
    """Read a ``.game`` file.

    Raises
    ------
    FormatError
        With ``file:line:column``, what is wrong there, and why.
    FileError, SizeError
        If the file cannot be read, or is too large.
    """
    return parse_game_text(read_text(path), file=str(path))


def parse_game_text(text: str, *, file: str = "<text>") -> GameTree:
    """Read the text of a ``.game`` file; `file` is its name in messages, and the game's if the text has none.

    Raises
    ------
    FormatError
        With ``file:line:column``, what is wrong there, and why.
    """
    return LineReader(file).read(text.removeprefix("\ufeff"))


def write_game_text(tree: GameTree, path: AnyPath) -> None:
    """Write a tree as a ``.game`` file, whole or not at all.

    Warns
    -----
    UserWarning
        If a payoff has no finite decimal expansion: other tools do not read fractions.

    Raises
    ------
    FileError
        If the file cannot be written.
    """
    text = format_game_text(tree)
    write_atomically(path, lambda file: file.write(text.encode()))


def format_game_text(tree: GameTree) -> str:
    """Return a tree as the text of a ``.game`` file; `parse_game_text` gives the same tree again."""
    head = [f"# game: {_escaped(tree.name, _UNSAFE)}"] if tree.name else []
    head += [
        f"# player {player}: {_escaped(name, _UNSAFE)}" for player, name in enumerate(tree.player_names, 1)
    ]
    head += ["# Opt {", f"#     players: {tree.n_players},", "# }"]
    names = _node_names(tree)
    return "".join(f"{line}\n" for line in (*head, *_node_lines(tree, names), *_infoset_lines(tree, names)))


def _node_names(tree: GameTree) -> list[str]:
    names = ["/"]
    player, first_child = tree.player.tolist(), tree.first_child.tolist()
    for node in range(tree.n_nodes):
        if player[node] == LEAF:
            continue
        stem = names[node] if node == 0 else f"{names[node]}/"
        mover = f"P{player[node]}" if player[node] else "C"
        names += [f"{stem}{mover}:{_escaped(move)}" for move in _moves(tree, node, first_child[node])]
    return names


def _moves(tree: GameTree, node: int, first: int) -> tuple[str, ...]:
    labels = tree.label[first : first + int(tree.n_children[node])].tolist()
    return unique_labels(tree.labels[label] for label in labels)


def _node_lines(tree: GameTree, names: list[str]) -> Iterator[str]:
    payoffs = dict(zip(tree.leaves.tolist(), tree.payoff_number.tolist(), strict=True))
    shown = [_shown(number) for number in tree.numbers]
    _warn_of_fractions([shown[number] for row in payoffs.values() for number in row])
    for node, player in enumerate(tree.player.tolist()):
        first = int(tree.first_child[node])
        if player == LEAF:
            pays = " ".join(f"{seat}={shown[number]}" for seat, number in enumerate(payoffs[node], 1))
            yield f"node {names[node]} leaf payoffs {pays}"
            continue
        moves = [_escaped(move) for move in _moves(tree, node, first)]
        if player == CHANCE:
            numbers = tree.probability_number[first : first + len(moves)].tolist()
            weights = _weights([tree.numbers[number] for number in numbers])
            pairs = " ".join(f"{move}={weight}" for move, weight in zip(moves, weights, strict=True))
            yield f"node {names[node]} chance actions {pairs}"
        else:
            yield f"node {names[node]} player {player} actions {' '.join(moves)}"


def _infoset_lines(tree: GameTree, names: list[str]) -> Iterator[str]:
    nodes: list[list[str]] = [[] for _ in range(tree.n_infosets)]
    for name, infoset in zip(names, tree.infoset.tolist(), strict=True):
        if infoset >= 0:
            nodes[infoset].append(name)
    for number, (label, own) in enumerate(zip(tree.infoset_labels, nodes, strict=True), 1):
        yield f"infoset {_escaped(label or str(number))} nodes {' '.join(own)}"


def _weights(odds: list[Exact]) -> list[str]:
    """Return odds as whole weights where they are rational."""
    rational = [number for number in odds if isinstance(number, Fraction)]
    if len(rational) < len(odds):
        return [str(float(number)) for number in odds]
    scale = math.lcm(*(number.denominator for number in rational))
    return [str(int(number * scale)) for number in rational]


def _shown(number: Exact) -> str:
    """Return a number as a decimal if that is exact and not too long, else as a fraction."""
    if not isinstance(number, Fraction):
        return str(number)
    digits = 0
    while 10**digits % number.denominator and digits < 30:
        digits += 1
    if 10**digits % number.denominator:
        return str(number)
    whole, rest = divmod(abs(number.numerator) * 10**digits // number.denominator, 10**digits)
    sign = "-" if number < 0 else ""
    return f"{sign}{whole}.{rest:0{digits}}" if digits else f"{sign}{whole}"


def _warn_of_fractions(numbers: list[str]) -> None:
    fractions = {number for number in numbers if "/" in number}
    if fractions:
        warnings.warn(
            f"payoffs such as {min(fractions)} are written as fractions, which LiteEFG misreads", stacklevel=5
        )


def _escaped(label: str, characters: re.Pattern[str] = _NEEDED) -> str:
    return characters.sub(lambda match: quote(match[0], safe=""), label)
