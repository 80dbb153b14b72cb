"""Many runs of the paper's network: adapted block by block, each measured on games of its own.

The paper's figures are averages over 10,000 runs. A block's random numbers depend on the seed and on the number of
the block alone, so the same seed gives the same runs, whoever computes them: one process or several, at once or
resumed from a checkpoint, which holds all finished blocks.
"""

import contextlib
import os
import signal
import time
import warnings
from collections.abc import Callable, Generator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

import maxmin
from maxmin.archive import read_archive, write_archive
from maxmin.battleship.board import Board, Bools
from maxmin.errors import Cancelled, GameError, MaxminError, SolutionError
from maxmin.files import AnyPath, check_writable
from maxmin.interrupt import Watch
from maxmin.learning.candidate_network import CandidateNetwork
from maxmin.learning.paper_network import Adaptation, Adapting, Weights
from maxmin.learning.policy_files import Policy

STATE_FORMAT = "maxmin adaptation runs"
STATE_VERSION = 1

RUNS_IN_A_BLOCK = 32
"""Runs that are adapted together: enough for large matrix products, few enough for the processor's cache."""

_SECONDS_BETWEEN_CHECKPOINTS = 30.0

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Runs:
    """What many runs came to.

    Attributes
    ----------
    adaptation : Adaptation
        How the networks were adapted.
    board : Board
        What they play on.
    seed : int
        Of everything that is random.
    games : int
        Played by each run wherever it is measured, on boards of its own.
    iterations : (points,) int64
        Where runs are measured; the last is the end.
    shots : (runs, points) float64
        The average number of shots of each run.
    success_rate : (runs, n_cells) float64
        At the end: the share of games whose shot 1, 2, ... hits; a game that has ended counts as 0.
    diverged : (runs,) booleans
        Runs whose weights became infinite or not a number; no average counts them.
    best : dict of str to array
        The weights of the run with the fewest shots at the end.
    seconds : float
        Of this call.
    stopped_by : str
        "done", "seconds" or "interrupt".
    """

    adaptation: Adaptation
    board: Board
    seed: int
    games: int
    iterations: NDArray[np.int64]
    shots: Floats
    success_rate: Floats
    diverged: Bools
    best: dict[str, NDArray[np.float32]]
    seconds: float
    stopped_by: str

    @property
    def final_shots(self) -> Floats:
        """The average shots at the end of each run that did not diverge."""
        found: Floats = self.shots[~self.diverged, -1]
        return found

    @property
    def scores(self) -> Floats:
        """The score of each run that did not diverge: success rates weighted by 1, 1 - 1/n, ..., added up."""
        n = self.board.n_cells
        found: Floats = self.success_rate[~self.diverged] @ (1 - np.arange(n) / n)
        return found

    def to_json(self) -> dict[str, Any]:
        """Return the averages over runs and their spread, as an object of plain types."""
        shots = self.final_shots
        fine = self.shots[~self.diverged]
        return {
            **asdict(self.adaptation),
            "board": str(self.board),
            "runs": len(self.shots),
            "diverged": int(self.diverged.sum()),
            "games": self.games,
            "seed": self.seed,
            "mean_shots": float(shots.mean()),
            "standard_error": float(shots.std(ddof=1) / len(shots) ** 0.5) if len(shots) > 1 else None,
            "spread": spread(shots),
            "score": float(self.scores.mean()),
            "success_rate": self.success_rate[~self.diverged].mean(axis=0).tolist(),
            "curve": [
                {"iterations": int(done), **spread(column)}
                for done, column in zip(self.iterations, fine.T, strict=True)
            ],
            "seconds": self.seconds,
            "stopped_by": self.stopped_by,
            "version": maxmin.__version__,
        }

    def policy(self, **facts: Any) -> Policy:
        """Return the best run as a policy; `facts` are kept with it."""
        return Policy(
            self.adaptation.network, self.best, self.board, f"paper-{self.adaptation.learner}", facts
        )


def spread(values: Floats) -> dict[str, float]:
    """Return the mean, the standard deviation, and the quantiles of values over runs."""
    levels = {"least": 0.0, "tenth": 0.1, "median": 0.5, "ninetieth": 0.9, "most": 1.0}
    quantiles = {name: float(np.quantile(values, level)) for name, level in levels.items()}
    return {"mean": float(values.mean()), "deviation": float(values.std()), **quantiles}


def train_runs(
    board: Board,
    adaptation: Adaptation,
    *,
    runs: int = 1,
    seed: int = 0,
    games: int = 200,
    points: int = 1,
    jobs: int = 1,
    checkpoint: AnyPath | None = None,
    seconds: float | None = None,
    callback: Callable[[float], object] = lambda done: None,
) -> Runs:
    """Adapt many networks and measure each.

    Parameters
    ----------
    board
        The board.
    adaptation
        How, and for how long.
    runs
        How many networks.
    seed
        The same seed gives the same runs, whatever `jobs` is.
    games
        Games that each run plays wherever it is measured; all have boards of their own.
    points
        Measure so often, at equal distances, the last time at the end: a learning curve.
    jobs
        How many processes; -1 for as many as there are cores.
    checkpoint
        Go on from this file if it exists; keep finished blocks in it.
    seconds
        Stop after this time, with the blocks that are finished.
    callback
        Told now and then which share of the work is done; returns False to stop.

    Raises
    ------
    GameError
        If a number is not one that it could be.
    MaxminError
        If all runs diverged, or the checkpoint has other settings.
    FileError
        If the checkpoint cannot be written.
    SolutionError
        If the checkpoint is damaged.
    Cancelled
        If it was stopped before the first block was finished.
    """
    for name, value, least in (
        ("runs", runs, 1),
        ("games", games, 1),
        ("points", points, 1),
        ("seed", seed, 0),
    ):
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise GameError(f"{name} must be a whole number from {least} up, not {value!r}")
    if points > adaptation.iterations:
        raise GameError(f"{adaptation.iterations} iterations cannot be measured at {points} points")
    network = adaptation.network
    if (network.rows, network.columns) != (board.rows, board.columns):
        raise GameError(
            f"the network is for a board of {network.rows} x {network.columns}, "
            f"not of {board.rows} x {board.columns}"
        )
    if checkpoint is not None:
        check_writable(checkpoint)
    start = time.perf_counter()
    task = _Task(board, adaptation, runs, seed, games, points)
    done = _resume(checkpoint, task) if checkpoint is not None and Path(checkpoint).exists() else None
    first = 0 if done is None else -(-len(done.shots) // RUNS_IN_A_BLOCK)
    saved = time.perf_counter()
    with Watch(seconds, callback) as watch, contextlib.closing(_work(task, first, jobs, watch)) as blocks:
        for number, block in enumerate(blocks, start=first + 1):
            done = block if done is None else done.followed_by(block)
            if checkpoint is not None and time.perf_counter() - saved > _SECONDS_BETWEEN_CHECKPOINTS:
                done.save(checkpoint, task)
                saved = time.perf_counter()
            if not watch.keep_going(number / task.blocks):
                break
    if done is None:
        raise Cancelled("stopped before the first runs were finished; give them more time")
    if checkpoint is not None:
        done.save(checkpoint, task)
    if done.diverged.all():
        raise MaxminError(
            f"the weights of all {len(done.shots)} runs became infinite; take a lower learning rate than "
            f"{adaptation.learning_rate:g}"
        )
    stopped_by = "done" if len(done.shots) == runs else watch.reason
    return Runs(
        adaptation,
        board,
        seed,
        games,
        task.iterations,
        done.shots,
        done.success_rate,
        done.diverged,
        done.best,
        time.perf_counter() - start,
        stopped_by,
    )


@dataclass(frozen=True)
class _Task:
    """All runs; a block is known by its number."""

    board: Board
    adaptation: Adaptation
    runs: int
    seed: int
    games: int
    points: int

    @property
    def blocks(self) -> int:
        return -(-self.runs // RUNS_IN_A_BLOCK)

    @property
    def iterations(self) -> NDArray[np.int64]:
        return np.arange(1, self.points + 1) * self.adaptation.iterations // self.points

    def describe(self) -> dict[str, Any]:
        """Return what must agree for blocks to belong together."""
        facts = {"runs": self.runs, "seed": self.seed, "games": self.games, "points": self.points}
        return {**asdict(self.adaptation), **facts, "board": str(self.board)}

    def block(self, number: int, keep_going: Callable[[float], bool]) -> "_Block | None":
        """Adapt and measure a block; None if it was told to stop."""
        adapting_seed, boards_seed = np.random.SeedSequence([self.seed, number]).generate_state(2)
        size = min(RUNS_IN_A_BLOCK, self.runs - number * RUNS_IN_A_BLOCK)
        adapting = Adapting(self.board, self.adaptation, runs=size, seed=int(adapting_seed))
        covered = self.board.draw(size * self.games, seed=int(boards_seed)).reshape(size, self.games, -1)
        shots = np.empty((size, self.points))
        for point, iterations in enumerate(self.iterations):
            if not adapting.advance(int(iterations), keep_going):
                return None
            playing, hitting = _play(self.adaptation.network, adapting.weights, jnp.asarray(covered))
            shots[:, point] = np.asarray(playing).sum(axis=1) / self.games
        success = np.asarray(hitting) / self.games
        best = int(np.where(adapting.diverged, np.inf, shots[:, -1]).argmin())
        weights = {name: np.asarray(array)[best] for name, array in adapting.weights.items()}
        return _Block(shots, success, adapting.diverged, weights)


@dataclass(frozen=True)
class _Block:
    """Runs that are finished, as in `Runs`; the best one's weights."""

    shots: Floats
    success_rate: Floats
    diverged: Bools
    best: dict[str, NDArray[np.float32]]

    @property
    def fewest_shots(self) -> float:
        return float(np.where(self.diverged, np.inf, self.shots[:, -1]).min())

    def followed_by(self, other: "_Block") -> "_Block":
        """Return both together."""
        best = min(self, other, key=lambda block: block.fewest_shots).best
        return _Block(
            np.concatenate([self.shots, other.shots]),
            np.concatenate([self.success_rate, other.success_rate]),
            np.concatenate([self.diverged, other.diverged]),
            best,
        )

    def save(self, path: AnyPath, task: _Task) -> None:
        """Write the runs to a checkpoint."""
        header = {"format": STATE_FORMAT, "format_version": STATE_VERSION, "task": task.describe()}
        arrays = {"shots": self.shots, "success_rate": self.success_rate, "diverged": self.diverged}
        write_archive(path, header, arrays | {f"best_{name}": array for name, array in self.best.items()})


def _resume(path: AnyPath, task: _Task) -> _Block:
    """Read the runs of a checkpoint; they must be of the same task."""
    header, arrays = read_archive(path, STATE_FORMAT, STATE_VERSION)
    for name, ours in task.describe().items():
        theirs = header.get("task", {}).get(name)
        if theirs != ours:
            raise MaxminError(
                f"{os.fspath(path)} was saved with {name} {theirs!r}, this training has {ours!r}: "
                "use another file, or the same settings"
            )
    shapes = {name: np.shape(array) for name, array in arrays.items()}
    n = len(arrays["shots"]) if "shots" in arrays else 0
    expected = {f"best_{name}": shape for name, shape in task.adaptation.network.shapes.items()}
    expected |= {"shots": (n, task.points), "success_rate": (n, task.board.n_cells), "diverged": (n,)}
    if shapes != expected or not (n == task.runs or (0 < n < task.runs and n % RUNS_IN_A_BLOCK == 0)):
        raise SolutionError(f"{os.fspath(path)}: the saved runs are damaged")
    best = {name: arrays[f"best_{name}"] for name in task.adaptation.network.shapes}
    return _Block(arrays["shots"], arrays["success_rate"], arrays["diverged"], best)


def _work(task: _Task, first: int, jobs: int, watch: Watch) -> Generator[_Block, None, None]:
    """Yield the blocks from `first` on, in order, until the watch says stop."""
    numbers = range(first, task.blocks)
    if jobs == 1 or len(numbers) < 2:
        for number in numbers:
            before = number / task.blocks
            block = task.block(number, lambda share, b=before: watch.keep_going(b + share / task.blocks))  # type: ignore[misc]
            if block is None:
                return
            yield block
        return
    from joblib import Parallel, delayed

    blocks = Parallel(n_jobs=jobs, return_as="generator")(
        delayed(_block_in_a_process)(task, number) for number in numbers
    )
    try:
        for block in blocks:  # not `yield from`, which would close them outside of what follows
            yield block
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # joblib's, that what was begun and is not needed was cancelled
            blocks.close()


def _block_in_a_process(task: _Task, number: int) -> _Block | None:
    """Adapt a block with one thread, and leave Ctrl-C to the parent."""
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} --xla_cpu_multi_thread_eigen=false"
    with contextlib.suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    return task.block(number, lambda share: True)


@partial(jax.jit, static_argnums=0)
def _play(network: CandidateNetwork, weights: Weights, covered: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Let each run play its boards, (runs, games, n_cells).

    Returns
    -------
    (runs, n_cells) int32 each
        How many games were still going on at each shot, and how many of them were hit.
    """

    def play(run: tuple[Weights, jax.Array]) -> tuple[jax.Array, jax.Array]:
        weights, boards = run
        cells = jnp.arange(network.n_cells)

        def shoot(state: tuple[Any, ...]) -> tuple[Any, ...]:
            number, shot, playing, hitting = state
            going = (boards & ~shot).any(axis=1)
            scores = network.scores(weights, shot & boards, shot & ~boards, jnp)
            chosen = jnp.where(shot, -jnp.inf, scores).argmax(axis=1)
            here = (cells == chosen[:, None]) & going[:, None]
            playing = playing.at[number].set(going.sum())
            hitting = hitting.at[number].set((here & boards).sum())
            return number + 1, shot | here, playing, hitting

        nobody = jnp.zeros(network.n_cells, jnp.int32)
        state: tuple[Any, ...] = (jnp.int32(0), jnp.zeros_like(boards), nobody, nobody)
        *_, playing, hitting = jax.lax.while_loop(lambda state: (boards & ~state[1]).any(), shoot, state)
        return playing, hitting

    playing, hitting = jax.lax.map(play, (weights, covered))
    return playing, hitting
