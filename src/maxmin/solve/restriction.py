"""A decision problem restricted to some of its prescriptions, and how a best response widens it.

Used by `restricted_program`. A belief is live if allowed prescriptions lead to it; each live belief allows one
or more.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from maxmin import _core
from maxmin.decision import DecisionProblem, Payoffs, take_rows
from maxmin.tree import Floats, Ints

_GAIN = 1e-9
"""A prescription that gains no more than this, scaled, over the best allowed one is not worth a row or column."""


@dataclass(frozen=True, eq=False)
class Restriction:
    """Part of a decision problem, itself one.

    Attributes
    ----------
    problem : DecisionProblem
        The live beliefs, their allowed prescriptions and the leaf classes that these lead to.
    prescriptions, leaf_classes : int
        The numbers that they have in the whole problem.
    """

    problem: DecisionProblem
    prescriptions: NDArray[np.int64]
    leaf_classes: NDArray[np.int64]

    def extend(self, whole: DecisionProblem, strategy: Floats) -> Floats:
        """Return a strategy of the part as one of the whole problem."""
        flow = np.zeros(whole.n_prescriptions)
        flow[self.prescriptions] = strategy
        return whole.distribution(flow)


def support(problem: DecisionProblem, strategy: Floats, least_flow: float) -> NDArray[np.bool_]:
    """Allow what a strategy plays with some flow, and what it plays most in each belief: (n_prescriptions,)."""
    first, size = problem.belief_start[:-1], np.diff(problem.belief_start)
    reach = problem.realize(strategy)[: problem.n_beliefs]
    allowed = np.repeat(reach, size) * strategy > least_flow
    most = np.flatnonzero(strategy == np.repeat(np.maximum.reduceat(strategy, first), size))
    _, earliest = np.unique(_beliefs(problem)[most], return_index=True)
    allowed[most[earliest]] = True
    return allowed


def restrict(problem: DecisionProblem, allowed: NDArray[np.bool_]) -> Restriction:
    """Keep what allowed prescriptions, (n_prescriptions,), lead to from the root."""
    live, reached = _live(problem, allowed)
    prescriptions = np.flatnonzero(allowed & live[_beliefs(problem)])
    beliefs, leaf_classes = np.flatnonzero(live), np.flatnonzero(reached)
    number = np.full(problem.n_beliefs + problem.n_leaf_classes, -1, dtype=np.int32)
    number[beliefs] = np.arange(len(beliefs))
    number[problem.n_beliefs + leaf_classes] = len(beliefs) + np.arange(len(leaf_classes))
    child_start, entries = take_rows(problem.child_start, prescriptions)
    owners = number[_beliefs(problem)[prescriptions]]
    part = replace(
        problem,
        belief_start=np.searchsorted(owners, np.arange(len(beliefs) + 1)).astype(np.int32),
        child_start=child_start,
        children=number[problem.children[entries]],
        n_leaf_classes=len(leaf_classes),
    )
    return Restriction(part, prescriptions, leaf_classes)


def widen(problem: DecisionProblem, allowed: NDArray[np.bool_], worth: Floats) -> int:
    """Allow the best prescription in each live belief where it gains over all allowed ones; return how many.

    Parameters
    ----------
    problem
        The whole problem.
    allowed : (n_prescriptions,) bool
        Changed in place.
    worth : (n_leaf_classes,) float64
        What the leaf classes are worth to the side.
    """
    values = np.empty(problem.n_beliefs + problem.n_leaf_classes)
    values[problem.n_beliefs :] = worth
    choice = np.empty(problem.n_beliefs, dtype=np.int32)
    _core.best_response(problem.core, values, choice)
    gains = np.add.reduceat(values[problem.children], problem.child_start[:-1])
    best_allowed = np.maximum.reduceat(np.where(allowed, gains, -np.inf), problem.belief_start[:-1])
    better = values[: problem.n_beliefs] > best_allowed + _GAIN
    wider = allowed.copy()
    wider[choice[better]] = True
    live, _ = _live(problem, wider)
    before = int(allowed.sum())
    allowed[choice[better & live]] = True
    return int(allowed.sum()) - before


def restricted_payoffs(payoffs: Payoffs, rows: Restriction, columns: Restriction) -> Payoffs:
    """Keep the payoffs between the leaf classes of two restrictions."""
    start, entries = take_rows(payoffs.start, rows.leaf_classes)
    number = np.full(
        int(max(payoffs.column.max(initial=-1), columns.leaf_classes.max(initial=-1))) + 1, -1, dtype=np.int32
    )
    number[columns.leaf_classes] = np.arange(len(columns.leaf_classes))
    column = number[payoffs.column[entries]]
    kept = column >= 0
    before = np.concatenate([[0], np.cumsum(kept)])
    return Payoffs(before[start].astype(np.int32), column[kept], payoffs.value[entries][kept])


def _live(
    problem: DecisionProblem, allowed: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Say which beliefs and which leaf classes allowed prescriptions lead to."""
    paths = problem.realize(allowed.astype(np.float64))
    return paths[: problem.n_beliefs] > 0, paths[problem.n_beliefs :] > 0


def _beliefs(problem: DecisionProblem) -> Ints:
    """Return the belief of each prescription."""
    return np.repeat(np.arange(problem.n_beliefs, dtype=np.int32), np.diff(problem.belief_start))
