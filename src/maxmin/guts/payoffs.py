"""One round of continuous guts: what each player gets, and by how much the stakes are multiplied.

n players have one hand each, uniform on [0, 1]; player i holds with a hand above the threshold p_i. The pot is n
units at stakes 1. A single holder takes it, and the game ends. Of r >= 2 holders the best hand takes it, the others
pay a pot each, and the stakes are multiplied by r - 1. Without a holder all is dealt anew. The ante is charged when
the game ends, so that a round with r >= 1 holders brings r - 2 to everybody, n more to the winner, and n less to
each other holder:

    beta    = sum of (1 - p_i)  -  1  +  2 * product of p_i                    the stakes' multiplier, expected
    alpha_i = beta - 1 + n * (2 W_i - (1 - p_i))                               what player i gets, expected
    W_i     = integral from p_i to 1 of the product over j != i of max(x, p_j) dx        i holds and wins

With the thresholds in order, p_1 <= ... <= p_n and p_{n+1} = 1, the product over all j is x^k T_k for x between p_k
and p_{k+1}, where T_k = p_{k+1} ... p_n, and above p_i the factor of i is x itself. Hence

    W_i = sum over k >= i of T_k * (p_{k+1}^k - p_k^k) / k

for all players at once, by one cumulative product and one cumulative sum.

Continuous guts poker and numerical optimization of generalized recursive games (arXiv 2208.02788) has the rules; it
sums over the sets of holders instead.
"""

import operator

import numpy as np
from numpy.typing import ArrayLike

from maxmin.errors import GameError
from maxmin.matrix.payoffs import to_floats
from maxmin.rational import shown
from maxmin.tree import Floats


def round_payoffs(thresholds: ArrayLike) -> tuple[Floats, Floats]:
    """Return what each player gets in one round, and the multiplier of the stakes, both expected.

    Parameters
    ----------
    thresholds : (..., n_players) array_like
        Each player's, in [0, 1]: holds with a hand above it. Leading axes are profiles.

    Returns
    -------
    alpha : (..., n_players) float64
        In units of the stakes; sums to 0 over the players.
    beta : (...) float64

    Raises
    ------
    GameError
        If a threshold is outside [0, 1] or not a number, or there are less than two players.

    Examples
    --------
    >>> alpha, beta = round_payoffs([0.5, 0.25])
    >>> alpha.tolist(), beta.tolist()
    ([0.0, 0.0], 0.5)
    """
    held = check_thresholds(thresholds)
    n = held.shape[-1]
    beta = (1 - held).sum(-1) - 1 + 2 * held.prod(-1)
    alpha = (beta - 1)[..., None] + n * (2 * _wins(held) - (1 - held))
    return alpha, beta


def win_probabilities(thresholds: ArrayLike) -> Floats:
    """Return how often each player holds and has the best hand that is held.

    Parameters
    ----------
    thresholds : (..., n_players) array_like
        As in `round_payoffs`.

    Returns
    -------
    (..., n_players) float64

    Raises
    ------
    GameError
        As `round_payoffs`.
    """
    return _wins(check_thresholds(thresholds))


def check_thresholds(thresholds: ArrayLike) -> Floats:
    """Return profiles of thresholds as an array.

    Raises
    ------
    GameError
        As `round_payoffs`.
    """
    try:
        given = np.asarray(thresholds)
    except ValueError as error:
        raise GameError(f"thresholds must be numbers in [0, 1], of as many players each: {error}") from None
    held = to_floats(given, "thresholds") if given.size else given.astype(np.float64)
    if held.ndim == 0 or held.shape[-1] < 2:
        raise GameError("a round of guts has at least two players; give a threshold for each")
    bad = held[~((held >= 0) & (held <= 1))]
    if len(bad):
        raise GameError(f"a threshold must be in [0, 1], not {bad[0]:g}: it is the probability of dropping")
    return held


def check_count(name: str, number: int, least: int, meaning: str) -> int:
    """Return how many players or thresholds there are to be.

    Raises
    ------
    GameError
        If it is not a whole number, or less than `least`; the message has `name` and `meaning`.
    """
    try:
        whole = operator.index(number)
    except TypeError:
        whole = least - 1
    if isinstance(number, bool) or whole < least:
        raise GameError(f"{name} must be a whole number from {least} up, {meaning}, not {shown(number)}")
    return whole


def _wins(thresholds: Floats) -> Floats:
    """Sum W_i as at the head of this file."""
    order = np.argsort(thresholds, axis=-1)
    low = np.take_along_axis(thresholds, order, -1)
    ones = np.ones((*low.shape[:-1], 1))
    high = np.concatenate([low[..., 1:], ones], -1)
    rest = np.cumprod(high[..., ::-1], -1)[..., ::-1]  # T_k, since p_{n+1} = 1
    k = np.arange(1, low.shape[-1] + 1)
    pieces = rest * (high**k - low**k) / k
    wins = np.empty_like(low)
    np.put_along_axis(wins, order, np.cumsum(pieces[..., ::-1], -1)[..., ::-1], -1)
    return wins
