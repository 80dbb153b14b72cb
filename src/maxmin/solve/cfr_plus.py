"""CFR+: regrets are cut at zero, averages are weighted by t.

Tammelin: Solving large imperfect information games using CFR+ (arXiv 1407.5042). Without the paper's delay
before averaging starts.
"""

from maxmin.solve.minimizer import Minimizer, power

CFR_PLUS = Minimizer(name="cfr+", source="Tammelin 2014", floor=True, weight=power(1))
