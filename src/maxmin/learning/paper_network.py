"""Both adaptations of the paper's network, many runs at once.

L. Clementis, "Study of Game Strategy Emergence by Using Neural Networks", adapts a `CandidateNetwork` in two ways:

* supervised: back-propagation towards the probabilities of a hit, here exact posteriors. The states come from games
  of the greedy player, some of whose shots are random; those that are reached more often are learned more often.
* reinforcement: all that is known after a shot is whether it hit (1) or missed (-1), and one output is adapted, by
  ``Q <- Q + a (r + g max Q' - Q)``, where Q = 2 output - 1; back-propagation carries the step into the weights. The
  paper explores by a roulette or by a small share of random shots.

What differs: the paper says neither which loss nor which learning rate it takes, nor what counts as an iteration;
here they are options, and the learning rate falls linearly to 0. Runs of one block share the states of the
supervised learner (then a step of all is one matrix product), not their first weights.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from maxmin.battleship.board import Board
from maxmin.errors import GameError
from maxmin.learning.action_values import Beliefs, Boards, Ints, decision_tree
from maxmin.learning.candidate_network import CandidateNetwork
from maxmin.learning.jax_environment import BattleshipGames, GameState
from maxmin.limits import check_whole

LEARNERS = ("supervised", "reinforcement")
LOSSES = ("cross-entropy", "squared")
ITERATIONS = {"supervised": 40_000, "reinforcement": 160_000}
"""The paper's."""
RANDOM_SHOTS = {"supervised": 0.3, "reinforcement": 0.1}
"""The shares that the commands take; the paper states none."""

_TREES = 4
"""Decision trees of the greedy player with random shots that the supervised learner's states come from."""
_STEPS_AT_ONCE = 2000

Weights: TypeAlias = dict[str, jax.Array]
"""As in `CandidateNetwork.shapes`, with one more axis in front: the runs."""

Playing: TypeAlias = tuple[GameState, jax.Array]
"""A game, and the network's outputs (before the sigmoid) from before its latest step: what is shot at next."""


@dataclass(frozen=True)
class Adaptation:
    """How a network is adapted.

    Attributes
    ----------
    learner : str
        "supervised" or "reinforcement".
    network : CandidateNetwork
    iterations : int
        Supervised: states or cells; reinforcement: shots.
    learning_rate : float
        At the start; it falls linearly to 0.
    loss : str
        "cross-entropy" or "squared", between the output and its target.
    iteration : str
        Of the supervised learner: a "state" with all cells not yet shot at, or one "cell" of a state.
    random_shots : float
        The share of random shots in the games that are learned from.
    roulette : bool
        Of the reinforcement learner: shoot at each cell with a probability proportional to its output, instead of
        at the best one.
    discount : float
        Of the reinforcement learner: what the best output after the shot counts.
    """

    learner: str = "supervised"
    network: CandidateNetwork = field(default_factory=CandidateNetwork)
    iterations: int = 40_000
    learning_rate: float = 0.1
    loss: str = "cross-entropy"
    iteration: str = "state"
    random_shots: float = 0.3
    roulette: bool = False
    discount: float = 0.1

    def __post_init__(self) -> None:
        _check_word("learner", self.learner, LEARNERS)
        _check_word("loss", self.loss, LOSSES)
        _check_word("iteration", self.iteration, ("state", "cell"))
        check_whole("iterations", self.iterations, least=1)
        if not 0 < self.learning_rate < np.inf:
            raise GameError(f"the learning rate must be a positive number, not {self.learning_rate!r}")
        for name in ("random_shots", "discount"):
            if not 0 <= getattr(self, name) <= 1:
                raise GameError(f"{name} must be a number from 0 to 1, not {getattr(self, name)!r}")

    def rates(self, start: int, stop: int) -> jax.Array:
        """Return the learning rates of some iterations."""
        return jnp.asarray(self.learning_rate * (1 - np.arange(start, stop) / self.iterations), jnp.float32)


class Adapting:
    """A block of runs that are adapted together.

    Parameters
    ----------
    board
        The board.
    adaptation
        How.
    runs
        How many.
    seed
        Of everything that is random here.

    Attributes
    ----------
    weights : Weights
        As far as they have come; those of a run that diverged are the last finite ones.
    diverged : (runs,) booleans
        Runs whose weights became infinite or not a number.
    """

    def __init__(self, board: Board, adaptation: Adaptation, *, runs: int, seed: int) -> None:
        self._board, self._adaptation, self._runs = board, adaptation, runs
        self._kind = replace(adaptation, iterations=1, learning_rate=1.0)  # compiled once for all of these
        self._random = np.random.default_rng(seed)
        first, games = jax.random.split(jax.random.key(int(self._random.integers(2**31))))
        self.weights = _first_weights(adaptation.network, first, runs)
        self.diverged = np.zeros(runs, dtype=np.bool_)
        self._iterations = 0
        if adaptation.learner == "reinforcement":
            self._games = _games(board)
            playing = jax.vmap(self._games.reset)(jax.random.split(games, runs))[0]
            scores = partial(adaptation.network.scores, xp=jnp)
            self._playing: Playing = playing, jax.vmap(scores)(self.weights, playing.hits, playing.misses)

    def advance(self, iterations: int, keep_going: Callable[[float], bool]) -> bool:
        """Adapt until so many iterations are done; return False if it was told to stop.

        `keep_going` is told which share of all iterations is done.
        """
        while self._iterations < iterations:
            if not keep_going(self._iterations / self._adaptation.iterations):
                return False
            stop = min(self._iterations + _STEPS_AT_ONCE, iterations)
            rates = self._adaptation.rates(self._iterations, stop)
            adapt = self._supervised if self._adaptation.learner == "supervised" else self._reinforced
            self._keep_finite(adapt(rates))
            self._iterations = stop
        return True

    def _supervised(self, rates: jax.Array) -> Weights:
        lessons = _lessons(self._board, self._adaptation.random_shots)
        states = lessons.draw(self._random, len(rates))
        if self._adaptation.iteration == "cell":
            left = lessons.posterior[states] >= 0
            cells = np.where(left, self._random.random(left.shape), -1).argmax(axis=1)[:, None]
        else:
            cells = np.tile(np.arange(self._board.n_cells), (len(rates), 1))
        data = (lessons.hits[states], lessons.misses[states], lessons.posterior[states], cells, rates)
        weights: Weights = _adapt_to_targets(self._kind, self.weights, data)
        return weights

    def _reinforced(self, rates: jax.Array) -> Weights:
        weights: Weights
        weights, self._playing = _adapt_to_rewards(
            self._kind, self._games, self.weights, self._playing, rates
        )
        return weights

    def _keep_finite(self, weights: Weights) -> None:
        """Take the new weights, except those of runs that diverged."""
        flat = [np.asarray(array).reshape(self._runs, -1) for array in weights.values()]
        self.diverged |= ~np.all([np.isfinite(array).all(axis=1) for array in flat], axis=0)
        if not self.diverged.any():
            self.weights = weights
            return
        bad = jnp.asarray(self.diverged)
        self.weights = {
            name: jnp.where(bad.reshape(-1, *[1] * (array.ndim - 1)), self.weights[name], array)
            for name, array in weights.items()
        }


@dataclass(frozen=True)
class _Lessons:
    """States, the exact posterior of each (-1 at cells shot at), and how often each is reached, added up."""

    hits: NDArray[np.bool_]
    misses: NDArray[np.bool_]
    posterior: NDArray[np.float32]
    reached: NDArray[np.float64]

    def draw(self, random: np.random.Generator, n: int) -> Ints:
        found = np.searchsorted(self.reached, random.random(n) * self.reached[-1], side="right")
        states: Ints = np.minimum(found, len(self.reached) - 1)
        return states


@lru_cache(maxsize=1)
def _games(board: Board) -> BattleshipGames:
    """Make the games once: what is compiled for them is compiled once, too."""
    return BattleshipGames(board)


@lru_cache(maxsize=1)
def _lessons(board: Board, random_shots: float) -> _Lessons:
    """Let the greedy player play all games, with random shots; the same ones every time."""
    boards, random = Boards(board), np.random.default_rng(0)

    def choose(beliefs: Beliefs) -> Ints:
        posterior = boards.posterior(beliefs)
        anywhere = np.where(posterior < 0, -1, random.random(posterior.shape))
        at_random = random.random(len(beliefs)) < random_shots
        cells: Ints = np.where(at_random, anywhere.argmax(axis=1), posterior.argmax(axis=1))
        return cells

    trees = [beliefs for _ in range(_TREES) for beliefs, _ in decision_tree(boards, choose)]
    return _Lessons(
        np.concatenate([beliefs.hits for beliefs in trees]),
        np.concatenate([beliefs.misses for beliefs in trees]),
        np.concatenate([boards.posterior(beliefs) for beliefs in trees]),
        np.cumsum(np.concatenate([boards.chances(beliefs) for beliefs in trees])),
    )


def _first_weights(network: CandidateNetwork, key: jax.Array, runs: int) -> Weights:
    """Draw weights with the usual spread, one over the root of the number of inputs; thresholds are 0."""
    into, out = jax.random.split(key)
    shapes = {name: (runs, *shape) for name, shape in network.shapes.items()}
    weights = {name: jnp.zeros(shape, jnp.float32) for name, shape in shapes.items()}
    weights["hidden"] = jax.random.normal(into, shapes["hidden"]) / network.n_inputs**0.5
    weights["output"] = jax.random.normal(out, shapes["output"]) / network.hidden**0.5
    return weights


def _error(
    adaptation: Adaptation, weights: Weights, inputs: jax.Array, targets: jax.Array, counts: jax.Array
) -> jax.Array:
    """Return the loss of one run, summed over the cells that count."""
    logits = adaptation.network.logits(weights, inputs, jnp)
    if adaptation.loss == "squared":
        losses = 0.5 * (jax.nn.sigmoid(logits) - targets) ** 2
    else:
        losses = jax.nn.softplus(logits) - targets * logits
    return (losses * counts).sum()


def _descend(weights: Weights, slope: Weights, rate: jax.Array) -> Weights:
    return {name: array - rate * slope[name] for name, array in weights.items()}


@partial(jax.jit, static_argnums=0)
def _adapt_to_targets(adaptation: Adaptation, weights: Weights, data: tuple[Any, ...]) -> Weights:
    slopes = jax.vmap(jax.grad(partial(_error, adaptation)), in_axes=(0, None, None, None))

    def step(weights: Weights, lesson: tuple[jax.Array, ...]) -> tuple[Weights, None]:
        hits, misses, posterior, cells, rate = lesson
        inputs = adaptation.network.inputs(hits, misses, jnp, cells=cells)
        targets = posterior[cells]
        return _descend(weights, slopes(weights, inputs, targets, targets >= 0), rate), None

    return jax.lax.scan(step, weights, data)[0]


@partial(jax.jit, static_argnums=(0, 1))
def _adapt_to_rewards(
    adaptation: Adaptation, games: BattleshipGames, weights: Weights, playing: Playing, rates: jax.Array
) -> tuple[Weights, Playing]:
    network = adaptation.network
    slope = jax.grad(partial(_error, adaptation))

    def shoot(weights: Weights, playing: Playing, rate: jax.Array) -> tuple[Weights, Playing]:
        game, logits = playing
        key, draw = jax.random.split(game.key)
        cell = _explore(adaptation, draw, logits, games.action_mask(game))
        inputs = network.inputs(game.hits, game.misses, jnp, cells=cell)
        after, _, reward, terminated, _ = games.step(game._replace(key=key), cell)
        logits = network.scores(weights, after.hits, after.misses, jnp)
        quality = 2 * jax.nn.sigmoid(logits) - 1
        best = jnp.max(quality, where=games.action_mask(after), initial=-1)
        target = reward + adaptation.discount * best * ~terminated
        targets = jnp.clip((target + 1) / 2, 0, 1)[None]
        weights = _descend(weights, slope(weights, inputs[None], targets, jnp.ones(1)), rate)
        return weights, (after, logits)

    def step(carry: tuple[Weights, Playing], rate: jax.Array) -> tuple[tuple[Weights, Playing], None]:
        return jax.vmap(shoot, in_axes=(0, 0, None))(*carry, rate), None

    return jax.lax.scan(step, (weights, playing), rates)[0]


def _explore(adaptation: Adaptation, key: jax.Array, logits: jax.Array, left: jax.Array) -> jax.Array:
    """Choose a cell: now and then any, else the best one or by the roulette."""
    whether, where = jax.random.split(key)
    chosen = jnp.where(left, logits, -jnp.inf).argmax()
    if adaptation.roulette:
        chosen = jax.random.categorical(where, jnp.where(left, jax.nn.log_sigmoid(logits), -jnp.inf))
    anywhere = jnp.where(left, jax.random.uniform(where, logits.shape), -1).argmax()
    return jnp.where(jax.random.uniform(whether) < adaptation.random_shots, anywhere, chosen)


def _check_word(name: str, word: str, known: tuple[str, ...]) -> None:
    if word not in known:
        raise GameError(f"{name} must be one of {', '.join(known)}, not {word!r}")
