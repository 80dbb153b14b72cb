"""Generalized recursive games: `solve_recursive` bounds what they are worth, once and when played again.

Methods, each in the file of its name: `newton`, `value_iteration`. `certificate` proves the bounds of both.
`fixed_points` finds all values at which a game of one state may stay.
"""

from maxmin.errors import GameError
from maxmin.limits import make_limits
from maxmin.names import unknown_method
from maxmin.rational import shown
from maxmin.recursive.game import MatrixState, RecursiveGame, StateOracle
from maxmin.recursive.newton import Newton
from maxmin.recursive.result import Callback, Guarantee, RecursiveSnapshot, RecursiveSolution, StateSolution
from maxmin.recursive.run import MakeMethod, run_recursive
from maxmin.recursive.scan import FixedPoint, FixedPoints, fixed_points
from maxmin.recursive.value_iteration import ValueIteration

__all__ = [
    "METHODS",
    "FixedPoint",
    "FixedPoints",
    "Guarantee",
    "MatrixState",
    "RecursiveGame",
    "RecursiveSnapshot",
    "RecursiveSolution",
    "StateOracle",
    "StateSolution",
    "fixed_points",
    "solve_recursive",
]

METHODS: tuple[str, ...] = ("newton", "value_iteration")
"""All names that `solve_recursive` takes as its method."""


def solve_recursive(
    game: RecursiveGame,
    *,
    method: str = "newton",
    gap: float = 1e-9,
    seconds: float | None = None,
    iterations: int | None = None,
    callback: Callback | None = None,
) -> RecursiveSolution:
    """Find what each state of a recursive game is worth to player 1, with proven bounds and strategies of both.

    Parameters
    ----------
    game
    method
        One of `METHODS`.
    gap
        Stop when the bounds of each repeated value are at most this far apart, in units of the stakes.
    seconds, iterations
        Stop after so much (10,000 iterations if not given); the best so far is returned, as it is on Ctrl-C.
    callback
        Called with a `RecursiveSnapshot` now and then; returns False to stop.

    Raises
    ------
    GameError
        If it is no recursive game, or a state's oracle contradicts itself.
    UnknownNameError
        If there is no such method.
    MaxminError
        If an argument makes no sense.

    Examples
    --------
    Each round pays 1/4 if both play well, and is played again at half the stakes, for 1/4 + 1/8 + ... = 1/2:

    >>> game = RecursiveGame(MatrixState([[0.0, 0.5], [0.5, 0.0]], [[0.5, 0.5], [0.5, 0.5]]), t1=1, t2=1)
    >>> solution = solve_recursive(game)
    >>> round(solution.one_shot.value, 9), round(solution.repeated.value, 9), solution.outcome
    (0.25, 0.5, 'entered')
    """
    make: dict[str, MakeMethod] = {"newton": Newton, "value_iteration": ValueIteration}
    if method not in METHODS:
        raise unknown_method(method, METHODS)
    if not isinstance(game, RecursiveGame):
        raise GameError(
            f"solve_recursive takes a RecursiveGame, not {shown(game)}: RecursiveGame(states, t1=1)"
        )
    limits = make_limits(gap, seconds, iterations)
    return run_recursive(game, make[method], method, limits, callback)
