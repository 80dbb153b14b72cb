"""What becomes of errors, and progress on a terminal."""

import json
import os
import subprocess
import sys

import pytest
import typer

from maxmin.cli.errors import errors_as_exit_status
from maxmin.errors import Cancelled, GameError


@pytest.mark.parametrize(
    ("error", "status", "line"),
    [
        (GameError("rules:\n  are wrong"), 1, "error: rules: are wrong"),
        (
            FileNotFoundError(2, "No such file or directory", "x.efg"),
            1,
            "error: x.efg: No such file or directory",
        ),
        (OSError(28, "No space left on device"), 1, "error: No space left on device"),
        (MemoryError(), 1, "error: out of memory; set a limit with --memory to be warned before"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (Cancelled("interrupted while building"), 130, "interrupted while building"),
    ],
)
def test_an_error_is_one_line_and_a_status(capsys, error, status, line):
    with pytest.raises(typer.Exit) as ended, errors_as_exit_status():
        raise error
    assert ended.value.exit_code == status
    assert capsys.readouterr().err == f"{line}\n"


def test_bugs_are_not_hidden():
    with pytest.raises(ZeroDivisionError), errors_as_exit_status():
        raise ZeroDivisionError


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="no terminals here")
def test_progress_on_a_terminal_leaves_stdout_pure():
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    result = subprocess.run(
        [sys.executable, "-m", "maxmin", "solve", "3K4", "--team", "1,2", "--json"],
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
        check=True,
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(theirs)
    shown = os.read(ours, 1 << 16).decode()
    os.close(ours)
    assert json.loads(result.stdout)["team"] == [1, 2]
    assert "solving 3K4 for the team {1,2}" in shown
