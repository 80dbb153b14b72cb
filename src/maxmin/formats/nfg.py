"""Gambit's normal-form games, ``.nfg``.

::

    NFG 1 R "title" { "player 1" "player 2" } STRATEGIES
    "comment, optional"

    BODY

STRATEGIES are numbers, ``{ 2 3 }``, or names, ``{ { "up" "down" } { "left" "middle" "right" } }``. BODY is
either the payoffs, all players' of the first profile, then of the second, ...; or a list of outcomes followed
by one outcome number per profile, 0 for none::

    { { "win" 1, -1 } { "lose" -1, 1 } }
    1 2 2 1 0 2

The strategy of player 1 changes fastest, that of the last player slowest. In the tree player 1 moves first,
and everybody else in turn without seeing anything. A tree is written as its reduced normal form: a strategy
of a player says what to do in each infoset that the strategy itself does not rule out.
"""

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction

from maxmin.errors import FormatError, GameError, SizeError
from maxmin.files import AnyPath, read_text, write_atomically
from maxmin.formats.scanner import Scanner, quoted, read_header, unique_labels
from maxmin.game import CHANCE
from maxmin.rational import Exact
from maxmin.sequences import infosets_of, sequences
from maxmin.tree import LEAF, GameTree
from maxmin.tree_builder import TreeBuilder

Plan = dict[int, int]
"""A pure strategy: infoset to the index of an action."""

MOST_PROFILES = 100_000
"""A tree with more pure profiles than this is not written as a normal form."""


def read_nfg(path: AnyPath) -> GameTree:
    """Read an ``.nfg`` file.

    Raises
    ------
    FormatError
        With ``file:line:column``, what is wrong there, and why.
    FileError, SizeError
        If the file cannot be read, or is too large.
    """
    return parse_nfg(read_text(path, starts_with="NFG"), file=str(path))


def parse_nfg(text: str, *, file: str = "<text>") -> GameTree:
    """Read the text of an ``.nfg`` file; `file` is its name in messages.

    Raises
    ------
    FormatError
        With ``file:line:column``, what is wrong there, and why.
    """
    scanner = Scanner(text.removeprefix("\ufeff"), file)
    title, players = read_header(scanner, "NFG", 1)
    strategies = _strategies(scanner, len(players))
    if scanner.peek().startswith('"'):
        scanner.label("the comment")
    counts = [each if isinstance(each, int) else len(each) for each in strategies]
    read = _outcome_body if scanner.peek() == "{" else _payoff_body
    payoffs = read(scanner, len(players), math.prod(counts))
    names = [unique_labels([""] * each if isinstance(each, int) else each) for each in strategies]
    try:
        return _tree(title, players, names, payoffs)
    except GameError as error:
        raise FormatError(f"{file}:1:1: {error}") from None


def _strategies(scanner: Scanner, players: int) -> list[int | tuple[str, ...]]:
    scanner.expect("{")
    strategies: list[int | tuple[str, ...]] = []
    while not scanner.accept("}"):
        if scanner.peek() == "{":
            strategies.append(scanner.labels("the name of a strategy"))
        else:
            strategies.append(scanner.integer("a number of strategies"))
        if not strategies[-1]:
            scanner.fail(f"player {len(strategies)} has no strategy")
    if len(strategies) != players:
        scanner.fail(f"strategies of {len(strategies)} players are given, but there are {players} players")
    return strategies


def _payoff_body(scanner: Scanner, players: int, profiles: int) -> list[tuple[Fraction, ...]]:
    numbers = []
    start = None
    while scanner.peek():
        numbers.append(scanner.number())
        start = scanner.start if len(numbers) == profiles * players + 1 else start
    if len(numbers) != profiles * players:
        given = f"{len(numbers)} number{'' if len(numbers) == 1 else 's'}"
        belong = f"{profiles * players} belong: {profiles} profiles, {players} payoffs each"
        scanner.fail(f"{given} where {belong}", start)
    return [tuple(numbers[start : start + players]) for start in range(0, len(numbers), players)]


def _outcome_body(scanner: Scanner, players: int, profiles: int) -> list[tuple[Fraction, ...]]:
    outcomes = [(Fraction(0),) * players]
    scanner.expect("{")
    while not scanner.accept("}"):
        scanner.expect("{")
        scanner.label("the name of an outcome")
        payoffs = []
        while not scanner.accept("}"):
            payoffs.append(scanner.number())
        if len(payoffs) != players:
            scanner.fail(f"outcome {len(outcomes)} has {len(payoffs)} payoffs for {players} players")
        outcomes.append(tuple(payoffs))
    chosen = []
    while scanner.peek():
        number = scanner.integer("the number of an outcome")
        if number >= len(outcomes):
            scanner.fail(f"there is no outcome {number}, only {len(outcomes) - 1} are listed")
        chosen.append(outcomes[number])
    if len(chosen) != profiles:
        scanner.fail(f"{len(chosen)} outcomes where {profiles} belong, one for each profile")
    return chosen


def _tree(
    title: str,
    players: tuple[str, ...],
    names: list[tuple[str, ...]],
    payoffs: list[tuple[Fraction, ...]],
) -> GameTree:
    """Lay out the moves one player after the other; each has one infoset, called like the player."""
    builder = TreeBuilder(title, players)
    contents = [
        builder.decision_content(player, 0, moves, name)
        for player, (moves, name) in enumerate(zip(names, players, strict=True), 1)
    ]
    steps = [math.prod(len(moves) for moves in names[:player]) for player in range(len(players))]
    level = [(builder.add(-1, -1, contents[0]), 0)]
    for player in range(1, len(players)):
        level = [
            (builder.add(node, move, contents[player]), profile + move * steps[player - 1])
            for node, profile in level
            for move in range(len(names[player - 1]))
        ]
    for node, profile in level:
        for move in range(len(names[-1])):
            builder.leaf(node, move, payoffs[profile + move * steps[-1]])
    return builder.finish()


def write_nfg(tree: GameTree, path: AnyPath) -> None:
    """Write the reduced normal form of a tree as an ``.nfg`` file, whole or not at all.

    Raises
    ------
    SizeError
        If there are more than `MOST_PROFILES` profiles.
    FileError
        If the file cannot be written.
    """
    text = format_nfg(tree)
    write_atomically(path, lambda file: file.write(text.encode()))


def format_nfg(tree: GameTree) -> str:
    """Return the reduced normal form of a tree as the text of an ``.nfg`` file.

    Raises
    ------
    SizeError
        If there are more than `MOST_PROFILES` profiles.
    """
    plans = _all_plans(tree)
    players = " ".join(quoted(name) for name in tree.player_names)
    names = " ".join("{ " + " ".join(map(quoted, _plan_names(tree, own))) + " }" for own in plans)
    lines = [f"NFG 1 R {quoted(tree.name)} {{ {players} }} {{ {names} }}", '""', ""]
    rows = zip(tree.leaves.tolist(), tree.payoff_number.tolist(), strict=True)
    payoffs = {leaf: [tree.numbers[number] for number in row] for leaf, row in rows}
    for backwards in itertools.product(*reversed(plans)):
        profile = {infoset: action for plan in backwards for infoset, action in plan.items()}
        lines.append(" ".join(map(str, _expected_payoffs(tree, payoffs, profile))))
    return "\n".join(lines) + "\n"


def _all_plans(tree: GameTree) -> list[list[Plan]]:
    all_plans = []
    profiles = 1
    for player in range(1, tree.n_players + 1):
        most = MOST_PROFILES // profiles
        plans = (
            list(itertools.islice(reduced_plans(tree, player), most + 1)) if _fits(tree, player, most) else []
        )
        profiles *= len(plans)
        if not plans or profiles > MOST_PROFILES:
            raise SizeError(
                f"{tree.name}: the normal form has more than {MOST_PROFILES:,} profiles; "
                "write the tree as .efg instead"
            )
        all_plans.append(plans)
    return all_plans


def _fits(tree: GameTree, player: int, most: int) -> bool:
    """Say whether a player has no more reduced plans than `most`, by counting; True if recall is not perfect."""
    own = sequences(tree, infosets_of(tree, [player]))
    if not own.perfect_recall:
        return True
    plans = [1] * own.n_sequences  # that go on after each sequence
    for first, stop in zip(reversed(own.first.tolist()), reversed(own.stop.tolist()), strict=True):
        before = own.parent[first]
        plans[before] = min(plans[before] * sum(plans[first:stop]), most + 1)
    return plans[0] <= most


def reduced_plans(tree: GameTree, player: int) -> Iterator[Plan]:
    """Yield the reduced pure strategies of a player: only infosets that the strategy does not rule out."""
    open_plans: list[Plan] = [{}]
    while open_plans:
        plan = open_plans.pop()
        infoset = _first_open(tree, player, plan)
        if infoset < 0:
            yield plan
        else:
            actions = range(len(tree.infoset_actions[infoset]))
            open_plans.extend({**plan, infoset: action} for action in reversed(actions))


def _first_open(tree: GameTree, player: int, plan: Plan) -> int:
    """Return the first infoset of a player that a plan reaches but says nothing about, or -1."""
    nodes = [0]
    for node in nodes:
        first = int(tree.first_child[node])
        if tree.player[node] == player:
            infoset = int(tree.infoset[node])
            if infoset not in plan:
                return infoset
            nodes.append(first + plan[infoset])
        else:
            nodes.extend(range(first, first + int(tree.n_children[node])))
    return -1


def _expected_payoffs(tree: GameTree, payoffs: dict[int, list[Exact]], profile: Plan) -> list[Exact]:
    totals: list[Exact] = [Fraction(0)] * tree.n_players
    stack: list[tuple[int, Exact]] = [(0, Fraction(1))]
    while stack:
        node, reach = stack.pop()
        first = int(tree.first_child[node])
        if tree.player[node] == LEAF:
            totals = [total + reach * payoff for total, payoff in zip(totals, payoffs[node], strict=True)]
        elif tree.player[node] == CHANCE:
            children = range(first, first + int(tree.n_children[node]))
            stack.extend((child, reach * tree.numbers[tree.probability_number[child]]) for child in children)
        else:
            stack.append((first + profile[int(tree.infoset[node])], reach))
    return totals


def _plan_names(tree: GameTree, plans: list[Plan]) -> tuple[str, ...]:
    """Name plans by their actions, with the infosets where there are several."""
    if all(len(plan) <= 1 for plan in plans):
        return unique_labels(
            "".join(tree.infoset_actions[infoset][action] for infoset, action in plan.items())
            for plan in plans
        )
    return unique_labels(
        "; ".join(
            f"{tree.infoset_labels[infoset]}: {tree.infoset_actions[infoset][action]}"
            for infoset, action in plan.items()
        )
        for plan in plans
    )
