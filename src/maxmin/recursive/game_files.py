"""Recursive games that people write: JSON files.

A game of one state::

    {"payoffs": [[0, "1/2"], ["1/2", 0]], "multipliers": [[0.5, 0], [0, 0.5]], "t1": 1, "t2": 2}

A game of several names them, and says of each towards which state the stakes are multiplied by how much::

    {"states": [{"name": "a", "payoffs": [[1]], "multipliers": {"a": [["1/3"]], "b": [["1/3"]]}},
                {"name": "b", "payoffs": [[0]], "multipliers": {"a": [[1]]}, "rows": ["wait"]}],
     "t1": 1}

"multipliers" is one matrix towards the only state, or an object with a matrix for each next state; states that it
leaves out never follow. "rows" and "columns" name the plans; without them they are numbers from 0. "t1" and "t2"
are what the players pay to leave, and may be left out as in `RecursiveGame`. Numbers are JSON numbers or text such
as "1/3". Nothing else may be in the file.
"""

import json
import os
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from maxmin.errors import FormatError, GameError
from maxmin.files import AnyPath, parse_json, read_text
from maxmin.matrix.oracle import Floats
from maxmin.matrix.payoffs import check_size
from maxmin.names import nearest
from maxmin.rational import parse_number
from maxmin.recursive.game import MatrixState, RecursiveGame

_GAME_FIELDS = ("states", "t1", "t2")
_STATE_FIELDS = ("name", "payoffs", "multipliers", "rows", "columns")


def read_recursive(path: AnyPath) -> RecursiveGame:
    """Read a game from a JSON file.

    Raises
    ------
    FileError
        If there is no such file, or it cannot be read.
    FormatError
        If it is not JSON, or not a game as at the head of this file; the message names the field.
    SizeError
        If it has too many states, or a matrix is too large, for the machine's memory.
    """
    text = read_text(path)
    file = os.fspath(path)
    try:
        return _game(parse_json(text, number=_Numeral, error=GameError))
    except json.JSONDecodeError as error:
        raise FormatError(f"{file}:{error.lineno}:{error.colno}: not JSON: {error.msg}") from None
    except RecursionError:
        raise FormatError(f"{file}:1:1: not a recursive game: nested too deeply") from None
    except GameError as error:
        raise FormatError(f"{file}: {error}") from None


class _Numeral(str):
    """A number, or NaN or Infinity, as it stands in the file: read where it is known which field it is in."""


def _game(file: Any) -> RecursiveGame:
    if not isinstance(file, dict):
        raise GameError("the file must hold an object with payoffs and multipliers, or with states")
    one = "states" not in file
    _check_fields(file, (*_STATE_FIELDS, "t1", "t2") if one else _GAME_FIELDS, "")
    states = [file] if one else file["states"]
    if not isinstance(states, list) or not states:
        raise GameError(
            'states must be a list of objects like {"name": "a", "payoffs": [[1]], "multipliers": {}}'
        )
    places = [""] if one else [f"states[{number}]." for number in range(len(states))]
    names = [_state_name(state, place, one=one) for state, place in zip(states, places, strict=True)]
    for name, count in Counter(names).items():
        if count > 1:
            raise GameError(f"states: the name {name!r} is given to {count} states")
    check_size((len(names), len(names)))  # each state has a matrix towards each
    found = [_state(state, place, names) for state, place in zip(states, places, strict=True)]
    return RecursiveGame(found, names=names, t1=_fee(file, "t1"), t2=_fee(file, "t2"))


def _state_name(state: Any, place: str, *, one: bool) -> str:
    if not isinstance(state, dict):
        raise GameError(f"{place[:-1]} must be an object with name, payoffs and multipliers")
    if not one:
        _check_fields(state, _STATE_FIELDS, place)
    if "name" not in state and not one:
        raise GameError(f"{place}name is missing")
    name = state.get("name", "1")
    if not isinstance(name, str) or not _is_text(name) or not name:
        raise GameError(f"{place}name must be text, not {_shown(name)}")
    return name


def _state(state: dict[str, Any], place: str, names: Sequence[str]) -> MatrixState:
    for field in ("payoffs", "multipliers"):
        if field not in state:
            raise GameError(f"{place}{field} is missing")
    payoffs = _matrix(state["payoffs"], f"{place}payoffs")
    multipliers = _multipliers(state["multipliers"], f"{place}multipliers", names, payoffs.shape)
    rows = _plans(state, "rows", place, payoffs.shape[0])
    columns = _plans(state, "columns", place, payoffs.shape[1])
    return MatrixState(payoffs, multipliers, rows=rows, columns=columns)


def _multipliers(given: Any, place: str, names: Sequence[str], shape: tuple[int, ...]) -> Floats:
    """Return B, (n_states, n_rows, n_columns)."""
    if isinstance(given, list):
        if len(names) > 1:
            raise GameError(
                f'{place} must be an object with a matrix for each next state, like {{"{names[0]}": [[1]]}}'
            )
        given = {names[0]: given}
    if not isinstance(given, dict):
        raise GameError(f"{place} must be a matrix, or an object with a matrix for each next state")
    multipliers = np.zeros((len(names), *shape))
    for name, entries in given.items():
        if name not in names:
            near = nearest(name, names, most=1)
            hint = f"did you mean {near[0]!r}?" if near else f"the states are {', '.join(map(repr, names))}"
            raise GameError(f"{place}: there is no state {name!r}; {hint}")
        where = f"{place}[{name!r}]" if len(names) > 1 else place
        matrix = _matrix(entries, where)
        if matrix.shape != shape:
            raise GameError(
                f"{where} is {_size(matrix.shape)}, payoffs are {_size(shape)}; both need the same shape"
            )
        if matrix.min() < 0:
            row, column = np.argwhere(matrix < 0)[0].tolist()
            raise GameError(f"{where}[{row}][{column}] must be at least 0, not {matrix[row, column]:g}")
        multipliers[names.index(name)] = matrix
    return multipliers


def _matrix(entries: Any, place: str) -> Floats:
    if not (isinstance(entries, list) and entries and all(isinstance(row, list) and row for row in entries)):
        raise GameError(
            f"{place} must be a matrix: a list of rows, which are lists of numbers, like [[0, 1], [1, 0]]"
        )
    width = len(entries[0])
    for number, row in enumerate(entries):
        if len(row) != width:
            raise GameError(
                f"{place}[{number}] has {len(row)} numbers, {place}[0] has {width}; all rows need as many"
            )
    return np.array(
        [[_number(x, f"{place}[{i}][{j}]") for j, x in enumerate(row)] for i, row in enumerate(entries)],
        dtype=np.float64,
    )


def _number(given: Any, place: str) -> float:
    if isinstance(given, str):
        try:
            return float(parse_number(given))
        except ValueError as error:
            raise GameError(f"{place}: {error}") from None
    raise GameError(f'{place} must be a number, or text like "1/3", not {_shown(given)}')


def _fee(file: dict[str, Any], field: str) -> float | None:
    return None if file.get(field) is None else _number(file[field], field)


def _plans(state: dict[str, Any], field: str, place: str, n_plans: int) -> list[str] | None:
    names = state.get(field)
    if names is None:
        return None
    if not (isinstance(names, list) and all(map(_is_text, names))):
        raise GameError(f"{place}{field} must be a list of names")
    if len(names) != n_plans or len(set(names)) < n_plans:
        raise GameError(f"{place}{field}: {n_plans} are needed, all different, not {names}")
    return names


def _check_fields(given: dict[str, Any], known: Sequence[str], place: str) -> None:
    for field in given:
        if field not in known:
            near = nearest(field, known, most=1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
            raise GameError(f"{place}{field}: there is no such field; {hint}")


def _is_text(given: Any) -> bool:
    return isinstance(given, str) and not isinstance(given, _Numeral)


def _shown(given: Any) -> str:
    text = given if isinstance(given, _Numeral) else json.dumps(given)
    return text if len(text) <= 40 else f"{text[:37]}..."


def _size(shape: Sequence[int]) -> str:
    return f"{shape[0]} x {shape[1]}"
