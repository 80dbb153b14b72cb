"""`ListedState`: the rows and columns of a state that were found so far, and the matrix game among them.

As in double oracle (McMahan, Gordon and Blum, ICML 2003), best responses among all plans make the lists longer. The
lists are kept while the values v change, so that a whole repeated game costs hardly more than one matrix game.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from maxmin.errors import Cancelled, GameError
from maxmin.matrix.oracle import Floats, Plan
from maxmin.matrix.restricted import RestrictedGame
from maxmin.recursive.game import AnyState, MatrixState

_WRITTEN = 2_500
"""A matrix of at most so many entries is listed whole at once."""


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

    def solve(self, values: Floats, keep_going: Callable[[float], bool]) -> Stage:
        """Solve A + sum of values[j] B[j] among the listed plans.

        Raises
        ------
        Cancelled
            If stopped within it.
        """
        found = RestrictedGame(self.payoffs + np.tensordot(values, self.multipliers, 1)).solve(keep_going)
        if found is None:
            raise Cancelled("stopped before there was an answer")
        x, y = found.rows, found.columns
        payoff, multipliers = float(x @ self.payoffs @ y), x @ self.multipliers @ y
        worth = payoff + float(multipliers @ values)
        return Stage(_mixture(self.rows, x), _mixture(self.columns, y), payoff, multipliers, worth)

    def respond(self, stage: Stage, values: Floats) -> float:
        """List best responses to both mixtures of a stage, and return the most that a new one gains."""
        row, above = self.state.best_row(stage.columns.plans, stage.columns.weights, values)
        column, below = self.state.best_column(stage.rows.plans, stage.rows.weights, values)
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
        payoffs = np.asarray(self.state.payoffs(rows, columns), dtype=np.float64)
        multipliers = np.asarray(self.state.multipliers(rows, columns), dtype=np.float64)
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


def _mixture(plans: Sequence[Plan], weights: Floats) -> Mixture:
    played = np.flatnonzero(weights)
    return Mixture(tuple(plans[place] for place in played.tolist()), weights[played])
