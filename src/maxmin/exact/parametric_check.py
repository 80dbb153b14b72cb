"""Compares patches with the game itself: exact best responses at random points, exact solutions at corners.

The trees are the game's own, not those of the polynomials that the patches come from, and what
a strategy guarantees is found by the checker's best responses.
"""

import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmin.decision import DecisionProblem
from maxmin.errors import MaxminError
from maxmin.exact.parametric_program import ParametricProgram
from maxmin.exact.parametric_tree import ParametricTree, random_point
from maxmin.exact.patch import Patch
from maxmin.exact.polynomial import Point
from maxmin.exact.solution import solve_exact
from maxmin.verify.best_response import exact_best_response
from maxmin.verify.gains import exact_team_gains

_RANDOM_POINTS = 1
"""Points of each patch, besides its sample."""

_TRIES = 20
"""Random points of a patch's box that are tried; a thin patch may hold none of them."""


def check_patch(program: ParametricProgram, patch: Patch, generator: random.Random) -> int:
    """Compare a patch with the game itself at its sample and at random points; return how many points there were.

    Raises
    ------
    MaxminError
        If a strategy guarantees less than the value.
    """
    points = [patch.sample]
    for _ in range(_TRIES):
        point = random_point(patch.box, generator)
        if point in patch and len(points) <= _RANDOM_POINTS:
            points.append(point)
    return sum(_check_at(program, patch, point) for point in points)


def _check_at(program: ParametricProgram, patch: Patch, point: Point) -> bool:
    """Compare the value with exact best responses to both strategies; False if they cannot be computed exactly."""
    tree = program.game.tree_at(point)
    ours, theirs = program.team, program.others
    value = patch.value.at(point)
    for problem, flow, responder, sign in (
        (ours, patch.team_flow, theirs.side, -1),
        (theirs, patch.others_flow, ours.side, 1),
    ):
        reach = leaf_reach(problem, {p: ratio.at(point) for p, ratio in flow.items()})
        gains = sign * exact_team_gains(tree, ours.side, reach)
        if not responder:
            best: Fraction | None = sum(gains, Fraction(0))
        else:
            bound = exact_best_response(tree, responder, gains)
            best = None if bound is None else bound.exact
        if best is None:
            return False
        if sign * best != value:
            where = point_text(program.game.parameters, point)
            raise MaxminError(
                f"{program.game.name}: at {where} the formula says {value}, the best response {sign * best}: "
                "either the game's numbers are not the polynomials that they seem to be, or maxmin is at fault"
            )
    return True


def check_corners(tree: ParametricTree, team: tuple[int, ...], patches: Sequence[Patch]) -> int:
    """Compare all patches at corners of the box with exact solutions; return how many corners there were."""
    checked = 0
    for corner in product(*tree.box):
        values = {_value_at(patch, corner) for patch in patches if corner in patch} - {None}
        if values:
            exact = solve_exact(tree.tree_at(corner), team=team).value
            if values != {exact}:
                found = " and ".join(map(str, values))
                where = point_text(tree.parameters, corner)
                raise MaxminError(f"{tree.name}: at {where} the value is {exact}, the formulas say {found}")
            checked += 1
    return checked


def _value_at(patch: Patch, point: Point) -> Fraction | None:
    try:
        return patch.value.at(point)
    except ZeroDivisionError:
        return None


def leaf_reach(problem: DecisionProblem, flow: Mapping[int, Fraction]) -> NDArray[Any]:
    """Return the probability that a side plays towards each leaf: (n_leaves,) of Fraction.

    Parameters
    ----------
    problem
        Of the side.
    flow
        Weight of each prescription relative to the others of its belief; where all are 0 the first is taken.
    """
    reach = [Fraction(0)] * (problem.n_beliefs + problem.n_leaf_classes)
    reach[0] = Fraction(1)
    for belief in range(problem.n_beliefs):
        span = range(problem.belief_start[belief], problem.belief_start[belief + 1])
        total = sum((flow.get(p, Fraction(0)) for p in span), Fraction(0))
        for p in span:
            share = flow.get(p, Fraction(0)) / total if total else Fraction(p == span[0])
            if share:
                for child in problem.children[problem.child_start[p] : problem.child_start[p + 1]].tolist():
                    reach[child] += reach[belief] * share
    return np.array(reach[problem.n_beliefs :], dtype=object)[problem.leaf_class]


def point_text(parameters: Sequence[str], point: Point) -> str:
    """Write a point as ``p = 1/3, q = 0``."""
    return ", ".join(f"{name} = {value}" for name, value in zip(parameters, point, strict=True))
