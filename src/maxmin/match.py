"""`Match`: a team against everybody else, ready to be solved: two decision problems and the payoffs between them.

Payoffs are shifted and scaled to lie between -1 and 1, so that solvers see the same numbers whatever the units;
bounds are turned back into payoff units here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from maxmin import _core
from maxmin.decision import DecisionProblem, Payoffs, Progress, build_problem, check_side, payoff_matrix
from maxmin.errors import GameError, MaxminError
from maxmin.tree import Floats, GameTree, Ints

_CROSSING = 1e-9
"""Scaled bounds that cross by no more than this have met."""


@dataclass(frozen=True)
class Bounds:
    """What two strategies prove of the value, in payoff units.

    Attributes
    ----------
    lower : float
        The least that the team gets with its strategy, whatever the others do.
    upper : float
        The most that the team can get against the others' strategy.
    """

    lower: float
    upper: float

    @property
    def gap(self) -> float:
        """Upper minus lower bound."""
        return self.upper - self.lower


@dataclass(frozen=True, eq=False)
class Match:
    """A team's decision problem, that of all others, and the payoffs that join them.

    Attributes
    ----------
    tree : GameTree
    team, others : DecisionProblem
    middle, half_range : float
        Payoff units: a scaled payoff u stands for ``middle + half_range * u``.
    payoffs, transposed : sparse matrices
        What the team gets, scaled and weighted by chance: (team's leaf classes, others' leaf classes).
    """

    tree: GameTree
    team: DecisionProblem
    others: DecisionProblem
    middle: float
    half_range: float
    payoffs: Payoffs
    transposed: Payoffs

    @cached_property
    def payoff_range(self) -> float:
        """The largest minus the smallest payoff that the team can get."""
        return 2 * self.half_range

    def to_payoff(self, scaled: float) -> float:
        """Turn a scaled value into payoff units."""
        return self.middle + self.half_range * scaled

    def best_response(self, reach: Floats, *, of_team: bool) -> tuple[float, Ints]:
        """Best respond, on the DAG, to the other side's realization of its leaf classes.

        Returns
        -------
        tuple
            What the responder gets, scaled, and the prescription it picks in each belief.
        """
        problem = self.team if of_team else self.others
        values = np.empty(problem.n_beliefs + problem.n_leaf_classes)
        choice = np.empty(problem.n_beliefs, dtype=np.int32)
        leaves = values[problem.n_beliefs :]
        if of_team:
            _core.multiply(self.payoffs.core, reach, 1.0, leaves)
        else:
            _core.multiply(self.transposed.core, reach, -1.0, leaves)
        return _core.best_response(problem.core, values, choice), choice

    def bounds(self, team_reach: Floats, others_reach: Floats) -> Bounds:
        """Bound the value by best responses to both sides' realizations of their leaf classes."""
        lower = -self.best_response(team_reach, of_team=False)[0]
        upper = self.best_response(others_reach, of_team=True)[0]
        return self.to_bounds(lower, upper)

    def to_bounds(self, lower: float, upper: float) -> Bounds:
        """Turn scaled bounds into payoff units, in order: they may cross by a rounding error.

        Raises
        ------
        MaxminError
            If they cross by more, so that one of them is wrong.
        """
        if lower - upper > _CROSSING:
            raise MaxminError(
                f"the bounds of {self.tree.name} cross by {lower - upper:.2g} of half the payoff range: "
                "this is a fault in maxmin; please report it"
            )
        return Bounds(self.to_payoff(min(lower, upper)), self.to_payoff(max(lower, upper)))


def make_match(
    tree: GameTree,
    team: Sequence[int],
    *,
    memory: int | None = None,
    reduce_branching: bool = True,
    progress: Progress | None = None,
) -> Match:
    """Build both decision problems and the payoffs between them.

    Raises
    ------
    UnknownNameError
        If the team is not some, but not all, of the players.
    GameError
        If the team's payoffs are further apart than the largest float.
    NotTimeableError, SizeError, Cancelled
        As `build_problem` does.
    """
    side = check_side(tree, team)
    chance = tree.chance_reach[tree.leaves]
    with np.errstate(over="ignore", invalid="ignore"):
        gains = tree.payoffs[:, np.array(side) - 1].sum(axis=1)
        middle, half_range = _middle(gains[chance > 0])
    if not np.isfinite(2 * half_range):
        raise GameError(f"the payoffs of {tree.name} are too far apart for floats: divide them by a constant")
    rest = tuple(player for player in range(1, tree.n_players + 1) if player not in side)
    ours = build_problem(tree, side, memory=memory, reduce_branching=reduce_branching, progress=progress)
    theirs = build_problem(tree, rest, memory=memory, reduce_branching=reduce_branching, progress=progress)
    weight = chance * ((gains - middle) / (half_range or 1.0))
    payoffs, transposed = payoff_matrix(ours, theirs, weight)
    return Match(tree, ours, theirs, middle, half_range, payoffs, transposed)


def _middle(gains: NDArray[np.float64]) -> tuple[float, float]:
    low, high = float(gains.min()), float(gains.max())
    return low + (high - low) / 2, (high - low) / 2
