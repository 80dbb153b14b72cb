"""``maxmin sweep``: the value on a grid of parameters, as a table."""

import sys
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maxmin.cli.options import Game, Json, Quiet, check_target, parse_team
from maxmin.cli.output import count, duration, message, number, print_facts, print_json, print_table
from maxmin.cli.sizes import braces
from maxmin.errors import GameError
from maxmin.rational import parse_number

if TYPE_CHECKING:
    from maxmin.sweep import Sweep

EXAMPLES = """\b
Examples:
  maxmin sweep kuhn_cheating --over p=0:1:11 --over q=0:1:11
  maxmin sweep kuhn_cheating --over p=0:1:101 --over q=0:1:101 --save a.csv
  maxmin sweep kuhn_poker --over ranks=3:13:11 --json
"""

_MOST_ROWS = 30
"""Longer tables are not printed."""


def sweep(
    game: Game,
    over: Annotated[
        list[str],
        typer.Option(metavar="p=LOW:HIGH:COUNT", help="A parameter, and its places; repeat it for a grid."),
    ],
    team: Annotated[
        str, typer.Option(metavar="1,2", help="The team's players; everybody else plays against it.")
    ] = "1",
    jobs: Annotated[int, typer.Option(help="How many processes; -1: as many as there are cores.")] = -1,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Keep the table (.csv or .parquet); goes on after an interruption."
        ),
    ] = None,
    date: Annotated[str | None, typer.Option(metavar="TEXT", help="A date to keep in the table.")] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Solve a game on a grid of parameters, over all cores.

    Values are floats. Prints a short table whole, of a long one the least and the largest value; --save keeps all.
    """
    from maxmin.sweep import sweep as run

    axes: dict[str, tuple[Fraction, ...]] = {}
    for text in over:
        name, axis = _parse_axis(text)
        if name in axes:
            raise typer.BadParameter(f"{name} is named twice", param_hint="'--over'")
        axes[name] = axis
    if jobs == 0:
        raise typer.BadParameter("0 processes do no work; write -1 for all cores", param_hint="'--jobs'")
    check_target(save)
    progress = _Progress(quiet=quiet)
    found = run(
        game,
        over=axes,
        team=parse_team(team),
        jobs=jobs,
        save=save,
        date=date,
        callback=progress.report,
    )
    progress.end()
    if save is not None:
        message(f"saved in {save}", quiet=quiet)
    if as_json:
        print_json(found.to_json())
    else:
        _print(found)


def _parse_axis(text: str) -> tuple[str, tuple[Fraction, ...]]:
    from maxmin.sweep import places

    name, _, axis = text.partition("=")
    parts = axis.split(":")
    try:
        if not name.strip() or len(parts) != 3 or not parts[2].strip().isdecimal():
            raise ValueError("it is not of the form p=LOW:HIGH:COUNT")
        low, high = (parse_number(part.strip()) for part in parts[:2])
        return name.strip(), places(low, high, int(parts[2]))
    except (ValueError, GameError) as error:
        raise typer.BadParameter(f"{text!r}: {error}; write p=0:1:101", param_hint="'--over'") from None


class _Progress:
    """A line on the terminal that says how many points are solved."""

    def __init__(self, *, quiet: bool) -> None:
        self._shown = not quiet and sys.stderr.isatty()

    def report(self, done: int, total: int) -> None:
        """Show how far it is."""
        if self._shown:
            print(f"\r{count(done)} of {count(total)} points", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        """End the line."""
        if self._shown:
            print(file=sys.stderr)


def _print(found: "Sweep") -> None:
    columns = found.columns()
    value = columns["value"]
    ends = []
    for what, index in (("least", int(value.argmin())), ("largest", int(value.argmax()))):
        where = ", ".join(f"{name} = {columns[name][index]:.6g}" for name in found.axes)
        ends.append((what, f"{number(value[index])} at {where}"))
    grid = " x ".join(f"{len(axis)} places of {name}" for name, axis in found.axes.items())
    print_facts(
        f"{found.game}: the value for {braces(found.team)} on a grid",
        [("grid", grid), *ends, ("time", duration(found.seconds))],
    )
    if value.size <= _MOST_ROWS:
        rows = zip(*(map(number, column.tolist()) for column in columns.values()), strict=True)
        print_table(tuple(columns), list(rows))
