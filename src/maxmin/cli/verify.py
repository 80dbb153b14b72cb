"""``maxmin verify``: check a saved solution from its game tree alone."""

from typing import TYPE_CHECKING, Annotated

import typer

from maxmin.cli.options import Json, Quiet, Saved, check_seconds
from maxmin.cli.output import duration, print_json, print_table
from maxmin.cli.progress import Progress
from maxmin.errors import SolutionError

if TYPE_CHECKING:
    from maxmin.verify import Report

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

    with Progress(f"checking {file}", quiet=quiet):
        report = run(file, seconds=seconds)
    if as_json:
        print_json({"file": str(file), **report.to_json()})
    else:
        _print(report)
    if not report.ok:
        failed = ", ".join(check.name for check in report.checks if check.status == "failed")
        raise SolutionError(f"{file} does not hold what it claims: {failed}")


def _print(report: "Report") -> None:
    print_table(
        ("check", "result", "what was found"),
        [(check.name, check.status, check.detail) for check in report.checks],
    )
    skipped = sum(check.status == "not checked" for check in report.checks)
    verdict = "a check failed" if not report.ok else "every check holds that could be made"
    print(f"{verdict}; {skipped} could not be made ({duration(report.seconds)})")
