"""``maxmin battleship bound``: how few shots any strategy can take, with proof; better the longer it runs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maxmin.cli.battleship.climb import Climbing
from maxmin.cli.battleship.options import (
    BoardSize,
    Patterns,
    Placement,
    Touching,
    find_strategy,
    make_board,
)
from maxmin.cli.errors import INTERRUPTED
from maxmin.cli.options import Json, Quiet, check_seconds, check_target
from maxmin.cli.output import count, duration, message, print_facts, print_json

if TYPE_CHECKING:
    from maxmin.battleship.bound import Bound
    from maxmin.battleship.evaluate import Evaluation

EXAMPLES = """\b
Examples:
  maxmin battleship bound --seconds 600 --checkpoint bound.npz
  maxmin battleship bound --seconds 60 --against "rollout(nesting=2)"
  maxmin battleship bound --board 5x5 --json
"""

_STOPPED_BY = {
    "optimal": "nothing: it is the optimum",
    "seconds": "the time limit",
    "memory": "the limit of states that are remembered",
    "interrupt": "you; this is the best so far",
}


def bound(
    board: BoardSize = "7x7",
    patterns: Patterns = "L,L",
    touching: Touching = "corners",
    placement: Placement = "uniform",
    seconds: Annotated[
        float | None,
        typer.Option(callback=check_seconds, help="Stop after this time, with the bound so far."),
    ] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Go on from this state, if the file exists; keep the state in it."),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(metavar="STRATEGY", help="Evaluate this strategy too, and state the gap to the bound."),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Bound the expected shots of any strategy from below.

    The bound rises until it is the optimum, which on small boards takes seconds; else until time is up. It is
    proved in whole numbers, without rounding.
    """
    from maxmin.battleship.bound import lower_bound
    from maxmin.battleship.evaluate import evaluate

    where = make_board(board, patterns, touching, placement)
    strategy = None if against is None else find_strategy(against, where, 0)
    check_target(checkpoint)
    with Climbing(f"bounding {where}", quiet=quiet) as progress:
        found = lower_bound(where, seconds=seconds, checkpoint=checkpoint, callback=progress.report)
    best = None if strategy is None else evaluate([strategy], where)[0]
    if as_json:
        print_json(_facts(found, best))
    else:
        _print(found, best)
    if found.stopped_by == "interrupt":
        message("interrupted: this is the best so far", quiet=quiet)
        raise typer.Exit(INTERRUPTED)


def _facts(found: "Bound", best: "Evaluation | None") -> dict[str, object]:
    facts = found.to_json()
    if best is not None:
        facts["strategy"] = {"name": best.name, "mean_shots": best.mean_shots, "exact": best.exact}
        facts["gap"] = best.mean_shots - found.lower
    return facts


def _print(found: "Bound", best: "Evaluation | None") -> None:
    what = "the best strategy takes" if found.optimal else "no strategy takes fewer than"
    facts = [
        ("bound", f"{what} {found.lower:.6f} shots"),
        ("exactly", str(found.exact_lower)),
        ("stopped by", _STOPPED_BY[found.stopped_by]),
        ("time", f"{duration(found.seconds)}, {count(found.states)} states searched"),
    ]
    if best is not None:
        shots = (
            f"{best.mean_shots:.6f}" if best.exact else f"{best.mean_shots:.4f} ± {best.standard_error:.4f}"
        )
        gap = max(best.mean_shots - found.lower, 0.0)  # an average is rounded
        facts.insert(2, ("strategy", f"{best.name} takes {shots}, a gap of {gap:.4f}"))
    print_facts(found.board, facts)
