"""Goofspiel, the game of pure strategy (Ross 1971), for any number of players and cards.

Everybody holds bidding cards 1..cards; prizes 1..cards come up one at a time. In each round all bid one card
at once (one after the other, unseen by the others), the bids are shown, and the highest takes the prize. If
the highest bid is tied, the prize is discarded, or with ``ties="split"`` shared among those who tied. Prizes
come in ascending or descending order, or shuffled by chance. The last prize and the last cards are played by
themselves, since there is no choice. A player gets her points less the average of all players' points, so
that payoffs sum to zero.

Everybody sees the prizes and all bids of finished rounds, in order: the version that OpenSpiel calls perfect
information, with ``returns_type=point_difference`` and, as there, discarded ties. (OpenSpiel's information
states forget the order of the bids, so from 4 cards on it has fewer of them and no perfect recall.)
"""

from collections.abc import Sequence
from fractions import Fraction
from math import factorial
from typing import Literal, NamedTuple

from maxmin.game import CHANCE, OVER
from maxmin.games.parameters import Parameter, canonical_name, check_size


class Rounds(NamedTuple):
    """The prizes that came up so far, and all bids in the order in which they were made."""

    prizes: tuple[int, ...]
    bids: tuple[int, ...]


class Goofspiel:
    """Goofspiel; see the head of this file for the rules."""

    parameters = (
        Parameter("players", 2, "how many players", least=2, most=10),
        Parameter("cards", 4, "how many cards each holds, and how many prizes there are", least=1, most=13),
        Parameter(
            "prizes", "shuffled", "the order of the prizes", choices=("shuffled", "ascending", "descending")
        ),
        Parameter("ties", "discard", "what happens to a tied prize", choices=("discard", "split")),
    )

    def __init__(
        self,
        *,
        players: int = 2,
        cards: int = 4,
        prizes: Literal["shuffled", "ascending", "descending"] = "shuffled",
        ties: Literal["discard", "split"] = "discard",
    ) -> None:
        values = {"players": players, "cards": cards, "prizes": prizes, "ties": ties}
        self.name = canonical_name("goofspiel", self.parameters, values)
        orders = factorial(cards) if prizes == "shuffled" else 1
        check_size(self.name, orders * factorial(cards) ** players)
        self.players = players
        self.cards = cards
        self.prizes = prizes
        self.ties = ties

    def root(self) -> Rounds:
        """Return the start: no bids, and the first prize if it is known."""
        return self._advance(Rounds((), ()))

    def turn(self, state: Rounds) -> int:
        """Let chance turn up the next prize, everybody bid on it in seat order."""
        done, bidder = divmod(len(state.bids), self.players)
        if done == self.cards:
            return OVER
        return CHANCE if done == len(state.prizes) else bidder + 1

    def actions(self, state: Rounds) -> Sequence[str]:
        """Name the cards that the bidder still holds."""
        return [str(card) for card in self._held(state, self.turn(state) - 1)]

    def chance(self, state: Rounds) -> Sequence[tuple[str, Fraction]]:
        """Name the prizes that are left, equally likely."""
        left = self._left(state)
        return [(f"prize {prize}", Fraction(1, len(left))) for prize in left]

    def child(self, state: Rounds, action: str) -> Rounds:
        """Turn up a prize or add a bid."""
        if action.startswith("prize "):
            return self._advance(Rounds((*state.prizes, int(action.removeprefix("prize "))), state.bids))
        return self._advance(Rounds(state.prizes, (*state.bids, int(action))))

    def infoset(self, state: Rounds) -> str:
        """Tell the finished rounds, as prize:bids, and the prize that is up."""
        rounds = []
        for index, prize in enumerate(state.prizes):
            bids = state.bids[index * self.players : (index + 1) * self.players]
            seen = ",".join(map(str, bids)) if len(bids) == self.players else ""
            rounds.append(f"{prize}:{seen}")
        return " ".join(rounds)

    def payoffs(self, state: Rounds) -> Sequence[Fraction]:
        """Return everybody's points less the average."""
        points = [Fraction(0)] * self.players
        for index, prize in enumerate(state.prizes):
            bids = state.bids[index * self.players : (index + 1) * self.players]
            winners = [seat for seat, bid in enumerate(bids) if bid == max(bids)]
            if len(winners) == 1 or self.ties == "split":
                for winner in winners:
                    points[winner] += Fraction(prize, len(winners))
        average = sum(points, Fraction(0)) / self.players
        return [own - average for own in points]

    def _advance(self, state: Rounds) -> Rounds:
        """Turn up the next prize where the round is over and there is no choice, and play the last cards."""
        done, bidder = divmod(len(state.bids), self.players)
        left = self._left(state)
        if (
            bidder == 0
            and done == len(state.prizes)
            and left
            and (self.prizes != "shuffled" or len(left) == 1)
        ):
            state = Rounds((*state.prizes, left[-1 if self.prizes == "descending" else 0]), state.bids)
        if bidder == 0 and done == self.cards - 1 and len(state.prizes) == self.cards:
            last = [self._held(state, seat)[0] for seat in range(self.players)]
            state = Rounds(state.prizes, (*state.bids, *last))
        return state

    def _left(self, state: Rounds) -> list[int]:
        return [prize for prize in range(1, self.cards + 1) if prize not in state.prizes]

    def _held(self, state: Rounds, seat: int) -> list[int]:
        played = state.bids[seat :: self.players]
        return [card for card in range(1, self.cards + 1) if card not in played]
