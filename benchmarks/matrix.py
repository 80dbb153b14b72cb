"""Matrix games: fictitious play beside Nashpy, the linear program beside HiGHS called directly."""

from collections.abc import Iterator

from plan import Plan
from report import cpu, notes, number, section, table
from rows import Row, run_row

_PLAY_SHAPE = (101, 5151)
"""Player 1's thresholds against the pairs of thresholds of two others, at 101 points."""

_PLAYS = {
    "fictitious_play": 100_000,
    "alternating_fictitious_play": 100_000,
    "optimistic_fictitious_play": 100_000,
}
_NASHPY_PLAYS = 10_000
_PROGRAM_SHAPES = ((100, 100), (300, 300), (101, 5151), (1000, 1000))


def run(plan: Plan) -> Iterator[Row]:
    shape = {"rows": _PLAY_SHAPE[0], "columns": _PLAY_SHAPE[1]}
    row = run_row("by_nashpy.play", {**shape, "iterations": _NASHPY_PLAYS}, plan)
    yield {**_of(_PLAY_SHAPE), "package": "Nashpy", "method": "fictitious_play", **row}
    for method, iterations in _PLAYS.items():
        arguments = {**shape, "method": method, "iterations": iterations}
        yield {**_of(_PLAY_SHAPE), "package": "maxmin", "method": method, **_ours(arguments, plan)}
    for rows, columns in _PROGRAM_SHAPES[:2] if plan.quick else _PROGRAM_SHAPES:
        shape = {"rows": rows, "columns": columns}
        for solver in ("choose", "ipm"):
            row = run_row("by_highs.linear_program", {**shape, "solver": solver}, plan)
            yield {**_of((rows, columns)), "package": "HiGHS", "method": solver, **row}
        for method in ("lp", "interior_point"):
            row = _ours({**shape, "method": method}, plan)
            yield {**_of((rows, columns)), "package": "maxmin", "method": method, **row}


def _of(shape: tuple[int, int]) -> Row:
    return {"game": f"{shape[0]} x {shape[1]}"}


def _ours(arguments: Row, plan: Plan) -> Row:
    return run_row("by_maxmin.matrix_game", arguments, plan)


def show(rows: list[Row], plan: Plan) -> str:
    text = (
        "Payoffs are random, between 0 and 1. Nashpy breaks ties at random, maxmin takes the first; both sides "
        'respond at once in both. HiGHS is given the program as arrays; "choose" is its own choice of a solver.'
    )
    plays = [_play_line(row) for row in rows if "fictitious" in row["method"]]
    programs = [_program_line(row) for row in rows if "fictitious" not in row["method"]]
    return section(
        "Matrix games",
        text,
        table(["fictitious play", "package", "iterations", "iterations / CPU s", "relative gap"], plays),
        table(["linear program", "package", "CPU s", "wall s", "relative gap"], programs),
        notes(rows),
    )


def _play_line(row: Row) -> list[str]:
    seconds = cpu(row, "solve")
    rate = row["iterations"] / seconds if seconds else None
    name = f"{row['game']}, {row['method']}"
    return [
        name,
        row["package"],
        number(row.get("iterations")),
        number(rate),
        number(row.get("relative_gap")),
    ]


def _program_line(row: Row) -> list[str]:
    wall = row["solve"]["wall"] if "solve" in row else None
    name = f"{row['game']}, {row['method']}"
    return [name, row["package"], number(cpu(row, "solve")), number(wall), number(row.get("relative_gap"))]
