"""What the README promises: its commands are those of CI, its figures are right, its links lead somewhere."""

import re
from pathlib import Path

import pytest

from maxmin import solve

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def command_with(words: str) -> str:
    """Return the one-line command of the README that contains `words`."""
    blocks = re.findall(r"^```bash\n(.*)\n```$", README, re.MULTILINE)
    (command,) = [block for block in blocks if words in block]
    return str(command)


def test_first_command_installs_and_solves_a_team_game():
    assert command_with("solve") == (
        "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/maxmin solve 3L133 --team 1,2"
    )


def test_ci_runs_the_test_command_of_the_readme():
    assert command_with("pytest") in (ROOT / ".ci" / "run").read_text().splitlines()


def test_bounds_in_the_readme_hold_the_value():
    lower, upper = map(float, re.search(r"bounds +(\S+) to (\S+)", README).groups())
    solution = solve("3L133", team=(1, 2), gap=1e-4)
    assert lower <= solution.lower
    assert solution.upper <= upper


@pytest.mark.parametrize(
    "page",
    ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")],
    ids=lambda page: Path(page).name,
)
def test_links_lead_somewhere(page):
    path = ROOT / page
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text())
    assert [link for link in links if not (path.parent / link).exists()] == []
