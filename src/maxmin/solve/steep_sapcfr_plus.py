"""SAPCFR+ with steep averages: iteration t counts t^10 instead of t^2.

Of no paper. Weights that rise faster forget early rounds sooner, as hyperparameter schedules do (arXiv 2404.09097,
with exponents of 30 down to 25), but need no number of iterations to plan with. On team games it is never far from
the fastest (`maxmin study team-minimizers`).
"""

from maxmin.solve.minimizer import Minimizer, power

STEEP_SAPCFR_PLUS = Minimizer(
    name="steep_sapcfr+", source="SAPCFR+ with other weights", floor=True, weight=power(10), prediction=1 / 3
)
