"""`solve` on random games: bounds hold the brute-force value, strategies attain them, units do not matter."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from reference.brute_force import TooManyPlansError, gains, others, plan_masks, rows, team_value
from reference.random_games import games, informed, merge_team, rename, reseat, scale, shift

from maxmin import properties
from maxmin.tree import GameTree

pytest.importorskip("maxmin._core", reason="the native core is not built")
from maxmin.decision import OBSERVATIONS
from maxmin.solve import METHODS, Solution, load_solution, solve
from maxmin.verify import verify

RECIPES = {
    "perfect recall": {},
    "forgets": {"memory": "forgets"},
    "forgets, no clock": {"clock": False, "memory": "forgets"},
    "shared": {"shared": (1, 2)},
    "four players": {"players": 4},
}
TEAM = (1, 2)
MANY = 300
ROUNDING = 1e-9
"""Payoffs of random games are at most 12 or so; bounds are best responses, so they are good to rounding."""

seeds = st.integers(0, 2**32)


@st.composite
def some_games(draw, recipe: str = "", most: int = 18) -> GameTree:
    """Draw games, of one recipe or all, small enough for brute force on both sides of `TEAM`."""
    recipe = recipe or draw(st.sampled_from(list(RECIPES)))
    tree = draw(games(most=most, **RECIPES[recipe]))
    for side in (TEAM, others(tree, TEAM)):
        assume(properties.timeable(tree, side))
        try:
            assume(len(plan_masks(tree, side)) <= MANY)
        except TooManyPlansError:
            assume(False)
    return tree


def by_lp(tree: GameTree, team: tuple[int, ...] = TEAM, **options: bool) -> float:
    """Return the value to rounding, by linear program; checks that its bounds meet."""
    solution = solve(tree, team=team, method="lp", **options)
    assert solution.gap <= 1e-7 * max(1.0, abs(solution.value))
    return solution.value


def check_bounds(solution: Solution, value: float, units: float = 1.0) -> None:
    assert solution.lower <= solution.value <= solution.upper
    assert solution.gap == solution.upper - solution.lower
    assert solution.lower - ROUNDING * units <= value <= solution.upper + ROUNDING * units


@pytest.mark.parametrize("method", METHODS)
@given(data=st.data())
def test_bounds_hold_the_value(method, data):
    tree = data.draw(some_games())
    solution = solve(tree, team=TEAM, method=method, gap=1e-4, iterations=300)
    check_bounds(solution, team_value(tree, TEAM))
    least, most = properties.payoff_range(tree, TEAM)
    assert solution.relative_gap == pytest.approx(solution.gap / (most - least) if most > least else 0)
    assert solution.converged == (solution.relative_gap <= 1e-4)


@pytest.mark.parametrize("recipe", RECIPES)
@given(data=st.data())
def test_the_linear_program_finds_the_value(recipe, data):
    tree = data.draw(some_games(recipe))
    value = team_value(tree, TEAM)
    assert by_lp(tree) == pytest.approx(value, abs=1e-7)
    assert by_lp(tree, reduce_branching=False) == pytest.approx(value, abs=1e-7)


@given(tree=some_games(), method=st.sampled_from(["lp", "pcfr+", "cfr"]))
def test_bounds_are_best_responses_to_the_strategies(tree, method):
    """Recomputed from the tree and all joint pure plans: what is claimed is what the strategies guarantee."""
    solution = solve(tree, team=TEAM, method=method, iterations=50)
    gain = gains(tree, TEAM)
    theirs = rows(plan_masks(tree, others(tree, TEAM)), tree.n_leaves)
    ours = rows(plan_masks(tree, TEAM), tree.n_leaves)
    least = (theirs @ (gain * solution.strategy.leaf_reach())).min()
    most = (ours @ (gain * solution.opponent.leaf_reach())).max()
    assert solution.lower == pytest.approx(least, abs=ROUNDING)
    assert solution.upper == pytest.approx(most, abs=ROUNDING)


@given(tree=some_games(), method=st.sampled_from(["lp", "pcfr+"]))
def test_strategies_are_mixtures_of_joint_pure_plans(tree, method):
    solution = solve(tree, team=TEAM, method=method, iterations=50)
    for strategy in (solution.strategy, solution.opponent):
        mixture = strategy.plans()
        assert mixture.weights.sum() == pytest.approx(1)
        np.testing.assert_allclose(mixture.leaf_reach(tree), strategy.leaf_reach(), atol=1e-7)


@given(tree=some_games(), power=st.integers(-9, 9))
def test_bounds_hold_in_any_units(tree, power):
    factor = Fraction(10) ** power
    solution = solve(scale(tree, factor), team=TEAM, iterations=200)
    check_bounds(solution, float(factor) * team_value(tree, TEAM), units=float(factor))


@given(tree=some_games(), power=st.integers(-30, 30), method=st.sampled_from(METHODS))
def test_doubling_payoffs_changes_no_bit_of_a_strategy(tree, power, method):
    """Powers of two do not round, so that all must be the same but the units."""
    plain = solve(tree, team=TEAM, method=method, iterations=50)
    scaled = solve(scale(tree, Fraction(2) ** power), team=TEAM, method=method, iterations=50)
    np.testing.assert_array_equal(scaled.strategy.leaf_reach(), plain.strategy.leaf_reach())
    np.testing.assert_array_equal(scaled.opponent.leaf_reach(), plain.opponent.leaf_reach())
    assert (scaled.lower, scaled.upper) == (2.0**power * plain.lower, 2.0**power * plain.upper)
    assert scaled.iterations == plain.iterations


@given(tree=some_games(), player=st.integers(1, 3), amount=st.fractions(-100, 100, max_denominator=6))
def test_shifting_payoffs_shifts_the_value_of_the_team_that_gets_them(tree, player, amount):
    gain = float(amount) if player in TEAM else 0.0
    assert by_lp(shift(tree, player, amount)) == pytest.approx(by_lp(tree) + gain, abs=1e-6)


@given(tree=some_games(), seed=seeds)
def test_names_and_orders_do_not_matter(tree, seed):
    assert by_lp(rename(tree, seed)) == pytest.approx(by_lp(tree), abs=1e-7)


@given(tree=some_games(), data=st.data())
def test_seats_do_not_matter(tree, data):
    seats = data.draw(st.permutations(range(1, tree.n_players + 1)))
    seated = tuple(seats[player - 1] for player in TEAM)
    assert by_lp(reseat(tree, seats), seated) == pytest.approx(by_lp(tree), abs=1e-7)


@given(tree=some_games())
def test_what_one_side_gets_the_other_pays(tree):
    assert by_lp(tree) + by_lp(tree, others(tree, TEAM)) == pytest.approx(0, abs=1e-7)


@given(tree=some_games())
def test_a_team_is_worth_what_the_player_is_that_plays_for_it(tree):
    assert by_lp(merge_team(tree, TEAM), (1,)) == pytest.approx(by_lp(tree), abs=1e-7)


@given(tree=some_games())
def test_sharing_information_never_hurts_a_team(tree):
    one_agent = informed(tree, TEAM)
    assert properties.perfect_recall(merge_team(one_agent, TEAM), 1)
    assert by_lp(one_agent) >= by_lp(tree) - 1e-7


@given(tree=some_games("shared"))
def test_a_team_that_shares_all_information_is_one_player(tree):
    """It has nothing left to tell, and its problem is that of a player of perfect recall."""
    assert informed(tree, TEAM).n_infosets == tree.n_infosets
    player = merge_team(tree, TEAM)
    assert properties.perfect_recall(player, 1)
    assert by_lp(player, (1,)) == pytest.approx(team_value(tree, TEAM), abs=1e-7)


@given(
    tree=some_games(),
    method=st.sampled_from(METHODS),
    gap=st.sampled_from([0.0, 1e-6, 1e-2, 1.0]),
    iterations=st.sampled_from([1, 2, 50]),
    observations=st.sampled_from(OBSERVATIONS),
    inflate=st.booleans(),
)
def test_every_solution_holds_the_value_is_verified_and_comes_back(
    tmp_path_factory, tree, method, observations, **options
):
    solution = solve(tree, team=TEAM, method=method, observations=observations, **options)
    check_bounds(solution, by_lp(tree))
    path = tmp_path_factory.getbasetemp() / "solution.npz"
    solution.save(path)
    report = verify(path)
    assert report.ok, report
    again = load_solution(path)
    assert again.to_json() == solution.to_json()
    assert list(map(repr, again.opponent.beliefs())) == list(map(repr, solution.opponent.beliefs()))
    np.testing.assert_array_equal(again.strategy.leaf_reach(), solution.strategy.leaf_reach())
