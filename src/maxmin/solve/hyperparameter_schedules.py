"""Hyperparameter schedules for DCFR and PCFR+: discounts that change with the share of the run that is done.

Zhang, McAleer, Sandholm: Faster game solving via hyperparameter schedules (arXiv 2404.09097). With n iterations
planned: alpha = 1 + 3t/n, beta = -1 - 2t/n, gamma = 30 - 5t/n; after n iterations they stay as they are.
"""

import numpy as np

from maxmin.solve.minimizer import Minimizer, fraction, running_weight
from maxmin.tree import Floats


def _share(t: Floats, planned: int) -> Floats:
    return np.minimum(t / planned, 1.0)


def _positive(t: Floats, planned: int) -> Floats:
    return fraction(t - 1, 1 + 3 * _share(t - 1, planned))


def _negative(t: Floats, planned: int) -> Floats:
    return fraction(t - 1, -1 - 2 * _share(t - 1, planned))


_WEIGHT = running_weight(lambda t, planned: 30 - 5 * _share(t, planned))

HS_DCFR = Minimizer(
    name="hs_dcfr",
    source="Zhang, McAleer and Sandholm 2024",
    floor=False,
    weight=_WEIGHT,
    positive=_positive,
    negative=_negative,
    planned=True,
)

HS_PCFR_PLUS = Minimizer(
    name="hs_pcfr+",
    source="Zhang, McAleer and Sandholm 2024",
    floor=True,
    weight=_WEIGHT,
    prediction=1.0,
    planned=True,
)
