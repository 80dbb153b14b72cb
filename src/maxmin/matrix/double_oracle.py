"""Double oracle: the game of a few rows and columns, solved and enlarged by best responses until none does better.

McMahan, Gordon and Blum (ICML 2003). Each round solves the restricted game, asks for the best row and the best
column against its mixtures, which bounds the value of the whole game, and adds those that gain something. When none
does, the restricted game's solution is polished, and the bounds are found once more. It ends after finitely many
rounds, as each but the last adds a plan that was not there.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from maxmin.errors import GameError
from maxmin.matrix.oracle import Floats, MatrixOracle, Plan
from maxmin.matrix.payoffs import as_array, to_floats
from maxmin.matrix.restricted import RestrictedGame
from maxmin.matrix.side import Side
from maxmin.matrix.support import Mixtures

CROSSING = 1e-9
"""Payoffs that are apart by no more than this share of the payoffs differ by rounding."""


_BLOCK = "an oracle's block"


class DoubleOracle:
    """A run of double oracle.

    Attributes
    ----------
    rows, columns : list of Plan
        The restricted game.
    row_side, column_side : Side
        The best mixture so far of each, and what it proves.
    iterations : int
        Rounds.
    finished : bool
        Whether no plan does better.
    """

    def __init__(
        self,
        oracle: MatrixOracle,
        *,
        rows: Sequence[Plan] = (),
        columns: Sequence[Plan] = (),
        payoff_range: float | None = None,
    ) -> None:
        first_row, first_column = oracle.start()
        self.oracle = oracle
        self.rows = list(dict.fromkeys(rows)) or [first_row]
        self.columns = list(dict.fromkeys(columns)) or [first_column]
        self.row_side, self.column_side = Side(-math.inf), Side(math.inf)
        self.iterations = 0
        self.finished = False
        self._payoff_range = payoff_range
        self._game = RestrictedGame(self._block(self.rows, self.columns))

    @property
    def payoff_range(self) -> float:
        """The largest minus the smallest payoff: of the game if it was given, else of the restricted game."""
        return self._game.payoff_range if self._payoff_range is None else self._payoff_range

    def advance(self, keep_going: Callable[[float], bool]) -> None:
        """Do a round."""
        added = self._respond(self._game.solve(keep_going))
        self.iterations += 1
        if not added:
            mixtures = self._game.polished()
            self.finished = mixtures is None or not self._respond(mixtures)

    def _respond(self, mixtures: Mixtures) -> bool:
        """Bound the value by best responses to both mixtures; say whether any joined the restricted game."""
        payoffs = self._game.payoffs
        rows, row_weights = _played(self.rows, mixtures.rows)
        columns, column_weights = _played(self.columns, mixtures.columns)
        row, upper = _checked(*self.oracle.best_row(columns, column_weights))
        column, lower = _checked(*self.oracle.best_column(rows, row_weights))
        worth, cost = payoffs @ mixtures.columns, mixtures.rows @ payoffs
        self._check("row", row, upper, float(worth.max()))
        self._check("column", column, lower, float(cost.min()))
        if lower > self.row_side.bound:
            self.row_side = Side(lower, rows, row_weights)
        if upper < self.column_side.bound:
            self.column_side = Side(upper, columns, column_weights)
        adds_row = row not in self.rows and upper > worth.max()
        adds_column = column not in self.columns and lower < cost.min()
        if adds_row:
            self.rows.append(row)
            self._game.add_row(self._block([row], self.columns)[0])
        if adds_column:
            self.columns.append(column)
            self._game.add_column(self._block(self.rows, [column])[:, 0])
        return adds_row or adds_column

    def _check(self, kind: str, plan: Plan, payoff: float, known: float) -> None:
        """Refuse a best response that is worse than a plan of the restricted game."""
        missing = known - payoff if kind == "row" else payoff - known
        if missing > CROSSING * max(self.payoff_range, abs(known)):
            raise GameError(
                f"the oracle contradicts itself: best_{kind} returned {plan!r}, which gets {payoff}; "
                f"a {kind} that it knows gets {known}"
            )

    def _block(self, rows: Sequence[Plan], columns: Sequence[Plan]) -> Floats:
        block = to_floats(as_array(self.oracle.block(rows, columns), _BLOCK), _BLOCK)
        if block.shape != (len(rows), len(columns)) or not np.isfinite(block).all():
            raise GameError(
                f"the oracle's block of {len(rows)} rows and {len(columns)} columns has shape {block.shape}, "
                "or a payoff that is not a finite number"
            )
        return block


def _checked(plan: Plan, payoff: float) -> tuple[Plan, float]:
    if not math.isfinite(payoff):
        raise GameError(f"the payoff of the oracle's best response {plan!r} is {payoff}, not a finite number")
    return plan, float(payoff)


def _played(plans: Sequence[Plan], weights: Floats) -> tuple[tuple[Plan, ...], Floats]:
    """Return the plans of positive weight, and their weights."""
    places: NDArray[np.int64] = np.flatnonzero(weights)
    return tuple(plans[place] for place in places.tolist()), weights[places]
