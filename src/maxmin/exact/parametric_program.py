"""The linear program of a game over parameters, with the parameters moved to its edges as far as they go.

It is von Stengel's program (`maxmin.solve.linear_program`), with leaf classes substituted:

    flow       sum of x over a belief's prescriptions = flow into the belief (1 at the root)
    potential  v[b] + slack = sum of v over the children of q + sum over p of weight[p, q] * x[p],
               for each prescription q of the others' belief b

The scaling is the point. A weight is a product of chance's probabilities, and some factors of it depend on what
the team knows alone, such as the probability of its own type, others on what the others know alone. Let `a` be the
team's factors that all weights below a belief share, and `b` the others'. In the unknowns a * x and v / b the
factors cancel from the weights and stand only where beliefs start to have them: below the root. So where chance
deals types at the start, each with its own parameter, the parameters are in the right-hand side and in the
objective, and a basis is optimal on a product of two regions, on which the value is a polynomial.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import product
from typing import TypeAlias

import numpy as np
from flint import fmpq, fmpq_mpoly

from maxmin.decision import DecisionProblem, build_problem, check_side
from maxmin.errors import MaxminError
from maxmin.exact.parametric_tree import ParametricTree
from maxmin.exact.polynomial import Point, Ratio, rational, sign_on, solve_sparse
from maxmin.exact.rational_lp import RationalProgram

Factors: TypeAlias = "Counter[str]"
"""A product of irreducible polynomials: the exponent of each, by its text."""

Pair: TypeAlias = tuple[int, int]


@dataclass(frozen=True, eq=False)
class ParametricProgram:
    """Maximize objective . x where A x = right, and x[j] >= 0 unless free[j]; numbers are polynomials.

    Attributes
    ----------
    game : ParametricTree
    team, others : DecisionProblem
        Columns are the team's prescriptions, then the others' beliefs (free), then slacks, one per prescription
        of the others. Rows are the team's beliefs, then the others' prescriptions.
    columns : list of dict
        The entries of each column, by row.
    objective, right : list of polynomials
    free : list of bool
    """

    game: ParametricTree
    team: DecisionProblem
    others: DecisionProblem
    columns: list[dict[int, fmpq_mpoly]]
    objective: list[fmpq_mpoly]
    right: list[fmpq_mpoly]
    free: list[bool]

    def column(self, j: int) -> dict[int, fmpq_mpoly]:
        """Return the entries of column j by row; column n_columns + i is the unit column of row i."""
        n_columns = len(self.columns)
        return self.columns[j] if j < n_columns else {j - n_columns: self.game.context.constant(1)}

    def cost(self, j: int) -> fmpq_mpoly:
        """Return the objective of column j; of a unit column it is 0."""
        return self.objective[j] if j < len(self.columns) else self.game.context.constant(0)

    def at(self, point: Point) -> RationalProgram:
        """Return the program at a point."""
        place = [rational(number) for number in point]
        known: dict[str, fmpq] = {}

        def value(polynomial: fmpq_mpoly) -> fmpq:
            if polynomial.is_constant():
                return polynomial.leading_coefficient()
            key = str(polynomial)
            if key not in known:
                known[key] = polynomial(*place)
            return known[key]

        zero = fmpq(0)
        return RationalProgram(
            start=[0, *np.cumsum([len(column) for column in self.columns]).tolist()],
            row=[row for column in self.columns for row in column],
            value=[value(entry) for column in self.columns for entry in column.values()],
            objective=[zero if each.is_zero() else value(each) for each in self.objective],
            right=[zero if each.is_zero() else value(each) for each in self.right],
            free=self.free,
        )


@dataclass(frozen=True, eq=False)
class ParametricBasis:
    """What a basis says at all points: rational functions of the parameters.

    Attributes
    ----------
    x : dict of int to Ratio
        The basic columns; all others are 0. A number of n_columns + i stands for the unit column of row i, which
        must be 0.
    dual : list of Ratio
        One price per row.
    reduced : dict of int to Ratio
        Objective minus prices times column, for the columns that are not basic.
    value : Ratio
    """

    x: dict[int, Ratio]
    dual: list[Ratio]
    reduced: dict[int, Ratio]
    value: Ratio


def parametric_program(game: ParametricTree, team: Sequence[int]) -> ParametricProgram:
    """Make the program of a team against everybody else.

    Raises
    ------
    UnknownNameError
        If the team is not some, but not all, of the players.
    NotTimeableError, SizeError
        As `build_problem` does.
    """
    side = check_side(game.tree, team)
    rest = tuple(player for player in range(1, game.tree.n_players + 1) if player not in side)
    ours = build_problem(game.tree, side, reduce_branching=False)
    theirs = build_problem(game.tree, rest, reduce_branching=False)
    weights = _class_weights(game, ours, theirs)
    scale = _Scaling(game, ours, theirs, weights)
    zero = game.context.constant(0)
    n_beliefs, n_ours, n_theirs = ours.n_beliefs, ours.n_prescriptions, theirs.n_prescriptions
    columns = [*_flow_columns(ours, scale, scale.ours), *_potential_columns(theirs, scale, n_beliefs)]
    columns += [{n_beliefs + q: game.context.constant(1)} for q in range(n_theirs)]
    belief_of = [_belief_of(ours), _belief_of(theirs)]
    for (p, q), weight in _prescription_weights(ours, theirs, weights, zero).items():
        common = scale.polynomial(scale.ours[belief_of[0][p]] + scale.theirs[belief_of[1][q]])
        columns[p][n_beliefs + q] = -(weight / common)
    objective = [zero] * len(columns)
    objective[n_ours] = scale.polynomial(scale.theirs[0])
    right = [scale.polynomial(scale.ours[0]), *[zero] * (n_beliefs + n_theirs - 1)]
    free = [n_ours <= column < n_ours + theirs.n_beliefs for column in range(len(columns))]
    return ParametricProgram(game, ours, theirs, columns, objective, right, free)


def solve_basis(program: ParametricProgram, basis: Sequence[int]) -> ParametricBasis:
    """Solve a basis for all points at once.

    Raises
    ------
    MaxminError
        If the basis is singular everywhere.
    """
    context = program.game.context
    one, zero = context.constant(1), Ratio(context.constant(0), context.constant(1))
    by_row: list[dict[int, Ratio]] = [{} for _ in basis]
    by_column: list[dict[int, Ratio]] = [{} for _ in basis]
    for place, column in enumerate(basis):
        for row, entry in program.column(column).items():
            by_row[row][place] = by_column[place][row] = Ratio(entry, one)
    x = solve_sparse(by_row, [Ratio(each, one) for each in program.right], zero)
    dual = solve_sparse(by_column, [Ratio(program.cost(column), one) for column in basis], zero)
    if x is None or dual is None:
        raise MaxminError(
            f"{program.game.name}: a basis is singular; this is a fault of maxmin, please report it"
        )
    reduced = {}
    for column in sorted(set(range(len(program.columns))) - set(basis)):
        total = Ratio(program.objective[column], one)
        for row, entry in program.columns[column].items():
            total = total.minus_product(dual[row], Ratio(entry, one))
        reduced[column] = total
    value = zero
    for place, column in enumerate(basis):
        value = value.minus_product(Ratio(-program.cost(column), one), x[place])
    return ParametricBasis(dict(zip(basis, x, strict=True)), dual, reduced, value)


def _belief_of(problem: DecisionProblem) -> list[int]:
    """Return the belief of each prescription."""
    return np.repeat(np.arange(problem.n_beliefs), np.diff(problem.belief_start)).tolist()


def _children(problem: DecisionProblem) -> Iterator[tuple[int, int, int]]:
    """Yield (belief, prescription, child)."""
    belief = _belief_of(problem)
    prescription = np.repeat(np.arange(problem.n_prescriptions), np.diff(problem.child_start)).tolist()
    for p, child in zip(prescription, problem.children.tolist(), strict=True):
        yield belief[p], p, child


def _class_weights(
    game: ParametricTree, ours: DecisionProblem, theirs: DecisionProblem
) -> dict[Pair, fmpq_mpoly]:
    """Sum the weights of leaves by the leaf classes of both sides."""
    total: dict[Pair, fmpq_mpoly] = {}
    zero = game.context.constant(0)
    classes = zip(ours.leaf_class.tolist(), theirs.leaf_class.tolist(), strict=True)
    for pair, weight in zip(classes, game.leaf_weights(ours.side), strict=True):
        total[pair] = total.get(pair, zero) + weight
    return {pair: weight for pair, weight in total.items() if not weight.is_zero()}


def _prescription_weights(
    ours: DecisionProblem, theirs: DecisionProblem, weights: dict[Pair, fmpq_mpoly], zero: fmpq_mpoly
) -> dict[Pair, fmpq_mpoly]:
    """Sum the weights of leaf classes by the prescriptions that lead to them."""
    above: list[dict[int, list[int]]] = []
    for problem in (ours, theirs):
        parents: dict[int, list[int]] = {}
        for _, prescription, child in _children(problem):
            parents.setdefault(child - problem.n_beliefs, []).append(prescription)
        above.append(parents)
    total: dict[Pair, fmpq_mpoly] = {}
    for (our_class, their_class), weight in weights.items():
        for pair in product(above[0].get(our_class, ()), above[1].get(their_class, ())):
            total[pair] = total.get(pair, zero) + weight
    return {pair: weight for pair, weight in total.items() if not weight.is_zero()}


def _flow_columns(
    problem: DecisionProblem, scale: "_Scaling", factors: list[Factors]
) -> Iterator[dict[int, fmpq_mpoly]]:
    """Yield the columns of a side's prescriptions in the rows of its beliefs."""
    columns = [{belief: scale.one} for belief in _belief_of(problem)]
    for belief, prescription, child in _children(problem):
        if child < problem.n_beliefs:
            columns[prescription][child] = -scale.polynomial(factors[child] - factors[belief])
    yield from columns


def _potential_columns(
    problem: DecisionProblem, scale: "_Scaling", first_row: int
) -> Iterator[dict[int, fmpq_mpoly]]:
    """Yield the columns of a side's beliefs in the rows of its prescriptions: the transpose of its flow."""
    columns: list[dict[int, fmpq_mpoly]] = [{} for _ in range(problem.n_beliefs)]
    for prescription, column in enumerate(_flow_columns(problem, scale, scale.theirs)):
        for belief, entry in column.items():
            columns[belief][first_row + prescription] = entry
    yield from columns


class _Scaling:
    """The factors `ours` and `theirs` of each belief, chosen so that most weights become numbers.

    A parameter is either side's to take out; of all ways to share them the one is taken that leaves parameters in
    the fewest weights. Only factors of known sign on the box are taken, so that nothing changes its sign.
    """

    def __init__(
        self,
        game: ParametricTree,
        ours: DecisionProblem,
        theirs: DecisionProblem,
        weights: dict[Pair, fmpq_mpoly],
    ) -> None:
        self.one = game.context.constant(1)
        self._game = game
        self._of_text: dict[str, fmpq_mpoly] = {}
        self._known: dict[str, Factors] = {}
        factored = {pair: self._factor(weight) for pair, weight in weights.items()}
        shares = [_shared(factored, side) for side in (0, 1)]
        best, least = shares, len(factored) + 1
        for owners in product((0, 1), repeat=len(game.parameters)):
            taken = [self._owned(share, owners, side) for side, share in enumerate(shares)]
            left = sum(
                bool(factors - taken[0][our_class] - taken[1][their_class])
                for (our_class, their_class), factors in factored.items()
            )
            if left < least:
                best, least = taken, left
        self.ours = _of_beliefs(ours, best[0])
        self.theirs = _of_beliefs(theirs, best[1])

    def polynomial(self, factors: Factors) -> fmpq_mpoly:
        """Multiply factors out."""
        return reduce(lambda left, name: left * self._of_text[name], factors.elements(), self.one)

    def _factor(self, weight: fmpq_mpoly) -> Factors:
        """Return the factors of a weight that do not change their sign on the box."""
        key = str(weight)
        if key not in self._known:
            found: Factors = Counter()
            for factor, exponent in weight.factor()[1]:
                sign = sign_on(factor, self._game.box)
                if sign:
                    name = str(sign * factor)
                    self._of_text[name] = sign * factor
                    found[name] += int(exponent)
            self._known[key] = found
        return self._known[key]

    def _owned(self, share: dict[int, Factors], owners: Sequence[int], side: int) -> dict[int, Factors]:
        """Keep the factors all of whose parameters are this side's."""
        mine = {
            name
            for name, factor in self._of_text.items()
            if all(
                owner == side or degree < 1
                for owner, degree in zip(owners, map(int, factor.degrees()), strict=True)
            )
        }
        return {
            leaf_class: Counter({name: count for name, count in factors.items() if name in mine})
            for leaf_class, factors in share.items()
        }


def _shared(factored: dict[Pair, Factors], side: int) -> dict[int, Factors]:
    """Return, for each leaf class of a side, the factors that all its weights have."""
    shared: dict[int, Factors] = {}
    for pair, factors in factored.items():
        known = shared.get(pair[side])
        shared[pair[side]] = factors if known is None else known & factors
    return shared


def _of_beliefs(problem: DecisionProblem, of_class: dict[int, Factors]) -> list[Factors]:
    """Return, for each belief, the factors that all leaf classes below it have, at least those of its parents."""
    below: list[Factors | None] = [None] * problem.n_beliefs
    above: list[Factors] = [Counter() for _ in range(problem.n_beliefs)]
    edges = list(_children(problem))
    for belief, _, child in reversed(edges):
        inside = child < problem.n_beliefs
        factors = below[child] if inside else of_class.get(child - problem.n_beliefs)
        known = below[belief]
        if factors is not None:  # a belief or class that never pays has all factors
            below[belief] = factors if known is None else known & factors
    for belief, _, child in edges:
        found = below[belief]
        here = above[belief] if found is None else found
        if child < problem.n_beliefs:
            above[child] = above[child] | here
    return [inherited if found is None else found for found, inherited in zip(below, above, strict=True)]
