"""Every local regret minimizer on every benchmark game and partition: what it takes to reach a relative gap.

The appendix of Zhang, Farina and Sandholm (ICML 2023), with the successors that nobody reported on team games.
A run goes on until the least of `GAPS` or its time limit, with the bounds at the iterations at which `maxmin.solve`
computes them; schedules plan with as many iterations as `solve` does.

Scores follow one rule. A run that did not reach a gap counts as twice its time limit, where any minimizer did, as
in solver competitions (PAR2). Seconds are divided by the least of any minimizer for that gap on that partition, and
averaged geometrically over a game's partitions, then over games, so that each game counts once.
"""

import math
import time
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from maxmin.errors import Cancelled
from maxmin.interrupt import Watch
from maxmin.match import Match, make_match, sides_of
from maxmin.size_estimate import estimate
from maxmin.solve import MINIMIZERS
from maxmin.solve.minimizer import Minimizer
from maxmin.solve.regret import RegretRun
from maxmin.solve.run import relative_gap
from maxmin.sources import load_tree
from maxmin.studies.findings import Cell, Findings, Table
from maxmin.studies.long_run import Answer, LongRun, Task
from maxmin.studies.team_games import GAMES, members, partitions
from maxmin.tree import GameTree

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GAPS = (2e-3, 2e-4, 2e-5, 2e-6)
"""Relative gaps."""

_FAMILIES = {"K": "Kuhn poker", "L": "Leduc poker", "D": "liar's dice"}
"""By the letter in the names of their games."""

_SECONDS = 3.0
_TOO_LARGE = "3K12"
"""Its belief DAG does not fit."""

_MOST_PRESCRIPTIONS = 150_000
"""Of a game's further partitions those of so many, predicted for both sides, are taken: the rest take hours."""

_Curve: TypeAlias = list[list[float]]
"""Iterations, CPU seconds and relative gap at each check."""


def find(run: LongRun) -> Findings:
    """Run all minimizers on all games and partitions that are asked for."""
    games = run.chosen([game for game in GAMES if game != _TOO_LARGE])
    limit = _SECONDS if run.seconds is None else run.seconds
    tasks = [(game, team, name) for game in games for team in _taken(game) for name in MINIMIZERS]
    answers = run.answers(tasks, lambda task: _answer(task, limit))
    curves = {task: answer["curve"] for task, answer in answers.items()}
    return Findings(
        tables=(_summary(curves, limit), _runs(curves), _drawn_curves(curves)),
        notes=(
            f"The first partition of each game, and others of at most {_MOST_PRESCRIPTIONS:,} prescriptions.",
            f"A run ends at a relative gap of {GAPS[-1]:g} or after {limit:g} CPU seconds, with checks of the gap.",
            "Score: seconds over those of the fastest minimizer on the same partition, averaged geometrically over "
            "a game's partitions, then over games; what was not reached counts as twice the time limit, where any "
            "minimizer did reach it.",
            "Schedules (hs_) plan with 1,000 iterations, as solve does when no number is given.",
            "Seconds differ from run to run, iterations do not.",
        ),
    )


def _taken(game: str) -> list[str]:
    first, *others = partitions(game)
    return [first, *(team for team in others if _prescriptions(game, team) <= _MOST_PRESCRIPTIONS)]


def _prescriptions(game: str, team: str) -> float:
    tree = _tree(game)
    return sum(estimate(tree, side).prescriptions for side in sides_of(tree, members(team)))


@lru_cache(maxsize=1)
def _tree(game: str) -> GameTree:
    return load_tree(game)


def _answer(task: Task, limit: float) -> Answer:
    game, team, name = task
    return {"curve": _curve(_match(game, team), MINIMIZERS[name], limit)}


@lru_cache(maxsize=1)
def _match(game: str, team: str) -> Match:
    return make_match(_tree(game), members(team))


def _curve(match: Match, minimizer: Minimizer, limit: float) -> _Curve:
    run = RegretRun(match, minimizer)
    curve: _Curve = []
    start = time.process_time()
    with Watch(None, lambda _: True) as watch:

        def keep_going(done: float) -> bool:
            return watch.keep_going(done) and time.process_time() - start < limit

        while (not curve or curve[-1][2] > GAPS[-1]) and keep_going(run.iterations):
            run.advance(run.next_check() - run.iterations, keep_going)
            gap = relative_gap(match.scale, run.bounds())
            curve.append([run.iterations, time.process_time() - start, gap])
    if watch.reason:
        raise Cancelled
    return curve


def reached(curve: _Curve, gap: float) -> tuple[int, float] | None:
    """Return iterations and seconds at the first check at which the gap was reached, if it was."""
    return next(((int(done), seconds) for done, seconds, found in curve if found <= gap), None)


def scores(curves: Mapping[Task, _Curve], gap: float, limit: float) -> dict[str, float]:
    """Return each minimizer's score for one gap; none where no minimizer reached it on any partition."""
    logs: dict[str, dict[str, list[float]]] = {name: {} for name in MINIMIZERS}
    for (game, _), found in _by_partition(curves).items():
        times = {name: reached(curve, gap) for name, curve in found.items()}
        seconds = [took[1] for took in times.values() if took is not None]
        for name, took in times.items() if seconds else ():
            ratio = (2 * limit if took is None else took[1]) / min(seconds)
            logs[name].setdefault(game, []).append(math.log(ratio))
    return {
        name: math.exp(np.mean([np.mean(of_game) for of_game in of_games.values()]))
        for name, of_games in logs.items()
        if of_games
    }


def _by_partition(curves: Mapping[Task, _Curve]) -> dict[tuple[str, str], dict[str, _Curve]]:
    found: dict[tuple[str, str], dict[str, _Curve]] = {}
    for (game, team, name), curve in curves.items():
        found.setdefault((game, team), {})[name] = curve
    return found


def _summary(curves: Mapping[Task, _Curve], limit: float) -> Table:
    """Rank the minimizers by the geometric mean of their scores over the gaps."""
    by_gap = [scores(curves, gap, limit) for gap in GAPS]
    of_family = {
        family: _means([scores(_of(curves, letter), gap, limit) for gap in GAPS])
        for letter, family in _FAMILIES.items()
    }
    rows: list[tuple[Cell, ...]] = [
        (
            *(name, mean),
            *(means.get(name) for means in of_family.values()),
            *(of_gap.get(name) for of_gap in by_gap),
            *(_count(curves, name, gap) for gap in GAPS),
        )
        for name, mean in sorted(_means(by_gap).items(), key=lambda item: item[1])
    ]
    columns = ("minimizer", "score", *_FAMILIES.values(), *(f"to {gap:g}" for gap in GAPS))
    total = len(_by_partition(curves))
    return Table(
        "summary",
        f"Scores: of all, by family, by gap; how many of {total} partitions were solved",
        (*columns, *(f"solved {gap:g}" for gap in GAPS)),
        tuple(rows),
    )


def _means(by_gap: Sequence[dict[str, float]]) -> dict[str, float]:
    """Average scores geometrically over those gaps that have any."""
    known = [of_gap for of_gap in by_gap if of_gap]
    return (
        {name: math.exp(np.mean([math.log(of_gap[name]) for of_gap in known])) for name in known[0]}
        if known
        else {}
    )


def _of(curves: Mapping[Task, _Curve], letter: str) -> dict[Task, _Curve]:
    return {task: curve for task, curve in curves.items() if letter in task[0]}


def _count(curves: Mapping[Task, _Curve], name: str, gap: float) -> int:
    return sum(task[-1] == name and reached(curve, gap) is not None for task, curve in curves.items())


def _runs(curves: Mapping[Task, _Curve]) -> Table:
    columns = (
        "game",
        "team",
        "minimizer",
        *(f"iterations {gap:g}" for gap in GAPS),
        *(f"s {gap:g}" for gap in GAPS),
    )
    rows: list[tuple[Cell, ...]] = []
    for task, curve in curves.items():
        times = [reached(curve, gap) or (None, None) for gap in GAPS]
        iterations, seconds = zip(*times, strict=True)
        rows.append((*task, *iterations, *seconds, int(curve[-1][0]), *curve[-1][1:]))
    return Table(
        "runs",
        "Iterations and CPU seconds to each relative gap",
        (*columns, "iterations in all", "s in all", "last gap"),
        tuple(rows),
    )


def _drawn_curves(curves: Mapping[Task, _Curve]) -> Table:
    """Return the curves of each game's first partition."""
    rows: list[tuple[Cell, ...]] = [
        (*task, int(done), seconds, gap)
        for task, curve in curves.items()
        if task[1] == partitions(task[0])[0]
        for done, seconds, gap in curve
    ]
    columns = ("game", "team", "minimizer", "iterations", "seconds", "relative gap")
    return Table("curves", "The gap on the way, for all but the last player", columns, tuple(rows))


def draw(findings: Findings) -> "Figure":
    """Draw the gap over iterations, a panel for each game, a line for each minimizer."""
    from matplotlib.figure import Figure

    rows = findings.table("curves").rows
    panels = list(dict.fromkeys((str(row[0]), str(row[1])) for row in rows))
    ranked = [str(name) for name in findings.table("summary").column("minimizer")]
    across = min(4, len(panels))
    down = math.ceil(len(panels) / across)
    figure = Figure(figsize=(3.2 * across, 2.4 * down + 0.9), layout="constrained")
    grid = figure.subplots(down, across, squeeze=False, sharey=True).ravel()
    for axes, (game, team) in zip(grid, panels, strict=False):
        for place, name in enumerate(ranked):
            line = np.array([row[3:] for row in rows if row[:3] == (game, team, name)], dtype=float)
            axes.loglog(
                line[:, 0],
                np.maximum(line[:, 2], GAPS[-1] / 4),
                color=f"C{place % 10}",
                lw=1.6 if place < 3 else 0.8,
                ls="-" if place < 10 else ":",
                label=name,
            )
        axes.set_title(f"{game}, {{{team}}}", fontsize=9)
        axes.set_ylim(GAPS[-1] / 4, 1)
        axes.set_yticks(GAPS, [f"{gap:g}" for gap in GAPS])
        axes.set_yticks([], minor=True)
        axes.grid(alpha=0.3)
        axes.tick_params(labelsize=7)
    for axes in grid[len(panels) :]:
        axes.set_axis_off()
    figure.supxlabel("iterations", fontsize=9)
    figure.supylabel("relative gap", fontsize=9)
    figure.legend(*grid[0].get_legend_handles_labels(), loc="outside upper center", ncols=6, fontsize=8)
    return figure
