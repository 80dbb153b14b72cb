"""The paper's network, written once for NumPy and JAX: played without JAX, trained with it.

L. Clementis, "Study of Game Strategy Emergence by Using Neural Networks": three layers (inputs, one hidden layer of
sigmoids with thresholds, one output). It scores *possible next states*: for each cell not yet shot at, the state in
which that cell is a hit; the cell with the highest output is shot at. How a state becomes inputs is not said there;
here it is an option (`coding`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from maxmin.errors import GameError
from maxmin.limits import check_whole

Array: TypeAlias = Any
"""An array of NumPy or of JAX."""

Weights: TypeAlias = Mapping[str, Array]
"""Named float32 arrays; `CandidateNetwork.shapes` says which."""

CODINGS = ("window", "board")

_MOST = 4096


@dataclass(frozen=True)
class CandidateNetwork:
    """The paper's network; its input is the state that a hit at the candidate cell would lead to.

    Attributes
    ----------
    rows, columns : int
        Of the board.
    coding : str
        What the inputs are: a "window" centred on the candidate (cells outside the board are misses), or the whole
        "board".
    window : int
        Side of the window, odd; 7 gives the paper's 49 inputs.
    hidden : int
        Sigmoids in the hidden layer.
    hit, miss : float
        The input for a hit and for a miss; a cell not yet shot at is 0.
    """

    rows: int = 7
    columns: int = 7
    coding: str = "window"
    window: int = 7
    hidden: int = 50
    hit: float = 4.0
    miss: float = -0.7

    def __post_init__(self) -> None:
        if self.coding not in CODINGS:
            raise GameError(f"coding must be one of {', '.join(CODINGS)}, not {self.coding!r}")
        check_whole("window", self.window, least=1, most=_MOST)
        check_whole("hidden", self.hidden, least=1, most=_MOST)
        if self.window % 2 == 0:
            raise GameError(f"a window centred on a cell has an odd side, not {self.window}")
        for name in ("hit", "miss"):
            if not np.isfinite(getattr(self, name)):
                raise GameError(f"{name} must be a finite number, not {getattr(self, name)!r}")

    @property
    def n_cells(self) -> int:
        """Cells of the board."""
        return self.rows * self.columns

    @property
    def n_inputs(self) -> int:
        """Inputs of the network."""
        return self.window**2 if self.coding == "window" else self.n_cells

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shapes of its weights: into the hidden layer and its thresholds, into the output and its own."""
        return {
            "hidden": (self.n_inputs, self.hidden),
            "thresholds": (self.hidden,),
            "output": (self.hidden,),
            "threshold": (),
        }

    @cached_property
    def sources(self) -> NDArray[np.int64]:
        """The cell that each input of each candidate shows, (n_cells, n_inputs); ``n_cells`` is off the board."""
        if self.coding == "board":
            return np.tile(np.arange(self.n_cells, dtype=np.int64), (self.n_cells, 1))
        row, column = np.divmod(np.arange(self.n_cells)[:, None], self.columns)
        down, right = np.divmod(np.arange(self.window**2)[None], self.window)
        row, column = row + down - self.window // 2, column + right - self.window // 2
        inside = (row >= 0) & (row < self.rows) & (column >= 0) & (column < self.columns)
        found: NDArray[np.int64] = np.where(inside, row * self.columns + column, self.n_cells)
        return found

    @cached_property
    def candidate_inputs(self) -> NDArray[np.float32]:
        """What a hit at the candidate adds to its inputs, (n_cells, n_inputs)."""
        own = self.sources == np.arange(self.n_cells)[:, None]
        return np.where(own, np.float32(self.hit), np.float32(0))

    def inputs(self, hits: Array, misses: Array, xp: Any = np, *, cells: Any = slice(None)) -> Array:
        """Return the inputs of candidates: (..., n_cells) booleans to (..., n_cells, n_inputs) float32.

        Of all cells, or of those that `cells` picks. Those of cells already shot at mean nothing.
        """
        seen = xp.asarray(hits, xp.float32) * self.hit + xp.asarray(misses, xp.float32) * self.miss
        outside = xp.full((*seen.shape[:-1], 1), self.miss, xp.float32)
        shown = xp.concatenate([seen, outside], axis=-1)[..., xp.asarray(self.sources)[cells]]
        return shown + xp.asarray(self.candidate_inputs)[cells]

    def logits(self, weights: Weights, inputs: Array, xp: Any = np) -> Array:
        """Return the output before its sigmoid, the logit of a hit: (..., n_inputs) to (...) float32."""
        hidden = sigmoid(inputs @ weights["hidden"] + weights["thresholds"], xp)
        return hidden @ weights["output"] + weights["threshold"]

    def scores(self, weights: Weights, hits: Array, misses: Array, xp: Any = np) -> Array:
        """Return the logit of a hit at each cell, (..., n_cells) float32."""
        return self.logits(weights, self.inputs(hits, misses, xp), xp)


def sigmoid(sums: Array, xp: Any = np) -> Array:
    """Return ``1 / (1 + exp(-sums))``; by the hyperbolic tangent, which cannot overflow."""
    return 0.5 * xp.tanh(0.5 * sums) + 0.5
