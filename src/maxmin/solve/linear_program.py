"""The linear program of a match, solved by HiGHS: exact up to the solver's tolerances, both strategies at once.

Von Stengel (Games and Economic Behavior 1996) for the sequence form; Zhang and Sandholm (AAAI 2022) for team
belief DAGs. The team maximizes v[root of the others] over its flow x, with

    flow         sum of x over a belief's prescriptions = flow into the belief (1 at the root)
    realization  r[l] = flow into the team's leaf class l
    worth        w[m] = sum over l of payoff[l, m] * r[l], for the others' leaf classes m
    potential    v[b] <= sum of v and w over the children of q, for each prescription q of the others' belief b

and the duals of the potential rows are the others' flow.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from maxmin.errors import MaxminError
from maxmin.highs import quiet_highs, run_highs
from maxmin.match import Match
from maxmin.solve.potentials import Rows, maximize_potential
from maxmin.tree import Floats

if TYPE_CHECKING:
    import highspy

_INTERIOR_POINT_FROM = 10_000
"""With more prescriptions than this, interior point is faster than simplex (measured on team games)."""


@dataclass(frozen=True, eq=False)
class LinearProgramResult:
    """What HiGHS found.

    Attributes
    ----------
    team, others : (n_prescriptions,) float64
        Strategies: a distribution in each belief.
    iterations : int
        Of simplex or interior point.
    stopped_by : str
        "optimal", "seconds" or "interrupt".
    """

    team: Floats
    others: Floats
    iterations: int
    stopped_by: str


def solve_linear_program(
    match: Match,
    *,
    seconds: float | None = None,
    keep_going: Callable[[float], bool] | None = None,
) -> LinearProgramResult:
    """Solve a match as one linear program.

    Raises
    ------
    MaxminError
        If HiGHS ends in any other way than solved, out of time, or interrupted.
    """
    highs = quiet_highs(seconds=math.inf if seconds is None else seconds)
    large = match.team.n_prescriptions + match.others.n_prescriptions > _INTERIOR_POINT_FROM
    highs.setOptionValue("solver", "ipm" if large else "simplex")
    highs.passModel(_model(match))
    run_highs(highs, f"the linear program of {match.tree.name}", keep_going)
    stopped_by = _status(highs)
    solution = highs.getSolution()
    n_ours = match.team.n_prescriptions
    flow = np.array(solution.col_value)[:n_ours]
    dual = np.array(solution.row_dual)[-match.others.n_prescriptions :]
    info = highs.getInfo()
    return LinearProgramResult(
        team=match.team.distribution(np.maximum(flow, 0.0)),
        others=match.others.distribution(np.abs(dual)),
        iterations=int(max(info.simplex_iteration_count, 0) + max(info.ipm_iteration_count, 0)),
        stopped_by=stopped_by,
    )


def _status(highs: Any) -> str:
    import highspy

    status = highs.getModelStatus()
    names = {
        highspy.HighsModelStatus.kOptimal: "optimal",
        highspy.HighsModelStatus.kTimeLimit: "seconds",
        highspy.HighsModelStatus.kInterrupt: "interrupt",
    }
    if status not in names:
        raise MaxminError(f"HiGHS could not solve the linear program: {highs.modelStatusToString(status)}")
    return names[status]


def _model(match: Match) -> "highspy.HighsLp":
    ours, theirs = match.team, match.others
    n_flow, n_real, n_worth = ours.n_prescriptions, ours.n_leaf_classes, theirs.n_leaf_classes
    real, worth = n_flow, n_flow + n_real
    rows = Rows()
    belief = np.repeat(np.arange(ours.n_beliefs), np.diff(ours.belief_start))
    prescription = np.repeat(np.arange(n_flow), np.diff(ours.child_start))
    rows.add(belief, np.arange(n_flow), 1.0)
    # Beliefs get flow from their parents; leaf classes follow them.
    rows.add(ours.children, prescription, -1.0)
    rows.add(ours.n_beliefs + np.arange(n_real), real + np.arange(n_real), 1.0)
    rows.close(ours.n_beliefs + n_real)
    leaf = np.repeat(np.arange(n_worth), np.diff(match.transposed.start))
    rows.add(np.arange(n_worth), worth + np.arange(n_worth), 1.0)
    rows.add(leaf, real + match.transposed.column, -match.transposed.value)
    rows.close(n_worth)
    return maximize_potential(rows, theirs, worth)
