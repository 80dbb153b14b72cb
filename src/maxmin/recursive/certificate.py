"""What a player secures by playing one mixture in each state for ever: the proof of every bound.

With player 1's mixtures x fixed, a round is worth at least

    f(v)_i = min over the columns of state i of  x A_i + sum of v_j x B_ij,

concave and nondecreasing in v. Secured is what he can force, up to any epsilon:

1. -t1, where he may leave; and where he may not, any v with v <= f(v) that is at most what play that never ends is
   taken to pay: playing x for n rounds secures f^n of that, which is at least v.
2. f(P), if P is secured: play x, then go on as for P. So state by state the larger of both.
3. L, if P is secured, f(P) > P, L >= P and f(L) >= L. Take the largest share s with f^n(P) >= P + s (L - P) in the
   limit: s < 1 would contradict f(P + s (L - P)) >= (1 - s) f(P) + s f(L), which is more than P + s (L - P).

In 3 states whose P does not grow are held at P. The largest such L is a fixed point of f, found by Newton's method
from above, which for a concave piecewise linear f is Howard's policy iteration (1960); each step asks each state
for one best column. f is rounded down throughout, by a bound of its own rounding error, and L is taken only if
f(L) >= L was computed. For player 2, rows and columns change places and payoffs their sign: `Mirrored`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from maxmin.matrix.oracle import Floats, Plan
from maxmin.recursive.game import UNIT, RecursiveGame, StateOracle
from maxmin.recursive.listed import Mixture

INFINITE = 1e200
"""Stands for infinity, where numbers must be finite."""

_MOST_STEPS = 60


@dataclass(frozen=True, eq=False)
class Mirrored:
    """A state as player 2 sees it: as the row player who maximizes."""

    state: StateOracle

    def payoffs(self, rows: Sequence[Plan], columns: Sequence[Plan]) -> Floats:
        """See `StateOracle`."""
        return -np.asarray(self.state.payoffs(columns, rows)).T

    def multipliers(self, rows: Sequence[Plan], columns: Sequence[Plan]) -> Floats:
        """See `StateOracle`."""
        return np.asarray(self.state.multipliers(columns, rows)).transpose(0, 2, 1)

    def best_row(self, columns: Sequence[Plan], weights: Floats, values: Floats) -> tuple[Plan, float]:
        """See `StateOracle`."""
        plan, worth = self.state.best_column(columns, weights, -values)
        return plan, -worth

    def best_column(self, rows: Sequence[Plan], weights: Floats, values: Floats) -> tuple[Plan, float]:
        """See `StateOracle`."""
        plan, worth = self.state.best_row(rows, weights, -values)
        return plan, -worth

    def start(self) -> tuple[Plan, Plan]:
        """See `StateOracle`."""
        row, column = self.state.start()
        return column, row


@dataclass(frozen=True, eq=False)
class Seat:
    """A player who sees himself as player 1.

    Attributes
    ----------
    states : sequence of StateOracle
    leaves : bool
        Whether he may leave before any round, for what he has secured from the start.
    endless : float
        What play that never ends is taken to pay him, if he may not leave.
    most : float
        What the other pays to leave; infinite if he may not.
    """

    states: Sequence[StateOracle]
    leaves: bool
    endless: float
    most: float

    def round_worth(self, mixtures: Sequence[Mixture], values: Floats) -> "Round":
        """Return f(values), rounded down, and the line of each state's best column."""
        n = len(self.states)
        worth, constant, slope = np.empty(n), np.empty(n), np.empty((n, n))
        for i, (state, x) in enumerate(zip(self.states, mixtures, strict=True)):
            worth[i], constant[i], slope[i] = _line(state, x, values)
        return Round(worth, constant, slope)

    def _round(self, mixtures: Sequence[Mixture], values: Floats) -> "Round":
        """Return f(values) as above, but no more than the other pays to leave."""
        found = self.round_worth(mixtures, values)
        capped = found.worth > self.most
        found.worth[capped] = found.constant[capped] = self.most
        found.slope[capped] = 0.0
        return found

    def secure(self, mixtures: Sequence[Mixture], secured: Floats, *, aim: Floats, ceiling: Floats) -> Floats:
        """Return what playing `mixtures` for ever secures, state by state at least `secured`.

        Parameters
        ----------
        mixtures
            One of each state.
        secured : (n_states,) float64
            Secured already.
        aim : (n_states,) float64
            About what is hoped for.
        ceiling : (n_states,) float64
            No more than this can be secured.
        """
        n = len(self.states)
        if not self.leaves:
            base = self._largest(
                mixtures, np.minimum(aim, self.endless), np.full(n, -np.inf), np.full(n, True)
            )
            secured = secured if base is None else np.maximum(secured, base)
        for step in range(n + 1):  # growth reaches all states that it can reach in n rounds
            grown = self._round(mixtures, secured).worth
            moving = grown > secured
            if moving.all() or not moving.any() or step == n:
                break
            secured = np.maximum(secured, grown)
        if not moving.any():
            return secured
        hoped = np.where(moving, np.maximum(aim, secured), secured)
        if (self._round(mixtures, hoped).worth >= hoped)[moving].all():
            hoped = ceiling
        found = self._largest(mixtures, hoped, secured, moving)
        return secured if found is None else found

    def _largest(
        self, mixtures: Sequence[Mixture], start: Floats, floor: Floats, moving: NDArray[np.bool_]
    ) -> Floats | None:
        """Return v between floor and start with f(v) >= v, where states move, and v = floor elsewhere."""
        values = np.where(moving, start, floor)
        for step in range(_MOST_STEPS):
            found = self._round(mixtures, values)
            if (found.worth >= values)[moving].all():
                return values
            values = np.where(moving, np.maximum(found.below(values, moving, step), floor), floor)
            if not (np.abs(values) <= INFINITE).all():
                break
        return None


@dataclass(frozen=True, eq=False)
class Round:
    """What a round is worth at some values v, and the best columns' lines ``constant + slope @ v``.

    Attributes
    ----------
    worth, constant : (n_states,) float64
    slope : (n_states, n_states) float64
    """

    worth: Floats
    constant: Floats
    slope: Floats

    def below(self, values: Floats, moving: NDArray[np.bool_], step: int) -> Floats:
        """Return where the lines of the moving states meet v, a little below, more so from step to step.

        Lines that do not meet v, as where play goes round in circles, lead to the worths themselves, at first as
        they are: in a circle there may be no rounding, and no room for slack.
        """
        slope = self.slope[np.ix_(moving, moving)]
        held = self.constant[moving] + self.slope[np.ix_(moving, ~moving)] @ values[~moving]
        slack = 2.0**step * UNIT * max(1.0, float(np.abs(values[moving]).max()))
        least = self.worth[moving] - (slack if step > len(values) else 0.0)
        try:
            solved = np.linalg.solve(np.eye(len(slope)) - slope, np.column_stack([held, np.ones(len(slope))]))
            if np.isfinite(solved).all() and solved[:, 1].min() > 0:
                with np.errstate(over="ignore"):  # lines that hardly meet: as good as none
                    least = solved[:, 0] - slack * solved[:, 1]
        except np.linalg.LinAlgError:
            pass
        below = values.copy()
        below[moving] = np.minimum(least, values[moving])
        return below


def _line(state: StateOracle, x: Mixture, values: Floats) -> tuple[float, float, Floats]:
    """Return what x is worth against the best column, and that column's constant and slope, all rounded down."""
    column, told = state.best_column(x.plans, x.weights, values)
    payoffs = np.asarray(state.payoffs(x.plans, [column]))[:, 0]
    multipliers = np.asarray(state.multipliers(x.plans, [column]))[:, :, 0]
    constant, slope = float(x.weights @ payoffs), multipliers @ x.weights
    size = float(x.weights @ np.abs(payoffs) + slope @ np.abs(values))
    error = UNIT * (len(x.plans) + len(values) + 4) * size
    if not payoffs.any() and _leads_to_one_state(multipliers):  # the worth is one of the values: no rounding
        worth = float(multipliers[:, 0] @ values)
        if told >= worth - error:
            return worth, 0.0, multipliers[:, 0]
    constant -= error
    return min(constant + float(slope @ values), told - error), constant, slope


def _leads_to_one_state(multipliers: Floats) -> bool:
    """Say whether all rows lead to the same state, at the same stakes: (n_states, n_rows)."""
    first = multipliers[:, :1]
    return bool((multipliers == first).all() and ((first == 0) | (first == 1)).all() and first.sum() == 1)


def seats_of(game: RecursiveGame) -> tuple[Seat, Seat]:
    """Return player 1's seat, and player 2's, who sees all values with the other sign."""
    mirrored = [Mirrored(state) for state in game.states]
    can_leave_1, can_leave_2 = game.t1 is not None, game.t2 is not None
    endless = -game.t1 if game.t1 is not None else 0.0
    return (
        Seat(game.states, can_leave_1, endless, game.most if can_leave_2 else math.inf),
        Seat(mirrored, can_leave_2, -endless, -game.least if can_leave_1 else math.inf),
    )
