"""The nodes of an ``.efg`` file, read into a `TreeBuilder`; see `maxmin.formats.efg` for the format.

A program writes the same infosets and payoffs over and over. A regular expression cuts a node into infoset,
outcome number and payoffs; texts that were met before are looked up. Everything else, and every error, goes
through the scanner.
"""

import re
from fractions import Fraction
from typing import NamedTuple

from maxmin.errors import FormatError, GameError
from maxmin.formats.scanner import QUOTED, Scanner, shown_numbers, unique_labels
from maxmin.game import CHANCE
from maxmin.tree_builder import TreeBuilder

_SET = rf'(?:\s*+{QUOTED}\s*+\{{(?:[^{{}}"]++|{QUOTED})*+\}})?+'
_NODE = re.compile(
    rf"\s*+(?:(t)|(c)|p)\s*+{QUOTED}\s*+((?(1)|(?(2)\d{{1,18}}\b|\d{{1,18}}\s++\d{{1,18}}\b){_SET}))"
    rf'\s*+(\d{{1,18}}\b)(?:\s*+{QUOTED}\s*+\{{([^{{}}"]*+)\}})?+(?=\s*+(?:[cpt]\s*+"|\Z))',
    re.DOTALL | re.ASCII,
)
"""A node as programs write it: leaf?, chance?, infoset as text, outcome number, payoffs as text."""


class _Set(NamedTuple):
    """An infoset, of chance too, as it was first given."""

    content: int
    position: int
    name: str
    actions: tuple[str, ...]
    odds: tuple[Fraction, ...]


class NodeReader:
    """Reads the nodes of an ``.efg`` text, from where the scanner stands, into a builder."""

    def __init__(self, scanner: Scanner, builder: TreeBuilder) -> None:
        self.scanner = scanner
        self.builder = builder
        self.sets: dict[tuple[int, int], _Set] = {}
        self.set_of: dict[str, _Set] = {}
        self.payoffs = _Payoffs(builder)
        self.payoffs_of: dict[str, int] = {}
        self.outcomes = {0: 0}
        self.outcome_position: dict[int, int] = {}

    def read(self) -> None:
        """Read all nodes; add each to the builder below the branch that is open."""
        scanner, add = self.scanner, self.builder.add
        branches = [(-1, -1, 0)]
        while branches:
            parent, action, paid = branches.pop()
            found = self._known_node() or self._node(parent, action, len(branches))
            here, outcome = found
            total = self.payoffs.plus(paid, outcome) if outcome and paid else outcome or paid
            if here is None:
                add(parent, action, self.payoffs.content(total, scanner))
            else:
                node = add(parent, action, here.content)
                branches += [(node, index, total) for index in range(len(here.actions) - 1, -1, -1)]
        if scanner.peek():
            scanner.fail("the tree is complete, but there are nodes after it")

    def _known_node(self) -> tuple[_Set | None, int] | None:
        """Read the next node if it is written plainly and says nothing new but an outcome's number."""
        match = _NODE.match(self.scanner.text, self.scanner.position)
        if match is None:
            return None
        leaf, _, move, number_text, body = match.groups()
        here = None if leaf else self.set_of.get(move)
        number = int(number_text)
        outcome = self.outcomes.get(number)
        if body is not None:
            stated = self.payoffs_of.get(body)
            if outcome is None and stated is not None:
                self.outcome_position[number] = match.start(4)
                outcome = self.outcomes[number] = stated
            elif outcome != stated or not number:
                return None
        if outcome is None or not (leaf or here):
            return None
        self.scanner.position = match.end()
        return here, outcome

    def _node(self, parent: int, action: int, waiting: int) -> tuple[_Set | None, int]:
        """Read the next node in full; remember its texts."""
        scanner = self.scanner
        match = _NODE.match(scanner.text, scanner.position)
        kind = scanner.peek()
        start = scanner.start
        if not kind:
            more = f", and {waiting} other branches" if waiting else ""
            scanner.fail(f"the file ends, but the tree is not complete: a node is missing{more}")
        if kind not in ("c", "p", "t"):
            scanner.fail(f"expected a node (c, p or t), found {kind[:40]}")
        scanner.expect(kind)
        scanner.label("the name of the node")
        here = {"c": self._chance, "p": self._decision}[kind](start) if kind != "t" else None
        outcome = self._outcome()
        if match is not None:
            _, _, move, _, body = match.groups()
            if here is not None:
                self.set_of[move] = here
            if body is not None:
                self.payoffs_of[body] = outcome
        return here, outcome

    def _decision(self, start: int) -> _Set:
        scanner = self.scanner
        player = scanner.integer("the number of a player")
        if not 1 <= player <= len(self.builder.player_names):
            scanner.fail(f"player {player} of {len(self.builder.player_names)}")
        number = scanner.integer("the number of an infoset")
        if not self._stated():
            return self._before(player, number, start)
        name = "" if scanner.peek() == "{" else scanner.label("the name of the infoset")
        actions = unique_labels(scanner.labels("the name of an action"))
        return self._remember(player, number, start, name, actions, ())

    def _chance(self, start: int) -> _Set:
        scanner = self.scanner
        number = scanner.integer("the number of a chance infoset")
        if not self._stated():
            return self._before(CHANCE, number, start)
        name = "" if scanner.peek() == "{" else scanner.label("the name of the infoset")
        scanner.expect("{")
        actions, odds = [], []
        while not scanner.accept("}"):
            actions.append(scanner.label("the name of an outcome"))
            odds.append(scanner.number())
        return self._remember(CHANCE, number, start, name, unique_labels(actions), tuple(odds))

    def _stated(self) -> bool:
        """Say whether the infoset or outcome whose number was just read is spelled out."""
        token = self.scanner.peek()
        return bool(token) and not token[0].isdigit()

    def _before(self, player: int, number: int, start: int) -> _Set:
        known = self.sets.get((player, number))
        if known is None:
            self.scanner.fail(
                f"{_infoset(player, number)} was not given before, and no actions are given here", start
            )
        return known

    def _remember(
        self,
        player: int,
        number: int,
        start: int,
        name: str,
        actions: tuple[str, ...],
        odds: tuple[Fraction, ...],
    ) -> _Set:
        known = self.sets.get((player, number))
        if known is not None:
            self._check_same(known, player, number, _Set(known.content, start, name, actions, odds))
            return known
        scanner = self.scanner
        try:
            if player == CHANCE:
                outcomes = list(zip(actions, odds, strict=True))
                content = self.builder.chance_content(outcomes, where=lambda: scanner.place(start))
            else:
                label = name or f"({player},{number})"
                content = self.builder.decision_content(player, number, actions, label)
        except GameError as error:
            raise FormatError(
                str(error) if player == CHANCE else f"{scanner.place(start)}: {error}"
            ) from None
        return self.sets.setdefault((player, number), _Set(content, start, name, actions, odds))

    def _check_same(self, known: _Set, player: int, number: int, here: _Set) -> None:
        if len(known.actions) != len(here.actions):
            before, now = f"with {_count(known.actions)}", f"with {len(here.actions)}"
        elif known.actions != here.actions:
            before, now = f"with actions {', '.join(known.actions)}", f"with {', '.join(here.actions)}"
        elif known.odds != here.odds:
            before, now = (
                f"with probabilities {shown_numbers(known.odds)}",
                f"with {shown_numbers(here.odds)}",
            )
        elif known.name and here.name and known.name != here.name:
            before, now = f"the name {known.name!r}", here.name
        else:
            return
        line = self.scanner.line(known.position)
        message = f"{_infoset(player, number)} was given {before} on line {line}, here {now}"
        self.scanner.fail(message, here.position)

    def _outcome(self) -> int:
        """Read an outcome; return the number of its payoffs."""
        scanner = self.scanner
        number = scanner.integer("the number of an outcome")
        start = scanner.start
        if not self._payoffs_follow():
            if number not in self.outcomes:
                scanner.fail(f"outcome {number} was not given before, and no payoffs are given here", start)
            return self.outcomes[number]
        payoffs = scanner.numbers()
        players = len(self.builder.player_names)
        if number == 0:
            scanner.fail("outcome 0 pays nothing; payoffs need another number", start)
        if len(payoffs) != players:
            scanner.fail(f"outcome {number} has {len(payoffs)} payoffs for {players} players", start)
        stated = self.payoffs.number(payoffs)
        known = self.outcomes.setdefault(number, stated)
        position = self.outcome_position.setdefault(number, start)
        if known != stated:
            line = scanner.line(position)
            before, here = shown_numbers(self.payoffs.table[known]), shown_numbers(payoffs)
            scanner.fail(f"outcome {number} was given as {before} on line {line}, here as {here}", start)
        return stated

    def _payoffs_follow(self) -> bool:
        """Read the name of an outcome, if there is one; say whether payoffs come next."""
        scanner = self.scanner
        token = scanner.peek()
        if token == "{":
            return True
        if token.startswith('"'):
            scanner.label("the name of the outcome")
            return True
        before = scanner.position
        if token and token != "}":
            scanner.label("the name of the outcome")
            if scanner.peek() == "{":
                return True
        scanner.position = before
        return False


class _Payoffs:
    """Payoffs, each kept once under a number; number 0 pays nothing."""

    def __init__(self, builder: TreeBuilder) -> None:
        nothing = (Fraction(0),) * len(builder.player_names)
        self.table = [nothing]
        self._builder = builder
        self._numbers = {nothing: 0}
        self._contents: dict[int, int] = {}
        self._sums: dict[tuple[int, int], int] = {}

    def number(self, payoffs: tuple[Fraction, ...]) -> int:
        number = self._numbers.setdefault(payoffs, len(self.table))
        if number == len(self.table):
            self.table.append(payoffs)
        return number

    def plus(self, first: int, second: int) -> int:
        key = (first, second)
        if key not in self._sums:
            pairs = zip(self.table[first], self.table[second], strict=True)
            self._sums[key] = self.number(tuple(one + other for one, other in pairs))
        return self._sums[key]

    def content(self, number: int, scanner: Scanner) -> int:
        content = self._contents.get(number)
        if content is None:
            try:
                content = self._builder.leaf_content(self.table[number])
            except GameError as error:
                scanner.fail(str(error))
            self._contents[number] = content
        return content


def _infoset(player: int, number: int) -> str:
    return f"infoset {number} of player {player}" if player else f"chance infoset {number}"


def _count(actions: tuple[str, ...]) -> str:
    return f"{len(actions)} action{'' if len(actions) == 1 else 's'}"
