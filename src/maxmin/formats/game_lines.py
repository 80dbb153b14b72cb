"""The lines of a ``.game`` file, read into a tree; see `maxmin.formats.game_text` for the format.

Lines come in any order, so they are gathered first. Files repeat the same payoffs, odds and moves over and
over: what a text means is worked out once.
"""

import re
import warnings
from dataclasses import dataclass
from fractions import Fraction
from typing import NoReturn
from urllib.parse import unquote

from maxmin.errors import FormatError, GameError
from maxmin.formats.scanner import unique_labels
from maxmin.game import CHANCE
from maxmin.rational import parse_number
from maxmin.tree import LEAF, GameTree
from maxmin.tree_builder import TreeBuilder

_ROUNDING = Fraction(1, 1000)
_PLAYERS = re.compile(r"#\s*(?:num_)?players:\s*(\d{1,4})\b", re.ASCII)
_GAME = re.compile(r"#\s*game: (.+)")
_NAME = re.compile(r"#\s*player (\d{1,4}): (.+)", re.ASCII)


@dataclass(slots=True)
class _Node:
    """A node line: who acts, the names of the moves and of the children, odds or payoffs."""

    line: int
    player: int
    moves: tuple[str, ...] = ()
    children: tuple[str, ...] = ()
    numbers: tuple[Fraction, ...] = ()


class LineReader:
    """Reads the lines of a ``.game`` text into a tree."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.lines: list[str] = []
        self.nodes: dict[str, _Node] = {}
        self.infosets: list[tuple[int, list[str]]] = []
        self.infoset_of: dict[str, int] = {}
        self.players = 0
        self.name = ""
        self.player_names: dict[int, str] = {}
        self.free_names = False
        self.payoffs_of: dict[tuple[str, ...], tuple[Fraction, ...]] = {}
        self.odds_of: dict[tuple[str, ...], tuple[Fraction, ...]] = {}
        self.labels_of: dict[tuple[str, ...], tuple[str, ...]] = {}

    def read(self, text: str) -> GameTree:
        """Read all lines, then follow the moves from the root."""
        self.lines = text.split("\n")
        for number, line in enumerate(self.lines, 1):
            words = line.split()
            if not words:
                continue
            if words[0] == "node":
                self._node(number, words)
            elif words[0] == "infoset":
                self.infosets.append((number, words))
            elif words[0].startswith("#"):
                self._comment(line.strip())
            else:
                self._fail(number, 0, f"expected a node, an infoset or a comment (#), found {words[0][:40]}")
        if not self.nodes:
            self._fail(len(self.lines), 0, "there are no nodes")
        self._gather_infosets()
        return self._tree()

    def _comment(self, line: str) -> None:
        if self.nodes:
            return
        if match := _PLAYERS.match(line):
            self.players = int(match[1])
        elif match := _GAME.match(line):
            self.name = unquote(match[1])
        elif match := _NAME.match(line):
            self.player_names[int(match[1])] = unquote(match[2])
        elif line[1:].strip() == "openspiel,":
            self.free_names = True

    def _node(self, line: int, words: list[str]) -> None:
        if len(words) < 4:
            needs = "a name, a kind (chance, player or leaf) and moves or payoffs"
            self._fail(line, len(words) - 1, f"a node line needs {needs}")
        name, kind = words[1], words[2]
        if name in self.nodes:
            self._fail(line, 1, f"node {name} was given before, on line {self.nodes[name].line}")
        if kind == "leaf":
            self.nodes[name] = self._leaf(line, words)
        elif kind == "chance":
            self.nodes[name] = self._chance(line, words)
        elif kind == "player":
            self.nodes[name] = self._decision(line, words)
        else:
            self._fail(line, 2, f"expected chance, player or leaf, found {kind[:40]}")

    def _leaf(self, line: int, words: list[str]) -> _Node:
        self._expect(line, words, 3, "payoffs")
        key = tuple(words[4:])
        payoffs = self.payoffs_of.get(key)
        if payoffs is None:
            payoffs = self.payoffs_of[key] = self._payoffs(line, words)
        return _Node(line, LEAF, numbers=payoffs)

    def _payoffs(self, line: int, words: list[str]) -> tuple[Fraction, ...]:
        payoffs: dict[int, Fraction] = {}
        for place, word in enumerate(words[4:], 4):
            player_text, _, number = word.partition("=")
            player = self._integer(line, place, player_text, "a player")
            self._check_player(line, place, player)
            if player in payoffs:
                self._fail(line, place, f"the payoff of player {player} is given twice")
            payoffs[player] = self._number(line, place, number)
        missing = set(range(1, (self.players or max(payoffs)) + 1)) - set(payoffs)
        if missing:
            self._fail(line, 3, f"there is no payoff of player {min(missing)}")
        return tuple(payoffs[player] for player in sorted(payoffs))

    def _chance(self, line: int, words: list[str]) -> _Node:
        self._expect(line, words, 3, "actions")
        pairs = [word.rpartition("=") for word in words[4:]]
        moves = tuple([move for move, _, _ in pairs])
        key = tuple([weight for _, _, weight in pairs])
        odds = self.odds_of.get(key)
        if odds is None or "" in moves:
            odds = self.odds_of[key] = self._odds(line, words, moves, key)
        return _Node(line, CHANCE, self._labels(moves), self._children(words[1], "C", moves), odds)

    def _decision(self, line: int, words: list[str]) -> _Node:
        player = self._integer(line, 3, words[3], "a player")
        self._check_player(line, 3, player)
        self._expect(line, words, 4, "actions")
        moves = tuple(words[5:])
        return _Node(line, player, self._labels(moves), self._children(words[1], f"P{player}", moves))

    def _labels(self, moves: tuple[str, ...]) -> tuple[str, ...]:
        labels = self.labels_of.get(moves)
        if labels is None:
            names = [""] * len(moves) if self.free_names else [unquote(move) for move in moves]
            labels = self.labels_of[moves] = unique_labels(names)
        return labels

    def _children(self, name: str, mover: str, moves: tuple[str, ...]) -> tuple[str, ...]:
        if self.free_names:
            return tuple(moves)
        stem = name if name.endswith("/") else f"{name}/"
        return tuple(f"{stem}{mover}:{move}" for move in moves)

    def _odds(
        self, line: int, words: list[str], moves: tuple[str, ...], numbers: tuple[str, ...]
    ) -> tuple[Fraction, ...]:
        if "" in moves:
            place = 4 + moves.index("")
            self._fail(line, place, f"expected outcome=weight, found {words[place][:40]}")
        weights = [self._number(line, place, number) for place, number in enumerate(numbers, 4)]
        total = sum(weights, Fraction(0))
        if min(weights) < 0 or not total:
            self._fail(line, 4, "the weights of chance must not be negative, nor all zero")
        if any(weight.denominator > 1 for weight in weights):
            told = f"chance probabilities sum to {float(total):.9g}"
            if abs(total - 1) > _ROUNDING:
                self._fail(line, 4, f"{told}, not 1; only whole weights may sum to more")
            if abs(total - 1) > 1e-12:
                warnings.warn(f"{self._place(line, 4)}: {told}; scaled to 1", stacklevel=6)
        return tuple(weight / total for weight in weights)

    def _gather_infosets(self) -> None:
        for index, (line, words) in enumerate(self.infosets):
            self._expect(line, words, 2, "nodes")
            for place, name in enumerate(words[3:], 3):
                node = self.nodes.get(name)
                if node is None:
                    self._fail(line, place, f"there is no node {name}")
                if name in self.infoset_of:
                    before = self.infosets[self.infoset_of[name]][0]
                    self._fail(line, place, f"node {name} is in an infoset already, on line {before}")
                if node.player <= CHANCE or node.player != self.nodes[words[3]].player:
                    self._fail(line, place, f"node {name} is not of the player of this infoset")
                self.infoset_of[name] = index

    def _tree(self) -> GameTree:
        players = self.players or max(
            max(len(node.numbers), node.player) for node in self.nodes.values() if node.player
        )
        names = [self.player_names.get(player, "") for player in range(1, players + 1)]
        builder = TreeBuilder(self.name or self.file, unique_labels(names, empty="player "))
        stack = [(self._root(), -1, -1)]
        seen = set()
        while stack:
            name, parent, action = stack.pop()
            node = self.nodes[name]
            if name in seen:
                self._fail(node.line, 1, f"two moves lead to node {name}")
            seen.add(name)
            number = builder.add(parent, action, self._content(builder, name, node))
            for index in range(len(node.children) - 1, -1, -1):
                if node.children[index] not in self.nodes:
                    missing = (
                        f"move {node.moves[index]} leads to node {node.children[index]}, which is missing"
                    )
                    self._fail(node.line, 1, missing)
                stack.append((node.children[index], number, index))
        for name, node in self.nodes.items():
            if name not in seen:
                self._fail(node.line, 1, f"no move leads to node {name}")
        return builder.finish()

    def _content(self, builder: TreeBuilder, name: str, node: _Node) -> int:
        try:
            if node.player == LEAF:
                return builder.leaf_content(node.numbers)
            if node.player == CHANCE:
                outcomes = list(zip(node.moves, node.numbers, strict=True))
                return builder.chance_content(outcomes, where=lambda: self._place(node.line, 1))
            index = self.infoset_of.get(name, -1)
            key, label = (name, name) if index < 0 else (index, unquote(self.infosets[index][1][1]))
            return builder.decision_content(node.player, key, node.moves, label)
        except GameError as error:
            self._fail(node.line, 1, str(error))

    def _root(self) -> str:
        if "/" in self.nodes:
            return "/"
        below = {child for node in self.nodes.values() for child in node.children}
        for name in self.nodes:
            if name not in below:
                return name
        self._fail(1, 0, "no node is the root: some move leads to each of them")

    def _check_player(self, line: int, place: int, player: int) -> None:
        if player < 1 or player > (self.players or player):
            self._fail(line, place, f"player {player} of {self.players or 'those from 1 up'}")

    def _expect(self, line: int, words: list[str], place: int, word: str) -> None:
        if len(words) <= place + 1 or words[place] != word:
            self._fail(line, min(place, len(words) - 1), f"expected '{word}' and what follows it")

    def _integer(self, line: int, place: int, text: str, what: str) -> int:
        if not re.fullmatch(r"\d{1,4}", text, re.ASCII):
            self._fail(line, place, f"expected the number of {what}, found {text[:40] or 'nothing'}")
        return int(text)

    def _number(self, line: int, place: int, text: str) -> Fraction:
        try:
            return parse_number(text)
        except ValueError as error:
            self._fail(line, place, str(error))

    def _place(self, line: int, place: int) -> str:
        words = list(re.finditer(r"\S+", self.lines[line - 1]))
        column = words[place].start() + 1 if place < len(words) else 1
        return f"{self.file}:{line}:{column}"

    def _fail(self, line: int, place: int, message: str) -> NoReturn:
        raise FormatError(f"{self._place(line, place)}: {message}")
