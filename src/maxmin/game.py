"""The rules of a game, as a person writes them: `Game`, its shorthand `DealtGame`, and `check_game`."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from numbers import Integral
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from maxmin.errors import GameError
from maxmin.rational import Exact, Number, exact

CHANCE = 0
"""The player number of chance; players are 1, 2, ..., n."""

OVER = -1
"""What `Game.turn` says of a state in which the game has ended."""

ROUNDING = 1e-6
"""Chance probabilities may miss 1 by so much: a tree scales them, with a warning."""

Public = TypeVar("Public", bound=Hashable)


@runtime_checkable
class Game(Protocol):
    """The rules of a game. Any class with these members is a game; nothing needs to be inherited.

    A state may be of any type. Methods must not change a state, and must answer the same every time.
    """

    @property
    def name(self) -> str:
        """What the game is called in reports and files."""

    @property
    def players(self) -> int:
        """How many players there are; they are numbered 1..players."""

    def root(self) -> Any:
        """Return the state in which the game starts."""

    def turn(self, state: Any) -> int:
        """Say who acts: a player's number, `CHANCE` (0), or `OVER` (-1)."""

    def actions(self, state: Any) -> Sequence[str]:
        """Name the actions of the player who acts; the same for all states of one infoset."""

    def chance(self, state: Any) -> Sequence[tuple[str, Number]]:
        """Name the outcomes of a chance move, each with its probability; they sum to 1."""

    def child(self, state: Any, action: str) -> Any:
        """Return the state that follows an action or a chance outcome."""

    def infoset(self, state: Any) -> Hashable:
        """Say all that the player who acts knows: states of one player with equal answers are one infoset."""

    def payoffs(self, state: Any) -> Sequence[Number]:
        """Return what each player gets, player 1 first, in a state in which the game is over."""


class DealtGame(ABC, Generic[Public]):
    """A game that deals a hidden hand to every player first and plays in the open from then on.

    Poker and liar's dice are of this kind. The rules speak of the public state alone, so they are shorter
    than those of a `Game`, and the tree is built without walking every deal. A `DealtGame` is a `Game`;
    its states are ``None`` (before the deal) and ``(hands, public state)``.
    """

    name: str
    players: int

    @abstractmethod
    def deals(self) -> Sequence[tuple[tuple[str, ...], Number]]:
        """List the deals: one hand per player (what that player sees), and the probability."""

    @abstractmethod
    def start(self) -> Public:
        """Return the public state after the deal."""

    @abstractmethod
    def public_turn(self, public: Public) -> int:
        """Say who acts: a player's number, `CHANCE`, or `OVER`."""

    @abstractmethod
    def moves(self, public: Public) -> Sequence[str]:
        """Name the actions of the player who acts; they never depend on the hand."""

    def draws(self, public: Public, hands: tuple[str, ...]) -> Sequence[tuple[str, Number]]:
        """List the outcomes of a public chance move, with their probabilities given the hands."""
        raise GameError(
            f"{self.name}, after {self.history(public)!r}: a chance move, but no draws() are written"
        )

    @abstractmethod
    def after(self, public: Public, move: str) -> Public:
        """Return the public state that follows a move or a draw."""

    @abstractmethod
    def history(self, public: Public) -> str:
        """Describe in words what everybody has seen; different public states need different words."""

    @abstractmethod
    def result(self, public: Public) -> Hashable:
        """Return what the payoffs of a finished public state depend on, besides the hands."""

    def verdict(self, result: Any, hands: tuple[str, ...]) -> Any:
        """Return what the hands decide, given the result, such as who wins; by default the hands themselves.

        Must be hashable. Deals with the same verdict have the same payoffs, which are then asked for once.
        """
        return hands

    @abstractmethod
    def settle(self, result: Any, verdict: Any) -> Sequence[Number]:
        """Return what each player gets, given the result and the verdict (the hands, if that is not defined)."""

    def root(self) -> None:
        """Return the state before the deal."""
        return None

    def turn(self, state: Any) -> int:
        """Say who acts."""
        return CHANCE if state is None else self.public_turn(state[1])

    def actions(self, state: Any) -> Sequence[str]:
        """Name the actions of the player who acts."""
        return self.moves(state[1])

    def chance(self, state: Any) -> Sequence[tuple[str, Number]]:
        """Name the deals at the root, the draws later."""
        if state is None:
            return [(deal_label(hands), probability) for hands, probability in self.deals()]
        hands, public = state
        return [(draw, probability) for draw, probability in self.draws(public, hands) if probability]

    def child(self, state: Any, action: str) -> Any:
        """Return the state that follows."""
        if state is not None:
            hands, public = state
            return hands, self.after(public, action)
        if action not in self._hands_of:
            raise GameError(f"{self.name}: there is no deal {action!r}")
        return self._hands_of[action], self.start()

    def infoset(self, state: Any) -> Hashable:
        """Return the hand of the player who acts and the public history, in words."""
        hands, public = state
        return infoset_label(hands[self.public_turn(public) - 1], self.history(public))

    def payoffs(self, state: Any) -> Sequence[Number]:
        """Return what each player gets."""
        hands, public = state
        result = self.result(public)
        return self.settle(result, self.verdict(result, hands))

    @cached_property
    def _hands_of(self) -> dict[str, tuple[str, ...]]:
        return {deal_label(hands): hands for hands, _ in self.deals()}


def deal_label(hands: Sequence[str]) -> str:
    """Return the name of the chance outcome that deals these hands."""
    return " ".join(hands)


def infoset_label(hand: str, history: str) -> str:
    """Return what a player knows who holds `hand` after the public `history`, in words."""
    return f"{hand} {history}".strip()


def check_game(game: Game, *, most_states: int = 100_000) -> int:
    """Walk a game from its root and raise at the first thing that is wrong with it.

    Checked: members and their types, players' numbers, actions (some, named, different), chance
    probabilities, payoffs (one per player, finite), the same actions all over an infoset, that asking twice
    gives the same answers and that `child` leaves the state it is given alone. Recall and
    constant sums are properties, not faults: see `maxmin.properties`.

    Parameters
    ----------
    game
        The rules.
    most_states
        Stop after so many states; the check is then partial.

    Returns
    -------
    int
        How many states were checked.

    Raises
    ------
    GameError
        With the history that leads to the fault.
    """
    if isinstance(game, type):
        raise GameError(f"{game.__name__} is a class: make a game of it, {game.__name__}()")
    if not isinstance(game, Game):
        missing = [name for name in _MEMBERS if not hasattr(game, name)]
        raise GameError(f"{type(game).__name__} is not a Game: it lacks {', '.join(missing)}")
    if not isinstance(game.name, str):
        raise GameError(f"{type(game).__name__}: name must be a string, not {game.name!r}")
    if type(game.players) is not int or game.players < 1:
        raise GameError(f"{game.name}: players must be a whole number from 1 up, not {game.players!r}")
    if isinstance(game, DealtGame):
        _check_deals(game)
    infosets: dict[tuple[int, Hashable], list[str]] = {}
    checked = 0
    for state, history in _walk(game):
        _check_state(game, state, history, infosets)
        checked += 1
        if checked >= most_states:
            break
    return checked


_MEMBERS = ("name", "players", "root", "turn", "actions", "chance", "child", "infoset", "payoffs")


def _check_deals(game: DealtGame[Any]) -> None:
    for deal in _listed(game.deals(), f"{game.name}: deals()"):
        hands = deal[0] if isinstance(deal, tuple) and len(deal) == 2 else None
        if not isinstance(hands, Iterable) or not all(isinstance(hand, str) for hand in hands):
            raise GameError(
                f"{game.name}: deals() must list pairs (one hand per player, probability), "
                f"each hand a string, not {deal!r}"
            )


def _walk(game: Game) -> Iterator[tuple[Any, tuple[str, ...]]]:
    stack: list[tuple[Any, tuple[str, ...]]] = [(game.root(), ())]
    while stack:
        state, history = stack.pop()
        yield state, history
        before = _answers(game, state)
        if before is None:
            continue
        children = [(game.child(state, label), (*history, label)) for label in before[1]]
        if _answers(game, state) != before:
            raise GameError(
                f"{_where(game, history)}: the state answers differently after child(); "
                "child() must return a new state and leave the old one alone"
            )
        stack.extend(reversed(children))


def _answers(game: Game, state: Any) -> tuple[int, list[str], Hashable] | None:
    """Return what the rules say of a state in which the game goes on; None if it is over."""
    turn = game.turn(state)
    if turn == OVER:
        return None
    if turn == CHANCE:
        return turn, [label for label, _ in game.chance(state)], None
    return turn, list(game.actions(state)), game.infoset(state)


def _where(game: Game, history: tuple[str, ...]) -> str:
    return f"{game.name}, after {' / '.join(history) or 'nothing'}"


def _check_state(
    game: Game, state: Any, history: tuple[str, ...], infosets: dict[tuple[int, Hashable], list[str]]
) -> None:
    where = _where(game, history)
    turn = game.turn(state)
    if turn != game.turn(state):
        raise GameError(f"{where}: turn() answers differently when asked twice")
    if turn == OVER:
        _check_payoffs(game, state, where)
    elif turn == CHANCE:
        _check_chance(game, state, where)
    elif isinstance(turn, Integral) and 1 <= turn <= game.players:
        _check_decision(game, state, where, infosets)
    else:
        raise GameError(
            f"{where}: turn() says {turn!r}; it must be 0 (chance), 1..{game.players} or -1 (over)"
        )


def _check_payoffs(game: Game, state: Any, where: str) -> None:
    payoffs = _listed(game.payoffs(state), f"{where}: payoffs()")
    if len(payoffs) != game.players:
        raise GameError(f"{where}: {len(payoffs)} payoffs for {game.players} players")
    for player, payoff in enumerate(payoffs, 1):
        _check_number(payoff, f"{where}: the payoff of player {player}")


def _check_chance(game: Game, state: Any, where: str) -> None:
    outcomes = _listed(game.chance(state), f"{where}: chance()")
    if not all(isinstance(outcome, tuple) and len(outcome) == 2 for outcome in outcomes):
        raise GameError(f"{where}: chance() must list pairs (name, probability), not {outcomes!r}")
    if not outcomes:
        raise GameError(
            f"{where}: nothing can happen, but the game is not over: turn() says {CHANCE}, which is chance "
            "(players count from 1), and chance() lists nothing"
        )
    _check_labels([label for label, _ in outcomes], where)
    probabilities = [_check_number(odds, f"{where}: the probability of {label}") for label, odds in outcomes]
    if any(probability < 0 for probability in probabilities):
        raise GameError(f"{where}: a chance outcome has a negative probability")
    total = float(sum(probabilities))
    if abs(total - 1) > ROUNDING:
        raise GameError(f"{where}: chance probabilities sum to {total:.12g}, not 1")


def _check_decision(
    game: Game, state: Any, where: str, infosets: dict[tuple[int, Hashable], list[str]]
) -> None:
    actions = _listed(game.actions(state), f"{where}: actions()")
    _check_labels(actions, where)
    if actions != list(game.actions(state)):
        raise GameError(f"{where}: actions() answers differently when asked twice")
    key = (game.turn(state), game.infoset(state))
    if key[1] != game.infoset(state):
        raise GameError(f"{where}: infoset() answers differently when asked twice")
    try:
        before = infosets.setdefault(key, actions)
    except TypeError:
        raise GameError(f"{where}: infoset() must be hashable, not {type(key[1]).__name__}") from None
    if before != actions:
        raise GameError(
            f"{where}: infoset {key[1]!r} of player {key[0]} has actions {actions}, elsewhere {before}"
        )


def _listed(answer: Any, what: str) -> list[Any]:
    if isinstance(answer, str | Mapping | Set) or not isinstance(answer, Iterable):
        raise GameError(f"{what} must return a list or a tuple, not {answer!r}")
    return list(answer)


def _check_number(number: Any, what: str) -> Exact:
    try:
        return exact(number)
    except GameError as error:
        raise GameError(f"{what}: {error}") from None


def _check_labels(labels: list[str], where: str) -> None:
    if not labels:
        raise GameError(f"{where}: nothing can be done, but the game is not over")
    if not all(isinstance(label, str) for label in labels):
        raise GameError(f"{where}: actions and outcomes must be named by strings, not {labels!r}")
    if len(set(labels)) < len(labels):
        raise GameError(f"{where}: two actions have the same name: {labels}")
