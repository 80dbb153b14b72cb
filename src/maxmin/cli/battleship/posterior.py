"""``maxmin battleship posterior``: how likely each cell is covered, and how many boards are left."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maxmin.cli.battleship.options import BoardSize, Patterns, Placement, Seed, Touching, make_board
from maxmin.cli.options import Json, Quiet, check_target
from maxmin.cli.output import count, message, print_facts, print_json

if TYPE_CHECKING:
    from maxmin.battleship.posterior import Posterior

EXAMPLES = """\b
Examples:
  maxmin battleship posterior
  maxmin battleship posterior --hits D4 --misses D3,B4,G5 --heat map.png
  maxmin battleship posterior --board 10x10 --patterns 5,4,3,3,2 --touching all --hits E5
"""

_DPI = 110


def posterior(
    hits: Annotated[str, typer.Option(metavar="D4,E4", help="Cells that were hit.")] = "",
    misses: Annotated[str, typer.Option(metavar="D3,B4", help="Cells that were missed.")] = "",
    board: BoardSize = "7x7",
    patterns: Patterns = "L,L",
    touching: Touching = "corners",
    placement: Placement = "uniform",
    work: Annotated[
        float,
        typer.Option(min=0, help="Count exactly if that takes no more comparisons of placements than this."),
    ] = 1e9,
    samples: Annotated[int, typer.Option(min=32, help="Else draw so many samples.")] = 2**15,
    seed: Seed = 0,
    heat: Annotated[Path | None, typer.Option(metavar="FILE", help="Save a heat map (.png).")] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find how likely each cell is covered, given hits and misses.

    Exact where all boards can be listed, or counted with little work; else from samples, with a standard error.
    The count is that of the ways to lay the patterns that agree with what was seen.
    """
    from maxmin.battleship.posterior import posterior as find
    from maxmin.battleship.state import State

    check_target(heat)
    state = State.parse(make_board(board, patterns, touching, placement), hits, misses)
    found = find(state, work=work, samples=samples, seed=seed)
    if heat is not None:
        _save(found, heat)
        message(f"saved in {heat}", quiet=quiet)
    if as_json:
        print_json(_to_json(found))
    else:
        _print(found)


def _save(found: "Posterior", path: Path) -> None:
    from maxmin.battleship.render import draw_posterior
    from maxmin.files import write_atomically

    figure = draw_posterior(found)
    write_atomically(path, lambda file: figure.savefig(file, format="png", dpi=_DPI))


def _to_json(found: "Posterior") -> dict[str, object]:
    board = found.state.board
    return {
        "board": str(board),
        "rows": board.rows,
        "columns": board.columns,
        "hits": [board.cell_name(cell) for cell in sorted(found.state.hits)],
        "misses": [board.cell_name(cell) for cell in sorted(found.state.misses)],
        "probability": found.probability.tolist(),
        "standard_error": found.standard_error.tolist(),
        "exact": found.exact,
        "count": found.count,
        "best": board.cell_name(found.best()) if found.state.unknown else None,
    }


def _print(found: "Posterior") -> None:
    from maxmin.battleship.render import render_posterior

    board = found.state.board
    facts = [("ways left", count(round(found.count)) if found.exact else f"about {found.count:.4g}")]
    if found.state.unknown:
        best = found.best()
        facts.append(("likeliest", f"{board.cell_name(best)}, {found.probability[best]:.4f}"))
    if not found.exact:
        facts.append(("sampled", f"standard errors up to {found.standard_error.max():.4f}"))
    print_facts(f"{board}: probability of a hit in percent (X hit, o missed)", facts)
    print(render_posterior(found))
