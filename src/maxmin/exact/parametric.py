"""The value of a game as a function of its parameters: patches, each with an exact region and an exact formula.

An optimal basis of the game's linear program stays optimal where its unknowns and its reduced costs keep their
signs (Gal and Nedoma, Management Science 1972, for numbers that are linear in the parameters). Solved with
polynomials in place of numbers, a basis thus gives a region, cut out of the box by polynomials, and on it the value
and both strategies as rational functions. Regions are found from random points, and the box is divided until every
cell is proved to be covered:

* each condition of one patch is nonnegative all over the cell, by its Bernstein coefficients, or
* for each condition that is not, the points where it fails are covered by other patches, proved in the same way.

A cell is cut where a patch ends if that is at a fraction, else in half. So regions that are boxes are found exactly,
and borders that are curves are proved as well where patches meet at the same curve. Cells that become too small
without a proof (three curves that meet in a point, say) are reported; there the value is sampled.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

from flint import fmpq_mpoly

from maxmin.errors import MaxminError
from maxmin.exact.parametric_program import (
    ParametricBasis,
    ParametricProgram,
    parametric_program,
    solve_basis,
)
from maxmin.exact.parametric_tree import Family, ParametricTree, random_point, recover
from maxmin.exact.polynomial import Box, Point, Ratio, evaluate, sign_on, text
from maxmin.exact.rational_lp import solve_rational

_FINEST = Fraction(1, 64)
"""Cells this small, relative to the box, are not halved again."""

_DEEPEST = 6
"""How many conditions may fail, one after the other, in a proof that a cell is covered."""

_TRIES = 20


@dataclass(frozen=True, eq=False)
class Condition:
    """A polynomial that is nonnegative on a patch; `name` and `opposite` are its text and that of its negative."""

    polynomial: fmpq_mpoly
    name: str
    opposite: str


@dataclass(frozen=True, eq=False)
class Patch:
    """A part of the box on which one basis is optimal.

    Attributes
    ----------
    box : tuple of (Fraction, Fraction)
        The smallest box that the conditions in one parameter give.
    conditions : tuple of Condition
        What must be nonnegative besides; none if the region is the box itself.
    value : Ratio
        The value of the game, for the team, on the region. Where a denominator vanishes, on a border, it is meant
        as the limit.
    basis : tuple of int
        The basic columns of the program.
    sample : tuple of Fraction
        A point inside.
    team_flow, others_flow : dict of int to Ratio
        An optimal strategy of each side: the probability that the side's moves lead to a prescription and that it
        is chosen, up to a factor that is the same for all prescriptions of a belief; 0 where there is none.
    """

    box: Box
    conditions: tuple[Condition, ...]
    value: Ratio
    basis: tuple[int, ...]
    sample: Point
    team_flow: dict[int, Ratio]
    others_flow: dict[int, Ratio]

    def __contains__(self, point: Point) -> bool:
        inside = all(low <= number <= high for number, (low, high) in zip(point, self.box, strict=True))
        return inside and all(evaluate(each.polynomial, point) >= 0 for each in self.conditions)
