"""Table 1: one player against N = 2..15, blocs and pseudo-blocs on 101 points; beside it all profiles, and no grid.

The summary through which we know the paper says what its table 1 is about, but not the figures in it; so there is
no column of the paper's.
"""

from maxmin.guts import GutsValue
from maxmin.guts.asynchronous import nash_threshold
from maxmin.studies.findings import Cell, Findings, Table
from maxmin.studies.guts_solved import COALITIONS, FINE, in_words, on_grid, summarize, without_grid

_VALUES = ("N", "reduced", "lower", "upper", "full", "full lower", "full upper", "no grid")
_PLAYED = ("N", "player 1", "bloc", "its probability", "pseudo-bloc")


def find() -> Findings:
    """Find values with bounds and strategies, for one round and for the repeated game."""
    tables = []
    for name, words in (("repeated", "Repeated game"), ("one_shot", "One round")):
        file = name.replace("_", "-")
        values = tuple(_values(n, name) for n in COALITIONS)
        tables.append(Table(file, f"{words}: the value for player 1, {FINE} points", _VALUES, values))
        title = f"{words}: strategies of the reduced game, and without a grid"
        columns = (*_PLAYED, *(f"{column}, no grid" for column in _PLAYED[1:]), "Nash")
        played = tuple(_played(n, name) for n in COALITIONS)
        tables.append(Table(f"{file}-strategies", title, columns, played))
    profiles = tuple(_profiles(n) for n in COALITIONS)
    title = f"Repeated game: strategies on {FINE} points in full, with their probabilities"
    columns = ("N", "player 1", "reduced coalition", "full coalition")
    return Findings(
        tables=(*tables, Table("profiles", title, columns, profiles)),
        notes=(
            "Bounds are best responses to the strategies; without a grid they are at most 1e-14 apart.",
            "On the grid player 1's threshold is the mean of the two that he mixes.",
            "Nash: the threshold of the symmetric equilibrium, the same in one round and in the repeated game.",
            "Profiles are written as 0, 0.91 x 3; those played in less than one round of 200 are left out.",
        ),
    )


def _of(players: int, name: str) -> tuple[GutsValue, GutsValue, GutsValue]:
    solutions = on_grid(players, reduced=True), on_grid(players), without_grid(players)
    reduced, full, continuum = (getattr(solution, name) for solution in solutions)
    return reduced, full, continuum


def _values(players: int, name: str) -> tuple[Cell, ...]:
    reduced, full, continuum = _of(players, name)
    bounds = (number for found in (reduced, full) for number in (found.value, found.lower, found.upper))
    return players, *bounds, continuum.value


def _played(players: int, name: str) -> tuple[Cell, ...]:
    reduced, _, continuum = _of(players, name)
    return players, *summarize(reduced), *summarize(continuum), nash_threshold(players)


def _profiles(players: int) -> tuple[Cell, ...]:
    reduced, full, _ = _of(players, "repeated")
    return players, in_words(full.player), in_words(reduced.coalition), in_words(full.coalition)
