"""``maxmin play``: a person takes one seat in the terminal, the solved strategies take the others."""

import sys
from collections.abc import Mapping, Sequence
from os.path import isfile
from typing import TYPE_CHECKING, Annotated, TextIO
from zipfile import is_zipfile

import typer

from maxmin.cli.options import Json, Quiet, complete_game
from maxmin.cli.output import number, print_json
from maxmin.cli.progress import Progress
from maxmin.cli.sizes import braces
from maxmin.cli.strategy_table import in_words
from maxmin.errors import UnknownNameError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from maxmin.solve import Solution
    from maxmin.tree import GameTree

EXAMPLES = """\b
Examples:
  maxmin play kuhn_poker --seat 1
  maxmin play 3L133 --seat 3 --hands 20 --seed 1
  maxmin play answer.npz --seat 2
"""

_HELP = """Type the number of an action, or its name or the beginning of it. Also:
  ?  this help, and what the strategy would do
  q  stop (so does the end of the input)"""

_QUICK_GAP = 5e-3
_QUICK_SECONDS = 30.0
"""How well and how long a game is solved that comes without a saved solution."""


def play(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME_OR_SOLUTION",
            autocompletion=complete_game,
            help="A game, which is solved first for the others against you, or a saved solution (.npz).",
        ),
    ],
    seat: Annotated[int, typer.Option(min=1, help="The number of the player that you are.")],
    hands: Annotated[int | None, typer.Option(min=1, help="Stop after so many hands.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Repeat the same deals and draws.")] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Take a seat against, or with, a solved strategy.

    Every hand draws one joint plan for each side, so that the others act as their strategy says; in a seat
    of the team your team-mates play with you. All that you see is what your player knows; the whole hand is
    shown when it is over.
    """
    import numpy as np

    solution = _solution(game, seat, quiet=quiet)
    table = _Table(solution, seat, np.random.default_rng(seed), sys.stderr if as_json else sys.stdout)
    table.play(hands)
    if as_json:
        print_json(table.result())


def _solution(game: str, seat: int, *, quiet: bool) -> "Solution":
    """Load a solution, or solve the game for the players who sit against the person."""
    from maxmin.solve import load_solution, solve
    from maxmin.sources import load_tree

    if game.endswith(".npz") or (isfile(game) and is_zipfile(game)):
        solution = load_solution(game)
        _check_seat(solution.tree, seat)
        return solution
    tree = load_tree(game)
    _check_seat(tree, seat)
    others = [player for player in range(1, tree.n_players + 1) if player != seat]
    with Progress(f"solving {game} for the others", quiet=quiet) as progress:
        return solve(
            tree, team=others or [seat], gap=_QUICK_GAP, seconds=_QUICK_SECONDS, callback=progress.report
        )


def _check_seat(tree: "GameTree", seat: int) -> None:
    if seat > tree.n_players:
        raise UnknownNameError(f"there is no seat {seat}: {tree.name} has players 1 to {tree.n_players}")


class _StopError(Exception):
    """The person has had enough, or the input is at its end."""


class _Table:
    """Where the hands are played: keeps the score, talks to the person."""

    def __init__(self, solution: "Solution", seat: int, rng: "np.random.Generator", out: TextIO) -> None:
        self._solution = solution
        self._tree: GameTree = solution.tree
        self._seat = seat
        self._rng = rng
        self._out = out
        self._odds = {
            one.infoset: one.probabilities
            for strategy in (solution.strategy, solution.opponent)
            for one in strategy.marginals()
        }
        self._payoffs: list[float] = []

    def play(self, hands: int | None) -> None:
        """Play so many hands, or until the person stops."""
        solution = self._solution
        self._say(f"{solution.game}: you are player {self._seat}. Type ? for help, q to stop.")
        self._say(f"Team {braces(solution.team)} is sure of {number(solution.lower)} a hand, on average.")
        try:
            while hands is None or len(self._payoffs) < hands:
                self._say(f"\nHand {len(self._payoffs) + 1}")
                self._payoffs.append(self._hand())
                self._say(f"You get {self._payoffs[-1]:+g}. In all: {sum(self._payoffs):+g}")
        except _StopError:
            pass
        self._say(f"Hands: {len(self._payoffs)}. In all: {sum(self._payoffs):+g}")

    def result(self) -> dict[str, object]:
        """Return the score, for JSON."""
        return {
            "game": self._solution.game,
            "seat": self._seat,
            "hands": len(self._payoffs),
            "payoffs": self._payoffs,
            "total": float(sum(self._payoffs)),
        }

    def _hand(self) -> float:
        tree = self._tree
        plan = {
            **self._solution.strategy.sample(self._rng),
            **self._solution.opponent.sample(self._rng),
        }
        node = 0
        while tree.n_children[node]:
            node = int(tree.first_child[node]) + self._move(node, plan)
        self._say(f"Over: {' / '.join(tree.history(node)) or 'nothing happened'}")
        return float(tree.payoffs[tree.leaves.searchsorted(node), self._seat - 1])

    def _move(self, node: int, plan: Mapping[int, int]) -> int:
        tree = self._tree
        if tree.player[node] == 0:
            children = slice(tree.first_child[node], tree.first_child[node] + tree.n_children[node])
            return self._draw(tree.probability[children])
        infoset = int(tree.infoset[node])
        if tree.player[node] == self._seat:
            return self._ask(infoset, plan)
        return plan[infoset] if infoset in plan else int(self._rng.integers(tree.n_children[node]))

    def _draw(self, odds: "NDArray[np.float64]") -> int:
        return int(self._rng.choice(len(odds), p=odds / odds.sum()))

    def _ask(self, infoset: int, plan: Mapping[int, int]) -> int:
        actions = self._tree.infoset_actions[infoset]
        self._say(f"You know: {self._tree.infoset_labels[infoset] or 'nothing'}")
        choices = _choices(actions)
        while True:
            self._out.write(f"{choices} > ")
            self._out.flush()
            line = sys.stdin.readline()
            answer = line.strip()
            if not sys.stdin.isatty():
                self._say(answer)
            if not line or answer == "q":
                raise _StopError
            chosen = _choice(answer, actions)
            if answer == "?":
                self._say(f"{_HELP}\n{self._advice(infoset, plan)}")
            elif chosen is None:
                self._say(f"{answer!r} is none of them; ? for help")
            else:
                return chosen

    def _advice(self, infoset: int, plan: Mapping[int, int]) -> str:
        actions = self._tree.infoset_actions[infoset]
        if infoset not in self._odds:
            return "The strategy never comes here."
        often = in_words(actions, self._odds[infoset].tolist())
        now = actions[plan[infoset]] if infoset in plan else "not to be here"
        return f"The strategy, on average: {often}; in this hand's draw: {now}."

    def _say(self, text: str) -> None:
        print(text, file=self._out)


def _choices(actions: Sequence[str]) -> str:
    if any(action.isdigit() for action in actions):
        return "  ".join(actions)
    return "  ".join(f"{index} {action}" for index, action in enumerate(actions, 1))


def _choice(answer: str, actions: Sequence[str]) -> int | None:
    """Return the action meant by a number, a name or the beginning of one name; None if it is unclear."""
    if answer in actions:
        return actions.index(answer)
    if answer.isascii() and answer.isdigit() and 1 <= int(answer) <= len(actions):
        return int(answer) - 1
    meant = [index for index, action in enumerate(actions) if answer and action.startswith(answer)]
    return meant[0] if len(meant) == 1 else None
