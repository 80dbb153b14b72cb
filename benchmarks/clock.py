"""Seconds and bytes: what every row of every table is measured with."""

import resource
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

Seconds = dict[str, float]
"""``{"cpu": ..., "wall": ...}``."""


class Clock:
    """A stop-watch: a context that adds up the CPU and wall-clock seconds spent inside it."""

    def __init__(self) -> None:
        self.cpu = 0.0
        self.wall = 0.0

    def __enter__(self) -> "Clock":
        self._start = time.process_time(), time.perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        self.cpu += time.process_time() - self._start[0]
        self.wall += time.perf_counter() - self._start[1]

    def seconds(self) -> Seconds:
        """Return the CPU and wall-clock seconds so far."""
        return {"cpu": self.cpu, "wall": self.wall}

    def timing(self, function: Callable[P, T]) -> Callable[P, T]:
        """Return `function`, with the time that it takes added to this clock."""

        def timed(*args: P.args, **kwargs: P.kwargs) -> T:
            with self:
                return function(*args, **kwargs)

        return timed


def peak_bytes() -> int:
    """Return the most memory that this process has had so far."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak


class Reached:
    """When, and after how many iterations, a run first came down to each of several relative gaps.

    The clock may already hold the time of construction, which is then counted.
    """

    def __init__(self, gaps: Sequence[float], clock: Clock) -> None:
        self.first: dict[str, dict[str, float]] = {}
        self._gaps = gaps
        self._clock = clock

    def note(self, iterations: int, gap: float) -> None:
        """Tell it the relative gap that was found after so many iterations."""
        for target in self._gaps:
            if gap <= target:
                self.first.setdefault(f"{target:g}", {**self._clock.seconds(), "iterations": iterations})

    @property
    def all(self) -> bool:
        """Whether nothing is left to wait for."""
        return len(self.first) == len(self._gaps)


def converge(
    advance: Callable[[], object],
    relative_gap: Callable[[], float],
    clock: Clock,
    *,
    gaps: Sequence[float],
    seconds: float,
    growth: float = 1.15,
) -> dict[str, Any]:
    """Iterate another package's solver down to the smallest gap, or until its CPU seconds are used up.

    The gap is checked after 1, 2, ... iterations, then each time there are `growth` times as many; the time that
    checks take is not counted.
    """
    start = clock.cpu
    reached = Reached(gaps, clock)
    done, gap = 0, float("inf")
    while not reached.all and clock.cpu - start < seconds:
        stop = max(done + 1, int(done * growth))
        with clock:
            for _ in range(stop - done):
                advance()
        done, gap = stop, relative_gap()
        reached.note(done, gap)
    return {
        "iterations": done,
        "iteration_seconds": (clock.cpu - start) / done,
        "relative_gap": gap,
        "reached": reached.first,
    }
