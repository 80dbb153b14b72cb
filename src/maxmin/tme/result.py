"""`TmeSolution`: what a team gets whose members randomize on their own, between two proven bounds."""

from dataclasses import dataclass
from typing import Any

from maxmin.plans import Behavior
from maxmin.solve import Solution
from maxmin.strategy import Strategy
from maxmin.strategy_files import strategy_to_json
from maxmin.tree import GameTree

_JSON_FIELDS = (
    "game",
    "value",
    "lower",
    "upper",
    "gap",
    "relative_gap",
    "converged",
    "stopped_by",
    "starts",
    "nodes",
    "seconds",
    "trace",
    "version",
    "seed",
)


@dataclass(frozen=True, eq=False, repr=False)
class TmeSolution:
    """The team max-min value (TME), with the members' strategies.

    Attributes
    ----------
    game : str
    team : tuple of int
    value : float
        Halfway between the bounds. Payoff units, as are the next three.
    lower, upper : float
        What the members' strategies guarantee, by an exact best response of everybody else; what no independent
        strategies can exceed.
    gap : float
        ``upper - lower``.
    relative_gap : float
        `gap` divided by the range of the team's payoffs.
    converged : bool
        Whether the gap that was asked for was reached.
    stopped_by : str
        "gap", "starts" or "nodes" (as many as were asked for), "optimal" (no box is left that can be split),
        "seconds" or "interrupt".
    starts, nodes : int
        Local searches; boxes that branch and bound looked at.
    seconds : float
    trace : list of [seconds, starts + nodes, lower, upper]
    version : str
        Of maxmin.
    seed : int
        Of the random starts.
    tree : GameTree
    strategy : Behavior
        Of all members: each randomizes at each of its infosets on its own. `maxmin.write_strategy` keeps it in a
        file, `maxmin.exploitability` checks it.
    correlated : Solution
        What the team gets if its members may draw together (TMECor); its upper bound holds here too.
    """

    game: str
    team: tuple[int, ...]
    value: float
    lower: float
    upper: float
    gap: float
    relative_gap: float
    converged: bool
    stopped_by: str
    starts: int
    nodes: int
    seconds: float
    trace: list[list[float]]
    version: str
    seed: int
    tree: GameTree
    strategy: Behavior
    correlated: Solution

    def __repr__(self) -> str:
        team = ",".join(map(str, self.team))
        return f"TmeSolution({self.game}, team {team}: {self.lower:.6g} <= value <= {self.upper:.6g})"

    @property
    def opponent(self) -> Strategy | None:
        """A strategy of everybody else that holds the team to `upper`; None if the bound is one of many boxes."""
        return self.correlated.opponent if self.correlated.upper <= self.upper else None

    def to_json(self) -> dict[str, Any]:
        """Return the numbers, and the members' strategies as in strategy files."""
        fields = {name: getattr(self, name) for name in _JSON_FIELDS}
        correlated = {name: getattr(self.correlated, name) for name in ("lower", "upper")}
        strategy = strategy_to_json(self.tree, self.strategy, team=self.team)
        return {**fields, "team": list(self.team), "correlated": correlated, "strategy": strategy}
