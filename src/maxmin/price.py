"""What a team loses because its members cannot draw together, or cannot talk: `price`.

Three values of one game, each at least the one before: members randomize each on its own (TME, `maxmin.tme`); they
may also draw together before play (TMECor, `maxmin.solve`); they also talk during play (`maxmin.communication`). A
bound on one is a bound on its neighbours, so all three are bounded as soon as one is.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from maxmin.communication import full_communication
from maxmin.errors import Cancelled, MaxminError
from maxmin.interrupt import Watch
from maxmin.limits import check_gap, check_seconds, check_whole
from maxmin.match import sides_of
from maxmin.properties import payoff_range
from maxmin.solve import Snapshot, Solution, solve
from maxmin.sources import load_tree
from maxmin.tme import TmeSolution, solve_tme
from maxmin.tree import GameTree

_SHARE = 0.25
"""Of the time, for full communication at most: one player of perfect recall is the easiest of the three."""

_CROSSING = 1e-7
"""Bounds that cross by no more than this share of the payoff range have met."""


@dataclass(frozen=True)
class Interval:
    """Proven bounds of a number, payoff units."""

    lower: float
    upper: float

    @property
    def width(self) -> float:
        """Upper minus lower bound."""
        return self.upper - self.lower

    def less(self, other: "Interval") -> "Interval":
        """Bound this number minus the other one, which is known to be no larger."""
        return Interval(max(self.lower - other.upper, 0.0), max(self.upper - other.lower, 0.0))


@dataclass(frozen=True, eq=False)
class Price:
    """What a team gets alone, together and talking.

    Attributes
    ----------
    game : str
    team : tuple of int
    least, largest : float
        What the team is paid at worst and at best; payoff units.
    tme : Interval
        Each member randomizes on its own.
    correlated : Interval
        Members may draw together before play (TMECor).
    communicating : Interval
        Members also tell each other at once what they know; see `full_communication` for what a tree says of that.
    gap : float
        The widest of the three, as a share of ``largest - least``.
    converged : bool
        Whether that is no more than was asked for.
    stopped_by : str
        Why the last solver stopped.
    seconds : float
    version : str
        Of maxmin.
    seed : int
    solutions : tuple of TmeSolution or None, Solution or None, Solution or None
        With the strategies, in this order; the last one is of the tree that `full_communication` makes. None where
        the solver was stopped before it had any.
    """

    game: str
    team: tuple[int, ...]
    least: float
    largest: float
    tme: Interval
    correlated: Interval
    communicating: Interval
    gap: float
    converged: bool
    stopped_by: str
    seconds: float
    version: str
    seed: int
    solutions: tuple[TmeSolution | None, Solution | None, Solution | None]

    @property
    def correlation(self) -> Interval:
        """What it is worth to draw together: `correlated` minus `tme`, payoff units."""
        return self.correlated.less(self.tme)

    @property
    def communication(self) -> Interval:
        """What it is worth to talk as well: `communicating` minus `correlated`, payoff units."""
        return self.communicating.less(self.correlated)

    def share(self, worth: Interval) -> Interval:
        """Return a worth as a share of the payoff range."""
        span = self.largest - self.least
        return Interval(worth.lower / span, worth.upper / span) if span else Interval(0.0, 0.0)

    def to_json(self) -> dict[str, Any]:
        """Return the numbers, as ``maxmin price --json`` prints them."""
        worths = {"correlation": self.correlation, "communication": self.communication}
        return {
            "game": self.game,
            "team": list(self.team),
            "payoff_range": [self.least, self.largest],
            "tme": _bounds(self.tme),
            "correlated": _bounds(self.correlated),
            "communicating": _bounds(self.communicating),
            "worth": {
                name: {**_bounds(worth), "share": _bounds(self.share(worth))}
                for name, worth in worths.items()
            },
            "gap": self.gap,
            "converged": self.converged,
            "stopped_by": self.stopped_by,
            "seconds": self.seconds,
            "version": self.version,
            "seed": self.seed,
        }


def price(
    game: Any,
    *,
    team: Sequence[int],
    gap: float = 1e-3,
    seconds: float | None = None,
    seed: int = 0,
    callback: Callable[[Snapshot], object] | None = None,
) -> Price:
    """Bound what a team can guarantee alone, together and talking, and so what drawing and talking are worth.

    Everybody else is taken as one team that may draw together, in all three cases.

    Parameters
    ----------
    game
        A name from the catalogue, the path of a file, rules, a `GameTree`, or another package's game.
    team
        The players' numbers.
    gap
        Stop each of the three when the gap between its bounds is at most this share of the payoff range.
    seconds
        Stop after so much, with the bounds so far, as on Ctrl-C. Talking takes a quarter at most, the other two the
        rest.
    seed
        Of the local searches for the TME.
    callback
        Called with a `maxmin.solve.Snapshot` of what is being solved now and then; returns False to stop.

    Returns
    -------
    Price

    Raises
    ------
    UnknownNameError
        If the game or a player is not known.
    GameError, FormatError, SizeError
        If the game cannot be read, built, or fitted into memory; if somebody is absent-minded.
    NotTimeableError
        If the team's infosets come before each other in a circle.
    MaxminError
        If an argument makes no sense, or the time limit ends before there is anything to return.
    Cancelled
        If stopped before there was anything to return.

    Examples
    --------
    >>> found = price("private_signal", team=(1, 2))
    >>> [round(one.upper, 2) for one in (found.correlated, found.communicating)]
    [0.25, 1.0]
    """
    gap, seconds, seed = check_gap(gap), check_seconds(seconds), check_whole("seed", seed, least=0)
    tree = load_tree(game)
    side, _ = sides_of(tree, team)
    run = _Run(tree, side, gap, seconds, seed, callback)
    with Watch(None, lambda _: True) as watch:  # between two solvers Ctrl-C waits
        run.attempt(run.talk)
        if run.stopped_by != "interrupt" and watch.keep_going(0):
            run.attempt(run.play)
        if run.independent is None and run.stopped_by == "seconds":  # of a part of it that is needed first
            run.attempt(run.draw)
    if watch.reason:
        run.stopped_by = watch.reason
    return run.result()


class _Run:
    """The solvers that have run, and what is left of the time."""

    def __init__(
        self,
        tree: GameTree,
        side: tuple[int, ...],
        gap: float,
        seconds: float | None,
        seed: int,
        callback: Callable[[Snapshot], object] | None,
    ) -> None:
        self.tree, self.side, self.gap, self.seconds = tree, side, gap, seconds
        self.seed, self.callback = seed, callback
        self.begin = time.perf_counter()
        self.talking: Solution | None = None
        self.independent: TmeSolution | None = None
        self.correlated: Solution | None = None
        self.stopped_by = ""

    def attempt(self, step: Callable[[float | None], str]) -> None:
        """Run a solver for the time that is left; note why it stopped, also where it leaves nothing."""
        left = None if self.seconds is None else self.begin + self.seconds - time.perf_counter()
        if left is not None and left <= 0:
            self.stopped_by = "seconds"
            return
        start = time.perf_counter()
        try:
            self.stopped_by = step(left)
        except Cancelled:
            self.stopped_by = "interrupt"
        except MaxminError as error:
            # Subclasses say what is wrong with the game; that the time is up is an error of the root class.
            late = left is not None and time.perf_counter() - start >= _SHARE * left
            if not late or type(error) is not MaxminError:
                raise
            self.stopped_by = "seconds"

    def talk(self, seconds: float | None) -> str:
        """Solve the game in which the team talks."""
        told = full_communication(self.tree, self.side)
        limit = None if seconds is None else _SHARE * seconds
        self.talking = solve(told, gap=self.gap, seconds=limit, callback=self.callback)
        return self.talking.stopped_by

    def play(self, seconds: float | None) -> str:
        """Solve the game in which it does not, with draws and without."""
        self.independent = solve_tme(
            self.tree, team=self.side, gap=self.gap, seconds=seconds, seed=self.seed, callback=self.callback
        )
        self.correlated = self.independent.correlated
        return self.independent.stopped_by

    def draw(self, seconds: float | None) -> str:
        """Solve the game in which the team does not talk, but draws together."""
        self.correlated = solve(
            self.tree, team=self.side, gap=self.gap, seconds=seconds, callback=self.callback
        )
        return self.correlated.stopped_by

    def result(self) -> Price:
        """Put the bounds together; each also bounds its neighbours."""
        from maxmin import __version__

        if self.correlated is None and self.talking is None:
            if self.stopped_by == "interrupt":
                raise Cancelled
            raise MaxminError(
                f"the time limit of {self.seconds:g} seconds ended before any bound; allow more"
            )
        least, largest = payoff_range(self.tree, self.side)
        anything = Interval(least, largest)
        solutions = (self.independent, self.correlated, self.talking)
        found = _in_order([anything if one is None else Interval(one.lower, one.upper) for one in solutions])
        if any(one.width < -_CROSSING * (largest - least) for one in found):
            raise MaxminError(
                f"the bounds on {self.tree.name} alone, together and talking contradict each other: "
                "this is a fault in maxmin; please report it"
            )
        # Bounds that have met may cross by a rounding error.
        found = [replace(one, lower=min(one.lower, one.upper)) for one in found]
        span = largest - least
        widest = max(one.width for one in found) / span if span else 0.0
        return Price(
            game=self.tree.name,
            team=self.side,
            least=least,
            largest=largest,
            tme=found[0],
            correlated=found[1],
            communicating=found[2],
            gap=widest,
            converged=widest <= self.gap,
            stopped_by=self.stopped_by,
            seconds=time.perf_counter() - self.begin,
            version=__version__,
            seed=self.seed,
            solutions=solutions,
        )


def _in_order(found: Sequence[Interval]) -> list[Interval]:
    """Tighten bounds of numbers each of which is at least the one before."""
    ordered = list(found)
    for index in range(1, len(ordered)):
        ordered[index] = replace(ordered[index], lower=max(ordered[index].lower, ordered[index - 1].lower))
    for index in reversed(range(len(ordered) - 1)):
        ordered[index] = replace(ordered[index], upper=min(ordered[index].upper, ordered[index + 1].upper))
    return ordered


def _bounds(interval: Interval) -> dict[str, float]:
    return {"lower": interval.lower, "upper": interval.upper}
