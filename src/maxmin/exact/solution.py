"""`solve_exact`: the value of a game as a fraction, with strategies of both sides that prove it, as fractions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq

from maxmin.decision import DecisionProblem
from maxmin.errors import SizeError
from maxmin.exact.program import sequence_program
from maxmin.exact.rational_lp import solve_rational
from maxmin.exact.rationalize import check_exact
from maxmin.exact.strategies import explicit_strategy
from maxmin.match import Match, make_match
from maxmin.plans import Behavior, PlanMixture
from maxmin.rational import LONGEST
from maxmin.strategy_files import strategy_to_json
from maxmin.tree import GameTree
from maxmin.verify import exact_best_response
from maxmin.verify.gains import exact_team_gains


@dataclass(frozen=True, eq=False, repr=False)
class ExactSolution:
    """What a team can guarantee, exactly.

    Attributes
    ----------
    tree : GameTree
    side, others : tuple of int
        The team's players, and everybody else.
    value : Fraction
        The total payoff that the team gets.
    team, opponent : Behavior or PlanMixture
        Optimal strategies of both sides; their probabilities are Fractions. A `Behavior` for one player of
        perfect recall, else weighted joint pure plans.
    team_flow, opponent_flow : list of Fraction
        How often each prescription of the side's `DecisionProblem` is played.
    pivots : int
        How many exact pivots it took after HiGHS; mostly 0.
    """

    tree: GameTree
    side: tuple[int, ...]
    others: tuple[int, ...]
    value: Fraction
    team: Behavior | PlanMixture
    opponent: Behavior | PlanMixture
    team_flow: list[Fraction]
    opponent_flow: list[Fraction]
    pivots: int

    def __repr__(self) -> str:
        return f"ExactSolution({self.tree.name}, team {','.join(map(str, self.side))}: {self.value})"

    def to_json(self) -> dict[str, Any]:
        """Return value and strategies, all numbers as text such as "-1/18".

        Strategies are written as in strategy files (`maxmin.strategy_files`); that of nobody is None.

        Raises
        ------
        SizeError
            If a number has more than 4,000 digits.
        """
        digits = max(map(_digits, (self.value, *_numbers(self.team), *_numbers(self.opponent))))
        if digits > LONGEST:
            raise SizeError(
                f"{self.tree.name}: the exact answer has a fraction of about {digits:,} digits, and {LONGEST:,} is "
                "the most that is written; maxmin.exact.solve_exact returns it as it is"
            )
        return {
            "value": str(self.value),
            "team": strategy_to_json(self.tree, self.team, team=self.side),
            "opponent": strategy_to_json(self.tree, self.opponent, team=self.others) if self.others else None,
        }


def solve_exact(tree: GameTree, team: Sequence[int] = (1,)) -> ExactSolution:
    """Find exactly what a team can guarantee against everybody else.

    Parameters
    ----------
    tree
        A game whose payoffs and probabilities are all fractions.
    team
        The players' numbers.

    Raises
    ------
    GameError
        If a payoff or a probability is a float.
    UnknownNameError, NotTimeableError, SizeError
        As `maxmin.match.make_match` does.
    """
    check_exact(tree)
    return solve_match(make_match(tree, tuple(team)))


def solve_match(
    match: Match, *, seconds: float | None = None, keep_going: Callable[[float], bool] | None = None
) -> ExactSolution:
    """Do the same for a match that is built already; `seconds` and `keep_going` as `solve_rational` has them."""
    plan = sequence_program(match)
    limit = float("inf") if seconds is None else seconds
    found = solve_rational(plan.program, seconds=limit, keep_going=keep_going)
    team_flow = _fractions(found.x[plan.team_flow])
    opponent_flow = _fractions(found.dual[plan.others_flow])
    solution = ExactSolution(
        tree=match.tree,
        side=match.team.side,
        others=match.others.side,
        value=_fraction(found.value),
        team=explicit_strategy(match.tree, match.team, team_flow),
        opponent=explicit_strategy(match.tree, match.others, opponent_flow),
        team_flow=team_flow,
        opponent_flow=opponent_flow,
        pivots=found.pivots,
    )
    _prove(solution)
    return solution


def probabilities(
    problem: DecisionProblem, flow: Sequence[Fraction]
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return each prescription's probability in its belief, in floats; uniform where there is no flow."""
    odds = np.empty(problem.n_prescriptions)
    for start, stop in zip(
        problem.belief_start[:-1].tolist(), problem.belief_start[1:].tolist(), strict=True
    ):
        total = sum(flow[start:stop], Fraction(0))
        odds[start:stop] = [float(one / total) for one in flow[start:stop]] if total else 1 / (stop - start)
    return odds


def _prove(solution: ExactSolution) -> None:
    """Best respond to both strategies on the tree, exactly, where that is possible."""
    tree = solution.tree
    sides = (
        (solution.team, solution.side, solution.others, -1),
        (solution.opponent, solution.others, solution.side, 1),
    )
    for strategy, players, responders, sign in sides:
        reach = strategy.exact_leaf_reach(tree, players=players)
        gains = sign * exact_team_gains(tree, solution.side, reach)
        response = exact_best_response(tree, responders, gains)
        if response is not None and sign * (response.exact or 0) != solution.value:
            raise AssertionError(f"{solution}: a best response brings the team to {response.exact}")


def _numbers(strategy: Behavior | PlanMixture) -> list[Fraction]:
    numbers = strategy.probabilities if isinstance(strategy, Behavior) else strategy.weights
    return [Fraction(number) for number in numbers.ravel().tolist()]


def _digits(number: Fraction) -> int:
    """Return about how many digits a fraction has, never too few."""
    return (number.numerator.bit_length() + number.denominator.bit_length()) * 302 // 1000 + 3


def _fraction(number: fmpq) -> Fraction:
    return Fraction(int(number.p), int(number.q))


def _fractions(numbers: Sequence[fmpq]) -> list[Fraction]:
    return [_fraction(number) for number in numbers]
