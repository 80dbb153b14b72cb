"""``maxmin verify``: check a saved solution from its game tree alone."""

from typing import Annotated

import typer

from maxmin.cli.errors import COULD_NOT
from maxmin.cli.options import Json, Quiet, Saved, check_seconds
from maxmin.cli.output import print_json, print_table
from maxmin.cli.progress import Progress

EXAMPLES = """\b
Examples:
  maxmin verify answer.npz
  maxmin verify answer.npz --seconds 600 --json
"""


def verify(
    file: Saved,
    seconds: Annotated[
        float | None, typer.Option(callback=check_seconds, help="Leave out what takes longer than this.")
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Check a saved solution from its game tree alone.

    Recomputes both bounds by a way that shares nothing with the solvers. Exit status 1 if a check fails.
    """
    from maxmin.verify import verify as run

    raise NotImplementedError
