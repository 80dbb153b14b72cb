"""What the studies of guts share: solved games, each once; strategies in a few numbers, and in words.

The paper is arXiv 2208.02788, "Continuous guts poker and numerical optimization of generalized recursive games".
Its figures are quoted from a public summary of it, and from its abstract.
"""

from functools import cache
from typing import NamedTuple

from maxmin.guts import ContinuumSolution, GutsSolution, GutsValue, solve_continuum, solve_guts
from maxmin.guts.result import Mixture

COALITIONS = tuple(range(2, 16))
"""The sizes N of the paper's table 1."""

FINE, COARSE = 101, 21
"""Points of the paper's grids: of 1 v 2 and of the reduced games, and of larger full games."""

ABOUT_FIGURES = "The paper's figures are known to us by a summary only: what is drawn here is our choice."


_GAP = 1e-12


class Strategies(NamedTuple):
    """Both sides' strategies: means of thresholds, and how often the coalition plays near a bloc."""

    player: float
    bloc: float
    weight: float
    pseudo_bloc: float


@cache
def on_grid(players: int, points: int = FINE, *, reduced: bool = False, against: int = 1) -> GutsSolution:
    """Solve guts against a coalition on a grid."""
    return solve_guts(coalition=players, grid=points, reduced=reduced, against=against, gap=_GAP)


@cache
def without_grid(players: int) -> ContinuumSolution:
    """Solve guts against a coalition on the continuum."""
    return solve_continuum(coalition=players)


def summarize(found: GutsValue) -> Strategies:
    """Return one player's and the coalition's strategies as numbers.

    A profile is near a pseudo-bloc if its first threshold is less than half of its last, else near a bloc; the
    threshold of either is the mean over players and profiles, of a pseudo-bloc without the first player.
    """
    blocs = [pair for pair in found.coalition if not _is_pseudo_bloc(pair[0])]
    others = [(held[1:], weight) for held, weight in found.coalition if _is_pseudo_bloc(held)]
    weight = sum(weight for _, weight in blocs)
    return Strategies(_mean(found.player), _mean(blocs), weight, _mean(others))


def _is_pseudo_bloc(held: tuple[float, ...]) -> bool:
    return held[0] < held[-1] / 2


def _mean(mixture: Mixture) -> float:
    total = sum(weight for _, weight in mixture)
    return sum(weight * sum(held) / len(held) for held, weight in mixture) / total


def in_words(mixture: Mixture, least: float = 0.005) -> str:
    """Write a mixture as ``89.7 % 0.68 x 2, 10.3 % 0, 0.86``; what is rarer than `least` is left out."""
    return "; ".join(f"{weight:.1%} {profile(held)}" for held, weight in mixture if weight >= least)


def profile(held: tuple[float, ...]) -> str:
    """Write thresholds as ``0, 0.9 x 14``."""
    parts = [(threshold, held.count(threshold)) for threshold in dict.fromkeys(held)]
    return ", ".join(f"{threshold:.6g}" + (f" x {times}" if times > 1 else "") for threshold, times in parts)


def minus(number: str) -> str:
    """Write a number in a picture with a minus sign, as on its axes."""
    return number.replace("-", "−")
