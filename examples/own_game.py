"""A game of one's own: two guards who cannot talk, a thief, and more and more doors.

With n doors the guards can stand at two of them, so the thief is caught with probability 2/n.
"""

from collections.abc import Sequence

import maxmin

State = tuple[str, ...]


class TwoGuards:
    """The guards (players 1 and 2) and the thief (player 3) each pick a door, unseen."""

    players = 3

    def __init__(self, doors: int) -> None:
        self.name = f"two_guards(doors={doors})"
        self.doors = [f"door {number}" for number in range(1, doors + 1)]

    def root(self) -> State:
        return ()

    def turn(self, state: State) -> int:
        return len(state) + 1 if len(state) < 3 else -1

    def actions(self, state: State) -> Sequence[str]:
        return self.doors

    def chance(self, state: State) -> Sequence[tuple[str, float]]:
        return []

    def child(self, state: State, action: str) -> State:
        return (*state, action)

    def infoset(self, state: State) -> str:
        return "pick a door"

    def payoffs(self, state: State) -> Sequence[int]:
        first, second, thief = state
        return (1, 1, -2) if thief in (first, second) else (0, 0, 0)


def main() -> None:
    for doors in (2, 3, 4, 5):
        game = TwoGuards(doors)
        maxmin.check_game(game)
        solution = maxmin.solve(game, team=(1, 2), method="lp")
        print(f"{doors} doors: caught with probability {solution.value / 2:.4f}")


if __name__ == "__main__":
    main()
