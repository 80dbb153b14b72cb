"""How method "auto" picks: by the sizes of both decision problems, built or predicted, and by the gap.

What methods cost, measured on the benchmark games (the table is in docs/reference/methods.md): an iteration of
regret minimization is one pass over both belief DAGs, and it takes a hundred; a round of column generation is a
linear program over the whole side, and it takes dozens if that side is small; double oracle lists about as many
plans of each side as it has infosets, and solves a matrix game of them, however large the belief DAGs are.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Unpack

from maxmin.decision import Construction
from maxmin.match import Match, make_match, sides_of
from maxmin.sequences import infosets_of
from maxmin.solve.growing_match import WHOLE, GrowingMatch, grow
from maxmin.solve.list_match import (
    ListMatch,
    PlanMatch,
    join,
    join_plans,
    moderate_problems,
    problem_or_none,
)
from maxmin.solve.steep_sapcfr_plus import STEEP_SAPCFR_PLUS
from maxmin.tree import GameTree

_TINY = 500
"""Problems of so few prescriptions are solved by simplex in milliseconds, to the last digit."""

_FEW_ANSWERS, _MANY_PLANS = 150, 2000
"""Column generation needs few rounds against few answers, and is worth it where a pass over the plans is long."""

_MANY_DIGITS = 1e-5
"""Below this gap restricted linear programs are sooner there than regret minimizers; above it, not on all games."""

MOST_ANSWERS = 2000
"""Against more, a round of column generation takes long."""

FEW_INFOSETS = 400
"""Of a side: with more, double oracle needs lists of many hundred plans."""

_PROVED_BY_PROGRAMS = 1e-5
"""For smaller gaps belief DAGs of moderate size are built: integer programs prove bounds to six digits only."""

_LARGE = 1e5
"""Of so many prescriptions, those that an equilibrium plays are found sooner than all are visited often."""


@dataclass(frozen=True, eq=False)
class Choice:
    """A method, what it works on, and why it was picked, in words."""

    method: str
    match: Match | ListMatch | PlanMatch | GrowingMatch
    reason: str


def choose(
    tree: GameTree, team: Sequence[int], *, gap: float, minimizes: bool, **construction: Unpack[Construction]
) -> Choice:
    """Build what is needed of both sides, and pick a method.

    Parameters
    ----------
    tree, team
        The game, and who plays against everybody else.
    gap
        Relative to the payoff range.
    minimizes
        Whether only a regret minimizer will do: with a checkpoint, or pruning.
    construction
        How decision problems are built: see `maxmin.decision.build_problem`.

    Raises
    ------
    UnknownNameError, GameError, Cancelled
        As `make_match` does; with a checkpoint `NotTimeableError` and `SizeError` too.
    """
    if minimizes:
        reason = "checkpoints and pruning are for regret minimizers"
        return Choice(STEEP_SAPCFR_PLUS.name, make_match(tree, team, **construction), reason)
    sides, memory = sides_of(tree, team), construction.get("memory")
    few_infosets = max(len(infosets_of(tree, side)) for side in sides) <= FEW_INFOSETS
    quick = few_infosets and gap >= _PROVED_BY_PROGRAMS
    problems = moderate_problems(tree, sides, quick=quick, **construction)
    if None not in problems:
        match = join(tree, sides, problems, memory=memory)
        assert isinstance(match, Match)
        return _choose_for(match, gap, few_infosets=few_infosets)
    whole = min((one.n_prescriptions for one in problems if one is not None), default=math.inf)
    if whole <= MOST_ANSWERS:
        reason = f"one side has no belief DAG of moderate size, the other's has {whole:,} prescriptions"
        return Choice("column_generation", join(tree, sides, problems, memory=memory), reason)
    if few_infosets:
        reason = f"a belief DAG would be large, or there is none, and no side has more than {FEW_INFOSETS} infosets"
        return Choice("double_oracle", join_plans(tree, sides, problems, memory=memory), reason)
    problems = [
        problem_or_none(tree, side, math.inf, **construction) if problem is None else problem
        for side, problem in zip(sides, problems, strict=True)
    ]
    if None in problems:
        reason = "a belief DAG does not fit into memory, or there is none"
        return Choice("double_oracle", join_plans(tree, sides, problems, memory=memory), reason)
    match = join(tree, sides, problems, memory=memory)
    assert isinstance(match, Match)
    return _choose_for(match, gap, few_infosets=few_infosets)


def _choose_for(match: Match, gap: float, *, few_infosets: bool) -> Choice:
    """Pick for two belief DAGs of moderate size."""
    small, large = sorted((match.team.n_prescriptions, match.others.n_prescriptions))
    sizes = f"the belief DAGs have {large:,} and {small:,} prescriptions"
    if large >= _LARGE and small <= WHOLE and gap >= _MANY_DIGITS:
        return Choice("dag_column_generation", grow(match), f"{sizes}, of which few are played")
    if small <= _FEW_ANSWERS and large >= _MANY_PLANS:
        return Choice("column_generation", match, f"{sizes}: many plans, few to answer them")
    if few_infosets and large >= _LARGE:
        return Choice("double_oracle", match, f"{sizes}, but infosets are few")
    if gap < 1e-4 and large <= _TINY:
        return Choice("lp", match, f"{sizes}; the gap asked for is small")
    if gap < _MANY_DIGITS:
        return Choice("restricted_lp", match, f"{sizes}; the gap asked for is small")
    return Choice(STEEP_SAPCFR_PLUS.name, match, sizes)
