"""`ParametricTree`: a game tree of fixed shape whose probabilities and payoffs are polynomials in parameters.

Rules know nothing of parameters. They are asked for the exact tree at rational points, and the polynomials are
recovered by interpolation: first of degree 1 in each parameter, then of higher degree, until they also give the
tree's numbers at points that took no part in it, chosen at random. That the rules are these polynomials
everywhere is so checked, not proved; everything that is concluded from the polynomials is proved.
"""

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from itertools import product
from typing import Any, TypeAlias

import numpy as np
from flint import fmpq_mpoly, fmpq_mpoly_ctx
from numpy.typing import NDArray

from maxmin.errors import GameError
from maxmin.exact.polynomial import Box, Point, evaluate, rational, ring
from maxmin.sources import load_tree
from maxmin.tree import GameTree

Family: TypeAlias = Callable[..., Any]
"""Takes the parameters as keywords, as fractions; returns rules, or a tree."""

_MOST_DEGREE = 4
_CHECKS = 4
"""Points at which the polynomials are compared with the game, besides those that they come from."""

_SPEC = re.compile(r"\s*(\w+)\s*(?:\((.*)\))?\s*", re.DOTALL)


@dataclass(frozen=True, eq=False)
class ParametricTree:
    """A game over a box of parameters.

    Attributes
    ----------
    name : str
    parameters : tuple of str
    box : tuple of (Fraction, Fraction)
        One interval per parameter.
    family : callable
        What gives the tree at a point.
    tree : GameTree
        The tree at some point inside the box; its shape is that of all of them.
    numbers : tuple of polynomials
        The different numbers of the tree.
    probability_number, payoff_number : (n_nodes,) and (n_leaves, n_players) int64
        Which of them stands where, as in `GameTree`.
    degree : int
        The largest degree of a number in one parameter.
    """

    name: str
    parameters: tuple[str, ...]
    box: Box
    family: Family
    tree: GameTree
    numbers: tuple[fmpq_mpoly, ...]
    probability_number: NDArray[np.int64]
    payoff_number: NDArray[np.int64]
    degree: int

    @property
    def context(self) -> fmpq_mpoly_ctx:
        """The ring of polynomials in the parameters."""
        return ring(self.parameters)

    def tree_at(self, point: Point) -> GameTree:
        """Return the game's own tree at a point."""
        return _tree_at(self.family, dict(zip(self.parameters, point, strict=True)))

    def leaf_weights(self, team: Sequence[int]) -> list[fmpq_mpoly]:
        """Return chance's probability of each leaf times what the team gets there."""
        reach = self._chance_reach
        payoffs = self.payoff_number[:, [player - 1 for player in team]]
        return [
            reach[leaf] * sum((self.numbers[number] for number in row), self.context.constant(0))
            for leaf, row in zip(self.tree.leaves.tolist(), payoffs.tolist(), strict=True)
        ]

    @cached_property
    def _chance_reach(self) -> list[fmpq_mpoly]:
        """The probability that chance plays towards each node."""
        reach = [self.context.constant(1)]
        is_chance = (self.tree.player == 0).tolist()
        for node, above in enumerate(self.tree.parent.tolist()[1:], 1):
            drawn = is_chance[above]
            reach.append(
                reach[above] * self.numbers[self.probability_number[node]] if drawn else reach[above]
            )
        return reach


def named_family(spec: str, parameters: Sequence[str]) -> Family:
    """Return the family of games that a name from the catalogue stands for, without some of its parameters.

    Raises
    ------
    GameError
        If the name states one of the parameters, or is that of a file.
    UnknownNameError
        If there is no such game, or it has no such parameters.
    """
    match = _SPEC.fullmatch(spec)
    if match is None:
        raise GameError(
            f"cannot read {spec!r}: only a game of the catalogue, name(parameter=value,...), varies"
        )
    stated = [part.strip() for part in (match[2] or "").split(",") if part.strip()]
    for name in parameters:
        if any(part.partition("=")[0].strip() == name for part in stated):
            raise GameError(f"{spec} states {name} already: leave it out, or do not vary it")
    return partial(_named, match[1], tuple(stated))


def _named(family: str, stated: tuple[str, ...], **values: Fraction) -> GameTree:
    varied = [f"{name}={value}" for name, value in values.items()]
    return load_tree(f"{family}({','.join([*stated, *varied])})")


def recover(
    game: str | Family, parameters: Sequence[str], box: Mapping[str, tuple[Any, Any]] | None = None
) -> ParametricTree:
    """Find the polynomials of a game whose numbers depend on parameters.

    Parameters
    ----------
    game
        The name of a game of the catalogue, without these parameters; or a function that takes them as keywords,
        as fractions, and returns rules or a tree.
    parameters
        Their names.
    box
        From where to where each of them goes; those left out from 0 to 1.

    Raises
    ------
    GameError
        If the game does not depend on a parameter, its shape does, a number is no polynomial of degree 4 or
        less in each of them, or the box is empty or holds points at which there is no game.
    UnknownNameError
        If there is no such game or parameter.
    """
    names = tuple(parameters)
    limits = check_box(names, box or {})
    family = named_family(game, names) if isinstance(game, str) else game
    for corner in product(*limits):  # the game says itself where it does not exist
        _tree_at(family, dict(zip(names, corner, strict=True)))
    generator = random.Random(1)
    checks = [random_point(limits, generator) for _ in range(_CHECKS)]
    samples = _Samples(family, names)
    for degree in range(1, _MOST_DEGREE + 1):
        found = _interpolate(samples, limits, degree, checks)
        if found is not None:
            _check_dependence(found)
            return found
    raise GameError(
        f"{samples.tree.name}: a probability or payoff is not a polynomial of degree {_MOST_DEGREE} or less in "
        f"{' and '.join(names)}"
    )


def check_box(names: Sequence[str], box: Mapping[str, tuple[Any, Any]]) -> Box:
    """Return the box as one interval of fractions per parameter; 0 to 1 where nothing is said.

    Raises
    ------
    GameError
        If an interval is empty or reversed, belongs to no parameter, or a parameter is named twice.
    """
    if not names:
        raise GameError("name at least one parameter to vary")
    if len(set(names)) < len(names):
        raise GameError(f"a parameter is named twice: {', '.join(names)}")
    for name in box:
        if name not in names:
            raise GameError(
                f"the box has an interval for {name}, which does not vary; what varies: {', '.join(names)}"
            )
    limits = tuple((Fraction(low), Fraction(high)) for low, high in (box.get(name, (0, 1)) for name in names))
    for name, (low, high) in zip(names, limits, strict=True):
        if low >= high:
            problem = "is a single point" if low == high else "is reversed"
            raise GameError(
                f"the interval of {name}, {low} to {high}, {problem}; write low:high with low < high"
            )
    return limits


class _Samples:
    """The numbers of a game at points: each tree is built once, and must have the shape of the first."""

    def __init__(self, family: Family, names: tuple[str, ...]) -> None:
        self.family = family
        self.names = names
        self._known: dict[Point, tuple[list[Fraction], GameTree]] = {}

    @property
    def tree(self) -> GameTree:
        return next(iter(self._known.values()))[1]

    def numbers(self, point: Point) -> list[Fraction]:
        """Return the probability of each node, then the payoffs, leaf by leaf."""
        if point not in self._known:
            tree = _tree_at(self.family, dict(zip(self.names, point, strict=True)))
            where = np.concatenate([tree.probability_number, tree.payoff_number.ravel()]).tolist()
            self._known[point] = [Fraction(tree.numbers[number]) for number in where], tree
            _check_shape(self.tree, tree, self.names, point)
        return self._known[point][0]


def _tree_at(family: Family, values: Mapping[str, Fraction]) -> GameTree:
    tree = load_tree(family(**values))
    if not tree.exact:
        raise GameError(f"{tree.name} has numbers that are no fractions; exact answers need fractions")
    return tree


def _check_shape(first: GameTree, tree: GameTree, names: Sequence[str], point: Point) -> None:
    same = (
        np.array_equal(first.parent, tree.parent)
        and np.array_equal(first.player, tree.player)
        and np.array_equal(first.infoset, tree.infoset)
        and first.infoset_actions == tree.infoset_actions
    )
    if not same:
        where = ", ".join(f"{name} = {value}" for name, value in zip(names, point, strict=True))
        raise GameError(
            f"{tree.name}: at {where} the tree has another shape; parameters may only change numbers"
        )


def _interpolate(samples: _Samples, box: Box, degree: int, checks: Sequence[Point]) -> ParametricTree | None:
    """Interpolate every number on a grid; None if the result misses the game at one of the other points."""
    axes = [
        [low + (high - low) * Fraction(i + 1, degree + 2) for i in range(degree + 1)] for low, high in box
    ]
    grid = list(product(*axes))
    found: dict[tuple[Fraction, ...], int] = {}
    rows = zip(*[samples.numbers(point) for point in grid], strict=True)
    where = np.array([found.setdefault(row, len(found)) for row in rows])
    context = ring(samples.names)
    basis = list(_lagrange(context, axes))
    numbers = tuple(
        sum((rational(value) * each for value, each in zip(row, basis, strict=True)), context.constant(0))
        for row in found
    )
    for point in checks:
        values = [evaluate(number, point) for number in numbers]
        if [values[number] for number in where.tolist()] != samples.numbers(point):
            return None
    tree = samples.tree
    return ParametricTree(
        name=re.sub(rf"\b({'|'.join(samples.names)})=[^,)]*", r"\1=\1", tree.name),
        parameters=samples.names,
        box=box,
        family=samples.family,
        tree=tree,
        numbers=numbers,
        probability_number=where[: tree.n_nodes],
        payoff_number=where[tree.n_nodes :].reshape(tree.n_leaves, tree.n_players),
        degree=max(max(map(int, number.degrees()), default=0) for number in numbers),
    )


def _lagrange(context: fmpq_mpoly_ctx, axes: Sequence[Sequence[Fraction]]) -> Iterator[fmpq_mpoly]:
    """Yield, for each point of the grid, the polynomial that is 1 there and 0 at all others."""
    lines = []
    for gen, places in zip(context.gens(), axes, strict=True):
        line = []
        for here in places:
            factor = context.constant(1)
            for other in places:
                if other != here:
                    factor *= (gen - rational(other)) / rational(here - other)
            line.append(factor)
        lines.append(line)
    for factors in product(*lines):
        whole = context.constant(1)
        for factor in factors:
            whole *= factor
        yield whole


def _check_dependence(found: ParametricTree) -> None:
    for index, name in enumerate(found.parameters):
        if all(int(number.degrees()[index]) < 1 for number in found.numbers):
            raise GameError(f"{found.name}: no probability or payoff depends on {name}")


def random_point(box: Box, generator: random.Random) -> Point:
    """Return a rational point inside a box, at random."""
    return tuple(low + (high - low) * Fraction(generator.randrange(1, 997), 997) for low, high in box)
