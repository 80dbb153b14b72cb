"""Streams that are closed, full or endless: no traceback, no waiting for ever."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from maxmin.cli.progress import Progress
from maxmin.solve import Snapshot

COMMANDS = (["--help"], ["--version"], ["info", "--help"], ["games"], ["info", "3K4"])


def run(
    *arguments: object, closed: int | None = None, **streams: object
) -> "subprocess.CompletedProcess[str]":
    """Run ``maxmin`` with one of the three standard streams closed."""
    command = [sys.executable, "-m", "maxmin", *map(str, arguments)]
    close = None if closed is None else lambda: os.close(closed)
    return subprocess.run(
        command,
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams},
        text=True,
        timeout=120,
        check=False,
        preexec_fn=close,
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_a_full_stdout_is_one_line_and_status_1(arguments):
    with open("/dev/full", "w") as full:
        result = run(*arguments, stdout=full)
    assert (result.returncode, result.stderr) == (1, "error: No space left on device\n")


@pytest.mark.skipif(os.name != "posix", reason="closes file descriptors")
@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_a_closed_stdout_takes_nothing(arguments):
    result = run(*arguments, closed=1)
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.skipif(os.name != "posix", reason="closes file descriptors")
def test_a_closed_stderr_does_not_spoil_the_answer():
    result = run("solve", "kuhn_poker", "--json", closed=2)
    assert result.returncode == 0
    assert json.loads(result.stdout)["converged"]


@pytest.mark.skipif(not Path("/dev/urandom").exists(), reason="no endless device here")
def test_an_endless_device_is_no_solution(invoke):
    result = invoke("play", "/dev/urandom", "--seat", "1")
    assert result.exit_code == 1
    assert "cannot tell the format from the suffix" in result.stderr


def test_progress_of_a_linear_program_shows_no_infinities(capsys):
    progress = Progress("solving", quiet=False)
    progress._next_line = 0.0
    progress.report(Snapshot("solving", 0, 2.0, float("-inf"), float("inf"), float("inf")))
    assert capsys.readouterr().err == "iteration 0  seconds 2.0\n"
