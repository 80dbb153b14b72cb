"""`Board`: how large it is, which patterns are hidden on it, what may touch, and how a board is drawn at random."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from maxmin import _core
from maxmin.battleship.cell_names import read_cell, row_name
from maxmin.battleship.exact_weights import exact_weights
from maxmin.battleship.patterns import Pattern, Shape, parse_patterns
from maxmin.errors import GameError, SizeError
from maxmin.limits import check_whole

Bools: TypeAlias = NDArray[np.bool_]

TOUCHING = ("none", "corners", "all")
PLACEMENT = ("uniform", "sequential")
MOST_CELLS = 1024
MOST_CONFIGURATIONS = 5_000_000
"""More configurations than this are not listed unless asked for."""

_MOST_BYTES = 2**28
"""Nor are more than fit into this memory."""
_MOST_DRAWN = 10**9
_GLANCE = (1e7, 1024, 0)
"""The effort (work, samples, seed) that goes into seeing how many configurations there are."""

_WIDTHS = (1, 2, 4, 16)
"""Bitboards have so many words of 64 cells."""
_BESIDE = {"none": 2, "corners": 1, "all": 0}
"""Cells around a piece that stay free: none; those at squared distance 1; those at squared distance 1 and 2."""


@dataclass(frozen=True)
class Configurations:
    """The sets of cells that the patterns may cover, each with its probability.

    Attributes
    ----------
    masks : (n, words) uint64
        Bit ``i % 64`` of word ``i // 64`` is set if cell i is covered. All rows differ.
    weights : (n,) float64
        Their probabilities; they sum to 1.
    ways : (n,) int64
        In how many ways the pieces cover exactly these cells; more than 1 only if pieces may touch along edges.
    """

    masks: NDArray[np.uint64]
    weights: NDArray[np.float64]
    ways: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.weights)


@dataclass(frozen=True)
class Board:
    """A board and the patterns that are hidden on it. The default is the paper's task.

    Cell ``row * columns + column`` is named by the row's letter and the column's number: A1 is cell 0. The game
    ends when every cell of every pattern has been hit.

    Attributes
    ----------
    rows, columns : int
        At least 1; at most 1024 cells.
    patterns : tuple of Pattern
        What is hidden; their texts may be given instead, see `parse_pattern`. A pattern that is named twice is
        hidden twice; such twins cannot be told apart, so exchanging them changes nothing and is counted once.
    touching : str
        What pieces may do to each other, apart from overlapping, which they never may: touch "none" (not even at a
        corner), at "corners" only (the paper), or "all" (also along edges).
    placement : str
        Where boards come from: "uniform", all legal ones alike; or "sequential", one piece after another in the
        order of `patterns`, each alike over the placements that are left, begun anew if there is none.

    Raises
    ------
    GameError
        If one of them is none of these, or a pattern does not fit onto the board.
    """

    rows: int
    columns: int
    patterns: tuple[Pattern, ...]
    touching: str
    placement: str

    def __init__(
        self,
        rows: int = 7,
        columns: int = 7,
        patterns: Sequence[Pattern | str] = ("L", "L"),
        *,
        touching: str = "corners",
        placement: str = "uniform",
    ) -> None:
        _check_size(rows, columns)
        _check_word("touching", touching, TOUCHING)
        _check_word("placement", placement, PLACEMENT)
        pieces = parse_patterns(patterns)
        given = {
            "rows": int(rows),
            "columns": int(columns),
            "patterns": pieces,
            "touching": touching,
            "placement": placement,
        }
        for name, value in given.items():
            object.__setattr__(self, name, value)
        self._check_patterns()

    @property
    def n_cells(self) -> int:
        """The number of cells."""
        return self.rows * self.columns

    @property
    def n_covered(self) -> int:
        """The number of cells of all patterns together: the hits that end a game."""
        return sum(pattern.size for pattern in self.patterns)

    @property
    def words(self) -> int:
        """The number of 64-bit words of a set of cells."""
        return next(width for width in _WIDTHS if 64 * width >= self.n_cells)

    @cached_property
    def kinds(self) -> tuple[Pattern, ...]:
        """The different patterns (by their orientations), in the order in which they first come."""
        first: dict[frozenset[Shape], Pattern] = {}
        for pattern in self.patterns:
            first.setdefault(frozenset(pattern.orientations), pattern)
        return tuple(first.values())

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The kind of each piece, in the order in which pieces are laid."""
        shapes = [frozenset(kind.orientations) for kind in self.kinds]
        return tuple(shapes.index(frozenset(pattern.orientations)) for pattern in self.patterns)

    @cached_property
    def placements(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """For each kind, its placements: the cells covered. Orientation by orientation, then row by row."""
        return tuple(
            tuple(cells for shape in kind.orientations for cells in self.places(shape)) for kind in self.kinds
        )

    @cached_property
    def fleet(self) -> _core.Fleet:
        """The placements as the native core takes them; pieces in order, twins beside each other if uniform."""
        everything = [cells for places in self.placements for cells in places]
        starts = np.cumsum([0, *map(len, self.placements)], dtype=np.int32)
        order = self.order if self.placement == "sequential" else sorted(self.order)
        masks = self.masks_of(everything)
        blocked = self.masks_of([self.around(cells) for cells in everything])
        return _core.Fleet(
            starts, np.array(order, dtype=np.int32), masks.ravel(), blocked.ravel(), self.words
        )

    def configurations(self, *, limit: int = MOST_CONFIGURATIONS) -> Configurations:
        """List all sets of cells that the patterns may cover, with their probabilities.

        Raises
        ------
        SizeError
            If there are more than `limit`.
        GameError
            If the patterns do not fit onto the board together.
        """
        if self.listed is not None and len(self.listed) <= limit:
            return self.listed
        if self._about > limit:
            raise SizeError(
                f"{self} has about {self._about:.3g} configurations, too many to list; the limit is {limit:,}"
            )
        return self._list(limit)

    @cached_property
    def listed(self) -> Configurations | None:
        """The configurations, if there are at most `MOST_CONFIGURATIONS` and they take little memory; else None."""
        limit = min(MOST_CONFIGURATIONS, _MOST_BYTES // (8 * self.words * self._sequences))
        if self._about > limit:
            return None
        try:
            return self._list(limit)
        except SizeError:
            return None

    @cached_property
    def _about(self) -> float:
        """How many configurations there are, exactly if that is quickly counted; else from samples."""
        nothing = np.zeros(self.words, dtype=np.uint64)
        *_, count, _ = self.placed.posterior(nothing, nothing, *_GLANCE)
        return float(count)

    @cached_property
    def placed(self) -> _core.FleetPosteriors:
        """The placements as the native core counts with them."""
        return _core.FleetPosteriors(self.fleet, self.n_cells)

    def draw(self, n: int, *, seed: int) -> Bools:
        """Draw boards at random, each independent of the others.

        Returns
        -------
        (n, n_cells) booleans
            The cells covered.

        Raises
        ------
        GameError
            If the number is not a whole number from 0 to 10^9, or the seed not one from 0 up.
        SizeError
            If the patterns are so crowded that a million attempts do not give a board.
        """
        check_whole("the number of boards", n, least=0, most=_MOST_DRAWN)
        check_whole("the seed", seed, least=0)
        sequential = self.placement == "sequential"
        try:
            masks = _core.draw_configurations(self.fleet, sequential, n, seed)
        except SizeError as error:
            raise SizeError(f"{self}: {error}") from None
        return self.unpack(masks.reshape(n, self.words))

    def exact_weights(self) -> list[Fraction]:
        """Return the probabilities of `configurations` as fractions, by a route of their own in plain Python."""
        return exact_weights(self)

    def places(self, shape: Shape) -> list[tuple[int, ...]]:
        """List where a shape, as it is turned, may lie on the empty board: the cells covered, row by row."""
        height, width = (1 + max(cell[axis] for cell in shape) for axis in (0, 1))
        return [
            tuple((top + row) * self.columns + left + column for row, column in shape)
            for top in range(self.rows - height + 1)
            for left in range(self.columns - width + 1)
        ]

    def masks_of(self, sets: Sequence[Iterable[int]]) -> NDArray[np.uint64]:
        """Return sets of cells as bitboards, (n, words) uint64."""
        cells = np.zeros((len(sets), self.n_cells), dtype=np.bool_)
        for row, members in enumerate(sets):
            cells[row, list(members)] = True
        return self.pack(cells)

    def pack(self, cells: Bools) -> NDArray[np.uint64]:
        """Return (n, n_cells) booleans as bitboards, (n, words) uint64."""
        packed = np.zeros((len(cells), 8 * self.words), dtype=np.uint8)
        bits = np.packbits(cells, axis=1, bitorder="little")
        packed[:, : bits.shape[1]] = bits
        return packed.view("<u8").astype(np.uint64, copy=False)

    def unpack(self, masks: NDArray[np.uint64]) -> Bools:
        """Return bitboards, (n, words) uint64, as (n, n_cells) booleans."""
        as_bytes = np.ascontiguousarray(masks.astype("<u8", copy=False)).view(np.uint8)
        return np.unpackbits(as_bytes, axis=1, count=self.n_cells, bitorder="little").view(np.bool_)

    def cell_name(self, cell: int) -> str:
        """Return the name of a cell, such as D4."""
        row, column = divmod(cell, self.columns)
        return f"{row_name(row)}{column + 1}"

    def parse_cell(self, text: str) -> int:
        """Read the name of a cell, such as D4 or d4.

        Raises
        ------
        GameError
            If it is not the name of a cell of this board.
        """
        row, column = read_cell(text)
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            raise GameError(
                f"{text!r} is no cell of this board; its cells are A1 to {self.cell_name(self.n_cells - 1)}"
            )
        return row * self.columns + column

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel to other processes without what was computed of it."""
        return _same_board, (self.rows, self.columns, self.patterns, self.touching, self.placement)

    def __str__(self) -> str:
        names = ",".join(str(pattern) for pattern in self.patterns)
        return f"board({self.rows}x{self.columns};{names};touching={self.touching};{self.placement})"

    def around(self, cells: Iterable[int]) -> set[int]:
        """Return the cells of a piece and those beside it that must stay free."""
        reach = _BESIDE[self.touching]
        near = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if r * r + c * c <= reach]
        places = [divmod(cell, self.columns) for cell in cells]
        return {
            (row + r) * self.columns + column + c
            for row, column in places
            for r, c in near
            if 0 <= row + r < self.rows and 0 <= column + c < self.columns
        }

    @property
    def _sequences(self) -> int:
        """In how many orders the same set of placements is laid, if pieces are laid one after another."""
        if self.placement == "uniform":
            return 1
        return math.prod(math.factorial(self.order.count(kind)) for kind in set(self.order))

    def _list(self, limit: int) -> Configurations:
        sequential = self.placement == "sequential"
        try:
            masks, weights = _core.enumerate_configurations(self.fleet, sequential, limit * self._sequences)
        except SizeError as error:
            raise SizeError(f"{self}: {error}") from None
        if not len(weights):
            raise GameError(f"the patterns of {self} do not fit onto the board together")
        rows = masks.reshape(-1, self.words)
        if not sequential and self.touching != "all":  # then a set of cells is covered in one way only
            return Configurations(rows, weights / weights.sum(), np.ones(len(rows), dtype=np.int64))
        distinct, member = np.unique(rows, axis=0, return_inverse=True)
        sums = np.bincount(member.ravel(), weights, len(distinct))
        ways = np.bincount(member.ravel()) // self._sequences
        return Configurations(distinct, sums / sums.sum(), ways)

    def _check_patterns(self) -> None:
        for kind, places in zip(self.kinds, self.placements, strict=True):
            if not places:
                raise GameError(
                    f"the pattern {kind} does not fit onto a board of {self.rows} x {self.columns}"
                )
        if self.n_covered > self.n_cells:
            raise GameError(
                f"the patterns have {self.n_covered} cells together, the board {self.rows} x {self.columns} "
                f"has only {self.n_cells}"
            )


@lru_cache(maxsize=16)
def _same_board(
    rows: int, columns: int, patterns: tuple[Pattern, ...], touching: str, placement: str
) -> Board:
    """Return one and the same board whenever it is asked for, so that it is listed once in a process."""
    return Board(rows, columns, patterns, touching=touching, placement=placement)


def _check_size(rows: int, columns: int) -> None:
    check_whole("rows", rows, least=1)
    check_whole("columns", columns, least=1)
    if rows * columns > MOST_CELLS:
        raise GameError(f"a board of {rows} x {columns} has more than {MOST_CELLS} cells")


def _check_word(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise GameError(f"{name} must be one of {', '.join(known)}, not {value!r}")
