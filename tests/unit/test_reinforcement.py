"""The reinforcement learner: what it plays, what it learns from, and that it can be stopped at any time."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from maxmin.battleship import Board
from maxmin.battleship.evaluate import evaluate
from maxmin.battleship.posterior import posteriors
from maxmin.errors import Cancelled, FileError, MaxminError, SizeError, SolutionError
from maxmin.learning.episodes import play
from maxmin.learning.jax_environment import BattleshipGames
from maxmin.learning.reinforcement import train_reinforcement
from maxmin.learning.symmetric_network import SymmetricNetwork, scores, symmetries

SMALL = Board(3, 3, ["2"])
ROUND = 2048


def random_weights(network, seed=0):
    rng = np.random.default_rng(seed)
    return {
        name: rng.normal(scale=0.3, size=shape).astype(np.float32) for name, shape in network.shapes.items()
    }


@pytest.mark.parametrize(("rows", "columns", "ways"), [(3, 3, 8), (2, 3, 4), (4, 1, 4), (1, 1, 8)])
def test_the_network_turns_with_the_board(rows, columns, ways):
    network = SymmetricNetwork(rows, columns, channels=3, layers=3)
    layers = network.expand(random_weights(network))
    hits, misses = np.random.default_rng(0).random((2, 20, rows * columns)) < 0.4
    plain = scores(layers, hits, misses)
    views = symmetries(rows, columns)
    assert len(views) == ways
    for view in views:
        np.testing.assert_allclose(scores(layers, hits[:, view], misses[:, view]), plain[:, view], atol=1e-5)
    np.testing.assert_allclose(scores(layers, jnp.asarray(hits), jnp.asarray(misses)), plain, atol=1e-5)


def test_episodes_tell_what_happened():
    games = BattleshipGames(SMALL)
    network = SymmetricNetwork(3, 3, channels=2)
    layers = network.expand(random_weights(network, seed=1))

    @jax.jit
    def play_and_pick(key):
        seen = play(games, layers, 2.0, key, 100)
        return seen, seen.pick(key, 4, 50)

    seen, (shots, picked) = jax.tree.map(np.asarray, play_and_pick(jax.random.key(0)))
    assert {board.tobytes() for board in np.asarray(seen.found)} <= {
        board.tobytes() for board in SMALL.unpack(SMALL.configurations().masks)
    }
    assert not seen.hits[0].any()
    assert not seen.misses[0].any()
    for shot in range(8):
        playing = seen.played[shot]
        np.testing.assert_array_equal(playing, seen.hits[shot].sum(axis=1) < 2)
        going_on = seen.played[shot + 1]
        hit, missed = (after[shot + 1] ^ after[shot] for after in (seen.hits, seen.misses))
        assert ((hit | missed).sum(axis=1) == 1)[going_on].all()  # one new cell, and it is what was there
        assert not (hit & ~seen.found | missed & seen.found)[going_on].any()
    assert seen.played[shots, picked].all()
    assert len(set(zip(shots.ravel().tolist(), picked.ravel().tolist(), strict=True))) == 200


def test_episodes_prefer_high_scores():
    """First shots come in the proportions that the scores say."""
    games = BattleshipGames(Board(1, 3, ["1"]))
    layers = SymmetricNetwork(1, 3, channels=1, layers=1).expand(
        {
            "first": np.zeros((6, 1)),
            "first_bias": np.zeros(1),
            "deeper": np.zeros((0, 4, 1, 1)),
            "deeper_bias": np.zeros((0, 1)),
            "last": np.zeros((1, 3)),
            "last_bias": np.array([0.0, 1.0, 0.0]),
        }
    )
    seen = jax.jit(lambda key: play(games, layers, 2.0, key, 10_000))(jax.random.key(0))
    first = (seen.hits | seen.misses)[1] | seen.found & ~seen.played[1][:, None]
    expected = np.exp([0.0, 2.0, 0.0]) / (2 + np.exp(2.0))
    np.testing.assert_allclose(np.asarray(first).mean(axis=0), expected, atol=0.02)


def test_it_learns_the_posterior_from_hits_and_misses():
    policy = train_reinforcement(SMALL, games=40 * ROUND, channels=8).policy
    greedy = evaluate([policy], SMALL)[0].mean_shots
    hits = np.zeros((3, 9), dtype=bool)
    misses = hits.copy()
    hits[1, 4] = misses[2, 4] = misses[2, 0] = True
    learned = 1 / (1 + np.exp(-policy.scores(hits, misses)))
    exact = posteriors(SMALL, hits, misses)
    unknown = ~(hits | misses)
    np.testing.assert_allclose(learned[unknown], exact[unknown], atol=0.06)
    assert greedy < 4.6


@pytest.fixture(scope="module")
def whole():
    """Three rounds in one go."""
    return train_reinforcement(SMALL, games=3 * ROUND, channels=8, seed=7)


def test_a_stopped_run_goes_on_as_if_it_had_not_been_stopped(whole, tmp_path):
    file = tmp_path / "state.npz"
    told = []

    def stop_after_one(lesson):
        told.append(lesson)
        return False

    settings = {"games": 3 * ROUND, "channels": 8, "seed": 7, "checkpoint": file}
    first = train_reinforcement(SMALL, **settings, callback=stop_after_one)
    assert (first.stopped_by, first.games, len(told)) == ("interrupt", ROUND, 1)
    reported = []
    rest = train_reinforcement(SMALL, **settings, callback=reported.append)
    assert rest.stopped_by == whole.stopped_by == "games"
    assert rest.curve == whole.curve == tuple(reported)
    assert [lesson.games for lesson in rest.curve] == [ROUND, 2 * ROUND, 3 * ROUND]
    for name, weights in whole.policy.weights.items():
        np.testing.assert_array_equal(weights, rest.policy.weights[name])
    again = train_reinforcement(SMALL, **settings)  # nothing is left to do
    assert (again.games, again.curve) == (whole.games, whole.curve)
    with pytest.raises(MaxminError, match="saved with seed 7, this run has 8"):
        train_reinforcement(SMALL, **settings | {"seed": 8})
    with pytest.raises(MaxminError, match="saved with board"):
        train_reinforcement(Board(3, 3, ["3"]), **settings)
    file.write_bytes(file.read_bytes()[:-100])
    with pytest.raises(SolutionError, match="damaged"):
        train_reinforcement(SMALL, **settings)


def test_no_time_at_all():
    with pytest.raises(Cancelled, match="more time"):
        train_reinforcement(SMALL, games=1, channels=8, seconds=1e-9)


@pytest.mark.parametrize(
    "bad",
    [
        {"games": 0},
        {"games": 1.5},
        {"games": True},
        {"channels": -1},
        {"channels": 10**6},
        {"layers": 0},
        {"seed": -1},
        {"seconds": float("nan")},
        {"seconds": -1.0},
    ],
    ids=str,
)
def test_bad_numbers(bad):
    with pytest.raises(MaxminError, match=f"{next(iter(bad))} must be"):
        train_reinforcement(SMALL, **bad)


def test_a_board_that_would_not_fit_into_memory():
    with pytest.raises(SizeError, match="900 cells is too large"):
        train_reinforcement(Board(30, 30, ["2"]))


def test_a_checkpoint_that_cannot_be_written_is_refused_before_work(tmp_path):
    with pytest.raises(FileError, match="no folder"):
        train_reinforcement(SMALL, checkpoint=tmp_path / "none" / "state.npz")
