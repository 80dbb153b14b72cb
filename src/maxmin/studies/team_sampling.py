"""Monte Carlo on belief DAGs against the full traversal: the gap over seconds, and over edges that were looked at.

The first question on the list that Zhang, Farina and Sandholm (ICML 2023) leave open. All methods run on one
thread. A full iteration looks at every edge of both DAGs twice: utilities go up, flows go down. Seconds are
those of iterations alone, without the checks of the gap, which `maxmin.solve` makes more rarely.
"""

import math
import time
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from maxmin.errors import Cancelled
from maxmin.interrupt import Watch
from maxmin.match import Match, make_match
from maxmin.solve.methods import MINIMIZERS, SAMPLERS
from maxmin.solve.regret import RegretRun
from maxmin.solve.run import relative_gap
from maxmin.solve.sampling import SamplingRun
from maxmin.sources import load_tree
from maxmin.studies.findings import Cell, Findings, Table
from maxmin.studies.long_run import Answer, LongRun, Task
from maxmin.studies.team_games import members, partitions

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GAMES = ("3K4", "3K8", "3L133", "3L153", "3L523", "3D4", "4D3", "2D7")
"""The last is for two players; in the others the team is everybody but the last player."""

METHODS = ("cfr", "dcfr+", *SAMPLERS)
GAPS = (0.1, 0.03, 0.01, 0.003)
"""Relative gaps."""

_SECONDS = 3.0
_LEAST_GAP = 1e-4
_PASSES_OF_FULL = 2

_Curve: TypeAlias = list[list[float]]
"""Iterations, CPU seconds, passes and relative gap at each check."""


def find(run: LongRun) -> Findings:
    """Run both samplers and two full traversals on all games that are asked for."""
    limit = _SECONDS if run.seconds is None else run.seconds
    tasks = [(game, partitions(game)[0], method) for game in run.chosen(GAMES) for method in METHODS]
    answers = run.answers(tasks, lambda task: _answer(task, limit))
    return Findings(
        tables=(_reached(answers), _curves(answers)),
        notes=(
            f"A run ends at a relative gap of {_LEAST_GAP:g} or after {limit:g} CPU seconds of iterations, on one "
            "thread. Seed 0.",
            "A pass is as many edges, prescriptions and payoffs as both DAGs have edges; a full iteration is two.",
            "Seconds differ from run to run, passes do not.",
        ),
    )


def _answer(task: Task, limit: float) -> Answer:
    game, team, method = task
    match = _match(game, team)
    run: RegretRun | SamplingRun = (
        SamplingRun(match, SAMPLERS[method]) if method in SAMPLERS else RegretRun(match, MINIMIZERS[method])
    )
    edges = sum(problem.n_edges for problem in match.sides)
    curve: _Curve = []
    spent = 0.0
    with Watch(None, lambda _: True) as watch:
        while not curve or (spent < limit and curve[-1][-1] > _LEAST_GAP):
            start = time.process_time()
            end = start + limit - spent

            def keep_going(done: float, end: float = end) -> bool:
                return watch.keep_going(done) and time.process_time() < end

            run.advance(max(1, run.iterations // 2), keep_going)
            spent += time.process_time() - start
            if watch.reason:
                raise Cancelled("stopped; what is done is kept, and the same command goes on from there")
            touched = (
                run.touched / edges if isinstance(run, SamplingRun) else _PASSES_OF_FULL * run.iterations
            )
            curve.append([run.iterations, spent, touched, relative_gap(match.scale, run.bounds())])
    return {"edges": edges, "curve": curve}


@lru_cache(maxsize=1)
def _match(game: str, team: str) -> Match:
    return make_match(load_tree(game), members(team))


def _reached(answers: dict[Task, Answer]) -> Table:
    columns = (
        *("game", "team", "edges", "method"),
        *(f"s to {gap:g}" for gap in GAPS),
        *(f"passes to {gap:g}" for gap in GAPS),
        *("last gap", "passes of one iteration"),
    )
    rows: list[tuple[Cell, ...]] = []
    for (game, team, method), answer in answers.items():
        curve = answer["curve"]
        first = [next((row for row in curve if row[-1] <= gap), [None] * 4) for gap in GAPS]
        seconds, passes = [row[1] for row in first], [row[2] for row in first]
        iterations, _, touched, last = curve[-1]
        rows.append((game, team, answer["edges"], method, *seconds, *passes, last, touched / iterations))
    return Table("reached", "CPU seconds and passes over both DAGs to relative gaps", columns, tuple(rows))


def _curves(answers: dict[Task, Answer]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (*task, int(done), seconds, passes, gap)
        for task, answer in answers.items()
        for done, seconds, passes, gap in answer["curve"]
    ]
    columns = ("game", "team", "method", "iterations", "seconds", "passes", "relative gap")
    return Table("curves", "The gap on the way", columns, tuple(rows))


def draw(findings: Findings) -> "Figure":
    """Draw the gap over seconds and over passes, two panels for each game, a line for each method."""
    from matplotlib.figure import Figure

    rows = findings.table("curves").rows
    games = list(dict.fromkeys(str(row[0]) for row in rows))
    across = min(4, len(games))
    down = 2 * math.ceil(len(games) / across)
    figure = Figure(figsize=(3 * across, 2.1 * down + 0.8), layout="constrained")
    grid = figure.subplots(down, across, squeeze=False, sharey=True)
    for axes in grid.ravel():
        axes.set_axis_off()
    for place, game in enumerate(games):
        for shift, label in enumerate(("CPU seconds", "passes over both DAGs")):
            axes = grid[place // across * 2 + shift, place % across]
            axes.set_axis_on()
            for method in METHODS:
                line = np.array([row[4:] for row in rows if row[0] == game and row[2] == method], dtype=float)
                axes.loglog(line[:, shift], line[:, 2], lw=1.2, label=method)
            axes.set_title(f"{game}, {{{partitions(game)[0]}}}", fontsize=9)
            axes.set_xlabel(label, fontsize=8)
            axes.set_ylim(_LEAST_GAP, 1)
            axes.grid(alpha=0.3)
            axes.tick_params(labelsize=7)
    figure.supylabel("relative gap", fontsize=9)
    figure.legend(*grid[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=4, fontsize=8)
    return figure
