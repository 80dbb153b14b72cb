"""How a bound rises, on stderr: live on a terminal, now and then a line elsewhere."""

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING

from maxmin.cli.output import count, duration

if TYPE_CHECKING:
    from maxmin.battleship.bound import Bound

_FIRST_LINE = 2.0
_LONGEST_WAIT = 60.0
"""Seconds: plain lines come after 2, 4, 8, ... and then every 60 seconds."""


class Climbing:
    """A context that shows the bound so far; `report` is a callback for `maxmin.battleship.bound.lower_bound`."""

    def __init__(self, task: str, *, quiet: bool) -> None:
        self._task = task
        self._quiet = quiet
        self._live = not quiet and sys.stderr.isatty()
        self._start = time.perf_counter()
        self._next_line = 0.0 if self._live else _FIRST_LINE

    def __enter__(self) -> "Climbing":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live:
            print(file=sys.stderr)

    def report(self, bound: "Bound") -> bool:
        """Show a bound; return True, which means to go on."""
        passed = time.perf_counter() - self._start
        if self._quiet or passed < self._next_line:
            return True
        self._next_line = passed + (0.2 if self._live else min(passed, _LONGEST_WAIT))
        line = f"at least {bound.lower:.6f} shots  {count(bound.states)} states  {duration(bound.seconds)}"
        if self._live:
            print(f"\r{self._task}: {line}", end="", file=sys.stderr, flush=True)
        else:
            print(line, file=sys.stderr)
        return True
