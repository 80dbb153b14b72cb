"""Work for several processes, which leave Ctrl-C to the one that began them, so that it can keep what it has."""

import signal
import warnings
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")


def in_processes(calls: Iterable[Callable[[], T]], *, jobs: int) -> Generator[T, None, None]:
    """Yield what calls return, in their order; what is not waited for any more is cancelled.

    Parameters
    ----------
    calls
        Functions without arguments that can be pickled.
    jobs
        How many processes; -1 for as many as there are cores.
    """
    from joblib import Parallel, delayed

    found = Parallel(n_jobs=jobs, return_as="generator")(delayed(_alone)(call) for call in calls)
    try:
        for one in found:  # noqa: UP028 - `yield from` would close them outside of what follows
            yield one
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # joblib's, that what was begun and is not needed was cancelled
            found.close()


def _alone(call: Callable[[], T]) -> T:
    with suppress(ValueError):  # outside of a main thread signals are none of ours
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    return call()
