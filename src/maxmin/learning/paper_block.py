"""A block of runs of the paper's network: adapted together, measured on games of their own, kept in a file."""

import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from maxmin.archive import read_archive, write_archive
from maxmin.battleship.board import Board, Bools
from maxmin.errors import MaxminError, SolutionError
from maxmin.files import AnyPath
from maxmin.learning.candidate_network import CandidateNetwork
from maxmin.learning.paper_network import Adaptation, Adapting, Weights

STATE_FORMAT = "maxmin adaptation runs"
STATE_VERSION = 1

RUNS_IN_A_BLOCK = 32
"""Runs that are adapted together: enough for large matrix products, few enough for the processor's cache."""

Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class Task:
    """All runs; a block is known by its number."""

    board: Board
    adaptation: Adaptation
    runs: int
    seed: int
    games: int
    points: int

    @property
    def blocks(self) -> int:
        """How many blocks there are; the last one may be smaller."""
        return -(-self.runs // RUNS_IN_A_BLOCK)

    @property
    def iterations(self) -> NDArray[np.int64]:
        """Where runs are measured."""
        return np.arange(1, self.points + 1) * self.adaptation.iterations // self.points

    def describe(self) -> dict[str, Any]:
        """Return what must agree for blocks to belong together."""
        facts = {"runs": self.runs, "seed": self.seed, "games": self.games, "points": self.points}
        return {**asdict(self.adaptation), **facts, "board": str(self.board)}

    def block(self, number: int, keep_going: Callable[[float], bool]) -> "Block | None":
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
        return Block(shots, success, adapting.diverged, weights)


@dataclass(frozen=True)
class Block:
    """Runs that are finished, as in `Runs`; the best one's weights."""

    shots: Floats
    success_rate: Floats
    diverged: Bools
    best: dict[str, NDArray[np.float32]]

    @property
    def fewest_shots(self) -> float:
        """The average shots of the best run."""
        return float(np.where(self.diverged, np.inf, self.shots[:, -1]).min())

    def followed_by(self, other: "Block") -> "Block":
        """Return both together."""
        best = min(self, other, key=lambda block: block.fewest_shots).best
        return Block(
            np.concatenate([self.shots, other.shots]),
            np.concatenate([self.success_rate, other.success_rate]),
            np.concatenate([self.diverged, other.diverged]),
            best,
        )

    def save(self, path: AnyPath, task: Task) -> None:
        """Write the runs to a checkpoint."""
        header = {"format": STATE_FORMAT, "format_version": STATE_VERSION, "task": task.describe()}
        arrays = {"shots": self.shots, "success_rate": self.success_rate, "diverged": self.diverged}
        write_archive(path, header, arrays | {f"best_{name}": array for name, array in self.best.items()})


def resume(path: AnyPath, task: Task) -> tuple[Block, int]:
    """Read the runs of a checkpoint, and how many blocks they are.

    Raises
    ------
    MaxminError
        If they are of another task.
    SolutionError
        If it is no such file, or damaged.
    """
    header, arrays = read_archive(path, STATE_FORMAT, STATE_VERSION)
    saved = header.get("task")
    for name, ours in task.describe().items():
        theirs = saved.get(name) if isinstance(saved, dict) else None
        if theirs != ours:
            raise MaxminError(
                f"{os.fspath(path)} was saved with {name} {theirs!r}, this training has {ours!r}: "
                "use another file, or the same settings"
            )
    shapes = {name: np.shape(array) for name, array in arrays.items()}
    n = len(arrays["shots"]) if "shots" in arrays else 0
    expected = {f"best_{name}": shape for name, shape in task.adaptation.network.shapes.items()}
    expected |= {"shots": (n, task.points), "success_rate": (n, task.board.n_cells), "diverged": (n,)}
    whole = n == task.runs or (0 < n < task.runs and n % RUNS_IN_A_BLOCK == 0)
    if shapes != expected or not whole or not all(map(_is_finite, arrays.values())):
        raise SolutionError(f"{os.fspath(path)}: the saved runs are damaged")
    best = {name: arrays[f"best_{name}"] for name in task.adaptation.network.shapes}
    return Block(arrays["shots"], arrays["success_rate"], arrays["diverged"], best), -(-n // RUNS_IN_A_BLOCK)


def _is_finite(array: NDArray[Any]) -> bool:
    return array.dtype.kind in "fb" and bool(np.isfinite(array).all())


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
