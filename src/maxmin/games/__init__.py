"""The catalogue of games: `CATALOGUE`, and `make_game`, which makes one from its name.

A name is ``family(parameter=value,...)``, as in OpenSpiel, or one of the papers' short names:
``3K4`` (Kuhn: players, ranks), ``3L133`` (Leduc: players, bets, ranks, suits), ``3D2`` (liar's dice: players,
sides).
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from maxmin.errors import GameError, UnknownNameError
from maxmin.games.parameters import Parameter, Value
from maxmin.names import nearest

if TYPE_CHECKING:
    from maxmin.game import Game


@dataclass(frozen=True, slots=True)
class Family:
    """A family of games: rules with parameters.

    Attributes
    ----------
    name : str
        The name that specs begin with.
    class_name : str
        The class that holds the rules, as ``module.Class`` below ``maxmin.games``; imported when needed.
    description : str
        One line.
    examples : tuple of str
        Specs that `make_game` understands, short names first.
    """

    name: str
    class_name: str
    description: str
    examples: tuple[str, ...]

    @property
    def rules(self) -> Any:
        """The class that holds the rules."""
        module, _, name = self.class_name.rpartition(".")
        return getattr(import_module(f"maxmin.games.{module}"), name)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What parameters the family takes."""
        parameters: tuple[Parameter, ...] = self.rules.parameters
        return parameters


_FAMILIES = (
    Family(
        "kuhn_poker",
        "kuhn_poker.KuhnPoker",
        "Kuhn poker: one card each, one bet",
        ("3K4", "kuhn_poker(players=3,ranks=4)"),
    ),
    Family(
        "leduc_poker",
        "leduc_poker.LeducPoker",
        "Leduc poker: one card each, one board card, two rounds of betting",
        ("3L133", "leduc_poker(players=3,bets=1,ranks=3,suits=3)", "leduc_poker(suited=true)"),
    ),
    Family(
        "liars_dice",
        "liars_dice.LiarsDice",
        "Liar's dice: one hidden die each; raise the bid or call the bluff",
        ("3D2", "liars_dice(players=3,sides=2)", "liars_dice(sides=5,order=count,wild=true)"),
    ),
    Family(
        "goofspiel",
        "goofspiel.Goofspiel",
        "Goofspiel: everybody bids a card at once for each prize",
        ("goofspiel(cards=4,ties=split)", "goofspiel(players=3,cards=3,prizes=descending)"),
    ),
    Family(
        "kuhn_cheating",
        "kuhn_cheating.KuhnCheating",
        "Kuhn poker in which players may see both cards, and may be caught at it",
        ("kuhn_cheating(p=1/2,q=1/2)", "kuhn_cheating(p=0.9,q=0.9,r=1/4,s=1/4,know=after)"),
    ),
    Family(
        "peeking",
        "peeking.Peeking",
        "Any game of the catalogue that deals hands first, with players who see them all, and may be caught",
        ("peeking(game=2L132,p=1/2)", "peeking(game=kuhn_poker(players=3,ranks=4),p=choice)"),
    ),
    Family(
        "guts",
        "guts.Guts",
        "One round of guts: hold or drop, unseen; the best hand that is held takes the pot, the others match it",
        ("guts(players=3,hands=4)", "guts(players=2,hands=10,value=-1/100)"),
    ),
    Family(
        "battleship",
        "hide_and_seek.Battleship",
        "Battleship: one hides patterns on a board, the other wants to uncover them in few shots",
        ("battleship", "battleship(rows=3,columns=3,patterns=L)"),
    ),
    Family(
        "satisfiability",
        "formula.Satisfiability",
        "A team makes clauses true, one literal at a time and without talking: as hard as the formula",
        (
            "satisfiability(formula=1 2 / -1 2 / 1 -2)",
            "satisfiability(variables=6,clauses=20,literals=3,planted=true)",
        ),
    ),
    Family(
        "quantified_satisfiability",
        "formula.QuantifiedSatisfiability",
        "For all x there are y: a team holds x, another y; members on their own are worth what the formula says",
        ("quantified_satisfiability(formula=1 3 / -1 -3 / 2 -3,universal=1)",),
    ),
    Family(
        "matching_pennies",
        "textbook.MatchingPennies",
        "Two hidden pennies; player 1 wants them to match",
        ("matching_pennies",),
    ),
    Family(
        "rock_paper_scissors",
        "textbook.RockPaperScissors",
        "Rock, paper, scissors",
        ("rock_paper_scissors",),
    ),
    Family(
        "hide_and_seek",
        "textbook.HideAndSeek",
        "Two must hide together without talking; a third seeks them: a team gains by a common draw",
        ("hide_and_seek",),
    ),
    Family(
        "one_time_pad",
        "textbook.OneTimePad",
        "A team must pass a coin toss through a word that the enemy hears",
        ("one_time_pad",),
    ),
    Family(
        "couriers",
        "couriers.Couriers",
        "A team names an unseen bag in a ring of rooms: few public observations, but huge public states",
        ("couriers(towns=3)", "couriers(towns=3,gate=unseen)"),
    ),
    Family(
        "private_signal",
        "textbook.PrivateSignal",
        "A member sees a coin and stakes, another must guess: what one knows must not leak to the other",
        ("private_signal",),
    ),
    Family(
        "forgetful_player",
        "textbook.ForgetfulPlayer",
        "Kuhn's game of a player who forgets: imperfect recall",
        ("forgetful_player",),
    ),
    Family(
        "absent_minded_driver",
        "textbook.AbsentMindedDriver",
        "The same infoset twice on a path: a game without a sequence form",
        ("absent_minded_driver",),
    ),
)

CATALOGUE: Mapping[str, Family] = MappingProxyType({family.name: family for family in _FAMILIES})
"""All families by name, in the order in which they are listed to people."""

_SPEC = re.compile(r"\s*(\w+)\s*(?:\((.*)\))?\s*", re.DOTALL)
_COMMA = re.compile(r",(?![^()]*\))")  # not those of a name within the name
_SHORT = (
    (re.compile(r"([0-9]+)K([0-9]+)"), "kuhn_poker", ("players", "ranks")),
    (re.compile(r"([0-9])L([0-9])([0-9])([0-9])"), "leduc_poker", ("players", "bets", "ranks", "suits")),
    (re.compile(r"([0-9]+)D([0-9]+)"), "liars_dice", ("players", "sides")),
)


def make_game(spec: str) -> "Game":
    """Make a game from its name.

    Parameters
    ----------
    spec
        ``kuhn_poker(players=3,ranks=4)``, spaces allowed, parameters left out at their defaults; or ``3K4``.

    Returns
    -------
    Game
        Its `name` is the full name, from which `make_game` makes the same game again.

    Raises
    ------
    UnknownNameError
        If there is no such family or parameter; the message lists the nearest ones.
    GameError
        If the name cannot be read or a value is out of range; the message says what is accepted.
    SizeError
        If the game has too many leaves to be laid out as a tree.
    """
    family, stated = _parse_short(spec.strip()) or _parse(spec)
    values: dict[str, Value] = {}
    parameters = {parameter.name: parameter for parameter in family.parameters}
    for name, text in stated:
        if name not in parameters:
            raise UnknownNameError(
                f"{family.name} has no parameter {name!r}; {_suggest(name, parameters, 'it takes')}"
            )
        if name in values:
            raise GameError(f"{family.name}: {name} is stated twice")
        values[name] = parameters[name].parse(text)
    game: Game = family.rules(**values)
    return game


def _find_family(name: str) -> Family:
    if name in CATALOGUE:
        return CATALOGUE[name]
    examples = [example for family in _FAMILIES for example in family.examples]
    known = [*CATALOGUE, *(example for example in examples if "(" not in example)]
    raise UnknownNameError(f"there is no game {name!r}; {_suggest(name, known, 'there are')}")


def _parse_short(spec: str) -> tuple[Family, list[tuple[str, str]]] | None:
    for pattern, name, parameters in _SHORT:
        match = pattern.fullmatch(spec)
        if match:
            return CATALOGUE[name], list(zip(parameters, match.groups(), strict=True))
    return None


def _parse(spec: str) -> tuple[Family, list[tuple[str, str]]]:
    match = _SPEC.fullmatch(spec)
    if not match:
        raise GameError(f"cannot read {spec!r}: write a game as name(parameter=value,...)")
    family = _find_family(match[1])
    stated = []
    for part in _COMMA.split(match[2] or ""):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if name and equals and value:
            stated.append((name, value))
        elif part.strip() or "," in (match[2] or ""):
            raise GameError(f"cannot read {part.strip()!r} in {spec.strip()!r}: write parameter=value")
    return family, stated


def _suggest(name: str, known: Iterable[str], otherwise: str) -> str:
    """Name the nearest known names, or all of them if none is near."""
    known = list(dict.fromkeys(known))
    near = nearest(name, known, cutoff=0.5)
    if near:
        return f"did you mean {' or '.join(near)}?"
    return f"{otherwise} {', '.join(known) or 'none'}"
