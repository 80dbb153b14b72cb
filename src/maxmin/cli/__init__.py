"""The command line: ``maxmin games | info | solve | verify | show | play | study | ...``, one file per command.

Nothing here knows game theory: a command reads its arguments, calls the library and prints the answer.
Answers go to stdout, as a table or (``--json``) as one JSON object; progress and messages go to stderr.
Exit status: 0 done, 1 could not, 2 wrong usage, 130 interrupted.
"""

import os
import sys
import warnings
from io import TextIOWrapper


def main() -> None:
    """Run the command line; this is the program ``maxmin``."""
    try:
        from maxmin.cli.app import app
        from maxmin.cli.errors import print_warning

        warnings.showwarning = print_warning
        _open_missing_streams()
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")
        app(prog_name="maxmin")
    except KeyboardInterrupt:
        sys.exit(130)


def _open_missing_streams() -> None:
    """Give what is printed a place to vanish where the caller closed a stream; Python leaves None there."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 (lives on)
