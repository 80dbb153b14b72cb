"""Regret matching+: each side plays in proportion to its regrets, which never fall below zero.

Tammelin (arXiv 1407.5042, 2014), as in CFR+: the rows and then the columns respond in turn, and iteration t enters
the average strategies with weight t. An iteration costs one pass over the lines of what each side plays.
"""

from collections.abc import Callable

import numpy as np

from maxmin import _core
from maxmin.matrix.matrix_run import MatrixRun
from maxmin.matrix.oracle import Floats
from maxmin.matrix.payoffs import MatrixPayoffs

_GROWTH = 1.15
"""Bounds are looked at each time that there are so many times as many iterations, and not more often than that."""


class RegretMatching(MatrixRun):
    """A run of regret matching+."""

    def __init__(self, payoffs: MatrixPayoffs, *, most: int | None) -> None:
        super().__init__(payoffs)
        self._most = most
        self._lines = payoffs.lines()
        self._rows, self._columns = (_MatchingArrays(size) for size in payoffs.shape)

    def advance(self, keep_going: Callable[[float], bool]) -> None:
        """Iterate until the next look at the bounds."""
        stop = max(self.iterations + 1, int(self.iterations * _GROWTH))
        stop = stop if self._most is None else min(stop, self._most)
        self.iterations += _core.regret_matching(
            *self._lines,
            *self._rows.arrays,
            *self._columns.arrays,
            self.iterations + 1,
            stop - self.iterations,
            keep_going,
        )
        self.take(self._rows.average, self._columns.average)


class _MatchingArrays:
    """One side's regrets, strategy, sum of strategies, and payoffs."""

    def __init__(self, size: int) -> None:
        self.arrays = np.zeros(size), np.full(size, 1 / size), np.zeros(size), np.zeros(size)

    @property
    def average(self) -> Floats:
        sums = self.arrays[2]
        return sums / float(sums.sum())
