"""Regret minimizers side by side on a team game: how many iterations each needs.

Try other games and gaps: the order changes.
"""

import maxmin
from maxmin.solve import MINIMIZERS


def main(game: str = "3D2", team: tuple[int, ...] = (1, 2), gap: float = 1e-3) -> None:
    tree = maxmin.load_tree(game)
    found = [maxmin.solve(tree, team=team, method=name, gap=gap, iterations=2000) for name in MINIMIZERS]
    print(f"{game}, team {team}, to a relative gap of {gap:g}")
    for solution in sorted(found, key=lambda solution: (not solution.converged, solution.iterations)):
        reached = "" if solution.converged else f", gap {solution.relative_gap:.2g} only"
        print(f"  {solution.method:<11} {solution.iterations:>5} iterations{reached}")


if __name__ == "__main__":
    main()
