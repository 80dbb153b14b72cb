"""What happens when a command cannot do its work: one line on stderr and an exit status."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer
from typer.core import TyperGroup

from maxmin.errors import Cancelled, MaxminError

COULD_NOT = 1
INTERRUPTED = 130
"""128 + SIGINT, as shells have it."""


class Commands(TyperGroup):
    """The group of all commands: a user's mistake becomes one line on stderr, never a traceback."""

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        """Read the command line, which may print the help or the version."""
        with errors_as_exit_status():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: Any) -> Any:
        """Run a command; turn the errors that it may raise into exit statuses."""
        with errors_as_exit_status():
            return super().invoke(ctx)

    def list_commands(self, ctx: Any) -> list[str]:
        """List the commands in the order in which people need them."""
        return list(self.commands)


@contextmanager
def errors_as_exit_status() -> Iterator[None]:
    """Print what went wrong, in one line, and exit with 1; with 130 if the user interrupted."""
    try:
        yield
        sys.stdout.flush()
    except (KeyboardInterrupt, Cancelled) as error:
        _say(str(error) or "interrupted")
        raise typer.Exit(INTERRUPTED) from None
    except BrokenPipeError:
        _drop_output()
        raise typer.Exit(COULD_NOT) from None
    except MemoryError as error:
        _say(f"error: out of memory; {str(error) or 'set a limit with --memory to be warned before'}")
        raise typer.Exit(COULD_NOT) from None
    except (MaxminError, OSError) as error:
        _say(f"error: {_one_line(error)}")
        _drop_output()
        raise typer.Exit(COULD_NOT) from None


def print_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    """Print a warning as one line on stderr; takes what `warnings.showwarning` does."""
    _say(f"warning: {' '.join(str(message).split())}")


def _one_line(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename is not None else ""
        return f"{where}{error.strerror}"
    return " ".join(str(error).split())


def _say(line: str) -> None:
    print(line, file=sys.stderr)


def _drop_output() -> None:
    """Drop what stdout cannot take (closed pipe, full disk); Python would try to write it again at exit."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
