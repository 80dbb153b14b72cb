"""Guts on grids, full and reduced, to a gap of 1e-9 antes, and without one; the repeated value included."""

from collections.abc import Iterator
from dataclasses import dataclass

from clock import Clock
from plan import Plan
from report import count, cpu, notes, number, section, table
from rows import Row, run_row

_GAP = 1e-9


@dataclass(frozen=True)
class Task:
    """One row: coalitions of these sizes against `against` players, one after another, on one grid or on none."""

    game: str
    coalitions: tuple[int, ...]
    grid: int | None
    against: int = 1
    reduced: bool = False
    published_seconds: float | None = None
    in_quick: bool = True


_TASKS = (
    Task("1 v 5", (5,), 21, published_seconds=3600.0),
    Task("1 v 2", (2,), 1001),
    Task("1 v 3", (3,), 201),
    Task("1 v 15", (15,), 101),
    Task("1 v 2..15, reduced", tuple(range(2, 16)), 101, reduced=True),
    Task("2 v 2", (2,), 101, against=2),
    Task("3 v 3", (3,), 101, against=3),
    Task("1 v 2..1000", tuple(range(2, 1001)), None),
    Task("1 v 2, finer", (2,), 10001, in_quick=False),
    Task("1 v 1000", (1000,), 2001, in_quick=False),
)


def run(plan: Plan) -> Iterator[Row]:
    for task in _TASKS:
        if task.in_quick or not plan.quick:
            arguments = {
                "coalitions": list(task.coalitions),
                "grid": task.grid,
                "against": task.against,
                "reduced": task.reduced,
            }
            head = {"game": task.game, "grid": task.grid, "published_seconds": task.published_seconds}
            yield {**head, **run_row("guts.solve", arguments, plan)}


def solve(coalitions: list[int], grid: int | None, against: int, reduced: bool) -> Row:
    """Solve one coalition after another; bounds and sizes are of the last, the gap is the largest."""
    from maxmin.guts import ContinuumSolution, GutsSolution, solve_continuum, solve_guts

    def one(coalition: int) -> GutsSolution | ContinuumSolution:
        if grid is None:
            return solve_continuum(coalition=coalition)
        return solve_guts(coalition=coalition, grid=grid, against=against, reduced=reduced, gap=_GAP)

    with Clock() as clock:
        found = [one(coalition) for coalition in coalitions]
    last = found[-1]
    return {
        "solving": clock.seconds(),
        "gap": max(solution.gap for solution in found),
        "one_shot": last.one_shot.value,
        "repeated": last.repeated.value,
        "sizes": getattr(last, "sizes", None),
    }


def show(rows: list[Row], plan: Plan) -> str:
    text = (
        f"CPU seconds until the bounds of the repeated value are {_GAP:g} antes apart or less; the one-shot value "
        "comes with it. Values and numbers of pure strategies are of the largest coalition of the row. The paper "
        "(arXiv 2208.02788) gives over an hour for 1 v 5."
    )
    heads = ["game", "grid", "rows", "columns", "one-shot", "repeated", "gap", "seconds", "paper s"]
    lines = [_line(row) for row in rows if row["status"] == "done"]
    return "\n\n".join([section("Guts", text, table(heads, lines)), notes(rows)]).rstrip()


def _line(row: Row) -> list[str]:
    return [
        *(
            row["game"],
            count(row["grid"]) if row["grid"] else "none",
            _plans(row, "rows"),
            _plans(row, "columns"),
        ),
        *(f"{row['one_shot']:.9f}", f"{row['repeated']:.9f}", number(row["gap"])),
        *(number(cpu(row, "solving")), number(row["published_seconds"])),
    ]


def _plans(row: Row, side: str) -> str:
    if row["sizes"] is None:
        return "any"
    size = row["sizes"][side]
    return count(size) if size < 1e9 else number(size)
