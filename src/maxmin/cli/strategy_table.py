"""A strategy in words: what a player knows, and how often it then does what."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from maxmin.cli.output import print_table

if TYPE_CHECKING:
    from maxmin.strategy import Strategy
    from maxmin.tree import GameTree


def marginals(tree: "GameTree", strategy: "Strategy") -> list[dict[str, Any]]:
    """List a strategy's infosets in words: player, what it knows, own reach, a probability per action."""
    return [
        {
            "player": int(tree.infoset_player[one.infoset]),
            "infoset": tree.infoset_labels[one.infoset],
            "reach": one.reach,
            "actions": list(tree.infoset_actions[one.infoset]),
            "probabilities": one.probabilities.tolist(),
        }
        for one in strategy.marginals()
    ]


def choices_first(rows: list[dict[str, Any]], most: int) -> list[dict[str, Any]]:
    """Return at most so many rows, by player: those with a choice, and of these the ones reached most."""
    kept = sorted(rows, key=lambda row: (len(row["actions"]) < 2, -row["reach"]))[:most]
    return sorted(kept, key=lambda row: row["player"])


def print_marginals(rows: Sequence[dict[str, Any]]) -> None:
    """Print rows of `marginals` as a table."""
    print_table(
        ("player", "knows", "reach", "does"),
        [
            (
                str(row["player"]),
                row["infoset"],
                percent(row["reach"]),
                in_words(row["actions"], row["probabilities"]),
            )
            for row in rows
        ],
        right=("reach",),
    )


def in_words(actions: Sequence[str], probabilities: Sequence[float]) -> str:
    """Write what is done how often as ``bet 75%, check 25%``: most likely first, never 0%."""
    likely = sorted(zip(actions, probabilities, strict=True), key=lambda pair: -pair[1])
    return ", ".join(f"{action} {percent(odds)}" for action, odds in likely if odds >= 5e-4)


def percent(share: float) -> str:
    """Write a probability as 75%, 7.5% or 0.3%."""
    return f"{100 * share:.1f}".removesuffix(".0") + "%"
