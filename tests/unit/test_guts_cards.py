"""Guts with cards against every deal of small decks, in fractions, and against itself by other routes."""

import random
from fractions import Fraction
from functools import lru_cache
from itertools import product

import numpy as np
import pytest
from reference.card_guts import all_deals, expected_round, strength

from maxmin.errors import GameError, MaxminError, UnknownNameError
from maxmin.guts import solve_card_guts
from maxmin.guts.card_deals import Deals
from maxmin.guts.card_hands import hand_name, strengths
from maxmin.guts.card_responses import least_of_any, least_of_pairs, most_of_any
from maxmin.guts.card_rules import TIES, CardGuts
from maxmin.matrix import solve_matrix
from maxmin.recursive import Guarantee

DECKS = [(4, 2, 2, False), (3, 2, 2, False), (5, 2, 3, False), (5, 2, 3, True)]
"""Ranks, suits, cards of a hand, and whether straights count."""


@lru_cache
def deals_of(ranks, suits, cards):
    return list(all_deals(ranks, suits, cards))


@lru_cache
def counted(ranks, suits, cards, straights):
    return Deals(cards, ranks=ranks, suits=suits, straights=straights)


@pytest.mark.parametrize("deck", [*DECKS, (3, 3, 2, False), (3, 4, 2, False)])
def test_deals_are_counted_as_they_are_dealt(deck):
    ranks, suits, cards, straights = deck
    deals, all_of_them = counted(*deck), deals_of(ranks, suits, cards)
    place = {hand: number for number, hand in enumerate(deals.classes)}
    n = len(deals.classes)
    times = np.zeros((n, n, n), dtype=np.int64)
    for hands in all_of_them:
        times[tuple(place[hand] for hand in hands)] += 1
    assert deals.total == len(all_of_them)
    assert deals.ways.sum() == deals.hand_total
    below = np.zeros((n, n + 1, n + 1), dtype=np.int64)
    below[:, 1:, 1:] = times.cumsum(axis=1).cumsum(axis=2)
    assert (deals.ways[:, None, None] * deals.below == below).all()
    values = [strength(hand, ranks, straights=straights) for hand in deals.classes]
    assert values == sorted(set(values))


@pytest.mark.parametrize(
    ("deck", "ties", "weenie"),
    [
        *product(DECKS[:2], TIES, [False, True]),
        (DECKS[2], "lot", True),
        (DECKS[3], "split", True),
    ],
)
def test_rounds_are_the_mean_of_all_deals(deck, ties, weenie):
    ranks, suits, cards, straights = deck
    deals, draw = counted(*deck), random.Random(4)
    rules = CardGuts(deals, ties=ties, weenie=weenie)
    n = len(deals.classes)
    some = [(0, 0, 0), (n, n, n), (0, n, n), *[[draw.randint(0, n) for _ in range(3)] for _ in range(2)]]
    for p, q, r in some if cards == 2 else some[-1:]:  # of 16,800 deals
        held = [set(deals.classes[threshold:]) for threshold in (p, q, r)]
        options = {"ties": ties, "weenie": weenie, "straights": straights}
        alpha, beta = expected_round(deals_of(ranks, suits, cards), held, options, ranks)
        for found, expected in zip(rules.column((q, r)), (alpha, beta), strict=True):
            assert found[p] == pytest.approx(float(expected), abs=1e-15)


@pytest.mark.parametrize("weenie", [False, True])
@pytest.mark.parametrize("ties", TIES)
def test_rows_and_columns_are_the_same_matrix(ties, weenie):
    rules = CardGuts(counted(5, 2, 3, True), ties=ties, weenie=weenie)
    places = range(len(rules.places))
    columns = np.array([[rules.column((q, r)) for r in places] for q in places])
    rows = np.array([rules.row(p) for p in places])
    np.testing.assert_array_equal(columns.transpose(3, 2, 0, 1), rows)
    assert (rows[:, 1] >= 0).all()
    np.testing.assert_array_equal(rows, rows.swapaxes(2, 3))


@pytest.mark.parametrize("ties", ["lot", "split"])
def test_everybody_alike_gets_nothing(ties):
    for weenie in (False, True):
        rules = CardGuts(Deals(2), ties=ties, weenie=weenie)
        for threshold in (0, 30, 70, 91):
            assert rules.column((threshold, threshold))[0][threshold] == pytest.approx(0, abs=1e-15)


def some_mixtures(rules, seed):
    """Return a guarantee with random mixtures: only its plans and weights are used."""
    rng = np.random.default_rng(seed)
    n = len(rules.deals.classes)
    rows = tuple(range(n + 1))
    columns = tuple((q, r) for q in rows for r in rows if q <= r)
    x, y = rng.dirichlet(np.full(len(rows), 0.3)), rng.dirichlet(np.full(len(columns), 0.05))
    return Guarantee(0.0, 0.0, 0.0, rows, x, columns, y)


@pytest.mark.parametrize("ties", TIES)
def test_best_responses_with_any_hands(ties):
    """All sets of hands of player 1, all pairs of sets of the others, by adding up all deals."""
    deals = Deals(2, ranks=3, suits=2)
    all_of_them, n, value = deals_of(3, 2, 2), len(deals.classes), 0.3
    sets = list(product([False, True], repeat=n))
    place = {hand: number for number, hand in enumerate(deals.classes)}
    numbered = np.array([[place[hand] for hand in hands] for hands in all_of_them])
    worth = np.zeros((2, 2, 2, len(all_of_them)))  # by who holds, of each deal
    for holds in product((0, 1), repeat=3):
        for number, hands in enumerate(all_of_them):
            held = [{hand} if hold else set() for hand, hold in zip(hands, holds, strict=True)]
            rules = {"ties": ties, "weenie": False, "straights": False}
            alpha, beta = expected_round([hands], held, rules, 3)
            worth[holds][number] = float(alpha + Fraction(value) * beta)
    rules = CardGuts(deals, ties=ties)
    found = some_mixtures(rules, 5)
    thresholds = np.arange(n + 1)
    holds_1 = np.array([found.row_weights[thresholds <= a].sum() for a in range(n)])[numbered[:, 0]]
    q, r = np.array(found.columns).T
    holds_23 = np.zeros((2, 2, len(all_of_them)))
    for number, (_, b, c) in enumerate(numbered):
        for i, j in product((0, 1), repeat=2):
            chosen = ((q <= b) == bool(i)) & ((r <= c) == bool(j))
            holds_23[i, j, number] = found.column_weights[chosen].sum()
    by_choice = np.einsum("hijd,ijd->hd", worth, holds_23)
    most = max(
        np.where(np.array(chosen)[numbered[:, 0]], by_choice[1], by_choice[0]).mean() for chosen in sets
    )
    assert most_of_any(rules, found, value) == pytest.approx(most, abs=1e-12)
    by_pair = (1 - holds_1) * worth[0] + holds_1 * worth[1]
    masks = np.array(sets)
    b, c = masks[:, None, numbered[:, 1]], masks[None, :, numbered[:, 2]]
    means = (
        (b & c) * by_pair[1, 1]
        + (b & ~c) * by_pair[1, 0]
        + (~b & c) * by_pair[0, 1]
        + (~b & ~c) * by_pair[0, 0]
    ).mean(axis=2)
    assert least_of_any(rules, found, value) == pytest.approx(means.min(), abs=1e-9)
    # Thresholds are among these sets, so they can do no better.
    values = np.array([value])
    assert rules.best_row(found.columns, found.column_weights, values)[1] <= most + 1e-12
    assert rules.best_column(found.rows, found.row_weights, values)[1] >= means.min() - 1e-12


@pytest.mark.parametrize("sign", [-1, 1])
def test_pairs_are_bounded_from_below(sign):
    rng = np.random.default_rng(8)
    for _ in range(5):
        single, both = rng.normal(size=4), rng.normal(size=(4, 4)) if sign < 0 else rng.random((4, 4))
        masks = np.array(list(product((0, 1), repeat=4)))
        sums = (masks @ single)[:, None] + masks @ single + masks @ both @ masks.T
        assert least_of_pairs(single, both) <= sums.min() + 1e-12
        if sign > 0:
            assert least_of_pairs(single, both) == pytest.approx(sums.min(), abs=1e-9)


@pytest.mark.parametrize(
    ("options", "deck"),
    [
        ({"ties": "lot"}, {"cards": 2, "ranks": 9}),
        ({"ties": "split", "weenie": True}, {"cards": 2, "ranks": 8}),
        ({"ties": "first"}, {"cards": 3, "ranks": 5, "suits": 3}),
        ({"ties": "last", "straights": True}, {"cards": 3, "ranks": 5, "suits": 2}),
    ],
)
def test_values_are_those_of_the_whole_matrices(options, deck):
    solution = solve_card_guts(**options, **deck)
    rules = CardGuts(solution.deals, ties=solution.ties, weenie=solution.weenie)
    tables = np.array([rules.row(p) for p in rules.places])
    whole = tables.reshape(len(tables), 2, -1)
    value = solution.repeated.value
    assert solve_matrix(whole[:, 0], method="lp").value == pytest.approx(solution.one_shot.value, abs=1e-9)
    again = solve_matrix(whole[:, 0] + value * whole[:, 1], method="lp").value
    assert again == pytest.approx(value, abs=1e-8)
    assert solution.outcome == "entered"
    assert 0 <= solution.gap <= 1e-9
    assert solution.repeated.lower <= value <= solution.repeated.upper


def test_two_cards():
    """Thresholds are all that anybody needs; against player 1, who wins no tie, the others do better."""
    values = {}
    for ties in TIES:
        solution = solve_card_guts(cards=2, ties=ties)
        values[ties] = solution.repeated.value
        assert solution.gain_of_player <= 1e-9
        assert solution.gain_of_coalition <= 1e-9
        assert solution.sizes == {"rows": 92, "columns": 92 * 93 // 2}
    assert values["last"] < values["lot"] < values["split"] < 0 < values["first"]
    assert values["lot"] == pytest.approx(-0.0063037358, abs=1e-9)


def worth_of_found_sets(rules, found):
    """Return what the coalition leaves with the best sets that alternating between its members finds."""
    table = rules.against_rows(found.rows, found.row_weights, found.value)
    single, both = table[:-1, -1] - table[1:, -1], np.diff(np.diff(table, axis=0), axis=1)
    least = 0.0
    for threshold in range(len(single) + 1):
        y = np.arange(len(single)) >= threshold
        for _ in range(20):
            x = single + both @ y < 0
            y = single + both.T @ x < 0
        least = min(least, single @ x + single @ y + x @ both @ y)
    return table[-1, -1] + least


@pytest.mark.parametrize(
    "deck",
    [{"ranks": 6}, {"ranks": 6, "suits": 3}, {"ranks": 5, "straights": True}, {"ranks": 13, "cards": 2}],
)
def test_what_the_coalition_could_gain_is_what_some_sets_gain(deck):
    """The bound is met; with three cards of a small deck, sets of hands are worth more than thresholds."""
    solution = solve_card_guts(**{"cards": 3, **deck})
    rules, found = CardGuts(solution.deals), solution.repeated
    place = {threshold: number for number, threshold in enumerate(solution.deals.drop.tolist())}
    rows = tuple(place[threshold] for (threshold,), _ in found.player)
    weights = np.array([weight for _, weight in found.player])
    same = Guarantee(found.value, 0.0, 0.0, rows, weights, (), np.array([]))
    met = found.value - worth_of_found_sets(rules, same)
    assert solution.gain_of_coalition == pytest.approx(met, abs=1e-9)
    assert (solution.gain_of_coalition > 1e-3) == (solution.cards == 3)


def test_strategies_name_hands():
    solution = solve_card_guts(cards=2)
    for profile, _ in solution.repeated.player + solution.repeated.coalition:
        for threshold in profile:
            hand = solution.hand(threshold)
            place = [solution.deals.name(number) for number in range(91)].index(hand)
            assert solution.deals.drop[place] == threshold
    assert (solution.hand(0.0), solution.hand(1.0)) == ("32", "nothing")


def test_hands_are_counted_and_ordered():
    two, three = Deals(2), Deals(3, ranks=6, suits=2)
    assert len(two.classes) == 91
    assert sorted(set(two.ways.tolist())) == [6, 16]
    names = [two.name(number) for number in range(92)]
    assert names[:3] == ["32", "42", "43"]
    assert names[77:79] == ["AK", "22"]
    assert names[-2:] == ["AA", "nothing"]
    assert len(three.classes) == 50  # two suits have no three of a kind
    assert hand_name((12, 5, 5), 13) == "77A"


def test_order_of_three_cards():
    hands = {"432": (2, 1, 0), "A32": (12, 1, 0), "AKQ": (12, 11, 10), "222": (0, 0, 0), "AAK": (12, 12, 11)}
    hands |= {"AKJ": (12, 11, 9), "223": (1, 0, 0), "22A": (12, 0, 0), "332": (1, 1, 0)}
    for straights, order in (
        (False, "432 A32 AKJ AKQ 223 22A 332 AAK 222"),
        (True, "AKJ 223 22A 332 AAK A32 432 AKQ 222"),
    ):
        values = strengths(np.array(list(hands.values())), ranks=13, straights=straights).tolist()
        found = [name for _, name in sorted(zip(values, hands, strict=True))]
        assert found == order.split()


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"cards": 1}, GameError, "hands have 2 or 3 cards, not 1"),
        ({"cards": True}, GameError, "not True"),
        ({"cards": 2.5}, GameError, "not 2.5"),
        ({"cards": 2.0}, GameError, "not 2.0"),
        ({"cards": 2, "ranks": 5.0}, GameError, "a deck has"),
        ({"cards": 2, "ranks": 1}, GameError, "a deck has 2 to 13 ranks"),
        ({"cards": 2, "suits": 5}, GameError, "1 to 4 suits"),
        ({"cards": 3, "ranks": 4, "suits": 2}, GameError, "cards for three hands"),
        ({"cards": 2, "straights": True}, GameError, "straights need hands of 3 cards"),
        ({"cards": 2, "ties": "lots"}, UnknownNameError, "no rule 'lots' for ties"),
        ({"cards": 2, "gap": -1.0}, MaxminError, "gap"),
        ({"cards": 2, "seconds": 0}, MaxminError, "seconds"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        solve_card_guts(**arguments)
