"""Patterns: the shapes that are hidden on a board, each any polyomino, turned and mirrored as one likes."""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TypeAlias

from maxmin.errors import GameError, MaxminError, UnknownNameError
from maxmin.names import nearest

Shape: TypeAlias = tuple[tuple[int, int], ...]
"""Cells (row, column), sorted; the smallest row and the smallest column are 0."""

_DRAWN = {
    "O": "##/##",
    "T": "###/.#.",
    "S": ".##/##.",
    "L": "###/..#",
    "F": ".##/##./.#.",
    "N": ".###/##..",
    "P": "##/##/#.",
    "U": "#.#/###",
    "V": "#../#../###",
    "W": "#../##./.##",
    "X": ".#./###/.#.",
    "Y": "####/.#..",
    "Z": "##./.#./.##",
}

NAMED: Mapping[str, str] = MappingProxyType(_DRAWN)
"""Patterns with a name, drawn: tetrominoes O T S L, pentominoes F N P U V W X Y Z. A number is a straight ship."""

_LONGEST = 1024


@dataclass(frozen=True)
class Pattern:
    """A polyomino. Its text is its name where `parse_pattern` reads that as this shape, else its drawing.

    Attributes
    ----------
    name : str
        What it is called: a name of `NAMED`, a number (a straight ship of that length), its drawing (``##/#.``), or
        a name of one's own.
    cells : Shape
        Its cells as it was drawn.

    Raises
    ------
    GameError
        If it has no cell, or one twice, or its cells do not hang together by edges.
    """

    name: str
    cells: Shape

    @cached_property
    def orientations(self) -> tuple[Shape, ...]:
        """All different turned and mirrored copies: four quarter turns as drawn, then four of its mirror image."""
        turned = [self.cells, tuple((row, -column) for row, column in self.cells)]
        copies = [_normal(_turn(shape, quarters)) for shape in turned for quarters in range(4)]
        return tuple(dict.fromkeys(copies))

    @property
    def size(self) -> int:
        """The number of its cells."""
        return len(self.cells)

    def __post_init__(self) -> None:
        if not self.cells:
            raise GameError(f"the pattern {self.name!r} has no cell; draw its cells as #")
        if len(set(self.cells)) < self.size or _reached(self.cells) < self.size:
            raise GameError(f"the cells of the pattern {self.name!r} do not hang together by their edges")

    def __str__(self) -> str:
        return self._text

    @cached_property
    def _text(self) -> str:
        with suppress(MaxminError):
            if set(parse_pattern(self.name).orientations) == set(self.orientations):
                return self.name
        cells = _normal(self.cells)
        height, width = (1 + max(cell[axis] for cell in cells) for axis in (0, 1))
        return "/".join("".join(".#"[(r, c) in cells] for c in range(width)) for r in range(height))


def parse_pattern(text: str) -> Pattern:
    """Read a pattern: ``L``, ``4`` (a straight ship of four cells), or a drawing by rows, as ``###/#..``.

    Raises
    ------
    UnknownNameError
        If there is no pattern of this name.
    GameError
        If a drawing is empty, or its cells do not hang together by edges.
    """
    word = text.strip()
    if word.upper() in NAMED:
        return Pattern(word.upper(), _drawn(NAMED[word.upper()]))
    if re.fullmatch(r"0*[1-9][0-9]{0,3}", word) and int(word) <= _LONGEST:
        return Pattern(str(int(word)), tuple((0, column) for column in range(int(word))))
    if word and set(word) <= set("#./"):
        return Pattern(word, _drawn(word))
    near = nearest(word, NAMED, most=2)
    hint = f"did you mean {' or '.join(near)}?" if near else f"named ones: {' '.join(NAMED)}"
    raise UnknownNameError(
        f"there is no pattern {text!r}; write a name ({hint}), a length such as 4, or a drawing such as '###/#..'"
    )


def parse_patterns(patterns: Sequence[Pattern | str]) -> tuple[Pattern, ...]:
    """Read what is hidden on a board: patterns, or their texts.

    Raises
    ------
    UnknownNameError
        See `parse_pattern`.
    GameError
        If there is none, or one of them is neither a text nor a `Pattern`.
    """
    if isinstance(patterns, str) or not isinstance(patterns, Iterable):
        raise GameError(f"patterns must be a sequence such as ('L', 'L'), not {patterns!r}")
    pieces = tuple(parse_pattern(each) if isinstance(each, str) else each for each in patterns)
    if not pieces:
        raise GameError("there is nothing to hide: give one pattern at least")
    for each in pieces:
        if not isinstance(each, Pattern):
            raise GameError(f"a pattern is a text such as 'L' or '4', or a Pattern, not {each!r}")
    return pieces


def _drawn(drawing: str) -> Shape:
    rows = drawing.split("/")
    return _normal([(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "#"])


def _reached(cells: Shape) -> int:
    """Return how many cells hang together with the first one by edges."""
    reached: set[tuple[int, int]] = set()
    waiting = [cells[0]]
    while waiting:
        row, column = waiting.pop()
        reached.add((row, column))
        around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        waiting += [cell for cell in around if cell in cells and cell not in reached]
    return len(reached)


def _turn(shape: Shape, quarters: int) -> Shape:
    for _ in range(quarters):
        shape = tuple((column, -row) for row, column in shape)
    return shape


def _normal(cells: Shape | list[tuple[int, int]]) -> Shape:
    top = min((row for row, _ in cells), default=0)
    left = min((column for _, column in cells), default=0)
    return tuple(sorted((row - top, column - left) for row, column in cells))
