"""``maxmin guts`` without a grid, in the limit, and against members who mix on their own."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import typer

from maxmin.cli.errors import INTERRUPTED
from maxmin.cli.guts_cards import Chips, print_simulation
from maxmin.cli.output import count, duration, message, number, print_facts, print_json, print_table
from maxmin.cli.progress import Progress

if TYPE_CHECKING:
    from maxmin.guts import AsynchronousSolution, ContinuumSolution, LimitSolution
    from maxmin.guts.asynchronous import AsynchronousValue
    from maxmin.guts.limit import LimitValue
    from maxmin.guts.result import GutsValue

_MOST_MEMBERS = 12


def refuse_others(context: typer.Context, option: str, *, but: Collection[str]) -> None:
    """Refuse options that mean nothing beside `option`.

    Raises
    ------
    typer.BadParameter
        If one was given that is neither among `but` nor about the output.
    """
    allowed = {option.lstrip("-"), "as_json", "quiet", *but}
    for name in context.params:
        source = context.get_parameter_source(name)
        if name not in allowed and source is not None and source.name == "COMMANDLINE":
            raise typer.BadParameter(f"does not go with {option}", param_hint=f"'--{name}'")


def run_continuous(coalition: int, chips: Chips, *, as_json: bool) -> None:
    """Solve guts on the continuum, play it if asked to, and print both."""
    from maxmin.guts import solve_continuum

    solution = solve_continuum(coalition=coalition)
    played = chips.play(solution.repeated, "entered")
    if as_json:
        print_json({**solution.to_json(), **chips.to_json(played)})
    else:
        _print_continuous(solution)
        print_simulation(played, solution.repeated)
    chips.finish(played, "entered")


def run_limit(*, as_json: bool) -> None:
    """Solve the limit of large coalitions, and print it."""
    from maxmin.guts import solve_limit

    solution = solve_limit()
    if as_json:
        print_json(solution.to_json())
    else:
        _print_limit(solution)


def run_asynchronous(
    coalition: int, grid: int | None, seconds: float | None, *, as_json: bool, quiet: bool
) -> None:
    """Solve guts against members who mix on their own, and print it."""
    from maxmin.guts import solve_asynchronous

    with Progress(f"solving guts against {coalition} who mix each on their own", quiet=quiet):
        solution = solve_asynchronous(coalition=coalition, grid=grid, seconds=seconds)
    if as_json:
        print_json(solution.to_json())
    else:
        _print_asynchronous(solution)
    if solution.stopped_by == "interrupt":
        message("interrupted: this is the best so far", quiet=quiet)
        raise typer.Exit(INTERRUPTED)


def _print_continuous(solution: "ContinuumSolution") -> None:
    print_facts(
        f"guts, 1 against {solution.coalition}, on the continuum",
        [
            ("repeated value", _in_words(solution.repeated)),
            ("one-shot value", _in_words(solution.one_shot)),
            ("method", f"continuum, {count(solution.iterations)} iterations; the bounds are proved"),
            ("time", duration(solution.seconds)),
        ],
    )
    rows = []
    for game, found in (("repeated", solution.repeated), ("one-shot", solution.one_shot)):
        rows += [(game, "player 1", f"{weight:.4%}", _profile(held)) for held, weight in found.player]
        rows += [(game, "coalition", f"{weight:.4%}", _profile(held)) for held, weight in found.coalition]
    _print_strategies("thresholds", rows)


def _print_limit(solution: "LimitSolution") -> None:
    print_facts(
        "guts, 1 against N, for N to infinity",
        [
            ("repeated value", _in_words(solution.repeated)),
            ("one-shot value", _in_words(solution.one_shot)),
            ("method", "limit; the bounds are proved"),
            ("time", duration(solution.seconds)),
        ],
    )
    rows = []
    for game, found in (("repeated", solution.repeated), ("one-shot", solution.one_shot)):
        rates = found.rates
        rows += [
            (game, "player 1", "100.0000%", f"1 - {rates.player:.12g} / N"),
            (game, "coalition", f"{rates.weight:.4%}", f"1 - {rates.bloc:.12g} / N, all"),
            (
                game,
                "coalition",
                f"{1 - rates.weight:.4%}",
                f"0, and 1 - {rates.pseudo_bloc:.12g} / N, the others",
            ),
        ]
    _print_strategies("thresholds", rows)


def _print_asynchronous(solution: "AsynchronousSolution") -> None:
    where = "on the continuum" if solution.grid is None else f"on {count(solution.grid)} thresholds"
    how = (
        "a theorem: no coalition gains by mixing alone"
        if solution.grid is None
        else f"search, {solution.reached} of {solution.starts} starts ended at the best"
    )
    print_facts(
        f"guts, 1 against {solution.coalition} who mix each on their own, {where}",
        [
            ("repeated value", _in_words(solution.repeated)),
            ("one-shot value", _in_words(solution.one_shot)),
            (
                "agreed profiles",
                f"repeated {number(solution.synchronous_repeated.value)}"
                f", one-shot {number(solution.synchronous_one_shot.value)}",
            ),
            ("Nash", number(solution.nash)),
            ("method", how),
            ("time", duration(solution.seconds)),
        ],
    )
    members = solution.repeated.members[:_MOST_MEMBERS]
    print_table(
        ("member", "thresholds in the repeated game, with their probabilities"),
        [
            (str(place), ", ".join(f"{held:.12g}: {weight:.4%}" for held, weight in member))
            for place, member in enumerate(members, start=1)
        ],
    )
    if len(members) < solution.coalition:
        print(f"The first {_MOST_MEMBERS} of {count(solution.coalition)} members; all: --json")


def _print_strategies(what: str, rows: Sequence[Sequence[str]]) -> None:
    print("A player holds with a hand above the threshold.")
    print_table(("game", "side", "probability", what), rows, right=("probability",))


def _in_words(found: "GutsValue | LimitValue | AsynchronousValue") -> str:
    return (
        f"{found.value:.15g} antes to player 1, between {found.lower:.17g} and {found.upper:.17g}"
        f" (gap {found.upper - found.lower:.2g})"
    )


def _profile(thresholds: Sequence[float]) -> str:
    """Write a profile as 0, 0.97 x 14."""
    last = thresholds[-1]
    times = sum(held == last for held in thresholds)
    first = "0, " if times < len(thresholds) else ""
    return f"{first}{last:.15g}" + (f" x {times:,}" if times > 1 else "")
