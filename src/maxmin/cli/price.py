"""``maxmin price``: what a team gets alone, together and talking, and what drawing and talking are worth."""

from typing import TYPE_CHECKING, Annotated

import typer

from maxmin.cli.errors import INTERRUPTED
from maxmin.cli.options import Game, Json, Quiet, check_gap, check_seconds, parse_team
from maxmin.cli.output import duration, message, number, print_json, print_table
from maxmin.cli.progress import Progress
from maxmin.cli.sizes import braces

if TYPE_CHECKING:
    from maxmin.price import Interval, Price

EXAMPLES = """\b
Examples:
  maxmin price 3K4 --team 1,2
  maxmin price hide_and_seek --team 1,2 --gap 1e-2
  maxmin price 3L133 --team 1,2 --seconds 60 --json
"""


def price(
    game: Game,
    team: Annotated[
        str, typer.Option(metavar="1,2", help="The team's players; everybody else plays against it.")
    ],
    gap: Annotated[
        float,
        typer.Option(
            callback=check_gap,
            help="Stop each part at this gap between the bounds, relative to the payoff range.",
        ),
    ] = 1e-3,
    seconds: Annotated[
        float | None,
        typer.Option(callback=check_seconds, help="Stop after this time, with the bounds so far."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the local searches.")] = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find what silence costs a team.

    Bounds what a team gets whose members randomize each on their own (TME), may draw together before play (TMECor),
    or also talk during play, and so what drawing and talking are worth. Ctrl-C stops in order, with the bounds so
    far.
    """
    from maxmin.price import price as run

    players = parse_team(team)
    with Progress(f"pricing {game} for the team {braces(players)}", quiet=quiet) as progress:
        found = run(game, team=players, gap=gap, seconds=seconds, seed=seed, callback=progress.report)
    if as_json:
        print_json(found.to_json())
    else:
        _print(found)
    if found.stopped_by == "interrupt":
        message("interrupted: these are the bounds so far", quiet=quiet)
        raise typer.Exit(INTERRUPTED)


def _print(found: "Price") -> None:
    print(
        f"{found.game}: the team {braces(found.team)}, paid from {number(found.least)} to {number(found.largest)}"
    )
    noise = 1e-12 * (found.largest - found.least)  # less is rounding, which as 6.9e-18 would be hard to read
    values = (
        ("each member on its own (TME)", found.tme),
        ("drawing together before play (TMECor)", found.correlated),
        ("talking during play as well", found.communicating),
    )
    print_table(
        ("the team gets", "at least", "at most"),
        [(name, *_numbers(value, noise)) for name, value in values],
        right=("at least", "at most"),
    )
    worths = (("drawing together", found.correlation), ("talking", found.communication))
    print_table(
        ("worth of", "at least", "at most", "of the payoff range"),
        [(name, *_numbers(worth, noise), _percent(found.share(worth))) for name, worth in worths],
        right=("at least", "at most", "of the payoff range"),
    )
    print(
        f"{duration(found.seconds)}; the widest bounds are {found.gap:.2g} of the payoff range apart", end=""
    )
    print("" if found.converged else ", more than was asked for")


def _numbers(interval: "Interval", noise: float) -> tuple[str, str]:
    lower, upper = (
        number(0.0 if abs(bound) < noise else bound) for bound in (interval.lower, interval.upper)
    )
    return lower, upper


def _percent(share: "Interval") -> str:
    return f"{share.lower:.2%} to {share.upper:.2%}"
