"""Random recursive games against plain value iteration with a 2 x 2 formula, and the proof in exact fractions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from maxmin.recursive import MatrixState, RecursiveGame, fixed_points, solve_recursive
from maxmin.recursive.certificate import seats_of
from maxmin.recursive.listed import Mixture

ROUNDS = 3_000


def value_of(m):
    """Return the value of a 2 x 2 matrix."""
    lower, upper = max(min(m[0]), min(m[1])), min(max(m[0][0], m[1][0]), max(m[0][1], m[1][1]))
    if lower >= upper:
        return lower
    return (m[0][0] * m[1][1] - m[0][1] * m[1][0]) / (m[0][0] + m[1][1] - m[0][1] - m[1][0])


def iterate(payoffs, multipliers, start, low, high):
    """Return where v -> T(v), between the fees, leads from `start`; plain Python."""
    n = len(payoffs)
    v = [start] * n
    for _ in range(ROUNDS):
        rounds = [
            [
                [payoffs[i][r][c] + sum(v[j] * multipliers[i][j][r][c] for j in range(n)) for c in range(2)]
                for r in range(2)
            ]
            for i in range(n)
        ]
        new = [min(max(value_of(m), low), high) for m in rounds]
        if new == v:
            break
        v = new
    return v


def random_game(seed, n, most):
    random = np.random.default_rng(seed)
    payoffs = random.integers(-8, 9, (n, 2, 2)) / 8
    multipliers = random.integers(0, 9, (n, n, 2, 2)) / 8 * most / n
    return payoffs, multipliers


def game_of(payoffs, multipliers, **fees):
    return RecursiveGame([MatrixState(a, b) for a, b in zip(payoffs, multipliers, strict=True)], **fees)


SEEDS = st.integers(0, 2**32 - 1)


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.integers(1, 3), st.sampled_from([0.5, 0.9]))
def test_discounted_games(seed, n, most):
    payoffs, multipliers = random_game(seed, n, most)
    found = solve_recursive(game_of(payoffs, multipliers))
    assert found.converged
    for state, value in zip(found.states, iterate(payoffs, multipliers, 0.0, -100, 100), strict=True):
        assert state.repeated.lower - 1e-12 <= value <= state.repeated.upper + 1e-12


@settings(max_examples=60, deadline=None)
@given(st.floats(-100, 100), st.floats(0, 0.99))
@example(
    0.48538300015128616, 0.6390681405441619
)  # the bound of all values, before any round, was rounded down
def test_geometric_series_to_the_last_digit(payoff, multiplier):
    found = solve_recursive(RecursiveGame(MatrixState([[payoff]], [[multiplier]]))).repeated
    assert Fraction(found.lower) <= Fraction(payoff) / (1 - Fraction(multiplier)) <= Fraction(found.upper)


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.integers(1, 2), st.sampled_from([1.0, 1.5, 2.5]))
def test_growing_stakes(seed, n, most):
    payoffs, multipliers = random_game(seed, n, most)
    found = solve_recursive(game_of(payoffs, multipliers, t1=1, t2=2))
    below = iterate(payoffs, multipliers, -1.0, -1.0, 2.0)
    above = iterate(payoffs, multipliers, 2.0, -1.0, 2.0)
    for state, low, high in zip(found.states, below, above, strict=True):
        # Plain iteration ends just short of where it leads to.
        assert state.repeated.lower == pytest.approx(low, abs=1e-3)
        assert state.repeated.upper == pytest.approx(high, abs=1e-3)
        assert state.repeated.lower <= high + 1e-9
        assert state.repeated.upper >= low - 1e-9


@settings(max_examples=30, deadline=None)
@given(SEEDS, st.integers(1, 3))
def test_everett_games(seed, n):
    # Each entry ends the game with a payoff, or leads to a state for sure. T^k(0) tends to the value, if slowly.
    random = np.random.default_rng(seed)
    ends = random.random((n, 2, 2)) < 0.5
    payoffs = random.integers(-4, 5, (n, 2, 2)) / 4 * ends
    leads_to = random.integers(0, n, (n, 2, 2))
    multipliers = np.stack([(leads_to == j) & ~ends for j in range(n)], axis=1).astype(float)
    found = solve_recursive(game_of(payoffs, multipliers), iterations=500)
    for state, value in zip(found.states, iterate(payoffs, multipliers, 0.0, -100, 100), strict=True):
        assert state.repeated.lower - 0.01 <= value <= state.repeated.upper + 0.01


@settings(max_examples=25, deadline=None)
@given(SEEDS, st.integers(1, 2))
def test_players_change_places(seed, n):
    payoffs, multipliers = random_game(seed, n, 1.5)
    found = solve_recursive(game_of(payoffs, multipliers, t1=1, t2=2))
    swapped = solve_recursive(
        game_of(-payoffs.transpose(0, 2, 1), multipliers.transpose(0, 1, 3, 2), t1=2, t2=1)
    )
    for state, other in zip(found.states, swapped.states, strict=True):
        assert state.repeated.lower == pytest.approx(-other.repeated.upper, abs=1e-6)
        assert state.repeated.upper == pytest.approx(-other.repeated.lower, abs=1e-6)
        assert state.one_shot.value == pytest.approx(-other.one_shot.value, abs=1e-12)


@settings(max_examples=25, deadline=None)
@given(SEEDS, st.floats(0.01, 1000))
def test_units(seed, unit):
    payoffs, multipliers = random_game(seed, 1, 0.9)
    found = solve_recursive(game_of(payoffs, multipliers, t1=1, t2=2)).repeated
    scaled = solve_recursive(game_of(payoffs * unit, multipliers, t1=unit, t2=2 * unit)).repeated
    assert scaled.value == pytest.approx(found.value * unit, abs=1e-8 * max(unit, 1))


def exact_round(payoffs, multipliers, weights, values):
    """Return f(values) of the certificate in fractions, for mixtures of all rows."""
    worth = []
    for a, b, x in zip(payoffs, multipliers, weights, strict=True):
        total = sum(map(Fraction, x))
        worth.append(
            min(
                sum(
                    Fraction(x[r])
                    * (Fraction(a[r][c]) + sum(v * Fraction(b[j][r][c]) for j, v in enumerate(values)))
                    for r in range(2)
                )
                / total
                for c in range(2)
            )
        )
    return worth


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.integers(1, 3), st.sampled_from([0.9, 1.5, 3.0]))
def test_certificate_holds_in_fractions(seed, n, most):
    payoffs, multipliers = random_game(seed, n, most)
    random = np.random.default_rng(seed)
    weights = random.dirichlet([1, 1], n)
    first, _ = seats_of(game_of(payoffs, multipliers, t1=1, t2=9))
    start = np.full(n, -1.0)
    mixtures = [Mixture((0, 1), x) for x in weights]
    secured = first.secure(mixtures, start, aim=random.uniform(-1, 2, n), ceiling=np.full(n, 9.0))
    assert (secured >= start).all()
    # Playing on for many rounds, where it is better than leaving, comes as near as one likes.
    values = start
    for _ in range(400):
        rounds = (payoffs + np.einsum("ijrc,j->irc", multipliers, values)).transpose(0, 2, 1) @ weights[
            ..., None
        ]
        values = np.clip(rounds.min(axis=(1, 2)), values, 9.0)
    assert (values >= secured - 1e-3).all()
    # And the proof itself: every state holds what it had, or is worth it.
    worth = exact_round(
        payoffs.tolist(), multipliers.tolist(), weights.tolist(), [Fraction(v) for v in secured]
    )
    for new, low, old in zip(worth, secured, start, strict=True):
        assert min(new, 9) >= Fraction(low) or low == old


@settings(max_examples=5, deadline=None)
@given(SEEDS)
def test_scan_finds_every_crossing(seed):
    payoffs, multipliers = random_game(seed, 1, 2.5)
    found = fixed_points(game_of(payoffs, multipliers, t1=1), low=-2, high=3, gap=1e-6)
    places = np.linspace(-2, 3, 997)
    above = [value_of((payoffs[0] + v * multipliers[0, 0]).tolist()) > v for v in places]
    crossings = [(places[i], places[i + 1]) for i in range(len(places) - 1) if above[i] != above[i + 1]]
    for low, high in crossings:
        assert any(point.lower <= high and point.upper >= low for point in found.points)
    for point in found.points:
        gap = value_of((payoffs[0] + point.value * multipliers[0, 0]).tolist()) - point.value
        assert abs(gap) <= 1e-5


@settings(max_examples=30, deadline=None)
@given(SEEDS, st.integers(1, 3))
def test_rounds_are_rounded_down(seed, n):
    random = np.random.default_rng(seed)
    payoffs, multipliers = random.normal(size=(n, 2, 2)), random.uniform(0, 3, (n, n, 2, 2))
    weights, values = random.dirichlet([1, 1], n), random.normal(size=n)
    first, _ = seats_of(game_of(payoffs, multipliers, t1=1))
    found = first.round_worth([Mixture((0, 1), x) for x in weights], values).worth
    exact_values = [Fraction(v) for v in values]
    exact = exact_round(payoffs.tolist(), multipliers.tolist(), weights.tolist(), exact_values)
    for low, worth in zip(found, exact, strict=True):
        assert Fraction(low) <= worth
        assert low == pytest.approx(float(worth), abs=1e-13)
