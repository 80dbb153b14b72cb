"""Newton's method for the fixed point of a recursive game, between bounds that are proven on the way.

Pollatschek and Avi-Itzhak (Management Science 1969): with optimal mixtures x, y of A + sum of v_j B_j, the next v
solves v_i = x A_i y + sum of v_j x B_ij y. It is Newton's method for T(v) = v and converges in a few steps, but may
also wander, or find one fixed point of several. So here each v is only an *aim*: `certificate` proves what its
mixtures secure. Mixtures that are optimal at the fixed point itself may secure less than those at a value next to
it (Everett's games, where only almost optimal strategies exist). So when Newton's method brings nothing more,
values nearer to one bound are tried, and at last the bound itself, where an optimal mixture always secures more, as
in Hoffman and Karp (Management Science 1966), unless the bound is a fixed point. Then neither bound can move.
States where a player would rather leave are held at his fee.

Best responses among all plans are listed at each step, so that v and the lists converge together.
"""

from collections.abc import Sequence

import numpy as np

from maxmin.matrix.oracle import Floats
from maxmin.recursive.bracket import Bracket, KeepGoing
from maxmin.recursive.listed import Stage

_CLOSE = 1e-12
"""A step below this, relative to the values, is the last."""

_MOST_STEPS = 60
"""Newton's method gets so many steps before a bound is tried."""

_PROGRESS = 1e-6
"""A bound has moved if it moved by this share of the gap."""

_SHARES = (1.0 - 2.0**-20, 0.5, 0.0)
"""How far from a bound to where Newton's method arrived another aim is tried; a bound itself is the last."""


_WORTHWHILE = 0.02
"""It goes well if a bound moves by more than this share of its way to where Newton's method arrived."""


class Newton:
    """A run of Newton's method.

    Parameters
    ----------
    bracket
        Whose bounds move.
    stages
        A round of each state with nothing to come, solved: where the first step starts.

    Attributes
    ----------
    iterations : int
        Matrix games solved, in each state.
    finished : bool
        Whether neither bound can move any more.
    """

    def __init__(self, bracket: Bracket, stages: Sequence[Stage]) -> None:
        self.iterations = 0
        self.finished = False
        self._bracket = bracket
        self._values = self._arrival = self._step(stages)
        self._share: int | None = None  # of _SHARES; None while Newton's method goes on
        self._of_lower = True
        self._steps = self._idle = 0
        self._before: tuple[Floats, Floats] | None = None

    def advance(self, keep_going: KeepGoing) -> None:
        """Solve a round of each state; move the values, or else the bounds."""
        stages, gains = self._bracket.stages(self._values, keep_going)
        self.iterations += 1
        step = self._step(stages)
        if self._share is not None:
            if not gains:  # else the same values once more, with longer lists
                self._try_bound(stages, step)
        elif not self._arrived(step, gains=gains):
            if self._is_time_for_bounds(keep_going):
                self._secure(stages)
            self._values = step
        else:
            self._secure(stages)
            self._note_progress()
            self._arrival, self._share = self._values, 0
            self._values = self._between()

    def _arrived(self, step: Floats, *, gains: bool) -> bool:
        """Say whether Newton's method has brought all that it can."""
        if gains:
            return False
        self._steps += 1
        near = np.abs(step - self._values) <= _CLOSE * np.maximum(1.0, np.abs(step))
        return bool(near.all()) or self._steps >= _MOST_STEPS

    def _is_time_for_bounds(self, keep_going: KeepGoing) -> bool:
        """Say whether to prove bounds before Newton's method has arrived: before stopping, and ever more rarely."""
        return self.iterations.bit_count() == 1 or not keep_going(self.iterations)

    def _secure(self, stages: Sequence[Stage]) -> None:
        self._bracket.raise_lower(stages, self._values)
        self._bracket.reduce_upper(stages, self._values)

    def _try_bound(self, stages: Sequence[Stage], step: Floats) -> None:
        """Move one bound as long as that goes well, and then with an aim nearer to it."""
        bracket, before = self._bracket, self._bound()
        if self._of_lower:
            bracket.raise_lower(stages, self._values)
        else:
            bracket.reduce_upper(stages, self._values)
        way = np.abs(self._arrival - before)
        if (np.abs(self._bound() - before) <= _WORTHWHILE * way).all():
            self._share = (self._share or 0) + 1
        if self._share == len(_SHARES):
            self._share, self._steps, self._values = None, 0, step
            self._of_lower = not self._of_lower
        else:
            self._values = self._between()

    def _bound(self) -> Floats:
        return self._bracket.lower if self._of_lower else self._bracket.within(self._bracket.upper)

    def _between(self) -> Floats:
        bound = self._bound()
        return bound + _SHARES[self._share or 0] * (self._arrival - bound)

    def _note_progress(self) -> None:
        """Set `finished` if neither bound has moved since each of them was tried."""
        now, before = (self._bracket.lower, self._bracket.upper), self._before
        self._before = now
        if before is not None:
            least = _PROGRESS * (before[1] - before[0]) + _CLOSE * np.maximum(1.0, np.abs(before[0]))
            moved = ((now[0] > before[0] + least) | (now[1] < before[1] - least)).any()
            self._idle = 0 if moved else self._idle + 1
            self.finished = self._idle >= 2

    def _step(self, stages: Sequence[Stage]) -> Floats:
        """Return where v = x A y + x B y v, with those who leave held; T(v) if stakes do not shrink on the way."""
        game = self._bracket.game
        payoff = np.array([stage.payoff for stage in stages])
        slope = np.array([stage.multipliers for stage in stages])
        worth = np.array([stage.worth for stage in stages])
        leaving = np.full(len(stages), False)
        if game.t1 is not None:
            leaving = (worth <= game.least) | (worth >= game.most)
        slope[leaving] = 0.0
        payoff[leaving] = worth[leaving]
        try:
            system = np.linalg.solve(
                np.eye(len(payoff)) - slope, np.column_stack([payoff, np.ones(len(payoff))])
            )
            if np.isfinite(system).all() and system[:, 1].min() > 0:
                worth = system[:, 0]
        except np.linalg.LinAlgError:
            pass
        return self._bracket.within(worth)
