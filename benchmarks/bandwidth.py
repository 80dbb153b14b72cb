"""How much memory an iteration touches, against what copying as much memory takes on this machine.

The count is of `iterate` in ``cpp/src/regret.cpp``: every array once for each pass that reads or writes it, as if
nothing were skipped. A share above 1 means that much was.
"""

import time

import numpy as np

from maxmin.decision import DecisionProblem, Payoffs
from maxmin.match import Match

_FLOAT = 8
_LEAST_SECONDS = 0.3


def iteration_bytes(match: Match) -> int:
    """Return the bytes that one iteration reads and writes, both sides together."""
    sides = sum(_pass_bytes(problem) for problem in (match.team, match.others))
    return sides + _product_bytes(match.payoffs) + _product_bytes(match.transposed)


def working_set(match: Match) -> int:
    """Return the bytes of all arrays that iterations work on."""
    problems = (match.team, match.others)
    indices = sum(_index_bytes(problem) for problem in problems)
    numbers = sum(3 * p.n_prescriptions + 2 * _n_values(p) + p.n_leaf_classes for p in problems)
    payoffs = sum(_matrix_bytes(matrix) for matrix in (match.payoffs, match.transposed))
    return indices + _FLOAT * numbers + payoffs


def copy_rate(n_bytes: int) -> float:
    """Return the bytes per CPU second, read and written, of copying half of `n_bytes` to the other half."""
    source = np.ones(max(n_bytes // 2 // _FLOAT, 1000))
    target = np.zeros_like(source)
    fastest, end = np.inf, time.process_time() + _LEAST_SECONDS
    while time.process_time() < end:
        start = time.process_time()
        np.copyto(target, source)
        fastest = min(fastest, time.process_time() - start)
    return float(2 * source.nbytes / fastest)


def _pass_bytes(problem: DecisionProblem) -> int:
    beliefs, prescriptions, leaves = problem.n_beliefs, problem.n_prescriptions, problem.n_leaf_classes
    values = _n_values(problem)
    backward = values + beliefs + 4 * prescriptions  # values; regrets and strategy, read and written
    forward = 3 * values + 3 * prescriptions + 3 * leaves  # reach; strategy, flow_sum; leaf_sum and its reach
    return 2 * _index_bytes(problem) + _FLOAT * (backward + forward)


def _product_bytes(matrix: Payoffs) -> int:
    vectors = len(matrix.start) - 1 + (int(matrix.column.max(initial=-1)) + 1)
    return _matrix_bytes(matrix) + _FLOAT * vectors


def _matrix_bytes(matrix: Payoffs) -> int:
    return matrix.start.nbytes + matrix.column.nbytes + matrix.value.nbytes


def _index_bytes(problem: DecisionProblem) -> int:
    return problem.belief_start.nbytes + problem.child_start.nbytes + problem.children.nbytes


def _n_values(problem: DecisionProblem) -> int:
    return problem.n_beliefs + problem.n_leaf_classes
