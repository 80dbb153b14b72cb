"""Options that several commands share, and how their texts are read."""

import math
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maxmin.files import check_writable

if TYPE_CHECKING:
    from maxmin.decision import Observations

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout, nothing else there.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Only warnings and errors on stderr.")]

_BYTES = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_SIZE = re.compile(r"(\d+\.?\d*|\.\d+)\s*([kmgt]?)(i?)b?", re.IGNORECASE)


def complete_family(incomplete: str) -> list[str]:
    """Offer the names of the catalogue's families to the shell."""
    from maxmin.games import CATALOGUE

    return [name for name in CATALOGUE if name.startswith(incomplete)]


def complete_game(incomplete: str) -> list[str]:
    """Offer families and examples to the shell; it offers files itself where none of them fits."""
    from maxmin.games import CATALOGUE

    examples = [example for family in CATALOGUE.values() for example in family.examples]
    return complete_family(incomplete) + [name for name in examples if name.startswith(incomplete)]


def complete_method(incomplete: str) -> list[str]:
    """Offer the names of the methods to the shell."""
    from maxmin.solve import METHODS

    return [name for name in METHODS if name.startswith(incomplete)]


Game = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        autocompletion=complete_game,
        help="A name from the catalogue (maxmin games), with parameters if need be, or the path of a file.",
    ),
]

Saved = Annotated[Path, typer.Argument(metavar="FILE", help="A saved solution (.npz).")]


def parse_team(text: str) -> tuple[int, ...]:
    """Read ``1,2`` as the numbers of the team's players, in order.

    Raises
    ------
    typer.BadParameter
        If it is not a list of different whole numbers from 1 up.
    """
    words = [word.strip() for word in text.split(",")]
    if not all(word.isascii() and word.isdigit() and int(word) > 0 for word in words):
        raise _bad("--team", f"{text!r} is not a list of players' numbers; write it as 1 or 1,2")
    players = sorted(int(word) for word in words)
    if len(set(players)) < len(players):
        raise _bad("--team", f"{text!r} names a player twice")
    return tuple(players)


def parse_observations(text: str) -> "Observations":
    """Read ``connected`` or ``public``.

    Raises
    ------
    typer.BadParameter
        If it is neither.
    """
    from maxmin.decision import OBSERVATIONS

    for known in OBSERVATIONS:
        if text == known:
            return known
    raise _bad("--observations", f"{text!r} is neither connected nor public")


def parse_size(text: str) -> int:
    """Read ``100MB``, ``4GB``, ``1.5GiB`` or plain bytes, as bytes.

    Raises
    ------
    typer.BadParameter
        If it is not a positive size.
    """
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise _bad("--memory", f"{text!r} is not a size; write it as 100MB, 4GB or 2GiB")
    number, unit, binary = match.groups()
    base = _BYTES[unit.lower()]
    size = int(float(number) * (1024 ** round(math.log(base, 1000)) if binary else base))
    if size < 1:
        raise _bad("--memory", "the limit must be more than 0 bytes")
    return size


def check_gap(gap: float) -> float:
    """Refuse a gap that is negative or not a number."""
    if not 0 <= gap < math.inf:
        raise typer.BadParameter(f"{gap:g} is not a gap; write a number from 0 up, such as 1e-3")
    return gap


def check_seconds(seconds: float | None) -> float | None:
    """Refuse a time limit that is not positive."""
    if seconds is not None and not seconds > 0:
        raise typer.BadParameter(f"{seconds:g} is not a time limit; write seconds, more than 0")
    return seconds


def check_target(path: Path | None) -> None:
    """Refuse a file that cannot be written, before long work rather than after it.

    Raises
    ------
    FileError
        See `maxmin.files.check_writable`.
    """
    if path is not None:
        check_writable(path)


def _bad(option: str, message: str) -> typer.BadParameter:
    return typer.BadParameter(message, param_hint=f"'{option}'")
