"""``maxmin show``: a saved strategy in words."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from maxmin.cli.options import Json, Quiet, Saved
from maxmin.cli.output import message, number, print_json, print_table
from maxmin.cli.sizes import braces
from maxmin.cli.strategy_table import choices_first, marginals, percent, print_marginals
from maxmin.errors import UnknownNameError

if TYPE_CHECKING:
    from maxmin.plans import PlanMixture
    from maxmin.solve import Solution
    from maxmin.strategy import Belief, Strategy
    from maxmin.tree import GameTree

EXAMPLES = """\b
Examples:
  maxmin show answer.npz
  maxmin show answer.npz --player 2 --all
  maxmin show answer.npz --plans --most 10
  maxmin show answer.npz --beliefs --json
"""

_MOST = {"infosets": 40, "plans": 3, "beliefs": 20}
"""How many are shown if the user does not say."""

_SECONDS = 10.0
"""How long to search for what a list of plans guarantees against several players."""


def show(
    file: Saved,
    player: Annotated[
        int | None, typer.Option(min=1, help="Only this player, in the team or against it.")
    ] = None,
    plans: Annotated[
        bool, typer.Option("--plans", help="Show weighted joint plans, the heaviest first, and their worth.")
    ] = False,
    beliefs: Annotated[
        bool, typer.Option("--beliefs", help="Show what the side does, as one, on each of its beliefs.")
    ] = False,
    most: Annotated[int | None, typer.Option(min=1, help="Show at most so many rows or plans.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Show all of it, however long.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show a saved strategy in words.

    A row says what a player knows, and how often it then does what. It is the team's strategy, or that of
    the side of --player. "reach" is how often the side's own moves lead there, whatever the others do. A
    team draws its moves together: --plans shows whole draws, and what the team is sure of if it plays only
    these. With --json all is printed, if --most does not say otherwise.
    """
    from maxmin.solve import load_solution

    if plans and beliefs:
        raise typer.BadParameter("--plans and --beliefs are two ways to show a strategy; choose one")
    solution = load_solution(file)
    strategy = _side_of(solution, player)
    kind = "plans" if plans else "beliefs" if beliefs else "infosets"
    unlimited = everything or (as_json and most is None)
    limit = None if unlimited else most or _MOST[kind]
    shown = _VIEWS[kind](solution, strategy, player, limit)
    if as_json:
        print_json({"game": solution.game, "side": list(strategy.side), **shown})
        return
    print(f"{solution.game}: how {braces(strategy.side)} plays")
    _PRINTERS[kind](shown)
    if len(shown[kind]) < shown["of"]:
        message(f"{len(shown[kind])} of {shown['of']} {kind}; --all shows the rest", quiet=quiet)


def _side_of(solution: "Solution", player: int | None) -> "Strategy":
    if player is None or player in solution.strategy.side:
        return solution.strategy
    if player > solution.tree.n_players:
        raise UnknownNameError(
            f"there is no player {player}: {solution.game} has players 1 to {solution.tree.n_players}"
        )
    return solution.opponent


def _infosets(
    solution: "Solution", strategy: "Strategy", player: int | None, most: int | None
) -> dict[str, Any]:
    rows = [row for row in marginals(solution, strategy) if player in (None, row["player"])]
    return {"infosets": rows if most is None else choices_first(rows, most), "of": len(rows)}


def _beliefs(
    solution: "Solution", strategy: "Strategy", player: int | None, most: int | None
) -> dict[str, Any]:
    def in_words(belief: "Belief") -> dict[str, Any]:
        return {
            "reach": belief.reach,
            "prescriptions": [
                {"probability": odds, "moves": [_move(solution.tree, *move) for move in moves]}
                for moves, odds in belief.prescriptions
            ],
        }

    rows = sorted(map(in_words, strategy.beliefs()), key=lambda belief: -belief["reach"])
    return {"beliefs": rows[:most], "of": len(rows)}


def _plans(
    solution: "Solution", strategy: "Strategy", player: int | None, most: int | None
) -> dict[str, Any]:
    """List the heaviest plans; for the team also what it is sure of if it plays these alone."""
    from maxmin.exploitability import exploitability

    mixture = strategy.plans()
    heaviest = _heaviest(mixture, most)
    shown: dict[str, Any] = {
        "plans": [
            {"weight": weight, "moves": [move for move in moves if player in (None, move["player"])]}
            for weight, moves in _in_words(solution.tree, heaviest)
        ],
        "of": mixture.n_plans,
    }
    if strategy.side == solution.team:
        worth = exploitability(solution.tree, heaviest, team=solution.team, seconds=_SECONDS)
        shown["guarantee"] = worth.guarantee
        shown["loss"] = solution.lower - worth.guarantee
    return shown


def _heaviest(mixture: "PlanMixture", most: int | None) -> "PlanMixture":
    """Keep the heaviest plans, with weights scaled to sum to 1."""
    from maxmin.plans import PlanMixture

    kept = (-mixture.weights).argsort(kind="stable")[:most]
    weights = mixture.weights[kept]
    return PlanMixture(mixture.infosets, mixture.plans[kept], weights / weights.sum())


def _in_words(tree: "GameTree", mixture: "PlanMixture") -> Iterator[tuple[float, list[dict[str, Any]]]]:
    for weight, plan in zip(mixture.weights.tolist(), mixture.plans.tolist(), strict=True):
        moves = zip(mixture.infosets.tolist(), plan, strict=True)
        yield weight, [_move(tree, infoset, action) for infoset, action in moves if action >= 0]


def _move(tree: "GameTree", infoset: int, action: int) -> dict[str, Any]:
    return {
        "player": int(tree.infoset_player[infoset]),
        "infoset": tree.infoset_labels[infoset],
        "action": tree.infoset_actions[infoset][action],
    }


def _print_infosets(shown: dict[str, Any]) -> None:
    print_marginals(shown["infosets"])


def _print_plans(shown: dict[str, Any]) -> None:
    for rank, plan in enumerate(shown["plans"], 1):
        print(f"\nplan {rank}, weight {percent(plan['weight'])}")
        print_table(
            ("player", "knows", "does"),
            [(str(move["player"]), move["infoset"], move["action"]) for move in plan["moves"]],
        )
    if "guarantee" in shown:
        count = f"these {len(shown['plans'])} plans alone, with these weights"
        print(f"\nPlaying {count}, the team is sure of {number(shown['guarantee'])}:")
        print(f"{number(shown['loss'])} less than with all {shown['of']}.")


def _print_beliefs(shown: dict[str, Any]) -> None:
    print_table(
        ("reach", "probability", "player knows: does"),
        [
            ("" if rank else percent(row["reach"]), percent(one["probability"]), _together(one["moves"]))
            for row in shown["beliefs"]
            for rank, one in enumerate(row["prescriptions"])
        ],
        right=("reach", "probability"),
    )


def _together(moves: list[dict[str, Any]]) -> str:
    return (
        "\n".join(f"{move['player']}  {move['infoset']}: {move['action']}" for move in moves) or "(goes on)"
    )


_VIEWS = {"infosets": _infosets, "plans": _plans, "beliefs": _beliefs}
_PRINTERS = {"infosets": _print_infosets, "plans": _print_plans, "beliefs": _print_beliefs}
