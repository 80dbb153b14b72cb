"""Small random game trees, made from a seed, and transformations that must not change what a game is worth.

Every player has a *view*: what it saw and did so far. A move is seen by each other player in full, by its
parity only, or not at all; infosets are views, so recall is perfect, unless views are merged at random
afterwards. With a clock everybody also knows how many moves were made, so every side is timeable; without one
some sides are not. In half of the games chance deals player 1, perhaps player 2 too, a card that nobody else
sees, and the depth says who acts; in the others that is drawn at each node.
"""

import random
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from hypothesis import strategies as st

from maxmin.tree import LEAF, GameTree
from maxmin.tree_builder import TreeBuilder

Memory = Literal["perfect", "forgets", "absent-minded"]
View = tuple[Any, ...]


def random_game(
    seed: int,
    *,
    size: int = 20,
    players: int = 3,
    memory: Memory = "perfect",
    clock: bool = True,
    shared: Sequence[int] = (),
    total: int | Fraction | None = 0,
) -> GameTree:
    """Grow a game tree with exact payoffs and probabilities.

    Parameters
    ----------
    seed
        The same seed gives the same game.
    size
        The most nodes that are not leaves.
    players
        How many players there are.
    memory
        "perfect": views are infosets; "forgets": some views are merged, never on one path; "absent-minded":
        also on one path (if there is no clock).
    clock
        Whether infosets tell how many moves were made.
    shared
        Players who see all that one of them sees or does.
    total
        What payoffs sum to at each leaf; None for a game that is not of constant sum.
    """
    return _Growth(random.Random(seed), players, memory, clock, tuple(shared), total).grow(seed, size)


def games(*, most: int = 20, **recipe: Any) -> st.SearchStrategy[GameTree]:
    """Draw random games of up to `most` nodes that are not leaves, for hypothesis."""
    return st.builds(
        lambda seed, size: random_game(seed, size=size, **recipe),
        seed=st.integers(0, 2**32),
        size=st.integers(0, most),
    )


@dataclass(frozen=True)
class _Place:
    """A node to be made: where it hangs, what each player saw, and the infosets met on the way."""

    parent: int
    action: int
    depth: int
    views: tuple[View, ...]  # of chance and each player
    met: frozenset[Any]


@dataclass
class _Growth:
    rng: random.Random
    players: int
    memory: Memory
    clock: bool
    shared: tuple[int, ...]
    total: int | Fraction | None

    def grow(self, seed: int, size: int) -> GameTree:
        names = [f"player {player}" for player in range(1, self.players + 1)]
        self.builder = TreeBuilder(f"random_game({seed})", names)
        self.in_turn = self.rng.random() < 0.5
        self.turns: dict[int, int] = {}
        self.sights: dict[Any, str] = {}
        if self.in_turn:
            self.deal(self.rng.choice((1, 1, 2)))
        self.infosets: dict[Any, Any] = {}
        self.n_actions: dict[Any, int] = {}
        queue = deque([_Place(-1, -1, 0, ((),) * (self.players + 1), frozenset())])
        while queue:
            place = queue.popleft()
            if size and (not place.depth or self.rng.random() < 0.9):
                size -= 1
                queue.extend(self.inner(place))
            else:
                self.builder.leaf(place.parent, place.action, self.payoffs())
        return self.builder.finish()

    def deal(self, hands: int) -> None:
        for player in range(1, hands + 1):
            self.turns[player - 1] = 0
            self.turns[hands + player - 1] = player
            for other in range(self.players + 1):
                self.sights[player - 1, 0, other] = "full" if other == player else "nothing"

    def inner(self, place: _Place) -> list[_Place]:
        team_first = (*range(1, self.players + 1), *range(1, self.players))
        turn = self.rng.choice((0, *team_first) if place.depth else (0, 0, 0, 0, *team_first))
        if self.in_turn:
            turn = self.turns.setdefault(place.depth, turn)
        if turn == 0:
            return self.chance(place)
        infoset = self.infoset(place, turn)
        actions = "abc"[: self.n_actions[infoset]]
        node = self.builder.decision(place.parent, place.action, turn, infoset, actions)
        met = place.met | {infoset}
        return [self.child(place, node, turn, action, met, infoset) for action in range(len(actions))]

    def chance(self, place: _Place) -> list[_Place]:
        weights = [self.rng.choice((0, 1, 1, 2, 3)) for _ in range(self.rng.choice((1, 2, 2, 3, 3)))]
        weights[0] += not any(weights)
        odds = [Fraction(weight, sum(weights)) for weight in weights]
        node = self.builder.chance(place.parent, place.action, list(zip("xyz", odds, strict=False)))
        return [self.child(place, node, 0, action, place.met, None) for action in range(len(odds))]

    def child(
        self, place: _Place, node: int, turn: int, action: int, met: frozenset[Any], infoset: Any
    ) -> _Place:
        seen = [self.sight(place.depth, turn, player, action) for player in range(self.players + 1)]
        if turn:
            seen[self.eyes(turn)] = ((infoset, action),)
        views = tuple(view + sight for view, sight in zip(place.views, seen, strict=True))
        return _Place(node, action, place.depth + 1, views, met)

    def sight(self, depth: int, turn: int, player: int, action: int) -> View:
        kinds = ("full", "parity", "nothing", "nothing", "nothing")
        kind = self.sights.setdefault((depth, turn, player), self.rng.choice(kinds))
        return {"full": (action,), "parity": ("odd" if action % 2 else "even",), "nothing": ()}[kind]

    def eyes(self, player: int) -> int:
        """Return the player whose view this one sees."""
        return min(self.shared) if player in self.shared else player

    def infoset(self, place: _Place, player: int) -> Any:
        view = (player, place.depth if self.clock else None, place.views[self.eyes(player)])
        if view not in self.infosets:
            alike = [
                infoset
                for infoset in dict.fromkeys(self.infosets.values())
                if infoset[:2] == view[:2] and (self.memory == "absent-minded" or infoset not in place.met)
            ]
            merge = self.memory != "perfect" and alike and self.rng.random() < 0.6
            infoset = self.infosets[view] = self.rng.choice(alike) if merge else view
            self.n_actions.setdefault(infoset, self.rng.choice((1, 2, 2, 2, 2, 3)))
        return self.infosets[view]

    def payoffs(self) -> list[Fraction]:
        payoffs = [
            Fraction(self.rng.randint(-6, 6), self.rng.choice((1, 1, 2, 3))) for _ in range(self.players)
        ]
        if self.total is not None:
            payoffs[-1] = self.total - sum(payoffs[:-1], Fraction(0))
        return payoffs


def rebuild(
    tree: GameTree,
    *,
    payoffs: Callable[[list[Any]], list[Any]] = lambda row: row,
    player: Callable[[int], int] = lambda one: one,
    player_names: Sequence[str] | None = None,
    order: Callable[[int, int], Sequence[int]] = lambda _, n_moves: range(n_moves),
    label: Callable[[int], str] | None = None,
    key: Callable[[int], Any] | None = None,
) -> GameTree:
    """Copy a tree with other payoffs, players, orders of moves (infoset -1: chance) or infoset labels.

    `key` gives the infoset of each node, by default the one it has.
    """
    builder = TreeBuilder(tree.name, player_names or tree.player_names)
    leaf_of = {node: leaf for leaf, node in enumerate(tree.leaves.tolist())}
    queue = deque([(0, -1, -1)])
    while queue:
        node, parent, action = queue.popleft()
        if tree.player[node] == LEAF:
            row = [tree.numbers[number] for number in tree.payoff_number[leaf_of[node]]]
            builder.leaf(parent, action, payoffs(row))
            continue
        infoset = int(tree.infoset[node])
        first = int(tree.first_child[node])
        children = [first + move for move in order(infoset, int(tree.n_children[node]))]
        moves = [tree.labels[tree.label[child]] for child in children]
        if infoset < 0:
            odds = [tree.numbers[tree.probability_number[child]] for child in children]
            new = builder.chance(parent, action, list(zip(moves, odds, strict=True)))
        else:
            words = tree.infoset_labels[infoset] if label is None else label(infoset)
            meets = infoset if key is None else key(node)
            new = builder.decision(parent, action, player(int(tree.player[node])), meets, moves, words)
        queue.extend((child, new, index) for index, child in enumerate(children))
    return builder.finish()


def scale(tree: GameTree, factor: Fraction) -> GameTree:
    """Multiply all payoffs."""
    return rebuild(tree, payoffs=lambda row: [factor * payoff for payoff in row])


def shift(tree: GameTree, player: int, amount: Fraction) -> GameTree:
    """Give a player more at each leaf."""
    return rebuild(
        tree, payoffs=lambda row: [payoff + amount * (seat == player) for seat, payoff in enumerate(row, 1)]
    )


def rename(tree: GameTree, seed: int) -> GameTree:
    """Shuffle the orders of actions and outcomes, and give infosets other labels."""
    rng = random.Random(seed)
    orders: dict[tuple[int, int], list[int]] = {}

    def order(infoset: int, n_moves: int) -> list[int]:
        shuffled = rng.sample(range(n_moves), n_moves)
        return shuffled if infoset < 0 else orders.setdefault((infoset, n_moves), shuffled)

    return rebuild(tree, order=order, label=lambda infoset: f"infoset {infoset} renamed")


def reseat(tree: GameTree, seats: Sequence[int]) -> GameTree:
    """Give player p the number ``seats[p - 1]``; a permutation of 1..n."""
    names = [tree.player_names[seats.index(seat)] for seat in range(1, tree.n_players + 1)]
    return rebuild(
        tree,
        payoffs=lambda row: [row[seats.index(seat)] for seat in range(1, len(row) + 1)],
        player=lambda player: seats[player - 1],
        player_names=names,
    )


def merge_team(tree: GameTree, team: Sequence[int]) -> GameTree:
    """Make the team player 1 and everybody else player 2, each paid all that its members get."""
    return rebuild(
        tree,
        payoffs=lambda row: [
            sum(payoff for seat, payoff in enumerate(row, 1) if (seat in team) is mine)
            for mine in (True, False)
        ],
        player=lambda player: 1 if player in team else 2,
        player_names=("team", "others"),
    )


def informed(tree: GameTree, team: Sequence[int]) -> GameTree:
    """Let the members of a team know all that they met and did so far."""

    def past(node: int) -> tuple[tuple[int, int], ...]:
        parent = int(tree.parent[node])
        if parent < 0:
            return ()
        met = tree.player[parent] in team
        return past(parent) + ((int(tree.infoset[parent]), int(tree.action[node])),) * bool(met)

    return rebuild(
        tree, key=lambda node: (int(tree.infoset[node]), past(node) if tree.player[node] in team else None)
    )
