"""Local search for independent members: better and better points, from one start.

Two kinds of steps, each a linear program (`maxmin.tme.linearization`):

* *in turn*: one member's best plan while the others keep to theirs, round after round (Basilico, Celli, De Nittis
  and Gatti 2017; Celli and Gatti 2018). No step loses anything, but rounds may end where no member gains alone
  while two together would: in hide_and_seek at any (p, 1 - p).
* *together*: all members at once, no sequence by more than a radius, by the payoff that is linear near the point.
  The radius grows while steps gain what was promised, and shrinks where they do not (the prox-linear method with
  a trust region: Fletcher 1987, chapter 14; Drusvyatskiy and Lewis 2018). It ends where no small step gains.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from maxmin.tme.linearization import Linearization
from maxmin.tme.match import IndependentMatch
from maxmin.tree import Floats

_LEAST_GAIN = 1e-7
"""Scaled. Rounds and steps that promise less end the search."""

_RADIUS, _LEAST_RADIUS = 0.25, 1e-4
_KEPT_PROMISE = 0.1
"""A step is taken if it gains this share of what the linear payoff promised."""

_MOST_STEPS = 200
"""From one start; it ends after about ten as a rule."""

KeepGoing = Callable[[float], bool]


@dataclass(frozen=True, eq=False)
class Found:
    """A point, and what the team gets there at least, scaled."""

    point: Floats
    guarantee: float


class Ascent:
    """Local search on one match; `steps` counts the linear programs."""

    def __init__(self, match: IndependentMatch) -> None:
        self._match = match
        self._program = Linearization(match)
        self.steps = 0

    def climb(self, point: Floats, keep_going: KeepGoing, *, in_turn_first: bool) -> Found:
        """Search from a point until neither kind of step gains."""
        best = self.look_at(point)
        if in_turn_first:
            best = self._in_turn(best, keep_going)
        end = self.steps + _MOST_STEPS
        while self.steps < end and keep_going(self.steps):
            before = best.guarantee
            best = self._in_turn(self._together(best, keep_going), keep_going)
            if best.guarantee < before + _LEAST_GAIN or len(self._match.agents) < 2:
                break
        return best

    def look_at(self, point: Floats) -> Found:
        """Make a point of numbers that may be off by rounding, and say what the team gets there."""
        exact = self._match.realize(self._match.odds(point))
        return Found(exact, self._match.guarantee(exact))

    def _in_turn(self, best: Found, keep_going: KeepGoing) -> Found:
        gained = len(self._match.agents) > 0
        while gained and keep_going(self.steps):
            before = best.guarantee
            for start, stop in zip(self._match.offsets[:-1], self._match.offsets[1:], strict=True):
                lower, upper = best.point.copy(), best.point.copy()
                lower[start:stop], upper[start:stop] = 0.0, 1.0
                _, step = self._best_step(best.point, lower, upper, keep_going)
                best = max(best, step, key=lambda found: found.guarantee)
            gained = len(self._match.agents) > 1 and best.guarantee > before + _LEAST_GAIN
        return best

    def _together(self, best: Found, keep_going: KeepGoing) -> Found:
        radius = _RADIUS if len(self._match.agents) > 1 else 0.0
        while radius > _LEAST_RADIUS and keep_going(self.steps):
            lower, upper = np.maximum(best.point - radius, 0.0), np.minimum(best.point + radius, 1.0)
            promised, step = self._best_step(best.point, lower, upper, keep_going)
            if promised < best.guarantee + _LEAST_GAIN:
                break
            if step.guarantee - best.guarantee >= _KEPT_PROMISE * (promised - best.guarantee):
                best, radius = step, min(2 * radius, 1.0)
            else:
                radius /= 4
        return best

    def _best_step(
        self, point: Floats, lower: Floats, upper: Floats, keep_going: KeepGoing
    ) -> tuple[float, Found]:
        self.steps += 1
        promised, step = self._program.best_step(point, lower, upper, keep_going)
        return promised, self.look_at(step)
