"""The Typer application: which commands there are, and `maxmin --version`."""

from typing import Annotated

import typer

import maxmin
from maxmin.cli import (
    battleship,
    games,
    guts,
    info,
    parametric,
    play,
    price,
    recursive,
    show,
    solve,
    study,
    sweep,
    verify,
)
from maxmin.cli.errors import Commands

app = typer.Typer(
    cls=Commands,
    name="maxmin",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


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
app.command(epilog=price.EXAMPLES)(price.price)
app.command(epilog=study.EXAMPLES)(study.study)
app.command(epilog=parametric.EXAMPLES)(parametric.parametric)
app.command(epilog=sweep.EXAMPLES)(sweep.sweep)
app.command(epilog=recursive.EXAMPLES)(recursive.recursive)
app.command(epilog=guts.EXAMPLES)(guts.guts)
app.add_typer(battleship.app)
