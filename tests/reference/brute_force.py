"""What a side can guarantee, from all joint pure plans: no DAG, no recall, no timing needed.

All that matters of a plan are the leaves that it allows: a bit mask, bit z for leaf z. The value of a game
is that of the matrix game between the masks of both sides, by HiGHS or, for tiny games, in fractions.
`dag_value` solves the same game by a linear program over two literal belief DAGs.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction

import highspy
import numpy as np
from numpy.typing import NDArray
from reference.belief_dag import BeliefDag, belief_dag

from maxmin.tree import GameTree

TOO_MANY = 20_000
"""More masks than this are not enumerated."""


class TooManyPlansError(Exception):
    """The game is too large for brute force."""


def others(tree: GameTree, team: Sequence[int]) -> tuple[int, ...]:
    """Return the players who are not in the team."""
    return tuple(player for player in range(1, tree.n_players + 1) if player not in team)


def plan_masks(tree: GameTree, side: Sequence[int]) -> set[int]:
    """Return the sets of leaves that the joint pure plans of a side allow, each once, as bit masks."""
    masks = {(1 << tree.n_leaves) - 1}
    for infoset in np.flatnonzero(np.isin(tree.infoset_player, list(side))).tolist():
        allowed = _allowed(tree, infoset)
        masks = {mask & leaves for mask in masks for leaves in allowed}
        if len(masks) > TOO_MANY:
            raise TooManyPlansError(f"{tree.name}: more than {TOO_MANY} plans")
    return masks


def _allowed(tree: GameTree, infoset: int) -> list[int]:
    """Return for each action the leaves that no other action of the infoset leads to."""
    allowed = [0] * len(tree.infoset_actions[infoset])
    for leaf, node in enumerate(tree.leaves.tolist()):
        taken = set()
        while node:
            parent = int(tree.parent[node])
            if tree.infoset[parent] == infoset:
                taken.add(int(tree.action[node]))
            node = parent
        for action in range(len(allowed)):
            allowed[action] |= (taken <= {action}) << leaf
    return allowed


def rows(masks: Iterable[int], n_leaves: int) -> NDArray[np.float64]:
    """Write masks as rows of zeros and ones, one column a leaf."""
    return np.array([[mask >> leaf & 1 for leaf in range(n_leaves)] for mask in sorted(masks)], dtype=float)


def gains(tree: GameTree, team: Sequence[int]) -> NDArray[np.float64]:
    """Return chance's reach times the team's payoff of each leaf."""
    total = tree.payoffs[:, [player - 1 for player in team]].sum(axis=1)
    return np.asarray(tree.chance_reach[tree.leaves] * total)


def exact_gains(tree: GameTree, team: Sequence[int]) -> list[Fraction]:
    """Return the same in fractions."""
    found = []
    for leaf, node in enumerate(tree.leaves.tolist()):
        gain = sum(Fraction(tree.numbers[tree.payoff_number[leaf, player - 1]]) for player in team)
        while node >= 0:
            gain *= Fraction(tree.numbers[tree.probability_number[node]])
            node = int(tree.parent[node])
        found.append(Fraction(gain))
    return found


def best_response(tree: GameTree, side: Sequence[int], gain: NDArray[np.float64]) -> float:
    """Return the most that a joint pure plan of the side collects of the gains at the leaves."""
    return float((rows(plan_masks(tree, side), tree.n_leaves) @ gain).max())


def team_value(tree: GameTree, team: Sequence[int]) -> float:
    """Return the TMECor value: what the team can guarantee against everybody else, by linear programming."""
    mine = rows(plan_masks(tree, team), tree.n_leaves)
    theirs = rows(plan_masks(tree, others(tree, team)), tree.n_leaves)
    return matrix_value((mine * gains(tree, team)) @ theirs.T)


def exact_team_value(tree: GameTree, team: Sequence[int]) -> Fraction:
    """Return the TMECor value in fractions; for games with few plans."""
    gain = exact_gains(tree, team)
    theirs = plan_masks(tree, others(tree, team))
    payoffs = {
        tuple(
            sum((g for leaf, g in enumerate(gain) if mask & plan & 1 << leaf), Fraction(0)) for plan in theirs
        )
        for mask in plan_masks(tree, team)
    }
    columns = set(zip(*payoffs, strict=True))
    return exact_matrix_value([list(row) for row in zip(*columns, strict=True)])


def matrix_value(payoffs: NDArray[np.float64]) -> float:
    """Return the value of a matrix game for the row player, by HiGHS."""
    payoffs = np.unique(np.unique(payoffs, axis=0), axis=1)
    program = LinearProgram()
    value = program.column(objective=1.0, lower=-highspy.kHighsInf)
    plans = [program.column() for _ in payoffs]
    program.row(dict.fromkeys(plans, 1.0), 1.0, 1.0)
    for column in payoffs.T:
        program.row({value: -1.0, **dict(zip(plans, column, strict=True))}, 0.0)
    return program.maximum()


def exact_matrix_value(payoffs: list[list[Fraction]]) -> Fraction:
    """Return the value of a matrix game for the row player: simplex in fractions, Bland's rule.

    With payoffs shifted to be positive, the value is 1 / max {sum y : A y <= 1, y >= 0}. The table is
    condensed: a column for each variable that is zero, a row for each other one; right-hand sides are in the
    last column, the objective is in the last row.
    """
    shift = 1 - min(map(min, payoffs))
    table = [[*(Fraction(entry) + shift for entry in row), Fraction(1)] for row in payoffs]
    n_columns = len(payoffs[0])
    table.append([Fraction(-1)] * n_columns + [Fraction(0)])
    zero = list(range(n_columns))
    basic = list(range(n_columns, n_columns + len(payoffs)))
    while improving := [column for column in range(n_columns) if table[-1][column] < 0]:
        enter = min(improving, key=zero.__getitem__)
        bounding = [row for row in range(len(basic)) if table[row][enter] > 0]
        leave = min(bounding, key=lambda row: (table[row][-1] / table[row][enter], basic[row]))
        _pivot(table, leave, enter)
        zero[enter], basic[leave] = basic[leave], zero[enter]
    return 1 / table[-1][-1] - shift


def _pivot(table: list[list[Fraction]], leave: int, enter: int) -> None:
    pivot = table[leave][enter]
    table[leave] = [entry / pivot for entry in table[leave]]
    table[leave][enter] = 1 / pivot
    for row in range(len(table)):
        factor = table[row][enter]
        if row == leave or not factor:
            continue
        table[row] = [entry - factor * other for entry, other in zip(table[row], table[leave], strict=True)]
        table[row][enter] = -factor / pivot


def dag_value(tree: GameTree, team: Sequence[int], *, reduced: bool = False) -> float:
    """Return the TMECor value by a linear program over the belief DAGs of both sides."""
    mine = belief_dag(tree, team, reduced=reduced)
    theirs = belief_dag(tree, others(tree, team), reduced=reduced)
    program = LinearProgram()
    reach = _flow(program, mine)
    worth = [
        program.column(objective=float(not belief), lower=-highspy.kHighsInf)
        for belief in range(len(theirs.labels))
    ]
    # The other side pays, at each belief, no more than under any of its prescriptions.
    for leaf, gain in enumerate(gains(tree, team).tolist()):
        program.row({reach[leaf]: gain, worth[theirs.leaf.index(leaf)]: -1.0}, 0.0)
    for belief, prescriptions in enumerate(theirs.prescriptions):
        for children in prescriptions:
            program.row({worth[belief]: -1.0, **{worth[child]: 1.0 for child in children}}, 0.0)
    return program.maximum()


def _flow(program: "LinearProgram", dag: BeliefDag) -> dict[int, int]:
    """Add the flow of a DAG; return the column of the reach of each leaf."""
    inflow: list[dict[int, float]] = [{} for _ in dag.labels]
    outflow: list[dict[int, float]] = [{} for _ in dag.labels]
    for belief, prescriptions in enumerate(dag.prescriptions):
        for children in prescriptions or [[]]:
            column = program.column()
            outflow[belief][column] = -1.0
            for child in children:
                inflow[child][column] = inflow[child].get(column, 0.0) + 1.0
    for belief in range(len(dag.labels)):
        source = -float(not belief)
        program.row({**inflow[belief], **outflow[belief]}, source, source)
    return {leaf: next(iter(outflow[belief])) for belief, leaf in enumerate(dag.leaf) if leaf is not None}


class LinearProgram:
    """A few lines around HiGHS: add columns and rows, then ask for the maximum."""

    def __init__(self) -> None:
        self.highs = highspy.Highs()
        self.highs.silent()
        self.n_columns = 0

    def column(self, *, objective: float = 0.0, lower: float = 0.0) -> int:
        self.highs.addCol(objective, lower, highspy.kHighsInf, 0, np.array([], dtype=np.int32), np.array([]))
        self.n_columns += 1
        return self.n_columns - 1

    def row(self, entries: dict[int, float], lower: float, upper: float = highspy.kHighsInf) -> None:
        columns = np.array(list(entries), dtype=np.int32)
        self.highs.addRow(lower, upper, len(columns), columns, np.array(list(entries.values()), dtype=float))

    def maximum(self) -> float:
        self.highs.changeObjectiveSense(highspy.ObjSense.kMaximize)
        self.highs.run()
        status = self.highs.getModelStatus()
        if status != highspy.HighsModelStatus.kOptimal:
            raise AssertionError(f"HiGHS says {status}")
        return float(self.highs.getInfo().objective_function_value)
