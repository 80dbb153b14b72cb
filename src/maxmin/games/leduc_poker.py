"""Leduc poker for any number of players, ranks and suits (Southey et al. 2005; rules of Zhang et al. 2023).

Everybody antes 1 and gets one private card; a betting round; one board card; a second betting round. At
most `bets` bets or raises a round, of size 2 in the first and 4 in the second (a raise adds the size to the
highest stake). Nobody folds who faces no bet. The second round starts with the first seat still in. A round
ends when everyone still in has acted and matched. If all but one fold the hand is over. A pair with the board
beats any high card; exact ties split the pot. Chance deals ranks, weighted by the copies left; with
``suited=True`` it deals cards, as in OpenSpiel's ``leduc_poker``, and players tell suits apart.
"""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, perm, prod
from string import ascii_lowercase
from typing import NamedTuple, TypeVar

from maxmin.errors import GameError
from maxmin.game import CHANCE, OVER, DealtGame
from maxmin.games.parameters import Parameter, canonical_name, check_size

FOLD, CHECK, CALL, BET, RAISE = "fold", "check", "call", "bet", "raise"
_LETTER = {FOLD: "f", CHECK: "c", CALL: "k", BET: "b", RAISE: "r"}
_SIZES = (2, 4)

T = TypeVar("T")


class Table(NamedTuple):
    """What everybody sees: what each seat has paid, who is still in, the betting, and the board."""

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

    parameters = (
        Parameter("players", 2, "how many players", least=2, most=10),
        Parameter("bets", 2, "the most bets and raises in a round", least=1, most=50),
        Parameter("ranks", 3, "how many ranks", least=1, most=100),
        Parameter("suits", 2, "how many cards of each rank", least=1, most=26),
        Parameter("suited", False, "whether players tell suits apart", choices=(False, True)),
    )

    def __init__(
        self, *, players: int = 2, bets: int = 2, ranks: int = 3, suits: int = 2, suited: bool = False
    ) -> None:
        values = {"players": players, "bets": bets, "ranks": ranks, "suits": suits, "suited": suited}
        self.name = canonical_name("leduc_poker", self.parameters, values)
        deck = ranks * suits
        if deck <= players:
            raise GameError(
                f"{self.name}: ranks * suits must be at least players + 1, {players + 1}, for the hands and "
                f"the board; it is {deck}"
            )
        self.most_leaves = check_size(self.name, _count_leaves(players, bets, ranks, suits, suited=suited))
        self.players = players
        self.bets = bets
        ranked = [str(rank) for rank in range(1, ranks + 1)]
        if suited:
            self._copies = {rank + suit: 1 for rank in ranked for suit in ascii_lowercase[:suits]}
        else:
            self._copies = dict.fromkeys(ranked, suits)
        self._rank = {card: int(card.rstrip(ascii_lowercase)) for card in self._copies}
        self._dealt = perm(deck, players)
        self._drawn = [Fraction(copies, deck - players) for copies in range(suits + 1)]

    def deals(self) -> Sequence[tuple[tuple[str, ...], Fraction]]:
        """List the deals that the copies allow, weighted by them."""
        odds = cache(lambda ways: Fraction(ways, self._dealt))
        deals = []
        for cards in product(self._copies, repeat=self.players):
            ways = prod(self._left(card, cards[:index]) for index, card in enumerate(cards))
            if ways:
                deals.append((cards, odds(ways)))
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
        if public.bets:
            return (FOLD, CALL, RAISE) if public.bets < self.bets else (FOLD, CALL)
        return (CHECK, BET)

    def draws(self, public: Table, hands: tuple[str, ...]) -> Sequence[tuple[str, Fraction]]:
        """List the boards, weighted by the copies that are left."""
        return [(card, self._drawn[self._left(card, hands)]) for card in self._copies]

    def after(self, public: Table, move: str) -> Table:
        """Pay, fold, or turn up the board."""
        paid, folded, seat, to_act, bets, round_, board, told = public
        if move not in _LETTER:
            return Table(
                paid, folded, folded.index(False), folded.count(False), 0, 1, move, f"{told} {move}:"
            )
        to_act -= 1
        if move == FOLD:
            folded = _put(folded, seat, True)
        elif move == CALL:
            paid = _put(paid, seat, max(paid))
        elif move != CHECK:
            paid = _put(paid, seat, max(paid) + _SIZES[round_])
            to_act = folded.count(False) - 1
            bets += 1
        next_seat = _next_in(folded, seat)
        return Table(paid, folded, next_seat, to_act, bets, round_, board, told + _LETTER[move])

    def history(self, public: Table) -> str:
        """Return the betting as letters (f, c, k, b, r) and the board."""
        return public.told.strip()

    def paid(self, public: Table) -> tuple[int, ...]:
        """Return what everybody has put in."""
        return public.paid

    def result(self, public: Table) -> tuple[tuple[int, ...], tuple[int, ...], int]:
        """Return what was paid, who is still in, and the board's rank if it matters."""
        rivals = tuple([seat for seat, folded in enumerate(public.folded) if not folded])
        return public.paid, rivals, self._rank[public.board] if len(rivals) > 1 else 0

    def verdict(
        self, result: tuple[tuple[int, ...], tuple[int, ...], int], hands: tuple[str, ...]
    ) -> tuple[int, ...]:
        """Return the seats of the best hands still in."""
        _, rivals, board = result
        if len(rivals) == 1:
            return rivals
        ranks = [self._rank[hands[seat]] for seat in rivals]
        best = board if board in ranks else max(ranks)
        return tuple([seat for seat, rank in zip(rivals, ranks, strict=True) if rank == best])

    def settle(
        self, result: tuple[tuple[int, ...], tuple[int, ...], int], verdict: tuple[int, ...]
    ) -> Sequence[int | Fraction]:
        """Split the pot among the winners."""
        paid = result[0]
        payoffs: list[int | Fraction] = [-stake for stake in paid]
        share, rest = divmod(sum(paid), len(verdict))
        for winner in verdict:
            payoffs[winner] += Fraction(sum(paid), len(verdict)) if rest else share
        return payoffs

    def _left(self, card: str, gone: Sequence[str]) -> int:
        return self._copies[card] - gone.count(card)


def _put(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    return (*values[:index], value, *values[index + 1 :])


def _next_in(folded: tuple[bool, ...], seat: int) -> int:
    """Return the first seat after `seat` that is still in."""
    following = (seat + 1) % len(folded)
    while folded[following] and following != seat:
        following = (following + 1) % len(folded)
    return following


def _count_leaves(players: int, bets: int, ranks: int, suits: int, *, suited: bool) -> int:
    """Count the leaves without walking the game: ways to bet, times ways to deal."""
    decks, copies = (ranks * suits, 1) if suited else (ranks, suits)
    deals, boards = (_count_words(length, decks, copies) for length in (players, players + 1))
    first = _count_betting(players, bets)
    second = {still_in: sum(_count_betting(still_in, bets).values()) for still_in in first}
    return deals * first[1] + boards * sum(first[n] * second[n] for n in first if n > 1)


def _count_words(length: int, letters: int, copies: int) -> int:
    """Count the words of a length in which no letter comes more than `copies` times."""
    words: list[int] = [1] + [0] * length
    for _ in range(letters):
        words = [
            sum([comb(size, used) * words[size - used] for used in range(min(copies, size) + 1)])
            for size in range(length + 1)
        ]
    return words[length]


def _count_betting(players: int, bets: int) -> Counter[int]:
    """Count the ways in which a round of betting ends, by how many players are then still in."""

    @cache
    def endings(still_in: int, to_act: int, made: int) -> Counter[int]:
        if still_in == 1 or to_act == 0:
            return Counter({still_in: 1})
        count = endings(still_in, to_act - 1, made).copy()
        if made:
            count.update(endings(still_in - 1, to_act - 1, made))
        if made < bets:
            count.update(endings(still_in, still_in - 1, made + 1))
        return count

    return endings(players, players, 0)
