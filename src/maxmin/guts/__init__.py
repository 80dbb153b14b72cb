"""Guts poker: what one player can guarantee against a coalition, in one round and in the whole game."""

from maxmin.guts.coalition import make_grid, solve_guts
from maxmin.guts.payoffs import round_payoffs, win_probabilities
from maxmin.guts.result import GutsSolution, GutsValue

__all__ = ["GutsSolution", "GutsValue", "make_grid", "round_payoffs", "solve_guts", "win_probabilities"]
