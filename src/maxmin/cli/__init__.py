"""The command line: ``maxmin games | info | solve | verify | show | play``, one file per command.

Nothing here knows game theory: a command reads its arguments, calls the library and prints the answer.
Answers go to stdout, as a table or (``--json``) as one JSON object; progress and messages go to stderr.
Exit status: 0 done, 1 could not, 2 wrong usage, 130 interrupted.
"""

from typing import Annotated

import typer

import maxmin
from maxmin.cli import games, info, play, show, solve, verify
from maxmin.cli.errors import Commands

app = typer.Typer(
    cls=Commands,
    name="maxmin",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main() -> None:
    """Run the command line; this is the program ``maxmin``."""
    app(prog_name="maxmin")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"maxmin {maxmin.__version__}")
        raise typer.Exit


@app.callback()
def _maxmin(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """What a player, or a team, can guarantee in a game with hidden information, with proof."""


app.command(epilog=games.EXAMPLES)(games.games)
app.command(epilog=info.EXAMPLES)(info.info)
app.command(epilog=solve.EXAMPLES)(solve.solve)
app.command(epilog=verify.EXAMPLES)(verify.verify)
app.command(epilog=show.EXAMPLES)(show.show)
app.command(epilog=play.EXAMPLES)(play.play)
