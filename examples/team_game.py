"""Three-player Kuhn poker: what players 1 and 2 can guarantee against player 3, and what they should do."""

import numpy as np

import maxmin


def main() -> None:
    solution = maxmin.solve("3K4", team=(1, 2), gap=1e-4)
    print(f"The team gets {solution.lower:.4f} to {solution.upper:.4f} a hand.")
    print(f"An independent check of every claim: {'ok' if maxmin.verify(solution).ok else 'failed'}.")

    tree = solution.tree
    plan = solution.strategy.sample(np.random.default_rng(0))
    print("For the next hand the members agree on:")
    for infoset, action in sorted(plan.items()):
        player, knows = tree.infoset_player[infoset], tree.infoset_labels[infoset]
        print(f"  player {player}, who knows {knows}: {tree.infoset_actions[infoset][action]}")


if __name__ == "__main__":
    main()
