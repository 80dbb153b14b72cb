"""`GrowingMatch`: two sides of a restricted game that grows, and the payoffs between them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Unpack

from maxmin.decision import Construction, DecisionProblem, Payoffs, build_problem, payoff_matrix
from maxmin.errors import SizeError
from maxmin.limits import check_memory
from maxmin.match import Match, Scale, scaled_payoffs, sides_of
from maxmin.members import members_of
from maxmin.sequences import infosets_of
from maxmin.side_view import view_side
from maxmin.solve.growing_sides import GrowingSide, PlannedSide, SelectedSide, WholeSide
from maxmin.solve.list_match import MANY_PRESCRIPTIONS
from maxmin.tree import GameTree

WHOLE = 20_000
"""A side with no more prescriptions is not restricted: an iteration over them takes no longer than a round's other
work (measured on liar's dice: with the opponent restricted, 100 rounds instead of 17)."""

_FEW_INFOSETS, _MANY_OF_FEW = 400, 1e5
"""A side of so few infosets finds plans without its belief DAG at once; one of more needs minutes for what one pass
over the DAG says (measured on Kuhn poker, Leduc poker and liar's dice)."""


@dataclass(frozen=True, eq=False)
class GrowingMatch:
    """Two sides that grow, and the payoffs between them.

    Attributes
    ----------
    tree : GameTree
    scale : Scale
    team, others : GrowingSide
    payoffs, transposed : sparse matrices
        What the team gets, scaled and weighted by chance: (team's leaf classes, others' leaf classes).
    """

    tree: GameTree
    scale: Scale
    team: GrowingSide
    others: GrowingSide
    payoffs: Payoffs
    transposed: Payoffs

    @property
    def sides(self) -> tuple[GrowingSide, GrowingSide]:
        """The team and the others."""
        return self.team, self.others

    def restricted(self) -> Match:
        """Return the restricted game as it is now."""
        problems = self.team.problem, self.others.problem
        return Match(self.tree, *problems, self.scale, self.payoffs, self.transposed)


def make_growing_match(
    tree: GameTree,
    team: Sequence[int],
    **construction: Unpack[Construction],
) -> GrowingMatch:
    """Build what each side needs: its belief DAG, unless that would be too large.

    Raises
    ------
    UnknownNameError
        If the team is not some, but not all, of the players.
    GameError
        If the team's payoffs are further apart than the largest float, or a player is absent-minded and the side's
        belief DAG too large.
    NotTimeableError
        If a side's infosets come before each other in a circle.
    Cancelled
        If `progress` said so.
    """
    sides = sides_of(tree, team)
    scale, weight = scaled_payoffs(tree, sides[0])
    ours, theirs = (_build_side(tree, side, **construction) for side in sides)
    return GrowingMatch(tree, scale, ours, theirs, *payoff_matrix(ours, theirs, weight))


def _build_side(tree: GameTree, side: tuple[int, ...], **construction: Unpack[Construction]) -> GrowingSide:
    few = len(infosets_of(tree, side)) <= _FEW_INFOSETS
    most = _MANY_OF_FEW if few else MANY_PRESCRIPTIONS
    try:
        return growing_side(build_problem(tree, side, most_prescriptions=most, **construction))
    except SizeError:
        memory = check_memory(construction.get("memory"))
        return PlannedSide(
            view_side(
                tree, side, inflate=construction.get("inflate", False), progress=construction.get("progress")
            ),
            members_of(tree, side),
            memory=memory,
            reduce_branching=construction.get("reduce_branching", True),
            observations=construction.get("observations", "connected"),
        )


def growing_side(problem: DecisionProblem) -> GrowingSide:
    """Restrict a decision problem, unless it is small."""
    return WholeSide(problem) if problem.n_prescriptions <= WHOLE else SelectedSide(problem)


def grow(match: Match) -> GrowingMatch:
    """Restrict the sides of a match that are large."""
    ours, theirs = (growing_side(problem) for problem in match.sides)
    return GrowingMatch(match.tree, match.scale, ours, theirs, match.payoffs, match.transposed)
