"""The limit of large coalitions: from its own equations, by brute force, and as the limit of the values for N."""

import math

import numpy as np
import pytest

from maxmin.errors import SolutionError
from maxmin.guts import limit, solve_continuum, solve_limit
from maxmin.guts.certificate import exactly
from maxmin.guts.continuum import bloc, pseudo_bloc


def floats(curve, rate, player, stakes):
    """Return a curve of the limit at a float."""
    from flint import arb

    with exactly():
        return [float(part) for part in curve(arb(rate), arb(player), arb(stakes))]


def test_bounds_nearly_meet():
    solution = solve_limit()
    for found in (solution.one_shot, solution.repeated):
        assert found.lower <= found.value <= found.upper <= found.lower + 1e-14


@pytest.mark.parametrize(("ours", "theirs"), [(limit.bloc, bloc), (limit.pseudo_bloc, pseudo_bloc)])
def test_curves_are_limits(ours, theirs):
    s, rate, c, many = 1.3, 0.7, 0.85, 10**6
    value, slope, curvature = theirs(1 - rate / many, 1 - s / many, many, c)
    assert floats(ours, rate, s, c)[0] == pytest.approx(value, abs=1e-5)
    assert floats(ours, rate, s, c)[1] == pytest.approx(-slope / many, abs=1e-5)
    assert floats(ours, rate, s, c)[2] == pytest.approx(curvature / many**2, abs=1e-5)


def test_one_round_in_closed_form():
    y = 0.0
    for _ in range(50):
        y -= (2 * math.sinh(y) + 2 * y - 1) / (2 * math.cosh(y) + 2)
    assert solve_limit().one_shot.value == pytest.approx(2 - 2 * math.cosh(y), abs=1e-15)


@pytest.mark.parametrize("which", ["one_shot", "repeated"])
def test_values_and_rates_tend_to_the_limit(which):
    """Errors fall like 1 / N; two steps of Richardson's extrapolation leave N^-3."""
    found = getattr(solve_limit(), which)
    first, second, third = (getattr(solve_continuum(coalition=1000 * 2**k), which) for k in range(3))
    once = 2 * second.value - first.value, 2 * third.value - second.value
    assert (4 * once[1] - once[0]) / 3 == pytest.approx(found.value, abs=1e-9)
    assert 4 * (third.value - found.value) == pytest.approx(first.value - found.value, rel=1e-2)
    rates = [4000 * (1 - profile[-1]) for profile, _ in third.coalition]
    assert rates == pytest.approx([found.rates.bloc, found.rates.pseudo_bloc], abs=2e-3)
    assert 4000 * (1 - third.player[0][0][0]) == pytest.approx(found.rates.player, abs=2e-3)
    assert third.coalition[0][1] == pytest.approx(found.rates.weight, abs=2e-3)


def test_value_by_brute_force():
    """The best of many rates of player 1 against the better of many blocs and pseudo-blocs, in both games."""
    s, x = np.linspace(0.5, 2, 501)[:, None], np.linspace(0, 2, 401)
    allowed = np.where(x <= s, 0, np.inf)

    def value(v: float) -> float:
        c, none = 1 + v, 2 * np.exp(-x)
        blocs = c * (x - 1) + 1 - s + none * (s - x + c - 1) + allowed
        pseudo_blocs = c * x + 1 - s + none * (s - x - 1) + allowed
        return float(np.minimum(blocs.min(axis=1), pseudo_blocs.min(axis=1)).max())

    found = solve_limit()
    assert value(0.0) == pytest.approx(found.one_shot.value, abs=1e-3)
    v = -0.5
    for _ in range(25):
        v = value(v)
    assert v == pytest.approx(found.repeated.value, abs=2e-3)


def test_a_mixture_that_player_1_can_exploit_without_end_is_refused():
    good = solve_limit().repeated.rates
    rising = limit.Rates(good.player, good.bloc, good.pseudo_bloc, good.weight - 0.01)
    with exactly(), pytest.raises(SolutionError, match="no bound"):
        limit._certify_repeated(rising, solve_limit().repeated.value)
    with exactly(), pytest.raises(SolutionError, match="stakes may grow"):
        limit._certify_repeated(limit.Rates(3.0, 2.5, 2.5, 0.5), 0.0)


@pytest.mark.parametrize("bad", [(-1.0, 1, 1, 0.5), (1, 1, 1, 1.5), (1, math.nan, 1, 0.5)])
def test_no_bounds_for_what_is_no_strategy(bad):
    with pytest.raises(SolutionError, match="rates must be 0 or more"):
        limit.Rates(*bad)


def test_json():
    answer = solve_limit().to_json()
    assert answer["coalition"] is None
    assert [one["profile"] for one in answer["strategies"]["coalition"]] == ["bloc", "pseudo-bloc"]
