"""Covers a box with patches, and proves that it is covered.

A cell, which is a box, is proved to be covered if

* each condition of one patch is nonnegative all over the cell, by its Bernstein coefficients, or
* for each condition that is not, the points of the cell where it fails are covered by other patches, by the same
  rules; where it fails, its negative may be taken for granted.

So a border that is a curve needs no approximation where the patches on its sides end at the same polynomial. A cell
without a proof gets a patch at a random point of it, or is cut: where that patch ends, if that is at a fraction,
else in half. Regions that are boxes are so found exactly. Cells that become too small without a proof (where three
curves meet in a point, say) are given back.
"""

import random
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from maxmin.exact.parametric_tree import random_point
from maxmin.exact.patch import Patch, linear_root
from maxmin.exact.polynomial import Box, Point, sign_on

_FINEST = Fraction(1, 64)
"""Cells this narrow, relative to the box, are not halved again."""

_MOST_MISSES = 20
"""So many random points in a row on borders are no accident: the cell is given up."""

_DEEPEST = 6
"""How many conditions may fail, one after the other, in a proof."""


_Signs: TypeAlias = dict[str, int]
"""The signs on a cell of polynomials by name; 0 if unknown."""


@dataclass(frozen=True)
class Cover:
    """What was found.

    Attributes
    ----------
    patches : list of Patch
    undecided : list of Box
        Cells without a proof that the patches cover them.
    """

    patches: list[Patch]
    undecided: list[Box]


def cover(
    whole: Box,
    find: Callable[[Point], Patch | None],
    *,
    generator: random.Random,
    deadline: float = float("inf"),
    keep_going: Callable[[int], bool] = lambda _: True,
) -> Cover:
    """Cover a box with patches.

    Parameters
    ----------
    whole
        The box.
    find
        Returns a patch that holds a point; None if the point is on its border by accident.
    generator
        Of random points.
    deadline
        On the clock ``time.monotonic``; cells that are left by then are undecided.
    keep_going
        Called with the number of patches now and then; returns False to stop as at the deadline.
    """
    patches: list[Patch] = []
    undecided: list[Box] = []
    cells: list[tuple[Box, _Signs]] = [(whole, {})]
    misses = 0
    while cells:
        if time.monotonic() > deadline or not keep_going(len(patches)):
            return Cover(_without_parts(patches), undecided + [cell for cell, _ in cells])
        cell, above = cells.pop()
        signs = {
            name: sign for name, sign in above.items() if sign
        }  # what holds on a cell holds on its parts
        if _covered(cell, patches, signs):
            continue
        point = random_point(cell, generator)
        patch = next((each for each in patches if point in each), None)
        if patch is None:
            patch = find(point)
            if patch is not None:
                patches.append(patch)
            misses = 0 if patch is not None else misses + 1
            if misses < _MOST_MISSES:
                cells.append((cell, signs))
            else:
                undecided.append(cell)
            continue
        parts = _divide(cell, patch, whole)
        if parts:
            cells += [(part, signs) for part in parts]
        else:
            undecided.append(cell)
    return Cover(_without_parts(patches), undecided)


def _without_parts(patches: list[Patch]) -> list[Patch]:
    """Leave out patches that are parts of others with the same formula."""
    kept: list[Patch] = []
    for patch in sorted(patches, key=lambda each: len(each.sides)):
        if not any(_is_part(patch, of) for of in kept):
            kept.append(patch)
    return kept


def _is_part(patch: Patch, of: Patch) -> bool:
    names = {side.name for side in patch.sides}
    return str(patch.value) == str(of.value) and all(
        side.name in names or sign_on(side.polynomial, patch.box) == 1 for side in of.sides
    )


def _covered(cell: Box, patches: Iterable[Patch], signs: _Signs) -> bool:
    """Try to prove that patches cover a cell; `signs` keeps the signs of polynomials on it."""
    left: list[tuple[frozenset[str], dict[str, str]]] = []
    for patch in patches:
        for side in patch.sides:
            if side.name not in signs:
                signs[side.name] = sign_on(side.polynomial, cell)
                signs[side.opposite] = -signs[side.name]
        open_sides = {side.name: side.opposite for side in patch.sides if signs[side.name] != 1}
        if not open_sides:
            return True
        if all(signs[name] == 0 for name in open_sides):
            left.append((frozenset(open_sides), open_sides))
    return bool(left) and _proved([names for names, _ in left], _opposites(left), frozenset(), _DEEPEST)


def _opposites(left: Iterable[tuple[frozenset[str], dict[str, str]]]) -> dict[str, str]:
    return {name: opposite for _, sides in left for name, opposite in sides.items()}


def _proved(
    patches: list[frozenset[str]], opposite: dict[str, str], granted: frozenset[str], depth: int
) -> bool:
    """Try to prove that each point where what is granted holds is in a patch, given what each patch needs."""
    alive = [names for names in patches if not any(opposite[name] in granted for name in names)]
    needs = min((names - granted for names in alive), key=len, default=None)
    if needs is None or len(needs) > depth:
        return False
    known = granted
    for name in sorted(needs):
        if not _proved(patches, opposite, known | {opposite[name]}, depth - 1):
            return False
        known |= {name}  # where this holds, the next one may fail
    return True


def _divide(cell: Box, patch: Patch, whole: Box) -> list[Box]:
    """Cut a cell where a patch ends, if that is at a fraction, else in half; return nothing if it is too small."""
    for side in patch.sides:
        found = linear_root(side.polynomial)
        if found is not None:
            index, root = found
            if cell[index][0] < root < cell[index][1]:
                return _cut(cell, index, root)
    widths = [(high - low) / (end - start) for (low, high), (start, end) in zip(cell, whole, strict=True)]
    widest = max(range(len(cell)), key=widths.__getitem__)
    if widths[widest] <= _FINEST:
        return []
    return _cut(cell, widest, (cell[widest][0] + cell[widest][1]) / 2)


def _cut(cell: Box, index: int, place: Fraction) -> list[Box]:
    low, high = cell[index]
    return [(*cell[:index], part, *cell[index + 1 :]) for part in ((low, place), (place, high))]
