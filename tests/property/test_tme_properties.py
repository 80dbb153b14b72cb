"""Independent members on random games: bounds hold, boxes are covered, names and units do not matter."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from reference.brute_force import TooManyPlansError, gains, others, plan_masks, rows, team_value
from reference.random_games import games, rename, scale, shift

from maxmin import properties

pytest.importorskip("maxmin._core", reason="the native core is not built")
from maxmin.plans import Behavior
from maxmin.tme import solve_tme
from maxmin.tme.ascent import Ascent
from maxmin.tme.linearization import Linearization
from maxmin.tme.match import make_independent_match
from maxmin.tme.products import products_of
from maxmin.tme.relaxation import Relaxation

RECIPES = {
    "perfect recall": {},
    "forgets": {"memory": "forgets"},
    "shared": {"shared": (1, 2)},
    "four players": {"players": 4},
    "not of constant sum": {"total": None},
}
TEAM = (1, 2)
MANY = 300

seeds = st.integers(0, 2**32)


def always(_: float) -> bool:
    return True


@st.composite
def some_games(draw, most: int = 18):
    """Draw games small enough for brute force on both sides of `TEAM`."""
    tree = draw(games(most=most, **RECIPES[draw(st.sampled_from(list(RECIPES)))]))
    for side in (TEAM, others(tree, TEAM)):
        assume(properties.timeable(tree, side))
        try:
            assume(len(plan_masks(tree, side)) <= MANY)
        except TooManyPlansError:
            assume(False)
    return tree


def random_behavior(tree, rng) -> Behavior:
    infosets = np.flatnonzero(np.isin(tree.infoset_player, TEAM))
    table = rng.exponential(size=(len(infosets), int(tree.infoset_n_actions.max(initial=1)))) ** 3
    table *= np.arange(table.shape[1]) < tree.infoset_n_actions[infosets][:, None]
    return Behavior(infosets, table / table.sum(axis=1, keepdims=True))


def guarantee(tree, behavior) -> float:
    """Return what members get who play this, by trying all plans of everybody else."""
    worth = gains(tree, TEAM) * behavior.leaf_reach(tree, players=TEAM)
    return float((rows(plan_masks(tree, others(tree, TEAM)), tree.n_leaves) @ worth).min())


@settings(max_examples=25)
@given(tree=some_games(), seed=seeds)
def test_bounds_hold(tree, seed):
    solution = solve_tme(tree, team=TEAM, gap=0.01, starts=3, nodes=30)
    assert solution.lower <= solution.upper
    assert solution.lower == pytest.approx(guarantee(tree, solution.strategy), abs=1e-9)
    assert solution.upper <= solution.correlated.upper
    assert solution.lower <= team_value(tree, TEAM) + 1e-9
    rng = np.random.default_rng(seed)
    assert max(guarantee(tree, random_behavior(tree, rng)) for _ in range(10)) <= solution.upper + 1e-9


@given(tree=some_games(), seed=seeds)
def test_points_are_behavior_strategies(tree, seed):
    match, behavior = make_independent_match(tree, TEAM), random_behavior(tree, np.random.default_rng(seed))
    point = match.point(behavior)
    assert match.scale.to_payoff(match.guarantee(point)) == pytest.approx(guarantee(tree, behavior), abs=1e-9)
    reach = behavior.leaf_reach(tree, players=TEAM)
    assert match.reach(point)[match.members.leaf_class] == pytest.approx(reach, abs=1e-12)
    assert guarantee(tree, match.behavior(point)) == pytest.approx(guarantee(tree, behavior), abs=1e-9)


@settings(max_examples=25)
@given(tree=some_games(), seed=seeds)
def test_relaxations_contain_every_point_of_their_boxes(tree, seed):
    match, rng = make_independent_match(tree, TEAM), np.random.default_rng(seed)
    products = products_of(match, most=2000)
    assume(products is not None)
    relaxation = Relaxation(match, products)
    before = relaxation.solve({}, None, always)
    assert match.scale.to_payoff(before.bound) >= team_value(tree, TEAM) - 1e-7
    odds = match.odds(rng.exponential(size=len(match.uniform)) ** 2)
    worth, boxes = match.guarantee(match.realize(odds)), {}
    for sequence in rng.permutation(np.flatnonzero(match.splits))[:8].tolist():
        boxes[sequence] = (odds[sequence] * rng.random(), 1 - (1 - odds[sequence]) * rng.random())
        found = relaxation.solve(boxes, before.basis, always)
        assert worth - 1e-9 <= found.bound <= before.bound + 1e-7
        before = found
    at = {sequence: (odds[sequence],) * 2 for sequence in np.flatnonzero(match.splits).tolist()}
    assert relaxation.solve(at, None, always).bound == pytest.approx(worth, abs=1e-7)


@given(tree=some_games(), seed=seeds)
def test_steps_keep_their_promises(tree, seed):
    match, rng = make_independent_match(tree, TEAM), np.random.default_rng(seed)
    assume(match.agents)
    point = match.realize(match.odds(rng.exponential(size=len(match.uniform))))
    start, stop = match.offsets[:2]
    lower, upper = point.copy(), point.copy()
    lower[start:stop], upper[start:stop] = 0.0, 1.0
    promised, step = Linearization(match).best_step(point, lower, upper, always)
    found = Ascent(match).look_at(step)
    assert found.guarantee == pytest.approx(promised, abs=1e-6)  # only one agent moves: nothing is left out
    assert found.guarantee >= match.guarantee(point) - 1e-6
    climbed = Ascent(match).climb(point, always, in_turn_first=False)
    assert climbed.guarantee >= match.guarantee(point)


@settings(max_examples=10)
@given(tree=some_games(most=12), seed=seeds)
def test_names_and_units_do_not_matter(tree, seed):
    def bounds(tree, factor=1.0, amount=0.0):
        solution = solve_tme(tree, team=TEAM, gap=0.02, starts=6)
        assume(solution.converged)
        return (solution.lower - amount) / factor, (solution.upper - amount) / factor

    pairs = [
        bounds(tree),
        bounds(rename(tree, seed)),
        bounds(scale(tree, Fraction(7, 3)), factor=7 / 3),
        bounds(shift(tree, 2, Fraction(5)), amount=5.0),
    ]
    assert max(lower for lower, _ in pairs) <= min(upper for _, upper in pairs) + 1e-7
