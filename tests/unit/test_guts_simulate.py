"""Games with chips: each round against a slow one in fractions, whole games against proved values."""

from itertools import product

import numpy as np
import pytest
from reference.card_guts import all_deals, play_round, strength

from maxmin.errors import Cancelled, MaxminError, SizeError, UnknownNameError
from maxmin.guts import card_dealer, round_payoffs, simulate, solve_card_guts, solve_guts, weenie_payoffs
from maxmin.guts.card_deals import Deals
from maxmin.guts.card_rules import TIES
from maxmin.guts.simulate import round_with_chips

ALWAYS, NEVER = [((0.0,), 1.0)], [((1.0,), 1.0)]


@pytest.mark.parametrize("weenie", [False, True])
@pytest.mark.parametrize("ties", TIES)
def test_rounds_are_played_by_the_rules(ties, weenie):
    """Every deal of a deck, every decision; lots must give one of the outcomes."""
    deals = list(all_deals(3, 2, 2))
    order = Deals(2, ranks=3, suits=2).classes
    hands = np.array([[order.index(hand) for hand in deal] for deal in deals], dtype=np.float64)
    for holds in product((False, True), repeat=3):
        cash, times = round_with_chips(
            np.random.default_rng(1), hands, np.array([holds] * len(deals)), ties, weenie=weenie
        )
        np.testing.assert_allclose(cash.sum(axis=1), 1 - times, atol=1e-15)
        for number, deal in enumerate(deals):
            values = [strength(hand, 3, straights=False) for hand in deal]
            outcomes = play_round(values, holds, ties, weenie=weenie)
            expected = [([float(c) for c in won], float(pot)) for _, won, pot in outcomes]
            assert (cash[number].tolist(), times[number]) in expected


def test_lots_are_fair():
    hands = np.full((30_000, 3), 0.5)
    cash, _ = round_with_chips(
        np.random.default_rng(2), hands, np.full(hands.shape, fill_value=True), "lot", weenie=False
    )
    np.testing.assert_allclose((cash > 0).mean(axis=0), 1 / 3, atol=4 * np.sqrt(2 / 9 / 30_000))


@pytest.mark.parametrize("weenie", [False, True])
def test_rounds_bring_what_the_formulas_say(weenie):
    thresholds, n = np.array([0.5, 0.3, 0.8, 0.7]), 4
    rng = np.random.default_rng(3)
    hands = rng.random((100_000, n))
    cash, times = round_with_chips(rng, hands, hands >= thresholds, "lot", weenie=weenie)
    alpha, beta = (weenie_payoffs if weenie else round_payoffs)(thresholds)
    gains = n * cash + (times - 1)[:, None]
    error = gains.std(axis=0) / np.sqrt(len(hands))
    assert (np.abs(gains.mean(axis=0) - alpha) < 4 * error).all()
    assert abs(times.mean() - beta) < 4 * times.std() / np.sqrt(len(hands))


def test_cards_are_dealt_from_one_deck():
    deals = Deals(3, ranks=4, suits=3, straights=True)
    hands = card_dealer(deals)(np.random.default_rng(4), 40_000)
    n = len(deals.classes)
    places = np.searchsorted(deals.drop[:n], hands)
    assert (deals.drop[places] == hands).all()
    for seat in range(3):
        expected = deals.ways / deals.hand_total
        found = np.bincount(places[:, seat], minlength=n) / len(hands)
        assert (np.abs(found - expected) < 5 * np.sqrt(expected / len(hands))).all()
    # All three at once: how often the others have worse hands than the best two classes.
    joint = ((places[:, 1] < n - 2) & (places[:, 2] < n - 2)).mean()
    exact = (deals.ways * deals.below[:, n - 2, n - 2]).sum() / deals.total
    assert joint == pytest.approx(exact, abs=4 * np.sqrt(exact / len(hands)))


@pytest.mark.parametrize(
    "options", [{"ties": "lot"}, {"ties": "split"}, {"ties": "last"}, {"ties": "first", "ranks": 5}]
)
def test_cards_confirm_the_repeated_value(options):
    solution = solve_card_guts(cards=2, **options)
    found = solution.repeated
    deal = card_dealer(solution.deals)
    played = simulate(found.player, found.coalition, games=30_000, deal=deal, ties=solution.ties, seed=11)
    assert played.growth < 1
    assert played.unfinished == 0
    assert played.standard_error < 0.03
    assert abs(played.mean - found.value) < 4 * played.standard_error


@pytest.mark.parametrize(
    "options", [{"coalition": 4, "grid": 21}, {"coalition": 2, "against": 2, "grid": 11}]
)
def test_games_confirm_the_repeated_value(options):
    found = solve_guts(**options).repeated
    played = simulate(found.player, found.coalition, games=40_000, seed=12)
    assert abs(played.mean - found.value) < 4 * played.standard_error
    assert abs(played.median_of_means - found.value) < 0.2


def test_weenie_games_confirm_the_repeated_value():
    """One against one, at thresholds where the variance is finite, so that means can be compared."""
    player, coalition = [((0.3,), 1.0)], [((0.2,), 0.5), ((0.4,), 0.5)]
    payoff, times = np.mean(
        [[a[0], b] for a, b in (weenie_payoffs([0.3, *profile]) for profile, _ in coalition)], axis=0
    )
    played = simulate(player, coalition, games=60_000, weenie=True, seed=13)
    assert played.growth < 1
    assert abs(played.mean - payoff / (1 - times)) < 4 * played.standard_error


def test_weenie_variance_is_reported_as_infinite():
    found = solve_guts(coalition=2, grid=21, weenie=True).repeated
    assert simulate(found.player, found.coalition, games=20_000, weenie=True).growth > 1


def test_who_never_holds_pays_the_ante():
    played = simulate(NEVER, ALWAYS, games=100)
    assert (played.mean, played.standard_error, played.rounds, played.largest_pot) == (-1, 0, 1, 2)


def test_games_without_end_are_broken_off():
    """Both always hold, and win as often; nobody ever holds: the pot is shared."""
    held = simulate(ALWAYS, ALWAYS, games=500, most_rounds=20)
    assert (held.unfinished, held.rounds) == (500, 20)
    assert abs(held.mean) < 4 * held.standard_error
    nobody = simulate(NEVER, NEVER, games=10, most_rounds=7)
    assert (nobody.unfinished, nobody.mean, nobody.growth) == (10, 0, 1)


def test_the_same_seed_plays_the_same_games():
    one, two, other = (simulate(ALWAYS, [((0.5,), 1.0)], games=1000, seed=seed) for seed in (1, 1, 2))
    assert {**one.to_json(), "seconds": 0} == {**two.to_json(), "seconds": 0}
    assert one.mean != other.mean
    assert simulate(ALWAYS, NEVER, games=1).to_json()["standard_error"] is None


def test_stopping_keeps_the_games_that_were_played():
    stopped = simulate(ALWAYS, [((0.5,), 1.0)], games=1000, callback=lambda played: played < 300)
    assert 300 <= stopped.games < 1000
    with pytest.raises(Cancelled, match="before a game was played"):
        simulate(ALWAYS, NEVER, games=10, callback=lambda _: False)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"games": 0}, MaxminError, "games must be a whole number from 1 up, not 0"),
        ({"games": 1.5}, MaxminError, "not 1.5"),
        ({"games": True}, MaxminError, "not True"),
        ({"games": 10**9}, SizeError, "at most 200,000,000"),
        ({"games": 1, "seed": -1}, MaxminError, "seed must be"),
        ({"games": 1, "most_rounds": 0}, MaxminError, "most_rounds must be"),
        ({"games": 1, "ties": "lots"}, UnknownNameError, "no rule 'lots'"),
        ({"games": 1, "player": [((1.5,), 1.0)]}, MaxminError, r"thresholds in \[0, 1\]"),
        ({"games": 1, "player": [((float("nan"),), 1.0)]}, MaxminError, r"thresholds in \[0, 1\]"),
        ({"games": 1, "player": [((0.5,), 0.5)]}, MaxminError, "sum to 1"),
        ({"games": 1, "player": []}, MaxminError, "profiles of equal length"),
        ({"games": 1, "player": [((0.5,), 0.5), ((0.5, 0.5), 0.5)]}, MaxminError, "profiles of equal length"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        simulate(**{"player": ALWAYS, "coalition": ALWAYS, **arguments})
