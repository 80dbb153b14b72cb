"""What parameters a family of games takes, the canonical name that states them, and the limit on size.

Every class of the catalogue lists its parameters once, as `Parameter`; the constructor checks against the
list, and ``maxmin games`` prints it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

from maxmin.errors import GameError, SizeError
from maxmin.rational import parse_number

Value: TypeAlias = int | bool | str | Fraction

MOST_LEAVES = 10_000_000
"""A game of the catalogue with more leaves is refused: its tree would take more than 2 GB to lay out."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter: a whole number in a range, or one of a few choices.

    Attributes
    ----------
    name : str
    default : int, bool, str or None
        None if the default depends on other parameters; `meaning` then says how.
    meaning : str
        One line.
    least, most : int
        The range of a whole number, both ends included.
    choices : tuple of str, or of bool
        The accepted values, if it is not a whole number.
    """

    name: str
    default: Value | None
    meaning: str
    least: int = 0
    most: int = 0
    choices: tuple[Value, ...] = ()

    @property
    def accepts(self) -> str:
        """Say in words which values are accepted."""
        if self.choices:
            *others, last = [_text(choice) for choice in self.choices]
            return f"{', '.join(others)} or {last}"
        return f"a whole number from {self.least} to {self.most}"

    def parse(self, text: str) -> Value:
        """Read a value as a name states it: ``3``, ``true``, ``count``; what cannot be read stays text."""
        for choice in self.choices:
            if text == _text(choice):
                return choice
        digits = text.removeprefix("-")
        return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 20 else text

    def check(self, family: str, value: object) -> None:
        """Raise a `GameError` that says what is accepted, if `value` is not."""
        if self.choices:
            fits = any(type(value) is type(choice) and value == choice for choice in self.choices)
        elif isinstance(value, int) and not isinstance(value, bool):
            fits = self.least <= value <= self.most
        else:
            fits = False
        if not fits:
            raise GameError(f"{family}: {self.name} must be {self.accepts}, not {_short(value)}")


@dataclass(frozen=True, slots=True)
class Rational(Parameter):
    """Any number, kept as a fraction; or one of a few choices; or None, for a move that is left out."""

    @property
    def accepts(self) -> str:
        """Say in words which values are accepted."""
        return ", or ".join([self._numbers, *map(_text, self.choices)])

    @property
    def _numbers(self) -> str:
        return "a number (such as -1/3 or 0.1)"

    def parse(self, text: str) -> Value:
        """Read ``1/3`` or ``0.1`` (one tenth) exactly; what cannot be read stays text."""
        try:
            return text if text in self.choices else parse_number(text)
        except ValueError:
            return text

    def read(self, value: object) -> object:
        """Turn a number of any kind into a fraction; a float is the decimal that it is printed as."""
        if isinstance(value, float):
            return self.parse(repr(float(value)))
        if isinstance(value, Decimal):
            return self.parse(str(value))
        if isinstance(value, int) and not isinstance(value, bool):
            return Fraction(value)
        return self.parse(value.strip()) if isinstance(value, str) else value

    def check(self, family: str, value: object) -> None:
        """Raise a `GameError` that says what is accepted, if `value` is not."""
        fits = value is None or value in self.choices
        if not (fits or (isinstance(value, Fraction) and self._covers(value))):
            shown = str(value) if isinstance(value, Fraction) else _short(value)
            raise GameError(f"{family}: {self.name} must be {self.accepts}, not {shown}")

    def _covers(self, number: Fraction) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class Probability(Rational):
    """A probability, kept as a fraction; or one of a few choices; or None, for a move that is left out."""

    @property
    def _numbers(self) -> str:
        return "a probability from 0 to 1 (such as 1/3 or 0.1)"

    def _covers(self, number: Fraction) -> bool:
        return 0 <= number <= 1


@dataclass(frozen=True, slots=True)
class Spec(Parameter):
    """The name of another game."""

    @property
    def accepts(self) -> str:
        """Say in words which values are accepted."""
        return "the name of a game"

    def parse(self, text: str) -> Value:
        """Leave the name as it is."""
        return text

    def check(self, family: str, value: object) -> None:
        """Raise a `GameError` if `value` is not a text; `make_game` says what is wrong with the name."""
        if not isinstance(value, str):
            raise GameError(f"{family}: {self.name} must be {self.accepts}, not {_short(value)}")


def canonical_name(family: str, parameters: Sequence[Parameter], values: Mapping[str, Value | None]) -> str:
    """Check values and return the full name: every number, and every choice that is not the default.

    Raises
    ------
    GameError
        If a value is not accepted; the message says which are.
    """
    stated = []
    for parameter in parameters:
        value = values[parameter.name]
        parameter.check(family, value)
        if value is not None and (not parameter.choices or value != parameter.default):
            stated.append(f"{parameter.name}={_text(value)}")
    return f"{family}({','.join(stated)})" if stated else family


def check_size(name: str, leaves: int) -> int:
    """Refuse a game whose tree would be too large; return how many leaves it has, or at most has.

    Raises
    ------
    SizeError
        If there are more than `MOST_LEAVES` leaves.
    """
    if leaves > MOST_LEAVES:
        size = f"{leaves:,}" if leaves < 10**15 else f"about 10^{leaves.bit_length() * 30103 // 100000}"
        raise SizeError(
            f"{name} has {size} leaves; at most {MOST_LEAVES:,} can be laid out as a tree: lower a parameter"
        )
    return leaves


def _text(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
