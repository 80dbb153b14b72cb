"""Strategies that search: lookahead on a proven bound, rollouts of rollouts, exact play once few boards are left.

All work on the boards that are left, split by each shot, so that what a policy costs from a state on is an exact
expectation, never a sample.

Rollout (Bertsekas, Tsitsiklis and Wu, J. Heuristics 1997): try the likeliest cells, go on with a base policy, keep
the cell whose expected shots are least; that is never worse than the base policy. Nested, the rollout policy is
itself the base of the next (Cazenave, IJCAI 2009, there with samples).

Lookahead: minimize over the next few shots, and count what follows as the lower bound of `maxmin.battleship.bound`.
"""

import numpy as np
from numpy.typing import NDArray

from maxmin import _core
from maxmin.battleship.board import Board, Bools
from maxmin.battleship.hidden_boards import MOST_CELLS, hidden_boards
from maxmin.errors import GameError, StrategyError

MOST_STATES = 20_000_000
"""States that a search remembers; each takes about 60 bytes."""

_MOST_DEPTH = 4
_MOST_NESTING = 4


class _Searcher:
    """What lookahead and rollout share: the native search, made when it is first needed."""

    deterministic = True

    def __init__(self, board: Board, name: str, options: tuple[int, int, int, int]) -> None:
        self.name = name
        self._board = board
        self._options = options
        self._search: _core.BoardSearch | None = None

    def choose(self, hits: Bools, misses: Bools) -> NDArray[np.int64]:
        """Choose a cell for each state; see `maxmin.battleship.strategies.Strategy`.

        Raises
        ------
        StrategyError
            If no board agrees with a state.
        SizeError
            If the board is too large, or the search would remember too many states.
        """
        if self._search is None:
            boards = hidden_boards(self._board)
            self._search = _core.BoardSearch(
                boards.covered, boards.weight, boards.images, *self._options, MOST_STATES
            )
        cells = np.empty(len(hits), dtype=np.int64)
        self._search.choose(as_words(hits), as_words(misses), cells, lambda done: True)
        if (cells == MOST_CELLS).any():
            row = int(np.argmax(cells == MOST_CELLS))
            names = [
                " ".join(map(self._board.cell_name, np.flatnonzero(seen[row]).tolist())) or "none"
                for seen in (hits, misses)
            ]
            raise StrategyError(
                f"{self.name}: there is nothing to shoot at: no board of {self._board} has "
                f"hits {names[0]}, misses {names[1]} and a cell left to hit"
            )
        return cells

    def __getstate__(self) -> dict[str, object]:
        return self.__dict__ | {"_search": None}


class Rollout(_Searcher):
    """Try the likeliest cells, each followed by a simpler policy to the end, and keep the best.

    Parameters
    ----------
    board
        The board.
    nesting
        0 is greedy play with exact endgames, 1 its rollout, 2 the rollout of that, ...; at most 4.
    width
        How many cells are tried.
    endgame
        With so few boards left, play on exactly.

    Raises
    ------
    GameError
        If a number is out of range.
    """

    def __init__(self, board: Board, *, nesting: int = 1, width: int = 5, endgame: int = 12) -> None:
        nesting = _whole("nesting", nesting, 0, _MOST_NESTING)
        width = _whole("width", width, 1, MOST_CELLS)
        endgame = _whole("endgame", endgame, 0, 10_000)
        name = f"rollout(nesting={nesting},width={width},endgame={endgame})"
        super().__init__(board, name, (0, nesting, width, endgame))


class Lookahead(_Searcher):
    """Look a few shots ahead; what follows them is counted as the proven lower bound on its misses.

    Parameters
    ----------
    board
        The board.
    depth
        How many shots; 1 to 4.
    endgame
        With so few boards left, play on exactly.

    Raises
    ------
    GameError
        If a number is out of range.
    """

    def __init__(self, board: Board, *, depth: int = 2, endgame: int = 12) -> None:
        depth = _whole("depth", depth, 1, _MOST_DEPTH)
        endgame = _whole("endgame", endgame, 0, 10_000)
        super().__init__(board, f"lookahead(depth={depth},endgame={endgame})", (depth, 0, 1, endgame))


def as_words(cells: Bools) -> NDArray[np.uint64]:
    """Return (batch, n_cells) booleans as one word of bits each; at most 64 cells."""
    padded = np.zeros((len(cells), MOST_CELLS), dtype=np.uint8)
    padded[:, : cells.shape[1]] = cells
    return np.packbits(padded, axis=1, bitorder="little").view("<u8").ravel().astype(np.uint64)


def _whole(name: str, value: int, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not least <= value <= most:
        raise GameError(f"{name} must be a whole number from {least} to {most}, not {value!r}")
    return int(value)
