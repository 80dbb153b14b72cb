"""Simple asymmetric PCFR+: as PCFR+, but the prediction counts a third (the paper's alpha = 2).

Meng, Yang, Zhang, Ge, Gao: Faster game solving via asymmetry of step sizes (arXiv 2503.12770).
"""

from maxmin.solve.minimizer import Minimizer, power

SAPCFR_PLUS = Minimizer(
    name="sapcfr+", source="Meng et al. 2025", floor=True, weight=power(2), prediction=1 / 3
)
