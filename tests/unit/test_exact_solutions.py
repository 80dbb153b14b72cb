"""`solve(method="exact")`: values known as fractions, files that keep them, floats refused, hard payoffs."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from reference.brute_force import exact_matrix_value

import maxmin
from maxmin.errors import Cancelled, GameError, MaxminError, SizeError, SolutionError
from maxmin.exact import rational_lp, rationalize, solve_exact
from maxmin.exact.rationalize import simplest
from maxmin.plans import Behavior, PlanMixture
from maxmin.strategy_files import strategy_from_json

BIG, SMALL = Fraction(10) ** 19, Fraction(1, 10**19)


def matrix_game(payoffs):
    """A matrix game as a tree: player 2 does not see what player 1 does."""
    builder = maxmin.TreeBuilder("matrix", ["rows", "columns"])
    root = builder.decision(-1, -1, 1, "row", [f"r{i}" for i in range(len(payoffs))])
    for i, row in enumerate(payoffs):
        node = builder.decision(root, i, 2, "column", [f"c{j}" for j in range(len(row))])
        for j, payoff in enumerate(row):
            builder.leaf(node, j, (payoff, -payoff))
    return builder.finish()


def check(solution, value) -> None:
    """Check the value, and both exact best responses, from the object and from its JSON."""
    assert Fraction(solution.exact["value"]) == value
    assert solution.lower == solution.value == solution.upper == float(value)
    report = maxmin.verify(solution)
    assert report.ok, report
    exact = [check for check in report.checks if "exact arithmetic" in check.name]
    assert len(exact) == 2
    assert all(check.status == "ok" and "exactly the claimed value" in check.detail for check in exact)


@pytest.mark.parametrize(
    ("game", "team", "value"),
    [
        ("kuhn_poker", (1,), "-1/18"),
        ("kuhn_poker", (2,), "1/18"),
        ("3K3", (1, 2), "0"),
        ("3K4", (1, 2), "-1/24"),
        ("matching_pennies", (1,), "0"),
        ("rock_paper_scissors", (1,), "0"),
        ("forgetful_player", (1,), "1/4"),
        ("one_time_pad", (1, 2), "1/2"),
    ],
)
def test_values_known_as_fractions(game, team, value):
    check(maxmin.solve(game, team=team, method="exact"), Fraction(value))


def test_kuhn_poker_of_all_ranks_agrees_with_floats():
    values = []
    for ranks in range(3, 14):
        game = f"kuhn_poker(ranks={ranks})"
        exact = maxmin.solve(game, method="exact")
        check(exact, Fraction(exact.exact["value"]))
        assert exact.value == pytest.approx(maxmin.solve(game, method="lp").value, abs=1e-9)
        values.append(exact.exact["value"])
    assert values[0] == "-1/18"
    assert all(one != other for one, other in pairwise(values))


def test_leduc_poker():
    """-0.0856064 is the value that regret minimizers approach (Neller and Lanctot 2013 and others)."""
    solution = maxmin.solve("leduc_poker(players=2)", method="exact")
    check(solution, Fraction(solution.exact["value"]))
    assert solution.value == pytest.approx(-0.0856064, abs=1e-7)


@pytest.mark.parametrize(
    "payoffs",
    [
        [[1]],
        [[0, 0], [0, 0]],
        [[7, 7, 7], [7, 7, 7]],
        [[1, -1], [-1, 1]],
        [[BIG, -BIG], [-BIG, BIG]],
        [[SMALL, -SMALL], [-SMALL, SMALL]],
        [[BIG, SMALL], [SMALL, BIG]],
        [[BIG, -SMALL], [-SMALL, BIG]],
        [[BIG + SMALL, BIG], [BIG, BIG + 2 * SMALL]],
        [[SMALL, 2 * SMALL, BIG], [3 * SMALL, SMALL, -BIG]],
        [[BIG**15, -1 / BIG**15], [-1, 1]],
        [[1, 1, 1], [1, 1, 2], [0, 1, 1]],
    ],
)
def test_matrix_games_of_any_scale(payoffs):
    payoffs = [[Fraction(payoff) for payoff in row] for row in payoffs]
    check(maxmin.solve(matrix_game(payoffs), method="exact"), exact_matrix_value(payoffs))


def test_matrix_games_from_files(tmp_path):
    path = tmp_path / "ties.nfg"
    path.write_text(
        'NFG 1 R "ties" { "a" "b" } { 2 3 }\n\n0.1 -0.1 1/3 -1/3 1/3 -1/3 0.1 -0.1 1e-19 -1e-19 2 -2\n'
    )
    payoffs = [["0.1", "1/3", "1e-19"], ["1/3", "0.1", "2"]]
    check(
        maxmin.solve(path, method="exact"), exact_matrix_value([list(map(Fraction, row)) for row in payoffs])
    )


def test_a_player_alone_and_nobody_to_move():
    builder = maxmin.TreeBuilder("alone", ["she"])
    root = builder.decision(-1, -1, 1, "x", ["left", "right"])
    builder.leaf(root, 0, (Fraction(1, 3),))
    builder.leaf(root, 1, (Fraction(2, 3),))
    alone = maxmin.solve(builder.finish(), method="exact")
    check(alone, Fraction(2, 3))
    assert alone.exact["opponent"] is None
    builder = maxmin.TreeBuilder("over", ["a", "b"])
    builder.leaf(-1, -1, (Fraction(1, 3), Fraction(-1, 3)))
    check(maxmin.solve(builder.finish(), method="exact"), Fraction(1, 3))


def test_chance_that_never_happens():
    builder = maxmin.TreeBuilder("never", ["a", "b"])
    root = builder.chance(-1, -1, [("never", 0), ("always", 1)])
    for branch in range(2):
        node = builder.decision(root, branch, 1, branch, ["l", "r"])
        builder.leaf(node, 0, (branch, -branch))
        builder.leaf(node, 1, (100 - 100 * branch, 100 * branch - 100))
    check(maxmin.solve(builder.finish(), method="exact"), 1)


def test_a_bad_first_guess_changes_nothing(monkeypatch):
    """HiGHS is only a start: without it, or with nonsense from it, the answer is the same."""
    for guess in ([], list(range(20)), list(range(33, 53))):
        monkeypatch.setattr(rational_lp, "float_basis", lambda program, guess=guess, **_: guess)
        solution = maxmin.solve("kuhn_poker", method="exact")
        check(solution, Fraction(-1, 18))
        assert solution.iterations > 0


def test_strategies_are_fractions_and_of_the_kind_that_they_should_be():
    found = solve_exact(maxmin.load_tree("3K4"), (1, 2))
    assert isinstance(found.team, PlanMixture)
    assert sum(found.team.weights) == 1
    assert isinstance(found.opponent, Behavior)
    assert all(isinstance(odds, Fraction) for odds in found.opponent.probabilities.ravel())
    assert (found.opponent.probabilities.sum(axis=1) == 1).all()
    assert repr(found) == "ExactSolution(kuhn_poker(players=3,ranks=4), team 1,2: -1/24)"


@pytest.mark.parametrize(("game", "team"), [("kuhn_poker", (1,)), ("3K3", (1, 2))])
def test_files_keep_fractions(tmp_path, game, team):
    path = tmp_path / "exact.npz"
    solution = maxmin.solve(game, team=team, method="exact")
    solution.save(path)
    loaded = maxmin.load_solution(path)
    assert loaded.exact == solution.exact
    assert maxmin.verify(path).ok
    stored = strategy_from_json(loaded.exact["team"], loaded.tree)
    exact = solve_exact(loaded.tree, team).team
    np.testing.assert_array_equal(stored.exact_leaf_reach(loaded.tree), exact.exact_leaf_reach(loaded.tree))
    np.testing.assert_allclose(solution.strategy.leaf_reach(), exact.leaf_reach(loaded.tree), atol=1e-15)


def test_the_checker_sees_a_claim_that_is_off_by_less_than_any_float():
    solution = maxmin.solve("kuhn_poker", method="exact")
    off = Fraction(-1, 18) + Fraction(1, 10**40)
    report = maxmin.verify(replace(solution, exact={**solution.exact, "value": str(off)}))
    failed = [check.name for check in report.checks if check.status == "failed"]
    assert failed == ["lower bound, exact arithmetic", "upper bound, exact arithmetic"]


def test_the_checker_reads_the_exact_strategies():
    solution = maxmin.solve("kuhn_poker", method="exact")
    team = solution.exact["team"]
    behavior = {**team["behavior"], "3": {"check": "1/1000", "bet": "999/1000"}}
    changed = {**solution.exact, "team": {**team, "behavior": behavior}}
    report = maxmin.verify(replace(solution, exact=changed))
    assert not report.ok


@pytest.mark.parametrize("damage", [{"value": "one"}, {"value": None}, {"team": None}])
def test_damaged_exact_answers(damage):
    solution = maxmin.solve("kuhn_poker", method="exact")
    with pytest.raises(SolutionError, match="exact"):
        maxmin.verify(replace(solution, exact={**solution.exact, **damage}))


def test_floats_are_refused_with_the_place_and_the_remedy():
    with pytest.raises(GameError, match=r"the payoff 0\.1 after r0 / c0 is a float.*1/10.*--rationalize"):
        maxmin.solve(matrix_game([[0.1, 1], [1, 0]]), method="exact")
    builder = maxmin.TreeBuilder("odds", ["a", "b"])
    root = builder.chance(-1, -1, [("rain", 0.25), ("sun", 0.75)])
    for branch in range(2):
        builder.leaf(root, branch, (branch, -branch))
    tree = builder.finish()
    with pytest.raises(GameError, match=r"the probability 0\.25 after rain is a float"):
        solve_exact(tree)
    check(maxmin.solve(tree, method="exact", rationalize=True), Fraction(3, 4))


def test_rationalized_floats_are_the_fractions_that_were_meant():
    floats = [[0.1, -0.3, 2], [-1 / 3, 1e-19, 1e19]]
    meant = [["1/10", "-3/10", "2"], ["-1/3", "1e-19", "1e19"]]
    value = exact_matrix_value([list(map(Fraction, row)) for row in meant])
    check(maxmin.solve(matrix_game(floats), method="exact", rationalize=True), value)


def test_rationalized_probabilities_sum_to_one():
    builder = maxmin.TreeBuilder("thirds", ["a", "b"])
    odds = [0.3333333, 0.3333333, 0.3333333]
    with pytest.warns(UserWarning, match="scaled"):
        root = builder.chance(-1, -1, list(zip("xyz", odds, strict=True)))
    for branch in range(3):
        builder.leaf(root, branch, (branch, -branch))
    check(maxmin.solve(builder.finish(), method="exact", rationalize=True), 1)


def test_a_game_without_floats_is_left_as_it_is():
    tree = maxmin.load_tree("kuhn_poker")
    assert rationalize(tree) is tree


@pytest.mark.parametrize(
    ("number", "fraction"),
    [
        (0.1, "1/10"),
        (1 / 3, "1/3"),
        (-2.5, "-5/2"),
        (1 / 18, "1/18"),
        (0.7, "7/10"),
        (1e-19, "1/10000000000000000000"),
        (1e22, "10000000000000000000000"),
        (0.1 + 0.2, "0.30000000000000004"),
        (355 / 113, "355/113"),
    ],
)
def test_the_fraction_that_a_float_means(number, fraction):
    assert simplest(number) == Fraction(fraction)


def test_a_time_limit_that_is_too_short():
    with pytest.raises(MaxminError, match="time limit of 1e-09 seconds ended"):
        maxmin.solve("leduc_poker(players=2)", method="exact", seconds=1e-9)


def test_interruption_between_pivots(monkeypatch):
    monkeypatch.setattr(rational_lp, "float_basis", lambda program, **_: [])
    match = maxmin.solve.__globals__["make_match"](maxmin.load_tree("kuhn_poker"), (1,))
    from maxmin.exact.solution import solve_match

    with pytest.raises(Cancelled):
        solve_match(match, keep_going=lambda pivots: pivots < 3)


def test_answers_too_long_to_be_written_are_refused():
    """Six plans a side, payoffs of 900 digits: the value has more digits than Python prints of an integer."""
    rng = np.random.default_rng(1)
    payoffs = [[Fraction(int.from_bytes(rng.bytes(370)), 10**900) for _ in range(6)] for _ in range(6)]
    payoffs = [[payoff + 10 * (i == j) for j, payoff in enumerate(row)] for i, row in enumerate(payoffs)]
    tree = matrix_game(payoffs)
    assert solve_exact(tree).value == exact_matrix_value(payoffs)
    with pytest.raises(SizeError, match=r"matrix: .*digits, and 4,000 is the most.*solve_exact"):
        maxmin.solve(tree, method="exact")
