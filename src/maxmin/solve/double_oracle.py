"""Double oracle: both sides are lists of joint pure plans, which grow until neither side knows a better one.

McMahan, Gordon and Blum (ICML 2003); for two teams that correlate, Zhang and An (AAAI 2020) list both sides' plans.
It is what is left where neither side's belief DAG fits: nothing is built but the members. Each round

    solves the matrix game between the plans on the lists, by HiGHS from its last basis,
    asks both sides' oracles (`plan_oracles`) for plans that gain more against the other side's mixture,
    and for a bound on what any plan gains against it, which bounds the value.

Bounds are proved only where neither side's quick search finds a plan; in between, loose ones stand. What differs
from `maxmin.matrix.double_oracle`, whose restricted game this uses: that one asks for *the* best response, once a
side and round, and takes what it gets for the bound. Here finding plans is cheap and the proof that none is better
is not, a round brings several plans a side, and a proof that was stopped still gives a bound.
"""

import math
import time
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field

import numpy as np

from maxmin import _core
from maxmin.agents import uniform
from maxmin.decision import DecisionProblem
from maxmin.match import Bounds, Match
from maxmin.matrix.restricted import RestrictedGame
from maxmin.members import Members
from maxmin.plans import PlanMixture
from maxmin.solve.list_match import PlanMatch
from maxmin.solve.plan_oracles import Plan, mixture_of, oracle_of
from maxmin.tree import Floats

KeepGoing = Callable[[float], bool]

_SEARCHED = 0.01
"""Plans that gain this share of the precision are searched for: it is cheap, where proofs are not."""


class ListedSide:
    """One side: its list, how it mixes, and the mixture that holds the other side to the least.

    Attributes
    ----------
    side : DecisionProblem or Members
    plans : list of Plan
    weights : (n_plans,) float64
        The mixture in the last restricted game.
    gain : float
        What the side gets there, scaled.
    held : float
        No plan of the other side gets more than this against the best mixture so far, scaled.
    """

    def __init__(self, side: DecisionProblem | Members, plans: list[Plan]) -> None:
        self.side = side
        self.oracle = oracle_of(side)
        self.plans: list[Plan] = []
        self.gain, self.held = -math.inf, math.inf
        self._known: set[bytes] = set()
        self.add(plans)
        self.weights = self._best_weights = np.full(len(plans), 1 / len(plans))

    def add(self, plans: list[Plan]) -> list[Plan]:
        """Put those plans on the list that are not there; return them."""
        fresh = [plan for plan in plans if plan.classes.tobytes() not in self._known]
        self.plans += fresh
        self._known |= {plan.classes.tobytes() for plan in fresh}
        return fresh

    def reach(self) -> Floats:
        """Return how often the mixture plays towards each leaf class."""
        reach = np.zeros(self.side.n_leaf_classes)
        for plan, weight in zip(self.plans, self.weights.tolist(), strict=False):
            reach[plan.classes] += weight
        return reach

    def hold(self, bound: float) -> None:
        """Note that no plan of the other side gets more than `bound` against the mixture."""
        if bound < self.held:
            self.held, self._best_weights = bound, self.weights

    def strategy(self) -> Floats | PlanMixture:
        """Return the mixture that holds the other side to the least."""
        return mixture_of(self.side, self.plans[: len(self._best_weights)], self._best_weights)


@dataclass(eq=False)
class DoubleOracle:
    """A run of double oracle on joint pure plans.

    Attributes
    ----------
    match : PlanMatch or Match
    precision : float
        A proof that no plan gains more than this beyond the list, scaled, is good enough.
    deadline : float
        When time will be up, by ``time.perf_counter``: the first of two proofs leaves half of it to the second.
    rounds : int
    improves : bool
        Whether the last round found a plan.
    team, others : ListedSide
    """

    match: PlanMatch | Match
    _: KW_ONLY
    precision: float = 0.0
    deadline: float = math.inf
    rounds: int = 0
    improves: bool = True
    team: ListedSide = field(init=False)
    others: ListedSide = field(init=False)

    def __post_init__(self) -> None:
        """Begin with what does well against a side that plays everything alike."""
        ours, theirs = self.match.sides
        reaches = uniform_reach(ours), uniform_reach(theirs)
        worth_to_team, worth_to_others = worths(self.match, *reaches)
        self.team = ListedSide(ours, oracle_of(ours).search(worth_to_team, -math.inf).plans)
        self.others = ListedSide(theirs, oracle_of(theirs).search(worth_to_others, -math.inf).plans)
        self._game = RestrictedGame(self._payoffs(self.team.plans, self.others.plans))
        self._solve(lambda _: True)

    def advance(self, keep_going: KeepGoing) -> None:
        """Add both oracles' plans against the other side's mixture, and solve again; sets `improves`."""
        asked = self.team, self.others
        found = []
        for side, other, worth in zip(asked, asked[::-1], self._worths(), strict=True):
            answer = side.oracle.search(worth, side.gain + _SEARCHED * self.precision)
            other.hold(answer.bound)
            found.append(answer.plans)
        if not any(found):
            found = self._prove(keep_going)
        fresh = [side.add(plans) for side, plans in zip(asked, found, strict=True)]
        self.improves = any(fresh)
        if self.improves:
            self._enlarge(*fresh)
            self._solve(keep_going)
            self.rounds += 1

    def bounds(self) -> Bounds:
        """Return what is proved of the value so far."""
        return self.match.scale.to_bounds(-self.team.held, self.others.held)

    def strategies(self) -> tuple[Floats | PlanMixture, Floats | PlanMixture]:
        """Return the strategies of the team and of the others, as `DecisionProblem` orders them, or as plans."""
        return self.team.strategy(), self.others.strategy()

    def _prove(self, keep_going: KeepGoing) -> list[list[Plan]]:
        """Bound what plans gain, the worse bound first, until plans turn up that gain more."""
        found: list[list[Plan]] = [[], []]
        asked, held, worths = (self.team, self.others), (self.others, self.team), self._worths()
        excess = [other.held - side.gain for side, other in zip(asked, held, strict=True)]
        left = [number for number in (0, 1) if excess[number] > self.precision]
        left.sort(key=lambda number: -excess[number])
        while left and not any(found):
            number, now = left.pop(0), time.perf_counter()
            end = now + (self.deadline - now) / (len(left) + 1)
            answer = asked[number].oracle.prove(
                worths[number], asked[number].gain, self.precision, _until(end, keep_going)
            )
            held[number].hold(max(answer.bound, asked[number].gain))  # HiGHS's tolerances may put it lower
            found[number] = answer.plans
        return found

    def _worths(self) -> tuple[Floats, Floats]:
        return worths(self.match, self.team.reach(), self.others.reach())

    def _enlarge(self, team_plans: list[Plan], others_plans: list[Plan]) -> None:
        """Write fresh plans, which are on the lists, into the restricted game."""
        before = len(self.others.plans) - len(others_plans)
        for row in self._payoffs(team_plans, self.others.plans[:before]):
            self._game.add_row(row)
        for column in self._payoffs(self.team.plans, others_plans).T:
            self._game.add_column(column)

    def _payoffs(self, team_plans: list[Plan], others_plans: list[Plan]) -> Floats:
        """Return what the team gets, scaled: (n_team_plans, n_others_plans)."""
        payoffs = np.zeros((len(team_plans), len(others_plans)))
        worth = np.empty(self.match.team.n_leaf_classes)
        for number, plan in enumerate(others_plans):
            reach = np.zeros(self.match.others.n_leaf_classes)
            reach[plan.classes] = 1.0
            _core.multiply(self.match.payoffs.core, reach, 1.0, worth)
            payoffs[:, number] = [worth[ours.classes].sum() for ours in team_plans]
        return payoffs

    def _solve(self, keep_going: KeepGoing) -> None:
        mixtures = self._game.solve(keep_going)
        self.team.weights, self.others.weights = mixtures.rows, mixtures.columns
        self.team.gain = float((self._game.payoffs @ mixtures.columns).max())
        self.others.gain = -float((mixtures.rows @ self._game.payoffs).min())


def _until(end: float, keep_going: KeepGoing) -> KeepGoing:
    return lambda done: keep_going(done) and time.perf_counter() < end


def worths(match: PlanMatch | Match, team_reach: Floats, others_reach: Floats) -> tuple[Floats, Floats]:
    """Return what each leaf class of the team, and of the others, is worth to its side."""
    to_team = np.empty(match.team.n_leaf_classes)
    to_others = np.empty(match.others.n_leaf_classes)
    _core.multiply(match.payoffs.core, others_reach, 1.0, to_team)
    _core.multiply(match.transposed.core, team_reach, -1.0, to_others)
    return to_team, to_others


def uniform_reach(side: DecisionProblem | Members) -> Floats:
    """Return how often each leaf class is played towards by a side that plays everything alike."""
    if isinstance(side, Members):
        agents = side.agents
        played = [uniform(agent)[end] for agent, end in zip(agents.each, agents.ends.T, strict=True)]
        return np.prod(played, axis=0) if played else np.ones(side.n_leaf_classes)
    return side.realize(side.distribution(np.ones(side.n_prescriptions)))[side.n_beliefs :]
