"""Exact solutions of random games: equal to brute force in fractions, whatever the start, units and names."""

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from reference.brute_force import TooManyPlansError, exact_team_value, others, plan_masks
from reference.random_games import games, rename, reseat, scale, shift

from maxmin import properties
from maxmin.tree import GameTree

pytest.importorskip("maxmin._core", reason="the native core is not built")
from maxmin.exact import solve_exact
from maxmin.exact.program import sequence_program
from maxmin.exact.rational_lp import solve_rational
from maxmin.match import make_match
from maxmin.solve import solve
from maxmin.verify import verify

RECIPES = {
    "two players": {"players": 2},
    "perfect recall": {},
    "forgets": {"memory": "forgets"},
    "shared": {"shared": (1, 2)},
    "any sum": {"total": None},
}
MANY = 60
"""Most plans of a side: brute force in fractions is slow."""


def team_of(tree: GameTree) -> tuple[int, ...]:
    return (1,) if tree.n_players == 2 else (1, 2)


@st.composite
def some_games(draw, most: int = 14) -> GameTree:
    """Draw games small enough for brute force in fractions."""
    tree = draw(games(most=most, **RECIPES[draw(st.sampled_from(list(RECIPES)))]))
    for side in (team_of(tree), others(tree, team_of(tree))):
        assume(properties.timeable(tree, side))
        try:
            assume(len(plan_masks(tree, side)) <= MANY)
        except TooManyPlansError:
            assume(False)
    return tree


def value(tree: GameTree, team: tuple[int, ...] | None = None) -> Fraction:
    return solve_exact(tree, team or team_of(tree)).value


@given(tree=some_games())
def test_the_value_is_that_of_brute_force_in_fractions(tree):
    assert value(tree) == exact_team_value(tree, team_of(tree))


@given(tree=some_games(), data=st.data())
def test_the_start_does_not_matter(tree, data):
    program = sequence_program(make_match(tree, team_of(tree))).program
    numbers = st.permutations(range(program.n_columns + program.n_rows))
    basis = data.draw(numbers)[: program.n_rows]
    assert solve_rational(program, basis=basis).value == solve_rational(program).value


@given(tree=some_games())
def test_both_exact_best_responses_are_the_value(tree):
    solution = solve(tree, team=team_of(tree), method="exact")
    report = verify(solution)
    assert report.ok, report
    assert sum("exactly the claimed value" in check.detail for check in report.checks) == 2


@given(tree=some_games())
def test_floats_agree(tree):
    """Linear program and regret minimization, on the same game."""
    exact = float(value(tree))
    for method, gap in (("lp", 1e-3), ("pcfr+", 1e-4)):
        solution = solve(tree, team=team_of(tree), method=method, gap=gap)
        assert solution.lower - 1e-9 <= exact <= solution.upper + 1e-9
    assert solve(tree, team=team_of(tree), method="lp").value == pytest.approx(exact, abs=1e-7)


@given(tree=some_games(), power=st.integers(-19, 19), amount=st.fractions(-100, 100))
def test_units_scale_and_shift_the_value_exactly(tree, power, amount):
    factor = Fraction(10) ** power
    moved = shift(scale(tree, factor), 1, amount)
    assert value(moved, team_of(tree)) == factor * value(tree) + amount


@given(tree=some_games())
def test_what_one_side_gets_the_other_pays(tree):
    assume(properties.constant_sum(tree) == 0)
    assert value(tree, others(tree, team_of(tree))) == -value(tree)


@given(tree=some_games(), seed=st.integers(0, 2**32), data=st.data())
def test_names_and_seats_do_not_matter(tree, seed, data):
    seats = data.draw(st.permutations(range(1, tree.n_players + 1)))
    seated = tuple(sorted(seats[player - 1] for player in team_of(tree)))
    assert value(reseat(rename(tree, seed), seats), seated) == value(tree)
