"""The paper's table of team games, rebuilt: sizes, values with bounds, and CPU seconds by every method.

Zhang, Farina and Sandholm (ICML 2023), table 1, for every partition of the players into two teams. What two methods
prove of a value must agree, or the study fails; small games are also checked by `maxmin.verify`. Beside the paper's
games there is Leduc poker for four as it is used in teaching.
"""

import math
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from maxmin.decision import Observations
from maxmin.errors import Cancelled, MaxminError, SizeError
from maxmin.match import sides_of
from maxmin.side_sizes import compare_sizes
from maxmin.size_estimate import estimate
from maxmin.solve import Snapshot, Solution, solve
from maxmin.solve.steep_sapcfr_plus import STEEP_SAPCFR_PLUS
from maxmin.sources import load_tree
from maxmin.studies.findings import Cell, Findings, Table
from maxmin.studies.long_run import Answer, LongRun, Task
from maxmin.studies.team_games import GAMES, NOTHING, PAPER_GAP, PUBLISHED, TEACHING, members, partitions
from maxmin.tree import GameTree
from maxmin.verify import verify

if TYPE_CHECKING:
    from matplotlib.figure import Figure

METHODS = (STEEP_SAPCFR_PLUS.name, "lp", "column_generation", "double_oracle", "dag_column_generation")
_SIZES = "sizes"

_COUNTS: Mapping[str, tuple[Observations, str]] = {
    "k": ("connected", "k"),
    "largest public state": ("public", "largest_public_state"),
    "vertices": ("connected", "vertices"),
    "edges": ("connected", "edges"),
    "public vertices": ("public", "vertices"),
    "public edges": ("public", "edges"),
    "prescriptions": ("connected", "prescriptions"),
    "edges stored": ("connected", "stored_edges"),
    "converted game": ("public", "converted_nodes"),
}
"""What is shown of each side: its name, the construction, and the name in `DagSizes`."""

_SECONDS = 10.0
_GAP = 2e-5
"""Methods go on to this relative gap: times are to `PAPER_GAP`, values get closer bounds."""

_MEMORY = 4 * 10**9
_MOST_IN_PROGRAM = 400_000
"""Predicted prescriptions of both sides; for more, HiGHS does not come far in any time limit of seconds."""

_MOST_CHECKED = 10_000
"""Leaves of the largest game that `verify` checks too."""

_SLACK = 1e-9
"""Payoff units by which bounds of different methods may cross: rounding."""


def find(run: LongRun) -> Findings:
    """Measure all games, partitions and methods that are asked for."""
    limit = _SECONDS if run.seconds is None else run.seconds
    games = run.chosen((*GAMES, TEACHING))
    pairs = [(game, team) for game in games for team in partitions(game)]
    tasks = [(*pair, what) for pair in pairs for what in (_SIZES, *METHODS)]
    answers = run.answers(tasks, lambda task: _answer(task, limit))
    rows = {pair: {what: answers[*pair, what] for what in (_SIZES, *METHODS)} for pair in pairs}
    return Findings(
        tables=(_sizes(rows), _values(rows), _times(rows)),
        notes=(
            f"Times are CPU seconds for tree, decision problems and solving to a relative gap of {PAPER_GAP:g}, "
            f"the paper's criterion. Each method had {limit:g} seconds, and went on to a gap of {_GAP:g}.",
            "The paper's times are of a 64-core AMD EPYC 7282: the DAG on one thread, ZS22 and ZFCS22 with Gurobi "
            "on four.",
            "Bounds of all methods agree on every row.",
            "Seconds differ from run to run.",
        ),
    )


def _answer(task: Task, limit: float) -> Answer:
    game, team, what = task
    return (
        _measure(game, members(team), limit) if what == _SIZES else _solved(game, members(team), what, limit)
    )


def _measure(game: str, team: tuple[int, ...], limit: float) -> Answer:
    """Count both sides' decision problems; what takes longer than the limit is None, or estimated."""
    tree = load_tree(game)
    sides = [_side(tree, side, limit) for side in sides_of(tree, team)]
    return {"nodes": tree.n_nodes, "leaves": tree.n_leaves, "sides": sides}


def _side(tree: GameTree, side: tuple[int, ...], limit: float) -> dict[str, Any]:
    sizes = compare_sizes(tree, side, memory=_MEMORY, seconds=limit)
    found = {name: getattr(sizes.find(of), field) for name, (of, field) in _COUNTS.items()}
    if found["k"] is None:
        about = estimate(tree, side)
        found |= {"k": about.most_infosets, "prescriptions": about.prescriptions}
    return found


def _solved(game: str, team: tuple[int, ...], method: str, limit: float) -> Answer:
    """Solve by one method; say how long it took to the paper's gap, or why it did not get there."""
    if method == "lp" and _too_long_for_program(game, team):
        return {"status": "not tried"}
    clock = _Clock(limit)
    try:
        solution = solve(
            game, team=team, method=method, gap=_GAP, memory=_MEMORY, threads=1, callback=clock.look
        )
    except SizeError:
        return {"status": "too large"}
    except Cancelled:
        if not clock.late:
            raise
        return {"status": f"> {limit:g}"}
    if solution.stopped_by == "interrupt" and not clock.late:
        raise Cancelled
    clock.note(solution.relative_gap)
    return {
        "status": f"> {limit:g}" if clock.reached is None else "done",
        "seconds": clock.reached,
        "lower": solution.lower,
        "upper": solution.upper,
        "relative_gap": solution.relative_gap,
        "iterations": solution.iterations,
        "verified": _verified(solution) if method == METHODS[0] else None,
    }


class _Clock:
    """CPU seconds of one solve: when it reached the paper's gap, and whether it is over its limit."""

    def __init__(self, limit: float) -> None:
        self.start = time.process_time()
        self.limit = limit
        self.late = False
        self.reached: float | None = None

    def look(self, snapshot: Snapshot) -> bool:
        """Take a look; return whether to go on."""
        if snapshot.stage == "solving":
            self.note(snapshot.relative_gap)
        self.late = time.process_time() - self.start > self.limit
        return not self.late

    def note(self, gap: float) -> None:
        """Note the time if this is the first time that the gap is small enough."""
        if self.reached is None and gap <= PAPER_GAP:
            self.reached = time.process_time() - self.start


def _too_long_for_program(game: str, team: tuple[int, ...]) -> bool:
    tree = load_tree(game)
    sides = sides_of(tree, team)
    return sum(estimate(tree, side).prescriptions for side in sides) > _MOST_IN_PROGRAM


def _verified(solution: Solution) -> bool | None:
    """Check both bounds from the tree alone, if the game is small; None if that was not finished.

    Raises
    ------
    MaxminError
        If a check fails.
    """
    if solution.tree.n_leaves > _MOST_CHECKED:
        return None
    report = verify(solution)
    if not report.ok:
        failed = next(check for check in report.checks if check.status == "failed")
        raise MaxminError(f"verify refuses {solution!r}: {failed.name}: {failed.detail}")
    bounds = [check.status for check in report.checks if check.name in ("lower bound", "upper bound")]
    return True if bounds == ["ok", "ok"] else None


_Row: TypeAlias = Mapping[str, Answer]
"""Of one game and team: the sizes, and the answer of each method."""

_Rows: TypeAlias = Mapping[tuple[str, str], _Row]


def _sizes(rows: _Rows) -> Table:
    columns = ["game", "team", "nodes", "leaves"]
    columns += [f"{name}, {side}" for side in ("team", "others") for name in _COUNTS]
    cells = []
    for (game, team), row in rows.items():
        sizes = row[_SIZES]
        counts = [side[name] for side in sizes["sides"] for name in _COUNTS]
        cells.append((game, team, sizes["nodes"], sizes["leaves"], *counts))
    return Table(
        "sizes", "Sizes; where edges are missing, prescriptions are estimated", tuple(columns), tuple(cells)
    )


def bounds(row: _Row) -> tuple[float, float]:
    """Return the best bounds that any method proves.

    Raises
    ------
    MaxminError
        If two methods contradict each other.
    """
    found = [row[method] for method in METHODS if "lower" in row[method]]
    lower = max((answer["lower"] for answer in found), default=-math.inf)
    upper = min((answer["upper"] for answer in found), default=math.inf)
    if lower > upper + _SLACK:
        raise MaxminError(
            f"methods contradict each other: the value is at least {lower!r} and at most {upper!r}"
        )
    return min(lower, upper), max(lower, upper)


def _values(rows: _Rows) -> Table:
    columns = ("game", "team", "value", "lower", "upper", "published", "methods that agree", "verify")
    cells: list[tuple[Cell, ...]] = []
    for (game, team), row in rows.items():
        lower, upper = bounds(row)
        proving = [method for method in METHODS if "lower" in row[method]]
        checked = any(row[method]["verified"] for method in proving)
        known = (lower + (upper - lower) / 2, lower, upper) if proving else (None, None, None)
        published = PUBLISHED.get((game, team), NOTHING).value
        cells.append((game, team, *known, published, len(proving), "ok" if checked else None))
    return Table(
        "values", "What the team can guarantee, with the best bounds of all methods", columns, tuple(cells)
    )


def _times(rows: _Rows) -> Table:
    columns = ("game", "team", *METHODS, "paper: DAG", "paper: ZS22", "paper: ZFCS22")
    cells = []
    for pair, row in rows.items():
        published = PUBLISHED.get(pair, NOTHING)
        theirs = (published.dag, published.linear_program, published.column_generation)
        cells.append((*pair, *(_time(row[method]) for method in METHODS), *theirs))
    return Table("times", f"Seconds to a relative gap of {PAPER_GAP:g}", columns, tuple(cells))


def _time(answer: Answer) -> float | str:
    """Return the seconds, to as many digits as mean something, or why there are none."""
    seconds = answer.get("seconds")
    return answer["status"] if seconds is None else float(f"{seconds:.3g}")


def draw(findings: Findings) -> "Figure":
    """Draw the time of each method over the size of the decision problems, and the paper's times."""
    from matplotlib.figure import Figure

    times, sizes = findings.table("times"), findings.table("sizes")
    size = np.array([sizes.column(f"prescriptions, {side}") for side in ("team", "others")], dtype=float).sum(
        axis=0
    )
    figure = Figure(figsize=(8.5, 5), layout="constrained")
    axes = figure.add_subplot()
    published = ("paper: DAG", "paper: ZS22", "paper: ZFCS22")
    colors = ["C0", "C1", "C2", "C3", "C4"]
    for name, color in (*zip(METHODS, colors, strict=False), *zip(published, colors, strict=False)):
        seconds = np.array([cell if isinstance(cell, float | int) else np.nan for cell in times.column(name)])
        paper = name in published
        axes.loglog(
            size,
            seconds,
            "*" if paper else "o",
            color=color,
            ms=11 if paper else 5,
            mec="black" if paper else color,
            alpha=1 if paper else 0.7,
            label=name,
        )
    axes.set(
        xlabel="prescriptions of both decision problems", ylabel=f"seconds to a relative gap of {PAPER_GAP:g}"
    )
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)
    return figure
