"""Strategies that people write: JSON files with infosets and actions by name.

Of one player, what it does in each infoset::

    {"player": 1, "behavior": {"3 cb": {"fold": 0, "call": 1}, "2 cb": {"fold": "2/3", "call": "1/3"}}}

Of a team, joint pure plans with their probabilities; infosets are ``player:infoset``::

    {"team": [1, 2], "plans": [{"weight": "1/2", "plan": {"1:3": "bet", "2:1 b": "fold"}}, ...]}

A team may also have a "behavior" (each member randomizes alone), a player may have "plans". Numbers are JSON
numbers or strings like "1/3"; both are taken exactly. Actions that are left out have probability 0. Infosets
may be left out where the strategy itself never gets; nothing is filled in. An infoset or action whose name is
empty, not unique or has a # in it is called ``name#number``, with the number that `GameTree` gives it.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmin.errors import FormatError, StrategyError
from maxmin.files import AnyPath, parse_json, read_text, write_atomically
from maxmin.names import nearest
from maxmin.plans import ROUNDING, UNREACHED, Behavior, PlanMixture
from maxmin.rational import parse_number
from maxmin.sequences import infosets_of
from maxmin.tree import GameTree, Ints


def read_strategy(path: AnyPath, tree: GameTree) -> Behavior | PlanMixture:
    """Read a strategy file for a game, and check that it is a strategy there.

    Raises
    ------
    FileError, FormatError
        If there is no such file, or it is not JSON.
    StrategyError
        If it does not fit the game, with the nearest names; or is not a distribution; or says nothing about
        an infoset that it reaches.
    """
    text = read_text(path)
    try:
        strategy = _read(parse_json(text, number=_exact, error=StrategyError), tree)
    except json.JSONDecodeError as error:
        raise FormatError(f"{path}:{error.lineno}:{error.colno}: not JSON: {error.msg}") from None
    except RecursionError:
        raise FormatError(f"{path}:1:1: not a strategy: nested too deeply") from None
    except StrategyError as error:
        raise StrategyError(f"{path}: {error}") from None
    return strategy


def write_strategy(
    path: AnyPath, tree: GameTree, strategy: Behavior | PlanMixture, *, team: Sequence[int] | None = None
) -> None:
    """Write a strategy so that `read_strategy` gives the same one back, to the last bit.

    Parameters
    ----------
    path, tree, strategy
        Where, for which game, and what.
    team
        Who plays it. Default: the owners of the strategy's infosets.

    Raises
    ------
    FileError
        If the file cannot be written.
    StrategyError
        If the strategy does not fit the game.
    """
    text = json.dumps(strategy_to_json(tree, strategy, team=team), indent=1) + "\n"
    write_atomically(path, lambda target: target.write(text.encode()))


def strategy_to_json(
    tree: GameTree, strategy: Behavior | PlanMixture, *, team: Sequence[int] | None = None
) -> dict[str, Any]:
    """Return the object that `write_strategy` writes.

    Raises
    ------
    StrategyError
        If the strategy does not fit the game.
    """
    players = sorted(set(tree.infoset_player[strategy.infosets].tolist() if team is None else team))
    strategy.leaf_reach(tree, players=players)
    names = {
        number: name for name, number in _infoset_names(tree, players, with_player=len(players) > 1).items()
    }
    file: dict[str, Any] = {"player": players[0]} if len(players) == 1 else {"team": players}
    if isinstance(strategy, Behavior):
        file["behavior"] = {
            names[infoset]: _odds(tree, infoset, row)
            for infoset, row in zip(strategy.infosets.tolist(), strategy.probabilities, strict=True)
        }
    else:
        file["plans"] = [
            {"weight": _shown(weight), "plan": _moves(tree, names, strategy.infosets.tolist(), plan)}
            for weight, plan in zip(strategy.weights.tolist(), strategy.plans.tolist(), strict=True)
        ]
    return file


def strategy_from_json(file: Any, tree: GameTree) -> Behavior | PlanMixture:
    """Read back what `strategy_to_json` returned, wherever it was kept meanwhile.

    Raises
    ------
    StrategyError
        As `read_strategy` does.
    """
    return _read(parse_json(json.dumps(file), number=_exact, error=StrategyError), tree)


def _exact(number: object) -> Fraction:
    if isinstance(number, Fraction):
        return number
    try:
        return parse_number(number)  # type: ignore[arg-type]
    except (ValueError, TypeError):
        raise StrategyError(f'{number!r} is not a number like 0.25 or "1/4"') from None


def _read(file: Any, tree: GameTree) -> Behavior | PlanMixture:
    keys = _object(file, "the file").keys()
    for key in keys:
        _find(key, dict.fromkeys(("player", "team", "behavior", "plans"), 0), "key")
    if len(keys & {"player", "team"}) != 1 or len(keys & {"behavior", "plans"}) != 1:
        raise StrategyError("expected either player or team, and either behavior or plans")
    players = _players(file["team"] if "team" in file else [file["player"]], tree)
    names = _infoset_names(tree, players, with_player="team" in file)
    strategy: Behavior | PlanMixture
    if "behavior" in file:
        strategy = _read_behavior(_object(file["behavior"], "behavior"), tree, names)
    else:
        strategy = _read_plans(file["plans"], tree, infosets_of(tree, players), names)
    strategy.leaf_reach(tree, players=players)
    return strategy


def _players(players: Any, tree: GameTree) -> list[int]:
    if not isinstance(players, list) or not players:
        raise StrategyError("team must be a list of players")
    for player in players:
        if not isinstance(player, Fraction) or player not in range(1, tree.n_players + 1):
            raise StrategyError(f"player {player} does not exist; {tree.name} has 1 to {tree.n_players}")
    if len(set(players)) < len(players):
        raise StrategyError("team names a player twice")
    return sorted(map(int, players))


def _read_behavior(behavior: Mapping[str, Any], tree: GameTree, names: Mapping[str, int]) -> Behavior:
    infosets = [_find(name, names, "infoset") for name in behavior]
    most = int(tree.infoset_n_actions.max(initial=1))
    table = np.full((len(infosets), most), Fraction(0), dtype=object)
    for row, infoset, (name, odds) in zip(table, infosets, behavior.items(), strict=True):
        actions = _action_names(tree, infoset)
        for action, probability in _object(odds, f"infoset {name!r}").items():
            row[_find(action, actions, f"action in infoset {name!r}")] = _exact(probability)
        if abs(sum(row) - 1) > ROUNDING:
            raise StrategyError(f"infoset {name!r}: probabilities sum to {float(sum(row)):.9g}, not 1")
    return Behavior(np.array(infosets, dtype=np.int32), table)


def _read_plans(plans: Any, tree: GameTree, infosets: Ints, names: Mapping[str, int]) -> PlanMixture:
    if not isinstance(plans, list):
        raise StrategyError('plans must be a list of objects like {"weight": "1/2", "plan": {...}}')
    table = np.full((len(plans), len(infosets)), UNREACHED, dtype=np.int16)
    weights = np.empty(len(plans), dtype=object)
    for number, entry in enumerate(plans):
        where = f"plan {number} (counting from 0)"
        if _object(entry, where).keys() != {"weight", "plan"}:
            raise StrategyError(f"{where}: expected weight and plan")
        weights[number] = _exact(entry["weight"])
        for name, action in _object(entry["plan"], where).items():
            infoset = _find(name, names, "infoset")
            column = np.searchsorted(infosets, infoset)
            table[number, column] = _find(action, _action_names(tree, infoset), f"action in infoset {name!r}")
    return PlanMixture(infosets, table, weights)


def _object(value: Any, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise StrategyError(f"{what}: expected an object, {{...}}")
    return value


def _find(name: Any, known: Mapping[str, int], what: str) -> int:
    """Look up a name; if it is unknown, say which are nearest."""
    if isinstance(name, str) and name in known:
        return known[name]
    near = nearest(str(name), known, cutoff=0.3) or list(known)[:3]
    raise StrategyError(f"there is no {what} {str(name)!r}; nearest: {', '.join(map(repr, near)) or 'none'}")


def _infoset_names(tree: GameTree, players: Sequence[int], *, with_player: bool) -> dict[str, int]:
    """Return the infosets of some players by the names that they have in files."""
    names = {}
    for player in players:
        infosets = infosets_of(tree, [player]).tolist()
        prefix = f"{player}:" if with_player else ""
        labels = _distinct([tree.infoset_labels[infoset] for infoset in infosets], infosets)
        names.update({prefix + label: infoset for label, infoset in zip(labels, infosets, strict=True)})
    return names


def _action_names(tree: GameTree, infoset: int) -> dict[str, int]:
    actions = tree.infoset_actions[infoset]
    return {name: number for number, name in enumerate(_distinct(actions, range(len(actions))))}


def _distinct(labels: Sequence[str], numbers: Sequence[int]) -> list[str]:
    """Add their numbers to labels that are empty, not unique, or look as if they had one."""
    count = Counter(labels)
    plain = [label and count[label] == 1 and "#" not in label for label in labels]
    return [
        label if as_is else f"{label}#{number}"
        for label, as_is, number in zip(labels, plain, numbers, strict=True)
    ]


def _odds(tree: GameTree, infoset: int, row: NDArray[Any]) -> dict[str, float | str]:
    names = _action_names(tree, infoset)
    return {name: _shown(row[action]) for name, action in names.items() if row[action]}


def _moves(
    tree: GameTree, names: Mapping[int, str], infosets: Sequence[int], plan: Sequence[int]
) -> dict[str, str]:
    return {
        names[infoset]: list(_action_names(tree, infoset))[action]
        for infoset, action in zip(infosets, plan, strict=True)
        if action != UNREACHED
    }


def _shown(number: Any) -> float | str:
    return str(number) if isinstance(number, Fraction) else float(number)
