"""Non-adaptive analyses: everybody else keeps to a fixed strategy, and one player answers as well as it can."""

from fractions import Fraction

import numpy as np

from maxmin.errors import StrategyError
from maxmin.plans import Behavior, PlanMixture, infoset_in_words
from maxmin.tree import GameTree
from maxmin.verify.best_response import exact_best_response
from maxmin.verify.gains import exact_team_gains


def answer(tree: GameTree, player: int, fixed: Behavior) -> tuple[Fraction, PlanMixture]:
    """Return what a player gets at best against a fixed strategy of everybody else, exactly, and a plan.

    Parameters
    ----------
    tree
        A game whose numbers are fractions.
    player
        Who answers; of perfect recall.
    fixed
        What all others do; see `carry_over` if it comes from another game.

    Raises
    ------
    StrategyError
        If the strategy does not fit, or the player forgets and has too many plans.
    """
    others = [number for number in range(1, tree.n_players + 1) if number != player]
    gains = exact_team_gains(tree, (player,), fixed.exact_leaf_reach(tree, players=others))
    found = exact_best_response(tree, (player,), gains)
    if found is None or found.exact is None:
        raise StrategyError(f"player {player} of {tree.name} forgets; the best answer was not found exactly")
    return found.exact, found.plan


def carry_over(strategy: Behavior, source: GameTree, target: GameTree) -> Behavior:
    """Return a strategy of one game for another in which the same infosets are called the same.

    A player of fair Kuhn poker who does not know that the other one may cheat plays on as before.

    Raises
    ------
    StrategyError
        If the other game lacks an infoset, or has other actions there.
    """
    known = {
        (int(player), label): number
        for number, (player, label) in enumerate(
            zip(target.infoset_player, target.infoset_labels, strict=True)
        )
    }
    infosets = []
    for infoset in strategy.infosets.tolist():
        found = known.get((int(source.infoset_player[infoset]), source.infoset_labels[infoset]))
        if found is None or target.infoset_actions[found] != source.infoset_actions[infoset]:
            raise StrategyError(
                f"{target.name} does not have {infoset_in_words(source, infoset)}, with its actions"
            )
        infosets.append(found)
    return Behavior(np.array(infosets, dtype=np.int32), strategy.probabilities)
