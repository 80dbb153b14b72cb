"""``maxmin study``: the tables and figures of papers, computed anew."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maxmin.cli.options import Json, Quiet
from maxmin.cli.output import duration, message, print_json, print_table
from maxmin.cli.progress import Progress
from maxmin.errors import Cancelled, FileError

if TYPE_CHECKING:
    from maxmin.journal import Journal
    from maxmin.studies import Study
    from maxmin.studies.findings import Findings
    from maxmin.studies.long_run import LongRun

EXAMPLES = """\b
Examples:
  maxmin study
  maxmin study cheating-surface --out results
  maxmin study cheating-claims --json
  maxmin study team-table1 --out results --games 3K3,3K4 --seconds 10
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
    games: Annotated[
        str | None, typer.Option(metavar="3K3,3K4", help="Only these games of a study of many games.")
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(metavar="S", help="How long each step of such a study may take, in CPU seconds."),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """List or compute the tables and figures of papers.

    With NAME: computes it anew, prints our figures beside the paper's, and saves a CSV file for each table and
    a PNG file for the figure. A study of many games keeps what is done in DIR/NAME.partial until it is saved:
    after an interruption, or a crash, the same command goes on from there.
    """
    from maxmin.studies import STUDIES, find_study

    if name is not None:
        chosen = find_study(name)
        names = _read_games(chosen, games)
        _compute(chosen, out, names, _read_seconds(chosen, seconds), as_json=as_json, quiet=quiet)
    elif as_json:
        facts = [{"name": each.name, "shows": each.shows, "title": each.title} for each in STUDIES.values()]
        print_json({"studies": facts})
    else:
        rows = [(each.name, each.shows, each.title) for each in STUDIES.values()]
        print_table(("name", "shows", "what it is"), rows)


def _read_games(study: "Study", games: str | None) -> tuple[str, ...] | None:
    if games is None:
        return None
    _check_long(study, "--games")
    return tuple(name.strip() for name in games.split(","))


def _read_seconds(study: "Study", seconds: float | None) -> float | None:
    from maxmin.limits import check_seconds

    if seconds is not None:
        _check_long(study, "--seconds")
    return check_seconds(seconds)


def _check_long(study: "Study", option: str) -> None:
    from maxmin.studies import STUDIES

    if not study.long:
        others = ", ".join(each.name for each in STUDIES.values() if each.long)
        raise typer.BadParameter(f"{study.name} does not take it; {others} do", param_hint=f"'{option}'")


def _compute(
    study: "Study",
    out: Path,
    games: tuple[str, ...] | None,
    seconds_each: float | None,
    *,
    as_json: bool,
    quiet: bool,
) -> None:
    start = time.monotonic()
    _make_folder(out)
    with (
        Progress(f"computing {study.name}", quiet=quiet) as progress,
        _open_journal(study, out, seconds_each) if study.long else nullcontext() as journal,
    ):
        findings = study.find(_long_run(games, seconds_each, journal, progress))
        files = [str(path) for path in _save(study, findings, out)]
        if journal is not None:
            journal.remove()
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


def _long_run(
    games: tuple[str, ...] | None, seconds: float | None, journal: "Journal | None", progress: Progress
) -> "LongRun":
    from maxmin.studies.long_run import LongRun

    def report(task: tuple[str, ...], done: int, total: int) -> None:
        progress.say(f"{done} of {total} steps are done, now {' '.join(task)}")

    return LongRun(games=games, seconds=seconds, journal=journal, callback=report)


@contextmanager
def _open_journal(study: "Study", out: Path, seconds: float | None) -> Iterator["Journal"]:
    """Open what is done so far; say where it is kept if the study is interrupted."""
    from maxmin import __version__
    from maxmin.journal import Journal

    identity = {"study": study.name, "version": __version__, "seconds": seconds}
    with Journal(out / f"{study.name}.partial", identity, what="run") as journal:
        try:
            yield journal
        except (KeyboardInterrupt, Cancelled):
            raise Cancelled(
                f"interrupted; what is done is kept in {journal.path}, and the same command goes on from there"
            ) from None


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
