"""Guts against a coalition whose members mix each on its own: no common draw, so a product of distributions.

How little can such a coalition leave to player 1: the minimum, over products of distributions of thresholds, of
player 1's best payoff? That is not a matrix game: the payoff is multilinear in the members' distributions, and the
paper (arXiv 2208.02788) leaves it open. On the continuum of thresholds it has an answer, proved in
docs/theory/guts-continuum.md:

1. The payoff is convex in each member's threshold, whatever player 1 does. So a member loses nothing by playing its
   mean threshold instead of its mixture, and pure thresholds are enough.
2. Over pure thresholds, player 1's best payoff has one local minimum only: all of them at 2^(-1/N), which is also
   the symmetric Nash equilibrium. It leaves him v N (1 - 2^(-1/N)) in a round, where v is what he expects per unit
   of the stakes of the rounds to come; so one round and the whole game are worth exactly 0.

On a grid both sides are hampered a little, and the minimum is somewhere near 0. Again a member needs its mean only,
which it plays by a mixture of the two grid points around it. The members improve one after another, each exactly,
from many starts (`maxmin.guts.asynchronous_grid`); the least end is the upper bound. From below, player 1 mixes the
two points around his answer on the continuum: his payoff has a second derivative of at most 2 n N in size, so that
costs him at most n N h^2 / 4 on a grid of step h; and a coalition that agrees on joint profiles leaves him no more.
"""

import math
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from maxmin.errors import SizeError
from maxmin.guts.asynchronous_grid import SMALL, GridCoalition, Member, search, spread_starts
from maxmin.guts.certificate import exactly, repeated_upper, round_up
from maxmin.guts.coalition import make_grid, solve_guts
from maxmin.guts.continuum import Saddle, check_coalition, held_to, solve_continuum
from maxmin.guts.result import GutsValue
from maxmin.interrupt import Watch

LARGEST_BYTES = 2**30
"""Grids whose tables take more are refused."""

_TABLES = 6
"""How many tables of points x points numbers there are at once, about."""
_MOST_ROUNDS = 20
_ROUNDING = 1e-9
"""Of a few multiplications, and of 1 - going_on, which is more than 0.3, with room to spare."""
_SAME = 1e-9
"""Ends no further apart than this are the same."""


@dataclass(frozen=True)
class AsynchronousValue:
    """What a coalition whose members mix on their own leaves to player 1.

    Attributes
    ----------
    value, lower, upper : float
        In antes: the least found, a proved lower bound, and what the members' strategies leave to player 1.
    members : list of list of (threshold, probability)
        A strategy for each member.
    """

    value: float
    lower: float
    upper: float
    members: list[Member]

    def to_json(self) -> dict[str, float]:
        """Return value and bounds."""
        return {"value": self.value, "lower": self.lower, "upper": self.upper}

    def strategies_to_json(self) -> list[list[dict[str, float]]]:
        """Return the members' strategies."""
        return [
            [{"threshold": threshold, "probability": weight} for threshold, weight in member]
            for member in self.members
        ]


@dataclass(frozen=True, repr=False)
class AsynchronousSolution:
    """Guts against a coalition whose members mix on their own, beside one that agrees on joint profiles.

    Attributes
    ----------
    coalition : int
    grid : int or None
        Points of the grid; None on the continuum.
    one_shot, repeated : AsynchronousValue
        Of a single round, and of the game that is played on.
    synchronous_one_shot, synchronous_repeated : GutsValue
        The same for a coalition that agrees on joint profiles.
    nash : float
        What player 1 gets in the symmetric Nash equilibrium: 0.
    starts, reached : int
        From how many starts the search was begun, and how many ended at its best; 0 on the continuum.
    seconds : float
    stopped_by : str
        "optimal" (on the continuum), "starts" (all are done), "seconds" or "interrupt".
    """

    coalition: int
    grid: int | None
    one_shot: AsynchronousValue
    repeated: AsynchronousValue
    synchronous_one_shot: GutsValue
    synchronous_repeated: GutsValue
    nash: float
    starts: int
    reached: int
    seconds: float
    stopped_by: str

    def __repr__(self) -> str:
        where = "on the continuum" if self.grid is None else f"on {self.grid} points"
        bounds = f"{self.repeated.lower:.6g} <= repeated value <= {self.repeated.upper:.6g}"
        return f"AsynchronousSolution(1 v {self.coalition} {where}: {bounds})"

    def to_json(self) -> dict[str, Any]:
        """Return the fields that the command line prints with ``--json``.

        Sizes are the pure strategies of player 1 and of each member; None on the continuum.
        """
        return {
            "game": "guts",
            "coalition": self.coalition,
            "against": 1,
            "grid": self.grid,
            "method": "asynchronous",
            "one_shot": self.one_shot.to_json(),
            "repeated": self.repeated.to_json(),
            "strategies": {"members": self.repeated.strategies_to_json()},
            "one_shot_strategies": {"members": self.one_shot.strategies_to_json()},
            "synchronous": {
                "one_shot": self.synchronous_one_shot.to_json(),
                "repeated": self.synchronous_repeated.to_json(),
            },
            "nash": self.nash,
            "gap": self.repeated.upper - self.repeated.lower,
            "starts": self.starts,
            "reached": self.reached,
            "seconds": self.seconds,
            "stopped_by": self.stopped_by,
            "sizes": {"rows": self.grid, "member": self.grid},
        }


def solve_asynchronous(
    *, coalition: int, grid: int | None = None, seconds: float | None = None
) -> AsynchronousSolution:
    """Find what a coalition can hold player 1 to if its members mix each on its own.

    Parameters
    ----------
    coalition
        N, its players.
    grid
        Points of the grid of thresholds for everybody; None for the continuum, where the answer is a theorem.
    seconds
        Stop the search on a grid after this time, with the best so far.

    Returns
    -------
    AsynchronousSolution

    Raises
    ------
    GameError, SizeError
        As `solve_continuum` and `solve_guts`.

    Examples
    --------
    >>> solution = solve_asynchronous(coalition=3)
    >>> solution.one_shot.value, solution.repeated.value
    (0.0, 0.0)
    >>> round(solution.synchronous_repeated.value, 4)
    -0.0338
    """
    start = time.perf_counter()
    if grid is None:
        return _on_continuum(check_coalition(coalition), start)
    rules = make_grid(coalition=coalition, grid=grid)
    players, points = rules.column_players, len(rules.thresholds)
    needed = 8 * _TABLES * points * (points + players)
    if needed > LARGEST_BYTES:
        raise SizeError(
            f"{points:,} grid points for {players:,} members would take about {needed / 1e9:,.1f} GB; "
            f"the limit is {LARGEST_BYTES / 1e9:.1f} GB: use a coarser grid or fewer players"
        )
    return _on_grid(players, points, seconds, start)


def nash_threshold(players: int) -> float:
    """Return the threshold of the symmetric equilibrium: all N players of the coalition drop with probability 1/2.

    It is rounded down, since above it player 1 would gain more.
    """
    near = math.pow(0.5, 1 / players)
    return near if math.pow(near, players) <= 0.5 else math.nextafter(near, 0.0)


def _on_continuum(players: int, start: float) -> AsynchronousSolution:
    """State the theorem, with upper bounds for the threshold rounded to a float."""
    nash = nash_threshold(players)
    bloc = Saddle(player=nash, bloc=nash, pseudo_bloc=1.0, weight=1.0)
    with exactly():
        from flint import arb

        one_shot = round_up(held_to(players, bloc, arb(1)))
        repeated = repeated_upper(lambda v: held_to(players, bloc, 1 + v), 0.0, fee=players)
    members = [[(nash, 1.0)]] * players
    synchronous = solve_continuum(coalition=players)
    return AsynchronousSolution(
        players,
        None,
        AsynchronousValue(0.0, 0.0, one_shot, members),
        AsynchronousValue(0.0, 0.0, repeated, members),
        synchronous.one_shot,
        synchronous.repeated,
        nash=0.0,
        starts=0,
        reached=0,
        seconds=time.perf_counter() - start,
        stopped_by="optimal",
    )


def _on_grid(players: int, points: int, seconds: float | None, start: float) -> AsynchronousSolution:
    """Search from many starts for one round, then for the game that is played on, by Newton's method from above."""
    coalition = GridCoalition(players, points)
    synchronous = solve_guts(coalition=players, grid=points, seconds=seconds)
    left = None if seconds is None else max(0.0, seconds - (time.perf_counter() - start))
    with Watch(left, lambda done: synchronous.stopped_by != "interrupt") as watch:
        means, ends = search(coalition, 1.0, spread_starts(players), watch)
        least, one_shot = min(ends), coalition.one_shot_upper(means)
        repeated, upper = means, coalition.repeated_upper(means)
        for _ in range(_MOST_ROUNDS):
            better, _ = search(coalition, 1 + upper, np.vstack([repeated, spread_starts(players)]), watch)
            improved = coalition.repeated_upper(better)
            if improved > upper - SMALL:
                break
            repeated, upper = better, improved
            if watch.reason:
                break
    cost = players * (players + 1) / (4 * (points - 1) ** 2)
    going_on = players * (1 - nash_threshold(players))
    costs = (one * (1 + _ROUNDING) for one in (cost, cost / (1 - going_on)))
    agreed = synchronous.one_shot.lower, synchronous.repeated.lower
    lower = [max(-one, least) for one, least in zip(costs, agreed, strict=True)]
    return AsynchronousSolution(
        players,
        points,
        AsynchronousValue(one_shot, lower[0], one_shot, coalition.mixtures(means)),
        AsynchronousValue(upper, lower[1], upper, coalition.mixtures(repeated)),
        synchronous.one_shot,
        synchronous.repeated,
        nash=0.0,
        starts=len(ends),
        reached=sum(end <= least + _SAME for end in ends),
        seconds=time.perf_counter() - start,
        stopped_by=watch.reason or "starts",
    )
