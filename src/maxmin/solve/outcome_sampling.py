"""Outcome sampling: plans of both sides are drawn; for what the updated side did not draw, baselines stand in.

Lanctot, Waugh, Zinkevich and Bowling: Monte Carlo sampling for regret minimization in extensive games (NIPS 2009);
baselines: Schmid, Burch, Lanctot, Moravcik, Kadlec and Bowling (AAAI 2019), Davis, Schmid and Bowling (ICML 2020).
What differs from the papers is at the head of ``cpp/include/maxmin/sampling_outcome.hpp``.
"""

from maxmin import _core
from maxmin.match import Match
from maxmin.solve.sampling import SampledSums, Sampler


def _make(match: Match, team: SampledSums, others: SampledSums) -> _core.OutcomeSampling:
    plain, transposed = match.payoffs, match.transposed
    return _core.OutcomeSampling(
        plain.start,
        plain.column,
        plain.value,
        transposed.start,
        transposed.column,
        transposed.value,
        team.core,
        others.core,
    )


OUTCOME_SAMPLING = Sampler(name="outcome_sampling", source="Lanctot et al. 2009", make=_make)
