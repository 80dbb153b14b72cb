"""Strategies: which cell to shoot at next, for many states at once; the same for ours and for a user's own."""

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from maxmin.battleship.board import Board, Bools
from maxmin.battleship.state import State, as_cell, check_states
from maxmin.errors import GameError, StrategyError, UnknownNameError
from maxmin.limits import check_whole
from maxmin.names import nearest


class Strategy(Protocol):
    """Says where to shoot.

    Attributes
    ----------
    name : str
        What it is called.
    deterministic : bool
        Whether the same state always gets the same cell; then its expectation can be exact.

    A strategy that is not deterministic may have a method ``seeded(seed)``, which returns a copy whose choices
    begin with this seed; then its games can be spread over processes. One that thinks for long may have a method
    ``choose_until(hits, misses, go_on)``, which raises `Cancelled` once ``go_on()`` is False; then it can be
    stopped in the middle of a choice.
    """

    @property
    def name(self) -> str: ...  # noqa: D102

    @property
    def deterministic(self) -> bool: ...  # noqa: D102

    def choose(self, hits: Bools, misses: Bools) -> NDArray[np.int64]:
        """Return the next cell for each of a batch of states.

        Parameters
        ----------
        hits, misses : (batch, n_cells) booleans
            What has been seen; no state is over.

        Returns
        -------
        (batch,) int64
            Cells not yet shot at.
        """
        ...


@dataclass(frozen=True)
class FunctionStrategy:
    """A user's own function as a strategy, see `from_function`."""

    function: Callable[[State], int | str]
    board: Board
    name: str
    deterministic: bool = True

    def choose(self, hits: Bools, misses: Bools) -> NDArray[np.int64]:
        """Ask the function for each state; see `Strategy.choose`.

        Raises
        ------
        StrategyError
            If the function returns no cell of the board.
        """
        check_states(self.board, hits, misses)
        cells = np.empty(len(hits), dtype=np.int64)
        for index, seen in enumerate(zip(hits, misses, strict=True)):
            state = State.from_arrays(self.board, *seen)
            cell = self.function(state)
            try:
                cells[index] = as_cell(self.board, cell)
            except GameError as error:
                raise StrategyError(f"{self.name} chooses no cell: {error}") from None
        return cells


def from_function(
    function: Callable[[State], int | str], *, board: Board, name: str = "", deterministic: bool = True
) -> Strategy:
    """Make a strategy of a function from a `State` to a cell (its number or its name).

    Set `deterministic` to False if it draws at random: then it is measured by simulation.
    """
    return FunctionStrategy(function, board, name or function.__name__, deterministic)


def check_choice(
    board: Board, strategy: Strategy, cells: NDArray[np.int64], hits: Bools, misses: Bools
) -> None:
    """Refuse cells that are not on the board or have been shot at.

    Raises
    ------
    StrategyError
        The message names the strategy, the cell and the state.
    """
    if np.shape(cells) != (len(hits),) or not np.issubdtype(np.asarray(cells).dtype, np.integer):
        raise StrategyError(
            f"{strategy.name} must choose {len(hits)} cells, one for each state, as whole numbers"
        )
    off = (cells < 0) | (cells >= board.n_cells)
    if off.any():
        raise StrategyError(
            f"{strategy.name} shoots at cell {cells[off][0]}; this board has cells 0 to {board.n_cells - 1}"
        )
    again = (hits | misses)[np.arange(len(cells)), cells]
    if again.any():
        row = int(np.flatnonzero(again)[0])
        raise StrategyError(
            f"{strategy.name} shoots at {board.cell_name(int(cells[row]))}, where it has shot before"
        )


STRATEGIES: Mapping[str, str] = MappingProxyType(
    {
        "random": "battleship.simple.Random",
        "hunt-target": "battleship.simple.HuntTarget",
        "checkerboard": "battleship.simple.Checkerboard",
        "paper": "battleship.heuristic.PaperHeuristic",
        "greedy": "battleship.greedy.Greedy",
        "information": "battleship.greedy.Information",
        "lookahead": "battleship.search.Lookahead",
        "rollout": "battleship.search.Rollout",
        "learned": "learning.policy_files.shipped_policy",
    }
)
"""The class or function of each strategy, below ``maxmin``: called with a board and keyword options."""

_SPEC = re.compile(r"\s*([\w-]+)\s*(?:\((.*)\))?\s*")


def make_strategy(text: str, board: Board, *, seed: int = 0) -> Strategy:
    """Make a strategy of its name, with options if need be: ``greedy``, ``paper(hits=most)``.

    Raises
    ------
    UnknownNameError
        If there is no such strategy or option; the message lists the nearest.
    GameError
        If an option has a value that it cannot have.
    """
    check_whole("the seed", seed, least=0)
    match = _SPEC.fullmatch(text)
    name, inside = match.groups() if match else (text, None)
    if name not in STRATEGIES:
        near = nearest(name, STRATEGIES, most=2)
        hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(STRATEGIES)}"
        raise UnknownNameError(f"there is no strategy {text!r}; {hint}")
    module, _, class_name = STRATEGIES[name].rpartition(".")
    kind = getattr(import_module(f"maxmin.{module}"), class_name)
    accepted = {parameter for parameter in inspect.signature(kind).parameters if parameter != "board"}
    options = _options(name, inside, accepted - {"seed"})
    if "seed" in accepted:
        options["seed"] = seed
    strategy: Strategy = kind(board, **options)
    return strategy


def _options(name: str, inside: str | None, accepted: set[str]) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for part in filter(None, map(str.strip, (inside or "").split(","))):
        key, equals, value = map(str.strip, part.partition("="))
        if key not in accepted:
            known = f"its options are {', '.join(sorted(accepted))}" if accepted else "it has no options"
            raise UnknownNameError(f"the strategy {name} has no option {key!r}; {known}")
        if not equals or not value:
            raise GameError(f"{name}: write the option {key} as {key}=VALUE")
        options[key] = _value(value)
    return options


def _value(text: str) -> int | float | bool | str:
    if text in ("true", "false"):
        return text == "true"
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text
