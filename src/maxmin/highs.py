"""HiGHS without its surprises: it prints nothing, and Ctrl-C stops it.

highspy writes a banner to stdout when a solver object is made, before any option can be set. And HiGHS
refuses to run if two solvers of one process ask for different numbers of threads, so nobody here sets that.
"""

import time
from collections.abc import Callable
from typing import Any

from maxmin.errors import Cancelled, MaxminError

_BETWEEN_QUESTIONS = 0.1
"""Seconds between two looks at whether to go on."""

_PATIENCE = 1.0
"""Seconds that PDLP gets to end: HiGHS has no way to stop it before its time limit."""


def quiet_highs(*, seconds: float = float("inf")) -> Any:
    """Return a ``highspy.Highs`` that prints nothing and stops after so many seconds."""
    from highspy import Highs

    class QuietHighs(Highs):
        def enableCallbacks(self) -> None:  # noqa: N802 - called by highspy's constructor
            self.setOptionValue("output_flag", False)
            super().enableCallbacks()  # type: ignore[no-untyped-call]

    highs: Any = QuietHighs()  # type: ignore[no-untyped-call]
    highs.setOptionValue("time_limit", max(seconds, 0.0))
    return highs


def run_highs(highs: Any, what: str, keep_going: Callable[[float], bool] | None = None) -> None:
    """Run HiGHS on the model that it holds; `what` names the work in the error.

    Parameters
    ----------
    highs
        From `quiet_highs`.
    what
        What is being solved.
    keep_going
        Asked now and then; HiGHS stops when it returns False.

    Raises
    ------
    MaxminError
        If HiGHS fails; a time limit or a stop is no failure.
    Cancelled
        If PDLP was stopped: it has nothing before it ends, and is left behind in its thread.
    KeyboardInterrupt
        On Ctrl-C, after HiGHS has stopped.
    """
    from highspy import HighsStatus

    _, solver = highs.getOptionValue("solver")
    patience = _PATIENCE if solver == "pdlp" else -1.0  # without limit
    highs.HandleUserInterrupt = True
    highs.startSolve()
    try:
        finished, status = highs.wait(_BETWEEN_QUESTIONS)
        while not finished:
            if keep_going is not None and not keep_going(0.0):
                highs.cancelSolve()
                finished, status = highs.wait(patience)
                if not finished:
                    raise Cancelled
            else:
                finished, status = highs.wait(_BETWEEN_QUESTIONS)
    except BaseException:  # Ctrl-C, or what `keep_going` raises: HiGHS must not go on in its thread
        highs.cancelSolve()
        highs.wait(patience)
        raise
    if status == HighsStatus.kError:
        raise MaxminError(f"HiGHS could not solve {what}")


def run_here(highs: Any, what: str, keep_going: Callable[[float], bool]) -> None:
    """Run HiGHS's simplex in this thread: for many small programs, each of which a thread would outlast.

    Parameters and errors are those of `run_highs`.
    """
    from highspy import HighsStatus

    asked = time.perf_counter()
    raised: list[BaseException] = []

    def ask(event: Any) -> None:
        nonlocal asked
        stops = False
        if time.perf_counter() - asked >= _BETWEEN_QUESTIONS:
            asked = time.perf_counter()
            try:
                stops = not keep_going(0.0)
            except BaseException as error:  # must not fly through HiGHS
                raised.append(error)
                stops = True
        event.interrupt(stops or bool(raised))  # says no, too: HiGHS remembers what an earlier run was told

    highs.cbSimplexInterrupt.subscribe(ask)
    try:
        status = highs.run()
    finally:
        highs.cbSimplexInterrupt.unsubscribe(ask)
    if raised:
        raise raised[0]
    if status == HighsStatus.kError:
        raise MaxminError(f"HiGHS could not solve {what}")
