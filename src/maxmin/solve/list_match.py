"""What column generation and double oracle work on: sides that are listed, plan by plan, and whole ones.

`ListMatch`: one side is listed, the other one is there as its decision problem. `PlanMatch`: both are listed. A
side whose decision problem would be too large is there as its `Members`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Unpack

import numpy as np

from maxmin import _core
from maxmin.decision import (
    Construction,
    DecisionProblem,
    Payoffs,
    build_problem,
    payoff_matrix,
)
from maxmin.errors import NotTimeableError, SizeError
from maxmin.match import Bounds, Match, Scale, scaled_payoffs, sides_of
from maxmin.members import Members, members_of
from maxmin.properties import absent_minded
from maxmin.tree import Floats, GameTree

MANY_PRESCRIPTIONS = 4e6
"""With more, building the belief DAG takes longer than finding plans without it (measured on Kuhn poker)."""

QUICK_PRESCRIPTIONS = 5e5
"""Up to so many, a double oracle is quicker with the belief DAG than without (measured on Kuhn poker for four)."""


@dataclass(frozen=True, eq=False)
class ListMatch:
    """Two sides and the payoffs between them, as column generation sees them.

    Attributes
    ----------
    tree : GameTree
    scale : Scale
    lists_team : bool
        Whether the listed side is the team.
    listed : DecisionProblem or Members
    whole : DecisionProblem
    payoffs, transposed : sparse matrices
        What the team gets, scaled and weighted by chance: (listed side's leaf classes, whole side's).
    """

    tree: GameTree
    scale: Scale
    lists_team: bool
    listed: DecisionProblem | Members
    whole: DecisionProblem
    payoffs: Payoffs
    transposed: Payoffs

    @property
    def sides(self) -> tuple[DecisionProblem | Members, DecisionProblem | Members]:
        """The team and the others."""
        return (self.listed, self.whole) if self.lists_team else (self.whole, self.listed)

    def worth_to_listed(self, reach: Floats) -> Floats:
        """Return what each of its leaf classes is worth to the listed side: (n_leaf_classes,)."""
        worth = np.empty(self.listed.n_leaf_classes)
        _core.multiply(self.payoffs.core, reach, 1.0 if self.lists_team else -1.0, worth)
        return worth

    def worth_to_whole(self, reach: Floats) -> Floats:
        """Return what each of its leaf classes is worth to the whole side: (n_leaf_classes,)."""
        worth = np.empty(self.whole.n_leaf_classes)
        _core.multiply(self.transposed.core, reach, -1.0 if self.lists_team else 1.0, worth)
        return worth

    def to_bounds(self, least: float, most: float) -> Bounds:
        """Turn bounds on what the listed side gets, scaled, into bounds on the value."""
        return self.scale.to_bounds(*((least, most) if self.lists_team else (-most, -least)))


@dataclass(frozen=True, eq=False)
class PlanMatch:
    """Two sides and the payoffs between them, as double oracle sees them: like a `Match`, but for `Members`.

    Attributes
    ----------
    tree : GameTree
    team, others : DecisionProblem or Members
    scale : Scale
    payoffs, transposed : sparse matrices
        What the team gets, scaled and weighted by chance: (team's leaf classes, others' leaf classes).
    """

    tree: GameTree
    team: DecisionProblem | Members
    others: DecisionProblem | Members
    scale: Scale
    payoffs: Payoffs
    transposed: Payoffs

    @property
    def sides(self) -> tuple[DecisionProblem | Members, DecisionProblem | Members]:
        """The team and the others."""
        return self.team, self.others


def list_side(match: Match, *, lists_team: bool) -> ListMatch:
    """List the plans of one side of a match."""
    sides = (match.team, match.others, match.payoffs, match.transposed)
    if not lists_team:
        sides = (match.others, match.team, match.transposed, match.payoffs)
    return ListMatch(match.tree, match.scale, lists_team, *sides)


def make_list_match(
    tree: GameTree, team: Sequence[int], **construction: Unpack[Construction]
) -> Match | ListMatch:
    """Build both decision problems, but for one that would be too large: that side is listed, member by member.

    Raises
    ------
    UnknownNameError, GameError, Cancelled
        As `make_match` does.
    NotTimeableError, SizeError
        If neither side has a decision problem that can be built.
    """
    sides = sides_of(tree, team)
    problems = moderate_problems(tree, sides, **construction)
    if problems == [None, None]:
        problems = [problem_or_none(tree, side, np.inf, **construction) for side in sides]
    if problems == [None, None]:
        raise SizeError(
            f"column generation needs the decision problem of one side of {tree.name}, and neither fits: "
            "take method double_oracle, which lists both sides"
        )
    return join(tree, sides, problems, memory=construction.get("memory"))


def make_plan_match(
    tree: GameTree, team: Sequence[int], **construction: Unpack[Construction]
) -> Match | PlanMatch:
    """Build the decision problems that are built quickly; the other sides are there as members.

    Raises
    ------
    UnknownNameError, GameError, Cancelled
        As `make_match` does.
    """
    sides = sides_of(tree, team)
    problems = moderate_problems(tree, sides, quick=True, **construction)
    return join_plans(tree, sides, problems, memory=construction.get("memory"))


Sides = tuple[tuple[int, ...], tuple[int, ...]]


def moderate_problems(
    tree: GameTree, sides: Sides, *, quick: bool = False, **construction: Unpack[Construction]
) -> list[DecisionProblem | None]:
    """Build the decision problems of both sides, where they are of moderate size, or even built quickly.

    Raises as `problem_or_none` does.
    """
    most = QUICK_PRESCRIPTIONS if quick else MANY_PRESCRIPTIONS
    return [problem_or_none(tree, side, most, **construction) for side in sides]


def problem_or_none(
    tree: GameTree, side: tuple[int, ...], most_prescriptions: float, **construction: Unpack[Construction]
) -> DecisionProblem | None:
    """Build the decision problem of a side, unless it would be too large, or is none.

    Raises
    ------
    GameError, Cancelled
        As `build_problem` does; if a player is absent-minded, who has no plans to list either.
    """
    try:
        return build_problem(tree, side, most_prescriptions=most_prescriptions, **construction)
    except (SizeError, NotTimeableError):
        if absent_minded(tree):
            raise
        return None


def join(
    tree: GameTree, sides: Sides, problems: Sequence[DecisionProblem | None], *, memory: int | None
) -> Match | ListMatch:
    """Put two sides together, of which one at most has no decision problem: that one is listed."""
    ours, theirs = problems
    scale, weight = scaled_payoffs(tree, sides[0])
    if ours is not None and theirs is not None:
        return Match(tree, ours, theirs, scale, *payoff_matrix(ours, theirs, weight))
    whole = ours or theirs
    assert whole is not None
    listed = members_of(tree, sides[theirs is None], memory=memory)
    return ListMatch(tree, scale, ours is None, listed, whole, *payoff_matrix(listed, whole, weight))


def join_plans(
    tree: GameTree, sides: Sides, problems: Sequence[DecisionProblem | None], *, memory: int | None
) -> Match | PlanMatch:
    """Put two sides together that are both to be listed."""
    ours, theirs = problems
    scale, weight = scaled_payoffs(tree, sides[0])
    if ours is not None and theirs is not None:
        return Match(tree, ours, theirs, scale, *payoff_matrix(ours, theirs, weight))
    team = ours or members_of(tree, sides[0], memory=memory)
    others = theirs or members_of(tree, sides[1], memory=memory)
    return PlanMatch(tree, team, others, scale, *payoff_matrix(team, others, weight))
