r"""Gambit's extensive games, ``.efg``.

::

    EFG 2 R "title" { "player 1" "player 2" }
    "comment, optional"

    c "node" 1 "infoset" { "heads" 1/2 "tails" 1/2 } 0
    p "node" 1 1 "infoset" { "up" "down" } 0
    t "node" 1 "outcome" { 1, -1 }
    ...

Nodes come in preorder, a chance node (c), a player's node (p) or a leaf (t) each::

    c NODE INFOSET [NAME { ACTION PROBABILITY ... }] OUTCOME [[NAME] { PAYOFF ... }]
    p NODE PLAYER INFOSET [NAME { ACTION ... }] OUTCOME [[NAME] { PAYOFF ... }]
    t NODE OUTCOME [[NAME] { PAYOFF ... }]

PLAYER, INFOSET and OUTCOME are whole numbers. Infosets are numbered per player, chance included, and need not
be consecutive. An infoset or an outcome that was given before may be restated in full, or by its number
alone. Outcome 0 pays nothing. Payoffs add up along the path, so inner nodes may have outcomes too. The
letter in the first line is R or D and makes no difference here: all numbers are kept exactly. Labels may be
quoted or bare, commas are optional, line breaks mean nothing. There are no comments besides the one after
the players.

The tree keeps the names of the game, the players, the infosets and the actions; it drops the comment and the
names of nodes and outcomes. An infoset without a name gets "(player,number)", an action without a name its
place, and of actions with the same name in one infoset the second is called "name (2)", and so on.
"""

from collections.abc import Iterator

from maxmin.errors import FormatError, GameError
from maxmin.files import AnyPath, read_text, write_atomically
from maxmin.formats.efg_nodes import NodeReader
from maxmin.formats.scanner import Scanner, quoted, read_header, shown_numbers
from maxmin.game import CHANCE
from maxmin.tree import LEAF, GameTree
from maxmin.tree_builder import TreeBuilder


def read_efg(path: AnyPath) -> GameTree:
    """Read an ``.efg`` file.

    Raises
    ------
    FormatError
        With ``file:line:column``, what is wrong there, and why.
    FileError, SizeError
        If the file cannot be read, or is too large.
    """
    return parse_efg(read_text(path, starts_with="EFG"), file=str(path))


def parse_efg(text: str, *, file: str = "<text>") -> GameTree:
    """Read the text of an ``.efg`` file; `file` is its name in messages.

    Raises
    ------
    FormatError
        With ``file:line:column``, what is wrong there, and why.
    """
    scanner = Scanner(text.removeprefix("\ufeff"), file)
    title, players = read_header(scanner, "EFG", 2)
    if scanner.peek().startswith('"'):
        scanner.label("the comment")
    builder = TreeBuilder(title, players)
    NodeReader(scanner, builder).read()
    try:
        return builder.finish()
    except GameError as error:
        raise FormatError(f"{file}:1:1: {error}") from None


def write_efg(tree: GameTree, path: AnyPath) -> None:
    """Write a tree as an ``.efg`` file, whole or not at all.

    Raises
    ------
    FileError
        If the file cannot be written.
    """
    text = format_efg(tree)
    write_atomically(path, lambda file: file.write(text.encode()))


def format_efg(tree: GameTree) -> str:
    """Return a tree as the text of an ``.efg`` file; `parse_efg` gives the same tree again."""
    players = " ".join(quoted(name) for name in tree.player_names)
    return "".join(
        [f'EFG 2 R {quoted(tree.name)} {{ {players} }}\n""\n\n', *(f"{line}\n" for line in _lines(tree))]
    )


def _lines(tree: GameTree) -> Iterator[str]:
    """Yield the nodes in preorder; a chance node is an infoset of its own, equal payoffs one outcome."""
    decisions = _decision_lines(tree)
    outcomes = _outcome_lines(tree)
    player, infoset = tree.player.tolist(), tree.infoset.tolist()
    first_child, n_children = tree.first_child.tolist(), tree.n_children.tolist()
    chances = 0
    stack = [0]
    while stack:
        node = stack.pop()
        if player[node] == LEAF:
            yield outcomes[node]
            continue
        children = range(first_child[node], first_child[node] + n_children[node])
        stack.extend(reversed(children))
        if player[node] == CHANCE:
            chances += 1
            yield f'c "" {chances} "" {{ {_odds(tree, children)} }} 0'
        else:
            yield decisions[infoset[node]]


def _decision_lines(tree: GameTree) -> list[str]:
    lines = []
    counts = [0] * (tree.n_players + 1)
    sets = zip(tree.infoset_player.tolist(), tree.infoset_labels, tree.infoset_actions, strict=True)
    for player, label, actions in sets:
        counts[player] += 1
        moves = " ".join(quoted(action) for action in actions)
        lines.append(f'p "" {player} {counts[player]} {quoted(label)} {{ {moves} }} 0')
    return lines


def _outcome_lines(tree: GameTree) -> dict[int, str]:
    """Return the line of each leaf."""
    lines: dict[tuple[int, ...], str] = {}
    of_leaf = {}
    for leaf, row in zip(tree.leaves.tolist(), tree.payoff_number.tolist(), strict=True):
        key = tuple(row)
        if key not in lines:
            payoffs = shown_numbers([tree.numbers[index] for index in key])
            lines[key] = f't "" {len(lines) + 1} "" {payoffs}'
        of_leaf[leaf] = lines[key]
    return of_leaf


def _odds(tree: GameTree, children: range) -> str:
    return " ".join(
        f"{quoted(tree.labels[tree.label[child]])} {tree.numbers[tree.probability_number[child]]}"
        for child in children
    )
