"""Predictive DCFR+: DCFR+ with alpha = 2.3 that expects the last observed regrets once more; weights t^5.

Xu, Li, Liu, Fu, Fu, Xing, Cheng: Minimizing weighted counterfactual regret with optimistic online mirror descent
(IJCAI 2024, arXiv 2404.13891), section 5.
"""

from maxmin.solve.minimizer import Minimizer, discount, next_discount, power

PDCFR_PLUS = Minimizer(
    name="pdcfr+",
    source="Xu et al. 2024",
    floor=True,
    weight=power(5),
    prediction=1.0,
    positive=discount(2.3),
    predicted=next_discount(2.3),
)
