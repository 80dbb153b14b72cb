"""``maxmin parametric``: the value as a function of parameters, in patches with exact regions and formulas."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import typer

from maxmin.cli.options import Game, Json, Quiet, check_seconds, parse_team
from maxmin.cli.output import duration, print_facts, print_json, print_table
from maxmin.cli.progress import Progress
from maxmin.cli.sizes import braces
from maxmin.rational import parse_number

if TYPE_CHECKING:
    from maxmin.exact.parametric import ParametricSolution
    from maxmin.exact.patch import Patch

EXAMPLES = """\b
Examples:
  maxmin parametric kuhn_cheating --over p
  maxmin parametric kuhn_cheating --over p,q
  maxmin parametric "kuhn_cheating(p=1,q=1)" --over r,s --box r=0:1/2 --json
"""


def parametric(
    game: Game,
    over: Annotated[str, typer.Option(metavar="p,q", help="The parameters; the game is named without them.")],
    box: Annotated[
        list[str] | None,
        typer.Option(
            metavar="p=LOW:HIGH", help="From where to where one goes (default 0:1); may be repeated."
        ),
    ] = None,
    team: Annotated[
        str, typer.Option(metavar="1,2", help="The team's players; everybody else plays against it.")
    ] = "1",
    seconds: Annotated[
        float | None,
        typer.Option(callback=check_seconds, help="Stop after this; the rest of the box stays undecided."),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find the value as an exact function of parameters.

    Prints regions of the parameters, with a formula for each. Regions, formulas and strategies are proved, and
    whether they cover all parameters is said; that the game's numbers are the polynomials that they seem to be
    is checked at random points.
    """
    from maxmin.exact.parametric import solve_parametric

    names = [name.strip() for name in over.split(",")]
    if not all(names):
        raise typer.BadParameter(
            f"{over!r} is not a list of parameters; write p or p,q", param_hint="'--over'"
        )
    intervals = dict(_parse_interval(text) for text in box or ())
    with Progress(f"looking for the patches of {game} over {over}", quiet=quiet):
        solution = solve_parametric(game, over=names, box=intervals, team=parse_team(team), seconds=seconds)
    if as_json:
        print_json(solution.to_json())
    else:
        _print(solution)


def _parse_interval(text: str) -> tuple[str, tuple[Fraction, Fraction]]:
    name, _, ends = text.partition("=")
    low, colon, high = ends.partition(":")
    try:
        if not (name.strip() and colon):
            raise ValueError("it is not of the form p=LOW:HIGH")
        return name.strip(), (parse_number(low.strip()), parse_number(high.strip()))
    except ValueError as error:
        raise typer.BadParameter(f"{text!r}: {error}; write p=0:1/2", param_hint="'--box'") from None


def _print(solution: "ParametricSolution") -> None:
    over = " and ".join(solution.parameters)
    facts = [
        ("patches", f"{len(solution.patches)}, with {len(solution.formulas)} different formulas"),
        ("proved", _proved(solution)),
        ("checked", f"against the game itself at {solution.checked} points, exactly"),
        ("time", duration(solution.seconds)),
    ]
    if len(solution.parameters) == 1:
        facts.insert(1, ("breakpoints", ", ".join(map(_number, solution.breakpoints)) or "none"))
    print_facts(f"{solution.game.name}: the value for {braces(solution.team)} over {over}", facts)
    print_table(
        ("region", "value"),
        [(_region(solution.parameters, patch), str(patch.value)) for patch in solution.patches],
    )


def _proved(solution: "ParametricSolution") -> str:
    if solution.proved:
        return "yes: every patch, and that they cover the whole box"
    share = float(solution.covered)
    cells = len(solution.undecided)
    return (
        f"every patch; that they cover the box is proved for {100 * share:.3g}% of it, "
        f"the value is only sampled in {cells} {'cell' if cells == 1 else 'cells'}"
    )


def _number(value: Fraction | float) -> str:
    return str(value) if isinstance(value, Fraction) else f"about {value:.9g}"


def _region(parameters: Sequence[str], patch: "Patch") -> str:
    sides = [f"{low} <= {name} <= {high}" for name, (low, high) in zip(parameters, patch.box, strict=True)]
    return ", ".join([*sides, *(f"{each.name} >= 0" for each in patch.conditions)])
