"""One row of a table: a function called in a fresh process, so that its time and memory are its own.

As a script, this is that process: ``rows.py FUNCTION ARGUMENTS FILE`` writes what the function returns.
"""

import importlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from clock import Clock, peak_bytes
from plan import Plan

Row = dict[str, Any]
"""What is known of a row; ``row["status"]`` is "done" if it was measured, else the reason why not."""

_ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
_BRIEF = 5.0
"""Rows that take less CPU seconds than this are measured again, and the middle one is kept."""


def run_row(function: str, arguments: Row, plan: Plan, *, kill_after: float | None = None) -> Row:
    """Call `function` ("module.name" in this folder) in a fresh process; several times if it is brief."""
    kill_after = kill_after or plan.kill_after
    rows = [_run_once(function, arguments, kill_after)]
    while len(rows) < plan.repeats and rows[0]["status"] == "done" and rows[0]["all"]["cpu"] < _BRIEF:
        rows.append(_run_once(function, arguments, kill_after))
    done = [row for row in rows if row["status"] == "done"]
    middle = statistics.median_low([row["all"]["cpu"] for row in done]) if done else None
    return next((row for row in done if row["all"]["cpu"] == middle), rows[0])


def require(row: Row) -> Row:
    """Return the row if it was measured.

    Raises
    ------
    RuntimeError
        If it was not: for what others need.
    """
    if row["status"] != "done":
        raise RuntimeError(row["status"])
    return row


def _run_once(function: str, arguments: Row, kill_after: float) -> Row:
    """Measure one row; this process stays small, since a child's peak memory begins with its parent's."""
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "row.json"
        command = [sys.executable, __file__, function, json.dumps(arguments), str(answer)]
        try:
            ended = subprocess.run(
                command,
                timeout=kill_after,
                env={**os.environ, **_ONE_THREAD},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return {"status": f"killed after {kill_after:g} s", "killed_after": kill_after}
        if not answer.exists():
            return {"status": f"died with exit status {ended.returncode}"}
        row: Row = json.loads(answer.read_text())
        return row


def _call(function: str, arguments: Row) -> Row:
    module, _, name = function.rpartition(".")
    with Clock() as importing:
        try:
            worker = getattr(importlib.import_module(module), name)
        except ModuleNotFoundError as error:
            return {"status": f"skipped: {error.name} is not installed"}
    with Clock() as everything:
        try:
            row = worker(**arguments)
        except Exception as error:
            row = {"status": f"{type(error).__name__}: {error}"}
    measured = {"import": importing.seconds(), "all": everything.seconds(), "peak_bytes": peak_bytes()}
    return {"status": "done", **measured, **row}


if __name__ == "__main__":
    _function, _arguments, _file = sys.argv[1:]
    Path(_file).write_text(json.dumps(_call(_function, json.loads(_arguments))))
