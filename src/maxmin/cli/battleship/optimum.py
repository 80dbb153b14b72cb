"""``maxmin battleship optimum``: the best strategy of all on a small board, as a tree; saved and replayed."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maxmin.cli.battleship.climb import Climbing
from maxmin.cli.battleship.options import BoardSize, Patterns, Placement, Touching, make_board
from maxmin.cli.options import Json, Quiet, check_seconds, check_target
from maxmin.cli.output import count, message, print_facts, print_json

if TYPE_CHECKING:
    from maxmin.battleship.optimal import ShotTree

EXAMPLES = """\b
Examples:
  maxmin battleship optimum --board 4x4
  maxmin battleship optimum --board 5x5 --save tree.npz
  maxmin battleship optimum --replay tree.npz
"""


def optimum(
    board: BoardSize = "5x5",
    patterns: Patterns = "L,L",
    touching: Touching = "corners",
    placement: Placement = "uniform",
    seconds: Annotated[
        float | None, typer.Option(callback=check_seconds, help="Give up after this time.")
    ] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Go on from this state, if the file exists; keep the state in it."),
    ] = None,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Keep the tree (.npz).")] = None,
    replay: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Search nothing: play a saved tree on every board, and check it."),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find the strategy of fewest expected shots, on a small board.

    The expectation that is printed comes from playing the tree on every board in plain Python, with fractions.
    """
    from maxmin.battleship.optimal import load_tree
    from maxmin.battleship.optimal import optimum as find

    if replay is not None:
        _tell(load_tree(replay), "replayed", as_json=as_json)
        return
    where = make_board(board, patterns, touching, placement)
    check_target(save)
    check_target(checkpoint)
    with Climbing(f"searching {where}", quiet=quiet) as progress:
        tree = find(where, seconds=seconds, checkpoint=checkpoint, callback=progress.report)
    if save is not None:
        tree.save(save)
        message(f"saved in {save}; maxmin battleship optimum --replay {save} checks it", quiet=quiet)
    _tell(tree, "optimal", as_json=as_json)


def _tell(tree: "ShotTree", how: str, *, as_json: bool) -> None:
    facts = {
        "board": str(tree.board),
        "mean_shots": float(tree.mean_shots),
        "exact": str(tree.mean_shots),
        "nodes": len(tree.cell),
        "first_shot": tree.board.cell_name(int(tree.cell[0])),
    }
    if as_json:
        print_json(facts)
        return
    lines = [
        (how, f"{float(tree.mean_shots):.6f} shots in expectation"),
        ("exactly", str(tree.mean_shots)),
        ("first shot", str(facts["first_shot"])),
        ("tree", f"{count(len(tree.cell))} nodes"),
    ]
    print_facts(str(tree.board), lines)
