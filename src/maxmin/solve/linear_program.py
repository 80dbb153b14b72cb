"""The linear program of a match, solved by HiGHS: exact up to the solver's tolerances, both strategies at once.

Von Stengel (Games and Economic Behavior 1996) for the sequence form; Zhang and Sandholm (AAAI 2022) for team
belief DAGs. One side, here the team, maximizes v[root of the others] over its flow x, with

    flow         sum of x over a belief's prescriptions = flow into the belief (1 at the root)
    realization  r[l] = flow into the team's leaf class l
    worth        w[m] = sum over l of payoff[l, m] * r[l], for the others' leaf classes m
    potential    v[b] <= sum of v and w over the children of q, for each prescription q of the others' belief b

and the duals of the potential rows are the others' flow. The dual program is the same one with the sides
exchanged. The side with more prescriptions maximizes, so that there are fewer rows; where interior point stalls
on that program, it is given the other one (Kuhn poker with six ranks is such a case).
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from maxmin.errors import MaxminError
from maxmin.highs import quiet_highs, run_highs
from maxmin.match import Match
from maxmin.solve.potentials import Rows, maximize_potential
from maxmin.tree import Floats

if TYPE_CHECKING:
    import highspy

LPSolver: TypeAlias = Literal["auto", "simplex", "interior_point", "first_order"]

LP_SOLVERS: tuple[str, ...] = get_args(LPSolver)
"""The names that `solve` takes as its `lp_solver`."""

_INTERIOR_POINT_FROM = 10_000
"""With more prescriptions than this, interior point is faster than simplex (measured on team games)."""

_TOLERANCE = 1e-12
"""Of interior point without crossover: two or three iterations beyond HiGHS's own 1e-8 on the benchmark games."""


@dataclass(frozen=True, eq=False)
class LinearProgramResult:
    """What HiGHS found.

    Attributes
    ----------
    team, others : (n_prescriptions,) float64
        Strategies: a distribution in each belief.
    iterations : int
        Of whatever HiGHS ran.
    stopped_by : str
        "optimal", "seconds", "interrupt", or "stalled" where HiGHS came to an end without the answer.
    """

    team: Floats
    others: Floats
    iterations: int
    stopped_by: str


def solve_linear_program(
    match: Match,
    *,
    lp_solver: LPSolver = "auto",
    seconds: float | None = None,
    keep_going: Callable[[float], bool] | None = None,
) -> LinearProgramResult:
    """Solve a match as one linear program.

    Parameters
    ----------
    match
        Both sides.
    lp_solver
        "simplex"; "interior_point" (HiGHS's IPX, without crossover to a vertex); "first_order" (PDLP, Applegate et
        al., NeurIPS 2021: many cheap iterations, to a tolerance of about 1e-7); "auto" takes one of the first two
        by size.
    seconds
        Stop after so much.
    keep_going
        Asked now and then; HiGHS stops when it returns False.

    Raises
    ------
    MaxminError
        If HiGHS finds the program infeasible, unbounded or too large.
    """
    deadline = math.inf if seconds is None else time.perf_counter() + seconds
    team_first = match.team.n_prescriptions >= match.others.n_prescriptions
    if lp_solver == "auto":
        n_prescriptions = match.team.n_prescriptions + match.others.n_prescriptions
        lp_solver = "interior_point" if n_prescriptions > _INTERIOR_POINT_FROM else "simplex"
    result = _solve(match, team_first, lp_solver, deadline - time.perf_counter(), keep_going)
    if result.stopped_by == "stalled":  # see the head of this file
        result = _solve(match, not team_first, lp_solver, deadline - time.perf_counter(), keep_going)
    return result


def _solve(
    match: Match, team_first: bool, lp_solver: str, seconds: float, keep_going: Callable[[float], bool] | None
) -> LinearProgramResult:
    first, second = match.sides if team_first else match.sides[::-1]
    highs = quiet_highs(seconds=seconds)
    for name, option in _OPTIONS[lp_solver].items():
        highs.setOptionValue(name, option)
    highs.passModel(_model(match if team_first else match.exchanged()))
    run_highs(highs, f"the linear program of {match.tree.name}", keep_going)
    stopped_by = _status(highs)
    solution = highs.getSolution()
    flow = np.maximum(np.array(solution.col_value)[: first.n_prescriptions], 0.0)
    dual = np.abs(np.array(solution.row_dual)[-second.n_prescriptions :])
    answers = first.distribution(flow), second.distribution(dual)
    info = highs.getInfo()
    counts = (info.simplex_iteration_count, info.ipm_iteration_count, info.pdlp_iteration_count)
    return LinearProgramResult(
        *(answers if team_first else answers[::-1]),
        iterations=sum(max(int(count), 0) for count in counts),
        stopped_by=stopped_by,
    )


_OPTIONS: dict[str, dict[str, str | float]] = {
    "simplex": {"solver": "simplex"},
    "interior_point": {
        "solver": "ipm",
        "run_crossover": "off",  # took most of the time, and ended in simplex
        "ipm_optimality_tolerance": _TOLERANCE,
    },
    "first_order": {"solver": "pdlp", "presolve": "off"},  # undoing presolve spoils its duals
}


def _status(highs: Any) -> str:
    import highspy

    status = highs.getModelStatus()
    names = {
        highspy.HighsModelStatus.kOptimal: "optimal",
        highspy.HighsModelStatus.kTimeLimit: "seconds",
        highspy.HighsModelStatus.kInterrupt: "interrupt",
        highspy.HighsModelStatus.kUnknown: "stalled",
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
