"""``maxmin battleship evaluate``: how many shots strategies take, side by side on the same boards."""

from typing import TYPE_CHECKING, Annotated

import typer

from maxmin.cli.battleship.options import (
    STRATEGY_HELP,
    BoardSize,
    Patterns,
    Placement,
    Seed,
    Touching,
    complete_strategy,
    find_strategy,
    make_board,
)
from maxmin.cli.errors import INTERRUPTED
from maxmin.cli.options import Json, Quiet, check_seconds
from maxmin.cli.output import count, message, print_json, print_table
from maxmin.cli.progress import ShareDone

if TYPE_CHECKING:
    from maxmin.battleship.evaluate import Evaluation

EXAMPLES = """\b
Examples:
  maxmin battleship evaluate greedy paper random
  maxmin battleship evaluate greedy "greedy(tie=next)" --placement sequential
  maxmin battleship evaluate greedy --board 10x10 --patterns 5,4,3,3,2 --touching all --games 2000 --jobs -1
"""

_SHARES = (0.1, 0.5, 0.9)


def evaluate(
    strategies: Annotated[
        list[str],
        typer.Argument(metavar="STRATEGY...", autocompletion=complete_strategy, help=STRATEGY_HELP),
    ],
    board: BoardSize = "7x7",
    patterns: Patterns = "L,L",
    touching: Touching = "corners",
    placement: Placement = "uniform",
    games: Annotated[
        int | None,
        typer.Option(min=1, help="Play so many on drawn boards, also where the expectation could be exact."),
    ] = None,
    seed: Seed = 0,
    jobs: Annotated[int, typer.Option(help="How many processes; -1: as many as there are cores.")] = 1,
    seconds: Annotated[
        float | None,
        typer.Option(callback=check_seconds, help="Stop after this time, with the games so far."),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find how many shots strategies take until all is uncovered.

    Exactly, over all boards, where these can be listed and the strategy is deterministic; else by games on the same
    boards for all, with a standard error. The success rate of shot t is the share of games whose t-th shot hits, 0
    once a game has ended; the score is their sum, weighted by 1 - (t - 1) / cells.
    """
    from maxmin.battleship.evaluate import evaluate as run

    if jobs == 0:
        raise typer.BadParameter("0 processes do no work; write -1 for all cores", param_hint="'--jobs'")
    where = make_board(board, patterns, touching, placement)
    players = [find_strategy(text, where, seed) for text in strategies]
    with ShareDone("evaluating", quiet=quiet) as progress:
        found = run(
            players, where, games=games, seed=seed, jobs=jobs, seconds=seconds, callback=progress.report
        )
    if as_json:
        print_json({"board": str(where), "strategies": [one.to_json() for one in found]})
    else:
        _print(found)
    _report_end(found, strategies, quiet=quiet)


def _print(found: list["Evaluation"]) -> None:
    print(found[0].board)
    columns = ("strategy", "mean shots", "standard error", "score", "10 %", "50 %", "90 %", "games")
    rows = [
        (
            one.name,
            f"{one.mean_shots:.4f}",
            "exact" if one.exact else f"{one.standard_error:.4f}",
            f"{one.score:.4f}",
            *(str(one.shots_of(share)) for share in _SHARES),
            f"all {count(one.games)} boards" if one.exact else count(one.games),
        )
        for one in found
    ]
    print_table(columns, rows, right=columns[1:])
    print("10 %, 50 %, 90 %: so many games have ended with this shot.")


def _report_end(found: list["Evaluation"], asked: list[str], *, quiet: bool) -> None:
    stopped = next((one.stopped_by for one in found if one.stopped_by != "done"), "done")
    if stopped == "done":
        return
    missing = len(asked) - len(found)
    message(
        f"stopped by {'the time limit' if stopped == 'seconds' else 'you'}: this is what was found so far"
        + (f"; of {missing} strategies nothing is known" if missing else ""),
        quiet=quiet,
    )
    if stopped == "interrupt":
        raise typer.Exit(INTERRUPTED)
