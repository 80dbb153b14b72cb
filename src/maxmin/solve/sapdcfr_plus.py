"""Simple asymmetric PDCFR+: as PDCFR+, but the prediction counts a third, as in SAPCFR+.

Meng, Yang, Zhang, Ge, Gao: Faster game solving via asymmetry of step sizes (arXiv 2503.12770), who say that the
asymmetry helps discounted algorithms too; with their fixed alpha = 2 in place of the one that adapts.
"""

from maxmin.solve.minimizer import Minimizer, discount, next_discount, power

SAPDCFR_PLUS = Minimizer(
    name="sapdcfr+",
    source="Meng et al. 2025",
    floor=True,
    weight=power(5),
    prediction=1 / 3,
    positive=discount(2.3),
    predicted=next_discount(2.3),
)
