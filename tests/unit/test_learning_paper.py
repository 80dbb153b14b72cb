"""Both adaptations of the paper's network against plain NumPy, and many runs of it."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from maxmin.battleship import Board
from maxmin.battleship.evaluate import hit_times
from maxmin.errors import Cancelled, FileError, GameError, MaxminError, SolutionError
from maxmin.learning import (
    Adaptation,
    CandidateNetwork,
    paper_block,
    paper_network,
    train_runs,
)

BOARD = Board(4, 4, ["3"])
NETWORK = CandidateNetwork(4, 4, window=3, hidden=6)
SUPERVISED = Adaptation(network=NETWORK, iterations=40)
REWARDS = Adaptation(network=NETWORK, iterations=40, learner="reinforcement", discount=0.5, random_shots=0.0)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(paper_block, "RUNS_IN_A_BLOCK", 2)
    monkeypatch.setattr(paper_network, "_STEPS_AT_ONCE", 40)  # what is compiled for one test serves them all


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def descend(weights, inputs, targets, rate, *, squared=False):
    """Back-propagation in plain NumPy, float64; the sum over the rows of `inputs`."""
    hidden = sigmoid(inputs @ weights["hidden"] + weights["thresholds"])
    output = sigmoid(hidden @ weights["output"] + weights["threshold"])
    error = (output - targets) * (output * (1 - output) if squared else 1)
    inner = error[:, None] * weights["output"] * hidden * (1 - hidden)
    slopes = {
        "hidden": inputs.T @ inner,
        "thresholds": inner.sum(axis=0),
        "output": hidden.T @ error,
        "threshold": error.sum(),
    }
    return {name: weights[name] - rate * slope for name, slope in slopes.items()}


def compiled_for(adaptation):
    return dataclasses.replace(adaptation, iterations=1, learning_rate=1.0)


def first_weights(runs=2):
    weights = paper_network._first_weights(NETWORK, jax.random.key(5), runs)
    return weights, [
        {name: np.asarray(w, np.float64)[run] for name, w in weights.items()} for run in range(runs)
    ]


@pytest.mark.parametrize(("loss", "iteration"), [("cross-entropy", "state"), ("squared", "cell")])
def test_the_supervised_step_is_back_propagation(loss, iteration):
    adaptation = compiled_for(dataclasses.replace(SUPERVISED, loss=loss, iteration=iteration))
    lessons = paper_network._lessons(BOARD, 0.3)
    states = lessons.draw(np.random.default_rng(0), 40)
    hits, misses, posterior = lessons.hits[states], lessons.misses[states], lessons.posterior[states]
    every = np.tile(np.arange(16), (40, 1))
    cells = every if iteration == "state" else (posterior >= 0).argmax(axis=1)[:, None]
    rates = np.linspace(0.5, 0.1, 40, dtype=np.float32)
    weights, plain = first_weights()
    found = paper_network._adapt_to_targets(adaptation, weights, (hits, misses, posterior, cells, rates))
    for run, expected in enumerate(plain):
        for hit, miss, chance, which, rate in zip(hits, misses, posterior, cells, rates, strict=True):
            which = which[chance[which] >= 0]
            inputs = NETWORK.inputs(hit, miss)[which]
            expected = descend(expected, inputs, chance[which], rate, squared=loss == "squared")
        for name, array in expected.items():
            np.testing.assert_allclose(found[name][run], array, atol=2e-5)


def test_the_reinforcement_step_is_the_update_of_q():
    games = paper_network._games(BOARD)
    weights, (plain, _) = first_weights()
    playing = jax.vmap(games.reset)(jax.random.split(jax.random.key(3), 2))[0]
    covered = np.asarray(playing.covered)[0]
    hits, misses = np.zeros((2, 16), dtype=np.bool_)
    rates = jnp.full(40, 0.3, jnp.float32).at[3:].set(0)  # the first game goes on for three shots at least
    logits = NETWORK.scores(plain, hits, misses)
    start = playing, jnp.asarray(np.stack([logits, logits]), jnp.float32)
    found, _ = paper_network._adapt_to_rewards(compiled_for(REWARDS), games, weights, start, rates)
    for rate in np.asarray(rates)[:3]:
        cell = np.where(hits | misses, -np.inf, logits).argmax()
        inputs = NETWORK.inputs(hits, misses)[cell][None]
        hits[cell], misses[cell] = covered[cell], not covered[cell]
        logits = NETWORK.scores(plain, hits, misses)
        best = (2 * sigmoid(logits) - 1)[~(hits | misses)].max()
        quality = (1 if covered[cell] else -1) + 0.5 * best
        plain = descend(plain, inputs, np.clip([(quality + 1) / 2], 0, 1), rate)
    for name, array in plain.items():
        np.testing.assert_allclose(found[name][0], array, atol=2e-5)


def test_the_roulette_shoots_in_proportion_to_the_outputs():
    adaptation = dataclasses.replace(REWARDS, roulette=True)
    logits = jnp.asarray([0.0, 2.0, 5.0, -1.0])
    left = jnp.asarray([True, True, False, True])
    keys = jax.random.split(jax.random.key(0), 20_000)
    explore = jax.vmap(lambda key: paper_network._explore(adaptation, key, logits, left))
    cells = jax.jit(explore)(keys)
    outputs = sigmoid(np.array([0.0, 2.0, -np.inf, -1.0]))
    np.testing.assert_allclose(np.bincount(cells, minlength=4) / 20_000, outputs / outputs.sum(), atol=0.015)


@pytest.mark.parametrize("adaptation", [SUPERVISED, REWARDS], ids=["supervised", "rewards"])
def test_runs_resume_as_if_they_had_never_stopped(tmp_path, adaptation):
    path = tmp_path / "runs.npz"
    settings = {"runs": 4, "games": 50, "seed": 4}
    whole = train_runs(BOARD, adaptation, **settings)
    part = train_runs(BOARD, adaptation, **settings, checkpoint=path, callback=lambda share: share < 0.5)
    assert (len(part.shots), part.stopped_by) == (2, "interrupt")
    resumed = train_runs(BOARD, adaptation, **settings, checkpoint=path)
    for name in ("shots", "success_rate", "diverged"):
        np.testing.assert_array_equal(getattr(resumed, name), getattr(whole, name))
    for name, array in whole.best.items():
        np.testing.assert_array_equal(resumed.best[name], array)
    assert resumed.stopped_by == "done"
    assert len(np.unique(whole.shots[:, -1])) > 1
    with pytest.raises(MaxminError, match="saved with seed 4, this training has 5"):
        train_runs(BOARD, adaptation, **{**settings, "seed": 5}, checkpoint=path)
    path.write_bytes(path.read_bytes()[:300])
    with pytest.raises(SolutionError, match="damaged"):
        train_runs(BOARD, adaptation, **settings, checkpoint=path)


def test_runs_are_measured_as_any_strategy_is():
    found = train_runs(BOARD, SUPERVISED, runs=2, games=50, points=1, seed=1)
    boards_seed = np.random.SeedSequence([1, 0]).generate_state(2)[1]
    run = int(found.shots[:, -1].argmin())
    covered = BOARD.draw(100, seed=int(boards_seed))[50 * run : 50 * run + 50]
    times = hit_times(found.policy(), BOARD, covered)
    assert times[:, -1].mean() == pytest.approx(found.shots[run, -1], abs=1e-12)
    np.testing.assert_allclose(
        np.bincount(times.ravel() - 1, minlength=16) / 50, found.success_rate[run], atol=1e-12
    )
    facts = found.to_json()
    assert facts["mean_shots"] == pytest.approx(found.shots[:, -1].mean())
    assert [point["iterations"] for point in facts["curve"]] == [40]
    assert facts["score"] == pytest.approx((3 - (times - 1).sum(axis=1) / 16).mean(), abs=1)


def test_both_learners_learn():
    for adaptation, iterations in ((SUPERVISED, 1000), (REWARDS, 4000)):
        longer = dataclasses.replace(adaptation, iterations=iterations)
        found = train_runs(BOARD, longer, runs=2, games=50, points=2)
        assert 5 < found.shots[:, -1].mean() < 7.5  # random play takes 12.75, greedy 5.75
        assert found.iterations.tolist() == [iterations // 2, iterations]
        assert found.shots.shape == (2, 2)


def test_runs_that_diverge_are_counted_not_averaged():
    with pytest.raises(
        MaxminError, match="all 2 runs became infinite; take a lower learning rate than 1e\\+38"
    ):
        train_runs(BOARD, dataclasses.replace(SUPERVISED, learning_rate=1e38), runs=2, games=50)
    adapting = paper_network.Adapting(BOARD, SUPERVISED, runs=2, seed=0)
    adapting.weights["hidden"] = adapting.weights["hidden"].at[1, 0, 0].set(jnp.nan)
    adapting.advance(40, lambda share: True)
    assert adapting.diverged.tolist() == [False, True]
    assert np.isfinite(adapting.weights["hidden"][0]).all()


def test_a_stop_before_the_first_block_is_said(tmp_path):
    with pytest.raises(Cancelled, match="before the first runs"):
        train_runs(BOARD, SUPERVISED, runs=2, checkpoint=tmp_path / "runs.npz", callback=lambda share: False)
    assert not (tmp_path / "runs.npz").exists()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"learner": "unsupervised"}, "learner must be one of"),
        ({"loss": "hinge"}, "loss must be one of"),
        ({"iteration": "game"}, "iteration must be one of"),
        ({"iterations": 0}, "iterations must be a whole number"),
        ({"iterations": True}, "iterations must be a whole number"),
        ({"learning_rate": 0.0}, "learning rate must be a positive number"),
        ({"learning_rate": np.nan}, "learning rate must be a positive number"),
        ({"random_shots": 1.5}, "random_shots must be a number from 0 to 1"),
        ({"discount": np.nan}, "discount must be a number from 0 to 1"),
    ],
)
def test_adaptations_that_cannot_be_are_refused(wrong, message):
    with pytest.raises(GameError, match=message):
        Adaptation(**wrong)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"runs": 0}, "runs must be"),
        ({"games": 2.5}, "games must be"),
        ({"points": 41}, "cannot be measured at 41 points"),
        ({"seed": -1}, "seed must be"),
    ],
)
def test_numbers_that_cannot_be_are_refused(wrong, message):
    with pytest.raises(GameError, match=message):
        train_runs(BOARD, SUPERVISED, **wrong)


def test_a_network_for_another_board_is_refused(tmp_path):
    with pytest.raises(GameError, match="network is for a board of 7 x 7"):
        train_runs(BOARD, Adaptation())
    with pytest.raises(FileError, match="no folder"):
        train_runs(BOARD, SUPERVISED, checkpoint=tmp_path / "nowhere" / "runs.npz")
