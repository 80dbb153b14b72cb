"""`ListedState`: the rows and columns of a state that were found so far, and the matrix game among them.

As in double oracle (McMahan, Gordon and Blum, ICML 2003), best responses among all plans make the lists longer. The
lists are kept while the values v change, so that a whole repeated game costs hardly more than one matrix game.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from maxmin.errors import GameError
from maxmin.matrix.double_oracle import CROSSING
from maxmin.matrix.oracle import Floats, Plan
from maxmin.matrix.payoffs import as_array, to_floats
from maxmin.matrix.restricted import RestrictedGame
from maxmin.recursive.game import AnyState, MatrixState

Ints: TypeAlias = NDArray[np.intp]

_ROUNDING = 2.0**-48
"""Of a solution of linear equations, relative to the payoffs."""

_WRITTEN = 1_000_000
"""A matrix of at most so many entries is listed whole: one linear program costs less than many small ones."""


@dataclass(frozen=True, eq=False)
class Mixture:
    """Plans of one player and how often each is played: positive weights with sum 1."""

    plans: tuple[Plan, ...]
    weights: Floats


@dataclass(frozen=True, eq=False)
class Stage:
    """One round of a state, solved among the listed plans at some values v.

    Attributes
    ----------
    rows, columns : Mixture
        Optimal among the listed plans.
    payoff : float
        x A y.
    multipliers : (n_states,) float64
        x B y.
    worth : float
        ``payoff + multipliers @ v``.
    """

    rows: Mixture
    columns: Mixture
    payoff: float
    multipliers: Floats
    worth: float


class ListedState:
    """The listed plans of a state.

    Attributes
    ----------
    rows, columns : list of Plan
    payoffs : (n_rows, n_columns) float64
    multipliers : (n_states, n_rows, n_columns) float64
    """

    def __init__(self, state: AnyState, n_states: int) -> None:
        self.state = state
        self.n_states = n_states
        if isinstance(state, MatrixState) and state.shape[0] * state.shape[1] <= _WRITTEN:
            self.rows, self.columns = list(state.rows), list(state.columns)
        else:
            row, column = state.start()
            self.rows, self.columns = [row], [column]
        self.payoffs, self.multipliers = self._blocks(self.rows, self.columns)
        row, column = int(self.payoffs.min(axis=1).argmax()), int(self.payoffs.max(axis=0).argmin())
        self._support: tuple[Ints, Ints] = np.array([row]), np.array([column])

    def solve(self, values: Floats, keep_going: Callable[[float], bool]) -> Stage:
        """Solve A + sum of values[j] B[j] among the listed plans; if stopped, play them all alike."""
        worths = self.payoffs + np.tensordot(values, self.multipliers, 1)
        solved = self._on_last_support(worths)
        if solved is None:
            found = RestrictedGame(worths).solve(keep_going)
            solved = found.rows, found.columns
        x, y = solved
        self._support = np.flatnonzero(x), np.flatnonzero(y)
        payoff, multipliers = float(x @ self.payoffs @ y), x @ self.multipliers @ y
        worth = payoff + float(multipliers @ values)
        return Stage(_mixture(self.rows, x), _mixture(self.columns, y), payoff, multipliers, worth)

    def _on_last_support(self, worths: Floats) -> tuple[Floats, Floats] | None:
        """Solve the equations of the plans that were played last; None if that is not optimal at these values."""
        rows, columns = self._support
        n = len(rows)
        if n != len(columns):
            return None
        square = np.ones((n + 1, n + 1))
        square[:n, :n], square[n, n] = worths[np.ix_(rows, columns)], 0.0
        unit = np.append(np.zeros(n), 1.0)
        x, y = np.zeros(len(self.rows)), np.zeros(len(self.columns))
        try:
            x[rows] = np.linalg.solve(square.T, unit)[:n]
            y[columns] = np.linalg.solve(square, unit)[:n]
        except np.linalg.LinAlgError:
            return None
        if not (x.min() >= 0 and y.min() >= 0 and x.sum() > 0 and y.sum() > 0):
            return None
        x, y = x / x.sum(), y / y.sum()
        gap = (worths @ y).max() - (x @ worths).min()
        return (x, y) if gap <= _ROUNDING * np.abs(worths).max() else None

    def respond(self, stage: Stage, values: Floats) -> float:
        """List best responses to both mixtures of a stage, and return the most that a new one gains.

        Raises
        ------
        GameError
            If what the oracle calls a best response is worse than the mixture, or worth no number.
        """
        row, above = self.state.best_row(stage.columns.plans, stage.columns.weights, values)
        column, below = self.state.best_column(stage.rows.plans, stage.rows.weights, values)
        if not -math.inf < below <= stage.worth <= above < math.inf:  # most often by rounding
            size = 1.0 + float(
                np.abs(self.payoffs).max() + np.abs(values) @ self.multipliers.max(axis=(1, 2))
            )
            _check_best("row", row, above, above - stage.worth, size)
            _check_best("column", column, below, stage.worth - below, size)
        gain = 0.0
        if self.add_row(row):
            gain = max(gain, above - stage.worth)
        if self.add_column(column):
            gain = max(gain, stage.worth - below)
        return gain

    def add_row(self, row: Plan) -> bool:
        """List a row; return whether it is new."""
        if row in self.rows:
            return False
        payoffs, multipliers = self._blocks([row], self.columns)
        self.rows.append(row)
        self.payoffs = np.concatenate([self.payoffs, payoffs])
        self.multipliers = np.concatenate([self.multipliers, multipliers], axis=1)
        return True

    def add_column(self, column: Plan) -> bool:
        """List a column; return whether it is new."""
        if column in self.columns:
            return False
        payoffs, multipliers = self._blocks(self.rows, [column])
        self.columns.append(column)
        self.payoffs = np.concatenate([self.payoffs, payoffs], axis=1)
        self.multipliers = np.concatenate([self.multipliers, multipliers], axis=2)
        return True

    def _blocks(self, rows: Sequence[Plan], columns: Sequence[Plan]) -> tuple[Floats, Floats]:
        payoffs = _read(self.state.payoffs(rows, columns), "the oracle's payoffs")
        multipliers = _read(self.state.multipliers(rows, columns), "the oracle's multipliers")
        shape = len(rows), len(columns)
        if payoffs.shape != shape or multipliers.shape != (self.n_states, *shape):
            raise GameError(
                f"the oracle's payoffs and multipliers of {shape[0]} rows and {shape[1]} columns have the shapes "
                f"{payoffs.shape} and {multipliers.shape}, not {shape} and {(self.n_states, *shape)}"
            )
        if not (np.isfinite(payoffs).all() and np.isfinite(multipliers).all() and multipliers.min() >= 0):
            raise GameError(
                "the oracle's payoffs must be finite numbers, its multipliers finite and at least 0"
            )
        return payoffs, multipliers


def _read(given: Any, what: str) -> Floats:
    return to_floats(as_array(given, what), what)


def _check_best(kind: str, plan: Plan, worth: float, gain: float, size: float) -> None:
    """Refuse a best response that is worse than a mixture that is known, beyond rounding, or worth no number."""
    if not math.isfinite(worth):
        raise GameError(f"the oracle's best {kind} {plan!r} is worth {worth}, not a finite number")
    if gain < -CROSSING * size:
        raise GameError(
            f"the oracle contradicts itself: best_{kind} returned {plan!r}, worth {worth:g} to player 1; "
            f"a mixture of {kind}s that it knows is better by {-gain:g}"
        )


def _mixture(plans: Sequence[Plan], weights: Floats) -> Mixture:
    played = np.flatnonzero(weights > _ROUNDING)
    return Mixture(tuple(plans[place] for place in played.tolist()), weights[played] / weights[played].sum())
