"""Games at the edge: nothing to decide, nobody to decide, extreme payoffs, forgetful or silent players."""

from fractions import Fraction

import numpy as np
import pytest
from reference.brute_force import dag_value, exact_team_value, team_value
from reference.random_games import merge_team, random_game, scale

from maxmin.errors import GameError, NotTimeableError
from maxmin.solve import load_solution, solve
from maxmin.sources import load_tree
from maxmin.tree import GameTree
from maxmin.tree_builder import TreeBuilder
from maxmin.verify import verify

METHODS = ["dcfr+", "pcfr+", "lp", "column_generation", "double_oracle", "dag_column_generation"]
SLOW_AT_THE_END = ["dcfr+"]
every_method = pytest.mark.parametrize("method", METHODS)


def matrix(payoffs, *, second=None) -> GameTree:
    """Two players choose at once; `second` is what player 2 gets, by default what player 1 loses."""
    payoffs = [list(row) for row in payoffs]
    builder = TreeBuilder("matrix", ("row", "column"))
    root = builder.decision(-1, -1, 1, "row", [str(row) for row in range(len(payoffs))])
    for row, line in enumerate(payoffs):
        node = builder.decision(root, row, 2, "column", [str(column) for column in range(len(line))])
        for column, payoff in enumerate(line):
            builder.leaf(node, column, [payoff, -payoff if second is None else second[row][column]])
    return builder.finish()


def check(
    tree: GameTree, team, value: float, method: str, *, gap: float = 1e-6, unit: float = 1.0, **options
):
    """Solve, check the bounds, save nothing: the checker must agree with the solver."""
    gap = max(gap, 1e-4) if gap and method in SLOW_AT_THE_END else gap
    solution = solve(tree, team=team, method=method, gap=gap, iterations=50_000, **options)
    assert solution.converged
    assert solution.lower <= solution.value <= solution.upper
    assert solution.lower - 1e-9 * unit <= value <= solution.upper + 1e-9 * unit
    report = verify(solution)
    assert report.ok, report
    assert report.lower == pytest.approx(solution.lower, abs=1e-9 * unit)
    assert report.upper == pytest.approx(solution.upper, abs=1e-9 * unit)
    return solution


@every_method
@pytest.mark.parametrize("team", [(1,), (2,), (1, 2), (2, 3)])
def test_a_game_that_is_over_at_once(method, team, tmp_path):
    builder = TreeBuilder("over", ("a", "b", "c"))
    builder.leaf(-1, -1, [Fraction(1, 3), 2, 5])
    tree = builder.finish()
    value = sum([1 / 3, 2, 5][player - 1] for player in team)
    solution = check(tree, team, value, method, gap=0)
    assert (solution.lower, solution.upper, solution.relative_gap) == (value, value, 0)
    solution.save(tmp_path / "over.npz")
    again = load_solution(tmp_path / "over.npz")
    assert again.strategy.sample(np.random.default_rng(0)) == {}
    assert again.strategy.marginals() == [] == list(again.strategy.beliefs())


@every_method
def test_only_chance_moves_and_some_branches_are_dead(method):
    builder = TreeBuilder("chance", ("a", "b"))
    root = builder.chance(-1, -1, [("x", 0), ("y", Fraction(1, 3)), ("z", Fraction(2, 3))])
    for action, payoff in enumerate([10**6, 3, 6]):
        builder.leaf(root, action, [payoff, 1])
    check(builder.finish(), (1,), 5, method)


@every_method
def test_dead_branches_below_decisions_do_not_count(method):
    """The payoff range is of what can happen, and so is the value."""
    builder = TreeBuilder("dead", ("a", "b"))
    root = builder.decision(-1, -1, 1, "first", ["left", "right"])
    for action in range(2):
        luck = builder.chance(root, action, [("never", 0), ("always", 1)])
        never = builder.decision(luck, 0, 2, "never", "xy")
        builder.leaf(never, 0, [10**9, -(10**9)])
        builder.leaf(never, 1, [-(10**9), 10**9])
        builder.leaf(luck, 1, [action, -action])
    solution = check(builder.finish(), (1,), 1, method)
    assert solution.gap == pytest.approx(solution.relative_gap)  # the range is 1


@every_method
def test_one_action_everywhere(method):
    builder = TreeBuilder("one way", ("a", "b", "c"))
    node = builder.chance(-1, -1, [("deal", 1)])
    for player in (1, 2, 3, 1, 2, 3):
        node = builder.decision(node, 0, player, ("infoset", player, node), ["on"])
    builder.leaf(node, 0, [1, 2, -3])
    tree = builder.finish()
    for team in [(1,), (1, 2), (1, 3), (2, 3)]:
        solution = check(tree, team, sum([1, 2, -3][player - 1] for player in team), method, gap=0)
        assert all(
            one.reach == 1 and one.probabilities.tolist() == [1] for one in solution.strategy.marginals()
        )
    assert len(solution.strategy.sample(np.random.default_rng(0))) == 4


@every_method
@pytest.mark.parametrize("payoff", [0, 7, Fraction(-1, 3), 1e-300])
def test_all_payoffs_equal(method, payoff):
    solution = check(matrix([[payoff] * 3] * 2), (1,), float(payoff), method, gap=0)
    assert (solution.gap, solution.relative_gap) == (0, 0)


@every_method
@pytest.mark.parametrize("unit", [1e-300, 1e-9, 1e9, 1e150])
def test_units(method, unit):
    tree = matrix([[2 * unit, -unit], [-unit, unit]])
    check(tree, (1,), unit / 5, method, unit=unit)


@every_method
def test_large_payoffs_that_differ_little(method):
    """What is left of a small difference after rounding is found; nothing is lost in the solver."""
    tree = matrix([[10**9 + 2, 10**9 - 1], [10**9 - 1, 10**9 + 1]])
    check(tree, (1,), 1e9 + 1 / 5, method, unit=1e3)


@every_method
def test_team_payoffs_of_a_thousand_millions(method):
    tree = scale(random_game(15, size=14), Fraction(10**9))
    check(tree, (1, 2), team_value(tree, (1, 2)), method, unit=1e9)


@pytest.mark.parametrize("payoff", [1e308, 1.7e308])
def test_payoffs_too_far_apart_for_floats_are_refused(payoff):
    with pytest.raises(GameError, match="too far apart for floats"):
        solve(matrix([[payoff, -payoff], [-payoff, payoff]]))


def test_a_team_whose_sum_is_too_large_is_refused():
    builder = TreeBuilder("rich", ("a", "b", "c"))
    root = builder.decision(-1, -1, 1, "x", "lr")
    builder.leaf(root, 0, [1e308, 1e308, 0])
    builder.leaf(root, 1, [0, 0, 0])
    with pytest.raises(GameError, match="too far apart for floats"):
        solve(builder.finish(), team=(1, 2))


@every_method
def test_constant_sum(method):
    tree = matrix([[8, 3], [2, 6]], second=[[2, 7], [8, 4]])
    check(tree, (1,), 42 / 9, method)
    check(tree, (2,), 10 - 42 / 9, method)


@every_method
def test_general_sum_is_what_the_team_can_guarantee(method):
    """Battle of the sexes: equilibria give more, but alone each is sure of 2/3 only."""
    tree = matrix([[2, 0], [0, 1]], second=[[1, 0], [0, 2]])
    check(tree, (1,), 2 / 3, method)
    check(tree, (2,), 2 / 3, method)


@every_method
def test_general_sum_team(method):
    tree = random_game(21, size=18, total=None)
    for team in [(1, 2), (3,), (1, 3)]:
        check(tree, team, team_value(tree, team), method, gap=1e-4)


@every_method
def test_players_who_never_move(method):
    """A silent player's payoff counts for its team; as a team of its own it takes what comes."""
    builder = TreeBuilder("silent", ("a", "b", "c"))
    root = builder.decision(-1, -1, 1, "x", "lr")
    for move, line in enumerate([[(3, 0, 1), (0, 2, 0)], [(0, 1, 0), (1, 1, 5)]]):
        node = builder.decision(root, move, 2, "y", "lr")
        for answer, payoffs in enumerate(line):
            builder.leaf(node, answer, payoffs)
    tree = builder.finish()
    for team in [(1,), (3,), (1, 3), (2, 3), (1, 2)]:
        check(tree, team, float(exact_team_value(tree, team)), method)
    assert solve(tree, team=(3,)).strategy.infosets.tolist() == []


@pytest.mark.parametrize("method", ["dcfr+", "column_generation", "double_oracle", "dag_column_generation"])
def test_everybody_but_one(method):
    solution = check(load_tree("4K4"), (1, 2, 3), 0.0, method, gap=1e-3)
    assert solution.opponent.side == (4,)


@every_method
def test_an_infoset_with_three_hundred_actions(method):
    n = 300
    tree = matrix([[int(row % 3 == column) for column in range(3)] for row in range(n)])
    check(tree, (1,), 1 / 3, method, gap=1e-4)
    check(tree, (2,), -1 / 3, method, gap=1e-4)


def guessing(n: int, *, seen: bool) -> GameTree:
    """Player 1 names one of n, player 2 too, player 3 picks one; the team is paid if both name what 3 did not."""
    builder = TreeBuilder(f"guessing({n}, {seen})", ("a", "b", "c"))
    names = [str(name) for name in range(n)]
    root = builder.decision(-1, -1, 1, "first", names)
    for one in range(n):
        second = builder.decision(root, one, 2, ("second", one if seen else None), names)
        for two in range(n):
            third = builder.decision(second, two, 3, "third", names)
            for three in range(n):
                won = one == two != three
                builder.leaf(third, three, [int(won), 0, -int(won)])
    return builder.finish()


@pytest.mark.parametrize("reduce_branching", [True, False])
@pytest.mark.parametrize("seen", [True, False])
@every_method
def test_many_actions_seen_or_not_by_the_teammate(method, seen, reduce_branching):
    """They agree on a name drawn beforehand, seen or not, chained or not: 5/6."""
    check(guessing(6, seen=seen), (1, 2), 5 / 6, method, gap=1e-4, reduce_branching=reduce_branching)


@pytest.mark.parametrize(
    ("game", "team"),
    [
        ("3L223", (1, 2)),
        ("3D2", (1, 2)),
        ("3D2", (2, 3)),
        ("goofspiel(players=3,cards=3)", (1, 2)),
        ("goofspiel(players=2,cards=4)", (1,)),
    ],
)
def test_reduced_branching_never_changes_a_value(game, team):
    tree = load_tree(game)
    chained, whole = (solve(tree, team=team, gap=1e-4, reduce_branching=way) for way in (True, False))
    assert chained.converged
    assert whole.converged
    assert max(chained.lower, whole.lower) <= min(chained.upper, whole.upper)
    for solution in (chained, whole):
        np.testing.assert_allclose(
            solution.strategy.plans().leaf_reach(tree), solution.strategy.leaf_reach(), atol=1e-8
        )


@pytest.mark.parametrize("seed", range(6))
@every_method
def test_forgetful_players_are_teams_of_themselves(method, seed):
    tree = random_game(seed, size=16, players=2, memory="forgets")
    check(tree, (1,), team_value(tree, (1,)), method, gap=1e-4)


def test_a_team_and_the_forgetful_player_it_makes_are_worth_the_same():
    tree = load_tree("3K3")
    merged = merge_team(tree, (1, 3))
    value = dag_value(tree, (1, 3))
    assert solve(merged, team=(1,), method="lp").value == pytest.approx(value, abs=1e-9)
    assert solve(merged, team=(2,), method="lp").value == pytest.approx(-value, abs=1e-9)


def test_a_team_that_cannot_be_timed_has_no_belief_dag_but_plans_that_can_be_listed():
    builder = TreeBuilder("crossing", ("a", "b", "c"))
    root = builder.chance(-1, -1, [("heads", Fraction(1, 2)), ("tails", Fraction(1, 2))])
    for action, order in enumerate([(1, 2), (2, 1)]):
        first = builder.decision(root, action, order[0], "in the dark", "lr")
        for move in range(2):
            second = builder.decision(first, move, order[1], "in the dark", "lr")
            for last in range(2):
                builder.leaf(second, last, [move - last, 2 * move, last - 3 * move])
    tree = builder.finish()
    for team in [(1, 2), (3,)]:  # the side, or the other one
        with pytest.raises(NotTimeableError, match="in the dark"):
            solve(tree, team=team, method="dcfr+")
        solution = check(tree, team, float(exact_team_value(tree, team)), "auto", gap=1e-6)
        assert solution.method == "column_generation"
    check(tree, (1, 3), float(exact_team_value(tree, (1, 3))), "lp")
    check(tree, (1, 3), float(exact_team_value(tree, (1, 3))), "dcfr+")


def test_an_absent_minded_player_is_refused_in_words():
    with pytest.raises(NotTimeableError, match="player 1 is absent-minded: infoset 'road'"):
        solve("tests/cases/R01_absent_minded_driver.efg")


@every_method
def test_a_game_for_one_player(method, tmp_path):
    builder = TreeBuilder("alone", ("a",))
    root = builder.chance(-1, -1, [("x", Fraction(1, 4)), ("y", Fraction(3, 4))])
    for state in range(2):
        node = builder.decision(root, state, 1, "blind", "lr")
        for move in range(2):
            builder.leaf(node, move, [int(state == move)])
    solution = check(builder.finish(), (1,), 3 / 4, method)
    solution.save(tmp_path / "alone.npz")
    assert load_solution(tmp_path / "alone.npz").opponent.side == ()
    assert verify(tmp_path / "alone.npz").ok
