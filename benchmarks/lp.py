"""The linear program: maxmin beside OpenSpiel and pygambit."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from plan import DICE_5, KUHN, LEDUC, Plan, TwoPlayerGame
from report import cpu, megabytes, notes, number, section, table
from rows import Row, require, run_row

_GAMBIT_SECONDS = 60.0


def run(plan: Plan) -> Iterator[Row]:
    games = (KUHN, LEDUC) if plan.quick else (KUHN, LEDUC, DICE_5)
    with tempfile.TemporaryDirectory() as folder:
        for game in games:
            yield from _rows(game, plan, str(Path(folder) / "game.efg"))


def _rows(game: TwoPlayerGame, plan: Plan, file: str) -> Iterator[Row]:
    arguments = {"game": game.maxmin, "team": [1], "method": "lp", "gap": 1e-7}
    yield {"game": game.label, "package": "maxmin", **run_row("by_maxmin.one_call", arguments, plan)}
    row = run_row("by_openspiel.linear_program", {"game": game.openspiel}, plan)
    yield {"game": game.label, "package": "OpenSpiel", **row}
    require(run_row("by_maxmin.write", {"game": game.maxmin, "files": [file]}, plan))
    seconds = 10.0 if plan.quick else _GAMBIT_SECONDS
    row = run_row("by_pygambit.linear_program", {"file": file}, plan, kill_after=seconds)
    yield {"game": game.label, "package": "pygambit", **row}


def show(rows: list[Row], plan: Plan) -> str:
    text = (
        "From rules to solved strategies, in one call; OpenSpiel solves one program for each player, by HiGHS. "
        "pygambit's time is without reading the file."
    )
    heads = ["game", "package", "CPU s", "wall s", "MB", "value"]
    return section("Linear program", text, table(heads, [_line(row) for row in rows]), notes(rows))


def _line(row: Row) -> list[str]:
    wall = row["solve"]["wall"] if "solve" in row else None
    value = f"{row['value']:.8f}" if "value" in row else row["status"]
    memory = megabytes(row.get("peak_bytes"))
    return [row["game"], row["package"], number(cpu(row, "solve")), number(wall), memory, value]
