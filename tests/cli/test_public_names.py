"""The package's public names, and what importing it costs."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import maxmin

SOURCE = ast.parse(Path(str(maxmin.__file__)).read_text())


def _declared() -> dict[str, str]:
    """Read the names that the package declares for type checkers, with the modules that they come from."""
    block = next(node for node in SOURCE.body if isinstance(node, ast.If))
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    return {alias.name: str(node.module) for node in imports for alias in node.names}


def test_declared_names_are_those_that_can_be_used():
    assert _declared() == maxmin._HOME
    assert set(maxmin._HOME) <= set(dir(maxmin))


@pytest.mark.parametrize("name", sorted(_declared()))
def test_every_name_is_its_home_modules(name):
    assert getattr(maxmin, name) is getattr(import_module(_declared()[name]), name)


def test_functions_stay_functions_after_their_modules_are_imported():
    code = (
        "import maxmin.solve, maxmin.verify, maxmin; print(callable(maxmin.solve), callable(maxmin.verify))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True True\n"


def test_unknown_names_are_unknown():
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        maxmin.nonsense  # noqa: B018


def test_importing_the_package_imports_nothing_heavy():
    code = (
        "import maxmin, sys; print([name for name in sys.modules if name.startswith(('maxmin.', 'numpy'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_solving_imports_no_solver_of_linear_programs_and_no_figures():
    code = (
        "import maxmin, sys; maxmin.solve('kuhn_poker'); "
        "print([name for name in ('highspy', 'scipy', 'rich', 'typer', 'matplotlib') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
