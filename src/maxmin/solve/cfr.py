"""Counterfactual regret minimization: regret matching in every belief, uniform averaging.

Zinkevich, Johanson, Bowling, Piccione: Regret minimization in games with incomplete information (NIPS 2007).
Differs from the paper in that sides update in turn, unless simultaneous updates are asked for.
"""

from maxmin.solve.minimizer import Minimizer, ones

CFR = Minimizer(name="cfr", source="Zinkevich et al. 2007", floor=False, weight=ones)
