"""Restricted linear programs: the program of a match over the few prescriptions that matter.

The way of Bosansky, Kiekintveld, Lisy and Pechoucek (JAIR 2014) for sequence forms; here on belief DAGs, for
teams as well. Both sides are restricted to some prescriptions; the linear program of the restricted match is
solved, each side answers on its whole DAG, and what gains is allowed from then on. It ends when nothing gains: then
the restricted answer is one of the whole match. What differs from the paper:

* The first restriction is not one plan a side but the support of an approximate solution, found by regret
  minimization. On the benchmark games the rest takes at most a dozen rounds.
* A round does not add one best response but, in each belief that either side can come to under the restriction,
  the prescription that gains most over the allowed ones, as policy iteration does (`SelectedSide`, which DAG
  column generation and pruning grow too).

Interior point needs no start from the last round's program, which would cost it more than it saves.
"""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from maxmin.decision import DecisionProblem
from maxmin.match import Bounds, Match
from maxmin.solve.growing_sides import SelectedSide
from maxmin.solve.linear_program import solve_linear_program
from maxmin.tree import Floats

LEAST_FLOW = 1e-5
"""What the first restriction allows has at least this flow; ten times less or more changes times by a third."""


class RestrictedProgram:
    """A run of restricted linear programs.

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
    stalled : bool
        Whether interior point came to an end without the answer in the last round.
    """

    def __init__(self, match: Match, start: tuple[Floats, Floats]) -> None:
        self.rounds, self.improves, self.stalled = 0, True, False
        self._match = match
        self._sides = SelectedSide(match.team), SelectedSide(match.others)
        self._lower, self._upper = -math.inf, math.inf
        self._answer(*start)
        for side, strategy in zip(self._sides, start, strict=True):
            side.keep(support(side.whole, strategy, LEAST_FLOW))

    def advance(self, keep_going: Callable[[float], bool]) -> None:
        """Solve the restricted match and allow what gains against its answer; sets `improves` and `stalled`."""
        ours, theirs = self._sides
        before = ours.problem, theirs.problem
        found = solve_linear_program(
            replace(self._match, team=ours.problem, others=theirs.problem),
            lp_solver="interior_point",
            keep_going=keep_going,
        )
        self.improves, self.stalled = False, found.stopped_by == "stalled"
        if found.stopped_by in ("seconds", "interrupt"):
            return
        self.rounds += 1
        self._answer(ours.extend(found.team), theirs.extend(found.others))
        self.improves = ours.problem is not before[0] or theirs.problem is not before[1]

    def bounds(self) -> Bounds:
        """Bound the value by the best strategies so far."""
        return self._match.scale.to_bounds(self._lower, self._upper)

    def strategies(self) -> tuple[Floats, Floats]:
        """Return the best strategies so far, as `DecisionProblem` orders them."""
        return self._ours, self._theirs

    def _answer(self, ours: Floats, theirs: Floats) -> None:
        """Let each side answer the other's strategy on its whole DAG; keep the strategies that prove most."""
        match = self._match
        reach = [
            problem.realize(strategy)[problem.n_beliefs :]
            for problem, strategy in zip(match.sides, (ours, theirs), strict=True)
        ]
        worth = match.worth(reach[1], of_team=True), match.worth(reach[0], of_team=False)
        most, theirs_most = (
            side.answer(gain, 0.0, None) for side, gain in zip(self._sides, worth, strict=True)
        )
        if -theirs_most > self._lower:
            self._lower, self._ours = -theirs_most, ours
        if most < self._upper:
            self._upper, self._theirs = most, theirs


def support(problem: DecisionProblem, strategy: Floats, least_flow: float) -> NDArray[np.bool_]:
    """Allow what a strategy plays with some flow, and what it plays most in each belief: (n_prescriptions,)."""
    first, size = problem.belief_start[:-1], np.diff(problem.belief_start)
    reach = problem.realize(strategy)[: problem.n_beliefs]
    allowed = np.repeat(reach, size) * strategy > least_flow
    most = np.flatnonzero(strategy == np.repeat(np.maximum.reduceat(strategy, first), size))
    _, earliest = np.unique(np.repeat(np.arange(len(size)), size)[most], return_index=True)
    allowed[most[earliest]] = True
    return allowed
