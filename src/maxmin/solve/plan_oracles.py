"""Oracles of column generation: the plans of a side that gain most against what the other side does.

Two ways, one interface: on the side's belief DAG, exactly and in one pass; or, where that DAG would be too large,
by local search, and by an integer program where local search finds nothing better.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from maxmin.decision import DecisionProblem, take_rows
from maxmin.members import Members, best_replies, random_starts, relaxed_value
from maxmin.solve.integer_response import IntegerResponse
from maxmin.tree import Floats, Ints

_STARTS = 32
"""Of local search: 10 ms on 3K12, where the integer program takes a second."""

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
    """What column generation asks."""

    def answer(self, worth: Floats, above: float, keep_going: Callable[[float], bool] | None) -> Answer:
        """Return plans that get more than `above`, if there are any; `worth` is per leaf class."""
        ...


@dataclass(frozen=True, eq=False)
class BeliefOracle:
    """Best responses on the side's belief DAG."""

    problem: DecisionProblem

    def answer(self, worth: Floats, above: float, keep_going: Callable[[float], bool] | None) -> Answer:
        """See `PlanOracle`: the one best plan, and what it gets."""
        bound, choice = self.problem.best_response(worth)
        return Answer([plan_of(self.problem, choice)], bound)


@dataclass(eq=False)
class MemberOracle:
    """Best responses without a belief DAG; the same questions get the same answers."""

    members: Members
    _rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))

    def __post_init__(self) -> None:
        self._program = IntegerResponse(self.members)

    def answer(self, worth: Floats, above: float, keep_going: Callable[[float], bool] | None) -> Answer:
        """See `PlanOracle`: the bound is loose unless the integer program was asked."""
        plans = self._search(worth, above, random_starts(self.members, _STARTS, self._rng))
        bound = relaxed_value(self.members, worth)
        if not plans and bound > above:
            proved, point = self._program.solve(worth, keep_going)
            bound = min(bound, proved)
            plans = self._search(worth, above, point) if point else []
        return Answer(plans, bound)

    def _search(self, worth: Floats, above: float, starts: list[Floats]) -> list[Plan]:
        gains, found = best_replies(self.members, worth, starts)
        order = np.argsort(-gains, kind="stable")
        plans: dict[bytes, Plan] = {}
        for plan in found[order[gains[order] > above]]:
            classes = self.members.classes_of(plan)
            plans.setdefault(classes.tobytes(), Plan(classes, plan))
            if len(plans) == _MOST_PLANS:
                break
        return list(plans.values())


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
