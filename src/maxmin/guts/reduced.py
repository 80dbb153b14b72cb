"""Guts on a grid where a coalition plays blocs and pseudo-blocs only: the reduced game of arXiv 2208.02788.

A bloc is (b, ..., b), a pseudo-bloc (0, c, ..., c): everybody at one threshold, or one who always holds and the
others at one threshold. They are 2 M - 1 on M points. With n own thresholds, the integral of F at the head of
`maxmin.guts.grid` is

    bloc:         b^n J_0(b) + J_n(1) - J_n(b)            pseudo-bloc:  c^(n-1) J_1(c) + J_n(1) - J_n(c)

so that a best response is one pass over the grid. What differs from the paper: no matrix is written down, and a
side of several players against a coalition is reduced in the same way. A side of one player has all thresholds.
"""

import numpy as np

from maxmin.guts.grid import GridGuts, Multiset
from maxmin.tree import Floats


class ReducedGuts(GridGuts):
    """A round of guts on a grid, both sides with blocs and pseudo-blocs only."""

    def count(self, players: int) -> int:
        """Return how many blocs and pseudo-blocs a side of so many players has."""
        points = len(self.thresholds)
        return points if players == 1 else 2 * points - 1

    def plans(self, players: int) -> list[Multiset]:
        """Return them all: blocs, then pseudo-blocs."""
        points = range(len(self.thresholds))
        blocs: list[Multiset] = [(point,) * players for point in points]
        return blocs if players == 1 else blocs + [(0, *[point] * (players - 1)) for point in points[1:]]

    def search(self, players: int, moments: Floats, hold: float, drop: float) -> tuple[Multiset, float]:
        """Return the bloc or pseudo-bloc that loses the least, and its loss; as `GridGuts.search`."""
        held = self.thresholds
        above = moments[players, -1] - moments[players]
        blocs = held**players * (moments[0] + drop) + above + hold * players * (1 - held)
        bloc = int(np.argmin(blocs))
        if players == 1:
            return (bloc,), float(blocs[bloc])
        others = players - 1
        pseudo_blocs = held**others * moments[1] + above + hold * (1 + others * (1 - held))
        pseudo_bloc = int(np.argmin(pseudo_blocs))
        if pseudo_blocs[pseudo_bloc] < blocs[bloc]:
            return (0, *[pseudo_bloc] * others), float(pseudo_blocs[pseudo_bloc])
        return (bloc,) * players, float(blocs[bloc])
