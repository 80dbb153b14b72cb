"""Every ``$ maxmin ...`` line in the documentation runs, after the Python of its page, in a folder of its own.

(That the Python does what the page says is tested with the pages themselves.)
"""

import doctest
import re
import shlex
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from maxmin.cli.app import app

ROOT = Path(__file__).parents[2]
PAGES = [page for page in (ROOT / "docs").rglob("*.md") if "```console" in page.read_text()]


def commands(page: Path) -> list[str]:
    blocks = re.findall(r"^```console\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
    return re.findall(r"^\$ maxmin (.*)$", "\n".join(blocks), re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_of_the_page_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    doctest.testfile(str(page), module_relative=False, report=False)
    for command in commands(page):
        result = CliRunner().invoke(app, shlex.split(command, comments=True), input="q\n")
        assert result.exit_code == 0, f"maxmin {command}\n{result.output}"


def commands_of(group, prefix=""):
    """Yield (name, command) of all commands, those of a group as ``group command``."""
    for name, command in group.commands.items():
        yield prefix + name, command
        if hasattr(command, "commands"):
            yield from commands_of(command, f"{prefix}{name} ")


def test_every_command_and_option_is_in_the_reference():
    reference = (ROOT / "docs" / "reference" / "command-line.md").read_text()
    for name, command in commands_of(get_command(app)):
        _, heading, section = reference.partition(f"\n## {name}\n")
        assert heading, name
        options = {option for one in command.params for option in one.opts if option.startswith("--")}
        shown = set(re.findall(r"--[a-z][a-z-]*", section.partition("\n## ")[0]))
        assert options - {"--json", "--quiet", "--help"} <= shown, name
