"""The independent checker: recomputes both bounds of a solution from the game tree alone.

It imports no solver, no decision problem and no native code. `verify` checks a solution and its file;
`best_response` answers any fixed strategy, with a proved bound.
"""

import os
import time
from typing import Any

from maxmin.errors import MaxminError
from maxmin.tree_arrays import tree_difference
from maxmin.verify.best_response import Bound, best_response, exact_best_response
from maxmin.verify.claim import Claim, claim_of, read_claim
from maxmin.verify.report import Check, Report
from maxmin.verify.side import Side, check_side

__all__ = ["Bound", "Check", "Report", "best_response", "exact_best_response", "verify"]

_SECONDS = 60.0


def verify(source: Any, *, seconds: float | None = None) -> Report:
    """Check a solution from its game tree alone.

    Parameters
    ----------
    source
        The path of a solution file, or a `Solution`.
    seconds
        How long to search for the best responses of teams, at most, all in all; 60 if None. What takes longer
        is reported as not checked, with what is proved so far. Everything else takes seconds.

    Raises
    ------
    FileError
        If there is no such file, or it cannot be read.
    SolutionError
        If it is not a solution, of another version, or damaged.
    """
    start = time.monotonic()
    claim = read_claim(source) if isinstance(source, str | os.PathLike) else claim_of(source)
    budget = _SECONDS if seconds is None else seconds
    team = Side(
        name="team",
        tree=claim.tree,
        team=claim.team,
        players=claim.team,
        responders=claim.others,
        strategy=claim.team_strategy,
        bound="lower",
        claimed=claim.lower,
        exact=claim.exact,
    )
    others = Side(
        name="opponent",
        tree=claim.tree,
        team=claim.team,
        players=claim.others,
        responders=claim.team,
        strategy=claim.others_strategy,
        bound="upper",
        claimed=claim.upper,
        exact=claim.exact,
    )
    below = check_side(team, seconds=budget / 2)
    above = check_side(others, seconds=budget - min(time.monotonic() - start, budget / 2))
    value = _check_value(claim, team.rounding)
    checks = (_check_tree(claim), *below.checks, *above.checks, value)
    return Report(
        ok=all(check.status != "failed" for check in checks),
        checks=checks,
        lower=below.proved,
        upper=above.proved,
        seconds=time.monotonic() - start,
    )


def _check_tree(claim: Claim) -> Check:
    """Build the game again from its rules, if the catalogue has them, and compare."""
    from maxmin.build import build_tree
    from maxmin.games import make_game

    try:
        rebuilt = build_tree(make_game(claim.game))
    except MaxminError:
        detail = f"{claim.game} is not in the catalogue; the stored tree is a game tree and was used as it is"
        return Check("game tree", "not checked", detail)
    difference = tree_difference(claim.tree, rebuilt)
    if difference:
        return Check(
            "game tree", "failed", f"the stored tree is not {claim.game}: they differ in {difference}"
        )
    return Check("game tree", "ok", f"the stored tree is {claim.game}, built again from the rules")


def _check_value(claim: Claim, tolerance: float) -> Check:
    """The value must lie within the claimed bounds.

    Those that are recomputed may be nearer: a solver that stops when its bounds are good enough claims no more
    than it proved.
    """
    words = f"{claim.lower:.12g} <= {claim.value:.12g} <= {claim.upper:.12g}"
    if claim.lower - tolerance <= claim.value <= claim.upper + tolerance:
        return Check("value", "ok", words)
    return Check("value", "failed", f"not so: {words}")
