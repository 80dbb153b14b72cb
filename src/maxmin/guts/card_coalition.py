"""`solve_card_guts`: what player 1 can guarantee against a coalition of two in guts with real cards.

As on a grid (`maxmin.guts.coalition`), but everybody gets two or three cards from one deck, and thresholds are
classes of hands. How much either side could gain in a round by holding with other sets of classes is a part of the
answer (`maxmin.guts.card_responses`).
"""

import time
from dataclasses import dataclass
from typing import Any

from maxmin.guts.card_deals import Deals
from maxmin.guts.card_responses import least_of_any, most_of_any
from maxmin.guts.card_rules import PLAYERS, CardGuts
from maxmin.guts.result import GutsValue
from maxmin.recursive import Guarantee, RecursiveGame, solve_recursive
from maxmin.recursive.result import Callback


@dataclass(frozen=True, repr=False)
class CardSolution:
    """Guts with cards, player 1 against two, solved.

    Thresholds in strategies are the probability of a worse hand than the weakest that is held, as on the continuum;
    `hand` names that hand.

    Attributes
    ----------
    cards : int
        Of a hand.
    straights : bool
        Whether straights count.
    ties : str
        What equal hands do; see `maxmin.guts.card_rules`.
    weenie : bool
        Whether the best hand pays if nobody holds.
    deals : Deals
        What is dealt, counted.
    one_shot : GutsValue
        Of a single round, with nothing to come.
    repeated : GutsValue
        Of the game that is played on at changed stakes; its strategies are those of every round.
    outcome : str
        "entered" if the repeated value is that of play; else see `maxmin.recursive.StateSolution`.
    gain_of_player, gain_of_coalition : float
        How much more than the repeated value player 1 could get, and how much less the coalition could leave, in a
        round with that value to come, by holding with any set of classes; in antes, the coalition's an upper bound.
    gap : float
        Between the bounds of the repeated value.
    iterations : int
    seconds : float
    converged : bool
        Whether the gap that was asked for was reached.
    stopped_by : str
        "gap", "optimal", "seconds", "iterations" or "interrupt".
    trace : list of [seconds, iterations, lower, upper]
        Of the repeated value.
    """

    cards: int
    straights: bool
    ties: str
    weenie: bool
    deals: Deals
    one_shot: GutsValue
    repeated: GutsValue
    outcome: str
    gain_of_player: float
    gain_of_coalition: float
    gap: float
    iterations: int
    seconds: float
    converged: bool
    stopped_by: str
    trace: list[list[float]]

    def __repr__(self) -> str:
        bounds = f"{self.repeated.lower:.6g} <= repeated value <= {self.repeated.upper:.6g}"
        return f"CardSolution({self.cards} cards, 1 v 2: {bounds})"

    def hand(self, threshold: float) -> str:
        """Name the weakest hand that is held at a threshold."""
        return self.deals.name(int(self.deals.drop.searchsorted(threshold)))

    @property
    def sizes(self) -> dict[str, int]:
        """How many thresholds player 1 has, and how many pairs of them the coalition."""
        n = len(self.deals.classes) + 1
        return {"rows": n, "columns": n * (n + 1) // 2}

    def to_json(self) -> dict[str, Any]:
        """Return the fields that the command line prints with ``--json``, named as those of `GutsSolution`."""
        return {
            "game": "guts",
            "coalition": PLAYERS - 1,
            "against": 1,
            "grid": None,
            "cards": self.cards,
            "straights": self.straights,
            "ties": self.ties,
            "weenie": self.weenie,
            "method": "newton",
            "one_shot": self.one_shot.to_json(),
            "repeated": self.repeated.to_json(),
            "outcome": self.outcome,
            "strategies": self._strategies(self.repeated),
            "one_shot_strategies": self._strategies(self.one_shot),
            "gain_of_player": self.gain_of_player,
            "gain_of_coalition": self.gain_of_coalition,
            "gap": self.gap,
            "iterations": self.iterations,
            "seconds": self.seconds,
            "converged": self.converged,
            "stopped_by": self.stopped_by,
            "sizes": self.sizes,
            "trace": self.trace,
        }

    def _strategies(self, found: GutsValue) -> dict[str, Any]:
        sides = found.strategies_to_json()
        for profile in (profile for side in sides.values() for profile in side):
            profile["hands"] = [self.hand(threshold) for threshold in profile["thresholds"]]
        return sides


def solve_card_guts(
    *,
    cards: int,
    ties: str = "lot",
    weenie: bool = False,
    straights: bool = False,
    ranks: int = 13,
    suits: int = 4,
    gap: float = 1e-9,
    seconds: float | None = None,
    iterations: int | None = None,
    callback: Callback | None = None,
) -> CardSolution:
    """Find what player 1 can guarantee against a coalition of two in guts with cards.

    Parameters
    ----------
    cards
        Of a hand, 2 or 3. Suits do not count.
    ties
        What equal hands do: "lot", "split", "first" or "last"; see `maxmin.guts.card_rules`.
    weenie
        Whether the best hand pays a pot if nobody holds.
    straights
        Whether straights count, above pairs, with 3 cards.
    ranks, suits
        Of the deck.
    gap
        Stop when the bounds of the repeated value are no further apart, in antes.
    seconds, iterations
        Stop after so much, once the deals are counted (about 5 s for three cards); the best so far is returned, as
        it is on Ctrl-C.
    callback
        Called with a `maxmin.recursive.RecursiveSnapshot` now and then; returns False to stop.

    Raises
    ------
    GameError
        If there are no such hands or no such deck.
    UnknownNameError
        If there is no such rule for ties.
    MaxminError
        If another argument makes no sense.

    Examples
    --------
    >>> solution = solve_card_guts(cards=2)
    >>> round(solution.repeated.value, 6)
    -0.006304
    >>> [[solution.hand(threshold) for threshold in profile] for profile, _ in solution.repeated.coalition]
    [['K3', 'K3'], ['32', 'A8']]
    """
    start = time.perf_counter()
    deals = Deals(cards, ranks=ranks, suits=suits, straights=straights)
    rules = CardGuts(deals, ties=ties, weenie=weenie)
    game = RecursiveGame(rules, t1=1, t2=PLAYERS - 1)
    found = solve_recursive(game, gap=gap, seconds=seconds, iterations=iterations, callback=callback)
    value = found.repeated.value
    return CardSolution(
        cards=cards,
        straights=bool(straights),
        ties=ties,
        weenie=bool(weenie),
        deals=deals,
        one_shot=_value(deals, found.one_shot),
        repeated=_value(deals, found.repeated),
        outcome=found.outcome,
        gain_of_player=max(most_of_any(rules, found.repeated, value) - value, 0.0),
        gain_of_coalition=max(value - least_of_any(rules, found.repeated, value), 0.0),
        gap=found.gap,
        iterations=found.iterations,
        seconds=time.perf_counter() - start,
        converged=found.converged,
        stopped_by=found.stopped_by,
        trace=found.trace,
    )


def _value(deals: Deals, found: Guarantee) -> GutsValue:
    rows: list[Any] = [(row,) for row in found.rows]
    columns: list[Any] = list(found.columns)
    sides = []
    for plans, weights in ((rows, found.row_weights), (columns, found.column_weights)):
        held = [tuple(deals.drop[list(plan)].tolist()) for plan in plans]
        pairs = zip(held, weights.tolist(), strict=True)
        sides.append(sorted(pairs, key=lambda pair: (-pair[1], pair[0])))
    return GutsValue(found.value, found.lower, found.upper, *sides)
