"""Two lines of play of every game, in full: who acts, on what knowledge, the choices, and the payoffs.

``python tests/golden/write_playthroughs.py`` writes the files again; look at the difference then.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from maxmin.game import CHANCE, OVER, Game
from maxmin.games import CATALOGUE, make_game

FOLDER = Path(__file__).parent / "playthroughs"

MORE = ("2K3", "leduc_poker(players=3,bets=2)", "goofspiel(players=2,cards=3,prizes=ascending,ties=split)")
"""Games that have a playthrough besides the examples of the catalogue."""


def specs() -> list[str]:
    """List the full names of the games that must have a playthrough."""
    examples = [example for family in CATALOGUE.values() for example in family.examples]
    return list(dict.fromkeys(make_game(spec).name for spec in [*examples, *MORE]))


def path(spec: str) -> Path:
    return FOLDER / f"{re.sub(r'[^a-z0-9]+', '_', spec).strip('_')}.txt"


def playthrough(game: Game) -> str:
    """Return the whole text of two fixed lines of play."""
    lines = [game.name, f"players: {game.players}"]
    for number in (1, 2):
        lines += ["", f"line {number}", *_moves(game, number)]
    return "\n".join(lines) + "\n"


def _moves(game: Game, number: int) -> Iterator[str]:
    state, step = game.root(), 0
    while (turn := game.turn(state)) != OVER:
        if turn == CHANCE:
            outcomes = game.chance(state)
            odds = [f"  {label}: {Fraction(probability)}" for label, probability in outcomes]
            labels = [label for label, _ in outcomes]
            yield from ["", "chance", *odds]
        else:
            labels = list(game.actions(state))
            yield from ["", f"player {turn} knows: {game.infoset(state)}", f"  {', '.join(labels)}"]
        # A stride that is no usual number of moves, so that every kind of move comes up somewhere.
        choice = labels[(5 * step + number + len(labels) // 2) % len(labels)]
        yield f"-> {choice}"
        state, step = game.child(state, choice), step + 1
    yield from ["", "over"]
    for player, payoff in enumerate(game.payoffs(state), 1):
        yield f"  player {player}: {Fraction(payoff)}"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for spec in specs():
        path(spec).write_text(playthrough(make_game(spec)), encoding="utf-8")
        print(path(spec).name)


if __name__ == "__main__":
    main()
