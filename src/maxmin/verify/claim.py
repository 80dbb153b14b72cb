"""What a solution claims: the game, the bounds, and both sides' strategies. From a file or an object.

Of a solution file, ``header``, ``tree_*`` and, for ``team`` and ``opponent``, ``*_infosets`` with
``*_probabilities`` or with ``*_plans``, ``*_weights`` and ``*_rest`` are looked at: they say it all, without any
solver's structures. Of an exact solution, the field ``exact`` of the header has the value and both strategies as
fractions, which are looked at instead.
"""

import math
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from numpy.typing import NDArray

from maxmin.archive import read_archive
from maxmin.errors import SolutionError
from maxmin.files import AnyPath
from maxmin.plans import Behavior, PlanMixture
from maxmin.rational import parse_number
from maxmin.strategy_files import strategy_from_json
from maxmin.tree import GameTree
from maxmin.tree_arrays import tree_from_arrays

FORMAT, FORMAT_VERSION = "maxmin solution", 1

_FIELDS = ("game", "team", "value", "lower", "upper")

Explicit = Callable[[], tuple[Behavior | PlanMixture, float]]
"""Returns a strategy on the tree, and the probability that it leaves out."""


@dataclass(frozen=True, eq=False)
class Claim:
    """What is to be checked.

    Attributes
    ----------
    game : str
        The name of the game.
    tree : GameTree
    team, others : tuple of int
        The two sides.
    value, lower, upper : float
        What the team gets, claimed; payoff units.
    team_strategy, others_strategy : function that returns a strategy and the probability that it leaves out
        Raise `StrategyError` if what is stored is no strategy.
    exact : Fraction or None
        The value, where it is claimed exactly; then both bounds must be equal to it.
    """

    game: str
    tree: GameTree
    team: tuple[int, ...]
    others: tuple[int, ...]
    value: float
    lower: float
    upper: float
    team_strategy: Explicit
    others_strategy: Explicit
    exact: Fraction | None = None


def claim_of(solution: Any) -> Claim:
    """Take over what a `Solution` object claims."""
    try:
        return _claim(
            {name: getattr(solution, name) for name in _FIELDS} | {"exact": getattr(solution, "exact", None)},
            solution.tree,
            solution.strategy.explicit,
            solution.opponent.explicit,
        )
    except AttributeError as error:
        raise SolutionError(
            f"{type(solution).__name__} is neither a solution nor the path of one: {error}"
        ) from None


def read_claim(path: AnyPath) -> Claim:
    """Read what a solution file claims.

    Raises
    ------
    FileError
        If there is no such file, or it cannot be read.
    SolutionError
        If it is not a solution, of another version, or damaged.
    """
    header, arrays = read_archive(path, FORMAT, FORMAT_VERSION)
    try:
        tree = tree_from_arrays(arrays)
        return _claim(header, tree, _stored(arrays, "team"), _stored(arrays, "opponent"))
    except SolutionError as error:
        raise SolutionError(f"{os.fspath(path)}: {error}") from None


def _claim(
    header: Mapping[str, Any],
    tree: GameTree,
    team_strategy: Explicit,
    others_strategy: Explicit,
) -> Claim:
    players = range(1, tree.n_players + 1)
    team = header.get("team")
    if not isinstance(team, list | tuple) or not team or not all(player in players for player in team):
        raise SolutionError(
            f"team {team!r} is not a list of players of {tree.name}, which are 1 to {tree.n_players}"
        )
    if len(set(team)) < len(team):
        raise SolutionError(f"team {team!r} names a player twice")
    if not isinstance(header.get("game"), str):
        raise SolutionError("the header does not name the game")
    exact = header.get("exact")
    others = tuple(player for player in players if player not in team)
    if exact is not None:
        team_strategy = _exact_strategy(exact, "team", tree)
        others_strategy = _exact_strategy(exact, "opponent", tree) if others else others_strategy
    return Claim(
        game=header["game"],
        tree=tree,
        team=tuple(team),
        others=others,
        value=_number(header, "value"),
        lower=_number(header, "lower"),
        upper=_number(header, "upper"),
        team_strategy=team_strategy,
        others_strategy=others_strategy,
        exact=None if exact is None else _exact_value(exact),
    )


def _exact_value(exact: Any) -> Fraction:
    try:
        return parse_number(exact["value"])
    except (KeyError, TypeError, ValueError) as error:
        raise SolutionError(f"the exact value is not a fraction: {error!r}") from None


def _exact_strategy(exact: Any, side: str, tree: GameTree) -> Explicit:
    if not isinstance(exact, dict) or not isinstance(exact.get(side), dict):
        raise SolutionError(f"the exact answer has no strategy of the {side}")
    return lambda: (strategy_from_json(exact[side], tree), 0.0)


def _number(header: Mapping[str, Any], name: str) -> float:
    number = header.get(name)
    if isinstance(number, bool) or not isinstance(number, int | float) or not math.isfinite(number):
        raise SolutionError(f"{name} is {number!r}, not a finite number")
    return float(number)


def _stored(arrays: Mapping[str, NDArray[Any]], side: str) -> Explicit:
    parts: tuple[str, ...] = ("infosets", "probabilities")
    if f"{side}_probabilities" not in arrays:
        parts = ("infosets", "plans", "weights", "rest")
    missing = [name for name in parts if f"{side}_{name}" not in arrays]
    if missing:
        raise SolutionError(f"there is no array {side}_{missing[0]}")
    stored = [arrays[f"{side}_{name}"] for name in parts]
    if len(parts) == 2:
        return lambda: (Behavior(*stored), 0.0)
    rest = stored.pop()
    if rest.shape or not 0 <= rest <= 1:
        raise SolutionError(f"{side}_rest is not a probability")
    return lambda: (PlanMixture(*stored), float(rest))
