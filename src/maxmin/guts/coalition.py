"""`solve_guts`: what player 1, or a side of several players, can guarantee against a coalition in guts on a grid.

A coalition agrees on a mixture of *joint* profiles of thresholds, so each side is one player of the matrix game of
`maxmin.guts.grid`, and the game that is played on until a single player holds is a recursive game of one state.
Before a round player 1 can leave for his ante, and the coalition for all of theirs.
"""

import time
from collections.abc import Sequence
from typing import Any

from maxmin.guts.fictitious import solve_by_fictitious_play
from maxmin.guts.grid import GridGuts, check_fits
from maxmin.guts.payoffs import check_count
from maxmin.guts.reduced import ReducedGuts
from maxmin.guts.result import GutsSolution, GutsValue, Mixture
from maxmin.guts.weenie import WeenieGuts
from maxmin.limits import make_limits
from maxmin.names import unknown_method
from maxmin.recursive import METHODS as RECURSIVE_METHODS
from maxmin.recursive import Guarantee, RecursiveGame, solve_recursive
from maxmin.recursive.result import Callback

METHODS: tuple[str, ...] = (*RECURSIVE_METHODS, "fictitious_play")
"""All names that `solve_guts` takes as its method."""

_BEYOND_COUNTING = 10**300

_ARRAYS = 6
"""How many arrays of one number for each player and grid point a best response needs, about."""


def solve_guts(
    *,
    coalition: int,
    grid: int = 101,
    against: int = 1,
    reduced: bool = False,
    weenie: bool = False,
    method: str = "newton",
    gap: float = 1e-9,
    seconds: float | None = None,
    iterations: int | None = None,
    callback: Callback | None = None,
) -> GutsSolution:
    """Find what player 1's side can guarantee against a coalition in guts on a grid of thresholds.

    Parameters
    ----------
    coalition
        How many players act as one against player 1.
    grid
        Points of the grid of thresholds 0, 1 / (grid - 1), ..., 1.
    against
        How many players are on player 1's side, acting as one.
    reduced
        Whether sides of several players play only blocs and pseudo-blocs.
    weenie
        Whether the best hand pays a pot if nobody holds; see `maxmin.guts.weenie`. Such grids must be coarser.
    method
        "newton" or "value_iteration", see `maxmin.recursive.solve_recursive`; or "fictitious_play", as the paper
        did it, see `maxmin.guts.fictitious`.
    gap
        Stop when the bounds of the repeated value are no further apart, in antes.
    seconds, iterations
        Stop after so much; the best so far is returned, as it is on Ctrl-C.
    callback
        Called with a `maxmin.recursive.RecursiveSnapshot` now and then; returns False to stop.

    Raises
    ------
    GameError
        If a number of players is not a whole number from 1, or the grid has less than 2 points.
    SizeError
        If the grid and the number of players are too large together.
    MaxminError
        If another argument makes no sense.

    Examples
    --------
    >>> solution = solve_guts(coalition=2, grid=101)
    >>> round(solution.repeated.value, 4)
    -0.0132
    >>> solution.repeated.upper - solution.repeated.lower <= 1e-9
    True
    """
    start = time.perf_counter()
    if method not in METHODS:
        raise unknown_method(method, METHODS)
    rules = make_grid(coalition=coalition, grid=grid, against=against, reduced=reduced, weenie=weenie)
    game = RecursiveGame(rules, t1=rules.row_players, t2=rules.column_players)
    if method == "fictitious_play":
        limits = make_limits(gap, seconds, iterations)
        found = solve_by_fictitious_play(game, rules, limits, callback)
    else:
        found = solve_recursive(
            game, method=method, gap=gap, seconds=seconds, iterations=iterations, callback=callback
        )
    return GutsSolution(
        coalition=rules.column_players,
        against=rules.row_players,
        grid=len(rules.thresholds),
        reduced=bool(reduced),
        weenie=bool(weenie),
        method=found.method,
        one_shot=_value(rules, found.one_shot),
        repeated=_value(rules, found.repeated),
        outcome=found.outcome,
        gap=found.gap,
        iterations=found.iterations,
        seconds=time.perf_counter() - start,
        converged=found.converged,
        stopped_by=found.stopped_by,
        sizes={"rows": _size(rules, rules.row_players), "columns": _size(rules, rules.column_players)},
        trace=found.trace,
    )


def make_grid(
    *, coalition: int, grid: int, against: int = 1, reduced: bool = False, weenie: bool = False
) -> GridGuts:
    """Return a round of guts on a grid, for `maxmin.recursive`; parameters and errors are those of `solve_guts`."""
    rows = check_count("against", against, 1, "the number of players on player 1's side")
    columns = check_count("coalition", coalition, 1, "the number of its players")
    points = check_count("grid", grid, 2, "the number of thresholds, from 0 to 1")
    check_fits(8 * _ARRAYS * (rows + columns) * points, "the grid")
    rules = (ReducedGuts if reduced else GridGuts)(rows, columns, points)
    return WeenieGuts(rules) if weenie else rules


def _size(rules: GridGuts, players: int) -> int | float:
    """Count a side's pure strategies: as a float where other programs would not read the integer exactly."""
    size = rules.count(players)
    return size if size < 2**53 else float(min(size, _BEYOND_COUNTING))


def _value(rules: GridGuts, found: Guarantee) -> GutsValue:
    return GutsValue(
        found.value,
        found.lower,
        found.upper,
        _mixture(rules, found.rows, found.row_weights.tolist()),
        _mixture(rules, found.columns, found.column_weights.tolist()),
    )


def _mixture(rules: GridGuts, plans: Sequence[Any], weights: list[float]) -> Mixture:
    held = [tuple(rules.thresholds[list(plan)].tolist()) for plan in plans]
    return sorted(zip(held, weights, strict=True), key=lambda pair: (-pair[1], pair[0]))
