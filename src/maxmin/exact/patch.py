"""`Patch`: a region of parameters on which one basis is optimal, with the value and both strategies as formulas."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq_mpoly, fmpq_poly

from maxmin.errors import MaxminError
from maxmin.exact.parametric_program import ParametricBasis, ParametricProgram
from maxmin.exact.polynomial import Box, Point, Ratio, evaluate, fraction, sign_on, text


class NotGeneric(Exception):
    """A point lies on the border of a region by accident: take another one."""


@dataclass(frozen=True, eq=False)
class Condition:
    """A polynomial that is nonnegative on a patch; `name` and `opposite` are its text and that of its negative."""

    polynomial: fmpq_mpoly
    name: str
    opposite: str


@dataclass(frozen=True, eq=False)
class Patch:
    """A part of the box of parameters on which one basis is optimal.

    Attributes
    ----------
    box : tuple of (Fraction, Fraction)
        The smallest box that the conditions in one parameter give.
    conditions : tuple of Condition
        What must be nonnegative besides; none if the region is the box itself.
    sides : tuple of Condition
        All that must be nonnegative, the sides of `box` included, unless it is so all over the game's box.
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
    sides: tuple[Condition, ...]
    value: Ratio
    basis: tuple[int, ...]
    sample: Point
    team_flow: dict[int, Ratio]
    others_flow: dict[int, Ratio]

    def __contains__(self, point: Point) -> bool:
        inside = all(low <= number <= high for number, (low, high) in zip(point, self.box, strict=True))
        return inside and all(evaluate(each.polynomial, point) >= 0 for each in self.conditions)


def make_patch(
    program: ParametricProgram, basis: Sequence[int], solved: ParametricBasis, point: Point
) -> Patch:
    """Make the patch of a basis that is optimal at a point.

    Raises
    ------
    NotGeneric
        If the point is on the border of the region.
    MaxminError
        If the basis is not optimal at the point.
    """
    whole = program.game.box
    sides: dict[str, Condition] = {}
    known: set[str] = set()
    for ratio in _nonnegative(program, solved):
        if str(ratio) not in known:
            known.add(str(ratio))
            if ratio.at(point) < 0:
                raise MaxminError(f"{program.game.name}: a basis is not optimal; please report this fault")
            sides |= {each.name: each for each in _conditions(ratio, point, whole)}
    box = whole
    for side in sides.values():
        box = _cut(box, side.polynomial)
    n_ours = program.team.n_prescriptions
    return Patch(
        box=box,
        conditions=tuple(side for side in sides.values() if sign_on(side.polynomial, box) != 1),
        sides=tuple(sides.values()),
        value=solved.value,
        basis=tuple(basis),
        sample=point,
        team_flow={p: flow for p, flow in solved.x.items() if p < n_ours and not flow.num.is_zero()},
        others_flow={
            q: flow for q, flow in enumerate(solved.dual[program.team.n_beliefs :]) if not flow.num.is_zero()
        },
    )


def region_text(patch: Patch, parameters: Sequence[str]) -> dict[str, object]:
    """Return the region for people and programs: the box, by parameter, and what must hold besides."""
    return {
        "box": {name: [str(low), str(high)] for name, (low, high) in zip(parameters, patch.box, strict=True)},
        "inequalities": [f"{each.name} >= 0" for each in patch.conditions],
    }


def patch_interval(patch: Patch) -> tuple[Fraction | float, Fraction | float]:
    """Return the ends of a patch in one parameter: fractions, or floats near irrational roots."""
    (low, high), (sample,) = patch.box[0], patch.sample
    ends: list[Fraction | float] = [low, high]
    for condition in patch.conditions:
        for root in _real_roots(condition.polynomial):
            if ends[0] < root < sample:
                ends[0] = root
            elif sample < root < ends[1]:
                ends[1] = root
    return ends[0], ends[1]


def _real_roots(polynomial: fmpq_mpoly) -> list[float]:
    coefficients = [polynomial[power,] for power in range(int(polynomial.degrees()[0]) + 1)]
    roots = fmpq_poly(coefficients).numer().complex_roots()
    return [float(root.real) for root, _ in roots if root.imag == 0]  # type: ignore[misc, has-type]


def linear_root(polynomial: fmpq_mpoly) -> tuple[int, Fraction] | None:
    """Return the parameter's index and the root, if a polynomial is linear in one parameter and has no other."""
    degrees = [int(degree) for degree in polynomial.degrees()]
    if sum(degrees) != 1:
        return None
    terms = polynomial.to_dict()
    slope = terms[tuple(degrees)]
    constant = terms.get(tuple(0 for _ in degrees), 0)
    return degrees.index(1), fraction(-constant / slope)


def _nonnegative(program: ParametricProgram, solved: ParametricBasis) -> Iterator[Ratio]:
    """Yield all that must be nonnegative for a basis to be optimal; what must be 0 has to be 0 everywhere."""
    n_columns = len(program.columns)
    for column, amount in solved.x.items():
        if column >= n_columns:
            _check_zero(amount)
        elif not program.free[column]:
            yield amount
    for column, cost in solved.reduced.items():
        if program.free[column]:
            _check_zero(cost)
        else:
            yield Ratio(-cost.num, cost.den)


def _check_zero(ratio: Ratio) -> None:
    if not ratio.num.is_zero():
        raise NotGeneric


def _conditions(ratio: Ratio, point: Point, whole: Box) -> Iterator[Condition]:
    """Yield conditions that together say that a ratio has the sign that it has at a point.

    Each factor is to keep its sign. That may be less than the set where the ratio is nonnegative, never more.
    """
    if ratio.num.is_zero():
        return
    for polynomial in (ratio.num, ratio.den):
        for factor, exponent in polynomial.factor()[1]:
            value = evaluate(factor, point)
            if value == 0:
                raise NotGeneric
            oriented = factor if value > 0 else -factor
            if int(exponent) % 2 and sign_on(oriented, whole) != 1:
                yield Condition(oriented, text(oriented), text(-oriented))


def _cut(box: Box, polynomial: fmpq_mpoly) -> Box:
    """Return the part of a box on which a polynomial is nonnegative, if it is linear in one parameter."""
    found = linear_root(polynomial)
    if found is None:
        return box
    index, root = found
    low, high = box[index]
    rising = evaluate(polynomial, tuple(root + 1 for _ in box)) > 0
    part = (max(low, root), high) if rising else (low, min(high, root))
    return (*box[:index], part, *box[index + 1 :])
