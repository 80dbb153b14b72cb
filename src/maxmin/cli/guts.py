"""``maxmin guts``: what one player can guarantee in guts poker against a coalition."""

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Annotated

import typer

from maxmin.cli.errors import INTERRUPTED
from maxmin.cli.guts_cards import (
    Chips,
    Games,
    Seed,
    in_words,
    print_simulation,
    run_cards,
)
from maxmin.cli.guts_continuum import refuse_others, run_asynchronous, run_continuous, run_limit
from maxmin.cli.options import Json, Quiet, check_gap, check_seconds
from maxmin.cli.output import count, duration, message, print_facts, print_json, print_table
from maxmin.cli.progress import Progress

if TYPE_CHECKING:
    from maxmin.guts import GutsSolution

EXAMPLES = """\b
Examples:
  maxmin guts --coalition 2
  maxmin guts --coalition 5 --grid 21
  maxmin guts --coalition 15 --grid 101 --reduced --json
  maxmin guts --coalition 3 --against 2
  maxmin guts --continuous --coalition 100
  maxmin guts --limit
  maxmin guts --asynchronous --coalition 3
  maxmin guts --cards 3 --ties split
  maxmin guts --cards 2 --weenie --simulate 1000000
"""

_STOPPED_BY = {
    "gap": "the gap that was asked for",
    "optimal": "nothing: another step changes nothing",
    "seconds": "the time limit",
    "iterations": "the limit of iterations",
    "interrupt": "you; this is the best so far",
}

_MOST_ROWS = 20
"""Of a strategy; the rest is in the JSON."""


def guts(
    context: typer.Context,
    coalition: Annotated[
        int, typer.Option(metavar="N", help="How many players act as one against player 1.")
    ] = 2,
    grid: Annotated[
        int | None,
        typer.Option(metavar="M", help="Thresholds: 0, 1 / (M - 1), ..., 1 for every player (default 101)."),
    ] = None,
    against: Annotated[
        int, typer.Option(metavar="K", help="How many players are on player 1's side, acting as one.")
    ] = 1,
    reduced: Annotated[
        bool, typer.Option("--reduced", help="Coalitions play blocs and pseudo-blocs only.")
    ] = False,
    method: Annotated[
        str, typer.Option(metavar="NAME", help="newton, value_iteration, or fictitious_play as in the paper.")
    ] = "newton",
    gap: Annotated[
        float, typer.Option(callback=check_gap, help="Stop at this gap between the bounds, in antes.")
    ] = 1e-9,
    seconds: Annotated[
        float | None, typer.Option(callback=check_seconds, help="Stop after this time, with the best so far.")
    ] = None,
    iterations: Annotated[int | None, typer.Option(min=1, help="Stop after so many iterations.")] = None,
    continuous: Annotated[
        bool, typer.Option("--continuous", help="No grid: every threshold, to the last digits, with proof.")
    ] = False,
    limit: Annotated[bool, typer.Option("--limit", help="The limit of coalitions without end.")] = False,
    asynchronous: Annotated[
        bool,
        typer.Option(
            "--asynchronous", help="Members mix each on their own; on a grid only if --grid is given."
        ),
    ] = False,
    cards: Annotated[
        int | None,
        typer.Option(
            metavar="K", help="Hands of 2 or 3 real cards from one deck, against a coalition of two."
        ),
    ] = None,
    ties: Annotated[
        str, typer.Option(metavar="RULE", help="Equal hands of cards: lot, split, first or last.")
    ] = "lot",
    straights: Annotated[
        bool, typer.Option("--straights", help="With 3 cards straights count, above pairs.")
    ] = False,
    weenie: Annotated[
        bool,
        typer.Option("--weenie", help="If nobody holds, the best hand pays a pot; on a grid or with cards."),
    ] = False,
    simulate: Games = None,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find what player 1 can guarantee in guts poker.

    All others act as one, a coalition. Everybody holds or drops at once, by a threshold; the coalition draws a
    joint profile for each round. Prints the value of the game, played on at changed stakes, and of one round.
    """
    chips = Chips(simulate, seed, quiet)
    if cards is not None:
        limits = {"gap": gap, "seconds": seconds, "iterations": iterations}
        rules = {"ties": ties, "straights": straights, "weenie": weenie}
        refuse_others(context, "--cards", but={"coalition", "simulate", "seed", *limits, *rules})
        if coalition != 2:
            raise typer.BadParameter("with --cards it is 2", param_hint="'--coalition'")
        return run_cards(cards, limits, rules, chips, as_json=as_json)
    if continuous:
        refuse_others(context, "--continuous", but={"coalition", "simulate", "seed"})
        return run_continuous(coalition, chips, as_json=as_json)
    if limit:
        refuse_others(context, "--limit", but=())
        return run_limit(as_json=as_json)
    if asynchronous:
        refuse_others(context, "--asynchronous", but={"coalition", "grid", "seconds"})
        return run_asynchronous(coalition, grid, seconds, as_json=as_json, quiet=quiet)
    if straights or ties != "lot":
        raise typer.BadParameter(
            "goes only with --cards", param_hint="'--straights'" if straights else "'--ties'"
        )
    from maxmin.guts import solve_guts

    grid = 101 if grid is None else grid
    task = f"solving guts, {against} against {coalition}, on {grid} thresholds"
    with Progress(task, quiet=quiet) as progress:
        solution = solve_guts(
            coalition=coalition,
            grid=grid,
            against=against,
            reduced=reduced,
            weenie=weenie,
            method=method,
            gap=gap,
            seconds=seconds,
            iterations=iterations,
            callback=progress.report,
        )
    interrupted = solution.stopped_by == "interrupt"
    played = None if interrupted else chips.play(solution.repeated, solution.outcome, weenie=weenie)
    if as_json:
        print_json({**solution.to_json(), **chips.to_json(played)})
    else:
        _print(solution)
        print_simulation(played, solution.repeated)
    if interrupted:
        message("interrupted: this is the best so far", quiet=quiet)
        raise typer.Exit(INTERRUPTED)
    chips.finish(played, solution.outcome)


def _print(solution: "GutsSolution") -> None:
    kind = "blocs and pseudo-blocs" if solution.reduced else "any thresholds"
    kind += ", weenie" if solution.weenie else ""
    sizes = {name: count(int(size)) for name, size in solution.sizes.items()}
    print_facts(
        f"guts, {solution.against} against {solution.coalition}, on {count(solution.grid)} thresholds, {kind}",
        [
            ("repeated value", in_words(solution.repeated)),
            ("outcome", solution.outcome),
            ("one-shot value", in_words(solution.one_shot)),
            ("method", f"{solution.method}, {count(solution.iterations)} iterations"),
            ("pure strategies", f"{sizes['rows']} of player 1's side, {sizes['columns']} of the coalition"),
            ("stopped by", _STOPPED_BY[solution.stopped_by]),
            ("time", duration(solution.seconds)),
        ],
    )
    print("Strategies of the repeated game: a player holds with a hand above the threshold.")
    sides = {"player 1" if solution.against == 1 else "player 1's side": solution.repeated.player}
    sides["coalition"] = solution.repeated.coalition
    rows = [
        (side, f"{weight:.4%}", _thresholds(profile))
        for side, mixture in sides.items()
        for profile, weight in mixture[:_MOST_ROWS]
    ]
    print_table(("side", "probability", "thresholds"), rows, right=("probability",))
    if any(len(mixture) > _MOST_ROWS for mixture in sides.values()):
        print(f"The {_MOST_ROWS} likeliest of each side; all: --json")


def _thresholds(profile: Sequence[float]) -> str:
    """Write thresholds as 0, 0.97 x 14."""
    groups = [(held, len(list(same))) for held, same in groupby(profile)]
    return ", ".join(f"{held:g}" + (f" x {times}" if times > 1 else "") for held, times in groups)
