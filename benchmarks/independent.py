"""What members get who draw alone, beside those who draw together: ``python benchmarks/independent.py [GAME ...]``.

For the team of everybody but the last player: both bounds of `solve_tme`, those of `solve`, and the CPU seconds.
"""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from maxmin.solve import solve
from maxmin.sources import load_tree
from maxmin.tme import solve_tme

_GAMES = ["3K3", "3K4", "3K5", "3K6", "3K8", "4K5", "3D2", "3D3", "3L122", "3L133"]


def main() -> None:
    parser = argparse.ArgumentParser(description="members who draw alone, and together")
    parser.add_argument("games", nargs="*", default=_GAMES)
    parser.add_argument("--gap", type=float, default=1e-3, help="relative to the payoff range")
    parser.add_argument("--nodes", type=int, default=1000, help="the most boxes of branch and bound")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "independent.json")
    arguments = parser.parse_args()
    rows: list[dict[str, Any]] = []
    for game in arguments.games:
        rows.append(_row(game, arguments.gap, arguments.nodes))
        print(rows[-1], file=sys.stderr, flush=True)
        arguments.out.write_text(json.dumps(rows, indent=1) + "\n")


def _row(game: str, gap: float, nodes: int) -> dict[str, Any]:
    tree = load_tree(game)
    team = tuple(range(1, tree.n_players))
    together = solve(tree, team=team, gap=gap / 100)
    start = time.process_time()
    alone = solve_tme(tree, team=team, gap=gap, nodes=nodes)
    return {
        "game": game,
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
