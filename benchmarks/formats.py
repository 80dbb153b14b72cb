"""Reading files: maxmin beside pygambit."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from plan import DICE_5, LEDUC, Plan
from report import count, cpu, megabytes, notes, number, section, table
from rows import Row, require, run_row

_GAMES = (LEDUC.maxmin, "3L143", DICE_5.maxmin, "3K15")
_QUICK_GAMES = (LEDUC.maxmin,)
_SECONDS = 60.0


def run(plan: Plan) -> Iterator[Row]:
    games = _QUICK_GAMES if plan.quick else _GAMES
    with tempfile.TemporaryDirectory() as folder:
        for game in games:
            yield from _rows(game, plan, Path(folder))


def _rows(game: str, plan: Plan, folder: Path) -> Iterator[Row]:
    files = [folder / "game.efg", folder / "game.game"]
    written = require(run_row("by_maxmin.write", {"game": game, "files": list(map(str, files))}, plan))
    readers = (("maxmin", files[0]), ("pygambit", files[0]), ("maxmin", files[1]))
    for package, file in readers:
        head = {"game": game, "nodes": written["nodes"], "format": file.suffix, "package": package}
        row = run_row(f"by_{package}.read", {"file": str(file)}, plan, kill_after=_SECONDS)
        yield {**head, "file_bytes": file.stat().st_size, **row}


def show(rows: list[Row], plan: Plan) -> str:
    heads = ["game", "format", "package", "nodes", "file MB", "CPU s", "nodes/s", "MB"]
    text = "Files that maxmin wrote; maxmin also checks the game while it reads it."
    return section("Reading files", text, table(heads, [_line(row) for row in rows]), notes(rows))


def _line(row: Row) -> list[str]:
    seconds = cpu(row, "read")
    rate = None if seconds is None else row["nodes"] / seconds
    numbers = [
        number(row["file_bytes"] / 1e6),
        number(seconds),
        count(rate),
        megabytes(row.get("peak_bytes")),
    ]
    return [row["game"], row["format"], row["package"], count(row["nodes"]), *numbers]
