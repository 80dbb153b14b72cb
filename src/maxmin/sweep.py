"""The value of a game on a grid of parameters, in floats, over all cores or a cluster, and kept as a table.

Where the game's numbers are polynomials in the parameters, the linear program is made once
(`maxmin.exact.parametric_program`); each point is then solved from the optimal basis of the one before. Where
parameters change the shape of the tree, such as the number of ranks, each point is solved on its own.

Work is spread by joblib: over the cores of this machine, or wherever ``joblib.parallel_config`` says, such as a
Dask or Ray cluster. Points that are solved are kept in ``FILE.partial`` until the table is written, so that a sweep
that was interrupted goes on.

Tables begin with where they come from: CSV with a comment line ``# maxmin sweep {...}`` (JSON), Parquet with the
same JSON under the key ``maxmin`` of the schema's metadata. Then one row per point: the parameters, and `value`.
"""

import json
import math
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

import maxmin
from maxmin.errors import FileError, GameError, MaxminError
from maxmin.files import AnyPath, write_atomically
from maxmin.journal import Journal
from maxmin.sweep_plan import Plan, make_plan
from maxmin.tree import Floats

if TYPE_CHECKING:
    from maxmin.exact.parametric_tree import Family

_MOST_POINTS = 10_000_000


@dataclass(frozen=True, eq=False)
class Sweep:
    """Values on a grid.

    Attributes
    ----------
    game : str
        What was asked for.
    team : tuple of int
        Whose values they are.
    axes : dict of str to tuple of Fraction
        The places of each parameter.
    values : (n_places of each parameter in turn) float64
        Payoff units; good to the tolerance of HiGHS, about 1e-9 of the payoffs.
    seconds : float
        Of this run.
    version : str
    date : str or None
        As the caller gave it.
    """

    game: str
    team: tuple[int, ...]
    axes: dict[str, tuple[Fraction, ...]]
    values: Floats
    seconds: float
    version: str
    date: str | None = None

    def provenance(self) -> dict[str, Any]:
        """Return where the values come from, as plain types."""
        facts = _identity(self.game, self.team, self.axes)
        return facts if self.date is None else {**facts, "date": self.date}

    def to_json(self) -> dict[str, Any]:
        """Return the sweep as an object of plain types."""
        return {
            **self.provenance(),
            "axes": {name: [str(place) for place in places] for name, places in self.axes.items()},
            "values": self.values.tolist(),
            "seconds": self.seconds,
        }

    def columns(self) -> dict[str, Floats]:
        """Return the table: one array per parameter, and `value`, all of (n_points,)."""
        places = [np.array(axis, dtype=np.float64) for axis in self.axes.values()]
        grid = [each.ravel() for each in np.meshgrid(*places, indexing="ij")]
        return dict(zip(self.axes, grid, strict=True)) | {"value": self.values.ravel()}

    def save(self, path: AnyPath) -> None:
        """Write the table, as CSV or Parquet by the suffix ``.csv`` or ``.parquet``.

        Raises
        ------
        FileError
            If the suffix is neither, or the file cannot be written.
        MaxminError
            For Parquet, if pyarrow is not installed.
        """
        check_table(path)
        write = self._write_parquet if _suffix(path) == ".parquet" else self._write_csv
        write_atomically(path, write)

    def _write_csv(self, file: BinaryIO) -> None:
        columns = self.columns()
        file.write(f"# maxmin sweep {json.dumps(self.provenance())}\n{','.join(columns)}\n".encode())
        for row in zip(*(column.tolist() for column in columns.values()), strict=True):
            file.write((",".join(map(repr, row)) + "\n").encode())

    def _write_parquet(self, file: BinaryIO) -> None:
        import pyarrow
        import pyarrow.parquet

        table = pyarrow.table(self.columns())
        table = table.replace_schema_metadata({"maxmin": json.dumps(self.provenance())})
        pyarrow.parquet.write_table(table, file)


def sweep(
    game: "str | Family",
    *,
    over: Mapping[str, Sequence[Fraction]],
    team: Sequence[int] = (1,),
    jobs: int = -1,
    save: AnyPath | None = None,
    date: str | None = None,
    callback: Callable[[int, int], object] = lambda done, total: None,
) -> Sweep:
    """Solve a game at all points of a grid.

    Parameters
    ----------
    game
        A name from the catalogue without the parameters, or a function that takes them as keywords; to spread the
        work it must be one that can be pickled.
    over
        The places of each parameter, ascending; see `places`.
    team
        Whose value.
    jobs
        How many processes; -1 for as many as there are cores, or workers of the cluster that
        ``joblib.parallel_config`` chose.
    save
        Write the table here at the end, and keep what is solved in ``SAVE.partial`` until then. If that file
        is there at the start, and of the same sweep, its points are not solved again.
    date
        Kept in the table.
    callback
        Called with the number of points that are solved, and of all.

    Raises
    ------
    GameError, UnknownNameError
        If there is no such game at a corner of the grid.
    FileError
        If a file cannot be written, or ``SAVE.partial`` is of another sweep.
    """
    from maxmin.exact.parametric_tree import named_family

    start = time.monotonic()
    axes = {name: tuple(map(Fraction, axis)) for name, axis in over.items()}
    _check_axes(axes)
    if save is not None:
        check_table(save)
    family = named_family(game, tuple(axes)) if isinstance(game, str) else game
    name = game if isinstance(game, str) else getattr(game, "__name__", type(game).__name__)
    plan = make_plan(family, axes, tuple(team))
    values = np.full(math.prod(map(len, axes.values())), np.nan)
    identity = _identity(name, tuple(team), axes)
    journal = None if save is None else Journal(f"{os.fspath(save)}.partial", identity, what="sweep")
    with journal or nullcontext():
        for first, known in journal.entries if journal else ():
            values[first : first + len(known)] = known
        for first, found in _solved(plan, _tasks(np.isnan(values), plan.points_per_task), axes, jobs):
            values[first : first + len(found)] = found
            if journal is not None:
                journal.append([first, found])
            callback(int(np.count_nonzero(~np.isnan(values))), len(values))
    shaped = values.reshape([len(axis) for axis in axes.values()])
    result = Sweep(name, tuple(team), axes, shaped, time.monotonic() - start, maxmin.__version__, date)
    if save is not None and journal is not None:
        result.save(save)
        journal.remove()
    return result


def places(low: Fraction, high: Fraction, count: int) -> tuple[Fraction, ...]:
    """Return `count` places from low to high, both included, at equal distances.

    Raises
    ------
    GameError
        If there are fewer than two, or low is not below high.
    """
    if count < 2 or low >= high:
        raise GameError(
            f"{low}:{high}:{count} is not an axis; write low:high:count with low < high and count > 1"
        )
    return tuple(low + (high - low) * Fraction(i, count - 1) for i in range(count))


def check_table(path: AnyPath) -> None:
    """Refuse a table that could not be written in the end.

    Raises
    ------
    FileError
        If its suffix is neither .csv nor .parquet.
    MaxminError
        For Parquet, if pyarrow is not installed.
    """
    from importlib.util import find_spec

    if _suffix(path) not in (".csv", ".parquet"):
        raise FileError(f"{os.fspath(path)}: a table is written as .csv or .parquet")
    if _suffix(path) == ".parquet" and find_spec("pyarrow") is None:
        raise MaxminError(
            "Parquet files need the package pyarrow; install it (pip install pyarrow), or write .csv"
        )


def _suffix(path: AnyPath) -> str:
    return Path(path).suffix.lower()


def _check_axes(axes: Mapping[str, Sequence[Fraction]]) -> None:
    if not axes:
        raise GameError("name at least one parameter to vary")
    for name, axis in axes.items():
        if not axis or any(low >= high for low, high in pairwise(axis)):
            raise GameError(f"the places of {name} must ascend, and there must be some")
    points = math.prod(map(len, axes.values()))
    if points > _MOST_POINTS:
        raise GameError(
            f"the grid has {points:,} points; at most {_MOST_POINTS:,} are swept: take fewer places"
        )


def _identity(game: str, team: tuple[int, ...], axes: Mapping[str, Sequence[Fraction]]) -> dict[str, Any]:
    """Return what tells one sweep from another."""
    shown = {name: [str(axis[0]), str(axis[-1]), len(axis)] for name, axis in axes.items()}
    return {"game": game, "team": list(team), "over": shown, "version": maxmin.__version__}


def _tasks(open_points: NDArray[np.bool_], most: int) -> Iterator[tuple[int, int]]:
    """Yield (first, stop) of runs of points that are not solved yet."""
    first, n_points = 0, len(open_points)
    while first < n_points:
        if not open_points[first]:
            first += 1
            continue
        stop = first
        while stop < min(n_points, first + most) and open_points[stop]:
            stop += 1
        yield first, stop
        first = stop


def _solved(
    plan: Plan, tasks: Iterator[tuple[int, int]], axes: Mapping[str, Sequence[Fraction]], jobs: int
) -> Iterator[tuple[int, list[float]]]:
    """Yield (first point, values) of each task, in the order in which they are done."""
    from joblib import Parallel, delayed

    shape = [len(axis) for axis in axes.values()]

    def point(index: int) -> tuple[Fraction, ...]:
        where = np.unravel_index(index, shape)
        return tuple(axis[int(i)] for axis, i in zip(axes.values(), where, strict=True))

    calls = (
        delayed(_task)(plan, tuple(axes), first, [point(index) for index in range(first, stop)])
        for first, stop in tasks
    )
    yield from Parallel(n_jobs=jobs, return_as="generator_unordered")(calls)


def _task(
    plan: Plan, names: tuple[str, ...], first: int, points: list[tuple[Fraction, ...]]
) -> tuple[int, list[float]]:
    return first, plan.solve(names, points)
