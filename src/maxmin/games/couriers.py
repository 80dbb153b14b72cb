"""Couriers: a team whose public observations are few, though its public states are huge.

Chance draws one of two gates and one of n towns. Player 1 sends the courier at the gate left or right; player
2, the courier, sees gate, town and road, and takes the red or the blue bag. Chance then draws one of two doors.
Gate, town, road and door lead into a room, where player 3 waits, who sees nothing but the room: she names a
bag. Player 4, who sees nothing, names one too. If player 3 is right and player 4 wrong, the team {1, 2, 3} wins
1 from player 4, a third each.

Value 1/2 for the team: it draws a bag beforehand, which the courier takes and player 3 names; player 4 knows
nothing of it. No more: a player 4 who tosses a coin is right half of the time.

Rooms have two doors each, one for either gate. A courier from gate 1 who came by road x finds a door to a room
where couriers from gate 2 arrive who came left, and one where those arrive who came right; and the other way
round. The rooms join all 4n places where a courier can be (gate, road, town) into one ring, so nothing about
them is public: they are one public state, in which the team has 4n infosets. But once player 1's two roads are
settled, each place shares a room with one other place only, the rest of the ring being out of reach: what is
left falls apart into n pairs. So the belief DAG grows linearly with n, and exponentially if it is made of
public states.

If player 1 sees the gate (the default), inflation splits nothing: each room can be reached from both gates, for
some choice of roads. If she does not, both couriers take the same road, rooms between different roads are
reached from both gates by different plans only, and complete inflation cuts the ring.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

from maxmin.errors import GameError
from maxmin.game import CHANCE, OVER
from maxmin.games.parameters import Parameter, Value, canonical_name, check_size

Moves: TypeAlias = tuple[str, ...]

ROADS, BAGS = ("left", "right"), ("red", "blue")

_TURNS = (CHANCE, 1, 2, CHANCE, 3, 4)


class Couriers:
    """Sender, courier, receiver and customs; see the head of this file for the rules."""

    players = 4
    parameters = (
        Parameter("towns", 3, "how many towns couriers start from", least=1, most=1000),
        Parameter("gate", "seen", "whether player 1 sees the gate", choices=("seen", "unseen")),
    )

    def __init__(self, *, towns: int = 3, gate: str = "seen") -> None:
        values: dict[str, Value | None] = {"towns": towns, "gate": gate}
        self.name = canonical_name("couriers", self.parameters, values)
        check_size(self.name, 64 * towns)
        self.towns = towns
        self.gate = gate
        self._starts = {f"{gate} {town}": (gate, town) for gate in (1, 2) for town in range(1, towns + 1)}

    def root(self) -> Moves:
        """Return no moves."""
        return ()

    def turn(self, state: Moves) -> int:
        """Draw the start; road, bag; draw the door; both guesses."""
        return OVER if len(state) == len(_TURNS) else _TURNS[len(state)]

    def actions(self, state: Moves) -> Sequence[str]:
        """Name the roads, then bags."""
        return ROADS if self.turn(state) == 1 else BAGS

    def chance(self, state: Moves) -> Sequence[tuple[str, Fraction]]:
        """Draw gate and town, or the door, named for the road that it is for at the other gate."""
        outcomes = ROADS if state else self._starts
        odds = Fraction(1, len(outcomes))
        return [(outcome, odds) for outcome in outcomes]

    def child(self, state: Moves, action: str) -> Moves:
        """Append the move."""
        if action not in (ROADS if len(state) in (1, 3) else BAGS if state else self._starts):
            raise GameError(
                f"{self.name}, after {' / '.join(state) or 'nothing'}: there is no move {action!r}"
            )
        return (*state, action)

    def infoset(self, state: Moves) -> str:
        """Tell player 1 the gate, player 2 all, player 3 the room, player 4 nothing."""
        turn = self.turn(state)
        if turn == 1:
            return f"gate {self._starts[state[0]][0]}" if self.gate == "seen" else "send"
        if turn == 2:
            gate, town = self._starts[state[0]]
            return f"gate {gate}, town {town}, {state[1]}"
        return f"room {self._room(state)}" if turn == 3 else "name a bag"

    def payoffs(self, state: Moves) -> Sequence[int | Fraction]:
        """Pay the team if player 3 is right and player 4 is wrong."""
        _, _, bag, _, named, feared = state
        third = Fraction(1, 3)
        return (third, third, third, -1) if named == bag != feared else (0, 0, 0, 0)

    def _room(self, state: Moves) -> str:
        """Name a room for the roads from both gates and the town of gate 1 that it belongs to."""
        start, road, _, door = state[:4]
        gate, town = self._starts[start]
        if gate == 1:
            return f"{road}-{door} {town}"
        # Where roads are left and right, rooms lead from one town to the next, which closes the ring.
        before = (town - 1 - ((door, road) == ROADS)) % self.towns + 1
        return f"{door}-{road} {before}"
