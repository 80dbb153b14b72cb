"""Discounted CFR with the paper's parameters alpha = 3/2, beta = 0, gamma = 2.

Brown, Sandholm: Solving imperfect-information games via discounted regret minimization (AAAI 2019), section 4.
"""

from maxmin.solve.minimizer import Minimizer, discount, power

DCFR = Minimizer(
    name="dcfr",
    source="Brown and Sandholm 2019",
    floor=False,
    weight=power(2),
    positive=discount(1.5),
    negative=discount(0),
)
