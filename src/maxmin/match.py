"""`Match`: a team against everybody else, ready to be solved: two decision problems and the payoffs between them.

Payoffs are shifted and scaled to lie between -1 and 1, so that solvers see the same numbers whatever the units;
bounds are turned back into payoff units here.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from maxmin import _core
from maxmin.decision import (
    Construction,
    DecisionProblem,
    Payoffs,
    build_problem,
    check_side,
    payoff_matrix,
)
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
class Scale:
    """How scaled payoffs stand for payoffs.

    Attributes
    ----------
    game : str
    middle, half_range : float
        Payoff units: a scaled payoff u stands for ``middle + half_range * u``.
    """

    game: str
    middle: float
    half_range: float

    @property
    def payoff_range(self) -> float:
        """The largest minus the smallest payoff that the team can get."""
        return 2 * self.half_range

    def to_payoff(self, scaled: float) -> float:
        """Turn a scaled value into payoff units."""
        return self.middle + self.half_range * scaled

    def to_scaled(self, payoff: float) -> float:
        """Turn a value in payoff units into a scaled one."""
        return (payoff - self.middle) / (self.half_range or 1.0)

    def to_bounds(self, lower: float, upper: float) -> Bounds:
        """Turn scaled bounds into payoff units, in order: they may cross by a rounding error.

        Raises
        ------
        MaxminError
            If they cross by more, so that one of them is wrong.
        """
        if lower - upper > _CROSSING:
            raise MaxminError(
                f"the bounds of {self.game} cross by {lower - upper:.2g} of half the payoff range: "
                "this is a fault in maxmin; please report it"
            )
        return Bounds(self.to_payoff(min(lower, upper)), self.to_payoff(max(lower, upper)))


@dataclass(frozen=True, eq=False)
class Match:
    """A team's decision problem, that of all others, and the payoffs that join them.

    Attributes
    ----------
    tree : GameTree
    team, others : DecisionProblem
    scale : Scale
    payoffs, transposed : sparse matrices
        What the team gets, scaled and weighted by chance: (team's leaf classes, others' leaf classes).
    """

    tree: GameTree
    team: DecisionProblem
    others: DecisionProblem
    scale: Scale
    payoffs: Payoffs
    transposed: Payoffs

    @property
    def sides(self) -> tuple[DecisionProblem, DecisionProblem]:
        """The team and the others."""
        return self.team, self.others

    def exchanged(self) -> "Match":
        """Return the match with the sides exchanged: the others are the team, which gets what they get from it."""
        payoffs, transposed = (replace(each, value=-each.value) for each in (self.transposed, self.payoffs))
        scale = replace(self.scale, middle=-self.scale.middle)
        return Match(self.tree, self.others, self.team, scale, payoffs, transposed)

    def best_response(self, reach: Floats, *, of_team: bool) -> tuple[float, Ints]:
        """Best respond, on the DAG, to the other side's realization of its leaf classes.

        Returns
        -------
        tuple
            What the responder gets, scaled, and the prescription it picks in each belief.
        """
        problem = self.team if of_team else self.others
        return problem.best_response(self.worth(reach, of_team=of_team))

    def worth(self, reach: Floats, *, of_team: bool) -> Floats:
        """Return what each leaf class is worth to a side, scaled, given how often the other reaches its own."""
        worth = np.empty((self.team if of_team else self.others).n_leaf_classes)
        if of_team:
            _core.multiply(self.payoffs.core, reach, 1.0, worth)
        else:
            _core.multiply(self.transposed.core, reach, -1.0, worth)
        return worth

    def bounds(self, team_reach: Floats, others_reach: Floats) -> Bounds:
        """Bound the value by best responses to both sides' realizations of their leaf classes."""
        lower = -self.best_response(team_reach, of_team=False)[0]
        upper = self.best_response(others_reach, of_team=True)[0]
        return self.scale.to_bounds(lower, upper)


def make_match(
    tree: GameTree,
    team: Sequence[int],
    **construction: Unpack[Construction],
) -> Match:
    """Build both decision problems, as `build_problem` does, and the payoffs between them.

    Raises
    ------
    UnknownNameError
        If the team is not some, but not all, of the players.
    GameError
        If the team's payoffs are further apart than the largest float.
    NotTimeableError, SizeError, Cancelled
        As `build_problem` does.
    """
    sides = sides_of(tree, team)
    scale, weight = scaled_payoffs(tree, sides[0])
    ours, theirs = (build_problem(tree, side, **construction) for side in sides)
    return Match(tree, ours, theirs, scale, *payoff_matrix(ours, theirs, weight))


def sides_of(tree: GameTree, team: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the players of the team, checked, and everybody else."""
    side = check_side(tree, team)
    return side, tuple(player for player in range(1, tree.n_players + 1) if player not in side)


def scaled_payoffs(tree: GameTree, team: tuple[int, ...]) -> tuple[Scale, Floats]:
    """Return the scale of a team's payoffs and, for each leaf, the scaled payoff times chance's probability.

    Raises
    ------
    GameError
        If the payoffs are further apart than the largest float.
    """
    chance = tree.chance_reach[tree.leaves]
    with np.errstate(over="ignore", invalid="ignore"):
        gains = tree.payoffs[:, np.array(team) - 1].sum(axis=1)
        middle, half_range = _middle(gains[chance > 0])
    if not np.isfinite(2 * half_range):
        raise GameError(f"the payoffs of {tree.name} are too far apart for floats: divide them by a constant")
    return Scale(tree.name, middle, half_range), chance * ((gains - middle) / (half_range or 1.0))


def _middle(gains: NDArray[np.float64]) -> tuple[float, float]:
    low, high = float(gains.min()), float(gains.max())
    return low + (high - low) / 2, (high - low) / 2
