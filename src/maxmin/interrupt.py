"""`Watch`: one place that says when to stop: Ctrl-C, a time limit, or a callback that says so."""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any

from maxmin.errors import Cancelled, MaxminError


class Watch:
    """A context in which Ctrl-C is noted instead of raised, so that work can end in order.

    A second Ctrl-C raises ``KeyboardInterrupt``. Only the main thread can catch signals; elsewhere Ctrl-C is left
    alone.

    Parameters
    ----------
    seconds
        Stop after this time; None for no limit.
    report
        Told the work done so far; returns False to stop.
    """

    def __init__(self, seconds: float | None, report: Callable[[float], object]) -> None:
        self._seconds = seconds
        self._deadline = None if seconds is None else time.perf_counter() + seconds
        self._report = report
        self._previous: Any = None
        self._catching = False
        self.reason = ""

    def __enter__(self) -> "Watch":
        self._catching = threading.current_thread() is threading.main_thread()
        if self._catching:
            self._previous = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._catching:
            signal.signal(signal.SIGINT, signal.SIG_DFL if self._previous is None else self._previous)

    def keep_going(self, done: float) -> bool:
        """Say whether to go on; `reason` says why not ("interrupt" or "seconds")."""
        if not self.reason and self._report(done) is False:
            self.reason = "interrupt"
        if not self.reason and self._deadline is not None and time.perf_counter() > self._deadline:
            self.reason = "seconds"
        return not self.reason

    @contextmanager
    def before(self, what: str) -> Iterator[None]:
        """Say of a time limit that it ended before `what`, where there is nothing to return until then.

        Raises
        ------
        MaxminError
            Instead of `Cancelled`, if the time limit was the reason.
        """
        try:
            yield
        except Cancelled:
            if self.reason != "seconds":
                raise
            raise MaxminError(
                f"the time limit of {self._seconds:g} seconds ended before {what}; allow more"
            ) from None

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.reason == "interrupt":
            raise KeyboardInterrupt
        self.reason = "interrupt"
