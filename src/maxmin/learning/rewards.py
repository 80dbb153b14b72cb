"""Rewards of a shot: what a hit and what a miss is worth, the same in both environments."""

import math
from typing import TypeAlias

from maxmin.errors import GameError

Rewards: TypeAlias = tuple[float, float]
"""For a hit, for a miss."""

HIT_OR_MISS: Rewards = (1.0, -1.0)
"""The paper's: all that is known after a shot is whether it hit."""

EACH_SHOT: Rewards = (-1.0, -1.0)
"""The sum over a game is minus the number of shots: what is to be made small, itself."""


def check_rewards(rewards: Rewards) -> Rewards:
    """Return the two rewards as floats.

    Raises
    ------
    GameError
        If they are not two finite numbers.
    """
    try:
        hit, miss = (float(value) for value in rewards)
    except (TypeError, ValueError):
        hit = miss = math.nan
    if not (math.isfinite(hit) and math.isfinite(miss)):
        raise GameError(f"rewards must be two finite numbers, for a hit and for a miss, not {rewards!r}")
    return hit, miss
