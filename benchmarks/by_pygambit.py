"""Rows by pygambit: reading a file, and the sequence-form linear program."""

import pygambit
from clock import Clock
from rows import Row


def read(*, file: str) -> Row:
    """Time reading an ``.efg`` file."""
    with Clock() as clock:
        game = pygambit.read_efg(file)
    return {"read": clock.seconds(), "players": len(game.players)}


def linear_program(*, file: str) -> Row:
    """Time the linear program in floating point, without reading the file."""
    game = pygambit.read_efg(file)
    with Clock() as clock:
        (profile,) = pygambit.nash.lp_solve(game, rational=False).equilibria
    return {"solve": clock.seconds(), "value": float(profile.payoff(next(iter(game.players))))}
