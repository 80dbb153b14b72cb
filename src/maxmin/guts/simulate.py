"""Guts played with chips: whole games, from the first ante to the last pot, many at once.

Nothing here knows a formula for payoffs. Everybody antes 1 into the pot. In each round both sides draw a profile of
thresholds from their mixtures, hands are dealt, and players hold or drop. The best hand that is held takes the pot,
each other holder pays as much as it was, which makes the next pot; a pot of nothing ends the game. What equal hands
do, and what is paid if nobody holds, is as at the head of `maxmin.guts.card_rules`. A game ends also at a limit of
rounds: then the pot is divided equally, and the game is counted as unfinished.

Means have heavy tails, since stakes can double again and again. If the square of the stakes' multiplier is less
than 1 on average, the variance of a game is finite, and the mean's standard error means what it says; that average
is reported as `growth`. The median of the blocks' means is a check that a few large pots cannot spoil.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from maxmin.errors import Cancelled, MaxminError, SizeError, UnknownNameError
from maxmin.guts.card_deals import Deals
from maxmin.guts.card_hands import strengths
from maxmin.guts.card_rules import TIES
from maxmin.guts.result import Mixture
from maxmin.interrupt import Watch
from maxmin.limits import check_whole
from maxmin.tree import Floats

Dealer: TypeAlias = Callable[[Generator, int], Floats]
"""Deals so many rounds: (n_rounds, n_players), each hand the probability of a worse one."""

_Flags: TypeAlias = NDArray[np.bool_]

MOST_ROUNDS = 10_000
"""A game that is not over by then is broken off."""

MOST_GAMES = 200_000_000
"""What each brings is kept, in 8 bytes."""

_BLOCKS = 50
_LARGEST_BLOCK = 100_000
"""Games that are played side by side."""


@dataclass(frozen=True)
class Simulation:
    """What player 1's side won in games that were played.

    Attributes
    ----------
    games : int
        Played; fewer than asked for if stopped.
    mean, standard_error : float
        Of the side's gain in a game, in antes.
    median_of_means : float
        Of blocks of games.
    growth : float
        Mean square of the stakes' multiplier; from 1 on the variance is infinite, and the error means nothing.
    largest_pot : float
        In antes.
    rounds : float
        Per game, on average.
    unfinished : int
        Games that were broken off at the limit of rounds.
    seed : int
    seconds : float
    """

    games: int
    mean: float
    standard_error: float
    median_of_means: float
    growth: float
    largest_pot: float
    rounds: float
    unfinished: int
    seed: int
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """Return all fields; a standard error of a single game, which is infinite, becomes null."""
        numbers = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: number if math.isfinite(number) else None for name, number in numbers.items()}


def simulate(
    player: Mixture,
    coalition: Mixture,
    *,
    games: int,
    deal: Dealer | None = None,
    ties: str = "lot",
    weenie: bool = False,
    seed: int = 0,
    most_rounds: int = MOST_ROUNDS,
    callback: Callable[[int], object] | None = None,
) -> Simulation:
    """Play whole games of guts with chips, and count what player 1's side wins.

    Parameters
    ----------
    player, coalition
        Profiles of thresholds of each side and their probabilities; a profile is drawn anew each round. A player
        holds with a hand whose probability of a worse one is at least the threshold.
    games
        How many.
    deal
        Deals hands; uniform on [0, 1] if not given. `card_dealer` deals cards.
    ties, weenie
        See `maxmin.guts.card_rules`.
    seed
        The same seed plays the same games.
    most_rounds
        Of a game.
    callback
        Called with the number of games played now and then; returns False to stop. Ctrl-C stops too.

    Raises
    ------
    MaxminError
        If an argument makes no sense.
    SizeError
        If there are more than `MOST_GAMES` games.
    UnknownNameError
        If there is no such rule for ties.
    Cancelled
        If stopped before any game was played.

    Examples
    --------
    Both players always hold: who has the better hand wins 2 antes, and then 2 again, without end.

    >>> simulate([((0.0,), 1.0)], [((0.0,), 1.0)], games=10, most_rounds=100).unfinished
    10
    """
    for name, number, least in (("games", games, 1), ("seed", seed, 0), ("most_rounds", most_rounds, 1)):
        check_whole(name, number, least=least)
    if games > MOST_GAMES:
        raise SizeError(
            f"{games:,} games are more than fit: at most {MOST_GAMES:,}, with other seeds for more"
        )
    if ties not in TIES:
        raise UnknownNameError(f"there is no rule {ties!r} for ties: there are {', '.join(TIES)}")
    start = time.perf_counter()
    table = _Table(_Side(player), _Side(coalition), deal, ties, weenie, most_rounds)
    size = min(_LARGEST_BLOCK, math.ceil(games / _BLOCKS))
    gains: list[Floats] = []
    played = 0

    def report(done: float) -> object:
        return callback is None or callback(int(done))

    with Watch(None, report) as watch:
        while played < games and watch.keep_going(played):
            block = table.play(np.random.default_rng([seed, len(gains)]), min(size, games - played), watch)
            if block is None:
                break
            gains.append(block)
            played += len(block)
    if not played:
        raise Cancelled("stopped before a game was played")
    return table.summary(gains, seed, time.perf_counter() - start)


def card_dealer(deals: Deals) -> Dealer:
    """Return who deals three hands from the top of a shuffled deck."""
    n, size, below = 3 * deals.cards, deals.ranks * deals.suits, deals.drop
    strength = partial(strengths, ranks=deals.ranks, straights=deals.straights)
    known = strength(np.array(deals.classes))

    def deal(rng: Generator, rounds: int) -> Floats:
        table = np.arange(rounds)
        decks = np.tile(np.arange(size, dtype=np.int8), (rounds, 1))
        for place in range(n):
            drawn = rng.integers(place, size, rounds)
            card = decks[table, drawn]
            decks[table, drawn] = decks[:, place]
            decks[:, place] = card
        ranks = (decks[:, :n] // deals.suits).astype(np.int64)
        worse: Floats = below[np.searchsorted(known, strength(ranks.reshape(rounds, 3, deals.cards)))]
        return worse

    return deal


class _Side:
    """A side's mixture, to draw profiles from."""

    def __init__(self, mixture: Mixture) -> None:
        weights = np.array([weight for _, weight in mixture])
        lengths = {len(thresholds) for thresholds, _ in mixture}
        self.profiles = np.array([thresholds for thresholds, _ in mixture if len(lengths) == 1])
        if self.profiles.ndim != 2 or not ((self.profiles >= 0) & (self.profiles <= 1)).all():
            raise MaxminError("a mixture needs profiles of equal length, of thresholds in [0, 1]")
        if not (weights.min() >= 0 and abs(weights.sum() - 1) < 1e-6):
            raise MaxminError("probabilities of profiles must be at least 0 and sum to 1")
        self._weights = weights / weights.sum()

    def draw(self, rng: Generator, rounds: int) -> Floats:
        """Return a profile for each round: (n_rounds, n_players)."""
        drawn: Floats = self.profiles[rng.choice(len(self._weights), rounds, p=self._weights)]
        return drawn


class _Table:
    """Where games are played side by side; it counts rounds and pots."""

    def __init__(
        self,
        player: _Side,
        coalition: _Side,
        deal: Dealer | None,
        ties: str,
        weenie: bool,
        most_rounds: int,
    ) -> None:
        self._sides = player, coalition
        self._own = player.profiles.shape[1]
        self._players = self._own + coalition.profiles.shape[1]
        self._deal = deal or (lambda rng, rounds: rng.random((rounds, self._players)))
        self._ties, self._weenie, self._most_rounds = ties, weenie, most_rounds
        self._rounds = self._unfinished = 0
        self._squares, self._largest = 0.0, float(self._players)

    def play(self, rng: Generator, games: int, watch: Watch) -> Floats | None:
        """Play games to their end; return what player 1's side gains in each, None if stopped within it."""
        gains = np.full(games, -float(self._own))  # the antes
        pots = np.full(games, float(self._players))
        on = np.arange(games)
        for _ in range(self._most_rounds):
            if not watch.keep_going(0):
                return None
            thresholds = np.concatenate([side.draw(rng, len(on)) for side in self._sides], axis=1)
            hands = self._deal(rng, len(on))
            cash, times = round_with_chips(rng, hands, hands >= thresholds, self._ties, weenie=self._weenie)
            gains[on] += pots[on] * cash[:, : self._own].sum(axis=1)
            pots[on] *= times
            self._rounds += len(on)
            self._squares += float((times**2).sum())
            on = on[times > 0]
            if not len(on):
                return gains
            self._largest = max(self._largest, float(pots[on].max()))
        self._unfinished += len(on)
        gains[on] += pots[on] * self._own / self._players
        return gains

    def summary(self, blocks: list[Floats], seed: int, seconds: float) -> Simulation:
        """Return the statistics."""
        gains = np.concatenate(blocks)
        games = len(gains)
        return Simulation(
            games=games,
            mean=float(gains.mean()),
            standard_error=float(gains.std(ddof=1)) / math.sqrt(games) if games > 1 else math.inf,
            median_of_means=float(np.median([block.mean() for block in blocks])),
            growth=self._squares / self._rounds,
            largest_pot=self._largest,
            rounds=self._rounds / games,
            unfinished=self._unfinished,
            seed=seed,
            seconds=seconds,
        )


def round_with_chips(
    rng: Generator, hands: Floats, holds: _Flags, ties: str, *, weenie: bool
) -> tuple[Floats, Floats]:
    """Play a round on many tables: return what everybody takes less what he pays, and the next pot, in pots.

    Parameters
    ----------
    rng
        For lots.
    hands, holds : (n_tables, n_players)
    ties, weenie
        See `maxmin.guts.card_rules`.

    Returns
    -------
    cash : (n_tables, n_players) float64
    times : (n_tables,) float64
        0 where the game is over.
    """
    nobody: _Flags = np.logical_not(holds.any(axis=1))
    compared = holds | nobody[:, None]
    best = np.where(compared, hands, -1.0).max(axis=1)
    top: _Flags = np.logical_and(compared, hands == best[:, None])
    shares = _shares(rng, top, ties)
    pays = holds & ~(top if ties == "split" else shares > 0)
    cash = np.where(nobody[:, None], -shares if weenie else 0.0, shares - pays)
    times = np.where(nobody, 2.0 if weenie else 1.0, pays.sum(axis=1))
    return cash, times


def _shares(rng: Generator, top: _Flags, ties: str) -> Floats:
    """Return who gets how much of a pot for which the players in `top` tie."""
    if ties == "split":
        shares: Floats = top / top.sum(axis=1, keepdims=True)
        return shares
    if ties == "lot":
        place = np.argmax(top, axis=1)
        tied = np.flatnonzero(top.sum(axis=1) > 1)
        place[tied] = np.argmax(top[tied] * (1 + rng.random(top[tied].shape)), axis=1)
    elif ties == "first":
        place = np.argmax(top, axis=1)
    else:
        place = top.shape[1] - 1 - np.argmax(top[:, ::-1], axis=1)
    shares = np.zeros(top.shape)
    shares[np.arange(len(top)), place] = 1.0
    return shares
