"""Values of team games by two routes: ``python benchmarks/values.py [GAME ...] [--out FILE]``.

Every partition of each game into two teams is solved by PCFR+ to a relative gap of 1e-5, and by a linear program:
as a whole where it is small enough, else by column generation, which solves the same program plan by plan. The two
must agree within their bounds.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

from maxmin.solve import Solution, solve
from maxmin.sources import load_tree
from maxmin.tree import GameTree

_GAMES = ["3K3", "3K4", "3K6", "3K8", "4K5", "3D2", "3D3", "3L133", "3L143", "3L151", "3L223"]
_WHOLE_UP_TO = 150_000
"""Prescriptions; larger programs take HiGHS's interior point too long."""


def main() -> None:
    parser = argparse.ArgumentParser(description="values of team games, each by two routes")
    parser.add_argument("games", nargs="*", default=_GAMES)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "values.json")
    arguments = parser.parse_args()
    rows: list[dict[str, Any]] = []
    for game in arguments.games:
        tree = load_tree(game)
        for team in partitions(tree.n_players):
            rows.append({"game": game, "team": list(team), **_two_routes(tree, team)})
            print(rows[-1], file=sys.stderr, flush=True)
            arguments.out.write_text(json.dumps(rows, indent=1) + "\n")


def partitions(players: int) -> Iterator[tuple[int, ...]]:
    """Yield one team of each partition of the players into two, the larger one."""
    everybody = set(range(1, players + 1))
    for size in range((players + 1) // 2, players):
        for team in combinations(sorted(everybody), size):
            if 2 * size > players or 1 not in team:
                yield team


def _two_routes(tree: GameTree, team: tuple[int, ...]) -> dict[str, Any]:
    regret, first = _timed(tree, team, "pcfr+", 1e-5)
    large = first["prescriptions"] > _WHOLE_UP_TO
    program, second = _timed(tree, team, "column_generation" if large else "lp", 1e-9)
    agree = max(regret.lower, program.lower) <= min(regret.upper, program.upper) + 1e-12
    return {"agree": agree, "regret": first, "program": second}


def _timed(tree: GameTree, team: tuple[int, ...], method: str, gap: float) -> tuple[Solution, dict[str, Any]]:
    start = time.process_time()
    solution = solve(tree, team=team, method=method, gap=gap, seconds=600)
    return solution, {
        "method": method,
        "lower": solution.lower,
        "upper": solution.upper,
        "relative_gap": solution.relative_gap,
        "iterations": solution.iterations,
        "cpu_seconds": round(time.process_time() - start, 3),
        "prescriptions": max(
            solution.sizes["team"]["prescriptions"], solution.sizes["opponent"]["prescriptions"]
        ),
    }


if __name__ == "__main__":
    main()
