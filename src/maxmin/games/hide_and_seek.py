"""Battleship for two: player 1 lays the patterns as she likes, player 2 shoots until all are uncovered.

Player 1 gets the number of shots, player 2 loses it. Each shot is truthfully answered hit or miss. What nobody
would do otherwise is left out, so that small boards fit into a tree: cells that all possible boards cover are shot
at by themselves (they cost the shots that they cost anyway), cells that none of them covers are not offered, and of
cells that tell the boards apart in the same way only the first is. Once a single board is possible the rest is
counted.

Played against boards drawn at random this is the task of `maxmin.battleship`; what a hider who draws uniformly
gives away is the value of this game less the shots of `maxmin.battleship.optimal.optimum`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from maxmin.battleship.board import TOUCHING, Board
from maxmin.errors import GameError
from maxmin.game import OVER
from maxmin.games.parameters import MOST_LEAVES, Parameter, Value, canonical_name, check_size


@dataclass(frozen=True, slots=True)
class Fleet(Parameter):
    """Patterns, joined by plus signs: ``L+2``."""

    @property
    def accepts(self) -> str:
        """Say in words which values are accepted."""
        return "patterns joined by plus signs, such as L+2"

    def parse(self, text: str) -> Value:
        """Leave the text as it is."""
        return text

    def check(self, family: str, value: object) -> None:
        """Raise a `GameError` if `value` is not a text; `Board` says what is wrong with a pattern."""
        if not isinstance(value, str):
            raise GameError(f"{family}: {self.name} must be {self.accepts}, not {value!r}")


class Hunt(NamedTuple):
    """A state: the number of the hidden board (None before it is chosen), and the cells shot at."""

    hidden: int | None
    shots: tuple[int, ...]


class Battleship:
    """Hider against searcher; see the head of this file for the rules."""

    players = 2
    parameters = (
        Parameter("rows", 2, "rows of the board", least=1, most=8),
        Parameter("columns", 3, "columns of the board", least=1, most=8),
        Fleet("patterns", "2", "what is hidden: names of patterns, joined by plus signs"),
        Parameter("touching", "corners", "where patterns may touch", choices=TOUCHING),
    )

    def __init__(
        self, *, rows: int = 2, columns: int = 3, patterns: str = "2", touching: str = "corners"
    ) -> None:
        values: dict[str, Value | None] = {
            "rows": rows,
            "columns": columns,
            "patterns": patterns,
            "touching": touching,
        }
        self.name = canonical_name("battleship", self.parameters, values)
        self.board = Board(rows, columns, patterns.split("+"), touching=touching)
        self._boards = [int(mask) for mask in self.board.configurations().masks[:, 0]]
        self._labels = {self._label(board): index for index, board in enumerate(self._boards)}
        # Sets of boards are bits of one number, and so are the boards that cover a cell.
        self._everywhere = (1 << len(self._boards)) - 1
        self._with = [
            sum(1 << index for index, board in enumerate(self._boards) if board >> cell & 1)
            for cell in range(self.board.n_cells)
        ]
        self._offered = cache(self._find_offered)
        check_size(self.name, self._count_leaves())

    def root(self) -> Hunt:
        """Return the state in which nothing is hidden yet."""
        return Hunt(None, ())

    def turn(self, state: Hunt) -> int:
        """Let player 1 hide, then player 2 shoot until a single board is possible."""
        if state.hidden is None:
            return 1
        return 2 if self._offered(self._left(state)) else OVER

    def actions(self, state: Hunt) -> Sequence[str]:
        """Name the boards, or the cells that are worth a shot."""
        if state.hidden is None:
            return list(self._labels)
        return [self.board.cell_name(cell) for cell in self._offered(self._left(state))]

    def chance(self, state: Hunt) -> Sequence[tuple[str, int]]:
        """Raise a `GameError`: chance has no move."""
        raise GameError(f"{self.name}: chance does not move in this game")

    def child(self, state: Hunt, action: str) -> Hunt:
        """Hide a board, or shoot."""
        if state.hidden is not None:
            return Hunt(state.hidden, (*state.shots, self.board.parse_cell(action)))
        if action not in self._labels:
            raise GameError(f"{self.name}: there is no board {action!r}")
        return Hunt(self._labels[action], ())

    def infoset(self, state: Hunt) -> str:
        """Tell the searcher her shots and their answers, in order."""
        if state.hidden is None:
            return "hide"
        answers = {True: "hit", False: "miss"}
        shots = [f"{self.board.cell_name(cell)} {answers[self._is_hit(state, cell)]}" for cell in state.shots]
        return ", ".join(shots) or "shoot"

    def payoffs(self, state: Hunt) -> Sequence[int]:
        """Return the shots: all covered cells, and the misses."""
        shots = self.board.n_covered + sum(not self._is_hit(state, cell) for cell in state.shots)
        return [shots, -shots]

    def _label(self, board: int) -> str:
        return " ".join(self.board.cell_name(cell) for cell in range(self.board.n_cells) if board >> cell & 1)

    def _is_hit(self, state: Hunt, cell: int) -> bool:
        return state.hidden is not None and bool(self._boards[state.hidden] >> cell & 1)

    def _left(self, state: Hunt) -> int:
        """Return the boards that agree with all answers so far."""
        left = self._everywhere
        for cell in state.shots:
            left &= self._with[cell] if self._is_hit(state, cell) else ~self._with[cell]
        return left

    def _find_offered(self, left: int) -> list[int]:
        """Return the cells that tell the boards apart, one for each way to do so."""
        first = {left & boards: cell for cell, boards in reversed(list(enumerate(self._with)))}
        return sorted(cell for hit, cell in first.items() if hit not in (0, left))

    def _count_leaves(self) -> int:
        """Count the leaves, or some of them if there are too many."""
        seen: dict[int, int] = {}

        def count(boards: int) -> int:
            if boards not in seen:
                total = 0
                for cell in self._offered(boards):
                    total += count(boards & self._with[cell]) + count(boards & ~self._with[cell])
                    if total > MOST_LEAVES:
                        break
                seen[boards] = total or 1
            return seen[boards]

        return count(self._everywhere)
