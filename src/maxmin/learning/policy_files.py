"""Learned policies, and their files: played with NumPy alone, so that neither needs the extra ``learn``.

A policy file is a NumPy ``.npz`` archive without pickled objects:

* ``header``: JSON text with ``"format": "maxmin battleship policy"`` and ``"format_version": 1``; ``network`` (its
  kind and sizes), ``board`` (rows, columns, patterns, touching, placement: what it was trained on), ``name``, and
  ``facts``, whatever is to be remembered of the training (the command, the seed, figures);
* one array for each of the network's weights, float32 or float16.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from maxmin.archive import read_archive, write_archive
from maxmin.battleship.board import Board, Bools
from maxmin.battleship.patterns import Shape
from maxmin.battleship.state import check_states
from maxmin.errors import MaxminError, SolutionError, StrategyError
from maxmin.files import AnyPath
from maxmin.learning.candidate_network import CandidateNetwork
from maxmin.learning.symmetric_network import SymmetricNetwork, scores

FORMAT = "maxmin battleship policy"
FORMAT_VERSION = 1

SHIPPED = Path(__file__).with_name("policy_7x7_L_L.npz")
"""The policy that comes with the package, for the board of the paper."""

Network: TypeAlias = CandidateNetwork | SymmetricNetwork
Weights: TypeAlias = Mapping[str, NDArray[Any]]

_KINDS: Mapping[str, type[CandidateNetwork] | type[SymmetricNetwork]] = {
    "candidate": CandidateNetwork,
    "symmetric": SymmetricNetwork,
}

_TIE = 1e-4
"""Scores that differ by less are equal: those of a cell and of its mirror image differ by rounding, which depends
on how many states are scored at once."""

_MOST_AT_ONCE = 4096
"""States that are scored at once, so that their hidden layers fit into memory."""


@dataclass(frozen=True, eq=False)
class Policy:
    """A learned strategy: shoots at the cell with the highest score, the first of those that are as good.

    Attributes
    ----------
    network : CandidateNetwork or SymmetricNetwork
        What scores the cells.
    weights : mapping of str to array
        The network's, of the shapes in ``network.shapes``; float32, or float16 to be small.
    board : Board
        What it was trained on.
    name : str
        What it is called.
    facts : mapping
        What is to be remembered of the training; JSON.

    Raises
    ------
    StrategyError
        If the weights are not the network's, or not finite, or the board has another size.
    """

    network: Network
    weights: Weights
    board: Board
    name: str = "learned"
    facts: Mapping[str, Any] = field(default_factory=dict)
    deterministic: bool = True

    def __post_init__(self) -> None:
        if (self.network.rows, self.network.columns) != (self.board.rows, self.board.columns):
            raise StrategyError(
                f"the network is for a board of {self.network.rows} x {self.network.columns}, "
                f"not of {self.board.rows} x {self.board.columns}"
            )
        shapes = {name: np.shape(array) for name, array in self.weights.items()}
        expected = self.network.shapes
        if shapes.keys() != expected.keys():
            raise StrategyError(f"the network has the weights {', '.join(expected)}, not {', '.join(shapes)}")
        for name, array in self.weights.items():
            if shapes[name] != expected[name]:
                raise StrategyError(f"the weights {name} have the shape {shapes[name]}, not {expected[name]}")
            if not (np.issubdtype(array.dtype, np.floating) and np.isfinite(array).all()):
                raise StrategyError(f"the weights {name} are not finite numbers")

    def scores(self, hits: Bools, misses: Bools) -> NDArray[np.float32]:
        """Return a score for each cell, (batch, n_cells); those of cells already shot at are minus infinity."""
        check_states(self.board, hits, misses)
        found = np.empty(hits.shape, dtype=np.float32)
        for start in range(0, len(hits), _MOST_AT_ONCE):
            part = slice(start, start + _MOST_AT_ONCE)
            found[part] = self._score(hits[part], misses[part])
        found[hits | misses] = -np.inf
        return found

    def choose(self, hits: Bools, misses: Bools) -> NDArray[np.int64]:
        """Return the next cell for each of a batch of states; see `maxmin.battleship.strategies.Strategy`."""
        scores = self.scores(hits, misses)
        cells: NDArray[np.int64] = (scores >= scores.max(axis=1, keepdims=True) - _TIE).argmax(axis=1)
        return cells

    @cached_property
    def _score(self) -> Callable[[Bools, Bools], NDArray[np.float32]]:
        weights = {name: array.astype(np.float32) for name, array in self.weights.items()}
        if isinstance(self.network, SymmetricNetwork):
            layers = self.network.expand(weights)
            return lambda hits, misses: scores(layers, hits, misses)
        network = self.network
        return lambda hits, misses: network.scores(weights, hits, misses)


def save_policy(policy: Policy, path: AnyPath) -> None:
    """Write a policy to a file, whole or not at all.

    Raises
    ------
    FileError
        If the file cannot be written.
    """
    kind = next(name for name, network in _KINDS.items() if isinstance(policy.network, network))
    header = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "network": {"kind": kind, **asdict(policy.network)},
        "board": _describe(policy.board),
        "name": policy.name,
        "facts": dict(policy.facts),
    }
    write_archive(path, header, policy.weights)


def load_policy(path: AnyPath, *, board: Board | None = None) -> Policy:
    """Read a policy file.

    Parameters
    ----------
    path
        The file.
    board
        What is to be played; the policy must have been trained on the same size with the same patterns. The board
        it was trained on if None.

    Raises
    ------
    FileError
        If there is no such file, or it cannot be read.
    SolutionError
        If it is not a policy file, or damaged.
    StrategyError
        If the policy is for another board.
    """
    header, arrays = read_archive(path, FORMAT, FORMAT_VERSION)
    try:
        sizes = dict(header["network"])
        network = _KINDS[sizes.pop("kind")](**sizes)
        trained = Board(**header["board"])
        policy = Policy(network, arrays, trained, str(header["name"]), dict(header["facts"]))
    except (KeyError, TypeError, ValueError, MaxminError) as error:
        raise SolutionError(f"{os.fspath(path)}: the policy is damaged: {error}") from None
    if board is not None:
        _check_board(policy, board)
    return policy


def shipped_policy(board: Board | None = None) -> Policy:
    """Read the policy that comes with the package.

    Raises
    ------
    StrategyError
        If it is for another board.
    """
    policy = replace(load_policy(SHIPPED), name="learned")
    if board is not None:
        _check_board(policy, board)
    return policy


def _check_board(policy: Policy, board: Board) -> None:
    def size_and_patterns(each: Board) -> tuple[int, int, list[Shape]]:
        return each.rows, each.columns, sorted(min(pattern.orientations) for pattern in each.patterns)

    if size_and_patterns(policy.board) != size_and_patterns(board):
        raise StrategyError(
            f"the policy {policy.name} was trained on {policy.board}; it cannot play on {board}. "
            "Train one there: maxmin battleship train"
        )


def _describe(board: Board) -> dict[str, Any]:
    return {
        "rows": board.rows,
        "columns": board.columns,
        "patterns": [str(pattern) for pattern in board.patterns],
        "touching": board.touching,
        "placement": board.placement,
    }
