"""One round of guts: against exact sums over who holds, the formulas for few players, and chips."""

import random
from fractions import Fraction

import numpy as np
import pytest
from reference.guts import exact_round, exact_wins, play_with_chips

from maxmin.errors import GameError
from maxmin.guts.payoffs import round_payoffs, win_probabilities

GRID = [Fraction(i, 7) for i in range(8)]


@pytest.mark.parametrize("players", range(2, 8))
def test_payoffs_are_the_exact_sums_over_who_holds(players):
    draw = random.Random(players)
    profiles = [[draw.choice(GRID) for _ in range(players)] for _ in range(20 - 2 * players)]
    alpha, beta = round_payoffs(np.array(profiles, dtype=float))
    wins = win_probabilities(np.array(profiles, dtype=float))
    for at, profile in enumerate(profiles):
        exact_alpha, exact_beta = exact_round(profile)
        np.testing.assert_allclose(alpha[at], np.array(exact_alpha, dtype=float), rtol=0, atol=2e-14)
        np.testing.assert_allclose(beta[at], float(exact_beta), rtol=0, atol=2e-14)
        np.testing.assert_allclose(wins[at], np.array(exact_wins(profile), dtype=float), rtol=0, atol=2e-15)


def test_two_players():
    p, q = np.random.default_rng(2).random((2, 50))
    alpha, beta = round_payoffs(np.stack([p, q], axis=-1))
    np.testing.assert_allclose(alpha[:, 0], (p - q) * (1 - 2 * np.maximum(p, q)), atol=1e-15)
    np.testing.assert_allclose(beta, p * q + (1 - p) * (1 - q), atol=1e-15)


def test_three_players():
    for p, q, r in np.random.default_rng(3).random((50, 3)).tolist():
        a, b = min(q, r), max(q, r)
        won = -2 * p**3 if p >= b else b**3 - 3 * b * p**2 if p >= a else b**3 + 3 * a**2 * b - 6 * a * b * p
        alpha, beta = round_payoffs([p, q, r])
        assert alpha[0] == pytest.approx(2 * p - q - r + 2 * p * q * r + won, abs=1e-14)
        assert beta == pytest.approx(2 - p - q - r + 2 * p * q * r, abs=1e-14)


@pytest.mark.parametrize("players", [2, 5, 40, 300])
def test_identities(players):
    thresholds = np.random.default_rng(players).random((20, players)) ** (1 / players)
    alpha, beta = round_payoffs(thresholds)
    np.testing.assert_allclose(alpha.sum(-1), 0, atol=1e-10)
    np.testing.assert_allclose(win_probabilities(thresholds).sum(-1), 1 - thresholds.prod(-1), atol=1e-13)
    assert (beta >= 0).all()
    assert (beta <= players - 1).all()
    same, _ = round_payoffs(np.full(players, 0.7))
    np.testing.assert_allclose(same, 0, atol=1e-11)


def test_players_may_be_renamed():
    thresholds = np.random.default_rng(4).random(6)
    order = np.array([3, 1, 5, 0, 2, 4])
    alpha, beta = round_payoffs(thresholds)
    moved, same = round_payoffs(thresholds[order])
    np.testing.assert_allclose(moved, alpha[order], atol=1e-14)
    assert same == pytest.approx(beta, abs=1e-15)


def test_extremes():
    alpha, beta = round_payoffs([0, 1, 1])  # one takes the pot of three antes
    assert (alpha.tolist(), beta) == ([2, -1, -1], 0)
    alpha, beta = round_payoffs([1, 1, 1])  # nobody ever plays
    assert (alpha.tolist(), beta) == ([0, 0, 0], 1)
    alpha, beta = round_payoffs([0, 0, 0, 1])  # three hold: one wins a pot, two pay one
    np.testing.assert_allclose(alpha, [1 - 4 / 3, 1 - 4 / 3, 1 - 4 / 3, 1], atol=1e-15)
    assert beta == 2


def test_leading_axes_are_profiles():
    thresholds = np.random.default_rng(5).random((2, 3, 4))
    alpha, beta = round_payoffs(thresholds)
    assert (alpha.shape, beta.shape) == ((2, 3, 4), (2, 3))
    np.testing.assert_array_equal(alpha[1, 2], round_payoffs(thresholds[1, 2])[0])


@pytest.mark.parametrize("thresholds", [(0.55, 0.8, 0.8), (0.7, 0.7, 0.6), (0.5, 0.6, 0.9, 0.9)])
def test_cash_of_games_with_chips_is_the_payoff_over_what_ends(thresholds):
    """Strategies that stay the same are worth alpha / (1 - beta), antes and matched pots paid as at the table."""
    alpha, beta = round_payoffs(thresholds)
    games = 40_000
    draw = random.Random(1)
    cash = np.array([play_with_chips(len(thresholds), lambda: thresholds, draw) for _ in range(games)])
    assert np.abs(cash.sum(1)).max() < 1e-6
    error = cash.std(0) / np.sqrt(games)
    assert (np.abs(cash.mean(0) - alpha / (1 - beta)) < 4 * error).all()
    assert error.max() < 0.05


@pytest.mark.parametrize(
    ("thresholds", "message"),
    [
        ([0.5, 1.1], "must be in .0, 1., not 1.1"),
        ([-1e-9, 0.5], "must be in .0, 1., not -1e-09"),
        ([0.5, float("nan")], "must be in .0, 1., not nan"),
        ([float("inf"), 0.5], "must be in .0, 1., not inf"),
        ([0.5], "at least two players"),
        ([], "at least two players"),
        (0.5, "at least two players"),
        ([[0.5, 0.5], [0.5]], "of as many players each"),
        (["half", 0.5], "must be real numbers, not <U"),
        (["0.5", "0.25"], "must be real numbers, not <U"),
        ([True, False], "must be real numbers, not bool"),
        ([None, 1], "must be real numbers, not None"),
        (np.array(["2020", "2021"], dtype="datetime64[Y]"), "must be real numbers, not datetime64"),
    ],
)
def test_what_are_no_thresholds_is_refused(thresholds, message):
    for function in (round_payoffs, win_probabilities):
        with pytest.raises(GameError, match=message):
            function(thresholds)
