"""The linear program of a match over the rationals; its optimum is the value, its prices are the others' strategy.

The same program as `maxmin.solve.linear_program` (von Stengel 1996; Zhang and Sandholm 2022), as equations: the
team maximizes v[root of the others] over its flow x and the others' potentials v, with

    flow       sum of x over a belief's prescriptions - flow into the belief = 0 (1 at the root)
    potential  v[b] - sum of v and w over the children of q + slack[q] = 0, for each prescription q of the others

where w[m] = sum over l of gain[l, m] * r[l], and r[l] is the flow into the team's leaf class l. A leaf class that
only one prescription leads to, as in the sequence form, needs no column of its own: its r or w is written out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq

from maxmin.decision import DecisionProblem
from maxmin.exact.rational_lp import ONE, ZERO, RationalProgram
from maxmin.match import Match
from maxmin.verify.gains import exact_team_gains


@dataclass(frozen=True, eq=False)
class SequenceProgram:
    """A program, and where the strategies are in its solutions.

    Attributes
    ----------
    program : RationalProgram
        Columns: the team's flow, the others' potentials, slacks, leaf classes. Rows: the team's beliefs, the
        others' prescriptions, leaf classes.
    team_flow : slice
        The columns that are the flow of each of the team's prescriptions.
    others_flow : slice
        The rows whose prices are the flow of each of the others' prescriptions.
    """

    program: RationalProgram
    team_flow: slice
    others_flow: slice


def exact_gains(match: Match) -> list[fmpq]:
    """Return chance's probability times the team's payoff at each leaf of the tree, exactly."""
    always = np.full(match.tree.n_leaves, Fraction(1), dtype=object)
    gains = exact_team_gains(match.tree, match.team.side, always).tolist()
    return [fmpq(gain.numerator, gain.denominator) for gain in gains]


def sequence_program(match: Match, *, gains: Sequence[Any] | None = None) -> SequenceProgram:
    """Write a match as a linear program over the rationals.

    Parameters
    ----------
    match
        The team, the others, and their tree.
    gains
        What the team gets at each leaf of the tree, times chance's probability: fmpq, or elements of a ring
        that holds them, such as polynomials. Default: `exact_gains`.
    """
    ours, theirs = match.team, match.others
    matrix = _Matrix()
    flow = matrix.add_columns(ours.n_prescriptions)
    potential = matrix.add_columns(theirs.n_beliefs, free=True)
    slack = matrix.add_columns(theirs.n_prescriptions)
    root = matrix.add_rows(ours.n_beliefs)
    rows = matrix.add_rows(theirs.n_prescriptions)
    reach: list[list[int]] = [[] for _ in range(ours.n_leaf_classes)]
    for belief, prescription, beliefs, classes in _prescriptions(ours):
        column = flow + prescription
        matrix.add(root + belief, column, ONE)
        for child in beliefs:
            matrix.add(root + child, column, -ONE)
        for leaf_class in classes:
            reach[leaf_class].append(column)
    worth: list[list[int]] = [[] for _ in range(theirs.n_leaf_classes)]
    for belief, prescription, beliefs, classes in _prescriptions(theirs):
        row = rows + prescription
        matrix.add(row, potential + belief, ONE)
        matrix.add(row, slack + prescription, ONE)
        for child in beliefs:
            matrix.add(row, potential + child, -ONE)
        for leaf_class in classes:
            worth[leaf_class].append(row)
    _add_gains(matrix, match, exact_gains(match) if gains is None else gains, (reach, worth))
    return SequenceProgram(
        matrix.program(objective=potential, right=root),
        slice(flow, flow + ours.n_prescriptions),
        slice(rows, rows + theirs.n_prescriptions),
    )


def _prescriptions(problem: DecisionProblem) -> Iterator[tuple[int, int, list[int], list[int]]]:
    """Yield for each prescription: its belief, its number, the beliefs and the leaf classes that follow."""
    start, children = problem.child_start.tolist(), problem.children.tolist()
    beliefs = np.repeat(np.arange(problem.n_beliefs), np.diff(problem.belief_start)).tolist()
    for prescription, belief in enumerate(beliefs):
        after = children[start[prescription] : start[prescription + 1]]
        inside = [child for child in after if child < problem.n_beliefs]
        yield belief, prescription, inside, [c - problem.n_beliefs for c in after if c >= problem.n_beliefs]


def _add_gains(
    matrix: "_Matrix", match: Match, gains: Sequence[Any], classes: tuple[list[list[int]], list[list[int]]]
) -> None:
    """Subtract the gains of pairs of leaf classes from the potential rows, by columns and rows of their own."""
    reach = [columns[0] if len(columns) == 1 else _define_reach(matrix, columns) for columns in classes[0]]
    worth = [rows[0] if len(rows) == 1 else _define_worth(matrix, rows) for rows in classes[1]]
    pairs = zip(match.team.leaf_class.tolist(), match.others.leaf_class.tolist(), gains, strict=True)
    for ours, theirs, gain in pairs:
        if gain:
            matrix.add(worth[theirs], reach[ours], -gain)


def _define_reach(matrix: "_Matrix", flows: list[int]) -> int:
    """Add r - sum of flows = 0; return the column of r."""
    row, column = matrix.add_rows(1), matrix.add_columns(1, free=True)
    matrix.add(row, column, ONE)
    for flow in flows:
        matrix.add(row, flow, -ONE)
    return column


def _define_worth(matrix: "_Matrix", potential_rows: list[int]) -> int:
    """Add w - (gains to come) = 0, and w to potential rows; return the row that defines w."""
    row, column = matrix.add_rows(1), matrix.add_columns(1, free=True)
    matrix.add(row, column, ONE)
    for potential_row in potential_rows:
        matrix.add(potential_row, column, -ONE)
    return row


@dataclass(eq=False)
class _Matrix:
    """A program under construction."""

    n_rows: int = 0
    free: list[bool] = field(default_factory=list)
    columns: list[dict[int, Any]] = field(default_factory=list)

    def add_columns(self, count: int, *, free: bool = False) -> int:
        """Add columns; return the first one's number."""
        self.columns += [{} for _ in range(count)]
        self.free += [free] * count
        return len(self.columns) - count

    def add_rows(self, count: int) -> int:
        """Add rows; return the first one's number."""
        self.n_rows += count
        return self.n_rows - count

    def add(self, row: int, column: int, value: Any) -> None:
        """Add to an entry."""
        entries = self.columns[column]
        entries[row] = entries[row] + value if row in entries else value

    def program(self, *, objective: int, right: int) -> RationalProgram:
        """Maximize one column; one row is 1, the others are 0."""
        kept = [[(row, value) for row, value in entries.items() if value] for entries in self.columns]
        return RationalProgram(
            start=np.cumsum([0, *map(len, kept)]).tolist(),
            row=[row for entries in kept for row, _ in entries],
            value=[value for entries in kept for _, value in entries],
            objective=[ONE if column == objective else ZERO for column in range(len(kept))],
            right=[ONE if row == right else ZERO for row in range(self.n_rows)],
            free=self.free,
        )
