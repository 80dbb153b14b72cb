"""Beyond three cards: cheats in Kuhn poker with more ranks and in Leduc poker, and a cheat in a team of two.

Two players: exact values. The team is two against one in three-player Kuhn poker with four ranks; its members
agree on everything beforehand, and one of them sees the opponent's card. Its values are bounds, from regret
minimization on the team belief DAG.
"""

from fractions import Fraction

from maxmin.solve import solve
from maxmin.studies.findings import Cell, Findings, Table
from maxmin.studies.kuhn_hands import value

_GAMES = (*(f"2K{ranks}" for ranks in range(3, 14)), "2L122", "2L132", "2L142", "2L232")
_TEAM = "peeking(game=3K4,p={p},sees=next)"
_GAP = 1e-3
"""Of the team's values, relative to the payoff range, 6."""


def find() -> Findings:
    """Compute all values."""
    return Findings(
        tables=(
            Table(
                "two-players",
                "Exact values for player 1; each cheat sees the other's card, always",
                (
                    "game",
                    "fair",
                    "player 1 cheats",
                    "player 2 cheats",
                    "both cheat",
                    "gain of 1",
                    "gain of 2",
                ),
                tuple(map(_two_players, _GAMES)),
            ),
            Table(
                "team",
                "Three-player Kuhn poker, four ranks: team {1, 3}, player 1 sees the card of player 2",
                ("game", "lower bound", "upper bound"),
                tuple(_team()),
            ),
        ),
        notes=(
            "2Kn is two-player Kuhn poker with n ranks, 2Lbrs two-player Leduc poker (bets, ranks, suits).",
            "The team's bounds are certified: best responses of both sides.",
        ),
    )


def _two_players(game: str) -> tuple[Cell, ...]:
    fair, first, second, both = (
        value(f"peeking(game={game}{odds})") for odds in ("", ",p=1", ",q=1", ",p=1,q=1")
    )
    return game, fair, first, second, both, first - fair, fair - second


def _team() -> list[tuple[Cell, ...]]:
    rows: list[tuple[Cell, ...]] = []
    for name, game in (
        ("honest", "3K4"),
        ("cheats with 1/2", _TEAM.format(p=Fraction(1, 2))),
        ("cheats always", _TEAM.format(p=1)),
    ):
        found = solve(game, team=(1, 3), gap=_GAP)
        rows.append((name, found.lower, found.upper))
    return rows
