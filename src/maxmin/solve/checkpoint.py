"""Checkpoints: the state of a regret minimizer in a file, so that it can go on later as if it had never stopped."""

import os
from typing import Any

from maxmin.archive import read_archive, write_archive
from maxmin.errors import MaxminError, SolutionError
from maxmin.files import AnyPath
from maxmin.solve.iterated import IteratedRun

STATE_FORMAT = "maxmin solver state"
STATE_VERSION = 1


def save_state(run: IteratedRun, path: AnyPath, trace: list[list[float]]) -> None:
    """Write all that is needed to go on.

    Raises
    ------
    FileError
        If the file cannot be written.
    """
    header = {"format": STATE_FORMAT, "format_version": STATE_VERSION, **_header(run), "trace": trace}
    write_archive(path, header, run.to_arrays())


def resume(run: IteratedRun, path: AnyPath) -> list[list[float]]:
    """Put a run where the saved one stopped; return its trace.

    Raises
    ------
    MaxminError
        If it was saved with other settings.
    SolutionError
        If the file is not a saved state, or damaged.
    """
    header, arrays = read_archive(path, STATE_FORMAT, STATE_VERSION)
    for name, ours in _header(run).items():
        if header.get(name) != ours:
            raise MaxminError(
                f"{os.fspath(path)} was saved with {name} {header.get(name)!r}, this run has {ours!r}: "
                "use another file, or the same settings"
            )
    try:
        run.restore(arrays)
    except SolutionError as error:
        raise SolutionError(f"{os.fspath(path)}: {error}") from None
    trace = header.get("trace")
    if not isinstance(trace, list) or not trace or not all(map(_is_trace_row, trace)):
        raise SolutionError(f"{os.fspath(path)}: the saved state lacks its trace")
    return trace


def _is_trace_row(row: object) -> bool:
    return isinstance(row, list) and len(row) == 4 and all(isinstance(number, int | float) for number in row)


def _header(run: IteratedRun) -> dict[str, Any]:
    return {"game": run.match.tree.name, "team": list(run.match.team.side), **run.settings()}
