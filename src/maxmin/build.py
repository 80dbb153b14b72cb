"""From rules to a tree: `build_tree` walks a `Game`; a `DealtGame` is expanded over all deals at once.

The second way visits each public state once, in Python, and lays out its copies (one per deal) with array
operations. Both give the same tree, node by node.
"""

from collections import deque
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmin.errors import GameError
from maxmin.game import CHANCE, OVER, DealtGame, Game, deal_label, infoset_label
from maxmin.rational import Exact, Number, exact
from maxmin.tree import GameTree, Ints, TreeBuilder


def build_tree(game: Game) -> GameTree:
    """Lay out a game as flat arrays, and check it on the way.

    Raises
    ------
    GameError
        With the history that leads to the fault.
    """
    if isinstance(game, DealtGame):
        return _expand(game)
    return _walk(game)


def player_names(players: int) -> tuple[str, ...]:
    """Return the names that players have where rules give none."""
    return tuple(f"player {player}" for player in range(1, players + 1))


def _walk(game: Game) -> GameTree:
    builder = TreeBuilder(game.name, player_names(game.players))
    queue: deque[tuple[Any, int, int]] = deque([(game.root(), -1, -1)])
    while queue:
        state, parent, action = queue.popleft()
        turn = game.turn(state)
        if turn == OVER:
            builder.leaf(parent, action, game.payoffs(state))
            continue
        if turn == CHANCE:
            outcomes = game.chance(state)
            node = builder.chance(parent, action, outcomes)
            moves = [label for label, _ in outcomes]
        else:
            moves = list(game.actions(state))
            node = builder.decision(parent, action, turn, game.infoset(state), moves)
        for index, move in enumerate(moves):
            queue.append((game.child(state, move), node, index))
    return builder.finish()


class _Numbers:
    """The table of numbers of a tree under construction."""

    def __init__(self) -> None:
        self.table: list[Exact] = []
        self._index: dict[tuple[type, Number], int] = {}

    def __call__(self, number: Number) -> int:
        key = (type(number), number)
        index = self._index.get(key)
        if index is None:
            index = self._index[key] = len(self.table)
            self.table.append(exact(number))
        return index


@dataclass
class _PublicTree:
    """The public states of a `DealtGame`, breadth first; deals that cannot reach a state are not alive in it.

    `actions` and `odds` hold, for each state, the index of the move that leads there and the number of its
    probability: one for all deals, or one per deal where the move is a draw.
    """

    numbers: _Numbers = field(default_factory=_Numbers)
    parent: list[int] = field(default_factory=list)
    turn: list[int] = field(default_factory=list)
    move: list[str] = field(default_factory=list)
    moves: list[tuple[str, ...]] = field(default_factory=list)
    history: list[str] = field(default_factory=list)
    result: list[int] = field(default_factory=list)
    results: dict[Hashable, int] = field(default_factory=dict)
    actions: list[Any] = field(default_factory=list)
    odds: list[Any] = field(default_factory=list)
    alive: list[NDArray[np.bool_]] = field(default_factory=list)
    levels: list[int] = field(default_factory=list)


def _expand(game: DealtGame[Any]) -> GameTree:
    hands = [hand for hand, _ in game.deals()]
    public = _walk_public(game, hands)
    nodes = _lay_out(public, len(hands))
    infosets = _number_infosets(game, public, hands, nodes)
    leaves = np.flatnonzero(np.array(public.turn)[nodes.public] == OVER) + 1
    label_of: dict[str, int] = {}
    deal_labels = [label_of.setdefault(deal_label(hand), len(label_of)) for hand in hands]
    move_labels = [label_of.setdefault(move, len(label_of)) for move in public.move]
    label = np.array(move_labels, dtype=np.int32)[nodes.public]
    label[: len(hands)] = deal_labels
    payoff_number = _settle(game, public, hands, nodes, leaves)
    n_children = np.bincount(nodes.parent, minlength=len(nodes.parent) + 1).astype(np.int32)
    return GameTree(
        name=game.name,
        player_names=player_names(game.players),
        parent=_after_root(-1, nodes.parent),
        player=_after_root(CHANCE, np.array(public.turn, dtype=np.int32)[nodes.public]),
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
        numbers=tuple(public.numbers.table),
        probability_number=_after_root(public.numbers(1), nodes.odds),
        payoff_number=payoff_number,
    )


def _after_root(root: int, rest: Ints) -> Ints:
    return np.concatenate([np.array([root], dtype=np.int32), rest.astype(np.int32)])


def _walk_public(game: DealtGame[Any], hands: list[tuple[str, ...]]) -> _PublicTree:
    tree = _PublicTree()
    n_deals = len(hands)
    odds = _checked_odds([probability for _, probability in game.deals()], f"{game.name}, the deal")
    everyone = np.ones(n_deals, dtype=bool)
    deals = np.array([tree.numbers(probability) for probability in odds], dtype=np.int32)
    one = tree.numbers(1)
    level: list[tuple[Any, int, str, Any, Any, NDArray[np.bool_]]]
    level = [(game.start(), -1, "", np.arange(n_deals, dtype=np.int32), deals, everyone)]
    while level:
        tree.levels.append(len(tree.parent))
        below: list[tuple[Any, int, str, Any, Any, NDArray[np.bool_]]] = []
        for state, parent, move, action, odd, alive in level:
            node = _add_public(game, tree, state, parent, move, action, odd, alive)
            if tree.turn[node] == CHANCE:
                for draw, actions, numbers, able in _draw(game, tree, state, hands, alive):
                    below.append((game.after(state, draw), node, draw, actions, numbers, able))
            else:
                for index, choice in enumerate(tree.moves[node]):
                    below.append((game.after(state, choice), node, choice, index, one, alive))
        level = below
    tree.levels.append(len(tree.parent))
    return tree


def _add_public(
    game: DealtGame[Any],
    tree: _PublicTree,
    state: Any,
    parent: int,
    move: str,
    action: Any,
    odds: Any,
    alive: NDArray[np.bool_],
) -> int:
    turn = game.public_turn(state)
    decides = turn not in (CHANCE, OVER)
    if decides and not 1 <= turn <= game.players:
        raise GameError(f"{game.name}, after {game.history(state)!r}: player {turn} of {game.players}")
    moves = tuple(game.moves(state)) if decides else ()
    if decides and (not moves or len(set(moves)) < len(moves)):
        raise GameError(f"{game.name}, after {game.history(state)!r}: moves {list(moves)} are not a choice")
    tree.parent.append(parent)
    tree.turn.append(turn)
    tree.move.append(move)
    tree.moves.append(moves)
    tree.history.append(game.history(state) if decides else "")
    tree.result.append(
        tree.results.setdefault(game.result(state), len(tree.results)) if turn == OVER else -1
    )
    tree.actions.append(action)
    tree.odds.append(odds)
    tree.alive.append(alive)
    return len(tree.parent) - 1


def _draw(
    game: DealtGame[Any],
    tree: _PublicTree,
    state: Any,
    hands: list[tuple[str, ...]],
    alive: NDArray[np.bool_],
) -> list[tuple[str, Ints, Ints, NDArray[np.bool_]]]:
    """List the draws that any deal allows, each with its index and probability per deal, and who is alive."""
    children: dict[str, tuple[Ints, Ints, NDArray[np.bool_]]] = {}
    for deal in np.flatnonzero(alive).tolist():
        draws = [(draw, odds) for draw, odds in game.draws(state, hands[deal]) if odds]
        _checked_odds([odds for _, odds in draws], f"{game.name}, the draw after {game.history(state)!r}")
        for index, (draw, odds) in enumerate(draws):
            child = children.get(draw)
            if child is None:
                child = children[draw] = (
                    np.zeros(len(hands), dtype=np.int32),
                    np.zeros(len(hands), dtype=np.int32),
                    np.zeros(len(hands), dtype=bool),
                )
            child[0][deal], child[1][deal], child[2][deal] = index, tree.numbers(odds), True
    return [(draw, *child) for draw, child in children.items()]


def _checked_odds(odds: list[Number], where: str) -> list[Exact]:
    probabilities = [exact(number) for number in odds]
    total = sum(probabilities)
    if not probabilities or min(probabilities) < 0 or abs(total - 1) > 1e-12:
        raise GameError(f"{where}: probabilities sum to {float(total):.9g}, or one of them is negative")
    return probabilities


@dataclass
class _Nodes:
    """The nodes of the tree without the root, breadth first: public state, deal, parent, action, odds."""

    public: NDArray[np.int64]
    deal: NDArray[np.int64]
    parent: Ints
    action: Ints
    odds: Ints


def _lay_out(public: _PublicTree, n_deals: int) -> _Nodes:
    most_moves = max([n_deals, *(len(moves) for moves in public.moves)])
    parts: list[_Nodes] = []
    above = np.zeros((1, n_deals), dtype=np.int64)
    start_above, n_nodes = -1, 1
    for start, stop in zip(public.levels[:-1], public.levels[1:], strict=True):
        shape = (stop - start, n_deals)
        action = np.empty(shape, dtype=np.int64)
        odds = np.empty(shape, dtype=np.int32)
        alive = np.empty(shape, dtype=bool)
        for row, node in enumerate(range(start, stop)):
            action[row], odds[row], alive[row] = public.actions[node], public.odds[node], public.alive[node]
        parent = above[np.array(public.parent[start:stop]) - start_above]
        present = np.flatnonzero(alive)
        present = present[np.argsort(parent.ravel()[present] * most_moves + action.ravel()[present])]
        parts.append(
            _Nodes(
                public=present // n_deals + start,
                deal=present % n_deals,
                parent=parent.ravel()[present].astype(np.int32),
                action=action.ravel()[present].astype(np.int32),
                odds=odds.ravel()[present],
            )
        )
        above = np.zeros(shape, dtype=np.int64)
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


def _number_infosets(
    game: DealtGame[Any], public: _PublicTree, hands: list[tuple[str, ...]], nodes: _Nodes
) -> _Infosets:
    """Number infosets (public state, hand of the actor) in the order in which the tree meets them."""
    names = sorted({hand for deal in hands for hand in deal})
    code = {name: index for index, name in enumerate(names)}
    hand_code = np.array([[code[hand] for hand in deal] for deal in hands])
    turn = np.array(public.turn)[nodes.public]
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
        player=np.array([public.turn[node] for node in where], dtype=np.int32),
        labels=tuple(
            infoset_label(names[index], public.history[node])
            for node, index in zip(where, hand, strict=True)
        ),
        actions=tuple(public.moves[node] for node in where),
    )


def _settle(
    game: DealtGame[Any],
    public: _PublicTree,
    hands: list[tuple[str, ...]],
    nodes: _Nodes,
    leaves: NDArray[np.int64],
) -> Ints:
    results = list(public.results)
    key = np.array(public.result)[nodes.public[leaves - 1]] * len(hands) + nodes.deal[leaves - 1]
    table = np.zeros((len(results) * len(hands), game.players), dtype=np.int32)
    met = np.zeros(len(table), dtype=bool)
    met[key] = True
    for index in np.flatnonzero(met).tolist():
        result, deal = divmod(index, len(hands))
        payoffs = game.settle(results[result], hands[deal])
        if len(payoffs) != game.players:
            raise GameError(f"{game.name}: {len(payoffs)} payoffs for {game.players} players")
        table[index] = [public.numbers(payoff) for payoff in payoffs]
    return table[key]
