"""What anybody could gain in card guts by holding with any set of classes, not only with those above a threshold.

Against a fixed mixture of the other side a round is worth, to player 1,

    const + sum of u_a x_a                                       player 1 responds; he holds with a if x_a = 1
    const + sum of u_b (x_b + y_b) + sum of M_bc x_b y_c         the two others respond, alike but for their choices

with the first and second differences of what thresholds get. Player 1 holds where u_a > 0. The other minimum is a
bipartite quadratic program. Its linear relaxation has z_bc for x_b y_c, with z_bc >= x_b + y_c - 1 where M_bc > 0,
and z_bc <= x_b, z_bc <= y_c where M_bc < 0. Where all M_bc >= 0, as they are without the weenie rule, it is exact:
with 1 - y for y it is a minimum cut (Picard and Ratliff, Networks 1975). Any multipliers

    0 <= f_bc <= M_bc  for M_bc > 0:     M_bc x_b y_c >= f_bc (x_b + y_c - 1)
    0 <= g_bc <= -M_bc for M_bc < 0:     M_bc x_b y_c >= -g_bc x_b + (M_bc + g_bc) y_c

prove a lower bound; those of the program are used, and the bound is recomputed from them.
"""

import numpy as np

from maxmin.guts.card_rules import CardGuts
from maxmin.highs import quiet_highs, run_highs
from maxmin.recursive import Guarantee
from maxmin.tree import Floats

_TOLERANCE = 1e-10
"""The least that HiGHS takes."""

_FIRST_ORDER_FROM = 20_000
"""Of so many pairs on the simplex method takes minutes, the first-order method PDLP seconds."""

_FIRST_ORDER_TOLERANCE = 1e-7


def most_of_any(rules: CardGuts, found: Guarantee, value: float) -> float:
    """Return the most that player 1 gets in a round with `value` to come, if he holds with any classes."""
    worth = rules.against_columns(found.columns, found.column_weights, value)
    return float(worth[-1] + np.maximum(worth[:-1] - worth[1:], 0).sum())


def least_of_any(rules: CardGuts, found: Guarantee, value: float) -> float:
    """Return a lower bound of what player 1 is left in a round with `value` to come, if the others hold with any.

    It is the least itself where the relaxation is exact; see the head of this file.
    """
    worth = rules.against_rows(found.rows, found.row_weights, value)
    single, both = worth[:-1, -1] - worth[1:, -1], np.diff(np.diff(worth, axis=0), axis=1)
    return float(worth[-1, -1]) + least_of_pairs(single, both)


def least_of_pairs(single: Floats, both: Floats) -> float:
    """Bound from below the least of sum single_b (x_b + y_b) + sum both_bc x_b y_c over x, y in {0, 1}^n.

    Parameters
    ----------
    single : (n,) float64
    both : (n, n) float64
    """
    toward_x = np.zeros_like(both)
    toward_x[both != 0] = _multipliers(single, both)
    toward_x = np.where(both > 0, np.clip(toward_x, 0, both), np.clip(toward_x, both, 0))
    toward_y = np.where(both > 0, toward_x, both - toward_x)
    ends = np.minimum(single + toward_x.sum(axis=1), 0), np.minimum(single + toward_y.sum(axis=0), 0)
    return float(ends[0].sum() + ends[1].sum() - toward_x[both > 0].sum())


def _multipliers(single: Floats, both: Floats) -> Floats:
    """Return f where `both` is positive and -g where it is negative, from the linear program."""
    import highspy

    n, (x, y) = len(single), np.nonzero(both)
    positive = both[x, y] > 0
    z = 2 * n + np.arange(len(x))
    y = n + y
    # A row z - x - y >= -1, or two rows z - x <= 0 and z - y <= 0.
    entries = [np.stack([z, x, y], axis=1)[positive].ravel()]
    entries += [np.stack([z, other], axis=1)[~positive].ravel() for other in (x, y)]
    lengths = np.repeat([3, 2, 2], [positive.sum(), (~positive).sum(), (~positive).sum()])
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = 2 * n + len(z), len(lengths)
    lp.col_cost_ = np.concatenate([single, single, both[both != 0]])
    lp.col_lower_ = np.zeros(lp.num_col_)
    lp.col_upper_ = np.concatenate([np.ones(2 * n), np.full(len(z), np.inf)])
    lp.row_lower_ = np.where(lengths == 3, -1.0, -np.inf)
    lp.row_upper_ = np.where(lengths == 3, np.inf, 0.0)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    lp.a_matrix_.index_ = np.concatenate(entries).astype(np.int32)
    lp.a_matrix_.value_ = np.where(np.concatenate(entries) < 2 * n, -1.0, 1.0)
    highs = quiet_highs()
    first_order = len(z) >= _FIRST_ORDER_FROM
    highs.setOptionValue("solver", "pdlp" if first_order else "simplex")
    for option in ("primal_feasibility_tolerance", "dual_feasibility_tolerance"):
        highs.setOptionValue(option, _FIRST_ORDER_TOLERANCE if first_order else _TOLERANCE)
    highs.passModel(lp)
    run_highs(highs, "the coalition's best classes of hands")
    duals = np.array(highs.getSolution().row_dual)
    multipliers = np.empty(len(z))
    multipliers[positive] = duals[: positive.sum()]
    multipliers[~positive] = duals[positive.sum() : len(z)]
    return multipliers
