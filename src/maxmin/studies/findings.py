"""What a study finds: tables of numbers, exact where they can be, and how they are written to CSV files."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

Cell: TypeAlias = str | int | Fraction | float | None
"""A fraction is exact; None is nothing to compare with, or not known."""

_LONGEST = 24
"""A fraction with more characters is shown to people as a decimal."""


@dataclass(frozen=True)
class Table:
    """A table: its name (for files), a title, and rows under the names of their columns."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def column(self, name: str) -> tuple[Cell, ...]:
        """Return all cells of a column."""
        index = self.columns.index(name)
        return tuple(row[index] for row in self.rows)

    def words(self) -> list[list[str]]:
        """Return the rows as people read them."""
        return [[cell_in_words(cell) for cell in row] for row in self.rows]

    def to_csv(self) -> bytes:
        """Return the table as a CSV file; fractions stay fractions."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows([["" if cell is None else cell for cell in row] for row in self.rows])
        return text.getvalue().encode()

    def to_json(self) -> dict[str, Any]:
        """Return the table as an object of plain types; fractions are text, such as "-1/18"."""
        rows = [[str(cell) if isinstance(cell, Fraction) else cell for cell in row] for row in self.rows]
        return {"name": self.name, "title": self.title, "columns": list(self.columns), "rows": rows}


@dataclass(frozen=True)
class Findings:
    """The tables of a study, and what is to be said of them."""

    tables: tuple[Table, ...]
    notes: tuple[str, ...] = ()

    def table(self, name: str) -> Table:
        """Return the table of that name."""
        return next(table for table in self.tables if table.name == name)


def cell_in_words(cell: Cell) -> str:
    """Write a cell as people read it."""
    if cell is None:
        return "-"
    if isinstance(cell, float):
        return f"{cell:.6g}"
    text = str(cell)
    return f"{float(cell):.8g}" if isinstance(cell, Fraction) and len(text) > _LONGEST else text


def rows_of(*rows: Sequence[Cell]) -> tuple[tuple[Cell, ...], ...]:
    """Return rows as a table holds them."""
    return tuple(map(tuple, rows))
