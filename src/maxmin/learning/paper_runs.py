"""Many runs of the paper's network: adapted block by block, each measured on games of its own.

The paper's figures are averages over 10,000 runs. A block's random numbers depend on the seed and on the number of
the block alone, so the same seed gives the same runs, whoever computes them: one process or several, at once or
resumed from a checkpoint, which holds all finished blocks.
"""

import contextlib
import os
import time
from collections.abc import Callable, Generator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import maxmin
from maxmin.battleship.board import Board, Bools
from maxmin.battleship.processes import in_processes
from maxmin.errors import Cancelled, GameError, MaxminError
from maxmin.files import AnyPath, check_writable
from maxmin.interrupt import Watch
from maxmin.learning.paper_block import Block, Floats, Task, resume
from maxmin.learning.paper_network import Adaptation
from maxmin.learning.policy_files import Policy
from maxmin.limits import check_jobs, check_seconds, check_whole

_SECONDS_BETWEEN_CHECKPOINTS = 30.0
_ONE_THREAD = "--xla_cpu_multi_thread_eigen=false"
"""Processes share the cores already."""


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
    start = time.perf_counter()
    task = Task(board, adaptation, runs, seed, games, points)
    _check(task)
    check_seconds(seconds)
    check_jobs(jobs)
    if checkpoint is not None:
        check_writable(checkpoint)
    done: Block | None = None
    first = 0
    if checkpoint is not None and Path(checkpoint).exists():
        done, first = resume(checkpoint, task)
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


def _check(task: Task) -> None:
    for name, least in (("runs", 1), ("games", 1), ("points", 1), ("seed", 0)):
        check_whole(name, getattr(task, name), least=least)
    board, network = task.board, task.adaptation.network
    if task.points > task.adaptation.iterations:
        raise GameError(f"{task.adaptation.iterations} iterations cannot be measured at {task.points} points")
    if (network.rows, network.columns) != (board.rows, board.columns):
        raise GameError(
            f"the network is for a board of {network.rows} x {network.columns}, "
            f"not of {board.rows} x {board.columns}"
        )


def _work(task: Task, first: int, jobs: int, watch: Watch) -> Generator[Block, None, None]:
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
    calls = [partial(_block_in_a_process, task, number) for number in numbers]
    with contextlib.closing(in_processes(calls, jobs=jobs)) as blocks:
        for block in blocks:
            yield block


def _block_in_a_process(task: Task, number: int) -> Block:
    """Adapt a block with one thread."""
    flags = os.environ.get("XLA_FLAGS", "")
    if _ONE_THREAD not in flags:
        os.environ["XLA_FLAGS"] = f"{flags} {_ONE_THREAD}"
    block = task.block(number, lambda share: True)
    assert block is not None  # nobody told it to stop
    return block
