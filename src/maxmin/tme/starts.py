"""Where local search starts: points of all kinds, as what is found depends on where one begins."""

from collections.abc import Iterator

import numpy as np

from maxmin.plans import UNREACHED, Behavior
from maxmin.strategy import Strategy
from maxmin.tme.match import IndependentMatch
from maxmin.tree import Floats

_PLANS = 5
"""So many joint pure plans of the correlated strategy are starts, the likeliest first."""

_EVENLY = 0.1
"""They are mixed with so much of choosing evenly: a pure plan says nothing of where it never comes."""

_NEARLY_PURE = 8
"""The exponent that turns weights drawn at random into weights of which one is much the largest."""


def starting_points(
    match: IndependentMatch, correlated: Strategy, rng: np.random.Generator
) -> Iterator[Floats]:
    """Yield points without end.

    First what members do on average in a correlated strategy, choosing evenly, and the correlated strategy's
    likeliest plans; then, in turn, points inside and nearly pure ones, drawn at random.

    Parameters
    ----------
    match
        The team and its opponents.
    correlated
        A good strategy of the team if its members could draw together.
    rng
        Draws the random points.
    """
    yield match.point(correlated.behavior())
    yield match.realize(match.uniform)
    mixture = correlated.plans(most=_PLANS)
    for plan in mixture.plans:
        told = np.flatnonzero(plan != UNREACHED)
        table = np.eye(int(match.tree.infoset_n_actions.max(initial=1)))[plan[told]]
        point = match.point(Behavior(mixture.infosets[told], table))
        yield match.realize((1 - _EVENLY) * match.odds(point) + _EVENLY * match.uniform)
    while True:
        yield match.realize(match.odds(rng.exponential(size=len(match.uniform))))
        yield match.realize(match.odds(rng.exponential(size=len(match.uniform)) ** _NEARLY_PURE))
