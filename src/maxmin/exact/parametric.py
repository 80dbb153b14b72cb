"""The value of a game as a function of its parameters: patches, each with an exact region and an exact formula.

An optimal basis of the game's linear program stays optimal where its unknowns and its reduced costs keep their
signs (Gal and Nedoma, Management Science 1972, for numbers that are linear in the parameters). Solved with
polynomials in place of numbers, a basis thus gives a region, cut out of the box by polynomials, and on it the value
and both strategies as rational functions. Regions are found from random points, and the box is divided until every
cell is proved to be covered: see `maxmin.exact.cover`. What was concluded is then compared with the game itself, at
random rational points of every patch, by exact best responses.
"""

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from math import prod
from typing import Any

import maxmin
from maxmin.decision import DecisionProblem
from maxmin.errors import GameError
from maxmin.exact.cover import cover
from maxmin.exact.parametric_check import check_corners, check_patch, point_text
from maxmin.exact.parametric_program import ParametricProgram, parametric_program, solve_basis
from maxmin.exact.parametric_tree import Family, ParametricTree, recover
from maxmin.exact.patch import NotGeneric, Patch, make_patch, patch_interval, region_text
from maxmin.exact.polynomial import Box, Point, Ratio, fraction
from maxmin.exact.rational_lp import solve_rational

_MOST_SAMPLES = 100
"""So many undecided cells get the value in their middle."""


@dataclass(frozen=True)
class Choice:
    """What a side does in one situation, for all parameters of a patch.

    Attributes
    ----------
    infosets : tuple of int
        Where the side's members act; one infoset for a player.
    actions : tuple of int
        What they do.
    weight : str
        How often, relative to the other choices in the same situation: a formula in the parameters.
    """

    infosets: tuple[int, ...]
    actions: tuple[int, ...]
    weight: str


@dataclass(frozen=True)
class Undecided:
    """A cell that patches are not proved to cover, and the exact value in its middle; None beyond the largest."""

    box: Box
    sample: Point
    value: Fraction | None


@dataclass(frozen=True, eq=False)
class ParametricSolution:
    """The value of a game over a box of parameters.

    Attributes
    ----------
    game : ParametricTree
    program : ParametricProgram
    team : tuple of int
        Whose value it is.
    patches : tuple of Patch
        Ordered by the corners of their boxes. On overlaps and common borders they agree.
    proved : bool
        Whether the patches are proved to cover the whole box. Each patch is proved in any case, for the
        polynomials in `game`; that these are the game's was checked at random points only.
    undecided : tuple of Undecided
        Cells that are not proved to be covered, largest first; empty if `proved`.
    checked : int
        Rational points at which patches were compared with the game itself: random ones, where exact best responses
        to both strategies must give the value, and corners of the box, where an exact solution must.
    seconds : float
    seed : int
        Of the random points.
    version : str
    """

    game: ParametricTree
    program: ParametricProgram
    team: tuple[int, ...]
    patches: tuple[Patch, ...]
    proved: bool
    undecided: tuple[Undecided, ...]
    checked: int
    seconds: float
    seed: int
    version: str

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters."""
        return self.game.parameters

    @property
    def covered(self) -> Fraction:
        """The share of the box that is proved to be covered."""
        return 1 - sum((_volume(cell.box) for cell in self.undecided), Fraction(0)) / _volume(self.game.box)

    @property
    def formulas(self) -> tuple[str, ...]:
        """The different formulas; patches with different bases may share one."""
        return tuple(dict.fromkeys(str(patch.value) for patch in self.patches))

    @property
    def breakpoints(self) -> tuple[Fraction | float, ...]:
        """Where the formula changes, for one parameter, ascending: a fraction, or a float near an irrational root.

        Raises
        ------
        GameError
            If there are several parameters.
        """
        if len(self.parameters) != 1:
            raise GameError("only the value over one parameter has breakpoints; patches have regions")
        pieces = [(patch_interval(patch), str(patch.value)) for patch in self.patches]
        pieces.sort(key=lambda piece: piece[0])
        return tuple(after[0][0] for before, after in pairwise(pieces) if before[1] != after[1])

    def patch_at(self, **values: Fraction | int | str) -> Patch:
        """Return a patch that holds a point.

        Raises
        ------
        GameError
            If a parameter is missing, or the point is outside the box or in an undecided cell.
        """
        if set(values) != set(self.parameters):
            raise GameError(f"give a value for each of {', '.join(self.parameters)}")
        point = tuple(Fraction(values[name]) for name in self.parameters)
        for patch in self.patches:
            if point in patch:
                return patch
        where = point_text(self.parameters, point)
        raise GameError(f"no patch holds {where}: it is outside the box, or undecided")

    def value(self, **values: Fraction | int | str) -> Fraction:
        """Return the exact value at a point: ``solution.value(p="1/3", q="0.9")``."""
        patch = self.patch_at(**values)
        return patch.value.at(tuple(Fraction(values[name]) for name in self.parameters))

    def strategy(self, patch: Patch) -> tuple[Choice, ...]:
        """Return what the team does on a patch, in every situation that its own moves lead to."""
        return tuple(_choices(self.program.team, patch.team_flow))

    def opponent(self, patch: Patch) -> tuple[Choice, ...]:
        """Return what the others do on a patch."""
        return tuple(_choices(self.program.others, patch.others_flow))

    def to_json(self) -> dict[str, Any]:
        """Return the solution as an object of plain types."""
        return {
            "game": self.game.name,
            "team": list(self.team),
            "parameters": list(self.parameters),
            "box": _box_json(self.parameters, self.game.box),
            "patches": [self._patch_json(patch) for patch in self.patches],
            "formulas": list(self.formulas),
            "proved": self.proved,
            "covered": str(self.covered),
            "undecided": [
                {
                    "box": _box_json(self.parameters, cell.box),
                    "sample": self._sample_json(cell.sample, cell.value),
                }
                for cell in self.undecided
            ],
            "checked_points": self.checked,
            "seconds": self.seconds,
            "seed": self.seed,
            "version": self.version,
        }

    def _patch_json(self, patch: Patch) -> dict[str, Any]:
        return {
            "region": region_text(patch, self.parameters),
            "formula": str(patch.value),
            "sample": self._sample_json(patch.sample, patch.value.at(patch.sample)),
            "basis": list(patch.basis),
            "strategy": self._choices_json(self.strategy(patch)),
            "opponent": self._choices_json(self.opponent(patch)),
        }

    def _sample_json(self, point: Point, value: Fraction | None) -> dict[str, Any]:
        where = dict(zip(self.parameters, map(str, point), strict=True))
        return {"point": where, "value": None if value is None else str(value)}

    def _choices_json(self, choices: Sequence[Choice]) -> list[dict[str, Any]]:
        tree = self.game.tree
        return [
            {
                "player": [int(tree.infoset_player[infoset]) for infoset in choice.infosets],
                "infoset": [tree.infoset_labels[infoset] for infoset in choice.infosets],
                "action": [
                    tree.infoset_actions[infoset][action]
                    for infoset, action in zip(choice.infosets, choice.actions, strict=True)
                ],
                "weight": choice.weight,
            }
            for choice in choices
        ]


def solve_parametric(
    game: str | Family,
    *,
    over: Sequence[str],
    box: Mapping[str, tuple[Any, Any]] | None = None,
    team: Sequence[int] = (1,),
    seconds: float | None = None,
    seed: int = 1,
    callback: Callable[[int], bool] = lambda _: True,
) -> ParametricSolution:
    """Find the value of a game as a function of parameters.

    Parameters
    ----------
    game
        A name from the catalogue, such as ``"kuhn_cheating"``, without these parameters; or a function that takes
        them as keywords, as fractions, and returns rules or a tree, always of the same shape.
    over
        The parameters.
    box
        From where to where each goes, as two fractions; 0 to 1 where nothing is said.
    team
        Players whose value it is.
    seconds
        Look for patches so long; what is not proved to be covered by then is `undecided`. Checks come on top.
    seed
        Of the random points.
    callback
        Called with the number of patches so far; returns False to stop.

    Raises
    ------
    GameError
        If the numbers of the game are not polynomials in the parameters, or the box is not one.
    UnknownNameError
        If there is no such game, parameter or player.
    """
    start = time.monotonic()
    generator = random.Random(seed)
    tree = recover(game, over, box)
    program = parametric_program(tree, team)
    found = cover(
        tree.box,
        lambda point: _find(program, point),
        generator=generator,
        deadline=start + (float("inf") if seconds is None else seconds),
        keep_going=callback,
    )
    checked = sum(check_patch(program, patch, generator) for patch in found.patches)
    checked += check_corners(tree, program.team.side, found.patches)
    return ParametricSolution(
        game=tree,
        program=program,
        team=program.team.side,
        patches=tuple(sorted(found.patches, key=lambda patch: (patch.box, patch.sample))),
        proved=not found.undecided,
        undecided=tuple(_sampled(program, found.undecided)),
        checked=checked,
        seconds=time.monotonic() - start,
        seed=seed,
        version=maxmin.__version__,
    )


def _find(program: ParametricProgram, point: Point) -> Patch | None:
    """Return the patch of an optimal basis at a point; None if the point is on its border."""
    basis = solve_rational(program.at(point)).basis
    try:
        return make_patch(program, basis, solve_basis(program, basis), point)
    except NotGeneric:
        return None


def _sampled(program: ParametricProgram, cells: Sequence[Box]) -> Iterator[Undecided]:
    """Yield cells, largest first, with the value in the middle of the first of them."""
    for index, cell in enumerate(sorted(cells, key=_volume, reverse=True)):
        middle = tuple((low + high) / 2 for low, high in cell)
        sampled = index < _MOST_SAMPLES
        value = fraction(solve_rational(program.at(middle)).value) if sampled else None
        yield Undecided(cell, middle, value)


def _choices(problem: DecisionProblem, flow: Mapping[int, Ratio]) -> Iterator[Choice]:
    for belief in range(problem.n_beliefs):
        bounds = problem.belief_decision_start[belief : belief + 2].tolist()
        decisions = problem.belief_decisions[bounds[0] : bounds[1]].tolist()
        options = [range(problem.decision_options[decision]) for decision in decisions]
        infosets = tuple(int(problem.decision_infoset[decision]) for decision in decisions)
        for p, actions in enumerate(product(*options), int(problem.belief_start[belief])):
            if p in flow and infosets:
                yield Choice(infosets, actions, str(flow[p]))


def _volume(box: Box) -> Fraction:
    return prod((high - low for low, high in box), start=Fraction(1))


def _box_json(parameters: Sequence[str], box: Box) -> dict[str, list[str]]:
    return {name: [str(low), str(high)] for name, (low, high) in zip(parameters, box, strict=True)}
