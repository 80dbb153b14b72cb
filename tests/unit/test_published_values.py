"""Published values of team games, and two routes to the value of every partition of small ones."""

from itertools import combinations

import pytest

from maxmin.properties import payoff_range
from maxmin.solve import solve
from maxmin.sources import load_tree

PUBLISHED = [
    ("3K3", (1, 2), 0.000, 78),
    ("3K4", (1, 2), -0.042, 312),
    ("3L133", (1, 2), 0.215, 6477),
    ("3L223", (1, 2), 0.516, 8762),
    ("3D3", (1, 2), 0.284, 13797),
    ("4K5", (1, 2), -0.037, 3960),
]
"""Zhang, Farina and Sandholm (ICML 2023): game, team, value to three places, leaves."""

HALF_A_PLACE = 0.0005


@pytest.mark.parametrize(("game", "team", "value", "n_leaves"), PUBLISHED)
def test_published_values(game, team, value, n_leaves):
    solution = solve(game, team=team, method="pdcfr+", gap=1e-5, iterations=20_000)
    assert solution.tree.n_leaves == n_leaves
    assert solution.gap < HALF_A_PLACE
    assert solution.lower - HALF_A_PLACE <= value <= solution.upper + HALF_A_PLACE


def every_partition(game: str) -> list[tuple[str, tuple[int, ...]]]:
    """Return each way to split the players into two sides, once."""
    n_players = load_tree(game).n_players
    teams = [team for size in range(1, n_players) for team in combinations(range(2, n_players + 1), size)]
    return [(game, team) for team in teams]


PARTITIONS = [
    partition
    for game in ("3K3", "3K4", "3D2", "3L122", "3L133", "goofspiel(players=3,cards=3)")
    for partition in every_partition(game)
]
PARTITIONS += [("4K4", (1, 2)), ("4K4", (1, 4)), ("4K4", (1,))]


@pytest.mark.parametrize(("game", "team"), PARTITIONS)
def test_regret_minimization_and_the_linear_program_agree(game, team):
    tree = load_tree(game)
    by_regret = solve(tree, team=team, method="dcfr+", gap=1e-4, iterations=20_000)
    by_program = solve(tree, team=team, method="lp")
    assert by_regret.converged
    assert by_program.relative_gap < 1e-9
    low, high = payoff_range(tree, team)
    rounding = 1e-9 * (high - low)
    assert by_regret.lower - rounding <= by_program.value <= by_regret.upper + rounding


@pytest.mark.parametrize(("game", "value"), [("kuhn_poker", -1 / 18), ("leduc_poker", -0.085606424078)])
def test_two_player_poker(game, value):
    """The values that OpenSpiel publishes; of Kuhn poker it is a fraction (Kuhn 1950)."""
    for method in ("lp", "pdcfr+"):
        solution = solve(f"{game}(players=2)", method=method, gap=1e-9, iterations=100_000, seconds=20)
        assert solution.lower - 1e-11 <= value <= solution.upper + 1e-11
        assert solution.relative_gap < 1e-7
