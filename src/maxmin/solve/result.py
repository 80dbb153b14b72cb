"""`Solution`: a certified answer, and its file.

A solution file is a NumPy ``.npz`` archive without pickled objects:

* ``header``: JSON text with the fields of `Solution.to_json`, ``"format": "maxmin solution"`` and
  ``"format_version": 1``;
* ``tree_*``: the game tree (`maxmin.tree_arrays`);
* for ``team`` and ``opponent``, all that a verifier needs: ``*_infosets`` and, for one player with perfect recall,
  ``*_probabilities`` (n_infosets, most_actions), else weighted joint pure plans: ``*_plans`` (n_plans, n_infosets)
  int8 or int16, -1 where a plan never comes, ``*_weights``, and ``*_rest``, the probability that they leave out;
* ``team_strategy_*`` and ``opponent_strategy_*``: the arrays of `Strategy`, to be shown and played.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmin.archive import read_archive, write_archive
from maxmin.errors import SolutionError
from maxmin.files import AnyPath
from maxmin.plans import Behavior
from maxmin.strategy import Strategy
from maxmin.tree import GameTree
from maxmin.tree_arrays import tree_from_arrays, tree_to_arrays

FORMAT = "maxmin solution"
FORMAT_VERSION = 1

_JSON_FIELDS = (
    "game",
    "team",
    "method",
    "value",
    "lower",
    "upper",
    "gap",
    "relative_gap",
    "iterations",
    "seconds",
    "build_seconds",
    "converged",
    "stopped_by",
    "exact",
    "sizes",
    "trace",
    "version",
    "seed",
    "reason",
)


@dataclass(frozen=True, eq=False, repr=False)
class Solution:
    """What a team can guarantee in a game, with strategies for both sides that prove it.

    Attributes
    ----------
    game : str
    team : tuple of int
    method : str
    reason : str
        Why "auto" picked the method, in words; empty if it was asked for by name.
    value : float
        The total payoff that the team gets: halfway between the bounds. Payoff units, as are the next three.
    lower, upper : float
        What the team's strategy guarantees; what the others' strategy holds the team to.
    gap : float
        ``upper - lower``; the "average team exploitability" of the literature is half of it.
    relative_gap : float
        `gap` divided by the range of the team's payoffs.
    iterations : int
    seconds, build_seconds : float
        Solving; building the tree and both decision problems.
    converged : bool
        Whether the gap that was asked for was reached.
    stopped_by : str
        "gap", "optimal", "seconds", "iterations", "memory" or "interrupt".
    exact : dict or None
        Of method "exact": ``value`` as a fraction such as "-1/18", and the strategies of ``team`` and ``opponent``
        as in strategy files, with fractions; the bounds above are then this value, rounded.
    sizes : dict
        Of the tree and of both decision problems.
    trace : list of [seconds, iterations, lower, upper]
    version : str
        Of maxmin.
    seed : int or None
        Of a method that draws what it looks at; None: nothing was random.
    tree : GameTree
    strategy, opponent : Strategy
        The team's, and everybody else's.
    """

    game: str
    team: tuple[int, ...]
    method: str
    reason: str
    value: float
    lower: float
    upper: float
    gap: float
    relative_gap: float
    iterations: int
    seconds: float
    build_seconds: float
    converged: bool
    stopped_by: str
    exact: dict[str, Any] | None
    sizes: dict[str, Any]
    trace: list[list[float]]
    version: str
    seed: int | None
    tree: GameTree
    strategy: Strategy
    opponent: Strategy

    def __repr__(self) -> str:
        team = ",".join(map(str, self.team))
        return f"Solution({self.game}, team {team}: {self.lower:.6g} <= value <= {self.upper:.6g}, {self.method})"

    def to_json(self) -> dict[str, Any]:
        """Return the fields that the command line prints with ``--json``."""
        fields = {name: getattr(self, name) for name in _JSON_FIELDS}
        return {**fields, "team": list(self.team)}

    def save(self, path: AnyPath) -> None:
        """Write the solution to a file, whole or not at all.

        Raises
        ------
        FileError
            If the file cannot be written.
        """
        header = {"format": FORMAT, "format_version": FORMAT_VERSION, **self.to_json()}
        arrays = tree_to_arrays(self.tree)
        for name, strategy in (("team", self.strategy), ("opponent", self.opponent)):
            arrays |= {f"{name}_{part}": array for part, array in _explicit(strategy).items()}
            arrays |= {f"{name}_strategy_{part}": array for part, array in strategy.to_arrays().items()}
        write_archive(path, header, arrays)


def load_solution(path: AnyPath) -> Solution:
    """Read a solution file.

    Raises
    ------
    FileError
        If there is no such file, or it cannot be read.
    SolutionError
        If it is not a solution, or damaged.
    """
    header, arrays = read_archive(path, FORMAT, FORMAT_VERSION)
    name = os.fspath(path)
    try:
        tree = tree_from_arrays(arrays)
        team = tuple(int(player) for player in header["team"])
        others = tuple(player for player in range(1, tree.n_players + 1) if player not in team)
        fields: dict[str, Any] = {field: header[field] for field in _JSON_FIELDS} | {"team": team}
        _check_exact(fields["exact"])
        strategy = _strategy(tree, team, arrays, "team")
        opponent = _strategy(tree, others, arrays, "opponent")
        return Solution(**fields, tree=tree, strategy=strategy, opponent=opponent)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise SolutionError(f"{name}: the solution is damaged: {error!r}") from None
    except SolutionError as error:
        raise SolutionError(f"{name}: {error}") from None


def _check_exact(exact: Any) -> None:
    if exact is not None and not (isinstance(exact, dict) and exact.keys() == {"value", "team", "opponent"}):
        raise SolutionError("the exact answer is damaged")


def _explicit(strategy: Strategy) -> dict[str, NDArray[Any]]:
    explicit, rest = strategy.explicit()
    if isinstance(explicit, Behavior):
        return {"infosets": explicit.infosets, "probabilities": explicit.probabilities}
    return {
        "infosets": explicit.infosets,
        "plans": _smallest(explicit.plans),
        "weights": explicit.weights,
        "rest": np.array(rest),
    }


def _smallest(plans: NDArray[np.int16]) -> NDArray[Any]:
    """Use a byte for each action where that is enough."""
    return plans.astype(np.int8) if plans.max(initial=0) <= np.iinfo(np.int8).max else plans


def _strategy(
    tree: GameTree, side: tuple[int, ...], arrays: Mapping[str, NDArray[Any]], name: str
) -> Strategy:
    prefix = f"{name}_strategy_"
    parts = {key.removeprefix(prefix): array for key, array in arrays.items() if key.startswith(prefix)}
    return Strategy.from_arrays(tree, side, parts)
