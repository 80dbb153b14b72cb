"""Guts poker: what one player can guarantee against a coalition, in one round and in the whole game."""

from maxmin.guts.asynchronous import AsynchronousSolution, solve_asynchronous
from maxmin.guts.coalition import make_grid, solve_guts
from maxmin.guts.continuum import ContinuumSolution, solve_continuum
from maxmin.guts.limit import LimitSolution, solve_limit
from maxmin.guts.payoffs import round_payoffs, win_probabilities
from maxmin.guts.result import GutsSolution, GutsValue

__all__ = [
    "AsynchronousSolution",
    "ContinuumSolution",
    "GutsSolution",
    "GutsValue",
    "LimitSolution",
    "make_grid",
    "round_payoffs",
    "solve_asynchronous",
    "solve_continuum",
    "solve_guts",
    "solve_limit",
    "win_probabilities",
]
