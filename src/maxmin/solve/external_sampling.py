"""External sampling: chance and the other side's plan are drawn, all of the updated side's prescriptions are seen.

Lanctot, Waugh, Zinkevich and Bowling: Monte Carlo sampling for regret minimization in extensive games (NIPS 2009).
What differs from the paper is at the head of ``cpp/include/maxmin/sampling_external.hpp``.
"""

import numpy as np

from maxmin import _core
from maxmin.match import Match
from maxmin.solve.sampling import SampledSums, Sampler
from maxmin.tree import Ints


def _make(match: Match, team: SampledSums, others: SampledSums) -> _core.ExternalSampling:
    tree = match.tree
    gains = tree.payoffs[:, np.array(match.team.side) - 1].sum(axis=1)
    numbers = tree.infoset.copy()
    numbers[tree.leaves] = np.arange(tree.n_leaves, dtype=np.int32)
    return _core.ExternalSampling(
        tree.first_child,
        tree.n_children,
        _actors(match),
        numbers,
        tree.probability,
        (gains - match.scale.middle) / (match.scale.half_range or 1.0),
        team.core,
        others.core,
    )


def _actors(match: Match) -> Ints:
    """Who acts at each node: 0 chance, 1 the team, 2 the others, -1 nobody."""
    player = match.tree.player
    side = np.where(np.isin(player, match.team.side), 1, 2)
    return np.where(player > 0, side, player).astype(np.int32)


EXTERNAL_SAMPLING = Sampler(name="external_sampling", source="Lanctot et al. 2009", make=_make)
