"""Pruned regret minimization: prescriptions that cannot matter for a while are not visited until they may.

Best-response pruning of Brown and Sandholm (ICML 2017), after their regret-based pruning (NIPS 2015): an action is
left out as long as not even a best response behind it gains against the other side's average. What differs from the
paper: bounds are best responses to the averages anyway, on the whole belief DAGs, so that each time that they are
computed tells at no further cost where one gains; and as many prescriptions share children, a belief is left out
when no prescription that is left in leads to it.

From iteration `_FIRST` on, and again whenever the number of iterations has doubled, a side keeps the prescriptions
that it plays now. Whenever bounds are computed, a best response is let in at every belief from which it gains more
than what is left in. Iterations run on a copy of what is left in, by the same kernel, so that they take less memory
and less time.
"""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field

import numpy as np
from numpy.typing import NDArray

from maxmin.decision import DecisionProblem
from maxmin.match import Bounds, Match
from maxmin.solve.growing_sides import SelectedSide
from maxmin.solve.minimizer import Minimizer
from maxmin.solve.regret import PLANNED, RegretRun, RegretSide
from maxmin.tree import Floats

_FIRST = 16
"""Iterations before anything is left out; a prescription may be played first after a few."""


class _PrunedSide:
    """One side: what is left in, and what everything else had when it was left out."""

    def __init__(self, whole: DecisionProblem) -> None:
        self.kept = SelectedSide(whole)
        self.problem = whole
        self.number: NDArray[np.int64] | slice = slice(None)
        self.regrets = np.zeros(whole.n_prescriptions)
        self.strategy = whole.distribution(self.regrets)
        self.flow_sum = np.zeros(whole.n_prescriptions)
        self.leaf_sum = np.zeros(whole.n_leaf_classes)

    def store(self, state: RegretSide) -> None:
        """Take over what an iteration left."""
        self.regrets[self.number] = state.regrets
        self.strategy[self.number] = state.strategy
        self.flow_sum[self.number] = state.flow_sum
        self.leaf_sum[:] = state.leaf_sum

    def load(self, state: RegretSide) -> None:
        """Hand over what the next iteration needs; what a belief played may have been left out since."""
        state.start_with(self.regrets[self.number], self.problem.distribution(self.strategy[self.number]))
        state.flow_sum[:] = self.flow_sum[self.number]
        state.leaf_sum[:] = self.leaf_sum

    def leave_out(self) -> None:
        """Keep only what is played now."""
        self.kept.keep(self.strategy > 0)

    def renew(self) -> bool:
        """Take what is left in as it is now; say whether it is another."""
        changed = self.problem is not self.kept.problem
        self.problem, self.number = self.kept.problem, self.kept.number
        return changed


@dataclass(eq=False)
class PrunedRun:
    """A run of pruned regret minimization; used as a `RegretRun` is.

    Attributes
    ----------
    match : Match
    minimizer : Minimizer
    alternating, planned, threads
        See `RegretRun`.
    iterations : int
        How many were done.
    """

    match: Match
    minimizer: Minimizer
    _: KW_ONLY
    alternating: bool = True
    planned: int = PLANNED
    threads: int = 1
    _run: RegretRun = field(init=False)

    def __post_init__(self) -> None:
        self._sides = [_PrunedSide(problem) for problem in self.match.sides]
        self._run = self._on(self.match)
        self._leave_out_at = _FIRST

    @property
    def iterations(self) -> int:
        """How many were done."""
        return self._run.iterations

    @property
    def sides(self) -> tuple[RegretSide, RegretSide]:
        """The states of what is left in, of the team and of the others."""
        return self._run.sides

    def advance_to_check(
        self, most: int | None = None, keep_going: Callable[[float], bool] | None = None
    ) -> None:
        """See `RegretRun`."""
        self._run.advance_to_check(most, keep_going)

    def bounds(self) -> Bounds:
        """Bound the value by best responses to the average strategies, and let in what of these gains."""
        if self.iterations < _FIRST:
            return self._run.bounds()
        for side, state in zip(self._sides, self.sides, strict=True):
            side.store(state)
        if self.iterations >= self._leave_out_at:
            self._leave_out_at = 2 * self.iterations
            for side in self._sides:
                side.leave_out()
        ours, theirs = self._run.class_reaches()
        worth = self.match.worth(theirs, of_team=True), self.match.worth(ours, of_team=False)
        most, least = (
            side.kept.answer(gain, 0.0, None) for side, gain in zip(self._sides, worth, strict=True)
        )
        changed = [side.renew() for side in self._sides]
        if any(changed):
            self._go_on()
        return self.match.scale.to_bounds(-least, most)

    def averages(self) -> tuple[Floats, Floats]:
        """See `RegretRun`."""
        for side, state in zip(self._sides, self.sides, strict=True):
            side.store(state)
        ours, theirs = (
            problem.distribution(side.flow_sum)
            for problem, side in zip(self.match.sides, self._sides, strict=True)
        )
        return ours, theirs

    def _go_on(self) -> None:
        before, match = self._run, self.match
        problems = [side.problem for side in self._sides]
        self._run = self._on(
            Match(match.tree, problems[0], problems[1], match.scale, match.payoffs, match.transposed)
        )
        self._run.iterations, self._run.weight = before.iterations, before.weight
        for side, state in zip(self._sides, self.sides, strict=True):
            side.load(state)

    def _on(self, match: Match) -> RegretRun:
        return RegretRun(
            match,
            self.minimizer,
            alternating=self.alternating,
            planned=self.planned,
            threads=self.threads,
        )
