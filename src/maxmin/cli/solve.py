"""``maxmin solve``: what a team can guarantee in a game, with both bounds, the strategies and a file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maxmin.cli.errors import INTERRUPTED
from maxmin.cli.options import (
    Game,
    Json,
    Quiet,
    check_gap,
    check_seconds,
    check_target,
    complete_method,
    parse_observations,
    parse_size,
    parse_team,
)
from maxmin.cli.output import count, duration, message, number, print_facts, print_json
from maxmin.cli.progress import Progress
from maxmin.cli.sizes import braces, print_sizes
from maxmin.cli.strategy_table import choices_first, marginals, print_marginals

if TYPE_CHECKING:
    from maxmin.solve import Solution

EXAMPLES = """\b
Examples:
  maxmin solve 3L133 --team 1,2
  maxmin solve "kuhn_poker(players=3,ranks=8)" --team 1,3 --gap 1e-4
  maxmin solve game.efg --method lp --save answer.npz
  maxmin solve kuhn_poker --method exact
  maxmin solve 3L523 --team 1,2 --seconds 60 --json --quiet > answer.json
"""

_METHODS = """How: auto picks a good way, and says why; exact, lp, restricted_lp, column_generation,
double_oracle, dag_column_generation, or a regret minimizer: cfr, cfr+, linear_cfr, dcfr, pcfr+, dcfr+,
pdcfr+, hs_dcfr, hs_pcfr+, sapcfr+, sapdcfr+, steep_sapcfr+, or one that samples: external_sampling,
outcome_sampling."""

_MOST_ROWS = 20

_STOPPED_BY = {
    "gap": "the gap that was asked for",
    "optimal": "nothing, it is optimal",
    "seconds": "the time limit",
    "iterations": "the limit of iterations",
    "memory": "the memory limit; this is the best so far",
    "stalled": "HiGHS, which came no further",
    "interrupt": "you; this is the best so far",
}


def solve(
    game: Game,
    team: Annotated[
        str, typer.Option(metavar="1,2", help="The team's players; everybody else plays against it.")
    ] = "1",
    method: Annotated[
        str, typer.Option(metavar="NAME", autocompletion=complete_method, help=_METHODS)
    ] = "auto",
    gap: Annotated[
        float,
        typer.Option(
            callback=check_gap, help="Stop at this gap between the bounds, relative to the payoff range."
        ),
    ] = 1e-3,
    seconds: Annotated[
        float | None, typer.Option(callback=check_seconds, help="Stop after this time, with the best so far.")
    ] = None,
    iterations: Annotated[int | None, typer.Option(min=1, help="Stop after so many iterations.")] = None,
    memory: Annotated[
        str | None,
        typer.Option(
            metavar="4GB", help="Refuse to build what would take more; default: half of the machine's."
        ),
    ] = None,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep the solution, for verify, show and play (.npz).")
    ] = None,
    lp_solver: Annotated[
        str,
        typer.Option(metavar="NAME", help="How lp is solved: auto, simplex, interior_point or first_order."),
    ] = "auto",
    checkpoint: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Go on from this state, if the file exists; keep the state in it."),
    ] = None,
    observations: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="What a team learns together: connected, or public (older, larger, of the same value).",
        ),
    ] = "connected",
    inflate: Annotated[
        bool,
        typer.Option("--inflate", help="First split infosets whose parts no plan reaches together."),
    ] = False,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Of a method that samples; the same seed, the same answer.")
    ] = None,
    rationalize: Annotated[
        bool,
        typer.Option("--rationalize", help="Read floats in the game as the fractions they mean (0.1: 1/10)."),
    ] = False,
    threads: Annotated[
        int | None,
        typer.Option(
            min=1, max=1024, help="Let at most so many threads iterate; default: one per processor."
        ),
    ] = None,
    pruning: Annotated[
        bool,
        typer.Option(
            "--pruning",
            help="Let regret minimizers leave out for a while what cannot matter; not with a checkpoint.",
        ),
    ] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find what a team can guarantee against everybody else.

    Prints the value with a lower and an upper bound, and the team's strategy in words. Ctrl-C stops in
    order: the best so far is printed, and saved if --save is given.
    """
    from maxmin.solve import solve as run

    players = parse_team(team)
    limit = None if memory is None else parse_size(memory)
    check_target(save)
    check_target(checkpoint)
    with Progress(f"solving {game} for the team {braces(players)}", quiet=quiet) as progress:
        solution = run(
            game,
            team=players,
            method=method,
            gap=gap,
            seconds=seconds,
            iterations=iterations,
            memory=limit,
            observations=parse_observations(observations),
            inflate=inflate,
            lp_solver=lp_solver,  # type: ignore[arg-type] # checked there
            seed=seed,
            rationalize=rationalize,
            threads=threads,
            pruning=pruning,
            checkpoint=checkpoint,
            callback=progress.report,
        )
    try:
        if save is not None:
            solution.save(save)
            message(f"saved in {save}; maxmin verify {save} checks it", quiet=quiet)
    finally:
        if as_json:
            print_json(solution.to_json())
        else:
            _print(solution, save)
    if solution.stopped_by == "interrupt":
        message("interrupted: this is the best so far", quiet=quiet)
        raise typer.Exit(INTERRUPTED)


def _print(solution: "Solution", save: Path | None) -> None:
    others = solution.opponent.side
    steps = "iterations" if solution.exact is None else "pivots after HiGHS"
    print_facts(
        f"{solution.game}: the team {braces(solution.team)} against {braces(others) if others else 'nobody'}",
        [
            ("value", _value(solution)),
            ("bounds", f"{number(solution.lower)} to {number(solution.upper)}"),
            ("gap", f"{solution.gap:.3g}, relative to the payoff range {solution.relative_gap:.3g}"),
            ("", f"(average team exploitability, which is gap / 2: {solution.gap / 2:.3g})"),
            ("method", f"{solution.method}, {count(solution.iterations)} {steps}"),
            *([("reason", solution.reason)] if solution.reason else []),
            ("stopped by", _STOPPED_BY[solution.stopped_by]),
            ("time", _times(solution)),
        ],
    )
    sides = {"team": solution.team, "opponent": others}
    print_sizes([(braces(side), solution.sizes[name]) for name, side in sides.items() if side])
    _print_strategy(solution, save)


def _value(solution: "Solution") -> str:
    rounded = number(solution.value)
    return rounded if solution.exact is None else f"{solution.exact['value']} exactly, {rounded} rounded"


def _times(solution: "Solution") -> str:
    tree = solution.sizes["tree_seconds"]
    parts = {"tree": tree, "decision problems": solution.build_seconds - tree, "solving": solution.seconds}
    return ", ".join(f"{name} {duration(seconds)}" for name, seconds in parts.items())


def _print_strategy(solution: "Solution", save: Path | None) -> None:
    rows = marginals(solution, solution.strategy)
    shown = choices_first(rows, _MOST_ROWS)
    print_marginals(shown)
    if len(shown) < len(rows):
        print(f"{len(shown)} of {len(rows)} infosets. All: maxmin show {save or 'FILE'} --all", end="")
        print("" if save else ", after maxmin solve ... --save FILE")
