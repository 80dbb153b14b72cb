"""maxmin alone on the team games of Zhang, Farina and Sandholm (ICML 2023)."""

import os
from collections.abc import Iterator
from dataclasses import dataclass

from plan import PAPER_GAP, Plan
from report import NONE, count, cpu, megabytes, notes, number, reached, section, share, table, wall
from rows import Row, run_row

_METHOD = "dcfr+"
_THREADS = sorted({1, os.cpu_count() or 1})
_MEMORY = 4 * 10**9
"""Bytes that each side's decision problem and the solver on it may take."""


@dataclass(frozen=True)
class TeamGame:
    """A game and a team; what the paper has for it: the value, and seconds (64-core EPYC, one thread)."""

    name: str
    team: tuple[int, ...] = (1, 2)
    published_value: float | None = None
    published_seconds: float | None = None


_TEAM_GAMES = (
    TeamGame("3K3", published_value=0.000),
    TeamGame("3K4", published_value=-0.042),
    TeamGame("3K6"),
    TeamGame("3K8", published_seconds=4.73),
    TeamGame("3K12"),
    TeamGame("4K5", (1, 2, 3)),
    TeamGame("4K5", (1, 2), published_value=-0.037),
    TeamGame("3L133", published_value=0.215, published_seconds=0.02),
    TeamGame("3L143", published_seconds=0.10),
    TeamGame("3L151"),
    TeamGame("3L153"),
    TeamGame("3L223", published_value=0.516),
    TeamGame("3L523"),
    TeamGame("4L133", (1, 2, 3)),
    TeamGame("4L133", (1, 2)),
    TeamGame("3D2"),
    TeamGame("3D3", published_value=0.284),
    TeamGame("3D4"),
    TeamGame("4D3", (1, 2, 3)),
    TeamGame("6D2", (1, 2, 3, 4, 5)),
    TeamGame("6D2", (1, 3, 5)),
)
_QUICK = ("3K3", "3K4", "3K6", "3K12", "3L133", "3D2")


def run(plan: Plan) -> Iterator[Row]:
    yield from (_row(game, plan) for game in _TEAM_GAMES if not plan.quick or game.name in _QUICK)


def _row(game: TeamGame, plan: Plan) -> Row:
    arguments = {"game": game.name, "team": list(game.team), "method": _METHOD}
    budget = {"gaps": plan.gaps, "seconds": plan.seconds, "memory": _MEMORY}
    published = {"value": game.published_value, "seconds": game.published_seconds}
    head = {
        "game": game.name,
        "team": ",".join(map(str, game.team)),
        "method": _METHOD,
        "published": published,
    }
    row = run_row("by_maxmin.stages", {**arguments, **budget}, plan)
    if row["status"] == "done":
        row["whole"] = {str(threads): _whole(arguments, threads, plan) for threads in _THREADS}
    return {**head, **row}


def _whole(arguments: Row, threads: int, plan: Plan) -> Row | None:
    """Return the seconds from rules to a certified solution at the paper's gap."""
    call = {**arguments, "gap": PAPER_GAP, "memory": _MEMORY, "threads": threads}
    row: Row | None = run_row("by_maxmin.one_call", call, plan).get("solve")
    return row


def show(rows: list[Row], plan: Plan) -> str:
    text = (
        f"CPU seconds; the times to a relative gap (the paper stops at {PAPER_GAP:g}) are of solving alone, with "
        "the checks of the gap; `total` is tree, DAGs and solving to that gap. Edges are those of both DAGs as "
        "they are stored, lists of children that are equal being kept once; `plain` counts each. `whole` is one "
        "more run, in seconds on the wall: from rules to a certified solution at the paper's gap."
    )
    done = [row for row in rows if row["status"] == "done"]
    return section("Teams", text, _sizes(done), _times(done, plan), notes(rows))


def _sizes(rows: list[Row]) -> str:
    heads = ["game", "team", "nodes", "beliefs", "prescriptions", "edges", "plain", "tree s", "DAG s"]
    rates = ["M edges/s", "M plain/s", "bytes/edge", "MB peak"]
    return table([*heads, *rates], [_size_line(row) for row in rows])


def _size_line(row: Row) -> list[str]:
    sides = row["sizes"]["team"], row["sizes"]["others"]
    both = {name: sum(side[name] for side in sides) for name in sides[0]}
    seconds = row["dag"]["cpu"]
    return [
        *(row["game"], row["team"], count(row["sizes"]["nodes"])),
        *[count(both[name]) for name in ("beliefs", "prescriptions", "edges", "plain_edges")],
        *(number(cpu(row, "tree")), number(seconds)),
        *[number(both[name] / seconds / 1e6) for name in ("edges", "plain_edges")],
        number(both["bytes"] / both["edges"]),
        megabytes(row["peak_bytes"]),
    ]


def _times(rows: list[Row], plan: Plan) -> str:
    heads = ["game", "team", "ms/iteration", "bandwidth", *[f"{gap:g}" for gap in plan.gaps], "total"]
    heads += [f"whole, threads: {threads}" for threads in _THREADS]
    return table(
        [*heads, "paper s", "lower", "upper", "paper value"], [_time_line(row, plan) for row in rows]
    )


def _time_line(row: Row, plan: Plan) -> list[str]:
    published = row["published"]
    built = row["build"]["cpu"]
    times = [reached(row, gap) for gap in plan.gaps]
    return [
        *(row["game"], row["team"], number(1000 * row["iteration_seconds"]), share(row["bandwidth_share"])),
        *[number(None if time is None else time - built) for time in times],
        number(reached(row, PAPER_GAP)),
        *[number(wall(row["whole"], str(threads))) for threads in _THREADS],
        number(published["seconds"]),
        *(f"{row['lower']:.5f}", f"{row['upper']:.5f}"),
        NONE if published["value"] is None else f"{published['value']:.3f}",
    ]
