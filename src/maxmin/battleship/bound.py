"""A proven lower bound on the expected shots of any strategy, which rises with time.

The proof is in docs/theory/battleship-search.md. Three stages. First the relaxation in which misses made before the
last hit are forgotten is tightened by lines of shots (``cpp/src/shot_bound.cpp``). Then what follows a set of hits
is found exactly, for sets that few boards contain and then for larger ones (``cpp/src/exact_worth.cpp``), and the
lines before them are looked at again. Last the boards themselves are searched, depth first, with all this as bound
and a limit: either a strategy is found that needs no more misses than the limit, which is then the optimum, or all
are refuted, and the limit rises (``cpp/src/exact_search.cpp``). All of it is integer arithmetic.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from maxmin import _core
from maxmin.archive import read_archive, write_archive
from maxmin.battleship.board import Board
from maxmin.battleship.hidden_boards import HiddenBoards, hidden_boards
from maxmin.errors import Cancelled, SizeError, SolutionError
from maxmin.files import AnyPath
from maxmin.interrupt import Watch
from maxmin.limits import check_seconds

KIND = "maxmin battleship bound"
VERSION = 2

MOST_STATES = 20_000_000
"""States that the search remembers; each takes about 80 bytes."""
MOST_SETS = 10_000_000
"""Sets of cells that may be hit; each takes 200 bytes and more."""


class _Pass(NamedTuple):
    """Once over the sets that more than `fewer_boards` boards contain: exact up to `exact_boards`, else by lines.

    `lines` are looked at for all sets of equally many hits together, for each board.
    """

    fewer_boards: int
    exact_boards: int = 0
    lines: float = 0.0


_PASSES = (
    _Pass(0),
    _Pass(0, lines=0.7),
    *(
        one
        for fewer, boards in ((0, 50), (50, 150), (150, 450), (450, 1350))
        for one in (_Pass(fewer, exact_boards=boards), _Pass(boards, lines=7.0))
    ),
)
_MOST_MISSES = 18
"""A board that takes more misses counts as if it took so many."""
_STEPS = 50
"""The limit rises by one over this, in shots, at least by one miss on one board."""
_SAVE_EVERY = 30.0


@dataclass(frozen=True)
class Bound:
    """A proven lower bound.

    Attributes
    ----------
    board : str
        The board.
    lower : float
        No strategy needs fewer shots in expectation.
    exact_lower : Fraction
        The same without rounding.
    optimal : bool
        Whether some strategy needs no more: then it is the optimum.
    seconds : float
        The time it took, that before it was resumed included.
    trace : tuple of (float, float)
        Seconds, and the bound from then on.
    states : int
        States that the search remembers.
    stopped_by : str
        "optimal"; "seconds", "interrupt" or "memory" if it could go on.
    """

    board: str
    lower: float
    exact_lower: Fraction
    optimal: bool
    seconds: float
    trace: tuple[tuple[float, float], ...]
    states: int
    stopped_by: str

    def to_json(self) -> dict[str, Any]:
        """Return it as an object of plain types."""
        facts = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return facts | {"exact_lower": str(self.exact_lower), "trace": [list(point) for point in self.trace]}


def lower_bound(
    board: Board,
    *,
    seconds: float | None = None,
    checkpoint: AnyPath | None = None,
    callback: Callable[[Bound], object] = lambda bound: None,
) -> Bound:
    """Bound the expected shots of any strategy from below; go on until the bound is the optimum.

    Parameters
    ----------
    board
        At most 64 cells.
    seconds
        Stop after this time.
    checkpoint
        Go on from this file, if it exists, and keep the state in it.
    callback
        Told the bound so far; returns False to stop.

    Raises
    ------
    SizeError
        If the board is too large.
    SolutionError
        If the checkpoint is damaged, or of another board.
    MaxminError
        If `seconds` is not a number above 0.
    """
    run = Climb(board, checkpoint)
    run.climb(seconds, callback)
    return run.bound


class Climb:
    """The bound as it rises; `lower_bound` and `maxmin.battleship.optimal` run it."""

    def __init__(self, board: Board, checkpoint: AnyPath | None = None) -> None:
        self.board = board
        self._checkpoint = checkpoint
        self._boards: HiddenBoards = hidden_boards(board)
        most = min(_MOST_MISSES, board.n_cells - board.n_covered)
        self._state = _State(most_misses=max(most, 1))
        if checkpoint is not None and Path(checkpoint).exists():
            self._state = _load(checkpoint, board)
        self._begun = time.perf_counter() - self._state.seconds
        self._saved = time.perf_counter()
        self._stopped_by = ""
        self.search: _core.ExactSearch | None = None

    @property
    def bound(self) -> Bound:
        """The bound so far."""
        shots = self._shots(self._state.misses)
        return Bound(
            board=str(self.board),
            lower=_rounded_down(shots),
            exact_lower=shots,
            optimal=self._state.optimal,
            seconds=self._state.seconds,
            trace=tuple(self._state.trace),
            states=0 if self.search is None else self.search.n_states,
            stopped_by=self._stopped_by,
        )

    def climb(self, seconds: float | None, callback: Callable[[Bound], object]) -> None:
        """Raise the bound until it is the optimum or something stops it; see `lower_bound`."""

        def report(done: float) -> object:
            self._state.seconds = time.perf_counter() - self._begun
            if time.perf_counter() - self._saved > _SAVE_EVERY:
                self._save()
            return callback(self.bound)

        with Watch(check_seconds(seconds), report) as watch:
            try:
                self._tighten(watch)
                self._search(watch)
                self._stopped_by = "optimal"
            except Cancelled:
                self._stopped_by = watch.reason
        self._state.seconds = time.perf_counter() - self._begun
        self._save()

    def _tighten(self, watch: Watch) -> None:
        """Tighten the relaxation, pass by pass, in each the sets of most hits first."""
        state, boards = self._state, self._boards
        self._sets = _hit_sets(self.board, boards, watch.keep_going)
        if not len(state.worth):
            state.worth = np.empty(self._sets.size * (state.most_misses + 1), dtype=np.int64)
            self._sets.start_worth(state.worth, state.most_misses)
            state.position = self._sets.size
        if len(state.worth) != self._sets.size * (state.most_misses + 1):
            raise SolutionError(f"{self._checkpoint} does not fit {self.board}")
        starts = _level_starts(self._sets)
        while state.passes < len(_PASSES):
            for first, last in zip(reversed(starts[:-1]), reversed(starts[1:]), strict=True):
                if first < state.position:
                    self._pass(_PASSES[state.passes], first, min(last, state.position), last - first, watch)
            state.passes += 1
            state.position = self._sets.size

    def _pass(self, one: _Pass, first: int, last: int, n_sets: int, watch: Watch) -> None:
        state = self._state
        span = (state.worth, state.most_misses, first, last, one.fewer_boards)
        if one.exact_boards and first > 0:  # what follows no hit at all is left to the search
            state.position = self._sets.find_exact_worth(
                *span, one.exact_boards, MOST_STATES // 4, watch.keep_going
            )
        else:
            effort = max(1, int(one.lines * len(self._boards.covered) / n_sets))
            state.position = self._sets.lower_worth(*span, effort, watch.keep_going)
        if state.position > first:
            raise Cancelled
        if first == 0:
            paid = np.arange(state.most_misses, -1, -1) * int(self._boards.weight.sum())
            self._raise_to(int((paid - state.worth[: state.most_misses + 1]).max()))
            _go_on(watch)

    def _search(self, watch: Watch) -> None:
        """Refute one limit after another, until one is met."""
        state = self._state
        self.search = _core.ExactSearch(self._sets, state.worth, state.most_misses, MOST_STATES)
        step = max(1, self._boards.scale // _STEPS)
        try:
            limit = state.misses if state.optimal else state.misses + step - 1
            while (found := self.search.solve(limit, watch.keep_going)) > limit:
                self._raise_to(found)
                _go_on(watch)
                limit = found + step - 1
        except SizeError:
            watch.reason = "memory"
            raise Cancelled from None
        state.optimal = True
        self._raise_to(found)

    def _raise_to(self, misses: int) -> None:
        state = self._state
        if misses > state.misses or not state.trace:
            state.misses = max(misses, state.misses)
            state.seconds = time.perf_counter() - self._begun
            state.trace.append((round(state.seconds, 3), _rounded_down(self._shots(state.misses))))

    def _shots(self, misses: int) -> Fraction:
        return self.board.n_covered + Fraction(misses, self._boards.scale)

    def _save(self) -> None:
        self._saved = time.perf_counter()
        if self._checkpoint is not None:
            _write(self._checkpoint, self._state, self.board)


@dataclass
class _State:
    """What a checkpoint keeps.

    Attributes
    ----------
    most_misses : int
    worth : (n_sets * (most_misses + 1),) int64
        See ``cpp/include/maxmin/shot_bound.hpp``.
    passes, position : int
        Passes done, and the set before which the next goes on.
    misses : int
        The bound, as the sum of weights times misses.
    """

    most_misses: int
    worth: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    passes: int = 0
    position: int = 0
    misses: int = 0
    optimal: bool = False
    seconds: float = 0.0
    trace: list[tuple[float, float]] = field(default_factory=list)


def _write(path: AnyPath, state: _State, board: Board) -> None:
    facts = {name: value for name, value in state.__dict__.items() if name != "worth"}
    header = {"format": KIND, "format_version": VERSION, "board": str(board), **facts}
    write_archive(path, header, {"worth": state.worth})


def _load(path: AnyPath, board: Board) -> _State:
    header, arrays = read_archive(path, KIND, VERSION)
    if header.get("board") != str(board):
        raise SolutionError(f"{path} bounds {header.get('board')}, not {board}; give another file")
    try:
        state = _State(
            most_misses=int(header["most_misses"]),
            worth=np.ascontiguousarray(arrays["worth"]),
            passes=int(header["passes"]),
            position=int(header["position"]),
            misses=int(header["misses"]),
            optimal=bool(header["optimal"]),
            seconds=float(header["seconds"]),
            trace=[(float(at), float(lower)) for at, lower in header["trace"]],
        )
    except (KeyError, TypeError, ValueError):
        raise SolutionError(f"{path} is damaged") from None
    sound = state.worth.dtype == np.int64 and state.worth.ndim == 1 and 1 <= state.most_misses <= _MOST_MISSES
    sizes = min(state.passes, state.position, state.misses) >= 0 and 0 <= state.seconds < math.inf
    sizes = sizes and state.misses < 2**62
    if not (sound and sizes and state.position <= len(state.worth)):
        raise SolutionError(f"{path} is damaged")
    return state


def _hit_sets(board: Board, boards: HiddenBoards, keep_going: Callable[[float], bool]) -> _core.HitSets:
    subsets = len(boards.covered) * 2.0**board.n_covered / (len(boards.images) // 64 + 1)
    if subsets > 50 * MOST_SETS:
        raise SizeError(
            f"{board}: there are about {subsets:.2g} sets of cells that may be hit; bounds are for boards with "
            f"fewer than {50 * MOST_SETS:.2g}: hide fewer or smaller patterns"
        )
    return _core.HitSets(boards.covered, boards.weight, boards.images, MOST_SETS, keep_going)


def _level_starts(sets: _core.HitSets) -> list[int]:
    """Return the first set of 0, 1, 2, ... hits, and the number of sets."""
    n_hits = [sets.n_hits(index) for index in range(sets.size)]
    return [*np.searchsorted(n_hits, np.arange(n_hits[-1] + 1)).tolist(), sets.size]


def _go_on(watch: Watch) -> None:
    """Look at the watch after each rise of the bound: on small boards the core is done before it looks."""
    if not watch.keep_going(0.0):
        raise Cancelled


def _rounded_down(value: Fraction) -> float:
    rounded = float(value)
    return rounded if Fraction(rounded) <= value else math.nextafter(rounded, 0.0)
