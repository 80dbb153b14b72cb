"""A game tree as named arrays without objects, for ``.npz`` files that are read without pickle.

``tree_text`` (0-d unicode) is JSON: ``{"name": ..., "player_names": [...], "labels": [...], "infoset_labels":
[...], "infoset_actions": [[...], ...], "numbers": [...]}``; a number is a string where it is exact ("-1/3"),
else a JSON number. The other arrays are `GameTree`'s, as int32: ``tree_parent``, ``tree_player``,
``tree_infoset``, ``tree_label``, ``tree_probability_number``, each (n_nodes,); ``tree_infoset_player``
(n_infosets,); ``tree_payoff_number`` (n_leaves, n_players). What follows from these is not stored. Nothing is
trusted when read: arrays that are not a game tree raise `SolutionError`.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmin.errors import SolutionError
from maxmin.game import CHANCE
from maxmin.rational import Exact, parse_number
from maxmin.tree import LEAF, GameTree, Ints

_PER_NODE = ("parent", "player", "infoset", "label", "probability_number")
_ARRAYS = (*_PER_NODE, "infoset_player", "payoff_number")
_TEXTS = ("player_names", "labels", "infoset_labels")


def tree_to_arrays(tree: GameTree) -> dict[str, NDArray[Any]]:
    """Return the arrays described at the head of this file, by name."""
    text = {"name": tree.name} | {name: getattr(tree, name) for name in (*_TEXTS, "infoset_actions")}
    numbers = [str(number) if isinstance(number, Fraction) else number for number in tree.numbers]
    arrays = {f"tree_{name}": np.asarray(getattr(tree, name), dtype=np.int32) for name in _ARRAYS}
    return {"tree_text": np.array(json.dumps(text | {"numbers": numbers}))} | arrays


def tree_from_arrays(arrays: Mapping[str, NDArray[Any]]) -> GameTree:
    """Rebuild a tree from its arrays; others in the mapping are ignored.

    Raises
    ------
    SolutionError
        If the arrays are missing, do not fit together, or are not a game tree.
    """
    text = _read_text(arrays)
    stored = {name: _integers(arrays, name) for name in _ARRAYS}
    for name in _PER_NODE:
        _expect(
            stored[name].shape == stored["parent"].shape, f"tree_{name} has another length than tree_parent"
        )
    parent = stored["parent"]
    n_nodes = len(parent)
    _expect(parent.ndim == 1 and n_nodes > 0 and parent[0] == -1, "the first node is not a root")
    _expect((parent[1:] >= 0).all() and (parent < np.arange(n_nodes)).all(), "a node comes before its parent")
    _expect((np.diff(parent) >= 0).all(), "nodes are not in breadth-first order")
    n_children = np.bincount(parent[1:], minlength=n_nodes).astype(np.int32)
    first_child = (np.cumsum(n_children) - n_children + 1).astype(np.int32)
    action = np.append(-1, np.arange(1, n_nodes) - first_child[parent[1:]]).astype(np.int32)
    leaves = np.flatnonzero(n_children == 0).astype(np.int32)
    _check_indices(stored, text)
    shape = (len(leaves), len(text["player_names"]))
    _expect(stored["payoff_number"].shape == shape, "payoffs do not fit the leaves")
    known: dict[str, Any] = text | stored
    tree = GameTree(
        **known,
        action=action,
        first_child=first_child,
        n_children=n_children,
        leaves=leaves,
    )
    _check_tree(tree)
    return tree


def tree_difference(one: GameTree, other: GameTree) -> str:
    """Return the name of a field in which two trees differ, or an empty string; numbers count by value."""
    for name in (field.name for field in fields(GameTree)):
        if name in ("numbers", "probability_number", "payoff_number", "label", "labels"):
            continue
        left, right = getattr(one, name), getattr(other, name)
        same = np.array_equal(left, right) if isinstance(left, np.ndarray) else left == right
        if not same:
            return name
    tables = (("numbers", "probability_number"), ("numbers", "payoff_number"), ("labels", "label"))
    for table, index in tables:
        left, right = getattr(one, index), getattr(other, index)
        pairs = np.unique(np.stack([left.ravel(), right.ravel()]), axis=1).T.tolist()
        table_left, table_right = getattr(one, table), getattr(other, table)
        if left.shape != right.shape or any(
            table_left[a] != table_right[b] for a, b in pairs if (a, b) != (-1, -1)
        ):
            return index
    return ""


def _read_text(arrays: Mapping[str, NDArray[Any]]) -> dict[str, Any]:
    """Return the fields of a tree that are not arrays."""
    try:
        text = json.loads(str(_array(arrays, "text")))
    except (ValueError, RecursionError) as error:
        raise SolutionError(f"tree_text is not JSON: {error}") from None
    _expect(isinstance(text, dict) and isinstance(text.get("name"), str), "tree_text names no game")
    lists = {name: text.get(name) for name in _TEXTS}
    for name, values in lists.items():
        _expect(_is_strings(values), f"{name} in tree_text is not a list of strings")
    actions = text.get("infoset_actions")
    _expect(
        isinstance(actions, list) and all(_is_strings(one) and one for one in actions),
        "infoset_actions in tree_text is not a list of lists of strings",
    )
    _expect(isinstance(text.get("numbers"), list), "numbers in tree_text is not a list")
    return {
        "name": text["name"],
        **{name: tuple(values) for name, values in lists.items()},
        "infoset_actions": tuple(map(tuple, actions)),
        "numbers": tuple(_number(number) for number in text["numbers"]),
    }


def _number(number: object) -> Exact:
    try:
        value = parse_number(number) if isinstance(number, str) else number
    except ValueError as error:
        raise SolutionError(f"numbers in tree_text: {error}") from None
    _expect(isinstance(value, float | Fraction), f"numbers in tree_text: {number!r} is not a number")
    _expect(math.isfinite(float(value)), "numbers in tree_text: a number is not finite")  # type: ignore[arg-type]
    return value  # type: ignore[return-value]


def _check_indices(stored: dict[str, Ints], text: dict[str, Any]) -> None:
    """Check everything that points into something."""
    n_players, n_infosets = len(text["player_names"]), len(text["infoset_labels"])
    _expect(stored["infoset_player"].shape == (n_infosets,), "infosets and their players differ in number")
    _expect(len(text["infoset_actions"]) == n_infosets, "infosets and their actions differ in number")
    limits = {
        "player": (LEAF, n_players + 1),
        "infoset": (-1, n_infosets),
        "label": (-1, len(text["labels"])),
        "probability_number": (0, len(text["numbers"])),
        "payoff_number": (0, len(text["numbers"])),
        "infoset_player": (1, n_players + 1),
    }
    for name, (first, stop) in limits.items():
        inside = (stored[name] >= first) & (stored[name] < stop)
        _expect(inside.all(), f"tree_{name} holds a number outside {first} .. {stop - 1}")


def _check_tree(tree: GameTree) -> None:
    """Check what makes arrays a game: who acts where, actions, chance probabilities, payoffs."""
    leaf, chance = tree.player == LEAF, tree.player == CHANCE
    acts = ~leaf & ~chance
    _expect((leaf == (tree.n_children == 0)).all(), "a leaf has children, or another node has none")
    _expect((acts == (tree.infoset >= 0)).all(), "a decision has no infoset, or another node has one")
    infoset = tree.infoset[acts]
    _expect((tree.infoset_player[infoset] == tree.player[acts]).all(), "an infoset has two players")
    _expect((tree.infoset_n_actions[infoset] == tree.n_children[acts]).all(), "an infoset has other actions")
    by_chance = chance[tree.parent[1:]]
    odds, n_nodes = tree.probability[1:], tree.n_nodes
    total = np.bincount(tree.parent[1:][by_chance], odds[by_chance], minlength=n_nodes)[chance]
    _expect((odds >= 0).all() and (odds[~by_chance] == 1).all(), "a probability is wrong")
    _expect((np.abs(total - 1) <= 1e-9).all(), "chance probabilities do not sum to 1")
    _check_labels(tree, acts)


def _check_labels(tree: GameTree, acts: NDArray[np.bool_]) -> None:
    """Check that moves are called at nodes what they are called in infosets."""
    _expect((tree.label[1:] >= 0).all() and tree.label[0] == -1, "a move has no name")
    child = 1 + np.flatnonzero(acts[tree.parent[1:]])
    moves = np.stack([tree.infoset[tree.parent[child]], tree.action[child], tree.label[child]])
    for infoset, action, label in np.unique(moves, axis=1).T.tolist():
        _expect(tree.infoset_actions[infoset][action] == tree.labels[label], "a move has two names")


def _array(arrays: Mapping[str, NDArray[Any]], name: str) -> NDArray[Any]:
    try:
        return arrays[f"tree_{name}"]
    except KeyError:
        raise SolutionError(f"there is no array tree_{name}") from None


def _integers(arrays: Mapping[str, NDArray[Any]], name: str) -> Ints:
    array = _array(arrays, name)
    _expect(array.dtype.kind in "iu", f"tree_{name} does not hold whole numbers")
    limits = np.iinfo(np.int32)
    inside = array.size == 0 or (array.min() >= limits.min and array.max() <= limits.max)
    _expect(inside, f"tree_{name} holds a number that is too large")
    return array.astype(np.int32)


def _is_strings(values: object) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


def _expect(condition: bool | np.bool_, otherwise: str) -> None:
    if not condition:
        raise SolutionError(f"the stored game tree is damaged: {otherwise}")
