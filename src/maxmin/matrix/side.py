"""`Side`: a mixture of one player's plans, and the bound that it proves."""

from dataclasses import dataclass, field

import numpy as np

from maxmin.matrix.oracle import Floats, Plan


@dataclass(frozen=True, eq=False)
class Side:
    """A mixture, and what the row player gets when the other side responds best to it.

    Attributes
    ----------
    bound : float
        The lower bound that a mixture of rows proves, or the upper bound that one of columns proves.
    plans : tuple of Plan
    weights : (n_plans,) float64
        Positive, with sum 1.
    """

    bound: float
    plans: tuple[Plan, ...] = ()
    weights: Floats = field(default_factory=lambda: np.zeros(0))


def side_of(strategy: Floats, bound: float) -> Side:
    """Return the plans that a strategy over all rows, or all columns, plays."""
    played = np.flatnonzero(strategy)
    return Side(float(bound), tuple(played.tolist()), strategy[played])
