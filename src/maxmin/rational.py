"""Numbers as games state them: kept exactly where they are rational, as floats otherwise."""

import math
import re
import reprlib
import sys
from fractions import Fraction
from typing import TypeAlias

from maxmin.errors import GameError

Number: TypeAlias = int | float | Fraction
"""What rules may give as a payoff or probability. Integers and fractions stay exact, floats stay floats."""

Exact: TypeAlias = Fraction | float
"""A stored number: a ``Fraction`` where it is known exactly, else a float."""

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?:/\d+)?", re.ASCII)
_LARGEST_EXPONENT = 400
_LARGEST = Fraction(sys.float_info.max)
_LONGEST_SHOWN = 128
"""Bits; Python refuses to write integers of more than some thousand digits."""

LONGEST = 4000
"""The most characters of a number that is read."""


def parse_number(text: str) -> Fraction:
    """Read ``3``, ``-1/18``, ``.25`` or ``2.5e-1`` exactly.

    Raises
    ------
    ValueError
        If the text is anything else, or no float comes near it; "nan" and "inf" are not numbers here.
    """
    if len(text) > LONGEST:
        raise ValueError(f"bad number {text[:20]}...: {len(text)} characters")
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"bad number {text}")
    _, _, exponent = text.lower().partition("e")
    if exponent and abs(int(exponent.split("/")[0])) > _LARGEST_EXPONENT:
        raise ValueError(f"number {text} is outside the range of a float")
    numerator, _, denominator = text.partition("/")
    if denominator and int(denominator) == 0:
        raise ValueError(f"bad number {text}: division by zero")
    value = Fraction(numerator) / int(denominator or 1)
    if abs(value) > _LARGEST:
        raise ValueError(f"number {text} is outside the range of a float")
    return value


def shown(value: object) -> str:
    """Return a value for a message: brief, whatever it is."""
    if isinstance(value, int) and value.bit_length() > _LONGEST_SHOWN:
        return f"an integer of {value.bit_length():,} bits"
    return reprlib.repr(value)


def exact(number: Number) -> Exact:
    """Return `number` as a ``Fraction`` if it is an integer or a fraction, else as a finite float.

    Raises
    ------
    GameError
        If it is not a finite real number.
    """
    if isinstance(number, str):
        raise GameError(f"{shown(number)} is not a number")
    try:
        value = float(number)
    except (TypeError, ValueError, OverflowError) as error:
        raise GameError(f"{shown(number)} is not a number") from error
    if not math.isfinite(value):
        raise GameError(f"{shown(number)} is not a finite number")
    if isinstance(number, Fraction):
        return number
    if isinstance(number, int) or value.is_integer():
        return Fraction(int(number))
    return value


class NumberTable:
    """Numbers, each kept once and known by its index, whichever type it came in.

    Attributes
    ----------
    numbers : list of Fraction or float
    """

    def __init__(self) -> None:
        self.numbers: list[Exact] = []
        self._index: dict[object, int] = {}

    def index(self, number: Number) -> int:
        """Return the index of a number, which joins the table if it is new.

        Raises
        ------
        GameError
            If it is not a finite real number.
        """
        # A fraction takes far longer to hash than its two integers.
        key = (number.numerator, number.denominator) if type(number) is Fraction else number
        known = self._index.get(key) if isinstance(number, int | float | Fraction) else None
        if known is None:
            value = exact(number)
            same = (value.numerator, value.denominator) if isinstance(value, Fraction) else value
            known = self._index.setdefault(same, len(self.numbers))
            if known == len(self.numbers):
                self.numbers.append(value)
            self._index[key] = known
        return known
