"""What silence costs a team: members on their own, drawing together and talking, over the benchmark games.

For every partition of the games that fit, and for the textbook games, bounds on the TME, the TMECor and the value
under full communication (`maxmin.price`), and so on what it is worth to draw together before play and to talk
during it. Each bound on one value is a bound on the others, since none of the three is less than the one before.
"""

from typing import TYPE_CHECKING

import numpy as np

from maxmin.errors import Cancelled
from maxmin.price import price
from maxmin.studies.findings import Cell, Findings, Table
from maxmin.studies.long_run import Answer, LongRun, Task
from maxmin.studies.team_games import members, partitions

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TEXTBOOK = ("hide_and_seek", "one_time_pad", "private_signal")
"""Their team is {1, 2}."""

GAMES = (*TEXTBOOK, "3K3", "3K4", "3K5", "3K6", "4K5", "3L133", "3D2", "3D3")

_GAP = 2e-4
_SECONDS = 20.0

_LINEAR = 0.1
"""Percent: from here up the picture's axes are logarithmic."""

_TICKS = (0, 0.1, 1, 10)
_VALUES = {"TME": "tme", "TMECor": "correlated", "talking": "communicating"}
_WORTHS = {"drawing": "correlation", "talking": "communication"}


def find(run: LongRun) -> Findings:
    """Bound all values of all games that are asked for."""
    limit = _SECONDS if run.seconds is None else run.seconds
    tasks = [(game, team) for game in run.chosen(GAMES) for team in _teams(game)]
    answers = run.answers(tasks, lambda task: _answer(task, limit))
    return Findings(
        tables=(_values(answers), _worths(answers)),
        notes=(
            f"Each row had {limit:g} seconds, or until all bounds were {_GAP:g} of the payoff range apart.",
            "Lower bounds are what strategies guarantee that were found, upper bounds what none of that kind "
            "exceeds. Worths are differences of neighbours, between the least and the largest that bounds allow.",
        ),
    )


def _teams(game: str) -> tuple[str, ...]:
    return ("1,2",) if game in TEXTBOOK else partitions(game)


def _answer(task: Task, limit: float) -> Answer:
    game, team = task
    found = price(game, team=members(team), gap=_GAP, seconds=limit)
    if found.stopped_by == "interrupt":
        raise Cancelled
    return found.to_json()


def _values(answers: dict[Task, Answer]) -> Table:
    bounds = [f"{name}, {end}" for name in _VALUES for end in ("lower", "upper")]
    rows: list[tuple[Cell, ...]] = [
        (*task, *(found[key][end] for key in _VALUES.values() for end in ("lower", "upper")), found["gap"])
        for task, found in answers.items()
    ]
    return Table("values", "What the team gets", ("game", "team", *bounds, "widest, of range"), tuple(rows))


def _worths(answers: dict[Task, Answer]) -> Table:
    bounds = [f"{name}, {end}, %" for name in _WORTHS for end in ("lower", "upper")]
    rows: list[tuple[Cell, ...]] = [
        (
            *task,
            *(
                100 * found["worth"][key]["share"][end]
                for key in _WORTHS.values()
                for end in ("lower", "upper")
            ),
        )
        for task, found in answers.items()
    ]
    title = "What drawing together and talking are worth, in percent of the payoff range"
    return Table("worths", title, ("game", "team", *bounds), tuple(rows))


def draw(findings: Findings) -> "Figure":
    """Draw both worths of each game and team, as intervals."""
    from matplotlib.figure import Figure

    table = findings.table("worths")
    names = [f"{game} {{{team}}}" for game, team, *_ in table.rows]
    place = np.arange(len(names))
    figure = Figure(figsize=(8, 1.2 + 0.24 * len(names)), layout="constrained")
    panels = figure.subplots(1, 2, sharey=True)
    for axes, name, color in zip(panels, _WORTHS, ("C0", "C1"), strict=True):
        low, high = (np.array(table.column(f"{name}, {end}, %"), dtype=float) for end in ("lower", "upper"))
        axes.barh(place, high - low, left=low, height=0.5, color=color, alpha=0.4)
        for end in (low, high):
            axes.plot(end, place, "|", color=color, ms=9, mew=1.5)
        axes.grid(axis="x", alpha=0.3)
        axes.set_xscale("symlog", linthresh=_LINEAR)
        axes.set(xlabel="% of the payoff range", xlim=(-_LINEAR / 5, 40), xticks=_TICKS, xticklabels=_TICKS)
    panels[0].set(title="Drawing together before play", yticks=place, yticklabels=names)
    panels[1].set(title="Talking during play as well")
    panels[0].invert_yaxis()
    return figure
