"""Pruned regret minimization: the same values from fewer prescriptions, and what may not be combined with it."""

import numpy as np
import pytest
from reference.brute_force import team_value
from reference.random_games import random_game

from maxmin.errors import MaxminError
from maxmin.match import make_match
from maxmin.solve import MINIMIZERS, solve
from maxmin.solve.pruned_regret import _FIRST, PrunedRun
from maxmin.sources import load_tree
from maxmin.verify import verify


@pytest.mark.parametrize("method", ["dcfr+", "pcfr+", "dcfr", "cfr"])
@pytest.mark.parametrize("seed", range(6))
def test_it_ends_at_the_value(method, seed):
    tree = random_game(seed, size=16, memory="forgets")
    gap = 1e-2 if method == "cfr" else 1e-3
    solution = solve(tree, team=(1, 2), method=method, gap=gap, pruning=True, iterations=20_000)
    value = team_value(tree, (1, 2))
    assert solution.converged
    assert solution.lower - 1e-9 <= value <= solution.upper + 1e-9


def test_bounds_are_best_responses_to_the_averages_at_any_time():
    tree = load_tree("3K4")
    match = make_match(tree, (1, 2))
    run = PrunedRun(match, MINIMIZERS["dcfr+"])
    while run.iterations < 200:
        run.advance_to_check()
        bounds = run.bounds()
        reaches = []
        for problem, average in zip(match.sides, run.averages(), strict=True):
            sums = np.add.reduceat(average, problem.belief_start[:-1])
            assert sums == pytest.approx(np.ones(problem.n_beliefs))
            reaches.append(problem.realize(average)[problem.n_beliefs :])
        again = match.bounds(*reaches)
        assert [bounds.lower, bounds.upper] == pytest.approx([again.lower, again.upper], abs=1e-9)
        assert bounds.lower <= -1 / 24 <= bounds.upper


def test_much_is_left_out_and_what_gains_comes_back():
    match = make_match(load_tree("3K6"), (1, 2))
    run = PrunedRun(match, MINIMIZERS["dcfr+"])
    sizes = []
    while run.iterations < 40 * _FIRST:
        run.advance_to_check()
        run.bounds()
        sizes.append(len(run.sides[0].regrets))
    assert sizes[0] == match.team.n_prescriptions
    assert min(sizes) < match.team.n_prescriptions / 10
    assert (np.diff(sizes) > 0).any()
    assert run.bounds().gap < 1e-3


def test_before_anything_is_left_out_it_is_the_plain_run():
    options = {"team": (1, 2), "method": "pcfr+", "iterations": _FIRST - 1, "gap": 0}
    plain, pruned = (solve("3K4", pruning=pruning, **options) for pruning in (False, True))
    assert (plain.lower, plain.upper) == (pruned.lower, pruned.upper)


def test_saved_and_verified(tmp_path):
    solution = solve("3L122", team=(1, 2), pruning=True, gap=1e-3)
    assert (solution.method, solution.converged) == ("steep_sapcfr+", True)
    solution.save(tmp_path / "answer.npz")
    assert verify(tmp_path / "answer.npz").ok


def test_two_runs_give_the_same_bytes():
    first, second = (solve("3K4", team=(1, 2), pruning=True, iterations=300, gap=0) for _ in range(2))
    assert (first.lower, first.upper) == (second.lower, second.upper)
    for name, array in first.strategy.to_arrays().items():
        assert array.tobytes() == second.strategy.to_arrays()[name].tobytes()


def test_only_regret_minimizers_prune():
    with pytest.raises(MaxminError, match="lp has nothing to prune"):
        solve("3K3", method="lp", pruning=True)


def test_a_pruned_run_keeps_no_state(tmp_path):
    with pytest.raises(MaxminError, match="pruning keeps no state"):
        solve("3K3", pruning=True, checkpoint=tmp_path / "state.npz")
    assert not list(tmp_path.iterdir())
