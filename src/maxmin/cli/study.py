"""``maxmin study``: the tables and figures of papers, computed anew."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maxmin.cli.options import Json, Quiet
from maxmin.cli.output import duration, message, print_json, print_table
from maxmin.cli.progress import Progress
from maxmin.errors import FileError

if TYPE_CHECKING:
    from maxmin.studies import Study
    from maxmin.studies.findings import Findings

EXAMPLES = """\b
Examples:
  maxmin study
  maxmin study cheating-surface --out results
  maxmin study cheating-claims --json
"""

_DPI = 110
_MOST_ROWS = 45
"""Longer tables are cut where they are printed."""


def complete_study(incomplete: str) -> list[str]:
    """Offer the names of the studies to the shell."""
    from maxmin.studies import STUDIES

    return [name for name in STUDIES if name.startswith(incomplete)]


def study(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", autocompletion=complete_study, help="Compute this one.")
    ] = None,
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Save here; the folder is made if it does not exist.")
    ] = Path("."),
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """List or compute the tables and figures of papers.

    With NAME: computes it anew, prints our figures beside the paper's, and saves a CSV file for each table and
    a PNG file for the figure.
    """
    from maxmin.studies import STUDIES, find_study

    if name is not None:
        _compute(find_study(name), out, as_json=as_json, quiet=quiet)
    elif as_json:
        facts = [{"name": each.name, "shows": each.shows, "title": each.title} for each in STUDIES.values()]
        print_json({"studies": facts})
    else:
        rows = [(each.name, each.shows, each.title) for each in STUDIES.values()]
        print_table(("name", "shows", "what it is"), rows)


def _compute(study: "Study", out: Path, *, as_json: bool, quiet: bool) -> None:
    start = time.monotonic()
    _make_folder(out)
    with Progress(f"computing {study.name}", quiet=quiet):
        findings = study.find()
        files = [str(path) for path in _save(study, findings, out)]
    seconds = time.monotonic() - start
    if as_json:
        tables = [table.to_json() for table in findings.tables]
        facts = {"study": study.name, "shows": study.shows, "title": study.title, "tables": tables}
        print_json(facts | {"notes": list(findings.notes), "files": files, "seconds": seconds})
        return
    print(f"{study.title} ({study.shows})")
    for table in findings.tables:
        print(f"\n{table.title}")
        rows = table.words()
        print_table(table.columns, rows[:_MOST_ROWS])
        if len(rows) > _MOST_ROWS:
            print(f"... and {len(rows) - _MOST_ROWS} rows more, in the CSV file")
    for note in findings.notes:
        print(f"* {note}")
    message(f"saved {', '.join(files)} ({duration(seconds)})", quiet=quiet)


def _make_folder(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"cannot make the folder {out}: {error.strerror or error}") from error


def _save(study: "Study", findings: "Findings", out: Path) -> list[Path]:
    """Write the tables and the figure; return the files."""
    from maxmin.files import write_atomically

    files = []
    for table in findings.tables:
        files.append(out / f"{study.name}-{table.name}.csv")
        data = table.to_csv()
        write_atomically(files[-1], lambda file, data=data: file.write(data))  # type: ignore[misc]
    figure = study.draw(findings)
    if figure is not None:
        files.append(out / f"{study.name}.png")
        write_atomically(files[-1], lambda file: figure.savefig(file, format="png", dpi=_DPI))
    return files
