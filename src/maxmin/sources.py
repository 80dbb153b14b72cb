"""Where games come from and go to: `load_tree` takes a name, a file, rules or a game of another package."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from maxmin.build import build_tree
from maxmin.errors import FileError, GameError
from maxmin.game import Game, check_game
from maxmin.games import make_game
from maxmin.tree import GameTree

Source: TypeAlias = str | os.PathLike[str] | Game | GameTree | Any
"""A name from the catalogue, a file, rules, a tree, or a game of OpenSpiel or pygambit."""

_TRIED = 1000
"""So many states of a person's rules are checked before a tree is built: most faults show in the first few."""

_SUFFIXES = (".efg", ".nfg", ".game", ".txt")

_NAME = re.compile(r"\s*\w+\s*\(.*\)\s*", re.DOTALL)
"""A name with parameters; one of them may be a fraction, whose slash makes no folder."""


def load_tree(source: Source) -> GameTree:
    """Return the tree of a game, wherever it comes from.

    Parameters
    ----------
    source
        A `GameTree` (returned as it is); rules (`Game`); a ``pyspiel.Game`` or ``pygambit.Game``; the path of
        an ``.efg``, ``.nfg`` or ``.game`` file; or the name of a game, such as ``"3K4"``. A string is a path
        if it has the suffix of a format or a folder in it, or names a file that exists.

    Raises
    ------
    GameError
        If this is not a game; a `FormatError` says where in the file.
    FileError
        If the file cannot be read, or its suffix is unknown.
    UnknownNameError
        If the catalogue has no such name.
    """
    if isinstance(source, GameTree):
        return source
    if isinstance(source, str | os.PathLike):
        if _is_path(source):
            return _read(source)
        return build_tree(make_game(str(source)))
    package = type(source).__module__.partition(".")[0]
    if package in ("pyspiel", "open_spiel"):
        from maxmin.formats.openspiel import from_openspiel

        return from_openspiel(source)
    if package == "pygambit":
        from maxmin.formats.gambit import from_gambit

        return from_gambit(source)
    if hasattr(source, "root"):  # rules, or nearly: the check says what they lack
        check_game(source, most_states=_TRIED)
        return build_tree(source)
    raise GameError(
        f"{type(source).__name__} is not a game: give a name, the path of a file, rules, a GameTree, "
        "or a game of OpenSpiel or pygambit"
    )


def save_tree(tree: GameTree, path: str | os.PathLike[str]) -> None:
    """Write a tree to a file, in the format of its suffix: ``.efg``, ``.nfg``, ``.game`` or ``.txt``.

    Raises
    ------
    FileError
        If the suffix is none of these, or the file cannot be written.
    SizeError
        If the normal form is too large for an ``.nfg`` file.
    """
    from maxmin.files import write_atomically

    data = _format(path).show(tree).encode()
    write_atomically(path, lambda file: file.write(data))


def _is_path(source: str | os.PathLike[str]) -> bool:
    if not isinstance(source, str):
        return True
    if _NAME.fullmatch(source):
        return os.path.isfile(source)
    folder, name = os.path.split(source)
    return bool(folder) or Path(name).suffix.lower() in _SUFFIXES or os.path.isfile(source)


def _read(path: str | os.PathLike[str]) -> GameTree:
    from maxmin.files import read_text

    form = _format(path)
    return form.parse(read_text(path, starts_with=form.start), file=os.fspath(path))


class _Format(NamedTuple):
    """How the text of a format begins, what reads it, what writes it."""

    start: str
    parse: Callable[..., GameTree]
    show: Callable[[GameTree], str]


def _format(path: str | os.PathLike[str]) -> _Format:
    """Return the format of a file by its suffix; each is imported when it is needed."""
    suffix = Path(path).suffix.lower()
    if suffix == ".efg":
        from maxmin.formats.efg import format_efg, parse_efg

        return _Format("EFG", parse_efg, format_efg)
    if suffix == ".nfg":
        from maxmin.formats.nfg import format_nfg, parse_nfg

        return _Format("NFG", parse_nfg, format_nfg)
    if suffix in _SUFFIXES:
        from maxmin.formats.game_text import format_game_text, parse_game_text

        return _Format("", parse_game_text, format_game_text)
    known = ", ".join(_SUFFIXES)
    raise FileError(f"{os.fspath(path)}: cannot tell the format from the suffix; known are {known}")
