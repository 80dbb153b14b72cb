"""``maxmin show``: a saved strategy in words."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from maxmin.cli.options import Json, Quiet, Saved
from maxmin.cli.output import message, print_json, print_table
from maxmin.cli.sizes import braces
from maxmin.cli.strategy_table import choices_first, marginals, percent, print_marginals
from maxmin.errors import UnknownNameError

if TYPE_CHECKING:
    from maxmin.solve import Solution
    from maxmin.strategy import Belief, Strategy
    from maxmin.tree import GameTree

EXAMPLES = """\b
Examples:
  maxmin show answer.npz
  maxmin show answer.npz --player 2 --all
  maxmin show answer.npz --plans
  maxmin show answer.npz --beliefs --json
"""

_MOST_ROWS = 40
_MOST_PLANS = 5
_MOST_BELIEFS = 20


def show(
    file: Saved,
    player: Annotated[
        int | None, typer.Option(min=1, help="Only this player, in the team or against it.")
    ] = None,
    plans: Annotated[
        bool, typer.Option("--plans", help="Show weighted joint plans, the heaviest first.")
    ] = False,
    beliefs: Annotated[
        bool, typer.Option("--beliefs", help="Show what the side does, as one, on each of its beliefs.")
    ] = False,
    everything: Annotated[bool, typer.Option("--all", help="Show all of it, however long.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show a saved strategy in words.

    A row says what a player knows, and how often it then does what. It is the team's strategy, or that of
    the side of --player. "reach" is how often the side's own moves lead there, whatever the others do. A
    team draws its moves together: --plans shows whole draws.
    """
    from maxmin.solve import load_solution

    if plans and beliefs:
        raise typer.BadParameter("--plans and --beliefs are two ways to show a strategy; choose one")
    solution = load_solution(file)
    strategy = _side_of(solution, player)
    if plans:
        kind, rows, most = "plans", _plans(solution.tree, strategy, player), _MOST_PLANS
    elif beliefs:
        kind, rows, most = "beliefs", _beliefs(solution.tree, strategy), _MOST_BELIEFS
    else:
        kind, rows, most = "infosets", _infosets(solution.tree, strategy, player), _MOST_ROWS
    if as_json:
        print_json({"game": solution.game, "side": list(strategy.side), kind: rows})
        return
    shown = rows if everything else choices_first(rows, most) if kind == "infosets" else rows[:most]
    print(f"{solution.game}: how {braces(strategy.side)} plays")
    {"plans": _print_plans, "beliefs": _print_beliefs, "infosets": print_marginals}[kind](shown)
    if len(shown) < len(rows):
        message(f"{len(shown)} of {len(rows)} {kind}; --all shows the rest", quiet=quiet)


def _side_of(solution: "Solution", player: int | None) -> "Strategy":
    if player is None or player in solution.strategy.side:
        return solution.strategy
    if player > solution.tree.n_players:
        raise UnknownNameError(
            f"there is no player {player}: {solution.game} has players 1 to {solution.tree.n_players}"
        )
    return solution.opponent


def _infosets(tree: "GameTree", strategy: "Strategy", player: int | None) -> list[dict[str, Any]]:
    return [row for row in marginals(tree, strategy) if player in (None, row["player"])]


def _plans(tree: "GameTree", strategy: "Strategy", player: int | None) -> list[dict[str, Any]]:
    mixture = strategy.plans()
    heaviest = sorted(range(mixture.n_plans), key=lambda plan: -mixture.weights[plan])
    infosets = mixture.infosets.tolist()
    return [
        {
            "weight": float(mixture.weights[plan]),
            "moves": [
                _move(tree, infoset, action)
                for infoset, action in zip(infosets, mixture.plans[plan].tolist(), strict=True)
                if action >= 0 and player in (None, tree.infoset_player[infoset])
            ],
        }
        for plan in heaviest
    ]


def _beliefs(tree: "GameTree", strategy: "Strategy") -> list[dict[str, Any]]:
    def in_words(belief: "Belief") -> dict[str, Any]:
        return {
            "reach": belief.reach,
            "prescriptions": [
                {"probability": odds, "moves": [_move(tree, *move) for move in moves]}
                for moves, odds in belief.prescriptions
            ],
        }

    return sorted(map(in_words, strategy.beliefs()), key=lambda belief: -belief["reach"])


def _move(tree: "GameTree", infoset: int, action: int) -> dict[str, Any]:
    return {
        "player": int(tree.infoset_player[infoset]),
        "infoset": tree.infoset_labels[infoset],
        "action": tree.infoset_actions[infoset][action],
    }


def _print_plans(rows: list[dict[str, Any]]) -> None:
    for rank, row in enumerate(rows, 1):
        print(f"\nplan {rank}, weight {percent(row['weight'])}")
        print_table(
            ("player", "knows", "does"),
            [(str(move["player"]), move["infoset"], move["action"]) for move in row["moves"]],
        )


def _print_beliefs(rows: list[dict[str, Any]]) -> None:
    print_table(
        ("reach", "probability", "player knows: does"),
        [
            ("" if rank else percent(row["reach"]), percent(one["probability"]), _together(one["moves"]))
            for row in rows
            for rank, one in enumerate(row["prescriptions"])
        ],
        right=("reach", "probability"),
    )


def _together(moves: list[dict[str, Any]]) -> str:
    return (
        "\n".join(f"{move['player']}  {move['infoset']}: {move['action']}" for move in moves) or "(goes on)"
    )
