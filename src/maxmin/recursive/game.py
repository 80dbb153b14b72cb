"""Generalized recursive games: rounds that pay at once, multiply the stakes, and lead to a next round.

In state i a row and a column are chosen at once. Player 1 gets the entry of A_i, and for each state j the entry of
B_ij, at least 0, says by how much the stakes are multiplied, times the probability with which j follows. If the
rounds to come are worth v_j per unit of the stakes, state i is the matrix game

    A_i + sum over j of v_j B_ij,        T(v)_i its value, nondecreasing in v.

Continuous guts poker and numerical optimization of generalized recursive games (arXiv 2208.02788) has one state
and multipliers that may exceed 1. Shapley's stochastic games (PNAS 1953: the sum over j of B_ij is less than 1) and
Everett's recursive games (1957: it is at most 1, and A pays only what ends the game) are games without fees.
"""

import math
from collections.abc import Hashable, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from maxmin.errors import GameError, MaxminError
from maxmin.limits import check_real
from maxmin.matrix.oracle import Floats, Plan
from maxmin.matrix.payoffs import as_array, check_size, to_floats
from maxmin.rational import shown

LARGEST = 1e50
"""Larger numbers are refused: products of them would leave the range of floats."""

UNIT = 2.0**-52
"""Relative rounding error of a float64, both halves."""

_ENDLESS = 1e-12
"""Multipliers whose sum is so near to 1 are taken for probabilities with sum 1."""


class StateOracle(Protocol):
    """One state whose matrices are too large to write down: payoffs of a few plans, best responses among all.

    Weights are nonnegative and sum to 1; `values` is what each state is worth per unit of the stakes, (n_states,).
    """

    def payoffs(self, rows: Sequence[Plan], columns: Sequence[Plan]) -> Floats:
        """Return A: what player 1 gets in this round, (len(rows), len(columns)) float64."""
        ...

    def multipliers(self, rows: Sequence[Plan], columns: Sequence[Plan]) -> Floats:
        """Return B, at least 0: the stakes' multiplier towards each state, (n_states, len(rows), len(columns))."""
        ...

    def best_row(self, columns: Sequence[Plan], weights: Floats, values: Floats) -> tuple[Plan, float]:
        """Return a best row of A + sum of values[j] B[j] against a mixture of columns, and what it gets."""
        ...

    def best_column(self, rows: Sequence[Plan], weights: Floats, values: Floats) -> tuple[Plan, float]:
        """Return a best column of A + sum of values[j] B[j] against a mixture of rows, and what player 1 gets."""
        ...

    def start(self) -> tuple[Plan, Plan]:
        """Return a row and a column to begin with."""
        ...


class MatrixState:
    """One state given by its matrices; also a `StateOracle`.

    Parameters
    ----------
    payoffs : (n_rows, n_columns) array_like
        A: what player 1 gets in this round, in units of the stakes.
    multipliers : (n_states, n_rows, n_columns) or, in a game of one state, (n_rows, n_columns) array_like
        B, at least 0: the stakes' multiplier times the probability of each next state.
    rows, columns
        Names of the plans; numbers from 0 if not given.

    Raises
    ------
    GameError
        If they are not matrices of finite numbers, of one shape, or a multiplier is negative, or names do not fit.

    Examples
    --------
    Matching pennies, played again at half the stakes if player 1 loses:

    >>> state = MatrixState([[1, -1], [-1, 1]], [[0, 0.5], [0.5, 0]])
    >>> state.shape
    (2, 2)
    """

    def __init__(
        self,
        payoffs: ArrayLike,
        multipliers: ArrayLike,
        *,
        rows: Sequence[Plan] | None = None,
        columns: Sequence[Plan] | None = None,
    ) -> None:
        self._payoffs = _numbers(payoffs, "payoffs")
        self._multipliers = _numbers(multipliers, "multipliers")
        if self._multipliers.ndim == 2:
            self._multipliers = self._multipliers[None]
        if self._payoffs.ndim != 2 or self._multipliers.shape[1:] != self._payoffs.shape:
            raise GameError(
                f"payoffs have the shape {self._payoffs.shape}, multipliers {self._multipliers.shape[1:]} "
                "towards each state: both need one number for each row and column"
            )
        if self._multipliers.min() < 0:
            raise GameError(f"multipliers must be at least 0, not {self._multipliers.min():g}")
        self.shape: tuple[int, int] = self._payoffs.shape[0], self._payoffs.shape[1]
        self.n_next: int = self._multipliers.shape[0]
        self.rows = _plan_names(rows, self.shape[0], "rows")
        self.columns = _plan_names(columns, self.shape[1], "columns")
        self._row_index = {plan: index for index, plan in enumerate(self.rows)}
        self._column_index = {plan: index for index, plan in enumerate(self.columns)}

    def payoffs(self, rows: Sequence[Plan], columns: Sequence[Plan]) -> Floats:
        """See `StateOracle`."""
        row_places, column_places = self._places(rows, columns)
        payoffs: Floats = self._payoffs[row_places, column_places]
        return payoffs

    def multipliers(self, rows: Sequence[Plan], columns: Sequence[Plan]) -> Floats:
        """See `StateOracle`."""
        row_places, column_places = self._places(rows, columns)
        multipliers: Floats = self._multipliers[:, row_places, column_places]
        return multipliers

    def best_row(self, columns: Sequence[Plan], weights: Floats, values: Floats) -> tuple[Plan, float]:
        """See `StateOracle`."""
        places = [self._column_index[plan] for plan in columns]
        worth = self._payoffs[:, places] @ weights + values @ (self._multipliers[:, :, places] @ weights)
        return self.rows[int(worth.argmax())], float(worth.max())

    def best_column(self, rows: Sequence[Plan], weights: Floats, values: Floats) -> tuple[Plan, float]:
        """See `StateOracle`."""
        places = [self._row_index[plan] for plan in rows]
        worth = weights @ self._payoffs[places] + values @ (weights @ self._multipliers[:, places])
        return self.columns[int(worth.argmin())], float(worth.min())

    def start(self) -> tuple[Plan, Plan]:
        """Return the first row and the first column."""
        return self.rows[0], self.columns[0]

    def most_without_leaving(self) -> float:
        """Return a bound of what play is worth that nobody can leave: infinite if stakes may grow or never fade.

        It is c if no entry pays more than c times the share of the stakes that it takes away, 1 - sum of B; rounded
        up.
        """
        ends = 1.0 - self._multipliers.sum(axis=0)
        rounding = UNIT * (self.n_next + 1)  # of the sum, which is about 1 at most
        pays = np.abs(self._payoffs)
        endless = ends < max(_ENDLESS, 2 * rounding)
        if (ends < -_ENDLESS).any() or pays[endless].any():
            return math.inf
        most = float((pays[~endless] / (ends[~endless] - rounding)).max(initial=0.0))
        return math.nextafter(most, math.inf) if most else 0.0

    def _places(self, rows: Sequence[Plan], columns: Sequence[Plan]) -> Any:
        return np.ix_(
            [self._row_index[row] for row in rows], [self._column_index[column] for column in columns]
        )


AnyState: TypeAlias = MatrixState | StateOracle


class RecursiveGame:
    """States that lead to each other, and what leaving costs.

    Parameters
    ----------
    states : sequence of MatrixState or StateOracle, or one of them
    names
        Of the states, all different; "1", "2", ... if not given.
    t1, t2
        What player 1, and player 2, pays the other to leave before a round, in units of the stakes. Without `t2`
        player 2 cannot leave. Without both nobody can, and play that never ends pays what it paid on its way: then
        every state must be a `MatrixState` with multipliers that sum to at most 1, and pay only where that is less.

    Attributes
    ----------
    least, most : float
        What the value is known to lie between before any round: -t1 and t2, or what the matrices allow.

    Raises
    ------
    GameError
        If the states, names and fees do not make a game.

    Examples
    --------
    >>> RecursiveGame(MatrixState([[0.5]], [[0.5]]), t1=1, t2=2)
    RecursiveGame(1 state, t1=1, t2=2)
    """

    def __init__(
        self,
        states: Sequence[AnyState] | AnyState,
        *,
        names: Sequence[str] | None = None,
        t1: float | None = None,
        t2: float | None = None,
    ) -> None:
        self.states: tuple[AnyState, ...] = tuple(states) if isinstance(states, Sequence) else (states,)
        if not self.states:
            raise GameError("a recursive game needs at least one state")
        self.names: tuple[str, ...] = _state_names(names, len(self.states))
        for name, state in zip(self.names, self.states, strict=True):
            if not hasattr(state, "best_row"):
                raise GameError(f"state {name} is {shown(state)}, neither a MatrixState nor a StateOracle")
            if isinstance(state, MatrixState) and state.n_next != len(self.states):
                raise GameError(
                    f"state {name} has multipliers towards {state.n_next} states; the game has {len(self.states)}"
                )
        self.t1, self.t2 = _fee(t1, "t1"), _fee(t2, "t2")
        if self.t1 is None:
            if self.t2 is not None:
                raise GameError("t1 is missing: give what player 1 pays to leave, or neither fee")
            self.most = max(map(self._most_without_leaving, self.names, self.states))
            self.least = -self.most
        else:
            self.least, self.most = -self.t1, math.inf if self.t2 is None else self.t2
            if self.least > self.most:
                raise GameError(
                    f"t1 + t2 must be at least 0, not {self.t1 + self.most:g}: both would rather leave"
                )

    def __repr__(self) -> str:
        n = len(self.states)
        fees = [f", {name}={fee:g}" for name, fee in (("t1", self.t1), ("t2", self.t2)) if fee is not None]
        return f"RecursiveGame({n} state{'s' if n > 1 else ''}{''.join(fees)})"

    @staticmethod
    def _most_without_leaving(name: str, state: AnyState) -> float:
        most = state.most_without_leaving() if isinstance(state, MatrixState) else math.inf
        if math.isinf(most):
            raise GameError(
                f"without fees t1 and t2 nobody can leave, and in state {name} play might never end while it pays: "
                "its multipliers must sum to at most 1, and payoffs be 0 where they sum to 1. Give the fees"
            )
        return most


def _state_names(names: Sequence[str] | None, n_states: int) -> tuple[str, ...]:
    found = tuple(str(number) for number in range(1, n_states + 1)) if names is None else tuple(names)
    if (
        not all(isinstance(name, str) for name in found)
        or len(found) != n_states
        or len(set(found)) < n_states
    ):
        raise GameError(f"{n_states} states need as many different names, which are text, not {list(found)}")
    return found


def _plan_names(names: Sequence[Plan] | None, n_plans: int, what: str) -> tuple[Plan, ...]:
    found = tuple(range(n_plans)) if names is None else tuple(names)
    if not all(isinstance(name, Hashable) for name in found):
        raise GameError(f"{what}: names must be hashable, such as text or numbers, not {list(found)}")
    if len(found) != n_plans or len(set(found)) < n_plans:
        raise GameError(f"{what}: {n_plans} need as many different names, not {list(found)}")
    return found


def _fee(fee: float | None, name: str) -> float | None:
    if fee is None:
        return None
    try:
        number = check_real(name, fee)
    except MaxminError:
        number = math.nan
    if not abs(number) <= LARGEST:
        raise GameError(f"{name} must be a number of stakes up to {LARGEST:g}, not {shown(fee)}")
    return number


def _numbers(entries: ArrayLike, what: str) -> Floats:
    """Return entries as an array of finite floats that has rows and columns."""
    given = as_array(entries, what)
    if given.ndim not in (2, 3) or not given.size:
        raise GameError(f"{what} must be a matrix with rows and columns, not an array of shape {given.shape}")
    check_size(given.shape)
    numbers = to_floats(given, what)
    if not np.isfinite(numbers).all():
        place = np.argwhere(~np.isfinite(numbers))[0]
        raise GameError(
            f"{what}: the entry {place.tolist()} is {numbers[tuple(place)]:g}, not a finite number"
        )
    if np.abs(numbers).max() > LARGEST:
        raise GameError(f"{what}: {np.abs(numbers).max():g} is too large; numbers go up to {LARGEST:g}")
    return numbers
