"""``maxmin recursive``: what a game is worth that is played again at changed stakes."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maxmin.cli.errors import INTERRUPTED
from maxmin.cli.options import Json, Quiet, check_gap, check_seconds
from maxmin.cli.output import count, duration, message, number, print_facts, print_json, print_table
from maxmin.cli.progress import Progress
from maxmin.rational import parse_number

if TYPE_CHECKING:
    from maxmin.matrix.oracle import Floats, Plan
    from maxmin.recursive import FixedPoints, Guarantee, RecursiveSolution, StateSolution

EXAMPLES = """\b
Examples:
  maxmin recursive game.json
  maxmin recursive game.json --method value_iteration --gap 1e-6
  maxmin recursive game.json --scan -1,2
  maxmin recursive game.json --json --quiet > answer.json

\b
A file of one state: what player 1 gets, by how much the stakes are
multiplied, and the fees for leaving:
  {"payoffs": [ [0, "1/2"], ["1/2", 0] ],
   "multipliers": [ [0.5, 0], [0, 0.5] ], "t1": 1, "t2": 2}
"""

_OUTCOMES = {
    "entered": "both players play on",
    "does not enter": "player 1 leaves at once, for -t1",
    "capped at t2": "player 2 leaves at once, for t2",
    "diverges": "player 1 can force any sum",
    "bounds do not meet": "there are several fixed points; the value is what player 1 can force",
    "not settled": "the bounds have not met so far",
}

_MOST_PLANS = 8


_ENDED = {
    "gap": "until the bounds met",
    "optimal": "until another changed nothing",
    "seconds": "until the time limit",
    "iterations": "as many as were allowed",
    "interrupt": "until you stopped it",
}


def recursive(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The game, as JSON.")],
    method: Annotated[str, typer.Option(metavar="NAME", help="How: newton, or value_iteration.")] = "newton",
    gap: Annotated[
        float,
        typer.Option(
            callback=check_gap,
            help="Stop at this gap between the bounds of each value, in units of the stakes.",
        ),
    ] = 1e-9,
    seconds: Annotated[
        float | None, typer.Option(callback=check_seconds, help="Stop after this time, with the best so far.")
    ] = None,
    iterations: Annotated[
        int | None, typer.Option(min=1, help="Stop after so many iterations (default 10000).")
    ] = None,
    scan: Annotated[
        str | None,
        typer.Option(
            metavar="LOW,HIGH", help="Also find all fixed points between two values; one state only."
        ),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Solve a game whose rounds multiply the stakes.

    A round pays, multiplies the stakes and leads to another round. Prints each state's value for one round, and
    when it is played on, with bounds and strategies of both players.
    """
    from maxmin.recursive import fixed_points, solve_recursive
    from maxmin.recursive.game_files import read_recursive
    from maxmin.recursive.scan import check_one_state

    interval = None if scan is None else _parse_interval(scan)
    game = read_recursive(file)
    if interval is not None:
        check_one_state(game)
    points = None
    with Progress(f"solving {file}", quiet=quiet) as progress:
        solution = solve_recursive(
            game, method=method, gap=gap, seconds=seconds, iterations=iterations, callback=progress.report
        )
        if interval is not None and solution.stopped_by != "interrupt":
            points = fixed_points(game, low=interval[0], high=interval[1], seconds=seconds)
    if as_json:
        print_json(
            {
                "file": str(file),
                **solution.to_json(),
                "fixed_points": None if points is None else points.to_json(),
            }
        )
    else:
        _print(file, solution)
        if points is not None:
            _print_points(points)
    if "interrupt" in (solution.stopped_by, points and points.stopped_by):
        message("interrupted: this is the best so far", quiet=quiet)
        raise typer.Exit(INTERRUPTED)


def _parse_interval(text: str) -> tuple[float, float]:
    words = text.split(",")
    try:
        if len(words) != 2:
            raise ValueError("two numbers are needed")
        low, high = (float(parse_number(word.strip())) for word in words)
        if low >= high:
            raise ValueError("the first is not less than the second")
    except ValueError as error:
        raise typer.BadParameter(
            f"{text!r} is not an interval: {error}; write it as -1,2", param_hint="'--scan'"
        ) from None
    return low, high


def _print(file: Path, solution: "RecursiveSolution") -> None:
    fees = [
        f"{name} = {number(fee)}"
        for name, fee in (("t1", solution.t1), ("t2", solution.t2))
        if fee is not None
    ]
    print_facts(
        f"{file}: {len(solution.states)} state{'s' if len(solution.states) > 1 else ''}",
        [
            ("fees", ", ".join(fees) or "none: nobody can leave"),
            ("gap", f"{solution.gap:.3g}"),
            (
                "method",
                f"{solution.method}, {count(solution.iterations)} iterations, {_ENDED[solution.stopped_by]}",
            ),
            ("time", duration(solution.seconds)),
        ],
    )
    for state in solution.states:
        _print_state(state)


def _print_state(state: "StateSolution") -> None:
    print_facts(
        f"\nstate {state.name}: {state.outcome} ({_OUTCOMES[state.outcome]})",
        [("repeated", _value(state.repeated)), ("one-shot", _value(state.one_shot))],
    )
    found = state.repeated
    sides = {"1": (found.rows, found.row_weights), "2": (found.columns, found.column_weights)}
    print_table(
        ("player", "plays, per cent of the time"),
        [(player, _mixture(*mixture)) for player, mixture in sides.items()],
    )


def _value(found: "Guarantee") -> str:
    return f"{number(found.value)}, between {found.lower:.12g} and {found.upper:.12g}"


def _mixture(plans: "tuple[Plan, ...]", weights: "Floats") -> str:
    order = sorted(range(len(plans)), key=lambda place: -weights[place])
    shown = [f"{plans[place]}: {100 * weights[place]:.4g}" for place in order[:_MOST_PLANS]]
    left = len(plans) - len(shown)
    return ", ".join(shown) + (f", and {left} more" if left else "")


def _print_points(found: "FixedPoints") -> None:
    print(
        f"\nfixed points between {number(found.low)} and {number(found.high)}: {len(found.points) or 'none'}"
    )
    if found.points:
        print_table(
            ("value", "between", "kind", "certain"),
            [
                (number(p.value), f"{p.lower:.12g} and {p.upper:.12g}", p.kind, "yes" if p.certain else "no")
                for p in found.points
            ],
        )
