"""The command line: ``maxmin games | info | solve | verify | show | play | study``, one file per command.

Nothing here knows game theory: a command reads its arguments, calls the library and prints the answer.
Answers go to stdout, as a table or (``--json``) as one JSON object; progress and messages go to stderr.
Exit status: 0 done, 1 could not, 2 wrong usage, 130 interrupted.
"""

import sys
import warnings
from io import TextIOWrapper


def main() -> None:
    """Run the command line; this is the program ``maxmin``."""
    try:
        from maxmin.cli.app import app
        from maxmin.cli.errors import print_warning

        warnings.showwarning = print_warning
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")
        app(prog_name="maxmin")
    except KeyboardInterrupt:
        sys.exit(130)
