"""The benchmark games of Zhang, Farina and Sandholm (ICML 2023), their partitions, and what is published of them.

A partition is named by one of its two teams: the larger one, of two that are equally large the one with player 1.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType

GAMES = (
    *("3K3", "3K4", "3K5", "3K6", "3K7", "3K8", "3K12", "4K5"),
    *("3L133", "3L143", "3L151", "3L153", "3L223", "3L523", "4L133"),
    *("3D2", "3D3", "3D4", "4D3", "6D2"),
)

TEACHING = "4L232"
"""Leduc poker for four: deck JJQQKK, ante 1, raises 2 and 4, two in a round; seats 1 and 3 against 2 and 4."""

PAPER_GAP = 2e-3
"""The paper stops where half the gap is below a thousandth of the payoff range."""


@dataclass(frozen=True)
class Published:
    """What is published of a game and team; None is not known to us.

    Attributes
    ----------
    value : float or None
        Payoff units, to three places.
    dag : float or None
        Seconds to `PAPER_GAP` by regret minimization on the team belief DAG, one thread of a 64-core AMD EPYC 7282.
    linear_program : float or None
        Seconds by the linear program of Zhang and Sandholm (AAAI 2022, "ZS22"), Gurobi on 4 threads of the same.
    column_generation : float or None
        Seconds by column generation ("ZFCS22"), likewise.
    """

    value: float | None = None
    dag: float | None = None
    linear_program: float | None = None
    column_generation: float | None = None


NOTHING = Published()

PUBLISHED: Mapping[tuple[str, str], Published] = MappingProxyType(
    {
        ("3K3", "1,2"): Published(value=0.000),
        ("3K4", "1,2"): Published(value=-0.042),
        ("3K8", "1,2"): Published(dag=4.73, linear_program=32, column_generation=203),
        ("4K5", "1,2"): Published(value=-0.037),
        ("3L133", "1,2"): Published(value=0.215, dag=0.02),
        ("3L143", "1,2"): Published(dag=0.10, linear_program=48, column_generation=478),
        ("3L223", "1,2"): Published(value=0.516),
        ("3D3", "1,2"): Published(value=0.284),
    }
)
"""By game and team."""


def partitions(game: str) -> tuple[str, ...]:
    """Return the partitions of a game's players into two teams, the paper's (all but the last player) first."""
    players = range(1, int(game[0]) + 1)
    return tuple(
        ",".join(map(str, team))
        for size in range(len(players) - 1, 0, -1)
        for team in combinations(players, size)
        if 2 * size > len(players) or (2 * size == len(players) and 1 in team)
    )


def members(team: str) -> tuple[int, ...]:
    """Read "1,2" as the players' numbers."""
    return tuple(map(int, team.split(",")))
