"""External and outcome sampling: right in the mean, convergent, the same bytes for the same seed, however cut."""

import signal
import threading
from pathlib import Path

import numpy as np
import pytest
from reference.random_games import random_game

from maxmin import _core, verify
from maxmin.errors import GameError, MaxminError, SizeError
from maxmin.formats.efg import parse_efg
from maxmin.match import Match, make_match
from maxmin.solve import Solution, load_solution, solve
from maxmin.solve.methods import SAMPLERS
from maxmin.solve.sampling import SamplingRun
from maxmin.sources import load_tree

METHODS = tuple(SAMPLERS)


def run(path: Path | None = None, method: str = "external_sampling", **options) -> Solution:
    settings = {"team": (1, 2), "gap": 0, "iterations": 300, **options}
    return solve("3L122", method=method, checkpoint=path, **settings)


def check_same(ours: Solution, theirs: Solution) -> None:
    assert (ours.iterations, ours.lower, ours.upper) == (theirs.iterations, theirs.lower, theirs.upper)
    for side in ("strategy", "opponent"):
        for name, array in getattr(ours, side).to_arrays().items():
            assert getattr(theirs, side).to_arrays()[name].tobytes() == array.tobytes(), name


# --- in the mean


def regrets_of_a_full_traversal(match: Match, run: SamplingRun) -> np.ndarray:
    """What the team's prescriptions are worth beyond its beliefs, both sides playing what `run` has come to."""
    arrays = run.to_arrays()
    strategies = [
        problem.distribution(np.maximum(arrays[f"{name}_regrets"], 0))
        for name, problem in (("team", match.team), ("others", match.others))
    ]
    reach = np.empty(match.others.n_beliefs + match.others.n_leaf_classes)
    _core.realize(match.others.core, strategies[1], reach)
    problem = match.team
    values = np.zeros(problem.n_beliefs + problem.n_leaf_classes)
    _core.multiply(
        match.payoffs.core, reach[match.others.n_beliefs :].copy(), 1.0, values[problem.n_beliefs :]
    )
    regrets = np.zeros(problem.n_prescriptions)
    for belief in reversed(range(problem.n_beliefs)):
        rows = range(problem.belief_start[belief], problem.belief_start[belief + 1])
        for p in rows:
            regrets[p] = values[problem.children[problem.child_start[p] : problem.child_start[p + 1]]].sum()
        values[belief] = regrets[rows] @ strategies[0][rows]
        regrets[rows] -= values[belief]
    return regrets


def ways_to_prescriptions(match: Match) -> np.ndarray:
    problem = match.team
    ways = np.zeros(problem.n_beliefs + problem.n_leaf_classes)
    ways[0] = 1
    for belief in range(problem.n_beliefs):
        first, last = problem.child_start[problem.belief_start[[belief, belief + 1]]]
        np.add.at(ways, problem.children[first:last], ways[belief])
    return np.repeat(ways[: problem.n_beliefs], np.diff(problem.belief_start))


@pytest.mark.parametrize("method", METHODS)
def test_the_mean_of_samples_is_the_full_traversal(method):
    """Exactly so on small games: cpp/test/test_sampling.cpp goes through all samples."""
    match = make_match(load_tree("3L122"), (1, 2))
    start = SamplingRun(match, SAMPLERS[method], seed=5)
    start.advance(30)
    state = start.to_arrays()
    expected = (start.iterations + 1) * regrets_of_a_full_traversal(match, start)
    if method == "outcome_sampling":
        expected *= ways_to_prescriptions(match)
    sampled = SamplingRun(match, SAMPLERS[method])
    total, squares, times = (np.zeros_like(expected) for _ in range(3))
    n = 4000
    for seed in range(n):
        sampled.restore({**state, "random_state": np.array(np.uint64(seed))})
        sampled.advance(1)
        seen = sampled.to_arrays()["team_regrets"] - state["team_regrets"]
        total += seen
        squares += seen**2
        times += seen != 0
    mean = total / n
    often = times > 200  # elsewhere the mean is not yet normally distributed
    assert often.sum() > 150
    mean, expected = mean[often], expected[often]
    variance = (squares[often] / n - mean**2) / n
    z = (mean - expected) / np.sqrt(variance)
    assert (mean @ (expected / variance)) / (expected @ (expected / variance)) == pytest.approx(1, abs=0.03)
    assert (np.abs(z) < 4).mean() > 0.98


# --- convergence


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("game", "team", "options"),
    [
        ("kuhn_poker", (1,), {}),
        ("3K4", (1, 2), {}),
        ("3K4", (2,), {"observations": "public"}),
        ("3L122", (1, 3), {"inflate": True}),
        (random_game(11, size=30, memory="forgets"), (1, 2), {}),
        (random_game(12, size=30, players=2, memory="forgets"), (1,), {}),
        (random_game(5, size=40, shared=(1, 2)), (1, 3), {"reduce_branching": False}),
    ],
)
def test_bounds_close_in_on_the_value(game, team, options, method):
    value = solve(game, team=team, method="lp").value
    solution = solve(game, team=team, method=method, gap=0.02, iterations=200_000, **options)
    assert solution.stopped_by == "gap"
    assert solution.lower - 1e-9 <= value <= solution.upper + 1e-9
    assert (solution.method, solution.seed) == (method, 0)


@pytest.mark.parametrize("method", METHODS)
def test_the_answer_is_verified_saved_and_read(method, tmp_path):
    solution = run(method=method, seed=2**64 - 1)
    solution.save(tmp_path / "answer.npz")
    again = load_solution(tmp_path / "answer.npz")
    check_same(again, solution)
    assert again.seed == 2**64 - 1
    assert verify(tmp_path / "answer.npz").ok


# --- seeds


@pytest.mark.parametrize("method", METHODS)
def test_the_same_seed_gives_the_same_bytes(method):
    check_same(run(method=method, seed=3), run(method=method, seed=3))
    assert run(method=method, seed=4).lower != run(method=method, seed=3).lower
    check_same(run(method=method), run(method=method, seed=0))


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, True, "1", float("nan")])
def test_what_is_no_seed_is_refused(seed):
    with pytest.raises(GameError, match="seed must be a whole number"):
        run(seed=seed)


@pytest.mark.parametrize("method", ["auto", "dcfr+", "lp", "column_generation", "exact"])
def test_methods_that_draw_nothing_take_no_seed(method):
    with pytest.raises(MaxminError, match="draws nothing"):
        run(method=method, seed=1)
    assert run(method="dcfr+").seed is None


# --- stopping and going on


@pytest.mark.parametrize("method", METHODS)
def test_a_run_that_is_cut_goes_on_with_the_same_bytes(method, tmp_path):
    path = tmp_path / "state.npz"
    for iterations in (1, 2, 37, 250):
        assert run(path, method, iterations=iterations).iterations == iterations
    cut, whole = run(path, method), run(None, method)
    check_same(cut, whole)
    bounds = {row[1]: row[2:] for row in cut.trace}
    assert all(bounds[row[1]] == row[2:] for row in whole.trace)


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"seed": 1}, "seed 0, this run has 1"),
        ({"method": "outcome_sampling"}, "method 'external_sampling', this run has 'outcome_sampling'"),
        ({"method": "dcfr+"}, "method 'external_sampling', this run has"),
    ],
)
def test_the_state_of_another_run_is_refused(options, what, tmp_path):
    path = tmp_path / "state.npz"
    run(path)
    before = path.read_bytes()
    with pytest.raises(MaxminError, match=what):
        run(path, **options)
    assert path.read_bytes() == before


def test_the_core_asks_whether_to_go_on():
    match = make_match(load_tree("3L133"), (1, 2))
    for method in METHODS:
        asked = []
        sampling = SamplingRun(match, SAMPLERS[method])
        done = sampling.advance(10**9, lambda work, asked=asked: bool(asked.append(work)))
        assert 0 < done == asked[0]


def test_limits_and_ctrl_c_return_the_best_so_far():
    assert run(iterations=None, seconds=0.1).stopped_by == "seconds"
    threading.Timer(0.2, signal.raise_signal, [signal.SIGINT]).start()
    solution = run(iterations=None, seconds=30)
    assert solution.stopped_by == "interrupt"
    assert solution.lower < solution.upper


def chain(depth: int) -> str:
    """Return a game in which player 1 stops, or goes on, at one decision after another."""
    moves = (
        f'p "" 1 {i} "" {{ "off" "on" }} 0\nt "" {i} "" {{ {i % 3}, {-(i % 3)} }}\n' for i in range(1, depth)
    )
    return f'EFG 2 R "chain" {{ "one" "two" }}\n""\n{"".join(moves)}t "" {depth} "" {{ 1, -1 }}\n'


def test_decisions_without_end_do_not_overflow_the_stack():
    solution = solve(parse_efg(chain(2000)), method="outcome_sampling", iterations=1)
    assert solution.lower <= 2 <= solution.upper
    with pytest.raises(SizeError, match="decisions in a row: take another method"):
        solve(parse_efg(chain(12_000)), method="outcome_sampling", iterations=1)
