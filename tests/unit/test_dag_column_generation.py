"""DAG-based column generation: restricted belief DAGs, whichever way a side is there, and what they end at."""

import numpy as np
import pytest
from reference.belief_dag import dag_masks
from reference.brute_force import plan_masks, team_value
from reference.random_games import random_game

from maxmin import _core
from maxmin.decision import build_problem
from maxmin.errors import NotTimeableError, SizeError
from maxmin.members import complete, members_of
from maxmin.plans import UNREACHED, PlanMixture
from maxmin.side_view import view_side
from maxmin.solve import growing_match as growing_match_module
from maxmin.solve import load_solution, solve
from maxmin.solve.growing_match import make_growing_match
from maxmin.solve.growing_sides import PlannedSide, SelectedSide, WholeSide
from maxmin.sources import load_tree
from maxmin.strategy import Strategy
from maxmin.verify import verify

METHOD = "dag_column_generation"
KINDS = {"selected": SelectedSide, "planned": PlannedSide, "whole": WholeSide}


@pytest.fixture(params=["selected", "planned"])
def kind(request, monkeypatch):
    """Restrict both sides, whatever their size; what stands for them."""
    monkeypatch.setattr(growing_match_module, "WHOLE", -1)
    if request.param == "planned":
        monkeypatch.setattr(growing_match_module, "MANY_PRESCRIPTIONS", 0)
        monkeypatch.setattr(growing_match_module, "_MANY_OF_FEW", 0)
    return KINDS[request.param]


def masks_of(tree, problem):
    """Return what the pure plans on a problem reach, as bit masks of leaves."""
    mask = [0] * problem.n_leaf_classes
    for leaf, number in enumerate(problem.leaf_class.tolist()):
        mask[number] |= 1 << leaf

    def prescriptions(belief):
        rows = range(problem.belief_start[belief], problem.belief_start[belief + 1])
        return [problem.children[problem.child_start[p] : problem.child_start[p + 1]].tolist() for p in rows]

    def terminal(vertex):
        return mask[vertex - problem.n_beliefs] if vertex >= problem.n_beliefs else None

    return dag_masks(prescriptions, terminal)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("memory", ["perfect", "forgets"])
def test_it_ends_at_the_value(kind, seed, memory):
    tree = random_game(seed, size=14, memory=memory)
    solution = solve(tree, team=(1, 2), method=METHOD, gap=1e-7)
    value = team_value(tree, (1, 2))
    assert solution.stopped_by in ("gap", "optimal")
    assert solution.lower - 1e-6 <= value <= solution.upper + 1e-6
    assert solution.relative_gap <= 1e-6
    assert verify(solution).ok


@pytest.mark.parametrize("seed", range(6))
def test_a_restricted_dag_plays_only_what_a_team_can_play(kind, seed):
    tree = random_game(seed, size=16)
    match = make_growing_match(tree, (1, 2))
    for side in match.sides:
        assert isinstance(side, kind) or not len(side.problem.belief_decisions)  # a side that never acts
    rng = np.random.default_rng(seed)
    for side in match.sides:
        everything = plan_masks(tree, side.side)
        before = set()
        for _ in range(4):
            side.answer(rng.normal(size=side.n_leaf_classes), 0.0, None)
            now = masks_of(tree, side.problem)
            assert before <= now <= everything
            before = now


@pytest.mark.parametrize("seed", range(6))
def test_a_side_that_grew_gets_what_its_best_response_gets(kind, seed):
    """After an answer the restricted game has a plan that is worth the bound, if the bound is tight."""
    tree = random_game(seed, size=16, memory="forgets")
    match = make_growing_match(tree, (1, 2))
    whole = [build_problem(tree, side.side) for side in match.sides]
    rng = np.random.default_rng(seed)
    for side, problem in zip(match.sides, whole, strict=True):
        worth = rng.normal(size=side.n_leaf_classes)
        best = problem.best_response(worth)[0]
        for _ in range(3):  # local search may need more than one answer
            assert side.answer(worth, 0.0, None) >= best - 1e-6
        assert side.problem.best_response(worth)[0] == pytest.approx(best, abs=1e-6)


def test_prescriptions_keep_their_numbers(kind):
    match = make_growing_match(load_tree("3K4"), (1, 2))
    side, rng = match.team, np.random.default_rng(1)
    before: dict[int, bytes] = {}
    for _ in range(3):
        side.answer(rng.normal(size=side.n_leaf_classes), 0.0, None)
        assert len(side.number) == side.problem.n_prescriptions
        assert side.number.max() < side.n_numbers
        after = {n: moves(side.problem, p) for p, n in enumerate(side.number.tolist()) if n >= 0}
        assert before.items() <= after.items()
        before = after


def moves(problem, prescription):
    belief = np.searchsorted(problem.belief_start, [prescription], side="right") - 1
    found = problem.choices_of(np.array([prescription]), belief)
    return sorted((int(decision[0]), int(option[0])) for _, decision, option in found)


def test_a_plan_is_completed_where_it_does_not_come_to():
    tree = load_tree("3K3")
    members = members_of(tree, (1, 2))
    rng = np.random.default_rng(0)
    worth = rng.normal(size=members.n_leaf_classes)
    plans = np.full((2, len(members.agents.infosets)), UNREACHED, dtype=np.int16)
    plans[1] = 1
    completed = complete(members, worth, plans)
    assert (completed >= 0).all()
    assert (completed < 2).all()
    assert (completed[1] == 1).all()


def test_a_plan_alone_is_a_dag_that_plays_it():
    tree = load_tree("3L122")  # decisions among three actions are chains
    members = members_of(tree, (1, 2))
    side = PlannedSide(view_side(tree, (1, 2)), members, memory=1 << 30)
    problem = side.problem
    assert problem.n_prescriptions == problem.n_beliefs
    strategy = Strategy.from_problem(tree, problem, np.ones(problem.n_prescriptions))
    plans = strategy.plans()
    assert len(plans.weights) == 1
    reach = PlanMixture(members.agents.infosets, plans.plans, np.ones(1)).leaf_reach(tree, players=(1, 2))
    assert reach == pytest.approx(strategy.leaf_reach(), abs=1e-12)


def test_saved_verified_and_listed(kind, tmp_path):
    solution = solve("3K4", team=(1, 2), method=METHOD, gap=1e-5)
    assert (solution.method, solution.converged) == (METHOD, True)
    assert solution.lower <= -1 / 24 <= solution.upper
    solution.save(tmp_path / "answer.npz")
    assert verify(tmp_path / "answer.npz").ok
    again = load_solution(tmp_path / "answer.npz")
    mixture = again.strategy.plans()
    assert mixture.leaf_reach(again.tree) == pytest.approx(solution.strategy.leaf_reach(), abs=1e-8)
    assert ("plans" in solution.sizes["team"]) == (kind is PlannedSide)


def test_bounds_are_honest_from_the_first_round(kind):
    for rounds in (1, 2, 3):
        solution = solve("3K4", team=(1, 2), method=METHOD, iterations=rounds)
        assert (solution.stopped_by, solution.iterations) == ("iterations", rounds)
        assert solution.lower - 1e-9 <= -1 / 24 <= solution.upper + 1e-9
        assert verify(solution).ok


def test_two_runs_give_the_same_bytes(kind):
    first, second = (solve("3L122", team=(1, 2), method=METHOD, gap=1e-3) for _ in range(2))
    assert (first.lower, first.upper, first.iterations) == (second.lower, second.upper, second.iterations)
    for name, array in first.strategy.to_arrays().items():
        assert array.tobytes() == second.strategy.to_arrays()[name].tobytes()


def test_few_prescriptions_are_enough():
    """Of 3K8's million prescriptions; the value is the one that the whole belief DAG gives."""
    solution = solve("3K8", team=(1, 2), method=METHOD, gap=1e-3)
    assert solution.converged
    assert solution.sizes["team"]["prescriptions"] < 2000
    assert solution.lower <= -0.01928 <= solution.upper


def test_two_teams_of_two(kind):
    solution = solve("4K5", team=(1, 2), method=METHOD, gap=1e-3)
    assert solution.converged
    assert solution.value == pytest.approx(-0.037, abs=5e-3)


def test_memory_for_no_plan_is_refused_in_words():
    with pytest.raises(SizeError, match=r"of 1,2 in kuhn.* limit of 0.03 MB: over [0-9]+ beliefs.* Raise"):
        solve("3K8", team=(1, 2), method=METHOD, memory=30_000)


def test_where_memory_ends_the_best_so_far_is_returned():
    solution = solve("3K8", team=(1, 2), method=METHOD, gap=0, memory=110_000)
    assert (solution.stopped_by, solution.converged) == ("memory", False)
    assert solution.lower <= -0.01928 <= solution.upper
    assert solution.iterations == solution.trace[-1][1]


def test_a_merged_side_says_what_its_decisions_are():
    tree = load_tree("3L122")
    merged = view_side(tree, (1, 2)).merge(reduce_branching=True)
    infoset, stage, options = _core.decisions_of(merged)
    problem = build_problem(tree, (1, 2))
    assert (infoset == problem.decision_infoset).all()
    assert (stage == problem.decision_stage).all()
    assert (options == problem.decision_options).all()


def test_a_side_that_cannot_be_timed_is_refused():
    with pytest.raises(NotTimeableError):
        solve("tests/cases/R01_absent_minded_driver.efg", method=METHOD)
