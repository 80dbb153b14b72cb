"""Liar's dice with one die each (rules of Zhang et al. 2023; with ``order=count,wild=true``, OpenSpiel's).

Everybody rolls one die, unseen by the others. A bid (count c in 1..players, face f in 1..sides) says that at
least c dice show f. Bids are ordered by face first, then count, or with ``order="count"`` by count first,
then face. The first player must bid; then, in seat order, everybody raises to any later bid or calls the last
bidder a liar; after the top bid only the call is left. On a call, if at least c dice show f the last bidder
gets 1 and the caller loses 1, else the reverse; nobody else wins or loses. With ``wild=True`` a die that
shows the highest face counts as every face.

For two players, ``order=count,wild=true`` is OpenSpiel's ``liars_dice``, leaf by leaf.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Literal

from maxmin.game import OVER, DealtGame
from maxmin.games.parameters import Parameter, canonical_name, check_size

CALL = "call"

Bids = tuple[int, ...]
"""The bids so far, each as its place in the order; a call comes last and is the number of bids there are."""


class LiarsDice(DealtGame[Bids]):
    """Liar's dice; see the head of this file for the rules."""

    parameters = (
        Parameter("players", 2, "how many players, one die each", least=2, most=10),
        Parameter("sides", 6, "how many sides a die has", least=1, most=100),
        Parameter("order", "face", "what orders the bids first", choices=("face", "count")),
        Parameter("wild", False, "whether the highest face counts as every face", choices=(False, True)),
    )

    def __init__(
        self,
        *,
        players: int = 2,
        sides: int = 6,
        order: Literal["face", "count"] = "face",
        wild: bool = False,
    ) -> None:
        values = {"players": players, "sides": sides, "order": order, "wild": wild}
        self.name = canonical_name("liars_dice", self.parameters, values)
        self.most_leaves = check_size(self.name, sides**players * (2 ** (players * sides) - 1))
        self.players = players
        self.sides = sides
        self.wild = wild
        counts, faces = range(1, players + 1), range(1, sides + 1)
        if order == "face":
            self._bids = [(count, face) for face in faces for count in counts]
        else:
            self._bids = [(count, face) for count in counts for face in faces]
        self._moves = (*(f"{count}x{face}" for count, face in self._bids), CALL)
        self._place = {move: place for place, move in enumerate(self._moves)}

    def deals(self) -> Sequence[tuple[tuple[str, ...], Fraction]]:
        """List the rolls, equally likely."""
        faces = [str(face) for face in range(1, self.sides + 1)]
        odds = Fraction(1, self.sides**self.players)
        return [(dice, odds) for dice in product(faces, repeat=self.players)]

    def start(self) -> Bids:
        """Return no bids."""
        return ()

    def public_turn(self, public: Bids) -> int:
        """Go around the table until somebody calls."""
        return OVER if public and public[-1] == len(self._bids) else len(public) % self.players + 1

    def moves(self, public: Bids) -> Sequence[str]:
        """Bid first; then raise or call."""
        return self._moves[public[-1] + 1 :] if public else self._moves[:-1]

    def after(self, public: Bids, move: str) -> Bids:
        """Append the bid or the call."""
        return (*public, self._place[move])

    def history(self, public: Bids) -> str:
        """Return the bids, as count x face."""
        return " ".join([self._moves[place] for place in public])

    def result(self, public: Bids) -> tuple[int, int]:
        """Return the seat of the caller and the bid that was called."""
        return (len(public) - 1) % self.players, public[-2]

    def verdict(self, result: tuple[int, int], hands: tuple[str, ...]) -> bool:
        """Say whether the bid holds."""
        count, face = self._bids[result[1]]
        shown = hands.count(str(face))
        if self.wild and face != self.sides:
            shown += hands.count(str(self.sides))
        return shown >= count

    def settle(self, result: tuple[int, int], verdict: bool) -> Sequence[int]:
        """Let the last bidder win 1 from the caller if the bid holds, and lose 1 if not."""
        caller = result[0]
        payoffs = [0] * self.players
        payoffs[caller] = -1 if verdict else 1
        payoffs[caller - 1] = -payoffs[caller]
        return payoffs
