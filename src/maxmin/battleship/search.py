"""Strategies that search: lookahead on a proven bound, rollouts of rollouts, exact play once few boards are left.

All work on the boards that are left, split by each shot, so that what a policy costs from a state on is an exact
expectation, never a sample.

Rollout (Bertsekas, Tsitsiklis and Wu, J. Heuristics 1997): try the likeliest cells, go on with a base policy, keep
the cell whose expected shots are least; that is never worse than the base policy. Nested, the rollout policy is
itself the base of the next (Cazenave, IJCAI 2009, there with samples).

Lookahead: minimize over the next few shots, and count what follows as the lower bound of `maxmin.battleship.bound`.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from maxmin import _core
from maxmin.battleship.board import Board, Bools
from maxmin.battleship.hidden_boards import MOST_CELLS, hidden_boards
from maxmin.battleship.state import check_states
from maxmin.errors import StrategyError
from maxmin.limits import check_whole

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
        """Choose a cell for each state; see `maxmin.battleship.strategies.Strategy`."""
        return self.choose_until(hits, misses, lambda: True)

    def choose_until(self, hits: Bools, misses: Bools, go_on: Callable[[], bool]) -> NDArray[np.int64]:
        """Choose a cell for each state, unless told to stop.

        Raises
        ------
        Cancelled
            Once `go_on` returns False.
        StrategyError
            If no board agrees with a state.
        SizeError
            If the board is too large, or the search would remember too many states.
        """
        board = self._board
        check_states(board, hits, misses)
        if self._search is None:
            boards = hidden_boards(board)
            self._search = _core.BoardSearch(
                boards.covered, boards.weight, boards.images, *self._options, MOST_STATES
            )
        cells = np.empty(len(hits), dtype=np.int64)
        self._search.choose(board.pack(hits).ravel(), board.pack(misses).ravel(), cells, lambda done: go_on())
        if (cells == MOST_CELLS).any():
            row = int(np.argmax(cells == MOST_CELLS))
            names = [
                " ".join(map(board.cell_name, np.flatnonzero(seen[row]).tolist())) or "none"
                for seen in (hits, misses)
            ]
            raise StrategyError(
                f"{self.name}: there is nothing to shoot at: no board of {board} has "
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
        nesting = check_whole("nesting", nesting, least=0, most=_MOST_NESTING)
        width = check_whole("width", width, least=1, most=MOST_CELLS)
        endgame = check_whole("endgame", endgame, least=0, most=10_000)
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
        depth = check_whole("depth", depth, least=1, most=_MOST_DEPTH)
        endgame = check_whole("endgame", endgame, least=0, most=10_000)
        super().__init__(board, f"lookahead(depth={depth},endgame={endgame})", (depth, 0, 1, endgame))
