"""``maxmin info``: how large a game is and what kind of game it is, before solving it."""

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from maxmin.cli.options import Game, Json, Quiet, parse_team
from maxmin.cli.output import count, duration, number, print_facts, print_json, print_table
from maxmin.cli.progress import Progress
from maxmin.cli.sizes import braces, print_constructions, print_sizes

if TYPE_CHECKING:
    from maxmin.tree import GameTree

EXAMPLES = """\b
Examples:
  maxmin info 3L133
  maxmin info "leduc_poker(players=3,bets=1,ranks=4,suits=3)" --team 1,2
  maxmin info 3K4 --team 1,2 --compare
  maxmin info game.efg --json
"""

_MOST_SECONDS = 5.0
"""A decision problem that takes longer to build is only estimated."""


def info(
    game: Game,
    team: Annotated[
        str | None,
        typer.Option(metavar="1,2", help="Also estimate what both sides' decision problems would take."),
    ] = None,
    compare: Annotated[
        bool,
        typer.Option(
            "--compare", help="Also set the team belief DAG beside older constructions (with --team)."
        ),
    ] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Say how large a game is, and of what kind.

    Nodes and infosets; who has perfect recall; whether moves have an order in time; what payoffs sum to. With
    --team also how large both sides' decision problems are: counted if that takes little time, else estimated.
    With --compare too, vertices and edges as the literature counts them, with public states instead of
    connected observations, with infosets inflated, and the nodes of the converted game.
    """
    from maxmin.sources import load_tree

    if compare and team is None:
        raise typer.BadParameter("name the team whose decision problems to compare", param_hint="'--team'")

    players = None if team is None else parse_team(team)
    start = time.perf_counter()
    with Progress(f"building {game}", quiet=quiet):
        tree = load_tree(game)
    facts = _facts(tree, time.perf_counter() - start)
    if players is not None:
        sides = _sides(tree, players)
        facts["team"] = list(players)
        facts["sizes"] = {name: _sizes_of_side(tree, side) for name, side in sides.items()}
        if compare:
            with Progress("counting", quiet=quiet):
                facts["constructions"] = {name: _constructions(tree, side) for name, side in sides.items()}
    if as_json:
        print_json(facts)
    else:
        _print(facts)


def _facts(tree: "GameTree", build_seconds: float) -> dict[str, Any]:
    from maxmin.properties import absent_minded, constant_sum, timeable

    everybody = range(1, tree.n_players + 1)
    total = constant_sum(tree)
    return {
        "game": tree.name,
        "players": tree.n_players,
        "nodes": tree.n_nodes,
        "leaves": tree.n_leaves,
        "infosets": tree.n_infosets,
        "depth": len(tree.levels) - 2,
        "of_player": [_facts_of_player(tree, player) for player in everybody],
        "absent_minded": absent_minded(tree),
        "timeable": timeable(tree, everybody),
        "constant_sum": None if total is None else float(total),
        "exact": tree.exact,
        "build_seconds": build_seconds,
    }


def _facts_of_player(tree: "GameTree", player: int) -> dict[str, Any]:
    from maxmin.properties import payoff_range, perfect_recall

    return {
        "player": player,
        "name": tree.player_names[player - 1],
        "infosets": int((tree.infoset_player == player).sum()),
        "perfect_recall": perfect_recall(tree, player),
        "payoff_range": list(payoff_range(tree, (player,))),
    }


def _sides(tree: "GameTree", team: tuple[int, ...]) -> dict[str, tuple[int, ...]]:
    from maxmin.decision import check_side

    team = check_side(tree, team)
    others = tuple(player for player in range(1, tree.n_players + 1) if player not in team)
    return {name: side for name, side in (("team", team), ("opponent", others)) if side}


def _sizes_of_side(tree: "GameTree", side: tuple[int, ...]) -> dict[str, Any]:
    """Estimate, and count what does not take long to build."""
    from maxmin.decision import build_problem
    from maxmin.errors import Cancelled, NotTimeableError, SizeError
    from maxmin.size_estimate import PRESCRIPTIONS_PER_SECOND, estimate

    try:
        about = estimate(tree, side)
    except NotTimeableError as error:
        return {"side": list(side), "timeable": False, "counted": False, "reason": str(error)}
    sizes = {
        "side": list(side),
        "timeable": True,
        "counted": False,
        "beliefs": round(about.beliefs),
        "prescriptions": round(about.prescriptions),
        "edges": round(about.edges),
        "k": about.most_infosets,
        "public_states": round(about.public_states),
        "largest_public_state": about.largest_public_state,
        "bytes_to_solve": round(about.bytes),
        "build_seconds": about.seconds,
    }
    try:
        most = _MOST_SECONDS * PRESCRIPTIONS_PER_SECOND
        end = time.perf_counter() + _MOST_SECONDS
        problem = build_problem(
            tree, side, most_prescriptions=most, progress=lambda _: time.perf_counter() < end
        )
    except (SizeError, Cancelled):
        return sizes
    return sizes | problem.sizes() | {"counted": True}


def _constructions(tree: "GameTree", side: tuple[int, ...]) -> dict[str, Any] | None:
    from maxmin.errors import NotTimeableError
    from maxmin.side_sizes import compare_sizes

    try:
        return compare_sizes(tree, side, seconds=_MOST_SECONDS, progress=lambda _: True).to_json()
    except NotTimeableError:
        return None


def _print(facts: dict[str, Any]) -> None:
    total = facts["constant_sum"]
    print_facts(
        facts["game"],
        [
            ("nodes", f"{count(facts['nodes'])}, depth {facts['depth']}"),
            ("leaves", count(facts["leaves"])),
            ("infosets", count(facts["infosets"])),
            ("sum of payoffs", "differs from leaf to leaf" if total is None else f"always {number(total)}"),
            ("timeable", _yes(facts["timeable"])),
            ("absent-minded", _yes(facts["absent_minded"])),
            ("exact", "all payoffs and probabilities are fractions" if facts["exact"] else "no, floats"),
            ("built in", duration(facts["build_seconds"])),
        ],
    )
    print_table(
        ("player", "name", "infosets", "perfect recall", "least payoff", "largest"),
        [
            (
                str(one["player"]),
                one["name"],
                count(one["infosets"]),
                _yes(one["perfect_recall"]),
                *map(number, one["payoff_range"]),
            )
            for one in facts["of_player"]
        ],
        right=("infosets", "least payoff", "largest"),
    )
    if "sizes" in facts:
        print_sizes(
            [
                (f"{braces(sizes['side'])}{'' if sizes['counted'] else ', estimated'}", sizes)
                for sizes in facts["sizes"].values()
                if sizes["timeable"]
            ]
        )
        for sizes in facts["sizes"].values():
            if not sizes["timeable"]:
                print(f"No belief DAG of {braces(sizes['side'])}: {sizes['reason']}.")
        _print_what_is_listed(facts)
    for constructions in facts.get("constructions", {}).values():
        if constructions is not None:
            print_constructions(constructions)


def _print_what_is_listed(facts: dict[str, Any]) -> None:
    """Say which large decision problems `maxmin.solve.choice` does without."""
    from maxmin.solve.choice import FEW_INFOSETS, MOST_ANSWERS
    from maxmin.solve.list_match import MANY_PRESCRIPTIONS

    sides = [sizes for sizes in facts["sizes"].values() if sizes["timeable"]]
    large = [sizes for sizes in sides if sizes["prescriptions"] > MANY_PRESCRIPTIONS]
    infosets = [
        sum(facts["of_player"][player - 1]["infosets"] for player in sizes["side"]) for sizes in sides
    ]
    if not large:
        return
    start = f"Not needed for {' and '.join(braces(sizes['side']) for sizes in large)}: maxmin solve lists"
    if min(sizes["prescriptions"] for sizes in sides) <= MOST_ANSWERS:
        print(f"{start} its plans, by column generation.")
    elif max(infosets) <= FEW_INFOSETS:
        print(f"{start} the plans of both sides, by double oracle.")


def _yes(answer: bool) -> str:
    return "yes" if answer else "no"
