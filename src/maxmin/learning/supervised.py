"""The supervised learner: a `SymmetricNetwork` that is told, for many states, what each cell is worth.

Teachers: "rollout", the values of `action_values`, which are what counts, shots; or "posterior", the exact
probability that a cell is a hit, shot at greedily. The first states are those of the teacher, of the greedy player,
and of the greedy player with some random shots, as the learner shall know what to do after a mistake. Then, round
after round, the learner's own states are added (DAgger: S. Ross, G. Gordon and D. Bagnell, "A Reduction of
Imitation Learning and Structured Prediction to No-Regret Online Learning", AISTATS 2011). What differs: nothing is
sampled; a round looks at the learner's whole decision tree, each state once, and turned or mirrored states count as
one.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
import optax
from numpy.typing import NDArray

from maxmin.battleship.board import Board
from maxmin.errors import Cancelled, GameError, MaxminError
from maxmin.interrupt import Watch
from maxmin.learning.action_values import Beliefs, Boards, Ints, action_values, decision_tree
from maxmin.learning.policy_files import Policy
from maxmin.learning.symmetric_network import SymmetricNetwork, check_sizes, scores, symmetries
from maxmin.limits import check_seconds, check_whole

TEACHERS = ("rollout", "posterior")
STEPS = 8000
"""Steps of gradient descent unless another number is asked for."""

_CANDIDATES = 10
"""Cells whose rollout values are computed in each state: those most likely to be hits."""
_TEMPERATURE = 0.04
"""Shots: a cell that is worse by this much has a target e times lower."""
_RANDOM_SHOTS = 0.1
_RATE = 1e-3
"""Adam's learning rate at the start; it falls to 0 like a cosine."""
_MINIBATCH = 512
_STEPS_AT_ONCE = 25
_ROUNDS = 8
"""The learner's own states are added after each eighth of the steps, but for the first."""

Weights: TypeAlias = dict[str, jax.Array]
Floats: TypeAlias = NDArray[np.float32]


@dataclass(frozen=True)
class Round:
    """A point of the learning curve.

    Attributes
    ----------
    steps : int
        Taken so far.
    states : int
        That the learner knows the teacher's opinion of.
    loss : float
        Mean cross entropy in the last steps, nats.
    shots : float
        Expected shots of what has been learned, in half precision, exact over all boards.
    """

    steps: int
    states: int
    loss: float
    shots: float


@dataclass(frozen=True)
class Training:
    """What has been learned.

    Attributes
    ----------
    policy : Policy
        That of the best round, its weights in half precision.
    curve : tuple of Round
    seconds : float
    stopped_by : str
        "done", "seconds" or "interrupt".
    """

    policy: Policy
    curve: tuple[Round, ...]
    seconds: float
    stopped_by: str


def train_supervised(
    board: Board | None = None,
    *,
    teacher: str = "rollout",
    steps: int = STEPS,
    channels: int = 64,
    layers: int = 3,
    seed: int = 0,
    seconds: float | None = None,
    callback: Callable[[float], object] = lambda done: None,
) -> Training:
    """Learn to search a board from what a teacher says about states.

    Parameters
    ----------
    board
        The board; the paper's task if None. All its configurations are listed.
    teacher
        "rollout" or "posterior".
    steps
        Of gradient descent, each on 512 states.
    channels, layers
        Of the `SymmetricNetwork`.
    seed
        The same seed gives the same policy on the same machine.
    seconds
        Stop after this time, with what has been learned until the last round.
    callback
        Told now and then which share of the steps is done; returns False to stop.

    Raises
    ------
    GameError
        If there is no such teacher, or a number makes no sense.
    SizeError
        If the board has too many configurations.
    MaxminError
        If the weights became infinite.
    Cancelled
        If it was stopped before the first round ended.
    """
    if teacher not in TEACHERS:
        raise GameError(f"there is no teacher {teacher!r}; there are {', '.join(TEACHERS)}")
    check_whole("steps", steps, least=1, most=2**31 - 1)
    check_sizes(channels=channels, layers=layers, seed=seed)
    check_seconds(seconds)
    start = time.perf_counter()
    run = _Run(Board() if board is None else board, teacher, steps, channels, layers, seed)
    with Watch(seconds, callback) as watch:
        run.learn(watch.keep_going)
    if not run.curve:
        raise Cancelled("stopped before the first round ended; give it more time")
    return Training(run.best, tuple(run.curve), time.perf_counter() - start, watch.reason or "done")


class _Lessons:
    """States and the teacher's targets; turned and mirrored ones are kept once."""

    def __init__(self, boards: Boards, teacher: str) -> None:
        self._boards, self._teacher = boards, teacher
        self._views = symmetries(boards.board.rows, boards.board.columns)
        bits = np.random.default_rng(0).integers(2**63, size=2 * boards.board.n_cells, dtype=np.uint64)
        self._hit_bits, self._miss_bits = np.split(bits, 2)
        self._known: set[int] = set()
        n = boards.board.n_cells
        self.hits, self.misses = np.zeros((2, 0, n), dtype=np.bool_)
        self.targets: Floats = np.zeros((0, n), dtype=np.float32)
        self.chances = np.zeros(0)

    def add(self, beliefs: Beliefs) -> None:
        """Ask the teacher about those states that are new."""
        new = []
        for index, key in enumerate(self._keys(beliefs).tolist()):
            if key not in self._known:
                self._known.add(key)
                new.append(index)
        if not new:
            return
        asked = beliefs.take(np.array(new))
        self.hits = np.concatenate([self.hits, asked.hits])
        self.misses = np.concatenate([self.misses, asked.misses])
        self.targets = np.concatenate([self.targets, self._targets(asked)])
        self.chances = np.concatenate([self.chances, self._boards.chances(asked)])

    def draw(self, random: np.random.Generator, shape: tuple[int, int]) -> tuple[Any, ...]:
        """Return states at random, those that are likely to be reached more often, and their targets."""
        limits = np.cumsum(np.sqrt(self.chances))
        found = np.searchsorted(limits, random.random(shape) * limits[-1], side="right")
        states = np.minimum(found, len(limits) - 1)
        return self.hits[states], self.misses[states], self.targets[states]

    def _keys(self, beliefs: Beliefs) -> NDArray[np.uint64]:
        """Hash each state so that its turned and mirrored copies have the same key."""
        copies = [
            beliefs.hits @ self._hit_bits[view] + beliefs.misses @ self._miss_bits[view]
            for view in self._views
        ]
        keys: NDArray[np.uint64] = np.min(copies, axis=0)
        return keys

    def _targets(self, beliefs: Beliefs) -> Floats:
        if self._teacher == "posterior":
            return self._boards.posterior(beliefs)
        values = action_values(self._boards, beliefs, candidates=_CANDIDATES)
        likings: Floats = np.exp((values.min(axis=1, keepdims=True) - values) / _TEMPERATURE)
        likings /= likings.sum(axis=1, keepdims=True)
        return likings


class _Run:
    """Learning in progress."""

    def __init__(self, board: Board, teacher: str, steps: int, channels: int, layers: int, seed: int) -> None:
        self.curve: list[Round] = []
        self.best: Policy
        self._board, self._teacher, self._steps, self._seed = board, teacher, steps, seed
        self._network = SymmetricNetwork(board.rows, board.columns, channels, layers)
        self._boards = Boards(board)
        self._lessons = _Lessons(self._boards, teacher)
        self._random = np.random.default_rng(seed)
        self._weights = self._network.initialise(jax.random.key(seed))
        self._state = _adam(steps).init(self._weights)

    def learn(self, keep_going: Callable[[float], bool]) -> None:
        """Take all steps, round by round, unless told to stop."""
        for beliefs in self._first_states():
            if not keep_going(0.0):
                return
            self._lessons.add(beliefs)
        done = 0
        for part in range(2, _ROUNDS + 1):
            losses: list[float] = []
            end = self._steps * part // _ROUNDS
            while done < end:
                if not keep_going(done / self._steps):
                    return
                size = min(_STEPS_AT_ONCE, end - done)
                lessons = self._lessons.draw(self._random, (size, _MINIBATCH))
                self._weights, self._state, loss = _descend(
                    self._network, self._teacher, self._steps, self._weights, self._state, lessons
                )
                losses.append(float(loss))
                done += size
            if losses:
                self._end_round(done, losses)

    def _first_states(self) -> Iterator[Beliefs]:
        def greedy(beliefs: Beliefs) -> Ints:
            cells: Ints = self._boards.posterior(beliefs).argmax(axis=1)
            return cells

        def with_random_shots(beliefs: Beliefs) -> Ints:
            posterior = self._boards.posterior(beliefs)
            anywhere = np.where(posterior < 0, -1, self._random.random(posterior.shape)).argmax(axis=1)
            at_random = self._random.random(len(beliefs)) < _RANDOM_SHOTS
            cells: Ints = np.where(at_random, anywhere, posterior.argmax(axis=1))
            return cells

        def teacher(beliefs: Beliefs) -> Ints:
            cells: Ints = action_values(self._boards, beliefs, candidates=_CANDIDATES).argmin(axis=1)
            return cells

        players = (greedy, with_random_shots) + ((teacher,) if self._teacher == "rollout" else ())
        for player in players:
            for beliefs, _ in decision_tree(self._boards, player):
                yield beliefs

    def _end_round(self, steps: int, losses: list[float]) -> None:
        """Find out what the learner is worth; ask the teacher about its states."""
        if not np.isfinite(losses).all():
            raise MaxminError(f"the weights became infinite after {steps:,} steps; try another seed")
        weights = {name: np.asarray(array, np.float16) for name, array in self._weights.items()}
        policy = Policy(self._network, weights, self._board, "supervised", {})
        shots = 0.0
        for beliefs, _ in decision_tree(self._boards, lambda b: policy.choose(b.hits, b.misses)):
            shots += float(self._boards.chances(beliefs).sum())
            if steps < self._steps:
                self._lessons.add(beliefs)
        self.curve.append(Round(steps, len(self._lessons.chances), float(np.mean(losses)), shots))
        if shots == min(each.shots for each in self.curve):
            facts = {
                "learner": "supervised",
                "teacher": self._teacher,
                "steps": self._steps,
                "seed": self._seed,
            }
            self.best = Policy(
                self._network, weights, self._board, "supervised", facts | {"mean_shots": shots}
            )


def _adam(steps: int) -> optax.GradientTransformation:
    return optax.adam(optax.cosine_decay_schedule(_RATE, steps))


@partial(jax.jit, static_argnums=(0, 1, 2))
def _descend(
    network: SymmetricNetwork,
    teacher: str,
    steps: int,
    weights: Weights,
    state: Any,
    lessons: tuple[jax.Array, ...],
) -> tuple[Weights, Any, jax.Array]:
    """Take some steps; return the mean loss as well."""

    def error(weights: Weights, hits: jax.Array, misses: jax.Array, targets: jax.Array) -> jax.Array:
        left = ~(hits | misses)
        found = scores(network.expand(weights), hits, misses)
        if teacher == "posterior":
            losses = jax.nn.softplus(found) - targets * found
        else:
            losses = -targets * jax.nn.log_softmax(jnp.where(left, found, -1e9), axis=1)
        return jnp.where(left, losses, 0).sum() / len(hits)

    def step(
        carry: tuple[Weights, Any], lesson: tuple[jax.Array, ...]
    ) -> tuple[tuple[Weights, Any], jax.Array]:
        weights, state = carry
        loss, slope = jax.value_and_grad(error)(weights, *lesson)
        change, state = _adam(steps).update(slope, state)
        return (optax.apply_updates(weights, change), state), loss

    (weights, state), losses = jax.lax.scan(step, (weights, state), lessons)
    return weights, state, losses.mean()
