"""Games of a few leaves with known values, for tests, docs and teaching.

Every class states `team`, the players on whose side its `value` is counted, and proves the value. The value
is that of mixed plans agreed beforehand (TMECor, for a team); where members who randomize each on their own,
or a player who forgets her own draw, get less or more, the proof says how much.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar, NamedTuple

from maxmin.errors import GameError
from maxmin.game import CHANCE, OVER
from maxmin.games.parameters import Parameter

Moves = tuple[str, ...]
"""A state: the moves so far, chance's included."""

HALF = Fraction(1, 2)


class Stage(NamedTuple):
    """One move of a game in which the same players always move in the same order.

    Attributes
    ----------
    name : str
        What is done, in one word.
    player : int
        Who moves; 0 is chance, whose outcomes are equally likely.
    moves : tuple of str
    sees : tuple of int
        The numbers of the earlier stages whose moves the player knows.
    """

    name: str
    player: int
    moves: Moves
    sees: tuple[int, ...] = ()


class StagedGame:
    """A `Game` given by its stages; subclasses add the payoffs."""

    name: ClassVar[str]
    players: ClassVar[int]
    team: ClassVar[tuple[int, ...]] = (1,)
    value: ClassVar[Fraction] = Fraction(0)
    stages: ClassVar[tuple[Stage, ...]]
    parameters: ClassVar[tuple[Parameter, ...]] = ()

    def root(self) -> Moves:
        """Return no moves."""
        return ()

    def turn(self, state: Moves) -> int:
        """Take the stages in order."""
        return OVER if len(state) == len(self.stages) else self.stages[len(state)].player

    def actions(self, state: Moves) -> Sequence[str]:
        """Return the stage's moves."""
        return self.stages[len(state)].moves

    def chance(self, state: Moves) -> Sequence[tuple[str, Fraction]]:
        """Return the stage's moves, equally likely."""
        moves = self.stages[len(state)].moves
        return [(move, Fraction(1, len(moves))) for move in moves]

    def child(self, state: Moves, action: str) -> Moves:
        """Append the move."""
        if action not in self.stages[len(state)].moves:
            raise GameError(
                f"{self.name}, after {' / '.join(state) or 'nothing'}: there is no move {action!r}"
            )
        return (*state, action)

    def infoset(self, state: Moves) -> str:
        """Return the stage's name and the moves that its player knows."""
        stage = self.stages[len(state)]
        return " ".join([stage.name, *(state[seen] for seen in stage.sees)])


class MatchingPennies(StagedGame):
    """Two players show a penny each; player 1 wins 1 if they match, else player 2 does (von Neumann 1928).

    Value 0: each can toss the coin, after which every reply is worth 0.
    """

    name = "matching_pennies"
    players = 2
    stages = (Stage("show", 1, ("heads", "tails")), Stage("show", 2, ("heads", "tails")))

    def payoffs(self, state: Moves) -> Sequence[int]:
        """Pay 1 to the winner."""
        return (1, -1) if state[0] == state[1] else (-1, 1)


class RockPaperScissors(StagedGame):
    """Rock blunts scissors, scissors cut paper, paper wraps rock; the winner gets 1 from the loser.

    Value 0: each can play the three equally likely, after which every reply is worth 0.
    """

    name = "rock_paper_scissors"
    players = 2
    stages = (
        Stage("show", 1, ("rock", "paper", "scissors")),
        Stage("show", 2, ("rock", "paper", "scissors")),
    )

    def payoffs(self, state: Moves) -> Sequence[int]:
        """Pay 1 to the winner."""
        first, second = (self.stages[0].moves.index(move) for move in state)
        return ((0, 0), (1, -1), (-1, 1))[(first - second) % 3]


class HideAndSeek(StagedGame):
    """Two hiders choose a side each, unseen; if it is the same and the seeker looks on the other, they win 1.

    The winners share: 1/2 each, from the seeker (player 3); in all other cases nobody gets anything.

    Value 1/2 for the team {1, 2}: it tosses one coin beforehand, so it hides together, and the seeker is
    wrong half of the time. No more: a seeker who tosses a coin is right half of the time when they hide
    together. Hiders who randomize on their own, left with p and q, get min(pq, (1 - p)(1 - q)) against the
    best seeker: at most 1/4, since the product of the two is p(1 - p) q(1 - q) <= 1/16; and 1/4 at
    p = q = 1/2. So TME is 1/4, TMECor 1/2.
    """

    name = "hide_and_seek"
    players = 3
    team = (1, 2)
    value = HALF
    stages = (
        Stage("hide", 1, ("left", "right")),
        Stage("hide", 2, ("left", "right")),
        Stage("seek", 3, ("left", "right")),
    )

    def payoffs(self, state: Moves) -> Sequence[int | Fraction]:
        """Pay the hiders 1/2 each if they are together and not found."""
        return (HALF, HALF, -1) if state[0] == state[1] != state[2] else (0, 0, 0)


class OneTimePad(StagedGame):
    """Player 1 sees a coin and says a word that everybody hears; players 2 and 3 then guess the coin, unseen.

    If only one of them is right, that side wins 1 from the other, the team {1, 2} sharing equally.

    Value 1/2 for the team: it draws a key beforehand and says the coin in cipher (the same word or the
    other), so player 2 knows the coin and player 3 nothing: 2 is right always, 3 half of the time (Shannon's
    perfect secrecy, 1949). No more: a player 3 who tosses a coin is wrong only half of the time. Members who
    randomize on their own, in ways known to all, get 0 (TME): player 3 can guess exactly as player 2 does,
    which makes the two sides equally often right alone; and if player 1 always says heads and player 2 tosses
    a coin, player 3 too is right half of the time, whatever she does.
    """

    name = "one_time_pad"
    players = 3
    team = (1, 2)
    value = HALF
    stages = (
        Stage("toss", CHANCE, ("heads", "tails")),
        Stage("say", 1, ("heads", "tails"), (0,)),
        Stage("guess", 2, ("heads", "tails"), (1,)),
        Stage("guess", 3, ("heads", "tails"), (1,)),
    )

    def payoffs(self, state: Moves) -> Sequence[int | Fraction]:
        """Pay the side that alone is right."""
        coin, _, ours, theirs = state
        won = (ours == coin) - (theirs == coin)
        return (Fraction(won, 2), Fraction(won, 2), -won)


class PrivateSignal(StagedGame):
    """Player 1 sees a coin and stakes 1 or 2, unseen; players 2 and 3, who know nothing, guess the coin.

    If only one of them is right, that side wins the stake from the other, the team {1, 2} sharing equally.

    Value 1/4 for the team: it draws a side k beforehand; player 1 stakes 2 if the coin shows k, else 1, and
    player 2 guesses k. If player 3 guesses k too, nothing is won; else 2 is won or 1 lost, each half of the
    time: (0 + 1/2) / 2 = 1/4. No more: against a player 3 who tosses a coin, player 2's guess is independent
    of the coin and the guesses differ half of the time, when the team then wins at most 2 with a right guess
    and loses at least 1 with a wrong one. Members who randomize on their own get 0 (TME).

    What player 1 sees must stay with player 1: a solver that lets the coordinator's belief split by it has
    player 2 guess right always, at stake 2, and reports 1.
    """

    name = "private_signal"
    players = 3
    team = (1, 2)
    value = Fraction(1, 4)
    stages = (
        Stage("toss", CHANCE, ("heads", "tails")),
        Stage("stake", 1, ("one", "two"), (0,)),
        Stage("guess", 2, ("heads", "tails")),
        Stage("guess", 3, ("heads", "tails")),
    )

    def payoffs(self, state: Moves) -> Sequence[int | Fraction]:
        """Pay the stake to the side that alone is right."""
        coin, stake, ours, theirs = state
        won = ((ours == coin) - (theirs == coin)) * (1 if stake == "one" else 2)
        return (Fraction(won, 2), Fraction(won, 2), -won)


class ForgetfulPlayer(StagedGame):
    """A player who forgets (after Kuhn 1953, where two agents are one player): imperfect recall.

    A high and a low card are dealt to the two players. The high one wins 1 and stops, or goes on; then player
    1, who has forgotten the deal and who went on, keeps or swaps the cards, and the high one wins 1 again.

    Value 1/4 for player 1. Mix the plans (stop, swap) and (go on, keep) equally: against a player 2 who stops
    they get 0 and 1/2, against one who goes on 1/2 and 0. No more: if player 2 stops half of the time, the
    four plans get 1/4, 1/4, -1/4, -1/4. A behavior strategy (stop with p, keep with q, independently) gets
    (1 - p)(2q - 1)/2 or -p(2q - 1)/2: at best 0. Behavior strategies are not enough without perfect recall.
    """

    name = "forgetful_player"
    players = 2
    value = Fraction(1, 4)
    stages = (
        Stage("deal", CHANCE, ("high to 1", "high to 2")),
        Stage("holds high", 1, ("stop", "go on")),
        Stage("somebody went on", 1, ("keep", "swap")),
    )

    def turn(self, state: Moves) -> int:
        """Let whoever holds the high card stop or go on."""
        if len(state) == 1:
            return _holder(state)
        return OVER if state[1:] == ("stop",) else super().turn(state)

    def payoffs(self, state: Moves) -> Sequence[int]:
        """Pay 1 for the deal and 1 for what came after it."""
        won = 1 if _holder(state) == 1 else -1
        if "keep" in state:
            won *= 2
        elif "swap" in state:
            won = 0
        return (won, -won)


def _holder(state: Moves) -> int:
    return int(state[0][-1])


class AbsentMindedDriver(StagedGame):
    """The absent-minded driver (Piccione and Rubinstein 1997): one infoset twice on the same path.

    Player 1 drives past two exits that look the same and cannot tell which she is at. Leaving at the first is
    worth 0, at the second 4, missing both 1. Player 2 never moves and pays.

    A plan fixes one action for both exits, so mixtures of plans get at most 1, the value here. A behavior
    strategy that goes on with p gets p(4 - 3p): 4/3 at p = 2/3. So behavior strategies can do better than all
    mixed ones, and the game has no sequence form and is not timeable: it is here to be refused.
    """

    name = "absent_minded_driver"
    players = 2
    value = Fraction(1)
    stages = (Stage("exit", 1, ("leave", "go on")), Stage("exit", 1, ("leave", "go on")))

    def turn(self, state: Moves) -> int:
        """Ask at both exits unless the first is taken."""
        return OVER if "leave" in state else super().turn(state)

    def payoffs(self, state: Moves) -> Sequence[int]:
        """Return 0, 4 or 1."""
        won = {("leave",): 0, ("go on", "leave"): 4, ("go on", "go on"): 1}[state]
        return (won, -won)
