"""Upper bounds by spatial branch and bound: boxes of odds, split where members are least independent.

The box whose relaxation promises most is split in two, until no box promises more than the best strategies known
(Land and Doig 1960; for bilinear programs Al-Khayyal and Falk 1983). What is split are the odds of one action at
one infoset: the action whose odds depend most on what other members do, in the relaxation's solution. From some
of these solutions local search starts.
"""

import heapq
import math
from dataclasses import dataclass, field

import numpy as np

from maxmin.interrupt import Watch
from maxmin.tme.match import IndependentMatch
from maxmin.tme.relaxation import Basis, Boxes, Relaxation, Relaxed
from maxmin.tme.search import Search
from maxmin.tree import Floats

_INDEPENDENT = 1e-7
"""Members whose odds depend on each other by no more than this are taken as independent."""

_INNER = 0.1
"""A box is split no nearer to its ends than this share of its width."""

_ROUNDING = 1e-9
"""Limits of odds that miss 1 by less than this still leave a point."""

_SEARCHED = 16
"""Local search starts from the solution of every so manieth box, and of the first ones."""


@dataclass(order=True, frozen=True)
class _Node:
    """Boxes whose relaxation is solved, and where to split them; what promises most comes first.

    Attributes
    ----------
    minus_bound : float
    number : int
        Of nodes that promise the same, the older one comes first.
    boxes : Boxes
    odds : (n_sequences of all agents,) float64
    sequence : int
        Whose odds to split; -1 if members are independent as it is.
    basis : Basis
    """

    minus_bound: float
    number: int
    boxes: Boxes = field(compare=False)
    odds: Floats = field(compare=False)
    sequence: int = field(compare=False)
    basis: Basis = field(compare=False)


def close_gap(search: Search, relaxation: Relaxation, most_nodes: int, watch: Watch) -> str:
    """Lower the upper bound of a search, and raise its lower one, until it converges or must stop; say why.

    Returns
    -------
    str
        "gap"; "nodes"; "seconds" or "interrupt"; "optimal" if no box is left that can be split.
    """
    match = search.match
    relaxed = relaxation.solve({}, None, watch.keep_going)
    search.nodes += 1
    if relaxed is None:
        return watch.reason or "optimal"
    waiting = [_node(match, search, {}, relaxed, search.upper)]
    settled = -math.inf  # what boxes promise that cannot be split
    while waiting:
        search.note_upper(max(-waiting[0].minus_bound, settled, search.best.guarantee))
        if search.converged:
            return "gap"
        if not watch.keep_going(search.nodes):
            return watch.reason
        if search.nodes >= most_nodes:
            return "nodes"
        node = heapq.heappop(waiting)
        if search.nodes < _SEARCHED or search.nodes % _SEARCHED < 2:
            search.climb(match.realize(node.odds), watch.keep_going)
        if node.sequence < 0:
            settled = max(settled, -node.minus_bound)
            continue
        for boxes in _split(match, node):
            relaxed = relaxation.solve(boxes, node.basis, watch.keep_going)
            search.nodes += 1
            if relaxed is None:
                settled = max(settled, -node.minus_bound)
            elif relaxed.bound > search.best.guarantee:
                heapq.heappush(waiting, _node(match, search, boxes, relaxed, -node.minus_bound))
    if watch.reason:
        return watch.reason
    search.note_upper(max(settled, search.best.guarantee))
    return "gap" if search.converged else "optimal"


def _node(match: IndependentMatch, search: Search, boxes: Boxes, relaxed: Relaxed, above: float) -> _Node:
    spread = np.where(match.splits, relaxed.spread, 0.0)
    sequence = int(spread.argmax())
    if spread[sequence] <= _INDEPENDENT:
        sequence = -1
    return _Node(-min(relaxed.bound, above), search.nodes, boxes, relaxed.odds, sequence, relaxed.basis)


def _split(match: IndependentMatch, node: _Node) -> list[Boxes]:
    """Split a box between its middle and the odds in the relaxation's solution; leave out what is empty."""
    lower, upper = node.boxes.get(node.sequence, (0.0, 1.0))
    inner = _INNER * (upper - lower)
    at = (float(node.odds[node.sequence]) + (lower + upper) / 2) / 2
    at = min(max(at, lower + inner), upper - inner)
    siblings = match.siblings(node.sequence)
    halves = [{**node.boxes, node.sequence: half} for half in ((lower, at), (at, upper))]
    return [boxes for boxes in halves if not _is_empty([boxes.get(one, (0.0, 1.0)) for one in siblings])]


def _is_empty(odds: list[tuple[float, float]]) -> bool:
    """Say whether no distribution has its odds within these limits."""
    least, most = np.sum(odds, axis=0).tolist()
    return bool(least > 1 + _ROUNDING or most < 1 - _ROUNDING)
