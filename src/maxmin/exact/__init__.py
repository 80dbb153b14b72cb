"""Exact answers over the rationals: values and strategies as fractions, proved in exact arithmetic.

`solve_exact` solves a game; `rational_lp` is the solver below it, for any linear program over the rationals.
"""

from maxmin.exact.rationalize import check_exact, rationalize
from maxmin.exact.solution import ExactSolution, solve_exact

__all__ = ["ExactSolution", "check_exact", "rationalize", "solve_exact"]
