"""``maxmin battleship``: search a hidden board; one file per command."""

import typer

from maxmin.cli.battleship import bound, evaluate, optimum, play, posterior, train
from maxmin.cli.errors import Commands

app = typer.Typer(
    cls=Commands,
    name="battleship",
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Search hidden boards: posteriors, strategies, their worth.",
)

app.command(epilog=posterior.EXAMPLES)(posterior.posterior)
app.command(epilog=evaluate.EXAMPLES)(evaluate.evaluate)
app.command(epilog=play.EXAMPLES)(play.play)
app.command(epilog=bound.EXAMPLES)(bound.bound)
app.command(epilog=optimum.EXAMPLES)(optimum.optimum)
app.add_typer(train.app)
