"""DAG-based column generation: a restricted belief DAG of each side, grown by best responses until none gains.

Zhang, An and Zeng (ICML 2024); for two players Bosansky, Kiekintveld, Lisy and Pechoucek (JAIR 2014), who grow
sequence forms. A list of plans mixes whole plans; a belief DAG of the same plans mixes anew at each belief, so that
few plans make exponentially many, and few rounds are needed. Each round

    solves the restricted game between both sides' restricted belief DAGs,
    answers each side's solution with a best response of the other one, which has all its prescriptions,
    and lets that in at every belief where it gains (`growing_sides`).

The best responses bound the value. What differs from the paper: either side may be restricted, or both; a best
response enters wherever it gains, not only on its own way; and the restricted game is solved by regret minimization
that goes on from its last regrets, a little more exactly than best responses gain, and by linear programming only
where a tiny gap is asked for.
"""

import math
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field

import numpy as np
from numpy.typing import NDArray

from maxmin.decision import DecisionProblem
from maxmin.match import Bounds
from maxmin.solve.dcfr_plus import DCFR_PLUS
from maxmin.solve.growing_match import GrowingMatch
from maxmin.solve.growing_sides import GrowingSide
from maxmin.solve.linear_program import solve_linear_program
from maxmin.solve.regret import RegretRun
from maxmin.strategy import Strategy
from maxmin.tree import Floats

_FIRST_TOLERANCE = 0.1
"""How exactly, scaled, the first restricted games are solved."""

_EXACTER = 0.25
"""How much more exactly a restricted game is solved than the bounds are apart."""

_PROGRAM_BELOW = 1e-6
"""Restricted games are solved by linear programming where the tolerance, scaled, is below this."""

_LEAST_SHARE, _SHARE_OF_EACH = 0.5, 0.7
"""Of the precision: no restricted game is solved more exactly, and neither side's answers are."""

_WARM = 10
"""A restricted game that grew goes on as if after so many iterations: new averages, but regrets hardly shrink."""


@dataclass(frozen=True, eq=False)
class _Part:
    """One side's part of a solution: a strategy on the belief DAG of that time, and what it plays towards."""

    problem: DecisionProblem
    probability: Floats
    reach: Floats


@dataclass(eq=False)
class DagColumnGeneration:
    """A run of DAG-based column generation.

    Attributes
    ----------
    match : GrowingMatch
    precision : float
        Half of the gap, scaled, that the bounds are to reach.
    rounds : int
    improves : bool
        Whether another round may find more.
    """

    match: GrowingMatch
    _: KW_ONLY
    precision: float = 0.0
    rounds: int = 0
    improves: bool = True
    _run: RegretRun = field(init=False)

    def __post_init__(self) -> None:
        self._tolerance = _FIRST_TOLERANCE
        self._least, self._most = -math.inf, math.inf
        self._best: list[_Part | None] = [None, None]
        self._run = RegretRun(self.match.restricted(), DCFR_PLUS)

    def advance(self, keep_going: Callable[[float], bool] | None = None) -> None:
        """Solve the restricted game, and let best responses to its solution in; sets `improves`."""
        by_program = self._tolerance < _PROGRAM_BELOW
        parts = self._programmed(keep_going) if by_program else self._regretted(keep_going)
        numbers = [side.number for side in self.match.sides]
        match = self.match.restricted()
        worth = match.worth(parts[1].reach, of_team=True), match.worth(parts[0].reach, of_team=False)
        most, least = (
            side.answer(gain, _SHARE_OF_EACH * self.precision, keep_going)
            for side, gain in zip(self.match.sides, worth, strict=True)
        )
        if -least > self._least:
            self._least, self._best[0] = -least, parts[0]
        if most < self._most:
            self._most, self._best[1] = most, parts[1]
        self.rounds += 1
        grew = any(
            side.problem is not part.problem for side, part in zip(self.match.sides, parts, strict=True)
        )
        if grew:
            self._go_on(numbers)
        self.improves = grew or not by_program
        closer = min(_EXACTER * (self._most - self._least), self._tolerance if grew else self._tolerance / 2)
        self._tolerance = max(closer, _LEAST_SHARE * self.precision)

    def bounds(self) -> Bounds:
        """Bound the value by the best responses to the best solutions so far."""
        return self.match.scale.to_bounds(self._least, self._most)

    def strategies(self) -> tuple[Strategy, Strategy]:
        """Return the strategies of the team and of the others that the bounds belong to."""
        ours, theirs = (
            Strategy.from_problem(self.match.tree, part.problem, part.probability)
            for part in self._best
            if part is not None
        )
        return ours, theirs

    def _regretted(self, keep_going: Callable[[float], bool] | None) -> tuple[_Part, _Part]:
        """Minimize regrets until the restricted game is solved to the tolerance."""
        run, half_range = self._run, self.match.scale.half_range or 1.0
        going = True
        while going:
            run.advance(max(_WARM, run.iterations // 6), keep_going)
            going = run.bounds().gap > self._tolerance * half_range
            going = going and (keep_going is None or keep_going(self.rounds))
        ours, theirs = (
            _Part(*each) for each in zip(run.match.sides, run.averages(), run.class_reaches(), strict=True)
        )
        return ours, theirs

    def _programmed(self, keep_going: Callable[[float], bool] | None) -> tuple[_Part, _Part]:
        """Solve the restricted game by linear programming."""
        match = self.match.restricted()
        found = solve_linear_program(match, keep_going=keep_going)
        ours, theirs = (
            _Part(problem, strategy, problem.realize(strategy)[problem.n_beliefs :].copy())
            for problem, strategy in zip(match.sides, (found.team, found.others), strict=True)
        )
        return ours, theirs

    def _go_on(self, numbers: list[NDArray[np.int64]]) -> None:
        """Minimize regrets of the restricted game as it is now; prescriptions that it had keep theirs."""
        before = self._run.sides
        self._run = RegretRun(self.match.restricted(), DCFR_PLUS)
        self._run.iterations = _WARM
        for state, side, old, number in zip(self._run.sides, self.match.sides, before, numbers, strict=True):
            regrets = _carry(old.regrets, number, side)
            state.start_with(regrets, side.problem.distribution(regrets))


def _carry(regrets: Floats, old: NDArray[np.int64], side: GrowingSide) -> Floats:
    """Give the prescriptions of a side that grew the regrets that they had; new ones have none."""
    table = np.zeros(side.n_numbers + 1)
    table[old] = regrets
    table[-1] = 0.0  # where prescriptions without a number are
    carried: Floats = table[side.number]
    return carried
