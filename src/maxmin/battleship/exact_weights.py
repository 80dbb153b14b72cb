"""The probabilities of a board's configurations as fractions: pieces laid one after another in plain Python.

Shares no code with the core, so that each checks the other.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from maxmin.battleship.board import Board

Places: TypeAlias = list[tuple[int, int]]
"""Of each placement, the cells that it covers and those that it blocks, as bits of Python integers."""


def exact_weights(board: "Board") -> list[Fraction]:
    """Return the probabilities of ``board.configurations()``, in their order."""
    found = board.configurations()
    if board.placement == "uniform":
        total = int(found.ways.sum())
        return [Fraction(int(ways), total) for ways in found.ways]
    places = [[(_bits(cells), _bits(board.around(cells))) for cells in kind] for kind in board.placements]
    chances: dict[int, Fraction] = {}
    _lay([places[kind] for kind in board.order], 0, 0, Fraction(1), chances)
    total_chance = sum(chances.values())
    masks = [sum(int(word) << 64 * w for w, word in enumerate(row)) for row in found.masks]
    return [chances[mask] / total_chance for mask in masks]


def _lay(
    pieces: Sequence[Places], covered: int, blocked: int, chance: Fraction, chances: dict[int, Fraction]
) -> None:
    """Lay the pieces that are left in all ways; add up the chances of the cells covered at last."""
    if not pieces:
        chances[covered] = chances.get(covered, Fraction(0)) + chance
        return
    left = [(cells, near) for cells, near in pieces[0] if not cells & blocked]
    for cells, near in left:
        _lay(pieces[1:], covered | cells, blocked | near, chance / len(left), chances)


def _bits(cells: Iterable[int]) -> int:
    return sum(1 << cell for cell in cells)
