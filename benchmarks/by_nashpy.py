"""Rows by Nashpy: fictitious play on a matrix."""

import numpy as np
from clock import Clock
from nashpy.learning.fictitious_play import fictitious_play
from random_matrix import random_matrix
from rows import Row


def play(*, rows: int, columns: int, iterations: int) -> Row:
    """Time fictitious play; both sides respond at once, and ties are broken at random."""
    matrix = random_matrix(rows, columns)
    np.random.seed(0)  # Nashpy draws from NumPy's global generator
    with Clock() as clock:
        *_, counts = fictitious_play(matrix, -matrix, iterations)
    row_strategy, column_strategy = (np.asarray(count) / iterations for count in counts)
    gap = (matrix @ column_strategy).max() - (row_strategy @ matrix).min()
    return {"solve": clock.seconds(), "iterations": iterations, "relative_gap": gap / np.ptp(matrix)}
