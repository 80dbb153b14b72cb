"""Explicit strategies: what they check, and their reach where it is known by hand."""

from fractions import Fraction

import numpy as np
import pytest

from maxmin.build import build_tree
from maxmin.errors import StrategyError
from maxmin.games import make_game
from maxmin.plans import Behavior, PlanMixture
from maxmin.sequences import infosets_of, pure_sequences, sequences
from maxmin.tree_builder import TreeBuilder

THIRD = Fraction(1, 3)


@pytest.fixture(scope="module")
def kuhn():
    return build_tree(make_game("kuhn_poker"))


def driver():
    """The absent-minded driver: exit at the first crossing 0, at the second 4, drive on 1."""
    builder = TreeBuilder("driver", ["driver"])
    first = builder.decision(-1, -1, 1, "crossing", ["exit", "on"])
    builder.leaf(first, 0, [0])
    second = builder.decision(first, 1, 1, "crossing", ["exit", "on"])
    builder.leaf(second, 0, [4])
    builder.leaf(second, 1, [1])
    return builder.finish()


def uniform(tree, players):
    infosets = infosets_of(tree, players)
    n_actions = tree.infoset_n_actions[infosets]
    table = (np.arange(n_actions.max()) < n_actions[:, None]) / n_actions[:, None]
    return Behavior(infosets, table)


def test_uniform_behavior_reaches_kuhn_leaves_by_halves(kuhn):
    reach = uniform(kuhn, (1,)).leaf_reach(kuhn)
    # check-check, check-bet-fold, check-bet-call, bet-fold, bet-call: one or two own moves.
    for leaf, node in enumerate(kuhn.leaves):
        moves = kuhn.history(node)[1:]
        assert reach[leaf] == 0.5 ** len(moves[::2])


def test_behavior_of_an_absent_minded_player_tosses_each_time():
    tree = driver()
    reach = Behavior([0], [[0.25, 0.75]]).leaf_reach(tree)
    assert sorted(reach) == sorted([0.25, 0.75 * 0.25, 0.75 * 0.75])


def test_plan_of_an_absent_minded_player_acts_alike_at_both_crossings():
    tree = driver()
    reach = PlanMixture([0], [[0], [1]], [0.25, 0.75]).leaf_reach(tree)
    exit_payoffs = dict(zip(tree.payoffs[:, 0], reach, strict=True))
    assert exit_payoffs == {0.0: 0.25, 4.0: 0.0, 1.0: 0.75}


def test_fractions_stay_exact(kuhn):
    infosets = infosets_of(kuhn, [1])
    plans = np.zeros((3, len(infosets)), dtype=np.int16)
    plans[1:] = 1
    mixture = PlanMixture(infosets, plans, np.array([THIRD] * 3, dtype=object))
    assert set(mixture.exact_leaf_reach(kuhn)) == {Fraction(0), THIRD, 2 * THIRD}


def test_floats_count_as_binary_fractions_and_are_scaled_exactly(kuhn):
    infosets = infosets_of(kuhn, [1])
    plans = np.repeat([[0], [1]], len(infosets), axis=1)
    exact = PlanMixture(infosets, plans, [0.1, 0.9]).exact_leaf_reach(kuhn)
    total = Fraction(0.1) + Fraction(0.9)
    assert total != 1
    assert set(exact) == {Fraction(0), Fraction(0.1) / total, Fraction(0.9) / total}


def test_the_largest_float_of_a_row_makes_up_for_rounding():
    low = Fraction(0.1)
    assert low + Fraction(0.9) != 1
    exact = Behavior([0], [[0.1, 0.9]]).exact_leaf_reach(driver())
    assert sorted(exact) == sorted([low, (1 - low) * low, (1 - low) ** 2])
    assert all(reach.denominator & (reach.denominator - 1) == 0 for reach in exact)


def test_rounding_is_scaled_away_and_more_is_refused(kuhn):
    infosets = infosets_of(kuhn, [1])
    plans = np.zeros((2, len(infosets)), dtype=np.int16)
    assert PlanMixture(infosets, plans, [0.5, 0.5 + 1e-7]).weights.sum() == pytest.approx(1, abs=1e-15)
    with pytest.raises(StrategyError, match=r"weights of the plans: probabilities sum to 1\.0001, not 1"):
        PlanMixture(infosets, plans, [0.5, 0.5001])


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.5, -0.5], r"negative \(-0\.5\)"),
        ([float("nan"), 1.0], "not a finite number"),
        ([float("inf"), 1.0], "not a finite number"),
        (["a", "b"], "must be numbers"),
        ([1.0], "expected a row for each weight"),
    ],
)
def test_bad_weights(kuhn, weights, message):
    infosets = infosets_of(kuhn, [1])
    with pytest.raises(StrategyError, match=message):
        PlanMixture(infosets, np.zeros((2, len(infosets)), dtype=np.int16), weights)


def test_no_plan_at_all_is_no_strategy():
    with pytest.raises(StrategyError, match="sum to 0, not 1"):
        PlanMixture([], np.zeros((0, 0), dtype=np.int16), [])


@pytest.mark.parametrize(
    ("infosets", "message"),
    [([0, 0], "different"), ([-1, 2], "from 0 up"), ([0.5, 1], "whole numbers"), ([[0, 1]], "whole numbers")],
)
def test_bad_infosets(infosets, message):
    with pytest.raises(StrategyError, match=message):
        Behavior(infosets, [[1.0], [1.0]])


def test_infosets_may_come_in_any_order(kuhn):
    infosets = infosets_of(kuhn, [1])
    table = np.random.default_rng(0).dirichlet([1, 1], len(infosets))
    one, other = Behavior(infosets, table), Behavior(infosets[::-1], table[::-1])
    assert np.array_equal(one.leaf_reach(kuhn), other.leaf_reach(kuhn))
    plans = np.random.default_rng(0).integers(0, 2, (4, len(infosets)))
    one, other = (
        PlanMixture(infosets, plans, [0.25] * 4),
        PlanMixture(infosets[::-1], plans[:, ::-1], [0.25] * 4),
    )
    assert np.array_equal(one.leaf_reach(kuhn), other.leaf_reach(kuhn))


def test_strategy_that_reaches_an_infoset_without_a_word_is_refused(kuhn):
    infosets = infosets_of(kuhn, [1])
    words = "reaches player 1's infoset '2 cb' but does not say what to do there"
    plan = np.zeros((2, len(infosets)), dtype=np.int16)
    labels = [kuhn.infoset_labels[infoset] for infoset in infosets]
    plan[1, labels.index("2 cb")] = -1
    with pytest.raises(StrategyError, match=rf"plan 1 \(counting from 0\) {words}"):
        PlanMixture(infosets, plan, [0.5, 0.5]).leaf_reach(kuhn)
    kept = np.array(labels) != "2 cb"
    check = np.tile([1.0, 0.0], (kept.sum(), 1))
    with pytest.raises(StrategyError, match=words):
        Behavior(infosets[kept], check).leaf_reach(kuhn)


def test_what_is_never_reached_may_be_left_out(kuhn):
    first = [i for i in infosets_of(kuhn, [1]) if " " not in kuhn.infoset_labels[i]]
    bets = Behavior(first, [[0.0, 1.0]] * len(first))
    same = PlanMixture(first, [[1] * len(first)], [1.0])
    assert np.array_equal(bets.leaf_reach(kuhn), same.leaf_reach(kuhn))
    assert bets.leaf_reach(kuhn).sum() == 12  # bet-fold and bet-call of six deals


def test_whole_team_must_be_covered(kuhn):
    only_one = uniform(kuhn, (1,))
    with pytest.raises(StrategyError, match="reaches player 2's infoset"):
        only_one.leaf_reach(kuhn, players=(1, 2))
    with pytest.raises(StrategyError, match="speaks of player 1's infoset"):
        only_one.leaf_reach(kuhn, players=(2,))


def test_actions_must_exist(kuhn):
    infosets = infosets_of(kuhn, [1])
    plans = np.zeros((1, len(infosets)), dtype=np.int16)
    plans[0, 2] = 2
    with pytest.raises(
        StrategyError, match=r"plays action 2 at player 1's infoset '3', which has actions 0 to 1"
    ):
        PlanMixture(infosets, plans, [1.0]).leaf_reach(kuhn)
    with pytest.raises(StrategyError, match="whole numbers from 0 to 32767, or -1"):
        PlanMixture(infosets, plans.astype(int) + 70_000, [1.0])
    with pytest.raises(StrategyError, match="plays a later one"):
        Behavior(infosets, np.tile([0.5, 0.0, 0.5], (len(infosets), 1))).leaf_reach(kuhn)
    with pytest.raises(StrategyError, match="1 columns of probabilities"):
        Behavior(infosets, np.ones((len(infosets), 1))).leaf_reach(kuhn)


def test_strategy_of_another_game_is_refused(kuhn):
    with pytest.raises(StrategyError, match=r"infoset 99; kuhn_poker.* belongs to another game"):
        PlanMixture([99], [[0]], [1.0]).leaf_reach(kuhn)


def test_sequences_of_kuhn(kuhn):
    one = sequences(kuhn, infosets_of(kuhn, [1]))
    assert one.n_sequences == 13  # empty; two for each card; fold and call after check-bet, for each card
    assert one.perfect_recall
    assert one.levels.tolist() == [0, 1, 7, 13]
    both = sequences(kuhn, infosets_of(kuhn, [1, 2]))
    assert not both.perfect_recall
    assert len(np.unique(both.leaf)) == kuhn.n_leaves


def test_sequences_of_nobody(kuhn):
    none = sequences(kuhn, infosets_of(kuhn, []))
    assert none.n_sequences == 1
    assert none.perfect_recall
    assert (none.leaf == 0).all()


def test_sequences_of_an_absent_minded_player():
    tree = driver()
    found = sequences(tree, np.array([0], dtype=np.int32))
    assert not found.perfect_recall
    assert found.possible.tolist() == [True, True, True, False, True]
    assert dict(zip(tree.payoffs[:, 0], pure_sequences(tree, found.infosets).leaf, strict=True)) == {
        0.0: 1,
        4.0: -1,
        1.0: 2,
    }
