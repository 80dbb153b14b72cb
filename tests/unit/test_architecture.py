"""The table of modules in the documentation is true: all are there, and none imports one further down."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "maxmin"


def stages() -> list[set[str]]:
    """Return the modules of each row of the table, first row first."""
    rows = re.findall(
        r"^\| [\w, ]+ \| (`.*?`) \|", (ROOT / "docs" / "architecture.md").read_text(), re.MULTILINE
    )
    return [set(re.findall(r"`(\w+)`", row)) for row in rows]


def imports(module: str) -> set[str]:
    """Return the modules of the package that a module or folder imports, anywhere in it."""
    files = (
        [SOURCE / f"{module}.py"] if (SOURCE / f"{module}.py").exists() else (SOURCE / module).rglob("*.py")
    )
    names: list[str] = []
    for node in (node for file in files for node in ast.walk(ast.parse(file.read_text()))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return {name.split(".")[1] for name in names if name.startswith("maxmin.")} - {module, "__version__"}


def test_every_module_is_in_the_table():
    modules = {path.stem for path in SOURCE.glob("*.py")} | {
        path.parent.name for path in SOURCE.glob("*/*.py")
    }
    assert set.union(*stages()) == modules - {"__init__", "__main__"}


def test_no_module_imports_one_further_down():
    allowed = {"_core"}
    for stage in stages():
        allowed |= stage
        assert {module: imports(module) - allowed for module in stage} == {module: set() for module in stage}


def test_checker_uses_neither_solvers_nor_the_core():
    reached, waiting = set(), {"verify"}
    while waiting:
        module = waiting.pop()
        reached.add(module)
        waiting |= (imports(module) - reached) & set.union(*stages(), {"_core"})
        waiting -= {
            "battleship"
        }  # the rules of one game list its boards with the core: they are what is checked
    assert not reached & {"solve", "decision", "strategy", "_core"}
