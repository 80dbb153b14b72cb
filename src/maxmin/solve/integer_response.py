"""The best joint pure plan of a team as a mixed-integer program: the oracle where no belief DAG fits.

Farina, Celli, Gatti and Sandholm (ICML 2021), whose program lets all members but one choose pure sequences, x, and
follows the team's joint play, z. Both obey the flow of the sequence form, and a joint sequence is played no more
often than the member who moves last in it plays its own part: z <= x. With x whole for all members but one, z is a
mixture of joint pure plans. What differs from the paper: z is written on joint sequences in the order of play, not
on pairs of sequences (which are several times as many, and only speak of two members), and the program is kept from
round to round, as only its objective changes. What local search found is the point that HiGHS begins with, and it
may stop as soon as nothing is left that gets much more. Without whole columns the program is a linear one, whose
bound is often good enough, and takes a hundredth of the time; it is found from the duals anew, so rounding in HiGHS
cannot harm it (Neumaier and Shcherbina 2004).
"""

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from maxmin.highs import quiet_highs, run_highs
from maxmin.members import Members, sequences_of
from maxmin.sequences import Sequences
from maxmin.solve.potentials import Rows
from maxmin.tree import Floats

if TYPE_CHECKING:
    from highspy import HighsLp


_LEAST_GAP = 1e-6
"""HiGHS does not tell gains apart that are nearer; gains are scaled so that the largest at a sequence is 1."""


class IntegerResponse:
    """The program of one side; solve it for one objective after another."""

    def __init__(self, members: Members) -> None:
        self._members = members
        blocks = (members.agents.joint, *members.agents.each)
        self._offsets = np.cumsum([0, *(block.n_sequences for block in blocks)])
        program = _program(members, self._offsets)
        matrix = program.a_matrix_
        self._row = np.repeat(np.arange(program.num_row_), np.diff(matrix.start_))
        self._column, self._value = np.array(matrix.index_), np.array(matrix.value_)
        self._least, self._is_equation = np.array(program.col_lower_), np.isfinite(program.row_lower_)
        self._linear: Any = quiet_highs()
        self._linear.passModel(program)
        self._highs: Any = quiet_highs()
        self._highs.setOptionValue("mip_rel_gap", 0.0)
        program.integrality_ = _integrality(members)
        self._highs.passModel(program)

    def relax(self, worth: Floats, keep_going: Callable[[float], bool] | None = None) -> float:
        """Return an upper bound on what any joint pure plan gets: the linear program's; infinite if stopped."""
        gains, scale = self._set_gains(self._linear, worth)
        run_highs(self._linear, "the linear program of a team's best response", keep_going)
        solution = self._linear.getSolution()
        return self._proved(np.array(solution.row_dual), gains) * scale if solution.dual_valid else np.inf

    def solve(
        self,
        worth: Floats,
        keep_going: Callable[[float], bool] | None = None,
        *,
        start: NDArray[np.int16] | None = None,
        precision: float = 0.0,
    ) -> tuple[float, list[Floats]]:
        """Find the most that a joint pure plan gets.

        Parameters
        ----------
        worth : (n_leaf_classes,) float64
            What the side gets at each leaf class.
        keep_going
            Asked now and then; the program stops when it returns False.
        start : (n_infosets,) int16
            A plan to begin with, an action per infoset.
        precision
            Stop when no plan gets more than this beyond the best point.

        Returns
        -------
        float
            An upper bound on what any plan gets, within HiGHS's tolerances; infinite if stopped too early for one.
        list of (n_sequences, 1) float64
            For each agent, how often it plays each of its sequences in the best point; empty if there is none.
        """
        self._highs.clearSolver()
        _, scale = self._set_gains(self._highs, worth)
        self._highs.setOptionValue("mip_abs_gap", max(precision / scale, _LEAST_GAP))
        if start is not None:
            self._begin_with(start)
        run_highs(self._highs, "the integer program of a team's best response", keep_going)
        info, point = self._highs.getInfo(), np.array(self._highs.getSolution().col_value)
        bound = info.mip_dual_bound * scale if self._is_trusted() else np.inf
        if len(point) != self._offsets[-1] or not info.primal_solution_status:
            return bound, []
        return bound, [point[start:stop, None] for start, stop in pairwise(self._offsets[1:])]

    def _proved(self, dual: Floats, gains: Floats) -> float:
        """Return what duals, whatever they are, prove: no point within the columns' bounds gets more."""
        dual = np.where(self._is_equation, dual, np.maximum(dual, 0.0))
        reduced = np.zeros(len(self._least))
        np.subtract.at(reduced, self._column, self._value * dual[self._row])
        reduced[: len(gains)] += gains
        # Right-hand sides are 0, and no column is above 1.
        return float(np.maximum(reduced * self._least, reduced).sum())

    def _set_gains(self, highs: Any, worth: Floats) -> tuple[Floats, float]:
        """Set the objective, scaled; return it, for joint sequences, and the scale."""
        n_joint = self._members.agents.joint.n_sequences
        gains = np.bincount(self._members.joint_sequence, worth, minlength=n_joint)
        scale = float(np.abs(gains).max()) or 1.0
        highs.changeColsCost(n_joint, np.arange(n_joint, dtype=np.int32), gains / scale)
        return gains / scale, scale

    def _begin_with(self, plan: NDArray[np.int16]) -> None:
        from highspy import HighsSolution

        agents = self._members.agents
        point = HighsSolution()
        point.col_value = np.concatenate(
            [sequences_of(block, agents.infosets, plan) for block in (agents.joint, *agents.each)]
        ).tolist()
        self._highs.setSolution(point)

    def _is_trusted(self) -> bool:
        from highspy import HighsModelStatus as Status

        return self._highs.getModelStatus() in (Status.kOptimal, Status.kTimeLimit, Status.kInterrupt)


def _program(members: Members, offsets: NDArray[np.int64]) -> "HighsLp":
    import highspy

    joint, n_columns = members.agents.joint, int(offsets[-1])
    rows = Rows()
    for block, offset in zip((joint, *members.agents.each), offsets.tolist(), strict=False):
        _add_flow(rows, block, offset)
    n_equal = rows.n_rows
    after = np.arange(joint.n_sequences - 1)
    rows.add(after, after + 1, 1.0)
    rows.add(after, _own_parts(members, offsets), -1.0)
    rows.close(len(after))

    program = highspy.HighsLp()
    program.sense_ = highspy.ObjSense.kMaximize
    program.num_col_, program.num_row_ = n_columns, rows.n_rows
    program.col_cost_ = np.zeros(n_columns)
    program.col_lower_ = np.isin(np.arange(n_columns), offsets[:-1]).astype(np.float64)  # empty sequences: 1
    program.col_upper_ = np.ones(n_columns)
    program.row_lower_ = np.append(np.zeros(n_equal), np.full(len(after), -highspy.kHighsInf))
    program.row_upper_ = np.zeros(rows.n_rows)
    program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    program.a_matrix_.start_, program.a_matrix_.index_, program.a_matrix_.value_ = rows.compressed()
    return program


def _add_flow(rows: Rows, block: Sequences, offset: int) -> None:
    """What is played after a decision is what comes to it."""
    decision = np.cumsum(block.action[1:] == 0) - 1
    rows.add(decision, offset + np.arange(1, block.n_sequences), 1.0)
    rows.add(np.arange(len(block.first)), offset + block.parent[block.first], -1.0)
    rows.close(len(block.first))


def _own_parts(members: Members, offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return, for each joint sequence but the empty one, the column of its last mover's own sequence."""
    agents = members.agents
    most = int(max(block.action.max() for block in (agents.joint, *agents.each))) + 1
    column: NDArray[np.int64] = np.empty((int(agents.infosets.max(initial=0)) + 1) * most, dtype=np.int64)
    for agent, offset in zip(agents.each, offsets[1:].tolist(), strict=False):
        column[agent.infoset[1:] * most + agent.action[1:]] = offset + np.arange(1, agent.n_sequences)
    parts: NDArray[np.int64] = column[agents.joint.infoset[1:] * most + agents.joint.action[1:]]
    return parts


def _integrality(members: Members) -> list[Any]:
    from highspy import HighsVarType

    kinds = (HighsVarType.kContinuous, HighsVarType.kInteger)
    return [kinds[whole] for whole in _is_whole(members).tolist()]


def _is_whole(members: Members) -> NDArray[np.bool_]:
    """Say which columns are whole: the own sequences of all agents but the one with the most.

    A single agent's are all whole, because HiGHS gives no bound on a program without whole columns.
    """
    sizes = [agent.n_sequences for agent in members.agents.each]
    free = int(np.argmax(sizes)) if len(sizes) > 1 else -1
    parts = [np.zeros(members.agents.joint.n_sequences, dtype=bool)]
    parts += [np.full(size, number != free) for number, size in enumerate(sizes)]
    return np.concatenate(parts)
