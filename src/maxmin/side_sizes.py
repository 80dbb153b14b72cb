"""How large a side's decision problem is in each construction, set side by side: `compare_sizes`.

Constructions differ in what the side learns after a prescription (connected components of what is left, or public
states) and in whether infosets are inflated first. Each is counted twice: as Zhang, Farina and Sandholm (ICML 2023,
section 4) read it, and as `maxmin.decision.build_problem` stores it.
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from maxmin import _core
from maxmin.decision import (
    OBSERVATIONS,
    Observations,
    build_problem,
    check_side,
)
from maxmin.errors import Cancelled, SizeError
from maxmin.limits import check_memory, check_seconds
from maxmin.side_view import Progress, SideView, view_side
from maxmin.size_estimate import BEYOND_COUNTING, predict
from maxmin.tree import GameTree


@dataclass(frozen=True)
class DagSizes:
    """The sizes of one construction; None where counting took too much time or memory.

    Attributes
    ----------
    observations : "connected" or "public"
    inflate : bool
        The construction, see `maxmin.decision.build_problem`.
    public_states, largest_public_state, public_state_infosets : int
        How many public states the side acts in; most nodes of the tree, and most infosets, in one of them.
    unpruned_nodes : float
        As `converted_nodes`, if prescriptions always cover all infosets of a public state, also those that earlier
        ones have ruled out. Told by public states alone, so it is there for any game.
    k : int or None
        The most infosets of the side that one belief meets.
    vertices, edges : int or None
        As the paper reads: a layer for each move of anybody, beliefs (a terminal one for each leaf among them) and
        observation points, nothing folded away.
    converted_nodes, converted_leaves : float or None
        The game that the DAG unfolds to, a tree (with public states that of Carminati et al., ICML 2022): each node
        of the game's tree once for each list of prescriptions that leads there; the leaves among them. Counted by
        paths, not built; exact up to 2^53, and no more than 1e300.
    beliefs, prescriptions, stored_edges : int or None
        As stored.
    """

    observations: Observations
    inflate: bool
    public_states: int
    largest_public_state: int
    public_state_infosets: int
    unpruned_nodes: float
    k: int | None = None
    vertices: int | None = None
    edges: int | None = None
    converted_nodes: float | None = None
    converted_leaves: float | None = None
    beliefs: int | None = None
    prescriptions: int | None = None
    stored_edges: int | None = None


@dataclass(frozen=True)
class SideSizes:
    """One side of a game, and its decision problem in each construction.

    Attributes
    ----------
    side : tuple of int
    infosets, inflated_infosets : int
        How many infosets the side has, and has after complete inflation.
    constructions : tuple of DagSizes
        Connected and public; if inflation splits any infoset, both again with inflation.
    """

    side: tuple[int, ...]
    infosets: int
    inflated_infosets: int
    constructions: tuple[DagSizes, ...]

    def find(self, observations: Observations, *, inflate: bool = False) -> DagSizes:
        """Return one construction; where inflation splits nothing, the one without it."""
        inflate = inflate and self.inflated_infosets > self.infosets
        for sizes in self.constructions:
            if (sizes.observations, sizes.inflate) == (observations, inflate):
                return sizes
        raise KeyError(observations)

    def to_json(self) -> dict[str, Any]:
        """Return all of it as JSON has it."""
        return {
            "side": list(self.side),
            "infosets": self.infosets,
            "inflated_infosets": self.inflated_infosets,
            "constructions": [asdict(sizes) for sizes in self.constructions],
        }


def compare_sizes(
    tree: GameTree,
    side: Sequence[int],
    *,
    reduce_branching: bool = True,
    memory: int | None = None,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> SideSizes:
    """Count a side's decision problem in each construction.

    Parameters
    ----------
    tree
        The game.
    side
        The players that decide together.
    reduce_branching
        See `maxmin.decision.build_problem`.
    memory
        Most bytes for each count; default: half of the machine's.
    seconds
        Give up each single count after this time; there are at most eight.
    progress
        Called now and then with the number of prescriptions so far; returns False to stop.

    Raises
    ------
    NotTimeableError
        If the side's infosets come before each other in a circle.
    UnknownNameError
        If the side is not some of the players.
    Cancelled
        If `progress` said so.
    MaxminError
        If a limit makes no sense.

    Examples
    --------
    >>> from maxmin import load_tree
    >>> sizes = compare_sizes(load_tree("3K3"), (1, 2)).find("connected")
    >>> sizes.vertices, sizes.edges
    (490, 921)
    """
    players = check_side(tree, side)
    most_bytes = check_memory(memory)
    counter = _Counter(most_bytes, check_seconds(seconds), progress, reduce_branching)
    views = [view_side(tree, players, inflate=inflate, progress=progress) for inflate in (False, True)]
    before, after = (view.n_infosets for view in views)
    constructions = [
        sizes
        for view in views[: 1 + (after > before)]
        for sizes in counter.count(view, inflate=view is views[1])
    ]
    return SideSizes(players, before, after, tuple(constructions))


@dataclass(frozen=True)
class _Counter:
    memory: int
    seconds: float | None
    progress: Progress | None
    reduce_branching: bool

    def count(self, view: SideView, *, inflate: bool) -> list[DagSizes]:
        merged = view.merge(reduce_branching=self.reduce_branching)
        layered = view.layer(merged, self.progress)
        predicted = predict(merged)
        unpruned = min(_core.count_unpruned_nodes(layered), BEYOND_COUNTING)
        return [
            DagSizes(
                observations=observations,
                inflate=inflate,
                public_states=int(predicted.public_states),
                largest_public_state=predicted.largest_public_state,
                public_state_infosets=predicted.most_infosets,
                unpruned_nodes=unpruned,
                **self._within_limits(partial(self._plain, layered, observations)),
                **self._within_limits(partial(self._stored, view, observations, inflate)),
            )
            for observations in OBSERVATIONS
        ]

    def _within_limits(self, count: Callable[[Progress], dict[str, Any]]) -> dict[str, Any]:
        """Return what is counted, or nothing if that takes too much time or memory."""
        deadline = math.inf if self.seconds is None else time.perf_counter() + self.seconds
        asked_to_stop = False

        def progress(done: float) -> bool:
            nonlocal asked_to_stop
            asked_to_stop = self.progress is not None and not self.progress(done)
            return not asked_to_stop and time.perf_counter() < deadline

        try:
            return count(progress)
        except (SizeError, MemoryError):
            return {}
        except Cancelled:
            if asked_to_stop:
                raise
            return {}

    def _plain(
        self, layered: _core.SideTree, observations: Observations, progress: Progress
    ) -> dict[str, Any]:
        counts = _core.count_plainly(layered, observations == "public", self.memory, progress)
        return {
            "vertices": int(counts.vertices),
            "edges": int(counts.edges),
            "converted_nodes": min(counts.converted_nodes, BEYOND_COUNTING),
            "converted_leaves": min(counts.converted_leaves, BEYOND_COUNTING),
        }

    def _stored(
        self, view: SideView, observations: Observations, inflate: bool, progress: Progress
    ) -> dict[str, Any]:
        problem = build_problem(
            view.tree,
            view.side,
            memory=self.memory,
            reduce_branching=self.reduce_branching,
            observations=observations,
            inflate=inflate,
            progress=progress,
        )
        return {
            "k": problem.most_infosets,
            "beliefs": problem.n_beliefs,
            "prescriptions": problem.n_prescriptions,
            "stored_edges": problem.n_edges,
        }
