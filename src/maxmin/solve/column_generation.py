"""Column generation: a linear program over a growing list of joint pure plans of one side.

McMahan, Gordon and Blum (ICML 2003); for correlated team strategies Celli and Gatti (AAAI 2018) and Zhang, An and
Zeng (ICML 2024). Here only the *listed* side, the one with the larger decision problem, is restricted to a list
of plans; the other side is there as a whole. With P the listed side's payoffs, each round solves

    maximize v[root]  over weights x of the plans, with
    sum of x = 1,   w[m] = sum over plans k of x[k] * (P of plan k)[m]   for the other side's leaf classes m,
    v[b] <= sum of v and w over the children of q                        for each prescription q of its belief b.

The duals of the last rows are the other side's flow y. The listed side's best response to y, on its belief DAG,
bounds the value from above and joins the list; HiGHS goes on from its last basis. It ends when no plan does better.
What differs from the papers: the oracle is the DAG, so a round costs one pass over its edges.
"""

import math
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from maxmin import _core
from maxmin.decision import DecisionProblem, Payoffs, take_rows
from maxmin.highs import quiet_highs, run_highs
from maxmin.match import Bounds, Match
from maxmin.solve.potentials import Rows, maximize_potential
from maxmin.tree import Floats, Ints

if TYPE_CHECKING:
    import highspy


@dataclass(frozen=True, eq=False)
class Plan:
    """A joint pure plan of a side: the prescriptions that it plays, and the leaf classes it plays towards."""

    prescriptions: Ints
    classes: Ints


@dataclass(eq=False)
class ColumnGeneration:
    """A run of column generation.

    Attributes
    ----------
    match : Match
    lists_team : bool
        Whether the team is the listed side.
    plans : list of Plan
    weights : (n_plans,) float64
    rounds : int
    """

    match: Match
    _: KW_ONLY
    lists_team: bool
    plans: list[Plan] = field(default_factory=list)
    weights: Floats = field(default_factory=lambda: np.zeros(0))
    rounds: int = 0

    def __post_init__(self) -> None:
        match = self.match
        self._listed, self._whole = (
            (match.team, match.others) if self.lists_team else (match.others, match.team)
        )
        # Rows of the other side's leaf classes: what the team gets towards each of them.
        self._worth: Payoffs = match.transposed if self.lists_team else match.payoffs
        self._highs = quiet_highs()
        self._highs.passModel(_master(self._whole))
        self._answer = self._best_answer = self._whole.distribution(np.ones(self._whole.n_prescriptions))
        self._most = math.inf
        self.improves = True

    def start_with(self, plans: list[Plan]) -> None:
        """Put plans on the list before the first round."""
        for plan in plans:
            self._add(plan)
        self._solve(None)

    def advance(self, keep_going: Callable[[float], bool] | None = None) -> None:
        """Add the best response to the other side's last answer, and solve again; sets `improves`."""
        most, choice = self.match.best_response(self._reach_of(self._answer), of_team=self.lists_team)
        if most < self._most:
            self._most, self._best_answer = most, self._answer
        plan = plan_of(self._listed, choice)
        self.improves = not any(np.array_equal(plan.classes, old.classes) for old in self.plans)
        if self.improves:
            self._add(plan)
            self._solve(keep_going)
            self.rounds += 1

    def _solve(self, keep_going: Callable[[float], bool] | None) -> None:
        run_highs(self._highs, "a round of column generation", keep_going)
        solution = self._highs.getSolution()
        if not solution.dual_valid:  # interrupted: the last round's weights and answer still stand
            return
        values = np.array(solution.col_value)
        weights = np.maximum(values[-len(self.plans) :], 0.0)
        self.weights = weights / weights.sum()
        dual = np.abs(np.array(solution.row_dual)[-self._whole.n_prescriptions :])
        self._answer = self._whole.distribution(dual)

    def bounds(self) -> Bounds:
        """Bound the value by best responses to the mixture of plans, and to the best answer so far."""
        least = -self.match.best_response(self.class_reach(), of_team=not self.lists_team)[0]
        return self.match.to_bounds(*((least, self._most) if self.lists_team else (-self._most, -least)))

    def class_reach(self) -> Floats:
        """Return how often the mixture of plans plays towards each of the listed side's leaf classes."""
        reach = np.zeros(self._listed.n_leaf_classes)
        for plan, weight in zip(self.plans, self.weights.tolist(), strict=True):
            reach[plan.classes] += weight
        return reach

    def strategies(self) -> tuple[Floats, Floats]:
        """Return the strategies of the team and of the others, as `DecisionProblem` orders them."""
        flow = np.zeros(self._listed.n_prescriptions)
        for plan, weight in zip(self.plans, self.weights.tolist(), strict=True):
            flow[plan.prescriptions] += weight
        listed = self._listed.distribution(flow)
        return (listed, self._best_answer) if self.lists_team else (self._best_answer, listed)

    def _reach_of(self, strategy: Floats) -> Floats:
        reach = np.empty(self._whole.n_beliefs + self._whole.n_leaf_classes)
        _core.realize(self._whole.core, strategy, reach)
        return reach[self._whole.n_beliefs :].copy()

    def _add(self, plan: Plan) -> None:
        towards = np.zeros(self._listed.n_leaf_classes)
        towards[plan.classes] = 1.0
        worth = np.empty(self._whole.n_leaf_classes)
        _core.multiply(self._worth.core, towards, -1.0 if self.lists_team else 1.0, worth)
        rows = np.flatnonzero(worth)
        self._highs.addCol(
            0.0,
            0.0,
            np.inf,
            len(rows) + 1,
            np.append(0, rows + 1).astype(np.int32),
            np.append(1.0, worth[rows]),
        )
        self.weights = np.append(self.weights, 0.0 if self.plans else 1.0)  # until the next solution
        self.plans.append(plan)


def plan_of(problem: DecisionProblem, choice: Ints) -> Plan:
    """Follow one prescription for each belief from the root."""
    beliefs = np.zeros(1, dtype=np.int32)
    prescriptions: list[NDArray[Any]] = []
    classes: list[NDArray[Any]] = []
    while len(beliefs):
        played = choice[beliefs]
        prescriptions.append(played)
        children = problem.children[take_rows(problem.child_start, played)[1]]
        classes.append(children[children >= problem.n_beliefs] - problem.n_beliefs)
        beliefs = children[children < problem.n_beliefs]
    return Plan(np.concatenate(prescriptions), np.sort(np.concatenate(classes)))


def _master(whole: DecisionProblem) -> "highspy.HighsLp":
    """The program at the head of this file before any plan is in it: columns w and v."""
    rows = Rows()
    rows.close(1)  # the sum of the plans' weights
    leaf_classes = np.arange(whole.n_leaf_classes)
    rows.add(leaf_classes, leaf_classes, 1.0)
    rows.close(whole.n_leaf_classes)
    return maximize_potential(rows, whole, 0)
