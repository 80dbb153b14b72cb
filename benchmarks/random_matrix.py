"""The matrices of the matrix games: the same for every package."""

import numpy as np
from numpy.typing import NDArray


def random_matrix(rows: int, columns: int) -> NDArray[np.float64]:
    """Return payoffs between 0 and 1."""
    return np.random.default_rng(0).random((rows, columns))
