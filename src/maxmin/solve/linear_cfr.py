"""Linear CFR: iteration t counts t times, in regrets and in averages.

Brown, Sandholm: Solving imperfect-information games via discounted regret minimization (AAAI 2019), section 3.
"""

from maxmin.solve.minimizer import Minimizer, discount, power

LINEAR_CFR = Minimizer(
    name="linear_cfr",
    source="Brown and Sandholm 2019",
    floor=False,
    weight=power(1),
    positive=discount(1),
    negative=discount(1),
)
