"""What a team with independent members gets at most, while each odds lies in a box: one linear program.

Members' plans enter as products (`maxmin.tme.products`), z = x1 x2 ..., which the program does not know to be
products, only what follows from it (reformulation and linearization: Sherali and Tuncbilek 1992; McCormick 1976):

    flow      each agent's flow equation, times everybody else's sequences: the sum of z over the actions of an
              infoset = z of the sequence that leads there; z of nothing = 1
    box       odds * x[before] <= x[after] <= odds' * x[before], times everybody else's sequences
    products  of two such inequalities of different agents, times the rest's sequences
    worth, potential   as in `maxmin.solve.linear_program`

Without boxes this is von Stengel and Forges's polytope: at least what members get who draw together. When all boxes
are points, z are products. The bound is found from the program's duals anew, so rounding in HiGHS cannot harm it
(Neumaier and Shcherbina 2004).
"""

from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any, TypeAlias

import numpy as np
from highspy import HighsBasis, HighsBasisStatus, HighsLp, HighsModelStatus
from numpy.typing import NDArray

from maxmin.highs import quiet_highs, run_here
from maxmin.solve.potentials import Rows, maximize_potential
from maxmin.tme.ascent import KeepGoing
from maxmin.tme.match import IndependentMatch
from maxmin.tme.products import Products
from maxmin.tree import Floats

Boxes: TypeAlias = dict[int, tuple[float, float]]
"""The least and the largest odds of some sequences, by their number in a point."""

_STATUSES = [HighsBasisStatus(number) for number in range(5)]

_Side: TypeAlias = tuple[int, bool]
"""One inequality of a box: the sequence, and whether it is the lower one."""

_Block: TypeAlias = tuple[_Side, ...]
"""One or two inequalities; its rows are their product with all that goes with them."""

_Entries: TypeAlias = tuple[NDArray[np.int64], float]
"""Columns, one in each row, and their coefficient."""


@dataclass(frozen=True, eq=False)
class Basis:
    """Where simplex ended: the statuses of columns, of the rows without boxes, and of each block's rows.

    A byte each, as thousands of these are kept: HiGHS's own are an object each.
    """

    columns: bytes
    rows: bytes
    blocks: dict[_Block, bytes]


@dataclass(frozen=True, eq=False)
class Relaxed:
    """What the program says of one combination of boxes.

    Attributes
    ----------
    bound : float
        The team gets no more with odds in the boxes; scaled.
    odds : (n_sequences of all agents,) float64
        What each agent does on average in the program's solution.
    spread : (n_sequences of all agents,) float64
        How far what agents do depends on what the others do; where it is 0 everywhere, they are independent.
    basis : Basis
    """

    bound: float
    odds: Floats
    spread: Floats
    basis: Basis


class Relaxation:
    """The program of one match; `solve` it for one combination of boxes after another."""

    def __init__(self, match: IndependentMatch, products: Products) -> None:
        self._match = match
        self._products = products
        self._model = _model(match, products)
        self._highs: Any = quiet_highs()
        self._highs.passModel(self._model)
        matrix = self._model.a_matrix_
        self._rows = np.repeat(np.arange(self._model.num_row_), np.diff(matrix.start_))
        self._columns, self._values = np.array(matrix.index_), np.array(matrix.value_)
        self._cost, self._least = np.array(self._model.col_cost_), np.array(self._model.col_lower_)
        self._shared: dict[tuple[int, int], NDArray[np.int64]] = {}

    def solve(self, boxes: Boxes, near: Basis | None, keep_going: KeepGoing) -> Relaxed | None:
        """Bound what the team gets with odds in the boxes.

        Parameters
        ----------
        boxes
            Odds that are not named are free.
        near
            The basis of a combination of boxes that contains this one, if there is one.
        keep_going
            Asked now and then; the program stops when it returns False.

        Returns
        -------
        Relaxed or None
            None if the program was stopped, or could not be solved.
        """
        blocks = self._blocks(boxes)
        rows = Rows()
        for entries in blocks.values():
            for column, value in entries:
                rows.add(np.arange(len(column)), column, value)
            rows.close(len(entries[0][0]))
        self._replace_rows(rows)
        if near is None:
            self._highs.clearSolver()
        else:
            self._highs.setBasis(_basis(near, blocks))
        run_here(self._highs, f"the relaxation of {self._match.tree.name}", keep_going)
        if self._highs.getModelStatus() != HighsModelStatus.kOptimal:
            return None
        solution = self._highs.getSolution()
        found = np.array(solution.col_value)[: self._products.n_products]
        odds = self._match.odds(found[self._products.alone])
        bound = self._bound(np.array(solution.row_dual), rows)
        return Relaxed(bound, odds, self._spread(found, odds), self._keep_basis(blocks))

    def _replace_rows(self, rows: Rows) -> None:
        """Put the rows of boxes behind the others, instead of those that were there."""
        n_base, n_old = self._model.num_row_, self._highs.getNumRow()
        if n_old > n_base:
            self._highs.deleteRows(n_old - n_base, np.arange(n_base, n_old, dtype=np.int32))
        if rows.n_rows:
            start, column, value = rows.compressed()
            free = np.full(rows.n_rows, np.inf)
            self._highs.addRows(
                rows.n_rows, np.zeros(rows.n_rows), free, len(column), start[:-1], column, value
            )

    def _blocks(self, boxes: Boxes) -> dict[_Block, list[_Entries]]:
        """Return the inequalities of boxes, and the products of any two of them, block by block.

        An inequality is a * x[sequence] + b * x[before] >= 0; each block has entries (columns, coefficient).
        """
        products, sides = self._products, dict[_Side, tuple[float, float]]()
        for sequence, (lower, upper) in boxes.items():
            if lower > 0:
                sides[sequence, True] = (1.0, -lower)
            if upper < 1:
                sides[sequence, False] = (-1.0, upper)
        blocks: dict[_Block, list[_Entries]] = {}
        for side, (a, b) in sides.items():
            agent, part = self._agent_of(side[0]), products.by_sequence[side[0]]
            blocks[(side,)] = [(part, a), (products.above[agent, part], b)]
        for (one, (a, b)), (two, (c, d)) in combinations(sides.items(), 2):
            part = self._parts(one[0], two[0])
            if len(part):
                above_one, above_two = (products.above[self._agent_of(side[0])] for side in (one, two))
                both = above_two[above_one[part]]
                blocks[one, two] = [
                    (part, a * c),
                    (above_one[part], b * c),
                    (above_two[part], a * d),
                    (both, b * d),
                ]
        return blocks

    def _agent_of(self, sequence: int) -> int:
        return int(np.searchsorted(self._match.offsets, sequence, side="right")) - 1

    def _parts(self, one: int, two: int) -> NDArray[np.int64]:
        """Return the products that two sequences of different agents are part of."""
        if (one, two) not in self._shared:
            parts = self._products.by_sequence
            same = self._agent_of(one) == self._agent_of(two)
            self._shared[one, two] = (
                parts[one][:0] if same else np.intersect1d(parts[one], parts[two], assume_unique=True)
            )
        return self._shared[one, two]

    def _bound(self, dual: Floats, rows: Rows) -> float:
        """Return what the duals prove: no point within the columns' bounds (at most 1) gets more."""
        n_base = self._model.num_row_
        n_equations = n_base - self._match.others.n_prescriptions
        dual = dual.copy()
        dual[n_equations:n_base] = np.maximum(dual[n_equations:n_base], 0.0)
        dual[n_base:] = np.minimum(dual[n_base:], 0.0)
        reduced = -np.bincount(self._columns, self._values * dual[self._rows], minlength=len(self._cost))
        if rows.n_rows:
            start, column, value = rows.compressed()
            repeated = np.repeat(dual[n_base:], np.diff(start))
            reduced -= np.bincount(column, value * repeated, minlength=len(self._cost))
        reduced += self._cost
        # Right-hand sides are 0, but for the first: z of nothing = 1.
        return float(dual[0] + np.maximum(reduced * self._least, reduced).sum())

    def _spread(self, found: Floats, odds: Floats) -> Floats:
        """Sum |z - odds * z before| over the products of each sequence."""
        spread = np.zeros(len(odds))
        for sequence, above in zip(self._products.sequence, self._products.above, strict=True):
            played = above >= 0
            missed = np.abs(found[played] - odds[sequence[played]] * found[above[played]])
            spread += np.bincount(sequence[played], missed, minlength=len(odds))
        return spread

    def _keep_basis(self, blocks: dict[_Block, list[_Entries]]) -> Basis:
        basis = self._highs.getBasis()
        n_base = self._model.num_row_
        sizes = [len(entries[0][0]) for entries in blocks.values()]
        stops = n_base + np.cumsum([0, *sizes])
        status = bytes(map(int, basis.row_status))
        parts = [status[start:stop] for start, stop in pairwise(stops.tolist())]
        columns = bytes(map(int, basis.col_status))
        return Basis(columns, status[:n_base], dict(zip(blocks, parts, strict=True)))


def _basis(near: Basis, blocks: dict[_Block, list[_Entries]]) -> HighsBasis:
    """Return a basis in which rows that are new are slack."""
    slack = bytes([int(HighsBasisStatus.kBasic)])
    rows = b"".join(near.blocks.get(block, slack * len(entries[0][0])) for block, entries in blocks.items())
    basis = HighsBasis()
    basis.col_status = [_STATUSES[status] for status in near.columns]
    basis.row_status = [_STATUSES[status] for status in near.rows + rows]
    basis.valid = True
    return basis


def _model(match: IndependentMatch, products: Products) -> HighsLp:
    """Return the program without boxes; all its columns are bounded, as `Relaxation._bound` needs it."""
    n_products, n_worth = products.n_products, match.others.n_leaf_classes
    rows = Rows()
    rows.add(np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64), 1.0)
    rows.close(1)
    for number, agent in enumerate(match.agents):
        own = products.sequence[number] - match.offsets[number]
        first = np.append(0, np.repeat(agent.first, agent.stop - agent.first))  # of each sequence's decision
        played = np.flatnonzero(own > 0)
        above = products.above[number, played]
        equation = above * agent.n_sequences + first[own[played]]
        _, one, row = np.unique(equation, return_index=True, return_inverse=True)
        rows.add(row, played, 1.0)
        rows.add(np.arange(len(one)), above[one], -1.0)
        rows.close(len(one))
    leaf = np.repeat(np.arange(len(match.payoffs.start) - 1), np.diff(match.payoffs.start))
    rows.add(np.arange(n_worth), n_products + np.arange(n_worth), 1.0)
    rows.add(match.payoffs.column, products.leaf[leaf], -match.payoffs.value)
    rows.close(n_worth)
    model = maximize_potential(rows, match.others, n_products)
    model.col_lower_ = np.concatenate([np.zeros(n_products), np.full(model.num_col_ - n_products, -1.0)])
    model.col_upper_ = np.ones(model.num_col_)
    return model
