"""The team's payoff near a point, linear in all members' plans, against everybody else: one linear program.

At a point x0 the team plays towards leaf class l with r0[l], and all agents but i with c[i, l]. To first order

    r[l] = sum over agents i of c[i, l] * x[i, end of l]  -  (n_agents - 1) * r0[l]

which is exact when only one agent moves. So the same program, with bounds on x, finds one member's best plan
while the others keep to theirs (von Stengel and Koller 1997: a linear program in the free member's sequence form),
and the best small step of all members at once. The others answer: max v[root], where

    w[m]  = sum over l of payoff[l, m] * r[l],
    v[b] <= sum of v and w over the children of any prescription of b.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from highspy import HighsLp, HighsModelStatus

from maxmin.highs import quiet_highs, run_here
from maxmin.sequences import Sequences
from maxmin.solve.potentials import Rows, maximize_potential
from maxmin.tme.match import IndependentMatch
from maxmin.tree import Floats


class Linearization:
    """The program of one match; `best_step` solves it at one point after another, each from the last basis."""

    def __init__(self, match: IndependentMatch) -> None:
        self._match = match
        self._n_x = int(match.offsets[-1])
        self._leaf_class = np.repeat(np.arange(len(match.payoffs.start) - 1), np.diff(match.payoffs.start))
        key = match.payoffs.column.astype(np.int64) * self._n_x + match.ends[:, self._leaf_class]
        keys, entry = np.unique(key, return_inverse=True)
        self._entry = entry.ravel()
        self._worth, self._sequence = np.divmod(keys, self._n_x)
        self._highs: Any = quiet_highs()
        self._basis: Any = None

    def best_step(
        self, point: Floats, lower: Floats, upper: Floats, keep_going: Callable[[float], bool]
    ) -> tuple[float, Floats]:
        """Find the best point between two others, by the payoff that is linear near `point`.

        Parameters
        ----------
        point, lower, upper : (n_sequences of all agents,) float64
        keep_going
            Asked now and then; the program stops when it returns False.

        Returns
        -------
        tuple
            What the linear payoff promises, scaled, and the point, up to HiGHS's tolerances; minus infinity and
            `point` itself if the program was stopped.
        """
        self._highs.passModel(self._model(point, lower, upper))
        if self._basis is not None:
            self._highs.setBasis(self._basis)
        run_here(self._highs, f"a linear program of {self._match.tree.name}", keep_going)
        if self._highs.getModelStatus() != HighsModelStatus.kOptimal:
            return -math.inf, point
        self._basis = self._highs.getBasis()
        found = np.array(self._highs.getSolution().col_value)[: self._n_x]
        return float(self._highs.getInfo().objective_function_value), found

    def _model(self, point: Floats, lower: Floats, upper: Floats) -> HighsLp:
        match, n_worth = self._match, self._match.others.n_leaf_classes
        slopes = match.slopes(point)[:, self._leaf_class] * match.payoffs.value
        entries = -np.bincount(self._entry, slopes.ravel()).astype(np.float64)
        rows = Rows()
        for agent, offset in zip(match.agents, match.offsets.tolist(), strict=False):
            _add_flow(rows, agent, offset)
        leaf_classes = np.arange(n_worth)
        rows.add(leaf_classes, self._n_x + leaf_classes, 1.0)
        rows.add(self._worth, self._sequence, entries)
        rows.close(n_worth)
        model = maximize_potential(rows, match.others, self._n_x)
        model.col_lower_ = _with_start(model.col_lower_, lower)
        model.col_upper_ = _with_start(model.col_upper_, upper)
        constant = (1 - len(match.agents)) * match.worth(match.reach(point))
        flow = [np.eye(1, 1 + len(agent.first))[0] for agent in match.agents]  # 1 for the empty sequence
        equations = np.concatenate([*flow, constant])
        model.row_lower_ = _with_start(model.row_lower_, equations)
        model.row_upper_ = _with_start(model.row_upper_, equations)
        return model


def _with_start(values: Sequence[float], start: Floats) -> Floats:
    """Return values with others in place of the first ones; HiGHS hands out copies of its arrays."""
    return np.concatenate([start, values[len(start) :]])


def _add_flow(rows: Rows, agent: Sequences, offset: int) -> None:
    """Add the rows of one agent's plan: first the empty sequence, then what follows each decision."""
    rows.add(np.zeros(1, dtype=np.int64), np.array([offset]), 1.0)
    decision = np.arange(1, len(agent.first) + 1)
    rows.add(decision, offset + agent.parent[agent.first], -1.0)
    rows.add(np.repeat(decision, agent.stop - agent.first), offset + np.arange(1, agent.n_sequences), 1.0)
    rows.close(1 + len(agent.first))
