"""How answers are printed: one JSON object, or facts and tables in plain words."""

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

_PIPED_WIDTH = 240
"""Columns of a table that is not printed to a terminal: wide enough never to cut a line."""


def print_json(answer: dict[str, Any]) -> None:
    """Print the one JSON object of a command."""
    print(json.dumps(answer, allow_nan=False))


def message(text: str, *, quiet: bool) -> None:
    """Print a line on stderr, unless told to be quiet."""
    if not quiet:
        print(text, file=sys.stderr)


def print_facts(title: str, facts: Sequence[tuple[str, str]]) -> None:
    """Print a title and below it one fact a line: what, and its value."""
    width = max((len(name) for name, _ in facts), default=0)
    print(title)
    for name, value in facts:
        first, *more = value.split("\n")
        print(f"  {name:<{width}}  {first}")
        for line in more:
            print(f"  {'':<{width}}  {line}")


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[str] = ()) -> None:
    """Print rows under the names of their columns; those in `right` are aligned to the right."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in columns:
        table.add_column(name, justify="right" if name in right else "left", overflow="fold")
    for row in rows:
        table.add_row(*row)
    console = _console()
    with console.capture() as printed:
        console.print(table)
    print("\n".join(line.rstrip() for line in printed.get().rstrip().splitlines()))


def _console() -> "Console":
    """Make a console that prints labels as they are: no markup, no emoji, no colors of its own."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else _PIPED_WIDTH
    return Console(file=sys.stdout, width=width, markup=False, emoji=False, highlight=False)


def count(number: int) -> str:
    """Write a count, as 12,345; one beyond all counting as 1e+300."""
    return f"{number:,}" if number < 10**15 else f"{number:.3g}"


def number(value: float) -> str:
    """Write a payoff, as 0.215142."""
    return f"{value:.6g}"


def size(n_bytes: float) -> str:
    """Write bytes, as 1.5 MB."""
    for unit in ("bytes", "kB", "MB"):
        if n_bytes < 1000:
            return f"{n_bytes:.3g} {unit}"
        n_bytes /= 1000
    return f"{n_bytes:.3g} GB"


def duration(seconds: float) -> str:
    """Write seconds, as 0.012 s, 3.4 s, 125 s or 1.5e+09 s."""
    digits = ".3f" if seconds < 1 else ".1f" if seconds < 100 else ".0f" if seconds < 1e6 else ".3g"
    return f"{seconds:{digits}} s"
