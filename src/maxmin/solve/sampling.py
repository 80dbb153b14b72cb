"""Monte Carlo regret minimization: runs of either sampler, their averages and bounds, saving and resuming.

Lanctot, Waugh, Zinkevich and Bowling (NIPS 2009). Each iteration updates both sides in turn from what was drawn;
iteration t counts t times, in regrets and in averages (linear CFR: Brown and Sandholm, AAAI 2019). A bound costs
passes over both belief DAGs, as much as thousands of iterations may, so bounds are tracked whenever the iterations
have looked at several times as many edges as the DAGs have, later when they have looked at a sixth more.
"""

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from maxmin import _core
from maxmin.decision import DecisionProblem
from maxmin.errors import SolutionError
from maxmin.limits import MOST
from maxmin.match import Bounds, Match
from maxmin.solve.iterated import OTHER_STATE, fingerprint
from maxmin.tree import Floats

_PASSES = 4
"""Edges looked at between two bounds, at least, as a multiple of those of both DAGs: bounds take little time."""

_SAVED = ("regrets", "flow_sum", "baseline")


class SampledSums:
    """What one side carries from one iteration to the next.

    Attributes
    ----------
    regrets, flow_sum : (n_prescriptions,) float64
        Weighted sums of sampled regrets, and of the strategies in sampled beliefs.
    baseline : (n_beliefs,) float64
        What beliefs were worth of late, scaled; used by outcome sampling.
    """

    def __init__(self, problem: DecisionProblem, infoset_n_actions: NDArray[np.int32]) -> None:
        self.problem = problem
        self.regrets = np.zeros(problem.n_prescriptions)
        self.flow_sum = np.zeros(problem.n_prescriptions)
        self.baseline = np.zeros(problem.n_beliefs)
        self.core = _core.SampledSide(
            problem.belief_start,
            problem.child_start,
            problem.children,
            problem.n_leaf_classes,
            problem.belief_decision_start,
            problem.belief_decisions,
            problem.decision_infoset,
            problem.decision_stage,
            problem.decision_options,
            problem.leaf_class,
            infoset_n_actions,
            self.regrets,
            self.flow_sum,
            self.baseline,
        )

    def average(self) -> Floats:
        """The average strategy: (n_prescriptions,), a distribution in each belief, uniform where never drawn."""
        return self.problem.distribution(self.flow_sum)

    def class_reach(self) -> Floats:
        """How often the average strategy plays towards each leaf class: (n_leaf_classes,)."""
        reach = np.empty(self.problem.n_beliefs + self.problem.n_leaf_classes)
        _core.realize(self.problem.core, self.average(), reach)
        return reach[self.problem.n_beliefs :].copy()


class CoreSampler(Protocol):
    """A sampler of the native core."""

    @property
    def touched(self) -> int:
        """Edges and the like looked at so far."""

    def run(
        self,
        state: int,
        first: int,
        count: int,
        edges: int,
        progress: Callable[[float], bool] | None = None,
    ) -> tuple[int, int]:
        """Run iterations from a random state; return how many were done, and the new state."""


@dataclass(frozen=True)
class Sampler:
    """A way to sample.

    Attributes
    ----------
    name : str
        As users type it.
    source : str
        The paper.
    make : Callable
        Makes the native core's sampler of a match and both sides' sums.
    """

    name: str
    source: str
    make: Callable[[Match, SampledSums, SampledSums], CoreSampler]


@dataclass
class SamplingRun:
    """A run of Monte Carlo regret minimization that can be continued.

    Attributes
    ----------
    match : Match
    sampler : Sampler
    seed : int
        The same seed gives the same bytes.
    iterations : int
        How many were done.
    touched : int
        How many edges, prescriptions and the like they have looked at.
    """

    match: Match
    sampler: Sampler
    _: KW_ONLY
    seed: int = 0
    iterations: int = 0
    touched: int = 0
    _team: SampledSums = field(init=False)
    _others: SampledSums = field(init=False)
    _core: CoreSampler = field(init=False)
    _random_state: int = field(init=False)

    def __post_init__(self) -> None:
        n_actions = self.match.tree.infoset_n_actions
        self._team, self._others = (SampledSums(problem, n_actions) for problem in self.match.sides)
        self._core = self.sampler.make(self.match, self._team, self._others)
        self._random_state = self.seed

    def advance(self, count: int, keep_going: Callable[[float], bool] | None = None) -> int:
        """Run up to `count` iterations, fewer if `keep_going` returns False; return how many were done."""
        return self._advance(count, MOST, keep_going)

    def advance_to_check(
        self, most: int | None = None, keep_going: Callable[[float], bool] | None = None
    ) -> None:
        """Run until bounds are to be computed, the same moment however runs are cut, or there are `most`."""
        count = MOST if most is None else most - self.iterations
        self._advance(count, self._next_check() - self.touched, keep_going)

    def bounds(self) -> Bounds:
        """Bound the value by best responses to the average strategies."""
        return self.match.bounds(self._team.class_reach(), self._others.class_reach())

    def averages(self) -> tuple[Floats, Floats]:
        """Return the average strategies of the team and of the others, as `DecisionProblem` orders them."""
        return self._team.average(), self._others.average()

    def settings(self) -> dict[str, Any]:
        """Return what a run that goes on from this one's state must agree on."""
        return {"method": self.sampler.name, "seed": self.seed}

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return all that is needed to go on later, by name."""
        numbers = {
            "iterations": np.uint64(self.iterations),
            "touched": np.uint64(self.touched),
            "random_state": np.uint64(self._random_state),
            "match": np.int64(fingerprint(self.match)),
        }
        return {**self._sums(), **{name: np.array(number) for name, number in numbers.items()}}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Go on from `to_arrays`.

        Raises
        ------
        SolutionError
            If the arrays are of another game or team.
        """
        for name, ours in self.to_arrays().items():
            if name not in arrays:
                raise SolutionError(f"the saved state lacks {name}")
            saved = arrays[name]
            fits = saved.shape == ours.shape and saved.dtype == ours.dtype
            if not fits or (name == "match" and saved != ours):
                raise SolutionError(OTHER_STATE)
        for name, ours in self._sums().items():
            ours[:] = arrays[name]
        self.iterations = int(arrays["iterations"])
        self.touched = int(arrays["touched"])
        self._random_state = int(arrays["random_state"])

    def _advance(self, count: int, edges: int, keep_going: Callable[[float], bool] | None) -> int:
        before = self._core.touched
        done, self._random_state = self._core.run(
            self._random_state, self.iterations + 1, count, edges, keep_going
        )
        self.iterations += done
        self.touched += self._core.touched - before
        return done

    def _next_check(self) -> int:
        step = _PASSES * sum(problem.n_edges + 1 for problem in self.match.sides)
        check = step
        while check <= self.touched:
            check += max(step, check // 6)
        return check

    def _sums(self) -> dict[str, Floats]:
        sides = {"team": self._team, "others": self._others}
        return {f"{name}_{part}": getattr(side, part) for name, side in sides.items() for part in _SAVED}
