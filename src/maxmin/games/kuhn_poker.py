"""Kuhn poker for any number of players and ranks (Kuhn 1950; the n-player form of Zhang et al. 2023).

One card of each rank. Everybody antes 1 and gets one card, uniformly over ordered deals. In seat order
players check or bet 1; after a bet everybody else in turn, wrapping around, folds or calls once; there is no
raise. If nobody bets, all show down; else the bettor and the callers do. The highest card takes the pot.
With one rank more than players, the default, it is OpenSpiel's ``kuhn_poker``.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from math import perm

from maxmin.errors import GameError
from maxmin.game import OVER, DealtGame
from maxmin.games.parameters import Parameter, canonical_name, check_size

CHECK, BET, FOLD, CALL = "check", "bet", "fold", "call"
_LETTER = {CHECK: "c", BET: "b", FOLD: "f", CALL: "k"}


class KuhnPoker(DealtGame[str]):
    """Kuhn poker; a public state is the string of moves so far, a letter each (c, b, f, k)."""

    parameters = (
        Parameter("players", 2, "how many players", least=2, most=10),
        Parameter(
            "ranks", None, "how many ranks, one card of each (default: players + 1)", least=2, most=1000
        ),
    )

    def __init__(self, *, players: int = 2, ranks: int | None = None) -> None:
        if ranks is None:
            self.parameters[0].check("kuhn_poker", players)
            ranks = players + 1
        values = {"players": players, "ranks": ranks}
        self.name = canonical_name("kuhn_poker", self.parameters, values)
        if ranks < players:
            raise GameError(f"{self.name}: ranks must be at least players, {players}: everybody gets a card")
        self.most_leaves = check_size(self.name, perm(ranks, players) * (1 + players * 2 ** (players - 1)))
        self.players = players
        self.ranks = ranks

    def deals(self) -> Sequence[tuple[tuple[str, ...], Fraction]]:
        """List the ordered deals, equally likely."""
        cards = [str(rank) for rank in range(1, self.ranks + 1)]
        odds = Fraction(1, perm(self.ranks, self.players))
        return [(deal, odds) for deal in permutations(cards, self.players)]

    def start(self) -> str:
        """Return the empty history."""
        return ""

    def public_turn(self, public: str) -> int:
        """Go around the table once, and once more up to the seat before the bettor."""
        bettor = public.find("b")
        last = self.players if bettor < 0 else self.players + bettor
        return OVER if len(public) == last else len(public) % self.players + 1

    def moves(self, public: str) -> Sequence[str]:
        """Check or bet; fold or call once there is a bet."""
        return (FOLD, CALL) if "b" in public else (CHECK, BET)

    def after(self, public: str, move: str) -> str:
        """Append the move's letter."""
        return public + _LETTER[move]

    def history(self, public: str) -> str:
        """Return the letters."""
        return public

    def result(self, public: str) -> tuple[int, ...]:
        """Return what everybody put in."""
        return self.paid(public)

    def paid(self, public: str) -> tuple[int, ...]:
        """Return what everybody has put in: 2 for the bettor and the callers, 1 for the others."""
        paid = [1] * self.players
        for index, letter in enumerate(public):
            if letter in "bk":
                paid[index % self.players] = 2
        return tuple(paid)

    def verdict(self, result: tuple[int, ...], hands: tuple[str, ...]) -> int:
        """Return the seat of the highest card among those who put in most."""
        most = max(result)
        rivals = [seat for seat, paid in enumerate(result) if paid == most]
        return max(rivals, key=lambda seat: int(hands[seat]))

    def settle(self, result: tuple[int, ...], verdict: int) -> Sequence[int]:
        """Give the pot to the winner."""
        payoffs = [-paid for paid in result]
        payoffs[verdict] += sum(result)
        return payoffs
