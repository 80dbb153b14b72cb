"""Members who mix on their own: the theorem by branch and bound, the search on grids by other routes."""

from dataclasses import replace
from fractions import Fraction
from functools import reduce
from itertools import pairwise, product
from math import prod

import numpy as np
import pytest

from maxmin.errors import GameError, SizeError
from maxmin.guts import asynchronous, round_payoffs, solve_asynchronous, solve_guts
from maxmin.guts.asynchronous import nash_threshold
from maxmin.guts.asynchronous_grid import GridCoalition
from maxmin.matrix import solve_matrix


def payoffs(player: np.ndarray, members: np.ndarray, stakes: float) -> np.ndarray:
    """Return player 1's alpha + v * beta, (len(player), len(members))."""
    shape = len(player), len(members)
    sides = (
        np.broadcast_to(player[:, None, None], (*shape, 1)),
        np.broadcast_to(members, (*shape, members.shape[1])),
    )
    alpha, beta = round_payoffs(np.concatenate(sides, axis=-1))
    return alpha[..., 0] + (stakes - 1) * beta


def mixed(player: np.ndarray, members: list[list[tuple[float, float]]], stakes: float) -> np.ndarray:
    """Return what player 1 expects with each threshold: a sum over all joint profiles of independent members."""
    joint = list(product(*members))
    profiles = np.array([[held for held, _ in profile] for profile in joint])
    weights = np.array([np.prod([weight for _, weight in profile]) for profile in joint])
    return payoffs(player, profiles, stakes) @ weights


@pytest.mark.parametrize(("coalition", "allowed"), [(2, 2e-3), (3, 3e-2)])
@pytest.mark.parametrize("value", [0.0, -0.5, 1.0])
def test_no_pure_profile_is_below_the_nash_value(coalition, allowed, value):
    """Branch and bound over all profiles, by nothing but signs.

    For each p the payoff is c sum (1 - q_j), falling, plus what rises with every q_j. So on a box it is at least
    the payoff at the lowest corner, less c times the sides of the box.
    """
    stakes, player = 1 + value, np.linspace(0, 1, 81)
    target = value * coalition * (1 - 2 ** (-1 / coalition)) - allowed
    low, side, seen = np.zeros((1, coalition)), 1.0, 0
    while len(low):
        seen += len(low)
        assert seen < 300_000
        open_ = payoffs(player, low, stakes).max(axis=0) - stakes * coalition * side < target
        side /= 2
        corners = np.array(list(product((0, side), repeat=coalition)))
        low = (low[open_][:, None, :] + corners).reshape(-1, coalition)
        low = np.unique(np.sort(low, axis=1), axis=0)
        assert not open_.any() or side > allowed / 100


@pytest.mark.parametrize("coalition", [1, 2, 3, 10, 100])
@pytest.mark.parametrize("value", [-0.9, -0.2, 0.0, 0.7])
def test_the_nash_bloc_leaves_the_nash_value(coalition, value):
    t = 2 ** (-1 / coalition)
    left = payoffs(np.linspace(0, 1, 501), np.full((1, coalition), t), 1 + value).max()
    assert left == pytest.approx(value * coalition * (1 - t), abs=1e-12)


def exact_payoffs(profile: list[Fraction]) -> tuple[Fraction, Fraction]:
    """Return player 1's alpha, and beta, by the integral over the pieces between thresholds."""
    p, *held = profile
    n = len(profile)
    beta = sum(1 - one for one in profile) - 1 + 2 * prod(profile)
    ends = sorted({p, Fraction(1), *(one for one in held if one > p)})
    wins = Fraction(0)
    for low, high in pairwise(ends):
        below = sum(one <= low for one in held) + 1
        wins += prod(one for one in held if one > low) * (high**below - low**below) / below
    return beta - 1 + n * (2 * wins - (1 - p)), beta


@pytest.mark.parametrize(("coalition", "grid"), [(2, 5), (3, 8), (5, 9)])
def test_upper_bounds_are_those_of_the_members_in_exact_arithmetic(coalition, grid):
    found = solve_asynchronous(coalition=coalition, grid=grid)
    player = [Fraction(k, grid - 1) for k in range(grid)]
    for value, stakes in (found.one_shot, Fraction(0)), (found.repeated, Fraction(found.repeated.upper)):
        left = [Fraction(0)] * grid
        for profile in product(*value.members):
            held = [Fraction(round(one * (grid - 1)), grid - 1) for one, _ in profile]
            weight = prod(Fraction(weight) for _, weight in profile)
            for k, p in enumerate(player):
                alpha, beta = exact_payoffs([p, *held])
                left[k] += weight * (alpha + stakes * beta)
        assert max(left) <= Fraction(value.upper)
        assert value.lower <= value.upper <= float(max(left)) + 1e-12


@pytest.mark.parametrize("coalition", [2, 3, 4])
def test_a_mean_is_as_good_as_its_mixture(coalition):
    rng = np.random.default_rng(coalition)
    player = np.linspace(0, 1, 101)
    for _ in range(10):
        weights = rng.dirichlet(np.ones(3), coalition)
        held = rng.random((coalition, 3))
        members = [list(zip(*pair, strict=True)) for pair in zip(held, weights, strict=True)]
        means = [[((h * w).sum(), 1.0)] for h, w in zip(held, weights, strict=True)]
        assert (mixed(player, means, 0.9) <= mixed(player, members, 0.9) + 1e-12).all()


@pytest.mark.parametrize("coalition", [1, 2, 3, 20, 1000])
def test_the_continuum(coalition):
    solution = solve_asynchronous(coalition=coalition)
    for found in (solution.one_shot, solution.repeated):
        assert (found.value, found.lower) == (0, 0)
        assert 0 <= found.upper <= 1e-12
        assert found.members == [[(nash_threshold(coalition), 1.0)]] * coalition
    assert solution.synchronous_repeated.value <= solution.nash == 0
    assert nash_threshold(coalition) ** coalition == pytest.approx(0.5, abs=1e-12)


@pytest.mark.parametrize(("coalition", "points"), [(1, 6), (2, 7), (3, 5)])
def test_payoffs_on_a_grid_are_sums_over_joint_profiles(coalition, points):
    rng = np.random.default_rng(0)
    members = GridCoalition(coalition, points)
    for means in [rng.random(coalition), np.full(coalition, 0.5), np.zeros(coalition), np.ones(coalition)]:
        mixture = members.mixtures(means)
        for member, mean in zip(mixture, means, strict=True):
            assert sum(weight for _, weight in member) == pytest.approx(1, abs=1e-12)
            assert sum(held * weight for held, weight in member) == pytest.approx(mean, abs=1e-12)
        for stakes in (0.7, 1.0):
            expected = mixed(members.thresholds, mixture, stakes)
            assert members.payoffs(means, stakes) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("coalition", "points"), [(1, 9), (2, 9), (3, 6)])
def test_a_member_improves_as_in_its_matrix_game(coalition, points):
    """The best of all its mixtures, by linear programming, is no better than the best mean."""
    rng = np.random.default_rng(1)
    members = GridCoalition(coalition, points)
    grid = members.thresholds
    for _ in range(5):
        means = rng.random(coalition)
        others = members.mixtures(means)[1:]
        table = np.array([mixed(grid, [[(held, 1.0)], *others], 0.9) for held in grid]).T
        means[0] = members.improve(means, 0, 0.9)
        assert members.payoffs(means, 0.9).max() == pytest.approx(solve_matrix(table).value, abs=1e-10)


@pytest.mark.parametrize(("coalition", "points"), [(2, 11), (2, 21), (3, 11), (3, 21)])
def test_bounds_on_a_grid(coalition, points):
    solution = solve_asynchronous(coalition=coalition, grid=points)
    grid = np.linspace(0, 1, points)
    one_shot = mixed(grid, solution.one_shot.members, 1.0)
    assert solution.one_shot.upper == pytest.approx(one_shot.max(), abs=1e-12)
    payoff = mixed(grid, solution.repeated.members, 1.0)
    multiplier = mixed(grid, solution.repeated.members, 2.0) - payoff
    left = float(coalition)
    for _ in range(200):
        left = (payoff + left * multiplier).max()
    assert solution.repeated.upper == pytest.approx(left, abs=1e-12)
    agreed = solve_guts(coalition=coalition, grid=points)
    assert agreed.one_shot.lower <= solution.one_shot.lower <= solution.one_shot.upper + 1e-12
    assert agreed.repeated.lower <= solution.repeated.lower <= solution.repeated.upper + 1e-12
    assert 2 * solution.reached >= solution.starts


@pytest.mark.parametrize(("coalition", "points", "steps"), [(2, 5, 81), (2, 11, 101), (3, 5, 33)])
def test_the_search_misses_nothing(coalition, points, steps):
    """All means on a fine grid: none is better than what the search found."""
    members = GridCoalition(coalition, points)
    found = solve_asynchronous(coalition=coalition, grid=points).one_shot.value
    axis = np.linspace(0, 1, steps)
    means = np.array([m for m in product(axis, repeat=coalition) if list(m) == sorted(m)])
    least = min(members.payoffs(m, 1.0).max() for m in means)
    assert found <= least + 1e-12
    assert found >= least - 0.05


def test_a_grid_can_be_better_or_as_good_for_the_members():
    """Three on 21 points have a little from the grid; two have nothing, at 0.7 each."""
    three = solve_asynchronous(coalition=3, grid=21).one_shot
    assert three.value == pytest.approx(-0.00094468085106, abs=1e-12)
    assert sorted(len(member) for member in three.members) == [1, 1, 2]
    two = solve_asynchronous(coalition=2, grid=21).one_shot
    assert two.value == pytest.approx(0, abs=1e-12)
    assert two.members == [[(pytest.approx(0.7), 1.0)]] * 2


def test_a_time_limit_ends_the_search_in_order():
    solution = solve_asynchronous(coalition=3, grid=11, seconds=1e-9)
    assert solution.stopped_by == "seconds"
    assert solution.starts == 1
    assert solution.repeated.lower <= solution.repeated.upper < 1


@pytest.mark.parametrize("coalition", [0, -2, 1.5, True, "2"])
def test_no_such_coalition(coalition):
    with pytest.raises(GameError, match="coalition must be a whole number"):
        solve_asynchronous(coalition=coalition)


@pytest.mark.parametrize("grid", [1, 0, 2.5, True])
def test_no_such_grid(grid):
    with pytest.raises(GameError, match="grid must be a whole number"):
        solve_asynchronous(coalition=2, grid=grid)


def test_what_does_not_fit_is_refused():
    with pytest.raises(SizeError, match="use a coarser grid"):
        solve_asynchronous(coalition=2, grid=10**9)
    with pytest.raises(SizeError, match="use a coarser grid"):
        solve_asynchronous(coalition=2, grid=100_000)


def test_json():
    answer = solve_asynchronous(coalition=3, grid=11).to_json()
    assert answer["grid"] == 11
    assert answer["synchronous"]["repeated"]["upper"] < answer["repeated"]["value"]
    total = reduce(lambda sum_, one: sum_ + one["probability"], answer["strategies"]["members"][0], 0.0)
    assert total == pytest.approx(1)


def test_an_interrupt_in_the_first_part_ends_the_second(monkeypatch):
    """Ctrl-C while the agreed profiles are solved is not lost: one start is finished, then that is all."""
    agreed = replace(solve_guts(coalition=2, grid=6), stopped_by="interrupt")
    monkeypatch.setattr(asynchronous, "solve_guts", lambda **arguments: agreed)
    solution = solve_asynchronous(coalition=2, grid=6)
    assert solution.stopped_by == "interrupt"
    assert solution.starts == 1
