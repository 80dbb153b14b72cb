"""Guts poker: what one player can guarantee against a coalition, in one round and in the whole game."""

from maxmin.guts.asynchronous import AsynchronousSolution, solve_asynchronous
from maxmin.guts.card_coalition import CardSolution, solve_card_guts
from maxmin.guts.coalition import make_grid, solve_guts
from maxmin.guts.continuum import ContinuumSolution, solve_continuum
from maxmin.guts.limit import LimitSolution, solve_limit
from maxmin.guts.payoffs import round_payoffs, win_probabilities
from maxmin.guts.result import GutsSolution, GutsValue
from maxmin.guts.simulate import Simulation, card_dealer, simulate
from maxmin.guts.weenie import weenie_payoffs

__all__ = [
    "AsynchronousSolution",
    "CardSolution",
    "ContinuumSolution",
    "GutsSolution",
    "GutsValue",
    "LimitSolution",
    "Simulation",
    "card_dealer",
    "make_grid",
    "round_payoffs",
    "simulate",
    "solve_asynchronous",
    "solve_card_guts",
    "solve_continuum",
    "solve_guts",
    "solve_limit",
    "weenie_payoffs",
    "win_probabilities",
]
