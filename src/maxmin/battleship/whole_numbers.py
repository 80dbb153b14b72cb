"""Counts, sizes and seeds that users give: whole numbers in a range, refused by name where they are not."""

import numpy as np

from maxmin.errors import GameError

MOST = 2**64 - 1
"""What fits into the native core, whatever the number is of."""


def check_whole(name: str, value: int, *, least: int = 0, most: int = MOST) -> int:
    """Return a whole number as Python's own.

    Raises
    ------
    GameError
        If it is none, or not from `least` to `most`; the message names it and says what it must be.
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        span = f"from {least} up" if most == MOST else f"from {least} to {most}"
        raise GameError(f"{name} must be a whole number {span}, not {value!r}")
    if value > most:
        raise GameError(f"{name} must be a whole number from {least} to {most}, not {_short(int(value))}")
    return int(value)


def check_jobs(jobs: int) -> None:
    """Refuse what is no number of processes.

    Raises
    ------
    GameError
        If it is neither a whole number from 1 up nor -1.
    """
    if isinstance(jobs, bool) or not isinstance(jobs, int | np.integer) or (jobs < 1 and jobs != -1):
        raise GameError(f"jobs must be a whole number from 1 up, or -1 for all cores, not {jobs!r}")


def _short(value: int) -> str:
    return str(value) if value < 10**30 else f"one of {value.bit_length()} bits"
