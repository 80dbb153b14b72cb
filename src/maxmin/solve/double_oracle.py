"""Double oracle on decision problems: linear programs over the few prescriptions that matter.

Bosansky, Kiekintveld, Lisy and Pechoucek (JAIR 2014) for sequence forms; here on belief DAGs, for teams as well.
Both sides are restricted to some prescriptions; the linear program of the restricted match is solved, each side
answers on its whole DAG, and what gains is allowed from then on. It ends when nothing gains: then the restricted
answer is one of the whole match. What differs from the paper:

* The first restriction is not one plan a side but the support of an approximate solution, found by PCFR+. On the
  benchmark games the rest takes at most a dozen rounds.
* A round does not add one best response but, in each belief that either side can come to under the restriction,
  the prescription that gains most over the allowed ones, as policy iteration does.

Interior point needs no start from the last round's program, which would cost it more than it saves.
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from maxmin import _core
from maxmin.decision import DecisionProblem
from maxmin.match import Bounds, Match
from maxmin.solve.linear_program import solve_linear_program
from maxmin.solve.restriction import restrict, restricted_payoffs, support, widen
from maxmin.tree import Floats

LEAST_FLOW = 1e-5
"""What the first restriction allows has at least this flow; ten times less or more changes times by a third."""


class DoubleOracle:
    """A run of double oracle.

    Parameters
    ----------
    match
        Both sides.
    start
        A strategy of each, as `DecisionProblem` orders them, whose support is allowed at first.

    Attributes
    ----------
    rounds : int
    improves : bool
        Whether the last round allowed anything new.
    """

    def __init__(self, match: Match, start: tuple[Floats, Floats]) -> None:
        self.rounds, self.improves = 0, True
        self._match = match
        self._allowed = tuple(
            support(problem, strategy, LEAST_FLOW)
            for problem, strategy in zip(match.sides, start, strict=True)
        )
        self._lower, self._upper = -math.inf, math.inf
        self._answer(*start)

    def advance(self, seconds: float | None, keep_going: Callable[[float], bool]) -> None:
        """Solve the restricted match and allow what gains against its answer.

        Raises
        ------
        MaxminError
            If HiGHS cannot solve its linear program.
        """
        parts = [
            restrict(problem, allowed)
            for problem, allowed in zip(self._match.sides, self._allowed, strict=True)
        ]
        ours, theirs = parts
        match = Match(
            self._match.tree,
            ours.problem,
            theirs.problem,
            self._match.scale,
            restricted_payoffs(self._match.payoffs, ours, theirs),
            restricted_payoffs(self._match.transposed, theirs, ours),
        )
        found = solve_linear_program(match, lp_solver="interior_point", seconds=seconds, keep_going=keep_going)
        if found.stopped_by == "optimal":
            ...
