"""DCFR+: regrets are cut at zero and discounted, with alpha = 1.5; averages are weighted by t^4.

Xu, Li, Liu, Fu, Fu, Xing, Cheng: Minimizing weighted counterfactual regret with optimistic online mirror descent
(IJCAI 2024, arXiv 2404.13891), section 4.
"""

from maxmin.solve.minimizer import Minimizer, discount, power

DCFR_PLUS = Minimizer(
    name="dcfr+", source="Xu et al. 2024", floor=True, weight=power(4), positive=discount(1.5)
)
