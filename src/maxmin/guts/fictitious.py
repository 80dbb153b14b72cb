"""Guts as the paper solved it, for comparison: value iteration, each step a matrix game by fictitious play.

From V = -t1 on, V becomes the value of A + V B as a fixed number of plays finds it (arXiv 2208.02788). It is slow,
and no nearer than fictitious play is. What differs from the paper: the matrices are those of multisets, not tensors
of all profiles; and the mixtures of each step are certified as in other methods, so that V comes with bounds.
"""

import time
from collections.abc import Sequence

import numpy as np

from maxmin.guts.grid import GridGuts, Multiset, check_fits
from maxmin.interrupt import Watch
from maxmin.limits import Limits
from maxmin.matrix import MatrixSolution, solve_matrix
from maxmin.recursive.certificate import seats_of
from maxmin.recursive.game import RecursiveGame
from maxmin.recursive.listed import Mixture
from maxmin.recursive.result import Callback, Guarantee, RecursiveSnapshot, RecursiveSolution, StateSolution
from maxmin.recursive.run import MOST_ITERATIONS
from maxmin.tree import Floats

PLAYS = 10_000
"""Plays of each step."""

_ARRAYS = 5
"""How many arrays of one number for each player and each pair of plans it takes to write them down, about."""


def solve_by_fictitious_play(
    game: RecursiveGame, rules: GridGuts, limits: Limits, callback: Callback | None
) -> RecursiveSolution:
    """Solve guts on a grid by fictitious play; `game` has `rules` as its only state.

    It ends when a step moves V no further than fictitious play is exact ("optimal"), or at a limit. The strategies
    that are returned are those that secured the bounds.

    Raises
    ------
    SizeError
        If the matrices are too large to be written down.
    """
    start = time.perf_counter()
    run = _Run(game, rules)

    def report(done: float) -> object:
        passed = time.perf_counter() - start
        return callback is None or callback(
            RecursiveSnapshot(int(done), passed, run.lower, run.upper, run.upper - run.lower)
        )

    trace: list[list[float]] = []
    with Watch(limits.seconds, report) as watch:
        once = run.once(watch)
        stopped_by = "" if watch.keep_going(0) else watch.reason
        while not stopped_by:
            run.step(watch)
            trace.append([time.perf_counter() - start, run.iterations, run.lower, run.upper])
            stopped_by = run.reason(limits, watch)
    outcome = "entered" if run.lower > game.least else "not settled"
    return RecursiveSolution(
        states=(StateSolution(game.names[0], outcome, once, run.repeated()),),
        t1=game.t1,
        t2=game.t2,
        method="fictitious_play",
        gap=run.upper - run.lower,
        iterations=run.iterations,
        seconds=time.perf_counter() - start,
        converged=run.upper - run.lower <= limits.gap,
        stopped_by=stopped_by,
        trace=trace,
    )


class _Run:
    """Value iteration so far: V, the best bounds, and the mixtures that secured them."""

    def __init__(self, game: RecursiveGame, rules: GridGuts) -> None:
        _check_fits(rules)
        self._plans = rules.plans(rules.row_players), rules.plans(rules.column_players)
        self._payoffs = rules.payoffs(*self._plans)
        self._multipliers = rules.multipliers(*self._plans)[0]
        self._seats = seats_of(game)
        self._fees = float(game.least), -float(game.most)
        self.lower, self.upper = self._fees[0], -self._fees[1]
        self.iterations = 0
        self._value = self.lower
        self._moved = False

    def once(self, watch: Watch) -> Guarantee:
        """Solve A alone; its strategies stand for those of the repeated game until there are better ones."""
        found = self._play(0.0, watch)
        self._rows, self._columns = self._mixtures(found)
        return _guarantee(found.value, found.lower, found.upper, self._rows, self._columns)

    def step(self, watch: Watch) -> None:
        """Set V to the value of A + V B, and certify the mixtures."""
        found = self._play(self._value, watch)
        self.iterations += 1
        self._moved = abs(found.value - self._value) > found.gap
        self._value = found.value
        rows, columns = self._mixtures(found)
        lower, upper = self._secure(0, rows), -self._secure(1, columns)
        if lower > self.lower:
            self.lower, self._rows = lower, rows
        if upper < self.upper:
            self.upper, self._columns = upper, columns

    def reason(self, limits: Limits, watch: Watch) -> str:
        """Say why to stop, if so."""
        if self.upper - self.lower <= limits.gap:
            return "gap"
        if not watch.keep_going(self.iterations):
            return watch.reason
        if not self._moved:
            return "optimal"
        return "iterations" if self.iterations >= (limits.iterations or MOST_ITERATIONS) else ""

    def repeated(self) -> Guarantee:
        """Return the best bounds so far."""
        middle = (self.lower + self.upper) / 2
        return _guarantee(middle, self.lower, self.upper, self._rows, self._columns)

    def _play(self, value: float, watch: Watch) -> MatrixSolution:
        found = solve_matrix(
            self._payoffs + value * self._multipliers,
            method="fictitious_play",
            iterations=PLAYS,
            gap=0.0,
            callback=lambda _: watch.keep_going(self.iterations),
        )
        if (
            found.stopped_by == "interrupt" and not watch.reason
        ):  # Ctrl-C went to the watch of the matrix game
            watch.reason = "interrupt"
        return found

    def _mixtures(self, found: MatrixSolution) -> tuple[Mixture, Mixture]:
        rows, columns = self._plans
        return _played(rows, found.row_strategy), _played(columns, found.column_strategy)

    def _secure(self, seat: int, mixture: Mixture) -> float:
        """Return what a player, who sees himself as player 1, secures by this mixture alone, from his fee on."""
        aim, ceiling = ((self._value, self.upper), (-self._value, -self.lower))[seat]
        fee, hoped, most = np.array([[self._fees[seat]], [aim], [ceiling]])
        return float(self._seats[seat].secure([mixture], fee, aim=hoped, ceiling=most)[0])


def _played(plans: Sequence[Multiset], weights: Floats) -> Mixture:
    played = np.flatnonzero(weights)
    return Mixture(tuple(plans[place] for place in played.tolist()), weights[played])


def _guarantee(value: float, lower: float, upper: float, rows: Mixture, columns: Mixture) -> Guarantee:
    return Guarantee(value, lower, upper, rows.plans, rows.weights, columns.plans, columns.weights)


def _check_fits(rules: GridGuts) -> None:
    rows, columns = rules.count(rules.row_players), rules.count(rules.column_players)
    needed = 8 * _ARRAYS * rows * columns * (rules.row_players + rules.column_players)
    check_fits(needed, "both matrices, which fictitious play writes down and newton does not,")
