"""When to stop, as callers say it: a gap, seconds, iterations; checked before any work."""

import math
import operator
from dataclasses import dataclass
from numbers import Real

from maxmin.errors import MaxminError
from maxmin.rational import shown


@dataclass(frozen=True)
class Limits:
    """When to stop: a gap (what it is a share of, if anything, its solver says), seconds, iterations."""

    gap: float
    seconds: float | None
    iterations: int | None


def make_limits(gap: float, seconds: float | None, iterations: int | None) -> Limits:
    """Check what a caller gave to say when to stop.

    Raises
    ------
    MaxminError
        If it makes no sense.
    """
    whole = None if iterations is None else check_whole("iterations", iterations)
    return Limits(check_gap(gap), check_seconds(seconds), whole)


def check_gap(gap: float) -> float:
    """Return a gap.

    Raises
    ------
    MaxminError
        If it is not a finite number from 0 up.
    """
    number = check_real("gap", gap)
    if not 0 <= number < math.inf:
        raise MaxminError(f"gap must be 0 or more, not {gap}")
    return number


def check_seconds(seconds: float | None) -> float | None:
    """Return a time limit; None is none.

    Raises
    ------
    MaxminError
        If it is not a number above 0.
    """
    if seconds is None:
        return None
    number = check_real("seconds", seconds)
    if not number > 0:
        raise MaxminError(f"seconds must be more than 0, not {seconds}")
    return number


def check_whole(name: str, number: int, *, least: int = 1) -> int:
    """Return a whole number.

    Raises
    ------
    MaxminError
        If it is anything else, or less than `least`; the message begins with `name`.
    """
    try:
        whole = operator.index(number)
    except TypeError:
        whole = None
    if whole is None or isinstance(number, bool):
        raise MaxminError(f"{name} must be a whole number, not {shown(number)}")
    if whole < least:
        raise MaxminError(f"{name} must be {least} or more, not {shown(number)}")
    return whole


def check_real(name: str, number: float) -> float:
    """Return a number as a float.

    Raises
    ------
    MaxminError
        If it is none, or too large for a float; the message begins with `name`.
    """
    if isinstance(number, bool) or not isinstance(number, Real):
        raise MaxminError(f"{name} must be a number, not {shown(number)}")
    try:
        return float(number)
    except OverflowError:
        raise MaxminError(f"{name} must be a number that a float can hold, not {shown(number)}") from None
