"""What strategies are worth: how many shots they take, exactly over all boards or measured on the same boards.

A deterministic strategy is a decision tree. All boards go down it at once: at each depth the states that are
reached are one batch of choices, and each cell that is chosen splits the boards of its state in two. So no game is
played twice, and the expectation is exact.

Conventions. Shots: the number of the shot that hits the last covered cell. Success rate of shot t: the share of
games whose t-th shot hits; a game that has ended counts as 0. Score: the success rates weighted by 1, 1 - 1/n, ...,
1/n over the n cells and added up; for two patterns of four cells that is 8 - sum of (time of hit - 1) / n.
"""

import math
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmin.battleship.board import Board, Bools
from maxmin.battleship.processes import in_processes
from maxmin.battleship.strategies import Strategy, check_choice
from maxmin.errors import Cancelled
from maxmin.interrupt import Watch
from maxmin.limits import check_jobs, check_seconds, check_whole

GAMES = 10_000
"""Games that are played where the expectation cannot be exact, unless another number is asked for."""

_MOST_GAMES = 10**9
_CHUNK = 500
"""Games that are played at once; each chunk has its own boards and its own seed, whoever plays it."""


@dataclass(frozen=True)
class Evaluation:
    """What a strategy is worth.

    Attributes
    ----------
    name : str
        The strategy.
    mean_shots : float
        Expected number of shots until every pattern is uncovered.
    standard_error : float
        Of `mean_shots`; 0 if it is exact, infinite after a single game (null in JSON).
    exact : bool
        Whether it is the expectation over all boards (in floating point); else the mean over `games`.
    games : int
        Boards that were played: all of them, or those that were drawn.
    distribution : (n_cells,) float64
        Probability that the game ends with shot 1, 2, ...
    success_rate : (n_cells,) float64
        Share of games whose shot 1, 2, ... hits; a game that has ended counts as 0.
    score : float
        Success rates weighted by 1, 1 - 1/n, ..., 1/n, added up.
    board : str
        The board, with the distribution that boards come from.
    seed : int
        Of the boards and of random choices.
    stopped_by : str
        "done", or why there are fewer games than asked for: "seconds" or "interrupt".
    """

    name: str
    mean_shots: float
    standard_error: float
    exact: bool
    games: int
    distribution: NDArray[np.float64]
    success_rate: NDArray[np.float64]
    score: float
    board: str
    seed: int
    stopped_by: str = "done"

    def shots_of(self, share: float) -> int:
        """Return the shot by which so large a share of the games has ended."""
        return int(np.searchsorted(self.distribution.cumsum(), share - 1e-12)) + 1

    def to_json(self) -> dict[str, Any]:
        """Return it as an object of plain types; lists start with shot 1."""
        facts = dict(self.__dict__)
        facts |= {name: facts[name].tolist() for name in ("distribution", "success_rate")}
        return facts | {"standard_error": self.standard_error if math.isfinite(self.standard_error) else None}


def evaluate(
    strategies: Sequence[Strategy],
    board: Board,
    *,
    games: int | None = None,
    seed: int = 0,
    jobs: int = 1,
    seconds: float | None = None,
    callback: Callable[[float], object] = lambda done: None,
) -> list[Evaluation]:
    """Find how many shots strategies take.

    Parameters
    ----------
    strategies
        All meet the same boards.
    board
        The board.
    games
        Play so many on boards drawn at random. None: all boards, exactly, if they can be listed and the strategy is
        deterministic; else `GAMES`.
    seed
        Of the boards and of random choices. The same seed gives the same result, whatever `jobs` is.
    jobs
        How many processes; -1 for as many as there are cores. A random strategy without ``seeded(seed)``, which
        returns a copy with a seed of its own, is always played here.
    seconds
        Stop after this time, with the games that all strategies have played.
    callback
        Told now and then which share of the work is done; returns False to stop.

    Returns
    -------
    list of Evaluation
        In the order of `strategies`, without those of which nothing is known when it was stopped.

    Raises
    ------
    GameError
        If `games`, `seed` or `jobs` is not a whole number that it can be, or a strategy is for another board.
    StrategyError
        If a strategy shoots off the board or where it has shot before.
    Cancelled
        If it was stopped before anything was known.
    """
    if games is not None:
        check_whole("games", games, least=1, most=_MOST_GAMES)
    check_whole("the seed", seed, least=0)
    check_jobs(jobs)
    check_seconds(seconds)
    tasks = _tasks(strategies, board, games, seed)
    times: list[list[NDArray[np.int16]]] = [[] for _ in strategies]
    done = 0
    with Watch(seconds, callback) as watch, suppress(Cancelled), closing(_run(tasks, jobs, watch)) as played:
        for index, found in played:
            times[index].append(found)
            done += 1
            if not watch.keep_going(done / len(tasks)):
                break
    stopped_by = "done" if done == len(tasks) else watch.reason or "interrupt"
    drawn = {task.index for task in tasks if task.chunk is not None}
    rounds = min((len(times[index]) for index in drawn), default=0)
    results = [
        _evaluation(
            strategy, board, chunks[: rounds if index in drawn else 1], index not in drawn, seed, stopped_by
        )
        for index, (strategy, chunks) in enumerate(zip(strategies, times, strict=True))
        if (rounds if index in drawn else chunks)
    ]
    if strategies and not results:
        raise Cancelled("stopped before a single strategy was measured; give it more time")
    return results


@dataclass(frozen=True)
class _Task:
    """One strategy on all boards (chunk None), or on the boards of one chunk."""

    strategy: Strategy
    index: int
    board: Board
    chunk: int | None
    seed: int
    size: int

    @property
    def movable(self) -> bool:
        """Whether it gives the same result in another process."""
        return self.strategy.deterministic or hasattr(self.strategy, "seeded")

    def play(self, go_on: Callable[[], bool] = lambda: True) -> tuple[int, NDArray[np.int16]]:
        """Return the index of the strategy and the times of its hits, (games, n_covered); see `hit_times`."""
        if self.chunk is None:
            found = self.board.configurations()
            covered = self.board.unpack(found.masks)
            return self.index, hit_times(self.strategy, self.board, covered, go_on=go_on)
        boards, choices = np.random.SeedSequence([self.seed, self.chunk]).generate_state(2, np.uint64)
        seeded = getattr(self.strategy, "seeded", None)
        strategy = seeded(int(choices)) if seeded else self.strategy
        covered = self.board.draw(self.size, seed=int(boards))
        return self.index, hit_times(strategy, self.board, covered, go_on=go_on)


def _tasks(strategies: Sequence[Strategy], board: Board, games: int | None, seed: int) -> list[_Task]:
    """List what is to be played: first what can be exact, then chunk by chunk what cannot."""
    exact = [games is None and each.deterministic and board.listed is not None for each in strategies]
    of_all = [_Task(each, i, board, None, seed, 0) for i, each in enumerate(strategies) if exact[i]]
    n = games or GAMES
    return of_all + [
        _Task(each, i, board, chunk, seed, min(_CHUNK, n - chunk * _CHUNK))
        for chunk in range(math.ceil(n / _CHUNK))
        for i, each in enumerate(strategies)
        if not exact[i]
    ]


def hit_times(
    strategy: Strategy, board: Board, covered: Bools, *, go_on: Callable[[], bool] = lambda: True
) -> NDArray[np.int16]:
    """Let a strategy play on boards, all at once.

    Parameters
    ----------
    strategy
        Asked once for each state that is reached; if it is not deterministic, once for each game.
    board
        The board.
    covered : (games, n_cells) booleans
        Where the patterns are.
    go_on
        Asked after each shot; False stops.

    Returns
    -------
    (games, n_covered) int16
        The numbers of the shots that hit, in order; the last one is the number of shots of the game.

    Raises
    ------
    Cancelled
        If it was stopped.
    StrategyError
        If the strategy shoots off the board or where it has shot before.
    """
    until = getattr(strategy, "choose_until", None)
    choose = partial(until, go_on=go_on) if until else strategy.choose
    n = len(covered)
    times = np.zeros((n, board.n_covered), dtype=np.int16)
    n_hits = np.zeros(n, dtype=np.int64)
    game = np.arange(n)
    state = np.zeros(n, dtype=np.int64) if strategy.deterministic else np.arange(n)
    hits, misses = np.zeros((2, 1 if strategy.deterministic else n, board.n_cells), dtype=np.bool_)
    for shot in range(1, board.n_cells + 1):
        chosen = np.asarray(choose(hits, misses))
        check_choice(board, strategy, chosen, hits, misses)
        hit = covered[game, chosen[state]]
        times[game[hit], n_hits[game[hit]]] = shot
        n_hits[game[hit]] += 1
        going = n_hits[game] < board.n_covered
        branches, state = np.unique((2 * state + hit)[going], return_inverse=True)
        game = game[going]
        if not len(game):
            break
        if not go_on():
            raise Cancelled("stopped")
        before = branches // 2
        hits, misses = hits[before], misses[before]
        rows, cells, was_hit = np.arange(len(branches)), chosen[before], branches % 2 == 1
        hits[rows, cells] = was_hit
        misses[rows, cells] = ~was_hit
    return times


def _run(
    tasks: Sequence[_Task], jobs: int, watch: Watch
) -> Generator[tuple[int, NDArray[np.int16]], None, None]:
    """Yield what each task finds, in the order of the tasks."""
    if jobs == 1 or not all(task.movable for task in tasks):
        for done, task in enumerate(tasks):
            yield task.play(partial(watch.keep_going, done / len(tasks)))
        return
    with closing(in_processes([task.play for task in tasks], jobs=jobs)) as found:
        yield from found


def _evaluation(
    strategy: Strategy,
    board: Board,
    chunks: Sequence[NDArray[np.int16]],
    exact: bool,
    seed: int,
    stopped_by: str,
) -> Evaluation:
    times = np.concatenate(chunks)
    n, cells = len(times), board.n_cells
    weights = board.configurations().weights if exact else np.full(n, 1 / n)
    shots = times[:, -1].astype(np.float64)
    mean = float(weights @ shots)
    error = 0.0 if exact else math.inf if n == 1 else float(shots.std(ddof=1)) / math.sqrt(n)
    hit_weights = np.repeat(weights, times.shape[1])
    success = np.bincount(times.ravel() - 1, hit_weights, cells).astype(np.float64)
    return Evaluation(
        name=strategy.name,
        mean_shots=mean,
        standard_error=error,
        exact=exact,
        games=n,
        distribution=np.bincount(times[:, -1] - 1, weights, cells).astype(np.float64),
        success_rate=success,
        score=float(success @ (1 - np.arange(cells) / cells)),
        board=str(board),
        seed=seed,
        stopped_by=stopped_by,
    )
