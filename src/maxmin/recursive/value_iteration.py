"""Value iteration: v becomes T(v), from below and from above.

From v = -t1 it is what player 1 forces by playing so many more rounds and leaving then, which increases; from
v = t2 the same of player 2 (arXiv 2208.02788; without fees Shapley, PNAS 1953, from bounds of all values). Each
step's mixtures are certified, so the iterates are bounds. Near a fixed point with slope 1 they come ever more
slowly, and stakes that grow for ever need many steps to become large; Newton's method needs neither.
"""

from collections.abc import Sequence

import numpy as np

from maxmin.recursive.bracket import Bracket, KeepGoing
from maxmin.recursive.certificate import INFINITE
from maxmin.recursive.listed import Stage


class ValueIteration:
    """A run of value iteration; parameters and attributes are those of `Newton`."""

    def __init__(self, bracket: Bracket, stages: Sequence[Stage]) -> None:
        self.iterations = 0
        self.finished = False
        self._bracket = bracket

    def advance(self, keep_going: KeepGoing) -> None:
        """Take a step from below, and one from above if there is anything above."""
        bracket = self._bracket
        lower, upper = bracket.lower, bracket.upper
        self.iterations += 1
        stages = bracket.solved(lower, keep_going)
        risen = bracket.round_bounds(stages, lower)[0]
        bracket.lower = np.clip(risen, lower, bracket.ceiling)
        if (upper == INFINITE).any():
            # Ever more rarely, as it costs more than the step; and at the end.
            if self.iterations.bit_count() == 1 or (bracket.lower == lower).all():
                bracket.reduce_upper(stages, lower)
        else:
            fallen = bracket.round_bounds(bracket.solved(upper, keep_going), upper)[1]
            bracket.upper = np.clip(fallen, bracket.game.least, upper)
        same = (bracket.lower == lower).all() and (bracket.upper == upper).all()
        self.finished = bool(same) and keep_going(self.iterations)
