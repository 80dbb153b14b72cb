"""Column generation: a linear program over a growing list of joint pure plans of one side.

McMahan, Gordon and Blum (ICML 2003); for correlated team strategies Celli and Gatti (AAAI 2018), Farina, Celli,
Gatti and Sandholm (ICML 2021) and Zhang, An and Zeng (ICML 2024). Here only the *listed* side, the one with the
larger decision problem, is restricted to a list of plans; the other side is there as a whole. With P the listed
side's payoffs, each round solves

    maximize v[root]  over weights x of the plans, with
    sum of x = 1,   w[m] = sum over plans k of x[k] * (P of plan k)[m]   for the other side's leaf classes m,
    v[b] <= sum of v and w over the children of q                        for each prescription q of its belief b.

The duals of the last rows are the other side's flow y. The listed side's oracle (`plan_oracles`) answers y with
plans that gain more, which join the list, and with a bound on what any plan gains, which bounds the value. HiGHS
goes on from its last basis. It ends when no plan does better. What differs from the papers: the oracle is the
listed side's belief DAG where that fits, so that a round costs one pass over its edges; else local search,
and an integer program only when local search finds nothing.
"""

import math
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from maxmin.decision import DecisionProblem
from maxmin.highs import quiet_highs, run_highs
from maxmin.match import Bounds
from maxmin.plans import PlanMixture
from maxmin.solve.list_match import ListMatch
from maxmin.solve.plan_oracles import Plan, mixture_of, oracle_of
from maxmin.solve.potentials import Rows, maximize_potential
from maxmin.tree import Floats

if TYPE_CHECKING:
    import highspy


@dataclass(eq=False)
class ColumnGeneration:
    """A run of column generation.

    Attributes
    ----------
    match : ListMatch
    precision : float
        Plans that gain no more than this, scaled, beyond the list are not looked for.
    plans : list of Plan
    weights : (n_plans,) float64
    rounds : int
    improves : bool
        Whether the last round found a plan.
    """

    match: ListMatch
    _: KW_ONLY
    precision: float = 0.0
    plans: list[Plan] = field(default_factory=list)
    weights: Floats = field(default_factory=lambda: np.zeros(0))
    rounds: int = 0
    improves: bool = True

    def __post_init__(self) -> None:
        self._whole, listed = self.match.whole, self.match.listed
        self._oracle = oracle_of(listed)
        self._highs = quiet_highs()
        self._highs.passModel(_master(self._whole))
        self._answer = self._best_answer = self._whole.distribution(np.ones(self._whole.n_prescriptions))
        self._most = math.inf

    def start_with(self, plans: list[Plan]) -> None:
        """Put plans on the list before the first round."""
        for plan in plans:
            self._add(plan)
        self._solve(None)

    def advance(self, keep_going: Callable[[float], bool] | None = None) -> None:
        """Add the oracle's plans against the other side's last answer, and solve again; sets `improves`."""
        worth = self.match.worth_to_listed(self._whole.realize(self._answer)[self._whole.n_beliefs :])
        gain = max((float(worth[plan.classes].sum()) for plan in self.plans), default=-math.inf)
        found = self._oracle.search(worth, gain + self.precision)
        if not found.plans and found.bound > gain + self.precision:
            found = self._oracle.prove(worth, gain, self.precision, keep_going)
        bound = max(found.bound, gain)  # HiGHS's tolerances may put it lower
        if bound < self._most:
            self._most, self._best_answer = bound, self._answer
        known = {plan.classes.tobytes() for plan in self.plans}
        fresh = [plan for plan in found.plans if plan.classes.tobytes() not in known]
        self.improves = bool(fresh)
        for plan in fresh:
            self._add(plan)
        if fresh:
            self._solve(keep_going)
            self.rounds += 1

    def bounds(self) -> Bounds:
        """Bound the value by answers to the mixture of plans, and to the best answer so far."""
        worth = self.match.worth_to_whole(self.class_reach())
        return self.match.to_bounds(-self._whole.best_response(worth)[0], self._most)

    def class_reach(self) -> Floats:
        """Return how often the mixture of plans plays towards each of the listed side's leaf classes."""
        reach = np.zeros(self.match.listed.n_leaf_classes)
        for plan, weight in zip(self.plans, self.weights.tolist(), strict=True):
            reach[plan.classes] += weight
        return reach

    def strategies(self) -> tuple[Floats | PlanMixture, Floats | PlanMixture]:
        """Return the strategies of the team and of the others, as `DecisionProblem` orders them, or as plans."""
        listed = mixture_of(self.match.listed, self.plans, self.weights)
        return (listed, self._best_answer) if self.match.lists_team else (self._best_answer, listed)

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

    def _add(self, plan: Plan) -> None:
        towards = np.zeros(self.match.listed.n_leaf_classes)
        towards[plan.classes] = 1.0
        worth = self.match.worth_to_whole(towards)
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


def _master(whole: DecisionProblem) -> "highspy.HighsLp":
    """The program at the head of this file before any plan is in it: columns w and v."""
    rows = Rows()
    rows.close(1)  # the sum of the plans' weights
    leaf_classes = np.arange(whole.n_leaf_classes)
    rows.add(leaf_classes, leaf_classes, 1.0)
    rows.close(whole.n_leaf_classes)
    return maximize_potential(rows, whole, 0)
