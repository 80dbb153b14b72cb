"""Leduc poker for any number of players, ranks and suits (Southey et al. 2005; rules of Zhang et al. 2023).

Everybody antes 1 and gets one private card; a betting round; one board card; a second betting round. At most
`bets` bets or raises a round, of size 2 in the first and 4 in the second (a raise adds the size to the highest
stake). Nobody folds who faces no bet. The second round starts with the first seat still in. A round ends
when everyone still in has acted and matched. If all but one fold the hand is over. A pair with the board
beats any high card; exact ties split the pot. Chance deals ranks, weighted by the copies left; with
``suited=True`` it deals cards, as in OpenSpiel's ``leduc_poker``, and players tell suits apart.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

from maxmin.game import CHANCE, OVER, DealtGame

FOLD, CHECK, CALL, BET, RAISE = "fold", "check", "call", "bet", "raise"
_LETTER = {FOLD: "f", CHECK: "c", CALL: "k", BET: "b", RAISE: "r"}
_SIZES = (2, 4)


@dataclass(frozen=True, slots=True)
class Table:
    """What everybody sees: the board, what each seat has paid, who is still in, and the betting."""

    paid: tuple[int, ...]
    folded: tuple[bool, ...]
    seat: int
    to_act: int
    bets: int = 0
    round: int = 0
    board: str = ""
    told: str = ""


class LeducPoker(DealtGame[Table]):
    """Leduc poker; see the head of this file for the rules."""

    def __init__(
        self, *, players: int = 2, bets: int = 2, ranks: int = 3, suits: int = 2, suited: bool = False
    ) -> None:
        self.players = players
        self.bets = bets
        self.ranks = ranks
        self.suits = suits
        self.suited = suited
        kind = ",suited=true" if suited else ""
        self.name = f"leduc_poker(players={players},bets={bets},ranks={ranks},suits={suits}{kind})"
        ranked = [str(rank) for rank in range(1, ranks + 1)]
        if suited:
            self._copies = {rank + chr(ord("a") + suit): 1 for rank in ranked for suit in range(suits)}
        else:
            self._copies = dict.fromkeys(ranked, suits)
        self._rank = {card: int(card[:-1] if suited else card) for card in self._copies}

    def deals(self) -> Sequence[tuple[tuple[str, ...], Fraction]]:
        """List the deals that the copies allow, weighted by them."""
        deals = []
        for cards in product(self._copies, repeat=self.players):
            odds = Fraction(1)
            for index, card in enumerate(cards):
                odds *= Fraction(self._left(card, cards[:index]), self.ranks * self.suits - index)
            if odds:
                deals.append((cards, odds))
        return deals

    def start(self) -> Table:
        """Return the table after the antes."""
        return Table((1,) * self.players, (False,) * self.players, 0, self.players)

    def public_turn(self, public: Table) -> int:
        """Say whose turn it is; chance draws the board between the rounds."""
        if public.folded.count(False) == 1:
            return OVER
        if public.to_act:
            return public.seat + 1
        return OVER if public.round else CHANCE

    def moves(self, public: Table) -> Sequence[str]:
        """Fold, call and perhaps raise when facing a bet; check and perhaps bet when not."""
        facing = public.paid[public.seat] < max(public.paid)
        more = public.bets < self.bets
        if facing:
            return (FOLD, CALL, RAISE) if more else (FOLD, CALL)
        return (CHECK, BET) if more else (CHECK,)

    def draws(self, public: Table, hands: tuple[str, ...]) -> Sequence[tuple[str, Fraction]]:
        """List the boards, weighted by the copies that are left."""
        left = self.ranks * self.suits - self.players
        return [(card, Fraction(self._left(card, hands), left)) for card in self._copies]

    def after(self, public: Table, move: str) -> Table:
        """Pay, fold, or turn up the board."""
        if move not in _LETTER:
            told = f"{public.told} {move}:"
            first = public.folded.index(False)
            still_in = public.folded.count(False)
            return replace(public, board=move, round=1, bets=0, seat=first, to_act=still_in, told=told)
        told = public.told + _LETTER[move]
        if move == FOLD:
            folded = _put(public.folded, public.seat, True)
            after = replace(public, folded=folded, to_act=public.to_act - 1, told=told)
        elif move == CHECK:
            after = replace(public, to_act=public.to_act - 1, told=told)
        elif move == CALL:
            paid = _put(public.paid, public.seat, max(public.paid))
            after = replace(public, paid=paid, to_act=public.to_act - 1, told=told)
        else:
            paid = _put(public.paid, public.seat, max(public.paid) + _SIZES[public.round])
            others = public.folded.count(False) - 1
            after = replace(public, paid=paid, to_act=others, bets=public.bets + 1, told=told)
        return replace(after, seat=self._next_seat(after))

    def history(self, public: Table) -> str:
        """Return the betting as letters (f, c, k, b, r) and the board."""
        return public.told.strip()

    def result(self, public: Table) -> tuple[tuple[int, ...], tuple[int, ...], str]:
        """Return what was paid, who is still in, and the board if it matters."""
        rivals = tuple(seat for seat in range(self.players) if not public.folded[seat])
        return public.paid, rivals, public.board if len(rivals) > 1 else ""

    def settle(
        self, result: tuple[tuple[int, ...], tuple[int, ...], str], hands: tuple[str, ...]
    ) -> Sequence[int | Fraction]:
        """Split the pot among the best hands still in."""
        paid, rivals, board = result
        winners = rivals
        if len(rivals) > 1:
            strength = {seat: self._strength(hands[seat], board) for seat in rivals}
            best = max(strength.values())
            winners = tuple(seat for seat in rivals if strength[seat] == best)
        pot = sum(paid)
        share = pot // len(winners) if pot % len(winners) == 0 else Fraction(pot, len(winners))
        return [(share if seat in winners else 0) - paid[seat] for seat in range(self.players)]

    def _left(self, card: str, gone: Sequence[str]) -> int:
        return self._copies[card] - Counter(gone)[card]

    def _strength(self, card: str, board: str) -> tuple[bool, int]:
        return self._rank[card] == self._rank[board], self._rank[card]

    def _next_seat(self, table: Table) -> int:
        seat = (table.seat + 1) % self.players
        while table.folded[seat] and seat != table.seat:
            seat = (seat + 1) % self.players
        return seat


def _put(values: tuple, index: int, value: object) -> tuple:  # type: ignore[type-arg]
    return (*values[:index], value, *values[index + 1 :])
