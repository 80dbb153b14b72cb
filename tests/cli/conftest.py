"""How these tests run the command line: as a user types it, or in process for the many bad inputs."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from maxmin.cli.app import app

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run ``maxmin`` as its own process, in an empty folder."""

    def run(*arguments: object, stdin: str = "") -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-m", "maxmin", *map(str, arguments)]
        return subprocess.run(
            command, input=stdin, capture_output=True, text=True, cwd=tmp_path, timeout=120, check=False
        )

    return run


@pytest.fixture
def answer() -> Callable[..., dict[str, Any]]:
    """Run a command with ``--json``; return its object, having checked that stdout holds nothing else."""

    def answer(*arguments: object) -> dict[str, Any]:
        result = invoke(*arguments, "--json")
        assert result.exit_code == 0, result.stderr
        assert result.stdout.count("\n") == 1
        parsed = json.loads(result.stdout)
        assert isinstance(parsed, dict)
        return parsed

    return answer


@pytest.fixture(name="invoke")
def invoke_fixture() -> Callable[..., Result]:
    """Run a command in process."""
    return invoke


def invoke(*arguments: object, stdin: str = "") -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments], input=stdin, prog_name="maxmin")


@pytest.fixture(scope="session")
def solved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A saved solution of 3K4 for the team {1,2}; the value is -1/24."""
    path = tmp_path_factory.mktemp("solved") / "3K4.npz"
    result = invoke("solve", "3K4", "--team", "1,2", "--gap", "1e-4", "--save", path)
    assert result.exit_code == 0, result.stderr
    return path
