"""The tree of a `DealtGame`: each public state is visited once, its copies (one per deal) are laid out as arrays.

Gives the same tree, node by node, as walking all histories one by one.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmin.errors import GameError, SizeError
from maxmin.game import CHANCE, OVER, DealtGame, Game, deal_label, infoset_label
from maxmin.rational import Exact, Number, NumberTable, exact
from maxmin.tree import GameTree, Ints, player_names

_MOST_STATES = 10_000_000
"""Rules with more states are refused: their tree would not fit into common memories, or never end."""


def expand_deals(game: DealtGame[Any]) -> GameTree:
    """Lay out a game that deals first, over all deals at once."""
    deals = game.deals()
    hands = [tuple(hand) for hand, _ in deals]
    _check_deals(game, hands, [exact(probability) for _, probability in deals])
    public = _PublicTree(game, hands, [probability for _, probability in deals])
    nodes = _lay_out(public)
    turn = np.array(public.turn, dtype=np.int32)[nodes.public]
    infosets = _number_infosets(public, nodes, turn)
    leaves = np.flatnonzero(turn == OVER) + 1
    label_of: dict[str, int] = {}
    deal_labels = [label_of.setdefault(deal_label(hand), len(label_of)) for hand in hands]
    move_labels = [label_of.setdefault(move, len(label_of)) for move in public.move]
    label = np.array(move_labels, dtype=np.int32)[nodes.public]
    label[: len(hands)] = deal_labels
    payoff_number = _settle(public, nodes, leaves)
    n_children = np.bincount(nodes.parent, minlength=len(nodes.parent) + 1).astype(np.int32)
    return GameTree(
        name=game.name,
        player_names=player_names(game.players),
        parent=_after_root(-1, nodes.parent),
        player=_after_root(CHANCE, turn),
        infoset=_after_root(-1, infosets.infoset),
        action=_after_root(-1, nodes.action),
        first_child=(np.cumsum(n_children) - n_children + 1).astype(np.int32),
        n_children=n_children,
        label=_after_root(-1, label),
        labels=tuple(label_of),
        infoset_player=infosets.player,
        infoset_labels=infosets.labels,
        infoset_actions=infosets.actions,
        leaves=leaves.astype(np.int32),
        numbers=tuple(public.numbers.numbers),
        probability_number=_after_root(public.one, nodes.odds),
        payoff_number=payoff_number,
    )


def _after_root(root: int, rest: Ints) -> Ints:
    return np.concatenate([np.array([root], dtype=np.int32), rest.astype(np.int32)])


def _check_deals(game: DealtGame[Any], hands: list[tuple[str, ...]], odds: list[Exact]) -> None:
    _check_odds(odds, f"{game.name}, the deal")
    if len(set(hands)) < len(hands):
        raise GameError(f"{game.name}: a deal is listed twice")
    for hand in hands:
        if len(hand) != game.players:
            raise GameError(f"{game.name}: the deal {deal_label(hand)!r} is not one hand for each player")


class _Steps:
    """How the deals come to a public state: by which move, with what probability, and which deals can.

    Many states share a step, so each is kept once and known by its number.
    """

    def __init__(self) -> None:
        self._rows: list[tuple[Ints, Ints, NDArray[np.bool_]]] = []
        self._index: dict[bytes, int] = {}
        self._moves: dict[tuple[int, int], list[int]] = {}

    def add(self, actions: Ints, odds: Ints, alive: NDArray[np.bool_]) -> int:
        """Return a step's number: per deal its move's index, that probability's number, whether it can."""
        key = actions.tobytes() + odds.tobytes() + alive.tobytes()
        number = self._index.setdefault(key, len(self._rows))
        if number == len(self._rows):
            self._rows.append((actions, odds, alive))
        return number

    def moves(self, above: int, n_moves: int, one: int) -> list[int]:
        """Return the steps by which all deals that came by `above` make the moves 0 .. n_moves - 1."""
        numbers = self._moves.get((above, n_moves))
        if numbers is None:
            alive = self._rows[above][2]
            odds = np.full(len(alive), one, dtype=np.int32)
            numbers = [self.add(np.full_like(odds, index), odds, alive) for index in range(n_moves)]
            self._moves[above, n_moves] = numbers
        return numbers

    def alive(self, number: int) -> list[int]:
        """List the deals that come by a step."""
        return np.flatnonzero(self._rows[number][2]).tolist()

    def tables(self) -> tuple[Ints, Ints, NDArray[np.bool_]]:
        """Return actions, odds and alive of all steps, each (n_steps, n_deals)."""
        actions, odds, alive = zip(*self._rows, strict=True)
        return np.stack(actions), np.stack(odds), np.stack(alive)


class _PublicTree:
    """The public states of a `DealtGame`, breadth first, as parallel lists.

    Where each comes from (`parent`, `move`, `step`), who acts (`turn`) and what then matters: the `moves` and
    `history` of a player who acts, or the number of the `result`. `levels` holds the first state of each
    depth and the number of states.
    """

    def __init__(self, game: DealtGame[Any], hands: list[tuple[str, ...]], odds: Sequence[Number]) -> None:
        self.game = game
        self.hands = hands
        self.numbers = NumberTable()
        self.steps = _Steps()
        self.parent = [-1]
        self.move = [""]
        self.step = [self._deal(odds)]
        self.turn: list[int] = []
        self.moves: list[tuple[str, ...]] = []
        self.history: list[str] = []
        self.result: list[int] = []
        self.results: dict[Hashable, int] = {}
        self.levels = [0]
        self._checked: set[tuple[tuple[str, int], ...]] = set()
        self._told: set[tuple[int, str]] = set()
        self.one = self.numbers.index(1)
        self._walk()

    def _deal(self, odds: Sequence[Number]) -> int:
        numbers = np.array([self.numbers.index(probability) for probability in odds], dtype=np.int32)
        return self.steps.add(np.arange(len(odds), dtype=np.int32), numbers, np.ones(len(odds), dtype=bool))

    def _walk(self) -> None:
        game = self.game
        level = [game.start()]
        while level:
            below: list[Any] = []
            for node, state in enumerate(level, self.levels[-1]):
                turn = game.public_turn(state)
                moves: tuple[str, ...] = ()
                history, result = "", -1
                ways: Sequence[str] = ()
                if turn == OVER:
                    result = self._settle(game.result(state))
                elif turn == CHANCE:
                    drawn = dict(self._draw(state, self.step[node]))
                    ways = tuple(drawn)
                    self.step += drawn.values()
                else:
                    moves, history = self._decide(state, turn)
                    ways = moves
                    self.step += self.steps.moves(self.step[node], len(moves), self.one)
                self.turn.append(turn)
                self.moves.append(moves)
                self.history.append(history)
                self.result.append(result)
                if ways:
                    self.parent += [node] * len(ways)
                    self.move += ways
                    below += [game.after(state, move) for move in ways]
            self.levels.append(self.levels[-1] + len(level))
            check_states(game, self.levels[-1] * len(self.hands))
            level = below

    def _settle(self, result: Hashable) -> int:
        try:
            return self.results.setdefault(result, len(self.results))
        except TypeError:
            name = type(result).__name__
            raise GameError(f"{self.game.name}: result() must be hashable, not {name}") from None

    def _decide(self, state: Any, turn: int) -> tuple[tuple[str, ...], str]:
        """Return the moves and the history of a state in which a player acts, after checking them."""
        moves = tuple(self.game.moves(state))
        history = self.game.history(state)
        if not 1 <= turn <= self.game.players:
            raise GameError(f"{self._after(state)}: player {turn} of {self.game.players}")
        if not moves or len(set(moves)) < len(moves):
            raise GameError(f"{self._after(state)}: moves {list(moves)} are not a choice")
        if (turn, history) in self._told:
            raise GameError(f"{self._after(state)}: two public states are described in the same words")
        self._told.add((turn, history))
        return moves, history

    def _after(self, state: Any) -> str:
        return f"{self.game.name}, after {self.game.history(state)!r}"

    def _draw(self, state: Any, above: int) -> Iterator[tuple[str, int]]:
        """Yield the draws that any deal allows, each with the number of its step."""
        children: dict[str, list[tuple[int, int, int]]] = {}
        for deal in self.steps.alive(above):
            listed = self.game.draws(state, self.hands[deal])
            try:
                draws = [(draw, self.numbers.index(odds)) for draw, odds in listed if odds]
            except GameError as error:
                raise GameError(f"{self._after(state)}, the draw: {error}") from None
            self._check_draws(state, tuple(draws))
            for index, (draw, number) in enumerate(draws):
                children.setdefault(draw, []).append((deal, index, number))
        for draw, entries in children.items():
            deals, indices, numbers = np.array(entries, dtype=np.int32).T
            step = np.zeros((2, len(self.hands)), dtype=np.int32)
            step[:, deals] = indices, numbers
            alive = np.zeros(len(self.hands), dtype=bool)
            alive[deals] = True
            yield draw, self.steps.add(step[0], step[1], alive)

    def _check_draws(self, state: Any, draws: tuple[tuple[str, int], ...]) -> None:
        if draws in self._checked:
            return
        where = f"{self._after(state)}, the draw"
        if len({draw for draw, _ in draws}) < len(draws):
            raise GameError(f"{where}: two outcomes have the same name")
        _check_odds([self.numbers.numbers[number] for _, number in draws], where)
        self._checked.add(draws)


def _check_odds(odds: Sequence[Exact], where: str) -> None:
    # Equal neighbours are added at once: a deal has thousands of them.
    runs = [(value, len(list(run))) for value, run in groupby(odds)]
    total = sum(value * count for value, count in runs)
    if not runs or min(value for value, _ in runs) < 0 or abs(float(total) - 1) > 1e-12:
        raise GameError(f"{where}: probabilities sum to {float(total):.9g}, or one of them is negative")


@dataclass
class _Nodes:
    """The nodes of the tree without the root, breadth first: public state, deal, parent, action, odds."""

    public: NDArray[np.int64]
    deal: NDArray[np.int64]
    parent: Ints
    action: Ints
    odds: Ints


def _lay_out(public: _PublicTree) -> _Nodes:
    n_deals = len(public.hands)
    most_moves = max(n_deals, max(map(len, public.moves)))
    above_of = np.array(public.parent)
    step_of = np.array(public.step)
    actions, numbers, alive = public.steps.tables()
    parts: list[_Nodes] = []
    above = np.zeros((1, n_deals), dtype=np.int64)
    start_above, n_nodes = -1, 1
    for start, stop in zip(public.levels[:-1], public.levels[1:], strict=True):
        step = step_of[start:stop]
        parent = above[above_of[start:stop] - start_above].ravel()
        present = np.flatnonzero(alive[step])
        action = actions[step].ravel()
        present = present[np.argsort(parent[present] * most_moves + action[present])]
        parts.append(
            _Nodes(
                public=present // n_deals + start,
                deal=present % n_deals,
                parent=parent[present].astype(np.int32),
                action=action[present],
                odds=numbers[step].ravel()[present],
            )
        )
        above = np.zeros((stop - start, n_deals), dtype=np.int64)
        above.ravel()[present] = n_nodes + np.arange(len(present))
        start_above, n_nodes = start, n_nodes + len(present)
    names = ("public", "deal", "parent", "action", "odds")
    return _Nodes(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in names})


@dataclass
class _Infosets:
    infoset: Ints
    player: Ints
    labels: tuple[str, ...]
    actions: tuple[tuple[str, ...], ...]


def _number_infosets(public: _PublicTree, nodes: _Nodes, turn: Ints) -> _Infosets:
    """Number infosets (public state, hand of the actor) in the order in which the tree meets them."""
    names = sorted({hand for deal in public.hands for hand in deal})
    code = {name: index for index, name in enumerate(names)}
    hand_code = np.array([[code[hand] for hand in deal] for deal in public.hands])
    acting = np.flatnonzero(turn > 0)
    key = nodes.public[acting] * len(names) + hand_code[nodes.deal[acting], turn[acting] - 1]
    first = np.full(len(public.turn) * len(names), len(acting))
    first[key[::-1]] = np.arange(len(acting))[::-1]
    keys = np.argsort(first, kind="stable")[: np.count_nonzero(first < len(acting))]
    number = np.full(len(first), -1, dtype=np.int32)
    number[keys] = np.arange(len(keys))
    infoset = np.full(len(turn), -1, dtype=np.int32)
    infoset[acting] = number[key]
    where = (keys // len(names)).tolist()
    hand = (keys % len(names)).tolist()
    return _Infosets(
        infoset=infoset,
        player=np.array(public.turn, dtype=np.int32)[where],
        labels=tuple(
            infoset_label(names[index], public.history[state])
            for state, index in zip(where, hand, strict=True)
        ),
        actions=tuple(public.moves[state] for state in where),
    )


def _settle(public: _PublicTree, nodes: _Nodes, leaves: NDArray[np.int64]) -> Ints:
    """Return the payoffs' numbers, (n_leaves, n_players); a result is settled once for each verdict."""
    game, hands = public.game, public.hands
    result_of = np.array(public.result)
    key = result_of[nodes.public[leaves - 1]] * len(hands) + nodes.deal[leaves - 1]
    met = np.zeros(len(public.results) * len(hands), dtype=bool)
    met[key] = True
    table = np.zeros((len(met), game.players), dtype=np.int32)
    rows: list[list[int]] = []
    deals = [np.flatnonzero(row).tolist() for row in met.reshape(len(public.results), len(hands))]
    for result, its_deals in zip(public.results, deals, strict=True):
        settled: dict[Hashable, list[int]] = {}
        for deal in its_deals:
            verdict = game.verdict(result, hands[deal])
            if not isinstance(verdict, Hashable):
                raise GameError(f"{game.name}: verdict() must be hashable, not {type(verdict).__name__}")
            if verdict not in settled:
                settled[verdict] = _payoffs(public, result, verdict, hands[deal])
            rows.append(settled[verdict])
    table[met] = rows
    return table[key]


def _payoffs(public: _PublicTree, result: Any, verdict: Any, hands: tuple[str, ...]) -> list[int]:
    game = public.game
    payoffs = game.settle(result, verdict)
    if len(payoffs) != game.players:
        raise GameError(f"{game.name}: {len(payoffs)} payoffs for {game.players} players")
    try:
        return [public.numbers.index(payoff) for payoff in payoffs]
    except GameError as error:
        raise GameError(f"{game.name}, hands {deal_label(hands)}: a payoff: {error}") from None


def check_states(game: Game, states: int) -> None:
    """Raise if rules have had more states than a tree can hold.

    Raises
    ------
    SizeError
        Beyond 10 million states.
    """
    if states > _MOST_STATES:
        raise SizeError(
            f"{game.name} has more than {_MOST_STATES:,} states: does it say that it is over on every way?"
        )
