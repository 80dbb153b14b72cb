"""The words of Gambit's files (.efg, .nfg): labels, numbers and braces, each with its place.

White space separates; commas count as white space. A label is quoted (a backslash before a quote or a
backslash takes away its meaning; any other backslash is itself) or a bare word without quotes, braces or
commas.
"""

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NoReturn

from maxmin.errors import FormatError
from maxmin.rational import Exact, parse_number

QUOTED = r'"(?:[^"\\]|\\.)*+"'
"""A quoted label, as a regular expression (with DOTALL)."""

_SPACE = re.compile(r"[\s,]*+")
_TOKEN = re.compile(rf'{QUOTED}|[{{}}]|[^\s,{{}}"]++', re.DOTALL)
_ESCAPE = re.compile(r'\\(["\\])')
_INTEGER = re.compile(r"[+-]?\d{1,18}", re.ASCII)


class Scanner:
    """Reads a text token by token; every complaint says ``file:line:column``.

    Parameters
    ----------
    text
        The whole file.
    file
        Its name, for messages.
    """

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        self.position = 0
        self.start = 0

    def peek(self) -> str:
        """Return the next token as it stands in the text, "" at the end; do not move on."""
        self.start = _SPACE.match(self.text, self.position).end()  # type: ignore[union-attr]
        match = _TOKEN.match(self.text, self.start)
        if match is not None:
            return match[0]
        if self.start < len(self.text):
            self.fail("the quote that begins here is never closed")
        return ""

    def next(self, expected: str) -> str:
        """Return the next token and move behind it; `expected` says what should come, if nothing does."""
        token = self.peek()
        if not token:
            self.fail(f"expected {expected}, but the file ends here")
        self.position = self.start + len(token)
        return token

    def accept(self, token: str) -> bool:
        """Move behind `token` if it comes next."""
        if self.peek() != token:
            return False
        self.position = self.start + len(token)
        return True

    def expect(self, token: str) -> None:
        """Move behind `token`, which must come next."""
        found = self.next(f"'{token}'")
        if found != token:
            self.fail(f"expected '{token}', found {_shown(found)}")

    def label(self, what: str) -> str:
        """Read a label, quoted or bare."""
        token = self.next(what)
        if token in ("{", "}"):
            self.fail(f"expected {what}, found '{token}'")
        return unquoted(token)

    def integer(self, what: str) -> int:
        """Read a whole number from 0 up."""
        token = self.next(what)
        if not _INTEGER.fullmatch(token):
            self.fail(f"expected {what}, found {_shown(token)}")
        if int(token) < 0:
            self.fail(f"{what} must not be negative: {token}")
        return int(token)

    def number(self) -> Fraction:
        """Read a number, exactly."""
        token = self.next("a number")
        if token in ("{", "}") or token.startswith('"'):
            self.fail(f"expected a number, found {_shown(token)}")
        try:
            return parse_number(token)
        except ValueError as error:
            self.fail(str(error))

    def numbers(self) -> tuple[Fraction, ...]:
        """Read ``{ number number ... }``."""
        self.expect("{")
        numbers = []
        while not self.accept("}"):
            numbers.append(self.number())
        return tuple(numbers)

    def labels(self, what: str) -> tuple[str, ...]:
        """Read ``{ label label ... }``."""
        self.expect("{")
        labels = []
        while not self.accept("}"):
            labels.append(self.label(what))
        return tuple(labels)

    def place(self, position: int | None = None) -> str:
        """Return ``file:line:column`` of a position, of the last token if none is given."""
        position = self.start if position is None else position
        line = self.text.count("\n", 0, position) + 1
        return f"{self.file}:{line}:{position - self.text.rfind(chr(10), 0, position)}"

    def line(self, position: int) -> int:
        """Return the number of the line of a position."""
        return self.text.count("\n", 0, position) + 1

    def fail(self, message: str, position: int | None = None) -> NoReturn:
        """Raise a `FormatError` at a position, at the last token if none is given."""
        raise FormatError(f"{self.place(position)}: {message}")


def read_header(scanner: Scanner, kind: str, version: int) -> tuple[str, tuple[str, ...]]:
    """Read ``EFG 2 R "title" { players }``, or the same of an NFG file; return title and players."""
    if scanner.peek() != kind:
        scanner.fail(f"expected {kind} at the start of the file")
    scanner.expect(kind)
    found = scanner.next("the version of the format")
    if found != str(version):
        scanner.fail(f"this is version {found} of the format; only version {version} can be read")
    if scanner.next("R or D") not in ("R", "D"):
        scanner.fail("expected R or D")
    title = scanner.label("the title")
    names = scanner.labels("the name of a player")
    if not names:
        scanner.fail("a game needs at least one player")
    return title, unique_labels(names, empty="player ")


def unquoted(token: str) -> str:
    """Return the label that a token stands for."""
    if not token.startswith('"'):
        return token
    body = token[1:-1]
    return _ESCAPE.sub(r"\1", body) if "\\" in body else body


def quoted(label: str) -> str:
    """Return a label in quotes; backslashes that would not be read as themselves are doubled."""
    escaped = re.sub(r'\\(?=["\\]|$)|"', r"\\\g<0>", label)
    return f'"{escaped}"'


def unique_labels(labels: Iterable[str], *, empty: str = "") -> tuple[str, ...]:
    """Make labels different from each other and not empty.

    The second "go" becomes "go (2)", and so on; the empty label of place i becomes `empty` and i.
    """
    named = [label or f"{empty}{index}" for index, label in enumerate(labels, 1)]
    taken = set(named)
    if len(taken) == len(named):
        return tuple(named)
    copies: dict[str, int] = {}
    for index, label in enumerate(named):
        count = copies.get(label, 0) + 1
        if count > 1:
            while f"{label} ({count})" in taken:
                count += 1
            named[index] = f"{label} ({count})"
            taken.add(named[index])
        copies[label] = count
    return tuple(named)


def shown_numbers(numbers: Sequence[Exact]) -> str:
    """Return ``{ 1, -1/18 }``; floats as their shortest decimal."""
    return "{ " + ", ".join(map(str, numbers)) + " }"


def _shown(token: str) -> str:
    return token if len(token) <= 40 else f"{token[:40]}..."
