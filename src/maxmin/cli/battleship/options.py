"""Options that say which board is meant, and how strategies are named."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from maxmin.battleship.board import Board
    from maxmin.battleship.strategies import Strategy

BoardSize = Annotated[str, typer.Option("--board", metavar="7x7", help="Rows x columns.")]
Patterns = Annotated[
    str,
    typer.Option(
        metavar="L,L", help="What is hidden: names (L T S O F N P U V W X Y Z), lengths, drawings (##/#.)."
    ),
]
Touching = Annotated[
    str, typer.Option(metavar="corners", help="How pieces may touch: none, corners (only), all (also edges).")
]
Placement = Annotated[
    str,
    typer.Option(metavar="uniform", help="Boards: uniform, all alike; sequential, one piece after another."),
]
Seed = Annotated[int, typer.Option(min=0, help="Of boards and of random choices.")]

STRATEGY_HELP = 'A name, with options if need be: greedy, "paper(hits=most)"; or a policy file (.npz).'


def make_board(size: str, patterns: str, touching: str, placement: str) -> "Board":
    """Make the board that the options describe.

    Raises
    ------
    typer.BadParameter
        If the size is not of the form 7x7.
    GameError
        If there is no such board.
    """
    from maxmin.battleship.board import Board

    match = re.fullmatch(r"\s*(\d{1,4})\s*[xX*]\s*(\d{1,4})\s*", size, re.ASCII)
    if match is None:
        raise typer.BadParameter(f"{size!r} is not a size; write it as 7x7", param_hint="'--board'")
    rows, columns = map(int, match.groups())
    return Board(rows, columns, patterns.split(","), touching=touching, placement=placement)


def find_strategy(text: str, board: "Board", seed: int) -> "Strategy":
    """Make a strategy of its name, or load a policy or an optimal tree from its file."""
    from maxmin.battleship.strategies import make_strategy

    if text.endswith(".npz") or Path(text).is_file():
        from maxmin.archive import archive_format
        from maxmin.battleship import optimal

        if archive_format(text) == optimal.KIND:
            return optimal.load_tree(text, board=board)
        from maxmin.learning.policy_files import load_policy

        return load_policy(text, board=board)
    return make_strategy(text, board, seed=seed)


def complete_strategy(incomplete: str) -> list[str]:
    """Offer the names of the strategies to the shell."""
    from maxmin.battleship.strategies import STRATEGIES

    return [name for name in STRATEGIES if name.startswith(incomplete)]
