"""Sides of a restricted game that grows: whole, or a belief DAG restricted to what best responses prescribe.

Three kinds, one interface. A `WholeSide` has all its prescriptions. A `SelectedSide` has some of a belief DAG that
fits into memory, so that a best response, and what each belief is worth to it, is one pass. A `PlannedSide` has no
belief DAG but what a list of joint pure plans needs of it (`cpp/src/restricted_dag.cpp`).

A best response enters at every belief, reached now or not, from which following it gains more than the restricted
game's own best response does. If it gains more as a whole there is such a belief, so nothing else can be missing.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from maxmin import _core
from maxmin.decision import DecisionProblem, HasLeafClasses, Observations, take_rows
from maxmin.errors import SizeError
from maxmin.members import Members, complete
from maxmin.plans import UNREACHED
from maxmin.prescriptions import reached_beliefs
from maxmin.side_view import SideView
from maxmin.solve.plan_oracles import MemberOracle
from maxmin.tree import Floats, Ints

KeepGoing = Callable[[float], bool] | None

_MARGIN = 1e-12
"""Gains of no more than this, scaled, are rounding errors."""


class GrowingSide(HasLeafClasses, Protocol):
    """A side as the restricted game sees it.

    `problem` is what it may do now; `number` names each of its prescriptions for good, below `n_numbers`, or is -1.
    """

    problem: DecisionProblem
    number: NDArray[np.int64]

    @property
    def side(self) -> tuple[int, ...]:
        """The players."""

    @property
    def n_numbers(self) -> int:
        """How many numbers of prescriptions there are."""

    def answer(self, worth: Floats, precision: float, keep_going: KeepGoing) -> float:
        """Let best responses in, and return an upper bound on what the side gets with all its prescriptions.

        `worth` is per leaf class. Where a search for plans is long, those that gain no more than `precision` are
        not looked for. `problem` is a new one if it grew.
        """

    def sizes(self) -> dict[str, int | float]:
        """Return the sizes that people compare."""


class WholeSide:
    """A side with all its prescriptions."""

    def __init__(self, problem: DecisionProblem) -> None:
        self.problem: DecisionProblem = problem
        self.side = problem.side
        self.leaf_class = problem.leaf_class
        self.n_leaf_classes = problem.n_leaf_classes
        self.number = np.arange(problem.n_prescriptions)
        self.n_numbers = problem.n_prescriptions

    def answer(self, worth: Floats, precision: float, keep_going: KeepGoing) -> float:
        """See `GrowingSide`: nothing is missing."""
        return self.problem.best_response(worth)[0]

    def sizes(self) -> dict[str, int | float]:
        """Return the sizes of the decision problem."""
        return self.problem.sizes()


@dataclass(frozen=True, eq=False, repr=False)
class SelectedProblem(DecisionProblem):
    """Some beliefs and prescriptions of a whole decision problem, by their numbers there."""

    whole: DecisionProblem
    prescriptions: NDArray[np.int64]
    beliefs: NDArray[np.int64]

    def choices_of(
        self, prescriptions: NDArray[np.int64], beliefs: NDArray[np.int64]
    ) -> Iterator[tuple[NDArray[np.int64], Ints, Ints]]:
        """See `DecisionProblem`."""
        return self.whole.choices_of(self.prescriptions[prescriptions], self.beliefs[beliefs])


class SelectedSide:
    """A side whose belief DAG fits, with the prescriptions that its best responses took so far."""

    def __init__(self, whole: DecisionProblem) -> None:
        self.whole = whole
        self.side = whole.side
        self.leaf_class = whole.leaf_class
        self.n_leaf_classes = whole.n_leaf_classes
        self.n_numbers = whole.n_prescriptions
        self._allowed = np.zeros(whole.n_prescriptions, dtype=bool)
        self._known = np.zeros(whole.n_beliefs, dtype=bool)
        self._known[0] = True
        self._choice = np.empty(whole.n_beliefs, dtype=np.int32)
        self._values = np.empty(whole.n_beliefs + whole.n_leaf_classes)
        self._allow(np.zeros(1, dtype=np.int64), whole.belief_start[:-1])

    def answer(self, worth: Floats, precision: float, keep_going: KeepGoing) -> float:
        """See `GrowingSide`: the bound is what the best response gets."""
        mine = belief_values(self.problem, worth)
        self._values[self.whole.n_beliefs :] = worth
        bound = _core.best_response(self.whole.core, self._values, self._choice)
        kept = np.flatnonzero(self._known)
        gaining = kept[self._values[kept] > mine + _MARGIN]
        if len(gaining):
            self._allow(gaining, self._choice)
        return bound

    def keep(self, wanted: NDArray[np.bool_]) -> None:
        """Allow only the prescriptions that are wanted, (n_prescriptions,): some in each belief behind them."""
        self._known = reached_beliefs(self.whole, wanted)
        belief = np.repeat(np.arange(self.whole.n_beliefs), np.diff(self.whole.belief_start))
        self._allowed = wanted & self._known[belief]
        self._select()

    def extend(self, strategy: Floats) -> Floats:
        """Return a strategy of the restricted belief DAG as one of the whole."""
        flow = np.zeros(self.whole.n_prescriptions)
        flow[self.number] = strategy
        return self.whole.distribution(flow)

    def sizes(self) -> dict[str, int | float]:
        """Return the sizes of the restricted belief DAG."""
        return self.problem.sizes()

    def _allow(self, beliefs: NDArray[np.int64], choice: Ints) -> None:
        """Allow the chosen prescriptions at some beliefs, and at all that are new behind them."""
        whole = self.whole
        while len(beliefs):
            taken = choice[beliefs]
            self._allowed[taken] = True
            children = whole.children[take_rows(whole.child_start, taken)[1]]
            children = np.unique(children[children < whole.n_beliefs])
            beliefs = children[~self._known[children]].astype(np.int64)
            self._known[beliefs] = True
        self._select()

    def _select(self) -> None:
        self.number = np.flatnonzero(self._allowed)
        self.problem: DecisionProblem = select(self.whole, np.flatnonzero(self._known), self.number)


def select(
    whole: DecisionProblem, beliefs: NDArray[np.int64], prescriptions: NDArray[np.int64]
) -> SelectedProblem:
    """Keep some beliefs and prescriptions of a decision problem: all beliefs that the prescriptions lead to."""
    number = np.full(whole.n_beliefs, -1, dtype=np.int32)
    number[beliefs] = np.arange(len(beliefs), dtype=np.int32)
    child_start, entries = take_rows(whole.child_start, prescriptions)
    children = whole.children[entries]
    inside = children < whole.n_beliefs
    children = np.where(
        inside, number[np.where(inside, children, 0)], children - whole.n_beliefs + len(beliefs)
    )
    decision_start, decisions = take_rows(whole.belief_decision_start, beliefs)
    belief_start = np.append(np.searchsorted(prescriptions, whole.belief_start[beliefs]), len(prescriptions))
    return SelectedProblem(
        side=whole.side,
        belief_start=belief_start.astype(np.int32),
        child_start=child_start,
        children=children.astype(np.int32),
        leaf_class=whole.leaf_class,
        n_leaf_classes=whole.n_leaf_classes,
        belief_decision_start=decision_start,
        belief_decisions=whole.belief_decisions[decisions],
        decision_infoset=whole.decision_infoset,
        decision_stage=whole.decision_stage,
        decision_options=whole.decision_options,
        most_infosets=whole.most_infosets,
        plain_edges=float(len(children)),
        public_states=whole.public_states,
        largest_public_state=whole.largest_public_state,
        whole=whole,
        prescriptions=prescriptions,
        beliefs=beliefs,
    )


@dataclass(frozen=True, eq=False, repr=False)
class PlannedProblem(DecisionProblem):
    """A restricted belief DAG: prescription p takes ``options[option_start[p] : option_start[p + 1]]``."""

    option_start: Ints
    options: Ints

    def choices_of(
        self, prescriptions: NDArray[np.int64], beliefs: NDArray[np.int64]
    ) -> Iterator[tuple[NDArray[np.int64], Ints, Ints]]:
        """See `DecisionProblem`."""
        first = self.belief_decision_start[beliefs]
        count = self.belief_decision_start[beliefs + 1] - first
        for position in range(int(count.max(initial=0))):
            row = np.flatnonzero(count > position)
            option = self.options[self.option_start[prescriptions[row]] + position]
            yield row, self.belief_decisions[first[row] + position], option


class PlannedSide:
    """A side without its belief DAG, with the prescriptions of joint pure plans that its members found."""

    def __init__(
        self,
        view: SideView,
        members: Members,
        *,
        memory: int,
        reduce_branching: bool = True,
        observations: Observations = "connected",
    ) -> None:
        merged = view.merge(reduce_branching=reduce_branching)
        self.side = members.side
        self.n_leaf_classes = merged.n_leaf_classes
        self._name, self._memory = view.tree.name, memory
        infoset, stage, options = _core.decisions_of(merged)
        self._decisions = view.origin[infoset], stage, options
        self._n_actions = view.tree.infoset_n_actions
        try:
            self._dag = _core.RestrictedDag(merged, observations == "public", memory)
        except SizeError as error:
            raise self._refusal(error) from None
        self.leaf_class = merged.take_leaf_class()
        self._members = members
        self._oracle = MemberOracle(members)
        self._fold = np.empty(self.n_leaf_classes, dtype=np.int64)
        self._fold[self.leaf_class] = members.leaf_class
        self._plans: list[Ints] = []
        nothing = np.full((1, len(members.agents.infosets)), UNREACHED, dtype=np.int16)
        self._add(complete(members, np.zeros(members.n_leaf_classes), nothing))
        self._grow(self._plans, np.zeros(self.n_leaf_classes), np.zeros(0))

    def answer(self, worth: Floats, precision: float, keep_going: KeepGoing) -> float:
        """See `GrowingSide`: the bound is loose where local search found plans."""
        values = belief_values(self.problem, worth)
        own = np.bincount(self._fold, worth, self._members.n_leaf_classes).astype(np.float64)
        mine = float(values[0])
        found = self._oracle.search(own, mine + precision)
        if not found.plans and found.bound > mine + precision:
            found = self._oracle.prove(own, mine, precision, keep_going)
        if found.plans:
            first = len(self._plans)
            self._add(complete(self._members, own, np.array([plan.choices for plan in found.plans])))
            self._grow(self._plans[first:], worth, values)
        return max(found.bound, mine)  # HiGHS's tolerances may put it lower

    def sizes(self) -> dict[str, int | float]:
        """Return the sizes of the restricted belief DAG, and how many plans made it."""
        return {**self.problem.sizes(), "k": self._members.most_infosets, "plans": len(self._plans)}

    def _add(self, plans: NDArray[np.int16]) -> None:
        """Put plans, an action at each infoset, on the list, as an option for each decision."""
        infoset, stage, options = self._decisions
        n_actions = self._n_actions[infoset]
        action = plans[:, np.searchsorted(self._members.agents.infosets, infoset)].astype(np.int32)
        chained = options < n_actions
        self._plans.extend(np.where(chained, action > stage, action).astype(np.int32))

    def _refusal(self, error: SizeError) -> SizeError:
        return SizeError(
            f"the belief DAG of {','.join(map(str, self.side))} in {self._name}, restricted to plans that were "
            f"found, needs more than the limit of {self._memory / 1e6:.3g} MB: {error}. Raise the memory limit"
        )

    def _grow(self, plans: list[Ints], worth: Floats, values: Floats) -> None:
        try:
            for plan in plans:
                self._dag.grow(plan, worth, values, _MARGIN)
            dag = self._dag.write()
        except SizeError as error:
            raise self._refusal(error) from None
        infoset, stage, options = self._decisions
        self.number = dag.take_prescription_number().astype(np.int64)
        self.n_numbers = int(self.number.max()) + 1
        self.problem: DecisionProblem = PlannedProblem(
            side=self.side,
            belief_start=dag.take_belief_start(),
            child_start=dag.take_child_start(),
            children=dag.take_children(),
            leaf_class=self.leaf_class,
            n_leaf_classes=self.n_leaf_classes,
            belief_decision_start=dag.take_belief_decision_start(),
            belief_decisions=dag.take_belief_decisions(),
            decision_infoset=infoset,
            decision_stage=stage,
            decision_options=options,
            most_infosets=dag.most_infosets,
            plain_edges=dag.plain_edges,
            public_states=0.0,
            largest_public_state=0,
            option_start=dag.take_option_start(),
            options=dag.take_options(),
        )


def belief_values(problem: DecisionProblem, worth: Floats) -> Floats:
    """Return what each belief is worth to a best response: (n_beliefs,)."""
    values = np.empty(problem.n_beliefs + problem.n_leaf_classes)
    values[problem.n_beliefs :] = worth
    _core.best_response(problem.core, values, np.empty(problem.n_beliefs, dtype=np.int32))
    return values[: problem.n_beliefs].copy()
