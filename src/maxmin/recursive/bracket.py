"""`Bracket`: what each player has secured so far, and the plans that were found on the way."""

import math
from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from maxmin.matrix.oracle import Floats
from maxmin.recursive.certificate import INFINITE, seats_of
from maxmin.recursive.game import RecursiveGame
from maxmin.recursive.listed import ListedState, Stage

KeepGoing: TypeAlias = Callable[[float], bool]

_DIVERGES = 1e9
"""Who can force so many times the stakes, or the largest payoff, is taken to force any sum."""

_NOISE = 1e-13
"""A new plan that gains no more than this, relative to the values, is not worth another round."""


class Bracket:
    """Bounds of the repeated values, and the states' listed plans.

    Attributes
    ----------
    game : RecursiveGame
    listed : list of ListedState
    lower, upper : (n_states,) float64
        What player 1 has secured, and what player 2 has secured not to lose more than.
    largest : float
        The largest payoff of the plans that are listed first, either sign.
    ceiling : float
        Values from here on count as infinite, unless player 2 may leave.
    """

    def __init__(self, game: RecursiveGame) -> None:
        n = len(game.states)
        self.game = game
        self.listed = [ListedState(state, n) for state in game.states]
        self.lower = np.full(n, game.least)
        self.upper = np.full(n, min(game.most, INFINITE))
        self.largest = max(float(np.abs(state.payoffs).max()) for state in self.listed)
        self.ceiling = min(game.most, _DIVERGES * max(1.0, self.largest, abs(game.least)))
        self._first, self._second = seats_of(game)

    @property
    def gap(self) -> float:
        """How far the bounds are apart at most, if need be without end; a value that is infinite has no gap."""
        gaps = np.where(self.upper == INFINITE, math.inf, self.upper - self.lower)[~self.diverging]
        return float(gaps.max(initial=0.0))

    @property
    def diverging(self) -> NDArray[np.bool_]:
        """The states in which player 1 can force any sum."""
        above: NDArray[np.bool_] = (self.lower >= self.ceiling) & (self.upper == INFINITE)
        return above

    def widest(self) -> tuple[float, float]:
        """Return the bounds of the state where they are furthest apart."""
        return self.bounds(int(np.argmax(np.where(self.diverging, -1.0, self.upper - self.lower))))

    def bounds(self, state: int) -> tuple[float, float]:
        """Return the bounds of a state's value; infinite ones as such."""
        lower, upper = float(self.lower[state]), float(self.upper[state])
        return math.inf if self.diverging[state] else lower, math.inf if upper == INFINITE else upper

    def within(self, values: Floats) -> Floats:
        """Return values moved between the bounds."""
        return np.clip(values, self.lower, np.minimum(self.upper, self.ceiling))

    def stages(self, values: Floats, keep_going: KeepGoing) -> tuple[list[Stage], bool]:
        """Solve each state among its listed plans, list best responses, and say whether one of them gains."""
        stages = [state.solve(values, keep_going) for state in self.listed]
        pairs = zip(self.listed, stages, strict=True)
        gain = max(state.respond(stage, values) for state, stage in pairs)
        return stages, gain > _NOISE * max(1.0, float(np.abs(values).max()))

    def solved(self, values: Floats, keep_going: KeepGoing) -> list[Stage]:
        """Solve each state among all plans, by double oracle; if stopped, among those that were found."""
        stages, gains = self.stages(values, keep_going)
        while gains and keep_going(0.0):
            stages, gains = self.stages(values, keep_going)
        return stages

    def raise_lower(self, stages: Sequence[Stage], aim: Floats) -> None:
        """Let player 1 secure what his mixtures secure; `aim` is about what is hoped for."""
        ceiling = np.minimum(self.upper, self.ceiling)
        mixtures = [stage.rows for stage in stages]
        self.lower = self._first.secure(mixtures, self.lower, aim=aim, ceiling=ceiling)

    def reduce_upper(self, stages: Sequence[Stage], aim: Floats) -> None:
        """Let player 2 secure what his mixtures secure."""
        mixtures = [stage.columns for stage in stages]
        self.upper = -self._second.secure(mixtures, -self.upper, aim=-aim, ceiling=-self.lower)

    def round_bounds(self, stages: Sequence[Stage], values: Floats) -> tuple[Floats, Floats]:
        """Bound one round with `values` to come, by best responses to the stages' mixtures."""
        low = self._first.round_worth([stage.rows for stage in stages], values).worth
        high = self._second.round_worth([stage.columns for stage in stages], -values).worth
        return low, -high
