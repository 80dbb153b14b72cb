"""How a solve goes on, on stderr: live on a terminal, now and then a line elsewhere, nothing if quiet."""

import math
import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, TypeAlias

from maxmin.cli.output import count, number

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

    from maxmin.recursive import RecursiveSnapshot
    from maxmin.solve import Snapshot

    AnySnapshot: TypeAlias = Snapshot | RecursiveSnapshot

_FIRST_LINE = 2.0
_LONGEST_WAIT = 60.0
"""Seconds: plain lines come after 2, 4, 8, ... and then every 60 seconds."""


class Progress:
    """A context that shows that something goes on, and how; `report` is a callback for solvers.

    Parameters
    ----------
    task
        What goes on, in words.
    quiet
        Print nothing.
    """

    def __init__(self, task: str, *, quiet: bool) -> None:
        self._task = task
        self._quiet = quiet
        self._live: Live | None = None
        self._start = time.perf_counter()
        self._next_line = _FIRST_LINE

    def __enter__(self) -> "Progress":
        if not self._quiet and sys.stderr.isatty():
            self._live = _live(self._task)
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def report(self, snapshot: "AnySnapshot") -> bool:
        """Show how far a solve has come; return True, which tells the solver to go on."""
        if self._live is not None:
            self._live.update(self._picture(snapshot))
        elif self._is_time():
            print(_line(snapshot), file=sys.stderr)
        return True

    def say(self, words: str) -> None:
        """Show how far other work has come."""
        if self._live is not None:
            self._live.update(_spinner(f"{self._task}: {words}"))
        elif self._is_time():
            print(words, file=sys.stderr)

    def _is_time(self) -> bool:
        """Say whether the next plain line is due."""
        due = not self._quiet and time.perf_counter() - self._start > self._next_line
        if due:
            self._next_line += min(self._next_line, _LONGEST_WAIT)
        return due

    def _picture(self, snapshot: "AnySnapshot") -> "RenderableType":
        if _builds(snapshot):
            return _spinner(f"{self._task}: {_line(snapshot)}")
        return _table(self._task, snapshot)


def _builds(snapshot: "AnySnapshot") -> bool:
    return getattr(snapshot, "stage", "solving") == "building"


class ShareDone:
    """A context that shows on a terminal which share of the work is done; `report` is a callback for it."""

    def __init__(self, task: str, *, quiet: bool) -> None:
        self._task = task
        self._shown = not quiet and sys.stderr.isatty()

    def __enter__(self) -> "ShareDone":
        self.report(0.0)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown:
            print(file=sys.stderr)

    def report(self, share: float) -> bool:
        """Show how far it is; return True, which means to go on."""
        if self._shown:
            print(f"\r{self._task}: {share:.0%}", end="", file=sys.stderr, flush=True)
        return True


def _line(snapshot: "AnySnapshot") -> str:
    if _builds(snapshot):
        return f"building, {count(snapshot.iterations)} prescriptions"
    return "  ".join(f"{name} {value}" for name, value in _figures(snapshot))


def _figures(snapshot: "AnySnapshot") -> list[tuple[str, str]]:
    done = [("iteration", count(snapshot.iterations)), ("seconds", f"{snapshot.seconds:.1f}")]
    name, gap = (
        ("relative gap", snapshot.relative_gap)
        if hasattr(snapshot, "relative_gap")
        else ("gap", snapshot.gap)
    )
    if math.isinf(snapshot.lower) and math.isinf(snapshot.upper):  # a linear program has none before it ends
        return done
    return [
        *done,
        ("lower", number(snapshot.lower)),
        ("upper", number(snapshot.upper)),
        (name, f"{gap:.2e}"),
    ]


def _live(task: str) -> "Live":
    from rich.console import Console
    from rich.live import Live

    console = Console(stderr=True, markup=False, emoji=False, highlight=False)
    return Live(_spinner(task), console=console, transient=True, refresh_per_second=8)


def _spinner(text: str) -> "RenderableType":
    from rich.spinner import Spinner
    from rich.text import Text

    return Spinner("dots", Text(text))


def _table(task: str, snapshot: "AnySnapshot") -> "RenderableType":
    from rich import box
    from rich.table import Table

    table = Table(title=task, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    figures = _figures(snapshot)
    for name, _ in figures:
        table.add_column(name, justify="right", min_width=12)
    table.add_row(*(value for _, value in figures))
    return table
