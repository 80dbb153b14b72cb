"""A strategy in words: what a player knows, and how often it then does what."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from maxmin.cli.output import print_table
from maxmin.errors import SolutionError

if TYPE_CHECKING:
    from maxmin.plans import Behavior, PlanMixture
    from maxmin.solve import Solution
    from maxmin.strategy import Strategy

_SHORT = 10**6
"""Fractions of smaller denominators are written out in tables."""


def marginals(solution: "Solution", strategy: "Strategy") -> list[dict[str, Any]]:
    """List a strategy's infosets in words: player, what it knows, own reach, a probability per action.

    Of an exact solution a row also has its probabilities as fractions, ``exact``, in words.
    """
    tree = solution.tree
    rows = [
        {
            "player": int(tree.infoset_player[one.infoset]),
            "infoset": tree.infoset_labels[one.infoset],
            "reach": one.reach,
            "actions": list(tree.infoset_actions[one.infoset]),
            "probabilities": one.probabilities.tolist(),
        }
        for one in strategy.marginals()
    ]
    if solution.exact is not None and strategy.side:
        from maxmin.strategy_files import strategy_from_json

        side = "team" if strategy.side == solution.team else "opponent"
        exact = strategy_from_json(solution.exact[side], tree)
        for row, one in zip(rows, strategy.marginals(), strict=True):
            row["exact"] = [str(odds) for odds in _exact_odds(exact, one.infoset, len(row["actions"]))]
    return rows


def _exact_odds(strategy: "Behavior | PlanMixture", infoset: int, n_actions: int) -> list[Fraction]:
    """Return how a strategy plays in an infoset that it reaches."""
    from maxmin.plans import Behavior

    shares = [Fraction(0)] * n_actions
    for place in (strategy.infosets == infoset).nonzero()[0].tolist():
        if isinstance(strategy, Behavior):
            shares = strategy.probabilities[place, :n_actions].tolist()
        else:
            chosen = strategy.plans[:, place]
            shares = [sum(strategy.weights[chosen == action], Fraction(0)) for action in range(n_actions)]
    if not any(shares):
        raise SolutionError("the exact answer is of another strategy: it does not reach the same infosets")
    return [share / sum(shares) for share in shares]


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
                in_words(row["actions"], row["probabilities"], row.get("exact", ())),
            )
            for row in rows
        ],
        right=("reach",),
    )


def in_words(actions: Sequence[str], probabilities: Sequence[float], exact: Sequence[str] = ()) -> str:
    """Write what is done how often, ``bet 75%, check 25%`` or ``bet 3/4, check 1/4``; most likely first, no 0."""
    likely = sorted(range(len(actions)), key=lambda i: -probabilities[i])
    if exact:
        return ", ".join(f"{actions[i]} {_share(exact[i])}" for i in likely if exact[i] != "0")
    return ", ".join(f"{actions[i]} {percent(probabilities[i])}" for i in likely if probabilities[i] >= 5e-4)


def _share(fraction: str) -> str:
    """Write a fraction as it is where that is short, else as a percentage."""
    share = Fraction(fraction)
    return fraction if share.denominator < _SHORT else percent(float(share))


def percent(share: float) -> str:
    """Write a probability as 75%, 7.5% or 0.3%."""
    return f"{100 * share:.1f}".removesuffix(".0") + "%"
