"""`GutsSolution`: guts on a grid solved, and how it was found."""

from dataclasses import dataclass
from typing import Any, TypeAlias

Mixture: TypeAlias = list[tuple[tuple[float, ...], float]]
"""Each profile of thresholds of a side, in ascending order, with its probability; the likeliest first."""


@dataclass(frozen=True)
class GutsValue:
    """What player 1's side gets between proven bounds, and the strategies that prove them.

    Attributes
    ----------
    value, lower, upper : float
        In antes.
    player, coalition : list of (thresholds, probability)
        The strategies of player 1's side and of the coalition for a round.
    """

    value: float
    lower: float
    upper: float
    player: Mixture
    coalition: Mixture

    def to_json(self) -> dict[str, float]:
        """Return value and bounds."""
        return {"value": self.value, "lower": self.lower, "upper": self.upper}

    def strategies_to_json(self) -> dict[str, Any]:
        """Return both strategies: a list of profiles with their probabilities for each side."""
        return {
            name: [{"thresholds": list(thresholds), "probability": weight} for thresholds, weight in mixture]
            for name, mixture in (("player", self.player), ("coalition", self.coalition))
        }


@dataclass(frozen=True, repr=False)
class GutsSolution:
    """Guts on a grid, solved.

    Attributes
    ----------
    coalition, against : int
        How many players are in the coalition, and on player 1's side.
    grid : int
        Points of the grid.
    reduced : bool
        Whether coalitions play only blocs and pseudo-blocs.
    weenie : bool
        Whether the best hand pays a pot if nobody holds.
    method : str
    one_shot : GutsValue
        Of a single round, with nothing to come.
    repeated : GutsValue
        Of the game that is played on at changed stakes; its strategies are those of every round.
    outcome : str
        "entered" if the repeated value is that of play; else see `maxmin.recursive.StateSolution`.
    gap : float
        Between the bounds of the repeated value.
    iterations : int
    seconds : float
    converged : bool
        Whether the gap that was asked for was reached.
    stopped_by : str
        "gap", "optimal", "seconds", "iterations" or "interrupt".
    sizes : dict
        ``rows`` and ``columns``: how many pure strategies there are on either side; at most 1e300.
    trace : list of [seconds, iterations, lower, upper]
        Of the repeated value.
    """

    coalition: int
    against: int
    grid: int
    reduced: bool
    weenie: bool
    method: str
    one_shot: GutsValue
    repeated: GutsValue
    outcome: str
    gap: float
    iterations: int
    seconds: float
    converged: bool
    stopped_by: str
    sizes: dict[str, int | float]
    trace: list[list[float]]

    def __repr__(self) -> str:
        bounds = f"{self.repeated.lower:.6g} <= repeated value <= {self.repeated.upper:.6g}"
        return (
            f"GutsSolution({self.against} v {self.coalition} on {self.grid} points: {bounds}, {self.method})"
        )

    @property
    def strategies(self) -> dict[str, Mixture]:
        """Both strategies of the repeated game, under "player" and "coalition"."""
        return {"player": self.repeated.player, "coalition": self.repeated.coalition}

    def to_json(self) -> dict[str, Any]:
        """Return the fields that the command line prints with ``--json``."""
        return {
            "game": "guts",
            "coalition": self.coalition,
            "against": self.against,
            "grid": self.grid,
            "reduced": self.reduced,
            "weenie": self.weenie,
            "method": self.method,
            "one_shot": self.one_shot.to_json(),
            "repeated": self.repeated.to_json(),
            "outcome": self.outcome,
            "strategies": self.repeated.strategies_to_json(),
            "one_shot_strategies": self.one_shot.strategies_to_json(),
            "gap": self.gap,
            "iterations": self.iterations,
            "seconds": self.seconds,
            "converged": self.converged,
            "stopped_by": self.stopped_by,
            "sizes": self.sizes,
            "trace": self.trace,
        }
