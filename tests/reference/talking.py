"""Full communication twice more: from rules that say what members know, and literally from a tree.

`Talking` is a game in which one player is in the team's place and is told by the rules all that its members
know. `cells` follows the definition at the head of `maxmin.knowledge` word by word, with sets and without arrays.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from maxmin.game import OVER, Game
from maxmin.tree import GameTree


class Talking:
    """A game with player 1 in the place of a team; `told` says what the team knows together in a state."""

    def __init__(self, game: Game, team: Sequence[int], told: Callable[[Any], Hashable]) -> None:
        self.game, self.team, self.told = game, tuple(team), told
        self.others = [player for player in range(1, game.players + 1) if player not in team]
        self.name = f"{game.name}, talking"
        self.players = 1 + len(self.others)
        self.root, self.actions, self.chance, self.child = game.root, game.actions, game.chance, game.child

    def turn(self, state: Any) -> int:
        player = self.game.turn(state)
        if player in (0, OVER):
            return player
        return 1 if player in self.team else 2 + self.others.index(player)

    def infoset(self, state: Any) -> Hashable:
        player = self.game.turn(state)
        return (player, self.told(state)) if player in self.team else self.game.infoset(state)

    def payoffs(self, state: Any) -> Sequence[Any]:
        payoffs = self.game.payoffs(state)
        return [
            sum(payoffs[player - 1] for player in self.team),
            *(payoffs[player - 1] for player in self.others),
        ]


def cells(tree: GameTree, member: int, time: Sequence[int]) -> list[list[set[int]]]:
    """Divide the nodes that wait at each time into sets that the member cannot tell apart."""
    return _Member(tree, member, time).divide()


def depths(tree: GameTree) -> list[int]:
    """Return the depth of each node."""
    found: list[int] = []
    for parent in tree.parent.tolist():
        found.append(found[parent] + 1 if parent >= 0 else 0)
    return found


class _Member:
    def __init__(self, tree: GameTree, member: int, time: Sequence[int]) -> None:
        self.tree, self.member, self.time = tree, member, time
        self.children: list[list[int]] = [[] for _ in time]
        for node, parent in enumerate(tree.parent.tolist()):
            if parent >= 0:
                self.children[parent].append(node)

    def waits(self, node: int, now: int) -> bool:
        parent = int(self.tree.parent[node])
        return (self.time[parent] if parent >= 0 else -1) < now <= self.time[node]

    def acts(self, node: int, now: int) -> bool:
        return self.tree.player[node] == self.member and self.time[node] == now

    def past(self, node: int) -> tuple[tuple[int, int], ...]:
        parent = int(self.tree.parent[node])
        if parent < 0:
            return ()
        own = self.tree.player[parent] == self.member
        return self.past(parent) + ((int(self.tree.infoset[parent]), int(self.tree.action[node])),) * int(own)

    def nexts(self, node: int) -> set[Any]:
        if self.tree.player[node] == self.member:
            return {(self.past(node), int(self.tree.infoset[node]))}
        return set().union(*(self.nexts(child) for child in self.children[node]))

    def divide(self) -> list[list[set[int]]]:
        found = [[{0}]]
        for now in range(1, max(self.time) + 1):
            found.append([part for cell in found[-1] for part in self.split(cell, now)])
        return found

    def split(self, cell: set[int], now: int) -> list[set[int]]:
        before, seen = {}, {}
        for node in cell:
            if self.time[node] >= now:  # waits on
                before[node] = None
            for child in self.children[node] if self.time[node] == now - 1 else []:
                before[child] = node
        nexts = {node: self.nexts(node) for node in (*before, *cell)}
        news = len(_closure(sorted(cell), lambda a, b: bool(nexts[a] & nexts[b]))) > 1
        movers = {
            node: int(self.tree.player[above]) if above is not None else -1 for node, above in before.items()
        }
        uneven = any(mover != 0 for mover in movers.values())
        for node, mover in movers.items():
            own = int(self.tree.action[node]) if mover == self.member else None
            kinds = set()
            if not self.acts(node, now) and (mover != 0 or (news and uneven)):
                kinds.add(("moved", own))
            if not nexts[node]:
                kinds.add(("silent", own))
            if not self.acts(node, now) and mover == 0 and news:
                kinds.add(("chance", int(self.tree.label[node])))
            seen[node] = kinds
        return _closure(sorted(before), lambda a, b: bool(nexts[a] & nexts[b] or seen[a] & seen[b]))


def _closure(nodes: Sequence[int], alike: Callable[[int, int], bool]) -> list[set[int]]:
    parts: list[set[int]] = []
    for node in nodes:
        joined = [part for part in parts if any(alike(node, other) for other in part)]
        parts = [part for part in parts if part not in joined] + [{node}.union(*joined)]
    return parts
