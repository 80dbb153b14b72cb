"""Regret minimization on a match: any `Minimizer`, bounds by best responses, stopping, saving and resuming.

Zinkevich et al. (NIPS 2007) for a player, Zhang, Farina and Sandholm (ICML 2023), section 5, for a team. The
average strategies of both sides are what is returned; bounds are tracked at fixed iterations (1, 2, ..., then
each a sixth later), so that a run that was interrupted and resumed goes through the same ones.
"""

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmin import _core
from maxmin.decision import DecisionProblem
from maxmin.errors import SolutionError
from maxmin.match import Bounds, Match
from maxmin.solve.iterated import OTHER_STATE, fingerprint
from maxmin.solve.minimizer import Minimizer
from maxmin.tree import Floats

PLANNED = 1000
"""Iterations that schedules plan with when no number is given."""

_SAVED = ("regrets", "strategy", "flow_sum", "leaf_sum", "reach")


class RegretSide:
    """What one side carries from one iteration to the next."""

    def __init__(self, problem: DecisionProblem) -> None:
        n_values = problem.n_beliefs + problem.n_leaf_classes
        self.problem = problem
        self.regrets = np.empty(problem.n_prescriptions)
        self.strategy = np.empty(problem.n_prescriptions)
        self.flow_sum = np.empty(problem.n_prescriptions)
        self.leaf_sum = np.empty(problem.n_leaf_classes)
        self.reach = np.empty(n_values)
        self.core = _core.RegretState(
            self.regrets, self.strategy, self.flow_sum, self.leaf_sum, self.reach, np.empty(n_values)
        )
        _core.start_regrets(problem.core, self.core)

    def start_with(self, regrets: Floats, strategy: Floats) -> None:
        """Take over regrets, and what to play next: (n_prescriptions,) each."""
        self.regrets[:] = regrets
        self.strategy[:] = strategy
        _core.realize(self.problem.core, self.strategy, self.reach)

    def average(self) -> Floats:
        """The average strategy: (n_prescriptions,), a distribution in each belief, uniform where never played."""
        return self.problem.distribution(self.flow_sum)


@dataclass
class RegretRun:
    """A run of regret minimization that can be continued.

    Attributes
    ----------
    match : Match
    minimizer : Minimizer
    alternating : bool
        The others answer the team's new strategy (True) or its last one (False).
    planned : int
        The number of iterations that schedules plan with.
    threads : int
        At most so many work at once; what they compute is the same for any number.
    iterations : int
        How many were done.
    weight : float
        Sum of the weights of all iterations so far.
    """

    match: Match
    minimizer: Minimizer
    _: KW_ONLY
    alternating: bool = True
    planned: int = PLANNED
    threads: int = 1
    iterations: int = 0
    weight: float = 0.0
    _team: RegretSide = field(init=False)
    _others: RegretSide = field(init=False)

    def __post_init__(self) -> None:
        self._team = RegretSide(self.match.team)
        self._others = RegretSide(self.match.others)

    def advance(self, count: int, keep_going: Callable[[float], bool] | None = None) -> int:
        """Run up to `count` iterations, fewer if `keep_going` returns False; return how many were done."""
        t = np.arange(self.iterations + 1.0, self.iterations + count + 1)
        kind, planned = self.minimizer, self.planned
        weight = kind.weight(t, planned)
        done: int = _core.iterate(
            self.match.team.core,
            self.match.others.core,
            self.match.payoffs.core,
            self.match.transposed.core,
            self._team.core,
            self._others.core,
            kind.positive(t, planned),
            kind.negative(t, planned),
            kind.predicted(t, planned),
            weight,
            kind.prediction,
            kind.floor,
            self.alternating,
            keep_going,
            self.threads,
        )
        self.iterations += done
        for w in weight[:done].tolist():  # one by one, so that the sum does not depend on where runs are cut
            self.weight += w
        return done

    @property
    def sides(self) -> tuple[RegretSide, RegretSide]:
        """The states of the team and of the others."""
        return self._team, self._others

    def advance_to_check(
        self, most: int | None = None, keep_going: Callable[[float], bool] | None = None
    ) -> None:
        """Run until bounds are to be computed, or there are `most` iterations, or `keep_going` returns False."""
        stop = self.next_check()
        self.advance((stop if most is None else min(stop, most)) - self.iterations, keep_going)

    def next_check(self) -> int:
        """The first iteration from here at which bounds are computed; the same however runs are cut."""
        check = 1
        while check <= self.iterations:
            check += max(1, check // 6)
        return check

    def bounds(self) -> Bounds:
        """Bound the value by best responses to the average strategies."""
        return self.match.bounds(*self.class_reaches())

    def class_reaches(self) -> tuple[Floats, Floats]:
        """Return how often the average strategies play towards each leaf class of their side."""
        return self._team.leaf_sum / self.weight, self._others.leaf_sum / self.weight

    def averages(self) -> tuple[Floats, Floats]:
        """Return the average strategies of the team and of the others, as `DecisionProblem` orders them."""
        return self._team.average(), self._others.average()

    def settings(self) -> dict[str, Any]:
        """Return what a run that goes on from this one's state must agree on."""
        planned = {"planned": self.planned} if self.minimizer.planned else {}
        return {"method": self.minimizer.name, "alternating": self.alternating, **planned}

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return all that is needed to go on later, by name."""
        sides = {"team": self._team, "others": self._others}
        arrays = {f"{name}_{part}": getattr(side, part) for name, side in sides.items() for part in _SAVED}
        numbers = {"iterations": self.iterations, "weight": self.weight, "match": fingerprint(self.match)}
        return {**arrays, **{name: np.array(number) for name, number in numbers.items()}}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Go on from `to_arrays`.

        Raises
        ------
        SolutionError
            If the arrays are of another game or team.
        """
        names = [f"{side}_{part}" for side in ("team", "others") for part in _SAVED]
        missing = [name for name in (*names, "iterations", "weight", "match") if name not in arrays]
        if missing:
            raise SolutionError(f"the saved state lacks {missing[0]}")
        if not np.array_equal(arrays["match"], fingerprint(self.match)):
            raise SolutionError(OTHER_STATE)
        sides = {"team": self._team, "others": self._others}
        for name, side in sides.items():
            for part in _SAVED:
                saved, current = arrays[f"{name}_{part}"], getattr(side, part)
                if saved.shape != current.shape or saved.dtype != current.dtype:
                    raise SolutionError(OTHER_STATE)
                current[:] = saved
        self.iterations = int(arrays["iterations"])
        self.weight = float(arrays["weight"])
