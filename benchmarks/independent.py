"""What members get who draw alone, beside those who draw together: ``python benchmarks/independent.py [GAME ...]``.

For each team of all partitions of the players into two: both bounds of `solve_tme`, those of `solve`, CPU seconds.
"""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from values import partitions

from maxmin.solve import solve
from maxmin.sources import load_tree
from maxmin.tme import solve_tme
from maxmin.tree import GameTree

_GAMES = ["3K3", "3K4", "3K5", "3K6", "3K8", "3D2", "3L122"]


def main() -> None:
    parser = argparse.ArgumentParser(description="members who draw alone, and together")
    parser.add_argument("games", nargs="*", default=_GAMES)
    parser.add_argument("--gap", type=float, default=2e-4, help="relative to the payoff range")
    parser.add_argument("--nodes", type=int, default=500, help="the most boxes of branch and bound")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "independent.json")
    arguments = parser.parse_args()
    rows: list[dict[str, Any]] = []
    for game in arguments.games:
        tree = load_tree(game)
        for team in partitions(tree.n_players):
            rows.append({"game": game, **_row(tree, team, arguments.gap, arguments.nodes)})
            print(rows[-1], file=sys.stderr, flush=True)
            arguments.out.write_text(json.dumps(rows, indent=1) + "\n")


def _row(tree: GameTree, team: tuple[int, ...], gap: float, nodes: int) -> dict[str, Any]:
    together = solve(tree, team=team, gap=gap / 100)
    start = time.process_time()
    alone = solve_tme(tree, team=team, gap=gap, nodes=nodes)
    return {
        "team": list(team),
        "together": [together.lower, together.upper],
        "alone": [alone.lower, alone.upper],
        "relative_gap": alone.relative_gap,
        "stopped_by": alone.stopped_by,
        "starts": alone.starts,
        "nodes": alone.nodes,
        "cpu_seconds": time.process_time() - start,
    }


if __name__ == "__main__":
    main()
