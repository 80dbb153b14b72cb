"""Options and endings that all learners share."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maxmin.cli.errors import INTERRUPTED
from maxmin.cli.options import check_seconds
from maxmin.cli.output import message

if TYPE_CHECKING:
    from maxmin.learning.policy_files import Policy

Seconds = Annotated[
    float | None,
    typer.Option(callback=check_seconds, help="Stop after this time, with what is learned by then."),
]
Checkpoint = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Go on from this state, if the file exists; keep the state in it."),
]
Save = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Keep the policy, for evaluate and play (.npz).")
]


def keep(policy: "Policy", path: Path | None, *, quiet: bool) -> None:
    """Save a policy, if a file was named."""
    if path is None:
        return
    from maxmin.learning.policy_files import save_policy

    save_policy(policy, path)
    message(f"saved in {path}; maxmin battleship evaluate measures it, on {policy.board}", quiet=quiet)


def report_end(stopped_by: str, *, quiet: bool) -> None:
    """Say why training ended before its time, and exit with the status of an interruption if it was one."""
    if stopped_by == "seconds":
        message("stopped by the time limit: this is what was learned by then", quiet=quiet)
    if stopped_by == "interrupt":
        message("interrupted: this is what was learned by then", quiet=quiet)
        raise typer.Exit(INTERRUPTED)
