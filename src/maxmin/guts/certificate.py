"""Proved bounds in ball arithmetic, where one side chooses one number and the payoff is convex or concave in it.

A number of FLINT's `arb` stands with the radius of its error: a comparison is true only if it is true for certain,
and rounding is part of the proof. A convex function lies above each of its tangents, a concave one below: wherever
the search for the best point ends, the tangent there is a bound.
"""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from maxmin.errors import SolutionError

if TYPE_CHECKING:
    from flint import arb

Number = TypeVar("Number", float, "arb")
Jet: TypeAlias = tuple[Number, Number, Number]
"""Value, slope and curvature of a function at a point."""

Curve: TypeAlias = "Callable[[arb], Jet[arb]]"

_BITS = 128
_REFINEMENTS = 2
"""Newton steps that turn a float into a point of 128 bits."""
_MOST_STEPS = 40
_SMALLEST_STEP = 2.0**-60


@contextmanager
def exactly() -> Iterator[None]:
    """Compute with balls of 128 bits."""
    from flint import ctx

    with ctx.workprec(_BITS):
        yield


def least_of_convex(curve: Curve, near: float, low: "arb", high: "arb") -> "arb":
    """Return a lower bound of a convex function on [low, high], close if `near` is near its least point."""
    value, slope, point = _touch(curve, near, low, high)
    return value + (slope * (low - point)).min(slope * (high - point))


def most_of_concave(curve: Curve, near: float, known: "arb") -> "arb":
    """Return an upper bound of a concave function on [0, 1] from its curve on [0, known]; close as above."""
    from flint import arb

    value, slope, point = _touch(curve, near, arb(0), known)
    return value + (-slope * point).max(slope * (1 - point))


def _touch(curve: Curve, near: float, low: "arb", high: "arb") -> "tuple[arb, arb, arb]":
    """Return value, slope and place of a tangent, as level as can be."""
    from flint import arb

    point = arb(near).max(low).min(high)
    value, slope, curvature = curve(point)
    for _ in range(_REFINEMENTS):
        if slope == 0 or curvature.contains(0):
            break
        point = (point - slope / curvature).mid().max(low).min(high)
        value, slope, curvature = curve(point)
    return value, slope, point


def round_down(number: "arb") -> float:
    """Return a float that is certainly not above, and near."""
    near = float(number.lower())
    return near if number >= near else math.nextafter(near, -math.inf)


def round_up(number: "arb") -> float:
    """Return a float that is certainly not below, and near."""
    return 0.0 - round_down(-number)


def repeated_lower(guarantee: "Callable[[arb], arb]", near: float, fee: float) -> float:
    """Return what one strategy, played in every round, guarantees in the whole game.

    f(v) is what it guarantees in a round if the rounds to come are worth v per unit of the stakes: concave, since
    it is a minimum of functions alpha + v beta, and nondecreasing, since beta >= 0. If f(-fee) > -fee and
    f(L) >= L, then f(v) > v between, and f iterated from -fee rises to L at least.

    Parameters
    ----------
    guarantee
        A lower bound of f.
    near
        The fixed point of f, about.
    fee
        What player 1 pays for leaving at once.

    Returns
    -------
    float
        L, as near to `near` as can be proved.

    Raises
    ------
    SolutionError
        If nothing near `near` can be proved.
    """
    return _fixed_point(guarantee, near, -fee, -1)


def repeated_upper(most: "Callable[[arb], arb]", near: float, fee: float) -> float:
    """Return what one strategy of the coalition, played in every round, leaves to player 1 at most.

    The mirror image of `repeated_lower`: f is convex, `most` an upper bound of it, f(fee) < fee and f(U) <= U,
    where `fee` is what the coalition pays for leaving at once.

    Raises
    ------
    SolutionError
        As there.
    """
    return _fixed_point(most, near, fee, 1)


def _fixed_point(bound: "Callable[[arb], arb]", near: float, start: float, side: int) -> float:
    """Step from `near` to the given side, twice as far each time, until the proof succeeds."""
    from flint import arb

    if side * (bound(arb(start)) - start) < 0:
        point, unit = near, max(math.ulp(near), _SMALLEST_STEP)
        for step in range(_MOST_STEPS):
            if side * (bound(arb(point)) - point) <= 0:
                return point
            point = near + side * unit * 2**step
    raise SolutionError(f"no bound of the repeated value near {near:.6g} could be proved")
