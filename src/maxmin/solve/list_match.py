"""`ListMatch`: a side whose plans column generation lists, against a side that is there as a whole."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from maxmin import _core
from maxmin.decision import DecisionProblem, Payoffs, Progress, build_problem, payoff_matrix
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
    progress: Progress | None = None,
) -> ListMatch:
    """Build one side's decision problem; the other side is listed: the larger one, or the one that has none.

    Raises
    ------
    UnknownNameError, GameError, Cancelled
        As `make_match` does.
    NotTimeableError, SizeError
        If neither side has a decision problem that can be built.
    """
    sides = sides_of(tree, team)
    build = Builder(tree, memory, reduce_branching, progress)
    problems = [build(side, MANY_PRESCRIPTIONS) for side in sides]
    if problems == [None, None]:
        sizes = [build.predicted(side) for side in sides]
        smaller = int(sizes[1] <= sizes[0])
        problems[smaller] = build.whole(sides[smaller])
    return join(tree, sides, problems)
