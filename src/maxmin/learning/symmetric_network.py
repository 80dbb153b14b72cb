"""A network that turns with the board: what it says of a turned or mirrored state is turned or mirrored likewise.

The symmetries of a rectangle (eight if it is square, else four) map boards to boards, so a good player has them
too. T. Cohen and M. Welling, "Group Equivariant Convolutional Networks", ICML 2016, tie a network's weights so that
it has them by construction. Here the same is done to a plain network of dense layers: each hidden unit comes in as
many copies as there are symmetries, one for each way to look at the board. What is learned in one corner is known
in all of them.

Tied weights expand into plain matrices, so that a state costs a few matrix products. Only `initialise` needs JAX;
the rest works on NumPy arrays as well.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from maxmin.limits import check_whole

if TYPE_CHECKING:
    import jax

Array: TypeAlias = Any
"""An array of NumPy or of JAX."""

Weights: TypeAlias = Mapping[str, Array]
"""``first`` (2 n_cells, channels), ``deeper`` (layers - 1, symmetries, channels, channels), ``last`` (channels,
n_cells) and their biases ``first_bias``, ``deeper_bias``, ``last_bias``; float32."""

Layers: TypeAlias = list[tuple[Array, Array]]
"""Matrix and bias of each layer."""


def symmetries(rows: int, columns: int) -> NDArray[np.int64]:
    """Return the symmetries of a board as permutations, the identity first.

    Returns
    -------
    (n_symmetries, n_cells) int64
        ``x[symmetries[g]]`` is the board x turned or mirrored the g-th way.
    """
    cells = np.arange(rows * columns).reshape(rows, columns)
    quarters = range(4) if rows == columns else (0, 2)
    turned = [np.rot90(cells, quarter) for quarter in quarters]
    return np.array([view.ravel() for each in turned for view in (each, each[:, ::-1])])


@dataclass(frozen=True)
class SymmetricNetwork:
    """Dense layers with residuals from 2 n_cells zeros and ones (hits, then misses) to a number for each cell.

    Attributes
    ----------
    rows, columns : int
        Of the board.
    channels : int
        Hidden units a layer, each in a copy for each symmetry.
    layers : int
        Hidden layers, at least 1.
    """

    rows: int
    columns: int
    channels: int = 64
    layers: int = 2

    @property
    def n_cells(self) -> int:
        """Cells of the board."""
        return self.rows * self.columns

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shapes of its weights."""
        group, width = len(self._views), self.channels
        return {
            "first": (2 * self.n_cells, width),
            "deeper": (self.layers - 1, group, width, width),
            "last": (width, self.n_cells),
            "first_bias": (width,),
            "deeper_bias": (self.layers - 1, width),
            "last_bias": (self.n_cells,),
        }

    def initialise(self, key: "jax.Array") -> dict[str, "jax.Array"]:
        """Draw weights at random; biases are 0."""
        import jax
        import jax.numpy as jnp

        group, width = len(self._views), self.channels
        spread = {
            "first": (3 / self.n_cells) ** 0.5,
            "deeper": (group * width) ** -0.5,
            "last": 0.1 * (group * width) ** -0.5,
        }
        return {
            name: spread[name] * jax.random.normal(jax.random.fold_in(key, index), shape)
            if name in spread
            else jnp.zeros(shape)
            for index, (name, shape) in enumerate(self.shapes.items())
        }

    def expand(self, weights: Weights) -> Layers:
        """Return the plain matrices that the tied weights stand for."""
        group, width = len(self._views), self.channels
        copies = np.tile(np.arange(width), group)
        both = np.concatenate([self._inverses, self._inverses + self.n_cells], axis=1)
        first = weights["first"][both].transpose(1, 0, 2).reshape(2 * self.n_cells, group * width)
        last = weights["last"][:, self._inverses].transpose(1, 0, 2).reshape(group * width, self.n_cells)
        deeper = [
            (matrix[self._between].transpose(1, 2, 0, 3).reshape(group * width, group * width), bias[copies])
            for matrix, bias in zip(weights["deeper"], weights["deeper_bias"], strict=True)
        ]
        return [
            (first, weights["first_bias"][copies]),
            *deeper,
            (last, weights["last_bias"][self._inverses].mean(0)),
        ]

    @cached_property
    def _views(self) -> NDArray[np.int64]:
        return symmetries(self.rows, self.columns)

    @cached_property
    def _inverses(self) -> NDArray[np.int64]:
        return np.argsort(self._views, axis=1)

    @cached_property
    def _between(self) -> NDArray[np.int64]:
        """Which symmetry leads from view g to view h, (g, h): what the weights between them depend on."""
        number = {tuple(view): index for index, view in enumerate(self._views)}
        return np.array([[number[tuple(back[view])] for view in self._views] for back in self._inverses])


def scores(layers: Layers, hits: Array, misses: Array) -> Array:
    """Return the network's numbers for a batch of states, (batch, n_cells) float32.

    Parameters
    ----------
    layers
        From `SymmetricNetwork.expand`.
    hits, misses : (batch, n_cells) booleans
        What has been seen.
    """
    (first, bias), *deeper, (last, last_bias) = layers
    n_cells = hits.shape[-1]
    seen = hits.astype(np.float32) @ first[:n_cells] + misses.astype(np.float32) @ first[n_cells:]
    hidden = _positive(seen + bias)
    for matrix, bias in deeper:
        hidden = hidden + _positive(hidden @ matrix + bias)
    return hidden @ last + last_bias


def _positive(values: Array) -> Array:
    return values * (values > 0)


def check_sizes(*, channels: int, layers: int, seed: int) -> None:
    """Refuse sizes and seeds that no network is made of, before work begins.

    Raises
    ------
    GameError
        If one of them is no whole number in its range.
    """
    check_whole("channels", channels, least=1, most=1024)
    check_whole("layers", layers, least=1, most=16)
    check_whole("seed", seed, least=0, most=2**32)
