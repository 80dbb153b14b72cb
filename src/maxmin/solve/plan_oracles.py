"""Oracles of column generation and double oracle: the plans of a side that gain most against the other side.

Two ways, one interface: on the side's belief DAG, exactly and in one pass; or, where that DAG would be too large,
by local search, and by an integer program where local search finds nothing better.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from maxmin.decision import DecisionProblem, take_rows
from maxmin.members import Members, best_replies, random_starts, relaxed_value
from maxmin.plans import PlanMixture
from maxmin.solve.integer_response import IntegerResponse
from maxmin.tree import Floats, Ints

_STARTS = 32
"""Of local search: 10 ms on 3K12, where the integer program takes a second."""

_MOST_WORK = 1e9
"""Of local search, products formed in a round: a few seconds. Forgetful members are many agents, and start less."""

_ROUNDING = 1e-12
"""Gains, scaled, that are apart by less are the same: a plan that is known must not look like a better one."""

_MOST_PLANS = 8
"""Of one answer: more fill the list with plans that lie close to each other."""


@dataclass(frozen=True, eq=False)
class Plan:
    """A joint pure plan of a side.

    Attributes
    ----------
    classes : (n,) int32
        The leaf classes that it plays towards, ascending.
    choices : int32 or int16
        On a belief DAG the prescriptions that it plays; else the action at each infoset of the side.
    """

    classes: Ints
    choices: NDArray[np.signedinteger]


@dataclass(frozen=True, eq=False)
class Answer:
    """Plans that gain much, the best first, and an upper bound on what any plan gains."""

    plans: list[Plan]
    bound: float


class PlanOracle(Protocol):
    """What column generation and double oracle ask; `worth` is what the side gets per leaf class."""

    def search(self, worth: Floats, above: float) -> Answer:
        """Return plans that get more than `above`, if they are found quickly; the bound may be loose."""
        ...

    def prove(
        self, worth: Floats, above: float, precision: float, keep_going: Callable[[float], bool] | None
    ) -> Answer:
        """Return plans that get more than `above`, or a bound that is no larger than that plus `precision`.

        If stopped by `keep_going`, what there is.
        """
        ...


@dataclass(frozen=True, eq=False)
class BeliefOracle:
    """Best responses on the side's belief DAG."""

    problem: DecisionProblem

    def search(self, worth: Floats, above: float) -> Answer:
        """See `PlanOracle`: the one best plan, and what it gets."""
        bound, choice = self.problem.best_response(worth)
        return Answer([plan_of(self.problem, choice)] if bound > above + _ROUNDING else [], bound)

    def prove(
        self, worth: Floats, above: float, precision: float, keep_going: Callable[[float], bool] | None
    ) -> Answer:
        """See `PlanOracle`: a search is a proof."""
        return self.search(worth, above)


@dataclass(eq=False)
class MemberOracle:
    """Best responses without a belief DAG; the same questions get the same answers."""

    members: Members
    _rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))

    def __post_init__(self) -> None:
        self._program = IntegerResponse(self.members)
        work = self.members.n_leaf_classes * len(self.members.agents.each) ** 2
        self._n_starts = int(min(_STARTS, max(1.0, _MOST_WORK / max(work, 1))))

    def search(self, worth: Floats, above: float) -> Answer:
        """See `PlanOracle`: local search; the bound is what members would get who told each other all they see."""
        gains, found = self._climb(worth)
        return Answer(self._best(gains, found, above), relaxed_value(self.members, worth))

    def prove(
        self, worth: Floats, above: float, precision: float, keep_going: Callable[[float], bool] | None
    ) -> Answer:
        """See `PlanOracle`: the integer program, unless its linear one is good enough."""
        gains, found = self._climb(worth)
        plans = self._best(gains, found, above + precision)
        bound = min(relaxed_value(self.members, worth), self._program.relax(worth, keep_going))
        if plans or bound <= above + precision:
            return Answer(plans, bound)
        start = found[int(np.argmax(gains))]
        proved, point = self._program.solve(worth, keep_going, start=start, precision=precision)
        gains, found = best_replies(self.members, worth, point) if point else (gains, found)
        # HiGHS's tolerances may put its bound lower than what a plan is seen to get.
        return Answer(self._best(gains, found, above), max(min(bound, proved), float(gains.max())))

    def _climb(self, worth: Floats) -> tuple[Floats, NDArray[np.int16]]:
        return best_replies(self.members, worth, random_starts(self.members, self._n_starts, self._rng))

    def _best(self, gains: Floats, found: NDArray[np.int16], above: float) -> list[Plan]:
        order = np.argsort(-gains, kind="stable")
        plans: dict[bytes, Plan] = {}
        for plan in found[order[gains[order] > above + _ROUNDING]]:
            classes = self.members.classes_of(plan)
            plans.setdefault(classes.tobytes(), Plan(classes, plan))
            if len(plans) == _MOST_PLANS:
                break
        return list(plans.values())


def oracle_of(side: DecisionProblem | Members) -> PlanOracle:
    """Return the oracle of a side."""
    return MemberOracle(side) if isinstance(side, Members) else BeliefOracle(side)


def mixture_of(
    side: DecisionProblem | Members, plans: Sequence[Plan], weights: Floats
) -> Floats | PlanMixture:
    """Return weighted plans of a side as a strategy: as `DecisionProblem` orders it, or as a mixture of plans."""
    if isinstance(side, Members):
        kept = np.flatnonzero(weights > 0)
        rows = np.array([plans[k].choices for k in kept.tolist()], dtype=np.int16)
        return PlanMixture(side.agents.infosets, rows, weights[kept])
    flow = np.zeros(side.n_prescriptions)
    for plan, weight in zip(plans, weights.tolist(), strict=True):
        flow[plan.choices] += weight
    return side.distribution(flow)


def plan_of(problem: DecisionProblem, choice: Ints) -> Plan:
    """Follow one prescription for each belief from the root."""
    beliefs = np.zeros(1, dtype=np.int32)
    prescriptions: list[Ints] = []
    classes: list[Ints] = []
    while len(beliefs):
        played = choice[beliefs]
        prescriptions.append(played)
        children = problem.children[take_rows(problem.child_start, played)[1]]
        classes.append(children[children >= problem.n_beliefs] - np.int32(problem.n_beliefs))
        beliefs = children[children < problem.n_beliefs]
    return Plan(np.sort(np.concatenate(classes)), np.concatenate(prescriptions))
