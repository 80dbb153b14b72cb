"""`RecursiveSolution`: what a recursive game is worth, for one round and when it is played again, with bounds."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from maxmin.errors import MaxminError
from maxmin.matrix.oracle import Floats, Plan


@dataclass(frozen=True)
class RecursiveSnapshot:
    """How far a solve has come; what a callback is given.

    Attributes
    ----------
    iterations : int
    seconds : float
        Since the start.
    lower, upper : float
        Of the repeated value, in the state where they are furthest apart; units of the stakes.
    gap : float
        ``upper - lower``.
    """

    iterations: int
    seconds: float
    lower: float
    upper: float
    gap: float


Callback: TypeAlias = Callable[[RecursiveSnapshot], object]
"""Called with a `RecursiveSnapshot` now and then; a solve stops in order when it returns False."""


@dataclass(frozen=True, eq=False, repr=False)
class Guarantee:
    """A value to player 1 between proven bounds, and strategies of both players for one round.

    Attributes
    ----------
    value, lower, upper : float
        Units of the stakes.
    rows, columns : tuple of Plan
        The plans that are played.
    row_weights, column_weights : (n_plans,) float64
        How often; positive, with sum 1.
    """

    value: float
    lower: float
    upper: float
    rows: tuple[Plan, ...]
    row_weights: Floats
    columns: tuple[Plan, ...]
    column_weights: Floats

    def __repr__(self) -> str:
        return f"Guarantee({self.lower:.6g} <= value <= {self.upper:.6g})"

    @property
    def gap(self) -> float:
        """``upper - lower``; 0 if both are infinite."""
        return self.upper - self.lower if self.upper > self.lower else 0.0

    def to_json(self) -> dict[str, Any]:
        """Return value, bounds and strategies as JSON types; what is infinite becomes null."""
        numbers = {"value": self.value, "lower": self.lower, "upper": self.upper}
        return {
            **{name: number if math.isfinite(number) else None for name, number in numbers.items()},
            "rows": [_plan(plan) for plan in self.rows],
            "row_weights": self.row_weights.tolist(),
            "columns": [_plan(plan) for plan in self.columns],
            "column_weights": self.column_weights.tolist(),
        }


@dataclass(frozen=True, eq=False, repr=False)
class StateSolution:
    """What one state is worth.

    Attributes
    ----------
    name : str
    outcome : str
        "entered" (the bounds meet), "does not enter" (player 1 leaves at once, for -t1), "capped at t2" (player 2
        leaves at once), "diverges" (player 1 can force more than any bound), "bounds do not meet" (several fixed
        points lie between what each player can force) or "not settled" (not known so far).
    one_shot : Guarantee
        Of the matrix game A alone: one round, with nothing to come.
    repeated : Guarantee
        Of the game played on; its strategies are optimal in A + sum of V_j B_j, with V the repeated values.
    """

    name: str
    outcome: str
    one_shot: Guarantee
    repeated: Guarantee

    def __repr__(self) -> str:
        repeated = f"{self.repeated.lower:.6g} <= value <= {self.repeated.upper:.6g}"
        return f"StateSolution({self.name}: {repeated}, {self.outcome})"

    def to_json(self) -> dict[str, Any]:
        """Return all fields as JSON types."""
        parts = {"one_shot": self.one_shot.to_json(), "repeated": self.repeated.to_json()}
        return {"name": self.name, "outcome": self.outcome, **parts}


@dataclass(frozen=True, eq=False, repr=False)
class RecursiveSolution:
    """The states' values, and how they were found.

    Attributes
    ----------
    states : tuple of StateSolution
    t1, t2 : float or None
        The fees of the game.
    method : str
    gap : float
        The largest ``upper - lower`` of the repeated values.
    iterations : int
    seconds : float
    converged : bool
        Whether the gap that was asked for was reached.
    stopped_by : str
        "gap", "optimal" (nothing changes any more), "seconds", "iterations" or "interrupt".
    trace : list of [seconds, iterations, lower, upper]
        As in `RecursiveSnapshot`.
    """

    states: tuple[StateSolution, ...]
    t1: float | None
    t2: float | None
    method: str
    gap: float
    iterations: int
    seconds: float
    converged: bool
    stopped_by: str
    trace: list[list[float]]

    def __repr__(self) -> str:
        return f"RecursiveSolution({', '.join(map(repr, self.states))}, {self.method})"

    def __getitem__(self, name: str) -> StateSolution:
        """Return the state of this name."""
        found = [state for state in self.states if state.name == name]
        if not found:
            raise MaxminError(
                f"there is no state {name!r}; there are {', '.join(s.name for s in self.states)}"
            )
        return found[0]

    @property
    def one_shot(self) -> Guarantee:
        """Of the only state; a game of several has ``solution[name].one_shot``."""
        return self._only().one_shot

    @property
    def repeated(self) -> Guarantee:
        """Of the only state; a game of several has ``solution[name].repeated``."""
        return self._only().repeated

    @property
    def outcome(self) -> str:
        """Of the only state; a game of several has ``solution[name].outcome``."""
        return self._only().outcome

    def to_json(self) -> dict[str, Any]:
        """Return all fields as JSON types; those of the only state of a game also stand at the top."""
        states = [state.to_json() for state in self.states]
        return {
            **(states[0] if len(states) == 1 else {}),
            "states": states,
            "t1": self.t1,
            "t2": self.t2,
            "method": self.method,
            "gap": self.gap if math.isfinite(self.gap) else None,
            "iterations": self.iterations,
            "seconds": self.seconds,
            "converged": self.converged,
            "stopped_by": self.stopped_by,
            "trace": [
                [number if math.isfinite(number) else None for number in entry] for entry in self.trace
            ],
        }

    def _only(self) -> StateSolution:
        if len(self.states) > 1:
            raise MaxminError(
                "the game has several states: take one as solution[name], or all as solution.states"
            )
        return self.states[0]


def _plan(plan: Plan) -> Any:
    """Return a plan as a number, text, or a list of such."""
    if isinstance(plan, tuple):
        return [_plan(part) for part in plan]
    return plan if isinstance(plan, int | float | str) else str(plan)
