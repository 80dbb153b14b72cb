"""A matrix game by a primal-dual interior point method for dense matrices.

Mehrotra (SIAM Journal on Optimization 1992): a predictor and a corrector step from one factorization. With slacks
s and t the two linear programs of the game A are

    rows      maximize v   where  x A - v - s = 0,  sum of x = 1,  x >= 0,  s >= 0
    columns   minimize w   where  A y - w + t = 0,  sum of y = 1,  y >= 0,  t >= 0

and at the end x[i] t[i] = 0 and y[j] s[j] = 0. Each step solves the equations that are left of Newton's when all
but dy, dv and dw are eliminated,

    (A' diag(x / t) A + diag(s / y)) dy - dv - (A' (x / t)) dw = right,

by Cholesky's method; two bordering equations give dv and dw. So an iteration costs about n_rows n_columns**2
multiplications by BLAS, and there are about 20, whatever the size. What differs from the paper: one step length for
x, s, v and one for y, t, w; and the bounds are best responses to x and y, so nothing rests on small residuals. When
the bounds are near each other, `support` guesses which plans are played, and solves for them exactly.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from maxmin import _core
from maxmin.matrix.dense import DensePayoffs
from maxmin.matrix.matrix_run import MatrixRun
from maxmin.matrix.oracle import Floats
from maxmin.matrix.support import Mixtures, solve_support, to_mixtures

_MOST_ITERATIONS = 100
"""It takes 10 to 30; where rounding errors end the progress, more do not help."""

_SHORT_OF_ZERO = 0.99
"""Steps end at this share of the way to where a weight or a slack would be 0."""

_RIDGE = 1e-14
"""Added to the diagonal, as a share of its largest entry: columns that are mixtures of others make it singular."""

_NEAR = 1e-3
"""The support is guessed when the gap is below this."""


class InteriorPoint(MatrixRun):
    """A run of the interior point method; it begins with the best pure strategies.

    Attributes
    ----------
    finished : bool
        Whether a saddle point was found, or rounding errors stop it.
    """

    def __init__(self, payoffs: DensePayoffs) -> None:
        super().__init__(payoffs)
        self._swapped = payoffs.shape[1] > payoffs.shape[0]
        self._game = payoffs.swapped() if self._swapped else payoffs
        self._point = _start(self._game.entries)
        self._tried = b""
        self.take_pure()

    def advance(self, keep_going: Callable[[float], bool]) -> None:
        """Do an iteration, unless a pure strategy of each side is optimal."""
        if self.finished:
            return
        try:
            with np.errstate(all="ignore"):  # what is not finite ends the run below
                self._point = _step(self._game.entries, self._point)
        except np.linalg.LinAlgError:  # not positive definite any more
            self.finished = True
            return
        self.iterations += 1
        found = to_mixtures(self._point.x, self._point.y)
        self.finished = found is None or self.iterations == _MOST_ITERATIONS
        self._take(found)
        if self.column_side.bound - self.row_side.bound < _NEAR * self.payoff_range:
            self._guess_support()

    def _guess_support(self) -> None:
        """Take what is larger than its slack as played, unless that was tried before."""
        rows, columns = self._point.x > self._point.t, self._point.y > self._point.s
        guess = np.packbits(np.append(rows, columns)).tobytes()
        if guess != self._tried:
            self._tried = guess
            game = self._game
            self._take(solve_support(game.block, np.flatnonzero(rows), np.flatnonzero(columns), game.shape))

    def _take(self, found: Mixtures | None) -> None:
        if found is not None:
            self.take(*((found.columns, found.rows) if self._swapped else (found.rows, found.columns)))


@dataclass(frozen=True, eq=False)
class _Point:
    """An iterate, or a direction: see the head of this file."""

    x: Floats
    s: Floats
    v: float
    y: Floats
    t: Floats
    w: float

    def moved(self, by: "_Point", rows: float, columns: float) -> "_Point":
        """Go so far in a direction."""
        return _Point(
            self.x + rows * by.x,
            self.s + rows * by.s,
            self.v + rows * by.v,
            self.y + columns * by.y,
            self.t + columns * by.t,
            self.w + columns * by.w,
        )

    def product(self) -> float:
        """Return the mean of all x t and y s."""
        return float(self.x @ self.t + self.y @ self.s) / (len(self.x) + len(self.y))

    def lengths(self, by: "_Point") -> tuple[float, float]:
        """Return how far x and s, and how far y and t, stay above 0; 1 at most."""
        return min(_length(self.x, by.x), _length(self.s, by.s)), min(
            _length(self.y, by.y), _length(self.t, by.t)
        )


def _start(entries: Floats) -> _Point:
    n_rows, n_columns = entries.shape
    x, y = np.full(n_rows, 1 / n_rows), np.full(n_columns, 1 / n_columns)
    worth, cost = entries @ y, x @ entries
    v, w = float(cost.min()) - 0.5, float(worth.max()) + 0.5
    return _Point(x, cost - v, v, y, w - worth, w)


def _step(entries: Floats, at: _Point) -> _Point:
    """Do a predictor and a corrector step."""
    newton = _Newton(entries, at)
    predicted = newton.direction(-at.x * at.t, -at.y * at.s)
    ahead = at.moved(predicted, *at.lengths(predicted)).product()
    target = at.product() * (ahead / at.product()) ** 3
    direction = newton.direction(
        target - at.x * at.t - predicted.x * predicted.t, target - at.y * at.s - predicted.y * predicted.s
    )
    rows, columns = at.lengths(direction)
    return at.moved(direction, _SHORT_OF_ZERO * rows, _SHORT_OF_ZERO * columns)


class _Newton:
    """Newton's equations at a point, factorized."""

    def __init__(self, entries: Floats, at: _Point) -> None:
        self._entries, self._at = entries, at
        self._d = at.x / at.t
        scaled = entries * np.sqrt(self._d)[:, None]
        matrix = scaled.T @ scaled
        diagonal = np.diag_indices_from(matrix)
        matrix[diagonal] += at.s / at.y
        matrix[diagonal] += _RIDGE * matrix[diagonal].max()
        self._factor = np.ravel(np.linalg.cholesky(matrix))
        self._ad = self._d @ entries
        self._of_w, self._of_v = self._solve(self._ad), self._solve(np.ones(len(at.y)))

    def direction(self, right_x: Floats, right_y: Floats) -> _Point:
        """Return the direction in which x t changes by `right_x`, y s by `right_y`, and the residuals vanish."""
        at, entries, d = self._at, self._entries, self._d
        of_rows = at.w - entries @ at.y - at.t - right_x / at.x
        of_columns = at.s + at.v - at.x @ entries + right_y / at.y
        fixed = self._solve(of_columns + (d * of_rows) @ entries)
        border = np.array(
            [
                [self._of_w.sum(), self._of_v.sum()],
                [self._ad @ self._of_w - d.sum(), self._ad @ self._of_v],
            ]
        )
        sums = 1 - at.y.sum() - fixed.sum(), 1 - at.x.sum() + d @ of_rows - self._ad @ fixed
        w, v = np.linalg.solve(border, sums)
        y = fixed + w * self._of_w + v * self._of_v
        x = d * (entries @ y - w - of_rows)
        return _Point(x, (right_y - at.s * y) / at.y, float(v), y, (right_x - at.t * x) / at.x, float(w))

    def _solve(self, right: Floats) -> Floats:
        solution = right.copy()
        _core.solve_by_cholesky(self._factor, solution)
        return solution


def _length(values: Floats, by: Floats) -> float:
    falling = by < 0
    return min(1.0, float((-values[falling] / by[falling]).min(initial=1.0)))
