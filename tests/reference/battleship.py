"""Battleship in plain Python, as slowly and plainly as can be: what the fast code is compared with."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product

from maxmin.battleship import Board

Cells = frozenset[int]


def placements(board: Board, pattern: int) -> list[Cells]:
    """All placements of a pattern: every turned and mirrored copy, wherever it stays on the board."""
    shape = board.patterns[pattern].cells
    found = set()
    for mirrored, quarters in product((1, -1), range(4)):
        cells = [(row, mirrored * column) for row, column in shape]
        for _ in range(quarters):
            cells = [(column, -row) for row, column in cells]
        for down, right in product(
            range(-board.rows, 2 * board.rows), range(-board.columns, 2 * board.columns)
        ):
            moved = [(row + down, column + right) for row, column in cells]
            if all(0 <= row < board.rows and 0 <= column < board.columns for row, column in moved):
                found.add(frozenset(row * board.columns + column for row, column in moved))
    return sorted(found, key=sorted)


def apart(board: Board, a: Cells, b: Cells) -> bool:
    """Whether two pieces may lie so."""
    least = {"none": 3, "corners": 2, "all": 1}[board.touching]  # squared distance of the nearest cells
    places = [(divmod(x, board.columns), divmod(y, board.columns)) for x in a for y in b]
    return min((r - s) ** 2 + (c - d) ** 2 for (r, c), (s, d) in places) >= least


def configurations(board: Board) -> dict[Cells, int]:
    """For each set of cells that the pieces may cover, in how many ways they do."""
    sets = set()
    for pieces in sequences(board):
        named = sorted((board.order[index], tuple(sorted(piece))) for index, piece in enumerate(pieces))
        sets.add(tuple(named))
    ways: dict[Cells, int] = {}
    for named in sets:
        covered = frozenset(cell for _, piece in named for cell in piece)
        ways[covered] = ways.get(covered, 0) + 1
    return ways


def sequences(board: Board) -> Iterator[tuple[Cells, ...]]:
    """All ways to lay the pieces, twins told apart."""
    for pieces in product(*(placements(board, index) for index in range(len(board.patterns)))):
        if all(apart(board, a, b) for a, b in combinations(pieces, 2)):
            yield pieces


def sequential(board: Board) -> dict[Cells, Fraction]:
    """The probability of each set of cells if pieces are laid one after another."""
    chances: dict[Cells, Fraction] = {}

    def lay(laid: tuple[Cells, ...], chance: Fraction) -> None:
        if len(laid) == len(board.patterns):
            covered = frozenset().union(*laid)
            chances[covered] = chances.get(covered, Fraction(0)) + chance
            return
        left = [p for p in placements(board, len(laid)) if all(apart(board, p, other) for other in laid)]
        for piece in left:
            lay((*laid, piece), chance / len(left))

    lay((), Fraction(1))
    total = sum(chances.values())
    return {covered: chance / total for covered, chance in chances.items()}
