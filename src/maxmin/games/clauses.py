"""`Formula`: clauses in conjunctive normal form; from text, from a DIMACS file, or drawn at random.

A literal is a whole number as in DIMACS: 3 is the third variable, -3 its negation. As text, clauses are separated
by slashes: ``1 -2 / 2 3`` says (x1 or not x2) and (x2 or x3).

A DIMACS file has comment lines (``c ...``), the line ``p cnf VARIABLES CLAUSES``, and clauses, each ended by 0.
QDIMACS adds lines ``a 1 2 0`` and ``e 3 4 0`` before the clauses: for all x1, x2 there are x3, x4 such that. Files
may have one of each, "for all" first. SATLIB's files end with ``%``, after which nothing counts.
"""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from maxmin.errors import FormatError, GameError, SizeError
from maxmin.files import read_text

MOST_VARIABLES = 10_000
_MOST_TRIED = 24
"""Assignments to more variables than this are not tried one by one."""

_TEXT = re.compile(r"[\s/0-9+-]*")
_WORD = re.compile(r"\S+")


@dataclass(frozen=True)
class Formula:
    """Clauses that should all be true.

    Attributes
    ----------
    clauses : tuple of tuple of int
        The literals of each, different ones, in the order in which they were stated.
    universal : frozenset of int or None
        The variables that are quantified by "for all"; the others are by "there are". None if nothing is said.
    """

    clauses: tuple[tuple[int, ...], ...]
    universal: frozenset[int] | None = None

    def __post_init__(self) -> None:
        if not self.clauses:
            raise GameError("a formula needs at least one clause")
        for number, clause in enumerate(self.clauses, 1):
            if not clause:
                raise GameError(f"clause {number} is empty, so that nothing can make it true")
            if not all(1 <= abs(literal) <= MOST_VARIABLES for literal in clause):
                raise GameError(f"clause {number}: variables must be from 1 to {MOST_VARIABLES:,}")

    @property
    def variables(self) -> tuple[int, ...]:
        """The variables that occur, ascending."""
        return tuple(sorted({abs(literal) for clause in self.clauses for literal in clause}))

    def satisfied(self) -> NDArray[np.bool_]:
        """Say which clauses each assignment makes true: (2 ** variables, clauses).

        Bit v of an assignment's number is the truth of the v-th variable that occurs.

        Raises
        ------
        SizeError
            If there are more than 24 variables.
        """
        variables = self.variables
        if len(variables) > _MOST_TRIED:
            raise SizeError(
                f"the formula has {len(variables)} variables; assignments are tried one by one up to {_MOST_TRIED}"
            )
        assignments = np.arange(2 ** len(variables))
        truth = {variable: assignments >> index & 1 == 1 for index, variable in enumerate(variables)}
        found = np.zeros((len(assignments), len(self.clauses)), dtype=bool)
        for column, clause in enumerate(self.clauses):
            for literal in clause:
                found[:, column] |= truth[abs(literal)] == (literal > 0)
        return found

    def most_satisfied(self) -> int:
        """Return how many clauses can be true at once (MAX-SAT), by trying all assignments."""
        return int(self.satisfied().sum(axis=1).max())

    def surely_false(self) -> int:
        """Return how many clauses "for all" can keep false whatever "there are" answers: 0 if it is true."""
        false = (~self.satisfied()).sum(axis=1)
        held = self.universal or frozenset()
        mine = sum(1 << index for index, variable in enumerate(self.variables) if variable in held)
        choice = np.arange(len(false)) & mine
        least = np.full(len(false), len(self.clauses))
        np.minimum.at(least, choice, false)
        return int(least[np.unique(choice)].max())


def make_formula(text: str) -> Formula:
    """Read clauses from text, or from the DIMACS file that the text is the path of.

    Raises
    ------
    GameError
        If a clause is empty or a literal is no number.
    FormatError, FileError, SizeError
        If the file cannot be read; the message starts with ``file:line:column``.
    """
    if not _TEXT.fullmatch(text):
        return parse_dimacs(read_text(text), text)
    try:
        clauses = [[int(word) for word in clause.split()] for clause in text.split("/")]
    except ValueError:
        raise GameError(
            f"cannot read the clauses {text!r}: write literals and slashes, such as 1 -2 / 2 3"
        ) from None
    return Formula(tuple(map(_distinct, clauses)))


def random_formula(*, variables: int, clauses: int, literals: int, seed: int, planted: bool) -> Formula:
    """Draw clauses of different variables each, signs by a coin; `planted`: a drawn assignment makes all true."""
    rng = random.Random(seed)
    truth = {variable: rng.random() < 0.5 for variable in range(1, variables + 1)}
    drawn: list[tuple[int, ...]] = []
    while len(drawn) < clauses:
        chosen = sorted(sorted(truth, key=lambda _: rng.random())[:literals])
        clause = tuple(variable if rng.random() < 0.5 else -variable for variable in chosen)
        if not planted or any(truth[abs(literal)] == (literal > 0) for literal in clause):
            drawn.append(clause)
    return Formula(tuple(drawn))


def parse_dimacs(text: str, file: str) -> Formula:
    """Read a formula from the text of a DIMACS or QDIMACS file; `file` is its name, for messages.

    Raises
    ------
    FormatError
        If it is anything else.
    """
    return _Reader(file).read(text)


class _Reader:
    """What has been read of a file so far."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.stated: tuple[int, int] | None = None
        self.blocks: dict[str, list[int]] = {}
        self.clauses: list[tuple[int, ...]] = []
        self.open: list[int] = []
        self.place = (1, 1)

    def read(self, text: str) -> Formula:
        for number, line in enumerate(text.splitlines(), 1):
            words = [(word[0], (number, word.start() + 1)) for word in _WORD.finditer(line)]
            if words and words[0][0] == "%":
                break
            if words and words[0][0] != "c":
                self.place = words[0][1]
                self.line(words)
        if self.stated is None:
            self.fail("there is no line p cnf VARIABLES CLAUSES")
        if self.open:
            self.fail("the last clause is not ended by 0")
        if len(self.clauses) != self.stated[1]:
            self.fail(f"{len(self.clauses)} clauses, but line p says {self.stated[1]}")
        try:
            return Formula(tuple(self.clauses), frozenset(self.blocks.get("a", ())) if self.blocks else None)
        except GameError as error:
            raise FormatError(f"{self.file}:1:1: {error}") from None

    def line(self, words: Sequence[tuple[str, tuple[int, int]]]) -> None:
        kind = words[0][0]
        if kind == "p":
            self.header([word for word, _ in words])
        elif self.stated is None:
            self.fail("clauses before the line p cnf VARIABLES CLAUSES")
        elif kind in ("a", "e"):
            self.block(kind, words[1:])
        else:
            for word, place in words:
                self.literal(word, place)

    def header(self, words: list[str]) -> None:
        fits = (
            len(words) == 4
            and words[1] == "cnf"
            and all(re.fullmatch(r"[0-9]{1,9}", word) for word in words[2:])
        )
        if self.stated is not None or not fits:
            self.fail("expected one line p cnf VARIABLES CLAUSES")
        self.stated = int(words[2]), int(words[3])
        if not 1 <= self.stated[0] <= MOST_VARIABLES:
            self.fail(f"variables must be from 1 to {MOST_VARIABLES:,}")

    def block(self, kind: str, words: Sequence[tuple[str, tuple[int, int]]]) -> None:
        if self.clauses or self.open or kind in self.blocks or (kind == "a" and "e" in self.blocks):
            self.fail("expected at most one line a, then at most one line e, before the clauses")
        *variables, end = [self.number(word, place) for word, place in words] or [1]
        if end != 0 or min(variables, default=1) < 1:
            self.fail(f"line {kind} must list variables, then 0")
        self.blocks[kind] = variables
        if set(self.blocks.get("a", ())) & set(self.blocks.get("e", ())):
            self.fail("a variable is quantified twice")

    def literal(self, word: str, place: tuple[int, int]) -> None:
        self.place = place
        literal = self.number(word, place)
        if literal:
            self.open.append(literal)
            return
        if not self.open:
            self.fail("an empty clause, which nothing can make true")
        self.clauses.append(_distinct(self.open))
        self.open = []

    def number(self, word: str, place: tuple[int, int]) -> int:
        self.place = place
        if not re.fullmatch(r"-?[0-9]{1,9}", word):
            self.fail(f"{word[:20]!r} is not a literal")
        number = int(word)
        if self.stated is not None and abs(number) > self.stated[0]:
            self.fail(f"variable {abs(number)}, but line p says {self.stated[0]}")
        return number

    def fail(self, message: str) -> NoReturn:
        line, column = self.place
        raise FormatError(f"{self.file}:{line}:{column}: {message}")


def _distinct(literals: Sequence[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(literals))
