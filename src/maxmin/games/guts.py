"""One round of guts with few hands, as a game tree (rules of arXiv 2208.02788; its hands are on a continuum).

Every player gets a hand 1..hands, uniformly and independently, and holds or drops, unseen by the others. The pot is
one unit for each player. A single holder takes it and the game ends; of several, the best hand takes it and the
others pay a pot each; if nobody holds, all is dealt anew. The ante is charged when the game ends, so that with
r >= 1 holders everybody is credited r - 2 units. Of equal best hands each wins as often: a hand stands for an
interval of the continuum, within which better and worse hands are equally likely. So holding with all but the k
worst hands is the threshold k / hands of the continuum, and this game is `maxmin.guts` on a grid of hands + 1
points, except that players here may hold with any set of hands.

``value`` is what player 1 expects of the rounds to come for each unit of their stakes, which the others pay in
equal shares: the next stakes are r - 1 times as high, or the same if nobody holds.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

from maxmin.game import CHANCE, OVER
from maxmin.games.parameters import Parameter, Rational, canonical_name, check_size

HOLD, DROP = "hold", "drop"


_VALUE = Rational("value", Fraction(0), "what player 1 expects of later rounds, for each unit of the stakes")


class Round(NamedTuple):
    """A state: the hands, none before the deal, and what the first players have done."""

    hands: tuple[int, ...]
    moves: tuple[str, ...]


class Guts:
    """One round of guts; see the head of this file for the rules."""

    parameters = (
        Parameter("players", 3, "how many players", least=2, most=10),
        Parameter("hands", 4, "how many hands there are, equally likely", least=1, most=1000),
        _VALUE,
    )

    def __init__(self, *, players: int = 3, hands: int = 4, value: Fraction | int | float | str = 0) -> None:
        worth: Any = _VALUE.read(value)
        values = {"players": players, "hands": hands, "value": worth}
        self.name = canonical_name("guts", self.parameters, values)
        check_size(self.name, (2 * hands) ** players)
        self.players = players
        self.hands = hands
        self.value: Fraction = worth

    def root(self) -> Round:
        """Return the state before the deal."""
        return Round((), ())

    def turn(self, state: Round) -> int:
        """Let chance deal, then everybody decide in seat order, unseen by the others."""
        if not state.hands:
            return CHANCE
        return OVER if len(state.moves) == self.players else len(state.moves) + 1

    def actions(self, state: Round) -> Sequence[str]:
        """Drop or hold."""
        return (DROP, HOLD)

    def chance(self, state: Round) -> Sequence[tuple[str, Fraction]]:
        """Name the deals, equally likely."""
        odds = Fraction(1, self.hands**self.players)
        ranks = range(1, self.hands + 1)
        return [(" ".join(map(str, deal)), odds) for deal in product(ranks, repeat=self.players)]

    def child(self, state: Round, action: str) -> Round:
        """Deal, or add a move."""
        if not state.hands:
            return Round(tuple(map(int, action.split())), ())
        return Round(state.hands, (*state.moves, action))

    def infoset(self, state: Round) -> str:
        """Tell the own hand, all that a player knows."""
        return str(state.hands[len(state.moves)])

    def payoffs(self, state: Round) -> Sequence[Fraction]:
        """Return what the round brings on average over ties, and the value of the rounds to come."""
        holders = [seat for seat, move in enumerate(state.moves) if move == HOLD]
        best = max((state.hands[seat] for seat in holders), default=0)
        winners = [seat for seat in holders if state.hands[seat] == best]
        stakes = len(holders) - 1 if holders else 1
        payoffs = [Fraction(stakes - 1)] * self.players
        for seat in holders:
            payoffs[seat] -= self.players
        for seat in winners:
            payoffs[seat] += Fraction(2 * self.players, len(winners))
        payoffs[0] += self.value * stakes
        for seat in range(1, self.players):
            payoffs[seat] -= self.value * stakes / (self.players - 1)
        return payoffs
