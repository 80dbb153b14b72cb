"""The boards that may be hidden, as the native searches take them: at most 64 cells, whole weights, symmetries."""

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from maxmin.battleship.board import Board
from maxmin.errors import SizeError

MOST_CELLS = 64
_FINEST = 2**40
"""Weights that are not whole become whole multiples of 1 over this, rounded down, so that bounds stay bounds."""


@dataclass(frozen=True, eq=False)
class HiddenBoards:
    """What the native searches need of a board.

    Attributes
    ----------
    covered : (n,) uint64
        Bit i is set if cell i is covered.
    weight : (n,) int64
        Positive; in proportion to the probabilities.
    scale : int
        What the weights would add up to if none had been rounded down.
    images : (n_symmetries * 64,) uint8
        Where each symmetry of the board sends each cell; without the identity.
    """

    covered: NDArray[np.uint64]
    weight: NDArray[np.int64]
    scale: int
    images: NDArray[np.uint8]


def hidden_boards(board: Board) -> HiddenBoards:
    """List what may be hidden.

    Raises
    ------
    SizeError
        If the board has more than 64 cells, or more configurations than can be listed.
    """
    if board.n_cells > MOST_CELLS:
        raise SizeError(
            f"{board} has {board.n_cells} cells; searches and bounds are for boards of at most {MOST_CELLS}"
        )
    found = board.configurations()
    if board.placement == "uniform":
        weight, scale = found.ways.astype(np.int64), int(found.ways.sum())
    else:
        weight, scale = np.floor(found.weights * (1 - 1e-12) * _FINEST).astype(np.int64), _FINEST
    return HiddenBoards(np.ascontiguousarray(found.masks[:, 0]), np.maximum(weight, 1), scale, _images(board))


def _images(board: Board) -> NDArray[np.uint8]:
    """Mirror and turn the board: patterns come in all orientations, so nothing else changes."""
    cells = np.arange(board.n_cells).reshape(board.rows, board.columns)
    images = []
    for upside_down, left_right, turned in product((False, True), repeat=3):
        image = cells[:: -1 if upside_down else 1, :: -1 if left_right else 1]
        if turned and board.rows == board.columns:
            image = image.T
        if (upside_down or left_right or turned) and (not turned or board.rows == board.columns):
            images.append(np.append(image.ravel(), np.arange(board.n_cells, MOST_CELLS)))
    return np.array(images, dtype=np.uint8).ravel()
