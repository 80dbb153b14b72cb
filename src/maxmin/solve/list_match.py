"""`ListMatch`: a side whose plans column generation lists, against a side that is there as a whole."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from maxmin import _core
from maxmin.decision import DecisionProblem, Observations, Payoffs, Progress, build_problem, payoff_matrix
from maxmin.errors import NotTimeableError, SizeError
from maxmin.match import Bounds, Match, Scale, scaled_payoffs, sides_of
from maxmin.members import Members, members_of
from maxmin.properties import absent_minded
from maxmin.tree import Floats, GameTree

MANY_PRESCRIPTIONS = 4e6
"""With more, building the belief DAG takes longer than finding plans without it (measured on Kuhn poker)."""


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


def list_side(match: Match, *, lists_team: bool) -> ListMatch:
    """List the plans of one side of a match."""
    sides = (match.team, match.others, match.payoffs, match.transposed)
    if not lists_team:
        sides = (match.others, match.team, match.transposed, match.payoffs)
    return ListMatch(match.tree, match.scale, lists_team, *sides)


def make_list_match(
    tree: GameTree,
    team: Sequence[int],
    *,
    memory: int | None = None,
    reduce_branching: bool = True,
    observations: Observations = "connected",
    inflate: bool = False,
    progress: Progress | None = None,
) -> Match | ListMatch:
    """Build both decision problems, but for one that would be too large: that side is listed, member by member.

    Returns
    -------
    Match or ListMatch
        A `Match` where both decision problems are of moderate size, or both are large but fit.

    Raises
    ------
    UnknownNameError, GameError, Cancelled
        As `make_match` does.
    NotTimeableError, SizeError
        If neither side has a decision problem that can be built.
    """
    sides = sides_of(tree, team)
    scale, weight = scaled_payoffs(tree, sides[0])

    def build(side: tuple[int, ...], most_prescriptions: float) -> DecisionProblem:
        return build_problem(
            tree,
            side,
            memory=memory,
            most_prescriptions=most_prescriptions,
            reduce_branching=reduce_branching,
            observations=observations,
            inflate=inflate,
            progress=progress,
        )

    problems: list[DecisionProblem | None] = []
    for side in sides:
        try:
            problems.append(build(side, MANY_PRESCRIPTIONS))
        except (SizeError, NotTimeableError):
            if absent_minded(tree):  # has no pure plans to list either
                raise
            problems.append(None)
    if problems == [None, None]:
        problems = [build(side, np.inf) for side in sides]
    ours, theirs = problems
    if ours is not None and theirs is not None:
        return Match(tree, ours, theirs, scale, *payoff_matrix(ours, theirs, weight))
    whole = ours or theirs
    assert whole is not None
    listed = members_of(tree, sides[theirs is None])
    return ListMatch(tree, scale, ours is None, listed, whole, *payoff_matrix(listed, whole, weight))
