"""``maxmin games``: the catalogue."""

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer

from maxmin.cli.options import Json, Quiet, complete_family
from maxmin.cli.output import print_facts, print_json, print_table

if TYPE_CHECKING:
    from maxmin.games import Family
    from maxmin.games.parameters import Parameter, Value

EXAMPLES = """\b
Examples:
  maxmin games
  maxmin games leduc_poker
  maxmin games --json
"""


def games(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", autocompletion=complete_family, help="Only this family, in detail."),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """List the games that have a name.

    With NAME: what parameters that family takes, and how its games are written.
    """
    from maxmin.games import CATALOGUE

    if name is not None:
        family = _family(name)
        print_json(_facts(family)) if as_json else _print_family(family)
    elif as_json:
        print_json({"games": [_facts(family) for family in CATALOGUE.values()]})
    else:
        print_table(
            ("name", "example", "what it is"),
            [(family.name, family.examples[0], family.description) for family in CATALOGUE.values()],
        )
        print("maxmin games NAME lists parameters. A game may also be the path of a file: .efg, .nfg, .game.")


def _family(name: str) -> "Family":
    """Find a family by its name, or by the name of one of its games, such as 3L133."""
    from maxmin.games import CATALOGUE, make_game

    if name in CATALOGUE:
        return CATALOGUE[name]
    return CATALOGUE[make_game(name).name.partition("(")[0]]


def _facts(family: "Family") -> dict[str, Any]:
    return {
        "name": family.name,
        "description": family.description,
        "examples": list(family.examples),
        "parameters": [
            {
                "name": parameter.name,
                "default": _plain(parameter.default),
                "meaning": parameter.meaning,
                "accepts": parameter.accepts,
            }
            for parameter in family.parameters
        ],
    }


def _plain(value: "Value | None") -> int | bool | str | None:
    """Write a fraction as text, such as "-1/3", as all JSON here does."""
    return str(value) if isinstance(value, Fraction) else value


def _print_family(family: "Family") -> None:
    print_facts(family.name, [("what it is", family.description), ("written as", "\n".join(family.examples))])
    if family.parameters:
        print_table(
            ("parameter", "default", "accepts", "meaning"),
            [(one.name, _default(one), one.accepts, one.meaning) for one in family.parameters],
        )
    else:
        print("  It takes no parameters.")


def _default(parameter: "Parameter") -> str:
    return "-" if parameter.default is None else str(parameter.default).lower()
