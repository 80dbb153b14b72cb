"""The reinforcement learner: plays games and sees nothing but hits and misses.

It never asks for a posterior nor looks at the list of boards; a game is a board drawn at random that answers shots.
It learns how likely each cell is a hit (`hit_learning`) and shoots where that is most likely.
"""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from maxmin.archive import read_archive, write_archive
from maxmin.battleship import Board
from maxmin.errors import Cancelled, MaxminError, SizeError, SolutionError
from maxmin.files import AnyPath, check_writable
from maxmin.interrupt import Watch
from maxmin.learning.episodes import play
from maxmin.learning.hit_learning import MINIBATCH, Learner, learn_hits, new_learner
from maxmin.learning.jax_environment import BattleshipGames
from maxmin.learning.policy_files import Policy
from maxmin.learning.symmetric_network import SymmetricNetwork, check_sizes
from maxmin.limits import check_seconds, check_whole

GAMES = 400_000
"""Games that are played unless another number is asked for."""

_GAMES_AT_ONCE = 2048
_MOST_CELLS = 400
"""Each state of the games at once takes two bytes a cell: on 400 cells 655 MB."""
_RATE = 2e-3
"""Adam's learning rate at the start; it falls in a straight line to 0 at the last game."""
_SHARPNESS = 7.0
"""Of the player that learns: a cell with e times the odds of another is shot at e^7 times as often."""
_SECONDS_BETWEEN_SAVES = 30.0

STATE_FORMAT = "maxmin reinforcement learner state"
STATE_VERSION = 1


@dataclass(frozen=True)
class Lesson:
    """A point of the learning curve.

    Attributes
    ----------
    games : int
        Played so far.
    shots : float
        Mean number of shots in the latest ones, in which the learner also tried cells that it thought less of.
    loss : float
        Mean cross entropy of its predictions, in nats a cell.
    """

    games: int
    shots: float
    loss: float


@dataclass(frozen=True)
class Training:
    """What has been learned.

    Attributes
    ----------
    policy : Policy
        It shoots at the cell with the highest score, without trying others.
    curve : tuple of Lesson
        One for each round of games.
    games : int
        Played in all, before it was stopped and gone on with included.
    seconds : float
        Spent this time.
    seed : int
        Of all random numbers.
    stopped_by : str
        "games" if all were played; else "seconds" or "interrupt".
    """

    policy: Policy
    curve: tuple[Lesson, ...]
    games: int
    seconds: float
    seed: int
    stopped_by: str


def train_reinforcement(
    board: Board | None = None,
    *,
    games: int = GAMES,
    channels: int = 64,
    layers: int = 2,
    seed: int = 0,
    seconds: float | None = None,
    checkpoint: AnyPath | None = None,
    callback: Callable[[Lesson], object] = lambda lesson: None,
) -> Training:
    """Learn to search a board from hits and misses alone.

    Parameters
    ----------
    board
        The board; the paper's task if None.
    games
        How many are played, rounded up to whole rounds of 2048.
    channels, layers
        Of the `SymmetricNetwork`.
    seed
        The same seed gives the same policy on the same machine.
    seconds
        Stop after this time, with what has been learned so far.
    checkpoint
        Go on from the state in this file, if it exists; keep the state in it.
    callback
        Told after each round, and of the last one before when a run goes on; returns False to stop.

    Raises
    ------
    GameError
        If a number makes no sense, or the patterns do not fit onto the board together.
    SizeError
        If the board has more than 400 cells.
    MaxminError
        If the checkpoint was made with other settings.
    SolutionError
        If the checkpoint is no such file, or damaged.
    FileError
        If the checkpoint cannot be written.
    Cancelled
        If it was stopped before the first round ended.
    """
    check_whole("games", games, least=1, most=2**31)
    check_sizes(channels=channels, layers=layers, seed=seed)
    check_seconds(seconds)
    board = Board() if board is None else board
    if board.n_cells > _MOST_CELLS:
        raise SizeError(
            f"a board of {board.n_cells} cells is too large for this learner: {_MOST_CELLS} at most"
        )
    if checkpoint is not None:
        check_writable(checkpoint)
    run = _Run(board, games, channels, layers, seed)
    if checkpoint is not None and os.path.exists(checkpoint):
        run.resume(checkpoint)
    started = saved = time.perf_counter()

    def report(done: float) -> object:
        return callback(run.curve[-1]) if run.curve else None

    with Watch(seconds, report) as watch:
        while watch.keep_going(run.games) and run.games < run.all_games:
            run.play_a_round()
            if checkpoint is not None and time.perf_counter() - saved > _SECONDS_BETWEEN_SAVES:
                run.save(checkpoint)
                saved = time.perf_counter()
    if not run.curve:
        raise Cancelled("stopped before the first games were played; give it more time")
    if checkpoint is not None:
        run.save(checkpoint)
    stopped_by = "games" if run.games >= run.all_games else watch.reason
    spent = time.perf_counter() - started
    return Training(run.policy(), tuple(run.curve), run.games, spent, seed, stopped_by)


class _Run:
    """Learning in progress."""

    def __init__(self, board: Board, games: int, channels: int, layers: int, seed: int) -> None:
        self.board = board
        self.all_games = -(-games // _GAMES_AT_ONCE) * _GAMES_AT_ONCE
        self.network = SymmetricNetwork(board.rows, board.columns, channels, layers)
        self.seed = seed
        self.curve: list[Lesson] = []
        self._key = jax.random.key(seed)
        self.learner = new_learner(self.network.initialise(self._key))
        self._round = _compiled_round(board, self.network)

    @property
    def games(self) -> int:
        """Games played so far."""
        return self.curve[-1].games if self.curve else 0

    def play_a_round(self) -> None:
        """Play games and learn from them."""
        left = 1 - self.games / self.all_games
        key = jax.random.fold_in(self._key, self.games)
        self.learner, shots, loss = self._round(self.learner, key, _RATE * left)
        if not np.isfinite(loss):
            raise MaxminError(f"the learner diverged after {self.games:,} games; try another seed")
        self.curve.append(Lesson(self.games + _GAMES_AT_ONCE, float(shots), float(loss)))

    def policy(self) -> Policy:
        """Return what has been learned."""
        weights = {name: np.asarray(array) for name, array in self.learner.average.items()}
        facts = {"learner": "reinforcement", "games": self.games, "seed": self.seed}
        return Policy(self.network, weights, self.board, "reinforcement", facts)

    def save(self, path: AnyPath) -> None:
        """Write all that is needed to go on."""
        leaves = jax.tree.leaves(self.learner)
        arrays = {f"leaf_{index}": np.asarray(leaf) for index, leaf in enumerate(leaves)}
        curve = np.array([(lesson.games, lesson.shots, lesson.loss) for lesson in self.curve])
        write_archive(path, self._header(), arrays | {"curve": curve})

    def resume(self, path: AnyPath) -> None:
        """Go on where the saved run stopped."""
        header, arrays = read_archive(path, STATE_FORMAT, STATE_VERSION)
        for name, ours in self._header().items():
            if header.get(name) != ours:
                raise MaxminError(
                    f"{os.fspath(path)} was saved with {name} {header.get(name)!r}, this run has {ours!r}: "
                    "use another file, or the same settings"
                )
        curve = arrays.pop("curve", np.empty(0))
        leaves, structure = jax.tree.flatten(self.learner)
        found = [arrays.get(f"leaf_{index}") for index in range(len(leaves))]
        same = all(new is not None and _alike(new, old) for new, old in zip(found, leaves, strict=True))
        if not same or curve.ndim != 2 or curve.shape[1] != 3 or not np.isfinite(curve).all():
            raise SolutionError(f"{os.fspath(path)}: the saved state is damaged")
        self.learner = jax.tree.unflatten(structure, [jnp.asarray(leaf) for leaf in found])
        self.curve = [Lesson(int(games), shots, loss) for games, shots, loss in curve.tolist()]

    def _header(self) -> dict[str, Any]:
        return {
            "format": STATE_FORMAT,
            "format_version": STATE_VERSION,
            "board": str(self.board),
            "games": self.all_games,
            "channels": self.network.channels,
            "layers": self.network.layers,
            "seed": self.seed,
        }


@lru_cache(maxsize=4)
def _compiled_round(board: Board, network: SymmetricNetwork) -> Callable[..., Any]:
    return jax.jit(partial(_round, BattleshipGames(board), network))


def _round(
    games: BattleshipGames, network: SymmetricNetwork, learner: Learner, key: jax.Array, rate: jax.Array
) -> tuple[Learner, jax.Array, jax.Array]:
    """Play a round, learn where the hits were; return the mean number of shots and the loss as well."""
    to_play, to_learn = jax.random.split(key)
    layers = network.expand(learner.weights)
    episodes = play(games, layers, _SHARPNESS, to_play, _GAMES_AT_ONCE)
    minibatches = 2 * _GAMES_AT_ONCE * games.board.n_covered // MINIBATCH
    learner, loss = learn_hits(learner, network, episodes, to_learn, minibatches=minibatches, rate=rate)
    return learner, episodes.played.sum() / _GAMES_AT_ONCE, loss


def _alike(new: np.ndarray, old: jax.Array) -> bool:
    return new.shape == old.shape and new.dtype == old.dtype and bool(np.isfinite(new).all())
