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


def print_sizes(sides: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
    """Print a table of sizes: a row for each that some side has, a column for each (name, sizes)."""
    rows = [
        (title, *(write(sizes[key]) if key in sizes else "-" for _, sizes in sides))
        for key, (title, write) in _ROWS.items()
        if any(key in sizes for _, sizes in sides)
    ]
    names = [name for name, _ in sides]
    print_table(("decision problem of", *names), rows, right=names)


def braces(players: Sequence[int]) -> str:
    """Write a side as {1,2}."""
    return f"{{{','.join(map(str, players))}}}"
