"""How much of a decision problem an iteration could pass over, because it is not reached."""

import numpy as np
from numpy.typing import NDArray
from rows import Row

from maxmin import _core
from maxmin.decision import DecisionProblem
from maxmin.match import Match, make_match
from maxmin.solve import MINIMIZERS
from maxmin.solve.regret import RegretRun
from maxmin.sources import load_tree
from maxmin.tree import Floats

Flags = NDArray[np.bool_]


def shares(*, game: str, team: list[int], method: str, iterations: list[int]) -> Row:
    """Count after so many iterations, in the strategies of the moment.

    For each side: the share of beliefs that its own strategy does not reach (the forward pass skips these), of
    prescriptions that it does not play, of beliefs below which the other side never comes (all utilities are
    zero), and of beliefs of which both hold.
    """
    match = make_match(load_tree(game), tuple(team))
    run = RegretRun(match, MINIMIZERS[method])
    counted = []
    for stop in iterations:
        run.advance(stop - run.iterations)
        counted.append({"iterations": stop, **_count(match, run)})
    return {"counted": counted}


def _count(match: Match, run: RegretRun) -> Row:
    state = run.to_arrays()
    team, others = state["team_reach"], state["others_reach"]
    return {
        "team": _count_side(match.team, team, state["team_strategy"], _dead(match, others, of_team=True)),
        "others": _count_side(
            match.others, others, state["others_strategy"], _dead(match, team, of_team=False)
        ),
    }


def _count_side(problem: DecisionProblem, reach: Floats, strategy: Floats, dead: Flags) -> dict[str, float]:
    unreached = reach[: problem.n_beliefs] == 0
    of_prescription = np.repeat(unreached, np.diff(problem.belief_start))
    return {
        "unreached_beliefs": float(unreached.mean()),
        "unplayed_prescriptions": float((of_prescription | (strategy == 0)).mean()),
        "dead_beliefs": float(dead.mean()),
        "both": float((unreached & dead).mean()),
    }


def _dead(match: Match, others_reach: Floats, *, of_team: bool) -> Flags:
    """Mark the beliefs of one side below which no leaf is reached by the other side."""
    problem, other = (match.team, match.others) if of_team else (match.others, match.team)
    matrix = match.payoffs if of_team else match.transposed
    values = np.empty(problem.n_beliefs + problem.n_leaf_classes)
    weight = _core.Payoffs(matrix.start, matrix.column, np.ones_like(matrix.value))
    _core.multiply(weight, others_reach[other.n_beliefs :], 1.0, values[problem.n_beliefs :])
    _core.best_response(problem.core, values, np.empty(problem.n_beliefs, dtype=np.int32))
    dead: Flags = values[: problem.n_beliefs] == 0
    return dead
