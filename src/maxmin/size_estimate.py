"""How large a side's belief DAG will be, predicted from its public states without building it.

The native core walks the public states and counts in each which of the infosets met there a belief may hold, as the
side's own moves before allow; what prescriptions rule out within a public state it does not see.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from maxmin import _core
from maxmin.side_view import view_side
from maxmin.tree import GameTree

BEYOND_COUNTING = 1e300
"""Where estimates end: a belief that meets thousands of infosets has more prescriptions than floats can say."""

BYTES_PER_PRESCRIPTION = 60
"""Measured on 3K8 while building: about three children and a start, kept twice, and three numbers for a solver."""

PRESCRIPTIONS_PER_SECOND = 4e6
"""Measured: 4.6 million on 3K8, 2.6 million on 3D4."""


@dataclass(frozen=True)
class SizeEstimate:
    """How large a belief DAG will be, predicted from its public states; for most games within a factor of two.

    It may be exponentially too high where prescriptions rule out what connects a public state.

    Attributes
    ----------
    beliefs, prescriptions, edges : float
    bytes : float
        Memory for the DAG and a solver on it.
    seconds : float
        Time to build it.
    public_states : float
        Sets of positions that everybody in the side knows apart when it acts.
    largest_public_state : int
        Most nodes of the tree at which the side acts in one public state.
    most_infosets : int
        The most infosets of the side that are met at once (k in the paper).
    """

    beliefs: float
    prescriptions: float
    edges: float
    bytes: float
    seconds: float
    public_states: float
    largest_public_state: int
    most_infosets: int


def estimate(
    tree: GameTree, side: Sequence[int], *, reduce_branching: bool = True, inflate: bool = False
) -> SizeEstimate:
    """Predict how large the decision problem of a side will be, without building it.

    Raises
    ------
    NotTimeableError
        If the side's infosets come before each other in a circle.
    """
    return predict(view_side(tree, tuple(side), inflate=inflate).merge(reduce_branching=reduce_branching))


def predict(merged: _core.SideTree) -> SizeEstimate:
    """Predict how large the belief DAG of a merged side will be."""
    size = _core.estimate_size(merged)
    prescriptions = min(size.prescriptions, BEYOND_COUNTING)
    return SizeEstimate(
        beliefs=min(size.beliefs, BEYOND_COUNTING),
        prescriptions=prescriptions,
        edges=2 * prescriptions,
        bytes=BYTES_PER_PRESCRIPTION * prescriptions,
        seconds=prescriptions / PRESCRIPTIONS_PER_SECOND,
        public_states=size.public_states,
        largest_public_state=size.largest_public_state,
        most_infosets=size.most_infosets,
    )


def too_large(
    tree: GameTree, side: tuple[int, ...], predicted: SizeEstimate, most_bytes: int, counted: str
) -> str:
    """Say that a decision problem does not fit, with the figures; `counted` says what building it met."""
    megabytes = predicted.bytes / 1e6
    size = f"{megabytes:,.0f} MB" if megabytes < 1e9 else f"{megabytes:.3g} MB"
    return (
        f"the decision problem of {','.join(map(str, side))} in {tree.name} needs about "
        f"{predicted.prescriptions:.3g} prescriptions and {size} (k = "
        f"{predicted.most_infosets}){counted}; the limit is {most_bytes / 1e6:,.0f} MB. Raise the memory limit, "
        "or solve a smaller team or game"
    )
