"""Rows by OpenSpiel: its C++ CFR and CFR+, and its Python linear program."""

from typing import Any

import pyspiel
from clock import Clock, converge
from rows import Row

_SOLVERS = {"CFR": pyspiel.CFRSolver, "CFR+": pyspiel.CFRPlusSolver}


def regret(*, game: str, method: str, payoff_range: float, gaps: list[float], seconds: float) -> Row:
    """Time CFR or CFR+; the criterion is NashConv of the average policy over the payoff range."""
    clock = Clock()
    with clock:
        rules = pyspiel.load_game(game)
        solver = _SOLVERS[method](rules)
    build = clock.seconds()

    def relative_gap() -> float:
        return float(pyspiel.nash_conv(rules, solver.average_policy())) / payoff_range

    outcome = converge(solver.evaluate_and_update_policy, relative_gap, clock, gaps=gaps, seconds=seconds)
    return {"build": build, **outcome}


def linear_program(*, game: str) -> Row:
    """Time the sequence-form linear program by HiGHS, through CVXPY."""
    from open_spiel.python.algorithms import lp_solver, sequence_form_lp

    _without_options_of_ecos(lp_solver)
    rules = pyspiel.load_game(game)
    with Clock() as clock:
        value, *_ = sequence_form_lp.solve_zero_sum_game(rules, solver="HIGHS")
    return {"solve": clock.seconds(), "value": float(value)}


def _without_options_of_ecos(lp_solver: Any) -> None:
    """Empty the options that OpenSpiel gives to every solver: they are ECOS's, and HiGHS refuses them."""
    lp_solver.DEFAULT_SOLVER_KWARGS.clear()
