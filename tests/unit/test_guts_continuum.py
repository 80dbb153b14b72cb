"""Guts on the continuum: the formulas, the claims they rest on, the bounds, and other ways to the same values."""

import math
from fractions import Fraction

import numpy as np
import pytest
from reference.guts import exact_round

from maxmin.errors import GameError, SolutionError
from maxmin.guts import round_payoffs, solve_continuum, solve_guts
from maxmin.guts.certificate import (
    exactly,
    least_of_convex,
    most_of_concave,
    repeated_lower,
    repeated_upper,
    round_down,
    round_up,
)
from maxmin.guts.continuum import (
    LARGEST_COALITION,
    Saddle,
    against_mixture,
    bloc,
    find_saddle,
    guarantee,
    held_to,
    pseudo_bloc,
)

SIZES = (1, 2, 3, 4, 5, 8, 15, 40, 100, 333, 1000)


def exact_value(profile: list[Fraction], stakes: Fraction) -> Fraction:
    """Return player 1's alpha + v * beta in fractions, from the rules."""
    alpha, beta = exact_round(profile)
    return alpha[0] + (stakes - 1) * beta


def values(player: np.ndarray, others: np.ndarray, stakes: float) -> np.ndarray:
    """Return player 1's alpha + v * beta, (len(player), len(others))."""
    shape = len(player), len(others)
    profiles = np.concatenate(
        [
            np.broadcast_to(player[:, None, None], (*shape, 1)),
            np.broadcast_to(others, (*shape, others.shape[1])),
        ],
        axis=-1,
    )
    alpha, beta = round_payoffs(profiles)
    return alpha[..., 0] + (stakes - 1) * beta


@pytest.mark.parametrize("coalition", [1, 2, 3, 4])
def test_the_two_curves_are_the_game_in_fractions(coalition):
    p, t, c = Fraction(3, 7), Fraction(5, 8), Fraction(9, 11)
    assert bloc(t, p, coalition, c)[0] == exact_value([p] + [t] * coalition, c)
    other = [p, Fraction(0)] + [t] * (coalition - 1)
    assert pseudo_bloc(t, p, coalition, c)[0] == exact_value(other, c)


@pytest.mark.parametrize("coalition", [2, 3, 7, 60])
def test_derivatives(coalition):
    p, t, c, step = 0.81, 0.93, 0.7, 1e-5
    for curve in (bloc, pseudo_bloc):
        up, here, down = (curve(t + shift, p, coalition, c) for shift in (step, 0.0, -step))
        assert (up[0] - down[0]) / (2 * step) == pytest.approx(here[1], rel=1e-6, abs=1e-6)
        assert (up[1] - down[1]) / (2 * step) == pytest.approx(here[2], rel=1e-6, abs=1e-6)
    up, here, down = (against_mixture(p + shift, 0.9, t, 0.3, coalition, c) for shift in (step, 0.0, -step))
    assert (up[0] - down[0]) / (2 * step) == pytest.approx(here[1], rel=1e-6, abs=1e-6)
    assert (up[1] - down[1]) / (2 * step) == pytest.approx(here[2], rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("coalition", SIZES)
def test_bounds_nearly_meet(coalition):
    solution = solve_continuum(coalition=coalition)
    for found in (solution.one_shot, solution.repeated):
        assert found.lower <= found.value <= found.upper
        assert found.upper - found.lower <= 1e-13
        assert sum(weight for _, weight in found.coalition) == pytest.approx(1, abs=1e-15)
        assert all(len(profile) == coalition for profile, _ in found.coalition)


def test_one_opponent_is_an_even_match():
    solution = solve_continuum(coalition=1)
    for found in (solution.one_shot, solution.repeated):
        assert (found.lower, found.upper) == (0, 0)
        assert found.player == found.coalition == [((0.5,), 1.0)]


def test_figures_of_the_paper():
    """Player 1 loses about 0.013 against two, who play 0.68 twice, or 0 and 0.86; his threshold is 0.64."""
    found = solve_continuum(coalition=2).repeated
    assert found.value == pytest.approx(-0.013, abs=5e-4)
    assert found.player[0][0][0] == pytest.approx(0.64, abs=0.005)
    assert found.coalition[0] == (pytest.approx((0.68, 0.68), abs=0.005), pytest.approx(0.86, abs=0.03))
    assert found.coalition[1][0] == pytest.approx((0, 0.86), abs=0.005)


@pytest.mark.parametrize("coalition", [2, 3, 4])
def test_bounds_hold_in_fractions(coalition):
    """The strategies' payoffs, in fractions from the rules, are never beyond the bounds; here they touch them."""
    solution = solve_continuum(coalition=coalition)
    found = solution.one_shot
    player = Fraction(found.player[0][0][0])
    payoffs = [exact_value([player, *map(Fraction, profile)], Fraction(1)) for profile, _ in found.coalition]
    assert all(found.lower <= payoff <= found.lower + 1e-15 for payoff in payoffs)
    weights = [Fraction(found.coalition[0][1]), 1 - Fraction(found.coalition[0][1])]
    for p in (Fraction(0), Fraction(1, 2), player, Fraction(9, 10), Fraction(1)):
        mixed = sum(
            weight * exact_value([p, *map(Fraction, profile)], Fraction(1))
            for weight, (profile, _) in zip(weights, found.coalition, strict=True)
        )
        assert mixed <= found.upper


@pytest.mark.parametrize(("coalition", "points"), [(2, 81), (3, 31), (4, 17)])
@pytest.mark.parametrize("stakes", [0.05, 0.8, 1.0, 2.5])
def test_no_profile_beats_blocs_and_pseudo_blocs(coalition, points, stakes):
    """Theorem 1 on all profiles of a grid, at player 1's thresholds of all kinds."""
    axes = np.meshgrid(*[np.linspace(0, 1, points)] * coalition)
    profiles = np.stack([axis.ravel() for axis in axes], axis=-1)
    profiles = profiles[(np.diff(profiles) >= 0).all(axis=1)]
    for p in (0.0, 0.15, 0.5, 0.7, 0.9, 0.99):
        t = np.linspace(max(p, 1e-6), 1, 4001)
        best = min(bloc(t, p, coalition, stakes)[0].min(), pseudo_bloc(t, p, coalition, stakes)[0].min())
        assert values(np.array([p]), profiles, stakes).min() >= best - 1e-6


@pytest.mark.parametrize("coalition", [2, 3, 6, 12])
def test_no_search_beats_the_lower_bound(coalition):
    """Random profiles, and what descending from them one threshold at a time finds."""
    rng = np.random.default_rng(coalition)
    found = solve_continuum(coalition=coalition).one_shot
    player = np.array(found.player[0][0])
    profiles = rng.random((400, coalition)) ** (1 / rng.integers(1, 2 * coalition, (400, 1)))
    profiles[::3, 0] = 0
    assert values(player, profiles, 1.0).min() >= found.lower
    low = profiles[values(player, profiles, 1.0)[0].argsort()[:3]]
    candidates = np.unique(
        np.concatenate([np.linspace(0, 1, 101), found.coalition[0][0], found.coalition[1][0]])
    )
    for profile in low:
        for member in list(range(coalition)) * 3:
            moved = np.repeat(profile[None], len(candidates), axis=0)
            moved[:, member] = candidates
            payoffs = values(player, moved, 1.0)[0]
            assert payoffs.min() >= found.lower - 1e-15
            profile = moved[payoffs.argmin()]


@pytest.mark.parametrize("coalition", SIZES)
def test_no_threshold_beats_the_upper_bound(coalition):
    found = solve_continuum(coalition=coalition).one_shot
    profiles = np.array([profile for profile, _ in found.coalition])
    weights = np.array([weight for _, weight in found.coalition])
    near = found.player[0][0][0] + np.linspace(-1e-3, 1e-3, 41) / coalition
    payoffs = values(np.concatenate([np.linspace(0, 1, 101), near]), profiles, 1.0) @ weights
    assert payoffs.max() <= found.upper + 1e-13 * coalition
    assert payoffs.max() >= found.upper - 1e-8


@pytest.mark.parametrize(("coalition", "grid"), [(1, 21), (2, 101), (2, 401), (3, 101), (4, 41), (5, 21)])
def test_grids_come_near(coalition, grid):
    """On a grid of step h each side loses at most n N h^2 / 4 by mixing the points next to its thresholds."""
    on_grid, exact = solve_guts(coalition=coalition, grid=grid), solve_continuum(coalition=coalition)
    loss = coalition * (coalition + 1) / (4 * (grid - 1) ** 2) + 1e-9
    assert abs(on_grid.one_shot.value - exact.one_shot.value) <= loss
    beta = max(0.0, 1 - exact.one_shot.value / exact.repeated.value) if exact.repeated.value else 0.5
    assert abs(on_grid.repeated.value - exact.repeated.value) <= 2 * loss / (1 - beta)


@pytest.mark.parametrize("coalition", [2, 5])
def test_repeated_value_by_value_iteration(coalition):
    """v -> value(v) on fine grids of p and t, from player 1's fee and from the coalition's."""
    t = np.linspace(1e-6, 1, 1001)

    def value(v: float, low: float = 0.0, high: float = 1.0) -> float:
        p = np.linspace(low, high, 51)[:, None]
        allowed = np.where(t >= p, 0, np.inf)
        least = [(curve(t, p, coalition, 1 + v)[0] + allowed).min(axis=1) for curve in (bloc, pseudo_bloc)]
        worst = np.minimum(*least)
        best, step = p[worst.argmax(), 0], (high - low) / 50
        return worst.max() if step < 1e-4 else value(v, max(0, best - step), min(1, best + step))

    found = solve_continuum(coalition=coalition).repeated.value
    for v in (-1.0, float(coalition)):
        for _ in range(25):
            v = value(v)
        assert v == pytest.approx(found, abs=1e-4)


def test_a_careless_strategy_has_worse_bounds():
    good, bad = find_saddle(3, 1.0), Saddle(0.6, 0.7, 0.8, 0.5)
    from flint import arb

    with exactly():
        one = arb(1)
        assert guarantee(3, bad, one) < guarantee(3, good, one) < held_to(3, good, one) < held_to(3, bad, one)
        worst = min(bloc(np.linspace(0.6, 1, 9999), 0.6, 3, 1.0)[0].min(), 0)
        assert float(guarantee(3, bad, one)) == pytest.approx(worst, abs=1e-6)


@pytest.mark.parametrize("bad", [(1.0, 1, 1, 1), (-0.1, 0, 0, 0), (0.5, 0.5, 1.1, 0), (0.5, 1, 1, math.nan)])
def test_no_bounds_for_what_is_no_strategy(bad):
    with pytest.raises(SolutionError, match=r"must be in \[0, 1\]"):
        Saddle(*bad)


def test_tangents_bound_from_the_right_side():
    from flint import arb

    with exactly():
        low, high = arb(-1), arb(2)
        assert least_of_convex(lambda x: (x * x, 2 * x, arb(2)), 0.7, low, high) <= 0
        assert least_of_convex(lambda x: (x * x, 2 * x, arb(2)), 0.7, low, high) > -1e-30
        assert least_of_convex(lambda x: (x, arb(1), arb(0)), 0.7, low, high) == -1
        assert most_of_concave(lambda x: (1 - x * x, -2 * x, arb(-2)), 0.7, arb(1)) >= 1
        # Known only up to 1/4, rising there: the tangent reaches to 1.
        assert most_of_concave(lambda x: (x - x * x, 1 - 2 * x, arb(-2)), 0.2, arb(0.25)) == 0.1875 + 0.75 / 2


def test_floats_are_rounded_outwards():
    from flint import arb

    with exactly():
        third = arb(1) / 3
        assert round_down(third) < third < round_up(third)
        assert round_up(third) == math.nextafter(round_down(third), 1)
        assert round_down(arb(0.5)) == round_up(arb(0.5)) == 0.5
        assert str(round_up(arb(0))) == "0.0"


def test_fixed_points_are_proved_or_refused():
    from flint import arb

    with exactly():
        half = repeated_lower(lambda v: v / 2 - arb(1) / 6, -1 / 3, fee=1)
        assert half <= -arb(1) / 3
        assert half == pytest.approx(-1 / 3, abs=1e-15)
        assert repeated_upper(lambda v: v / 2 - arb(1) / 6, -1 / 3, fee=2) >= -arb(1) / 3
        with pytest.raises(SolutionError, match=r"no bound of the repeated value near 5\b"):
            repeated_lower(lambda v: v / 2 - arb(1) / 6, 5.0, fee=1)
        with pytest.raises(SolutionError, match="no bound"):
            repeated_lower(lambda v: 2 * v, 0.0, fee=1)  # does not rise from the fee


@pytest.mark.parametrize("coalition", [0, -1, 2.5, True, "3", None, math.nan, LARGEST_COALITION + 1])
def test_no_such_coalition(coalition):
    with pytest.raises(GameError, match=r"coalition must be a whole number|the most is 100,000"):
        solve_continuum(coalition=coalition)


def test_json():
    answer = solve_continuum(coalition=3).to_json()
    assert answer["coalition"] == 3
    assert answer["grid"] is None
    assert answer["one_shot"].keys() == answer["repeated"].keys() == {"value", "lower", "upper"}
    assert [len(one["thresholds"]) for one in answer["strategies"]["coalition"]] == [3, 3]
