"""``maxmin battleship play``: a person searches a board in the terminal, alone or beside a strategy."""

import sys
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from maxmin.cli.battleship.options import (
    STRATEGY_HELP,
    BoardSize,
    Patterns,
    Placement,
    Touching,
    complete_strategy,
    find_strategy,
    make_board,
)
from maxmin.cli.options import Json, Quiet
from maxmin.cli.output import print_json
from maxmin.errors import GameError, MaxminError

if TYPE_CHECKING:
    from maxmin.battleship.board import Board, Bools

EXAMPLES = """\b
Examples:
  maxmin battleship play
  maxmin battleship play --beside greedy --seed 1
  maxmin battleship play --board 10x10 --patterns 5,4,3,3,2 --touching all
"""

_HELP = """Type a cell, such as D4. Also:
  hint  how likely each cell is covered, and the likeliest
  ?     this help
  q     stop (so does the end of the input)"""


def play(
    board: BoardSize = "7x7",
    patterns: Patterns = "L,L",
    touching: Touching = "corners",
    placement: Placement = "uniform",
    beside: Annotated[
        str | None,
        typer.Option(metavar="STRATEGY", autocompletion=complete_strategy, help=f"Compare: {STRATEGY_HELP}"),
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Repeat the same board.")] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Uncover the hidden patterns in few shots.

    A board is drawn at random. With --beside a strategy searches the same board, and its shots are shown when the
    game is over.
    """
    import numpy as np

    from maxmin.battleship.evaluate import hit_times

    where = make_board(board, patterns, touching, placement)
    drawn = int(np.random.SeedSequence(seed).generate_state(1)[0])
    other = None if beside is None else find_strategy(beside, where, drawn)
    covered = where.draw(1, seed=drawn)[0]
    game = _Game(where, covered, sys.stderr if as_json else sys.stdout)
    finished = game.play()
    result: dict[str, object] = {"board": str(where), "shots": game.n_shots, "finished": finished}
    result["hints"] = game.hints
    if other is not None:
        shots = int(hit_times(other, where, covered[None])[0, -1])
        game.say(f"{other.name} uncovers this board in {shots} shots.")
        result |= {"beside": other.name, "beside_shots": shots}
    if as_json:
        print_json(result)


class _StopError(Exception):
    """The person has had enough, or the input is at its end."""


class _Game:
    """One game of a person: what has been seen, and what is said."""

    def __init__(self, board: "Board", covered: "Bools", out: TextIO) -> None:
        from maxmin.battleship.posterior import Tracker
        from maxmin.battleship.state import State

        self._board = board
        self._covered = covered
        self._out = out
        self._tracker: Tracker = Tracker(State(board))
        self.hints = 0

    @property
    def n_shots(self) -> int:
        """The number of shots so far."""
        state = self._tracker.state
        return len(state.hits) + len(state.misses)

    def play(self) -> bool:
        """Play until all is uncovered or the person stops; say which of the two."""
        from maxmin.battleship.render import render

        board = self._board
        names = ", ".join(str(pattern) for pattern in board.patterns)
        self.say(f"Hidden on {board.rows} x {board.columns} cells: {names}. Type ? for help, q to stop.")
        self.say(render(self._tracker.state))
        try:
            while not self._tracker.state.over:
                cell = self._ask()
                hit = bool(self._covered[cell])
                self._tracker.shoot(cell, hit=hit)
                self.say(f"{self._board.cell_name(cell)}: {'hit' if hit else 'miss'}")
                self.say(render(self._tracker.state))
        except _StopError:
            self.say(f"\nStopped after {self.n_shots} shots. It was (# not found):")
            self.say(render(self._tracker.state, covered=self._covered))
            return False
        self.say(f"All is uncovered, in {self.n_shots} shots.")
        return True

    def say(self, text: str) -> None:
        """Print to where the game is played."""
        print(text, file=self._out)

    def _ask(self) -> int:
        while True:
            self._out.write(f"shot {self.n_shots + 1} > ")
            self._out.flush()
            line = sys.stdin.readline()
            answer = line.strip()
            if not sys.stdin.isatty():
                self.say(answer)
            if not line or answer in ("q", "quit"):
                raise _StopError
            if answer == "hint":
                self._hint()
            elif answer == "?":
                self.say(_HELP)
            elif answer:
                try:
                    cell = self._board.parse_cell(answer)
                    self._tracker.state.after(cell, hit=True)  # refuses a cell that has been shot at
                    return cell
                except GameError as error:
                    self.say(f"{error}; ? for help")

    def _hint(self) -> None:
        from maxmin.battleship.render import render_posterior

        try:
            found = self._tracker.posterior()
        except MaxminError as error:
            self.say(f"there is no hint: {error}")
            return
        self.hints += 1
        best = found.best()
        self.say(render_posterior(found))
        self.say(f"Likeliest: {self._board.cell_name(best)}, {found.probability[best]:.1%}")
