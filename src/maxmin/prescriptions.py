"""What prescriptions of a decision problem do: the beliefs that they lead to, the moves that they make."""

import numpy as np
from numpy.typing import NDArray

from maxmin.decision import DecisionProblem, take_rows
from maxmin.tree import GameTree, Ints


def reached_beliefs(problem: DecisionProblem, played: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Say which beliefs are reached where some prescriptions are played: (n_beliefs,)."""
    reached = np.zeros(problem.n_beliefs, dtype=bool)
    front = np.array([0])
    while len(front):
        reached[front] = True
        prescriptions = take_rows(problem.belief_start, front)[1]
        here = prescriptions[played[prescriptions]]
        children = problem.children[take_rows(problem.child_start, here)[1]]
        fresh = np.zeros(problem.n_beliefs, dtype=bool)
        fresh[children[children < problem.n_beliefs]] = True
        front = np.flatnonzero(fresh & ~reached)
    return reached


def moves_of(
    tree: GameTree, problem: DecisionProblem, prescriptions: NDArray[np.int64], beliefs: NDArray[np.int64]
) -> tuple[NDArray[np.int64], Ints, Ints]:
    """List the moves of prescriptions as (row in `prescriptions`, infoset, action), by rows."""
    rows, infosets, actions = [], [], []
    for row, decision, option in problem.choices_of(prescriptions, beliefs):
        options = problem.decision_options[decision]
        infoset, stage = problem.decision_infoset[decision], problem.decision_stage[decision]
        n_actions = tree.infoset_n_actions[infoset]
        chained = options < n_actions
        last = stage == n_actions - 2
        plays = ~chained | (option == 0) | last
        action = np.where(chained, stage + option, option)
        rows.append(row[plays])
        infosets.append(infoset[plays])
        actions.append(action[plays])
    if not rows:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int32)
    row = np.concatenate(rows)
    order = np.argsort(row, kind="stable")
    infoset, action = np.concatenate(infosets)[order], np.concatenate(actions)[order]
    return row[order], infoset.astype(np.int32), action.astype(np.int32)
