"""What a team gets whose members randomize each on its own: `solve_tme` (team max-min equilibrium, TME).

Lower bounds are strategies, certified by everybody else's best response: local search (`ascent`, one linear program
a step: `linearization`) from many `starts`. Upper bounds are what the team would get if its members could draw
together (TMECor, `maxmin.solve`), and, in small games, `branch_and_bound` over boxes of odds, each bounded by one
linear program over `products` of the members' sequences (`relaxation`).
"""

import itertools
import math
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from maxmin.decision import check_side
from maxmin.errors import Cancelled
from maxmin.interrupt import Watch
from maxmin.limits import check_gap, check_seconds, check_whole
from maxmin.solve import Snapshot, Solution, solve
from maxmin.solve.run import Callback, building, relative_gap
from maxmin.sources import load_tree
from maxmin.tme.branch_and_bound import close_gap
from maxmin.tme.match import make_independent_match
from maxmin.tme.products import products_of
from maxmin.tme.relaxation import Relaxation
from maxmin.tme.result import TmeSolution
from maxmin.tme.search import Search
from maxmin.tme.starts import starting_points
from maxmin.tree import GameTree

__all__ = ["TmeSolution", "solve_tme"]

_SHARE = 0.25
"""Of the gap and of the time that may be used to find what members get who draw together."""

_MOST_PRODUCTS = 20_000
"""Branch and bound is left out where its programs have more columns: they take seconds, and many are needed."""

_LEAST_SECONDS = 1e-3
"""Where the time is up before the search begins: one look at one point."""


def solve_tme(
    game: Any,
    *,
    team: Sequence[int],
    gap: float = 1e-3,
    seconds: float | None = None,
    starts: int = 20,
    nodes: int = 1000,
    seed: int = 0,
    memory: int | None = None,
    callback: Callback | None = None,
) -> TmeSolution:
    """Bound what a team can guarantee whose members randomize each on its own.

    Everybody else is taken as one team that may draw together and wants this one to get as little as possible.
    A member who forgets randomizes at each of its infosets anew (a behavior strategy).

    Parameters
    ----------
    game
        A name from the catalogue, the path of a file, rules, a `GameTree`, or another package's game.
    team
        The players' numbers.
    gap
        Stop when the gap between the bounds is at most this share of the payoff range.
    seconds
        Stop after so much; the best so far is returned, as it is on Ctrl-C.
    starts
        How many local searches before branch and bound.
    nodes
        The most boxes that branch and bound looks at; 0 for none.
    seed
        Of the random starts; the same seed gives the same answer, if no time limit ends it.
    memory
        Most bytes that each decision problem and a solver on it may take; default: half of the machine's.
    callback
        Called with a `maxmin.solve.Snapshot` now and then (stages "building", "correlated", "searching"); returns
        False to stop.

    Returns
    -------
    TmeSolution

    Raises
    ------
    UnknownNameError
        If the game or a player is not known.
    GameError, FormatError, SizeError
        If the game cannot be read, built, or fitted into memory; if a player is absent-minded.
    MaxminError
        If an argument makes no sense, or the time limit ends before there is anything to return.
    Cancelled
        If stopped before there was anything to return.

    Examples
    --------
    >>> solution = solve_tme("hide_and_seek", team=(1, 2), starts=3)
    >>> f"{solution.lower:.3f}"
    '0.250'
    """
    gap, seconds, seed = check_gap(gap), check_seconds(seconds), check_whole("seed", seed, least=0)
    starts, nodes = check_whole("starts", starts), check_whole("nodes", nodes, least=0)
    begin = time.perf_counter()
    tree = load_tree(game)
    team = check_side(tree, team)
    with Watch(seconds, building(callback)) as watch, watch.before("the decision problems were built"):
        match = make_independent_match(tree, team, memory=memory, progress=watch.keep_going)
        if watch.reason == "interrupt":  # after the last look at it
            raise Cancelled
    correlated = _solve_correlated(tree, team, gap, seconds, memory, callback)
    search = Search(match, correlated, gap, begin, callback)
    stopped_by = "interrupt"
    if correlated.stopped_by != "interrupt":
        left = None if seconds is None else max(begin + seconds - time.perf_counter(), _LEAST_SECONDS)
        stopped_by = _search(search, left, starts, nodes, np.random.default_rng(seed))
    return _certify(search, stopped_by, seed)


def _solve_correlated(
    tree: GameTree,
    team: Sequence[int],
    gap: float,
    seconds: float | None,
    memory: int | None,
    callback: Callback | None,
) -> Solution:
    def report(snapshot: Snapshot) -> object:
        return callback is None or callback(
            Snapshot("correlated", 0, snapshot.seconds, -math.inf, snapshot.upper, math.inf)
        )

    share = None if seconds is None else _SHARE * seconds
    return solve(tree, team=team, gap=_SHARE * gap, seconds=share, memory=memory, callback=report)


def _search(search: Search, seconds: float | None, starts: int, nodes: int, rng: np.random.Generator) -> str:
    """Search from one start after another, then by branch and bound; say why that ended."""
    products = products_of(search.match, most=_MOST_PRODUCTS) if nodes else None
    half = math.inf if seconds is None or products is None else time.perf_counter() + seconds / 2
    with Watch(seconds, search.report) as watch:
        for point in itertools.islice(starting_points(search.match, search.correlated.strategy, rng), starts):
            search.climb(point, watch.keep_going)
            if search.converged:
                return "gap"
            if not watch.keep_going(search.starts):
                return watch.reason
            if time.perf_counter() > half:
                break
        if products is None:
            return "starts"
        return close_gap(search, Relaxation(search.match, products), nodes, watch)


def _certify(search: Search, stopped_by: str, seed: int) -> TmeSolution:
    """Make a solution whose lower bound is what exactly its strategies guarantee, found anew from the tree."""
    from maxmin import __version__

    match = search.match
    strategy = match.behavior(search.best.point)
    reach = np.zeros(match.members.n_leaf_classes)
    reach[match.members.leaf_class] = strategy.leaf_reach(match.tree, players=match.members.side)
    worth = match.others.best_response(-match.worth(reach))[0]
    bounds = search.bounds(-worth)
    relative = relative_gap(match.scale, bounds)
    seconds = time.perf_counter() - search.begin
    return TmeSolution(
        game=match.tree.name,
        team=match.members.side,
        value=bounds.lower + bounds.gap / 2,
        lower=bounds.lower,
        upper=bounds.upper,
        gap=bounds.gap,
        relative_gap=relative,
        converged=relative <= search.gap,
        stopped_by=stopped_by,
        starts=search.starts,
        nodes=search.nodes,
        seconds=seconds,
        trace=[*search.trace, [seconds, search.starts + search.nodes, bounds.lower, bounds.upper]],
        version=__version__,
        seed=seed,
        tree=match.tree,
        strategy=strategy,
        correlated=search.correlated,
    )
