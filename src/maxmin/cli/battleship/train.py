"""``maxmin battleship train``: networks that learn to search a board; one command per learner."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from maxmin.cli.battleship import train_paper
from maxmin.cli.battleship.options import BoardSize, Patterns, Placement, Seed, Touching, make_board
from maxmin.cli.battleship.training_output import Checkpoint, Save, Seconds, keep, report_end
from maxmin.cli.errors import Commands
from maxmin.cli.options import Json, Quiet, check_target
from maxmin.cli.output import count, duration, print_facts, print_json, print_table
from maxmin.cli.progress import ShareDone

if TYPE_CHECKING:
    from maxmin.battleship.evaluate import Evaluation
    from maxmin.learning.policy_files import Policy

app = typer.Typer(
    cls=Commands,
    name="train",
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Train networks to search a board. Needs the extra: pip install 'maxmin[learn]'.",
)

EXAMPLES = {
    "supervised": """\b
Examples:
  maxmin battleship train supervised --save policy.npz
  maxmin battleship train supervised --board 6x6 --patterns 3,2 --steps 2000
  maxmin battleship evaluate policy.npz learned greedy
""",
    "reinforcement": """\b
Examples:
  maxmin battleship train reinforcement --save rewards.npz
  maxmin battleship train reinforcement --games 100000 --checkpoint state.npz
  maxmin battleship evaluate rewards.npz greedy
""",
}

Channels = Annotated[int, typer.Option(min=1, help="Hidden units a layer, each in all symmetries.")]
Layers = Annotated[int, typer.Option(min=1, help="Hidden layers.")]


def supervised(
    board: BoardSize = "7x7",
    patterns: Patterns = "L,L",
    touching: Touching = "corners",
    placement: Placement = "uniform",
    teacher: Annotated[
        str, typer.Option(metavar="NAME", help="What it is told: rollout values of cells, or the posterior.")
    ] = "rollout",
    steps: Annotated[int, typer.Option(min=1, help="Steps of gradient descent, each on 512 states.")] = 8000,
    channels: Channels = 64,
    layers: Layers = 3,
    seed: Seed = 0,
    seconds: Seconds = None,
    save: Save = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Train a network on what each cell is worth in many states.

    The teacher says how many shots are still to come if a cell is shot at and the greedy player goes on. States
    come from the teacher's games and from the learner's own, all of them. Prints the expected shots round by round,
    exact over all boards.
    """
    from maxmin.learning import train_supervised

    check_target(save)
    where = make_board(board, patterns, touching, placement)
    with ShareDone("training", quiet=quiet) as progress:
        training = train_supervised(
            where,
            teacher=teacher,
            steps=steps,
            channels=channels,
            layers=layers,
            seed=seed,
            seconds=seconds,
            callback=progress.report,
        )
    keep(training.policy, save, quiet=quiet)
    if as_json:
        curve = [dict(each.__dict__) for each in training.curve]
        print_json(_facts(training.policy, curve, training.seconds, training.stopped_by))
    else:
        rows = [
            (count(each.steps), count(each.states), f"{each.loss:.4f}", f"{each.shots:.4f}")
            for each in training.curve
        ]
        print_table(("steps", "states", "loss", "shots"), rows, right=("steps", "states", "loss", "shots"))
        _print(training.policy, training.seconds)
    report_end(training.stopped_by, quiet=quiet)


def reinforcement(
    board: BoardSize = "7x7",
    patterns: Patterns = "L,L",
    touching: Touching = "corners",
    placement: Placement = "uniform",
    games: Annotated[int, typer.Option(min=1, help="How many games are played.")] = 400_000,
    channels: Channels = 64,
    layers: Layers = 2,
    seed: Seed = 0,
    seconds: Seconds = None,
    checkpoint: Checkpoint = None,
    save: Save = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Train a network that sees nothing but hits and misses.

    It plays games, learns from what its shots hit, and never sees a posterior nor the list of boards.
    """
    from maxmin.learning import train_reinforcement

    check_target(save)
    check_target(checkpoint)
    where = make_board(board, patterns, touching, placement)
    with ShareDone("training", quiet=quiet) as progress:
        training = train_reinforcement(
            where,
            games=games,
            channels=channels,
            layers=layers,
            seed=seed,
            seconds=seconds,
            checkpoint=checkpoint,
            callback=lambda lesson: progress.report(min(1.0, lesson.games / games)),
        )
    keep(training.policy, save, quiet=quiet)
    if as_json:
        curve = [dict(each.__dict__) for each in training.curve]
        print_json(_facts(training.policy, curve, training.seconds, training.stopped_by))
    else:
        _print(training.policy, training.seconds)
    report_end(training.stopped_by, quiet=quiet)


def _measure(policy: "Policy") -> "Evaluation":
    from maxmin.battleship.evaluate import evaluate

    return evaluate([policy], policy.board)[0]


def _facts(policy: "Policy", curve: list[dict[str, Any]], seconds: float, stopped_by: str) -> dict[str, Any]:
    facts = {"learner": policy.name, **policy.facts, **_measure(policy).to_json()}
    return facts | {"curve": curve, "seconds": seconds, "stopped_by": stopped_by}


def _print(policy: "Policy", seconds: float) -> None:
    found = _measure(policy)
    error = "exact" if found.exact else f"± {found.standard_error:.4f}"
    facts = [
        ("shots", f"{found.mean_shots:.4f}, {error}"),
        ("score", f"{found.score:.4f}"),
        ("time", duration(seconds)),
    ]
    print_facts(f"{policy.name}: {found.board}", facts)


app.command("supervised", epilog=EXAMPLES["supervised"])(supervised)
app.command("reinforcement", epilog=EXAMPLES["reinforcement"])(reinforcement)
app.command("paper-supervised", epilog=train_paper.EXAMPLES["supervised"])(train_paper.paper_supervised)
app.command("paper-reinforcement", epilog=train_paper.EXAMPLES["reinforcement"])(
    train_paper.paper_reinforcement
)
