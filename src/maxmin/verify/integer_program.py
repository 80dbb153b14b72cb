"""The best joint pure plan of a side as a mixed-integer program, solved by HiGHS.

Variables: how often each joint sequence is played (z), and each agent's own sequences (x). Both obey the flow
of the sequence form: what comes to a decision is split among its actions. A joint sequence is played no more
often than the agent who moves last in it plays its own part: z <= x; and not at all if it has two actions in
one infoset, as an absent-minded player's may. If x is whole for all agents but one, then z is the realization
of a joint pure plan. This is the team best response of Farina, Celli, Gatti and Sandholm (2021), written on
joint sequences instead of pairs of sequences, which are several times as many.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from maxmin.agents import Agents
from maxmin.highs import quiet_highs, run_highs
from maxmin.sequences import Sequences
from maxmin.tree import Floats

if TYPE_CHECKING:
    from highspy import HighsLp

TOLERANCE = 1e-6
"""HiGHS's tolerance on whole and on feasible numbers; gains are scaled so that the largest is 1."""


def integer_program(side: Agents, gains: Floats, *, seconds: float) -> tuple[float, list[Floats]]:
    """Return an upper bound on what any joint pure plan gets, and the best point that was found.

    Parameters
    ----------
    side
        The agents.
    gains : (n_joint_sequences,) float64
        What the side gets at the leaves of each joint sequence, payoff units.
    seconds
        The time limit.

    Returns
    -------
    float
        The bound, within HiGHS's tolerances; infinite if the time was too short for any.
    list of (n_sequences,) float64
        For each agent, how often it plays each of its sequences; empty if nothing was found.
    """
    offsets = np.cumsum([0, *(block.n_sequences for block in (side.joint, *side.each))])
    scale = float(np.abs(gains).max()) or 1.0
    highs = quiet_highs(seconds=seconds)
    highs.setOptionValue("mip_rel_gap", 0.0)
    highs.passModel(_program(side, gains / scale, offsets))
    run_highs(highs, "the integer program of a team's best response")
    bound = highs.getInfo().mip_dual_bound * scale if _is_trusted(highs) else np.inf
    point = np.array(highs.getSolution().col_value)
    if len(point) != offsets[-1] or not highs.getInfo().primal_solution_status:
        return bound, []
    return bound, [point[start:stop] for start, stop in pairwise(offsets[1:])]


def _is_trusted(highs: Any) -> bool:
    from highspy import HighsModelStatus

    return highs.getModelStatus() in (HighsModelStatus.kOptimal, HighsModelStatus.kTimeLimit)


def _program(side: Agents, gains: Floats, offsets: NDArray[np.int64]) -> "HighsLp":
    from highspy import HighsLp, HighsVarType, MatrixFormat, ObjSense

    n_columns = int(offsets[-1])
    flow = _flow_rows(side, offsets)
    link = _link_rows(side, offsets)
    row = np.concatenate([flow.row, link.row + flow.n_rows])
    order = np.argsort(row, kind="stable")
    program = HighsLp()
    program.sense_ = ObjSense.kMaximize
    program.num_col_, program.num_row_ = n_columns, flow.n_rows + link.n_rows
    program.col_cost_ = np.append(gains, np.zeros(n_columns - len(gains)))
    program.col_lower_ = np.isin(np.arange(n_columns), offsets[:-1]).astype(np.float64)
    program.col_upper_ = np.append(side.joint.possible, np.ones(n_columns - len(gains)))
    program.row_lower_ = np.append(np.zeros(flow.n_rows), np.full(link.n_rows, -np.inf))
    program.row_upper_ = np.zeros(flow.n_rows + link.n_rows)
    program.a_matrix_.format_ = MatrixFormat.kRowwise
    program.a_matrix_.start_ = np.searchsorted(row[order], np.arange(program.num_row_ + 1))
    program.a_matrix_.index_ = np.append(flow.column, link.column)[order]
    program.a_matrix_.value_ = np.append(flow.value, link.value)[order]
    kinds = (HighsVarType.kContinuous, HighsVarType.kInteger)
    program.integrality_ = [kinds[one] for one in _whole(side).tolist()]
    return program


@dataclass(frozen=True)
class _Rows:
    """Rows of the constraint matrix, entry by entry."""

    n_rows: int
    row: NDArray[np.int64]
    column: NDArray[np.int64]
    value: Floats


def _flow_rows(side: Agents, offsets: NDArray[np.int64]) -> _Rows:
    """What is played after a decision, minus what comes to it, is 0."""
    rows, columns, values, n_rows = [], [], [], 0
    for block, offset in zip((side.joint, *side.each), offsets.tolist(), strict=False):
        decision = np.cumsum(block.action[1:] == 0) - 1 + n_rows
        incoming = np.arange(n_rows, n_rows + len(block.first))
        rows += [decision, incoming]
        columns += [np.arange(1, block.n_sequences) + offset, block.parent[block.first] + offset]
        values += [np.ones(len(decision)), -np.ones(len(incoming))]
        n_rows += len(block.first)
    return _Rows(n_rows, np.concatenate(rows), np.concatenate(columns), np.concatenate(values))


def _link_rows(side: Agents, offsets: NDArray[np.int64]) -> _Rows:
    """A joint sequence is played no more often than its last action's agent plays its own sequence."""
    own = np.concatenate([np.arange(1, agent.n_sequences) for agent in side.each])
    own += np.repeat(offsets[1:-1], [agent.n_sequences - 1 for agent in side.each])
    key = np.concatenate([_last_moves(agent) for agent in side.each])
    order = np.argsort(key)
    last = own[order][np.searchsorted(key[order], _last_moves(side.joint))]
    joint = np.arange(1, side.joint.n_sequences)
    rows = np.tile(joint - 1, 2)
    values = np.repeat([1.0, -1.0], len(joint))
    return _Rows(len(joint), rows, np.append(joint, last), values)


def _last_moves(block: Sequences) -> NDArray[np.int64]:
    """Return a number for the last infoset and action of every sequence but the empty one."""
    return block.infoset[1:].astype(np.int64) << 32 | block.action[1:]


def _whole(side: Agents) -> NDArray[np.bool_]:
    """Say which variables must be whole: the sequences of all agents but the one with the most.

    A single agent's are all whole, because HiGHS gives no bound on a program without whole variables.
    """
    sizes = [agent.n_sequences for agent in side.each]
    free = int(np.argmax(sizes)) if len(sizes) > 1 else -1
    parts = [np.zeros(side.joint.n_sequences, dtype=bool)]
    parts += [np.full(agent.n_sequences, number != free) for number, agent in enumerate(side.each)]
    return np.concatenate(parts)
