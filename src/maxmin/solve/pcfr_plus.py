"""Predictive CFR+: regret matching+ that expects the last observed regrets once more; quadratic averaging.

Farina, Kroer, Sandholm: Faster game solving via predictive Blackwell approachability (AAAI 2021). The paper's
averaging, t^2; Zhang, Farina, Sandholm (ICML 2023) use it on team belief DAGs.
"""

from maxmin.solve.minimizer import Minimizer, power

PCFR_PLUS = Minimizer(
    name="pcfr+", source="Farina, Kroer and Sandholm 2021", floor=True, weight=power(2), prediction=1.0
)
