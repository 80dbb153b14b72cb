"""``maxmin battleship train paper-supervised``, ``paper-reinforcement``: many runs of the paper's network."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from maxmin.cli.battleship.options import BoardSize, Patterns, Placement, Seed, Touching, make_board
from maxmin.cli.battleship.training_output import Checkpoint, Save, Seconds, keep, report_end
from maxmin.cli.options import Json, Quiet, check_target
from maxmin.cli.output import count, duration, print_facts, print_json, print_table
from maxmin.cli.progress import ShareDone

if TYPE_CHECKING:
    from maxmin.learning.paper_runs import Runs

EXAMPLES = {
    "supervised": """\b
Examples:
  maxmin battleship train paper-supervised --runs 32
  maxmin battleship train paper-supervised --runs 10000 --jobs -1 \\
    --checkpoint runs.npz
  maxmin battleship train paper-supervised --coding board --save policy.npz
""",
    "reinforcement": """\b
Examples:
  maxmin battleship train paper-reinforcement --runs 32 --points 8
  maxmin battleship train paper-reinforcement --runs 1000 --jobs -1 \\
    --checkpoint runs.npz
  maxmin battleship train paper-reinforcement --roulette --discount 0.2
""",
}

Count = Annotated[int, typer.Option(min=1, help="How many networks are adapted.")]
Iterations = Annotated[int, typer.Option(min=1, help="Of each run; the default is the paper's.")]
Coding = Annotated[
    str, typer.Option(metavar="NAME", help="Inputs: a window centred on the candidate cell, or the board.")
]
Window = Annotated[int, typer.Option(min=1, help="Side of the window, odd.")]
Hidden = Annotated[int, typer.Option(min=1, help="Sigmoids in the hidden layer.")]
Hit = Annotated[float, typer.Option(help="The input for a hit.")]
Miss = Annotated[float, typer.Option(help="The input for a miss; 0 is not yet shot at.")]
Loss = Annotated[str, typer.Option(metavar="NAME", help="cross-entropy or squared.")]
Rate = Annotated[float, typer.Option("--rate", help="The learning rate at the start; it falls to 0.")]
RandomShots = Annotated[
    float, typer.Option("--random", help="The share of random shots in the games that are learned from.")
]
Games = Annotated[int, typer.Option(min=1, help="Games that each run plays where it is measured.")]
Points = Annotated[int, typer.Option(min=1, help="Measure so often, the last time at the end.")]
Jobs = Annotated[int, typer.Option(help="How many processes; -1: as many as there are cores.")]


def paper_supervised(
    board: BoardSize = "7x7",
    patterns: Patterns = "L,L",
    touching: Touching = "corners",
    placement: Placement = "uniform",
    runs: Count = 1,
    iterations: Iterations = 40_000,
    iteration: Annotated[
        str, typer.Option(metavar="NAME", help="What counts as one: a state with all its cells, or a cell.")
    ] = "state",
    coding: Coding = "window",
    window: Window = 7,
    hidden: Hidden = 50,
    hit: Hit = 4.0,
    miss: Miss = -0.7,
    loss: Loss = "cross-entropy",
    rate: Rate = 0.1,
    random: RandomShots = 0.3,
    games: Games = 200,
    points: Points = 1,
    jobs: Jobs = 1,
    seed: Seed = 0,
    seconds: Seconds = None,
    checkpoint: Checkpoint = None,
    save: Save = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Adapt the paper's network to exact hit probabilities.

    Prints the average shots over all runs, and the spread. Saves the best run's policy.
    """
    network = {"coding": coding, "window": window, "hidden": hidden, "hit": hit, "miss": miss}
    adaptation = {
        "learner": "supervised",
        "iterations": iterations,
        "iteration": iteration,
        "loss": loss,
        "learning_rate": rate,
        "random_shots": random,
    }
    work = {"runs": runs, "games": games, "points": points, "jobs": jobs, "seed": seed, "seconds": seconds}
    where = (board, patterns, touching, placement)
    _run(where, network, adaptation, work, checkpoint, save, as_json=as_json, quiet=quiet)


def paper_reinforcement(
    board: BoardSize = "7x7",
    patterns: Patterns = "L,L",
    touching: Touching = "corners",
    placement: Placement = "uniform",
    runs: Count = 1,
    iterations: Iterations = 160_000,
    discount: Annotated[
        float, typer.Option(help="What the best output after the shot counts, 0 to 1.")
    ] = 0.1,
    roulette: Annotated[
        bool, typer.Option("--roulette", help="Shoot as a roulette of the outputs says, not at the best.")
    ] = False,
    coding: Coding = "window",
    window: Window = 7,
    hidden: Hidden = 50,
    hit: Hit = 4.0,
    miss: Miss = -0.7,
    loss: Loss = "cross-entropy",
    rate: Rate = 0.1,
    random: RandomShots = 0.1,
    games: Games = 200,
    points: Points = 1,
    jobs: Jobs = 1,
    seed: Seed = 0,
    seconds: Seconds = None,
    checkpoint: Checkpoint = None,
    save: Save = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Adapt the paper's network to hits and misses alone.

    An iteration is a shot. Prints the average shots over all runs, and the spread. Saves the best run's policy.
    """
    network = {"coding": coding, "window": window, "hidden": hidden, "hit": hit, "miss": miss}
    adaptation = {
        "learner": "reinforcement",
        "iterations": iterations,
        "discount": discount,
        "roulette": roulette,
        "loss": loss,
        "learning_rate": rate,
        "random_shots": random,
    }
    work = {"runs": runs, "games": games, "points": points, "jobs": jobs, "seed": seed, "seconds": seconds}
    where = (board, patterns, touching, placement)
    _run(where, network, adaptation, work, checkpoint, save, as_json=as_json, quiet=quiet)


def _run(
    board: tuple[str, str, str, str],
    network: dict[str, Any],
    adaptation: dict[str, Any],
    work: dict[str, Any],
    checkpoint: Path | None,
    save: Path | None,
    *,
    as_json: bool,
    quiet: bool,
) -> None:
    from maxmin.learning import Adaptation, CandidateNetwork, train_runs

    if work["jobs"] == 0:
        raise typer.BadParameter("0 processes do no work; write -1 for all cores", param_hint="'--jobs'")
    check_target(save)
    check_target(checkpoint)
    where = make_board(*board)
    how = Adaptation(network=CandidateNetwork(where.rows, where.columns, **network), **adaptation)
    with ShareDone(f"adapting {count(work['runs'])} networks", quiet=quiet) as progress:
        found = train_runs(where, how, checkpoint=checkpoint, callback=progress.report, **work)
    keep(found.policy(**adaptation, seed=work["seed"], runs=len(found.shots)), save, quiet=quiet)
    if as_json:
        print_json(found.to_json())
    else:
        _print(found)
    report_end(found.stopped_by, quiet=quiet)


def _print(found: "Runs") -> None:
    facts = found.to_json()
    rows = [
        (
            count(row["iterations"]),
            *(f"{row[name]:.3f}" for name in ("mean", "deviation", "least", "tenth", "median")),
            *(f"{row[name]:.3f}" for name in ("ninetieth", "most")),
        )
        for row in facts["curve"]
    ]
    columns = ("iterations", "mean shots", "deviation", "least", "10 %", "median", "90 %", "most")
    print_table(columns, rows, right=columns)
    error = "" if facts["standard_error"] is None else f" ± {facts['standard_error']:.3f} (standard error)"
    lines = [
        ("runs", f"{count(facts['runs'])}, of which {count(facts['diverged'])} diverged"),
        ("shots", f"{facts['mean_shots']:.3f}{error}, each run over {count(found.games)} games"),
        ("score", f"{facts['score']:.3f}"),
        ("time", duration(found.seconds)),
    ]
    print_facts(f"the paper's network, {found.adaptation.learner}: {found.board}", lines)
