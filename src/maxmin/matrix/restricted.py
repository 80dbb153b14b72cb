"""The game of some rows and some columns: a linear program that grows; HiGHS goes on from its last basis."""

from collections.abc import Callable
from typing import Any

import numpy as np

from maxmin.highs import run_highs
from maxmin.matrix.dense import DensePayoffs
from maxmin.matrix.linear_program import make_highs, mixtures_of, polished, program_of
from maxmin.matrix.oracle import Floats
from maxmin.matrix.support import Mixtures
from maxmin.matrix.units import Units, units_of

_LARGEST = 4.0
"""Scaled payoffs lie between -1 and 1 when the program is written; beyond this it is written anew."""

_BRIEF = 40_000
"""With fewer entries HiGHS is done in milliseconds, less than a thread and its watch cost."""


class RestrictedGame:
    """A matrix game to which rows and columns are added.

    Attributes
    ----------
    payoffs : (n_rows, n_columns) float64
    """

    def __init__(self, payoffs: Floats) -> None:
        self.payoffs = payoffs
        self._write()

    @property
    def payoff_range(self) -> float:
        """The largest minus the smallest payoff."""
        return float(self.payoffs.max() - self.payoffs.min())

    def add_row(self, payoffs: Floats) -> None:
        """Add a row of (n_columns,) payoffs."""
        self.payoffs = np.vstack([self.payoffs, payoffs])
        scaled = self._units.scale(payoffs)
        if self._fits(scaled):
            index = np.arange(len(scaled) + 1, dtype=np.int32)
            self._highs.addCol(0.0, 0.0, np.inf, len(index), index, np.append(1.0, scaled))

    def add_column(self, payoffs: Floats) -> None:
        """Add a column of (n_rows,) payoffs."""
        self.payoffs = np.column_stack([self.payoffs, payoffs])
        scaled = self._units.scale(payoffs)
        if self._fits(scaled):
            index = np.arange(len(scaled) + 1, dtype=np.int32)
            self._highs.addRow(0.0, np.inf, len(index), index, np.append(-1.0, scaled))

    def solve(self, keep_going: Callable[[float], bool]) -> Mixtures:
        """Return an optimal mixture of each side; if stopped, or if HiGHS has none, play everything alike."""
        if self.payoffs.size < _BRIEF:
            self._highs.run()
        else:
            run_highs(self._highs, "a matrix game", keep_going)
        n_rows, n_columns = self.payoffs.shape
        uniform = Mixtures(np.full(n_rows, 1 / n_rows), np.full(n_columns, 1 / n_columns))
        return mixtures_of(self._highs) or uniform

    def polished(self) -> Mixtures | None:
        """Return the last solution without HiGHS's tolerances; None if it has no basis."""
        return polished(
            self._highs, lambda rows, columns: self._units.scale(self.payoffs[np.ix_(rows, columns)])
        )

    def _fits(self, scaled: Floats) -> bool:
        """Write the program anew if payoffs are much larger than those before."""
        if np.abs(scaled).max() <= _LARGEST:
            return True
        self._write()
        return False

    def _write(self) -> None:
        self._units: Units = units_of(float(self.payoffs.min()), float(self.payoffs.max()))
        self._highs: Any = make_highs()
        self._highs.passModel(program_of(DensePayoffs(self._units.scale(self.payoffs), self._units)))
