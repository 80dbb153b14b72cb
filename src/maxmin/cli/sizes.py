"""How large both sides' decision problems are, as a table with a column a side."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from maxmin.cli.output import count, duration, print_table, size

_ROWS: dict[str, tuple[str, Callable[[Any], str]]] = {
    "beliefs": ("beliefs", count),
    "prescriptions": ("prescriptions", count),
    "edges": ("edges", count),
    "plans": ("plans on the list", count),
    "k": ("k, most infosets at once", count),
    "public_states": ("public states", count),
    "largest_public_state": ("largest public state", count),
    "leaf_classes": ("leaf classes", count),
    "converted_game_paths": ("converted game (paths)", lambda paths: f"{paths:.4g}"),
    "bytes": ("memory of the DAG", size),
    "bytes_to_solve": ("memory to solve, about", size),
    "build_seconds": ("time to build, about", duration),
}


_INFOSETS = {False: "infosets", True: "inflated_infosets"}

_CONSTRUCTION_ROWS = {
    "vertices": "vertices, as the paper counts",
    "edges": "edges, as the paper counts",
    "converted_nodes": "nodes of the converted game",
    "converted_leaves": "leaves of the converted game",
    "unpruned_nodes": "its nodes, if not pruned",
    "k": "k, most infosets at once",
    "public_states": "public states",
    "largest_public_state": "largest public state",
    "public_state_infosets": "most infosets in a public state",
    "beliefs": "beliefs, as stored",
    "prescriptions": "prescriptions, as stored",
    "stored_edges": "edges, as stored",
}


def print_sizes(sides: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
    """Print a table of sizes: a row for each that some side has, a column for each (name, sizes)."""
    if not sides:
        return
    rows = [
        (title, *(write(sizes[key]) if key in sizes else "-" for _, sizes in sides))
        for key, (title, write) in _ROWS.items()
        if any(key in sizes for _, sizes in sides)
    ]
    names = [name for name, _ in sides]
    print_table(("decision problem of", *names), rows, right=names)


def print_constructions(sizes: Mapping[str, Any]) -> None:
    """Print what `maxmin.side_sizes.SideSizes.to_json` returns: a column for each construction."""
    columns = sizes["constructions"]
    names = [f"{one['observations']}{', inflated' if one['inflate'] else ''}" for one in columns]
    rows = [
        (title, *("not counted" if one[key] is None else _whole(one[key]) for one in columns))
        for key, title in _CONSTRUCTION_ROWS.items()
    ]
    rows.append(("infosets", *(count(sizes[_INFOSETS[one["inflate"]]]) for one in columns)))
    print_table((f"constructions for {braces(sizes['side'])}", *names), rows, right=names)


def _whole(number: float) -> str:
    return count(int(number)) if number < 10**15 else f"{number:.4g}"


def braces(players: Sequence[int]) -> str:
    """Write a side as {1,2}."""
    return f"{{{','.join(map(str, players))}}}"
