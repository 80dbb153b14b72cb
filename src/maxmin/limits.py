"""Numbers that callers give: when to stop (a gap, seconds, iterations), how many, which seed; checked at once."""

import math
import operator
import os
from dataclasses import dataclass
from numbers import Integral, Real

from maxmin.errors import GameError, MaxminError
from maxmin.rational import shown

MOST = 2**64 - 1
"""What fits into the native core, whatever the number is of."""

_MOST_THREADS = 1024
"""More would only be a slip."""


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


def check_whole(name: str, number: int, *, least: int = 1, most: int = MOST) -> int:
    """Return a whole number as Python's own.

    Raises
    ------
    GameError
        If it is none, or not from `least` to `most`; the message begins with `name` and says what is accepted.
    """
    span = f"from {least} up" if most == MOST else f"from {least} to {most}"
    try:
        whole = operator.index(number)
    except TypeError:
        whole = None
    if whole is None or isinstance(number, bool) or whole < least:
        raise GameError(f"{name} must be a whole number {span}, not {shown(number)}")
    if whole > most:
        raise GameError(f"{name} must be a whole number from {least} to {most}, not {shown(number)}")
    return whole


def check_jobs(jobs: int) -> None:
    """Refuse what is no number of processes.

    Raises
    ------
    GameError
        If it is neither a whole number from 1 up nor -1.
    """
    if isinstance(jobs, bool) or not isinstance(jobs, Integral) or (jobs < 1 and jobs != -1):
        raise GameError(f"jobs must be a whole number from 1 up, or -1 for all cores, not {shown(jobs)}")


def check_threads(threads: int | None) -> int:
    """Return a number of threads; None is as many as there are processors that this process may use.

    Raises
    ------
    GameError
        If it is not a whole number from 1 to 1024.
    """
    if threads is not None:
        return check_whole("threads", threads, most=_MOST_THREADS)
    try:
        return min(len(os.sched_getaffinity(0)), _MOST_THREADS)
    except AttributeError:  # not on every system
        return min(os.cpu_count() or 1, _MOST_THREADS)


def default_memory() -> int:
    """Return half of the machine's memory, in bytes."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (AttributeError, ValueError, OSError):
        return 4 * 2**30


def check_memory(memory: int | None) -> int:
    """Return a limit in bytes; None is half of the machine's memory.

    Raises
    ------
    GameError
        If it is not a whole number from 1 up.
    """
    return default_memory() if memory is None else check_whole("memory", memory)


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
