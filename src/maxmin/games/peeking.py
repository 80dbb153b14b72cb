"""Peeking and detection, added to any game that deals hands first (after Metzner and Zwillinger 2020).

A player who cheats sees all hands before play (with ``sees=next``: the next player's). Player 1 cheats with
probability p, player 2 with q; in a game for two, player 1 checks on player 2 with probability r, player 2 on
player 1 with s. All four are independent moves of chance before the deal, in this order; one that is not
stated is left out, and one that is stated has two branches, also at 0 and at 1. Probabilities are common
knowledge. A player knows whether it cheats itself, and of the other's cheating only what `know` says. Play
goes on to its end as usual. A player has a catch if it checked and the other did cheat; if exactly one player
has one, it wins the `amount` whatever the cards and the betting; if both have, the money is returned.

What the paper leaves open is a parameter; the defaults are the readings that its text suggests most. With
``p=choice`` the cheating is a secret decision of the player, made before the deal, and not chance's.
"""

from collections.abc import Hashable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, NamedTuple, TypeAlias

from maxmin.errors import GameError
from maxmin.game import CHANCE, DealtGame, infoset_label
from maxmin.games.parameters import Parameter, Probability, Spec, Value, canonical_name, check_size
from maxmin.rational import Number

Odds: TypeAlias = Fraction | Decimal | float | str | None
"""How a probability is given: a number (a float as it is printed), text ("1/10", "0.1"), None for no such move."""

CHOICE = "choice"

CHEATING_PARAMETERS = (
    Probability("p", None, "how likely player 1 cheats (default: never)", choices=(CHOICE,)),
    Probability("q", None, "how likely player 2 cheats (default: never)", choices=(CHOICE,)),
    Probability("r", None, "how likely player 1 checks on player 2 (default: never)"),
    Probability("s", None, "how likely player 2 checks on player 1 (default: never)"),
    Parameter(
        "know",
        "before_hit",
        "what a checker knows while it plays: of a catch only; all that it found; nothing",
        choices=("before_hit", "before_full", "after"),
    ),
    Parameter(
        "amount",
        "matched",
        "what a catch wins: the smaller of both contributions; all that the other put in; the ante",
        choices=("matched", "pot", "ante"),
    ),
    Parameter(
        "draw",
        "both_caught",
        "when money is returned: both are caught; both cheat and at least one is caught",
        choices=("both_caught", "both_cheat"),
    ),
    Parameter("fold", "wins", "what a catch does for a player who folds", choices=("wins", "loses")),
    Parameter("announce", False, "whether players learn that they are checked", choices=(False, True)),
)
"""The parameters that peeking adds to a game."""


_PROBABILITIES = {each.name: each for each in CHEATING_PARAMETERS if isinstance(each, Probability)}

_MOVES: dict[str, tuple[Literal["cheat", "check"], int]] = {
    "p": ("cheat", 1),
    "q": ("cheat", 2),
    "r": ("check", 1),
    "s": ("check", 2),
}
"""What is done with each probability, and by which player."""


class Layer(NamedTuple):
    """A move before the deal: whether this player cheats, or checks on the other."""

    what: Literal["cheat", "check"]
    player: int
    odds: Fraction | str

    @property
    def names(self) -> tuple[str, str]:
        """What the two branches are called, the honest or unchecked one first."""
        yes, no = ("cheats", "is honest") if self.what == "cheat" else ("checks", "does not check")
        return f"{self.player} {no}", f"{self.player} {yes}"


class State(NamedTuple):
    """How the layers went so far, and the state of the game below them."""

    flags: tuple[bool, ...]
    below: Any


class Peeking:
    """A `Game`: another game, by name or rules, with cheating and detection; the head of this file has the rules.

    Rules of one's own must be a `DealtGame`; for r and s they need a method ``paid(public)``, which returns what
    each player has put in.
    """

    family = "peeking"
    parameters: tuple[Parameter, ...] = (
        Spec("game", "kuhn_poker", "the game that is played, for two players if they check"),
        *CHEATING_PARAMETERS,
        Parameter("sees", "all", "whose hands a cheat sees: all; the next player's", choices=("all", "next")),
    )

    def __init__(
        self,
        *,
        game: str | DealtGame[Any] = "kuhn_poker",
        p: Odds = None,
        q: Odds = None,
        r: Odds = None,
        s: Odds = None,
        know: str = "before_hit",
        amount: str = "matched",
        draw: str = "both_caught",
        fold: str = "wins",
        announce: bool = False,
        sees: str = "all",
    ) -> None:
        below = game if isinstance(game, DealtGame) else _make_dealt(self, game)
        options: dict[str, Value] = {
            "know": know,
            "amount": amount,
            "draw": draw,
            "fold": fold,
            "announce": announce,
            "sees": sees,
        }
        self._set_up(below, {"game": below.name}, {"p": p, "q": q, "r": r, "s": s}, options)

    def _set_up(
        self,
        game: DealtGame[Any],
        own: dict[str, Value],
        odds: dict[str, Odds],
        options: dict[str, Value],
    ) -> None:
        """Check all parameters, name the game, and list its layers."""
        values: dict[str, Any] = own | options
        values |= {name: _PROBABILITIES[name].read(value) for name, value in odds.items()}
        self.name = canonical_name(self.family, self.parameters, values)
        self.players = game.players
        self.game = game
        self.options = options
        self.layers = tuple(
            Layer(what, player, values[name])
            for name, (what, player) in _MOVES.items()
            if values[name] is not None
        )
        self._check_fits()

    def _check_fits(self) -> None:
        if self.players < max((layer.player for layer in self.layers), default=1):
            raise GameError(f"{self.name}: {self.game.name} has no player 2 to cheat")
        if any(layer.what == "check" for layer in self.layers):
            if self.players != 2:
                raise GameError(f"{self.name}: r and s need two players; {self.game.name} has {self.players}")
            if not hasattr(self.game, "paid"):
                raise GameError(
                    f"{self.name}: r and s need a game of contributions, such as kuhn_poker or leduc_poker, "
                    f"as a catch wins money; {self.game.name} has none"
                )
        check_size(self.name, getattr(self.game, "most_leaves", 1) * 2 ** len(self.layers))

    def root(self) -> State:
        """Return the state before the first layer."""
        return State((), None)

    def turn(self, state: State) -> int:
        """Go through the layers; then play the game below."""
        if len(state.flags) == len(self.layers):
            return self.game.turn(state.below)
        layer = self.layers[len(state.flags)]
        return layer.player if layer.odds == CHOICE else CHANCE

    def actions(self, state: State) -> Sequence[str]:
        """Name what the actor can do."""
        if len(state.flags) == len(self.layers):
            return self.game.actions(state.below)
        return self.layers[len(state.flags)].names

    def chance(self, state: State) -> Sequence[tuple[str, Number]]:
        """Name the two branches of a layer, or the moves of chance of the game below."""
        if len(state.flags) == len(self.layers):
            return self.game.chance(state.below)
        layer = self.layers[len(state.flags)]
        odds = Fraction(layer.odds)
        return list(zip(layer.names, (1 - odds, odds), strict=True))

    def child(self, state: State, action: str) -> State:
        """Return the state that follows."""
        if len(state.flags) == len(self.layers):
            return State(state.flags, self.game.child(state.below, action))
        names = self.layers[len(state.flags)].names
        if action not in names:
            raise GameError(f"{self.name}: there is no move {action!r}, only {' and '.join(names)}")
        return State((*state.flags, action == names[1]), state.below)

    def infoset(self, state: State) -> Hashable:
        """Return the hand, what else the player knows (in brackets), and the public history, in words."""
        player = self.turn(state)
        if len(state.flags) < len(self.layers):
            return "before the deal"
        hands, public = state.below
        view = self._view(player, state.flags, hands)
        return infoset_label(view, self.game.history(public))

    def payoffs(self, state: State) -> Sequence[Number]:
        """Pay the catches, if any; else what the game below pays."""
        winner = self._winner(state)
        if winner is None:
            return self.game.payoffs(state.below)
        if winner == 0:
            return (0, 0)
        amount = self._amount(state, loser=3 - winner)
        return (amount, -amount) if winner == 1 else (-amount, amount)

    def _did(self, what: str, player: int, flags: tuple[bool, ...]) -> bool:
        """Say whether a player cheats, or checks."""
        return any(
            flag and layer.what == what and layer.player == player
            for flag, layer in zip(flags, self.layers, strict=True)
        )

    def _view(self, player: int, flags: tuple[bool, ...], hands: tuple[str, ...]) -> str:
        """Say what a player knows before the betting: its hand, and in brackets what it has found out."""
        known = []
        if self._did("cheat", player, flags):
            others = hands[player:] + hands[: player - 1]
            known.append(f"sees {' '.join(others[:1] if self.options['sees'] == 'next' else others)}")
        if self._did("check", player, flags):
            caught = self._did("cheat", 3 - player, flags)
            if self.options["know"] == "before_full":
                known.append("caught" if caught else "clean")
            elif self.options["know"] == "before_hit" and caught:
                known.append("caught")
        if self.options["announce"] and self._did("check", 3 - player, flags):
            known.append("checked")
        return hands[player - 1] + (f" ({', '.join(known)})" if known else "")

    def _winner(self, state: State) -> int | None:
        """Return who wins by a catch: a player, 0 if money is returned, None if nobody has a catch."""
        catchers = [player for player in (1, 2) if self._catches(player, state)]
        if not catchers:
            return None
        both_cheat = all(self._did("cheat", player, state.flags) for player in (1, 2))
        if len(catchers) == 2 or (both_cheat and self.options["draw"] == "both_cheat"):
            return 0
        return catchers[0]

    def _catches(self, player: int, state: State) -> bool:
        caught = self._did("check", player, state.flags) and self._did("cheat", 3 - player, state.flags)
        if not caught or self.options["fold"] == "wins":
            return caught
        # Unequal contributions at the end mean that the player who put in less has folded.
        paid = self._paid(state)
        return paid[player - 1] >= paid[2 - player]

    def _amount(self, state: State, *, loser: int) -> int:
        paid = self._paid(state)
        if self.options["amount"] == "ante":
            return min(self._paid_at(self.game.start()))
        return min(paid) if self.options["amount"] == "matched" else paid[loser - 1]

    def _paid(self, state: State) -> tuple[int, ...]:
        return self._paid_at(state.below[1])

    def _paid_at(self, public: Any) -> tuple[int, ...]:
        paid: tuple[int, ...] = self.game.paid(public)  # type: ignore[attr-defined]
        return paid


def _make_dealt(peeking: Peeking, spec: str) -> DealtGame[Any]:
    """Make the game that is to be played."""
    from maxmin.games import make_game

    peeking.parameters[0].check(peeking.family, spec)
    game = make_game(spec)
    if not isinstance(game, DealtGame):
        raise GameError(f"{peeking.family}: {game.name} deals no hands first, so there is nothing to peek at")
    return game
