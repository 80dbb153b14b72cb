"""What runs that go on iteration by iteration have in common, so that they are stopped, saved and resumed alike."""

import zlib
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from numpy.typing import NDArray

from maxmin.match import Bounds, Match
from maxmin.tree import Floats

OTHER_STATE = (
    "the saved state is of another game, team or version of maxmin, or decision problems were built otherwise "
    "(reduce_branching, observations, inflate)"
)
"""What is wrong with a state that does not fit a run."""


class IteratedRun(Protocol):
    """A run that can be continued: `maxmin.solve.regret.RegretRun`, `maxmin.solve.sampling.SamplingRun`."""

    match: Match
    iterations: int

    def advance_to_check(
        self, most: int | None = None, keep_going: Callable[[float], bool] | None = None
    ) -> None:
        """Run until bounds are due, or `most` iterations are done in all, or `keep_going` returns False.

        When bounds are due does not depend on where runs are cut.
        """

    def bounds(self) -> Bounds:
        """Bound the value by best responses to the average strategies."""

    def averages(self) -> tuple[Floats, Floats]:
        """Return the average strategies of the team and of the others, as `DecisionProblem` orders them."""

    def settings(self) -> dict[str, Any]:
        """Return what a run that goes on from this one's state must agree on."""

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return all that is needed to go on later, by name."""

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Go on from `to_arrays`; raises `SolutionError` if the arrays are of another game or team."""


def fingerprint(match: Match) -> int:
    """Return a number that tells this game, as both sides see it, from others of the same name and size."""
    team, others, payoffs = match.team, match.others, match.payoffs
    shape = (team.child_start, team.children, others.child_start, others.children)
    number = 0
    for array in (*shape, payoffs.start, payoffs.column, payoffs.value):
        number = zlib.crc32(array.data, number)
    return number
