"""maxmin beside OpenSpiel and LiteEFG: regret minimization on two-player games and three-player Kuhn poker."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from plan import DICE_6, LEDUC, TWO_PLAYER_GAMES, Plan, TwoPlayerGame
from report import NONE, count, cpu, megabytes, notes, number, reached, section, share, table
from rows import Row, require, run_row

_OPENSPIEL = ("CFR", "CFR+")
_LITEEFG = ("CFR", "CFR+", "DCFR", "PCFR+")
_MAXMIN = ("cfr", "cfr+", "linear_cfr", "dcfr", "pcfr+", "dcfr+", "pdcfr+", "sapcfr+")
_MAXMIN_QUICK = ("cfr+", "pcfr+", "dcfr+")
_ONE_CALL = "solve(), one call"
_COMPARED_AT = 1e-4
_COUNTED_AT = [10, 30, 100, 300, 1000]

_THREE_PLAYERS = TwoPlayerGame("Kuhn, 3 players", "3K4", "kuhn_poker(players=3)", 6)


def run(plan: Plan) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "rival.game")
        for game in TWO_PLAYER_GAMES:
            if game.in_quick or not plan.quick:
                yield from _maxmin(game, plan)
                yield from _rivals(game, plan, file, _OPENSPIEL, _LITEEFG)
        yield from _rivals(_THREE_PLAYERS, plan, file, _OPENSPIEL, ("CFR",))
    yield _team_of_three(plan)
    yield from _skipped(plan)


def _budget(plan: Plan) -> Row:
    return {"gaps": plan.gaps, "seconds": plan.seconds}


def _maxmin(game: TwoPlayerGame, plan: Plan) -> Iterator[Row]:
    head = {"game": game.label, "package": "maxmin"}
    yield {**head, "method": _ONE_CALL, **_one_call(game, plan)}
    for method in _MAXMIN_QUICK if plan.quick else _MAXMIN:
        arguments = {"game": game.maxmin, "team": [1], "method": method, "payoff_range": game.payoff_range}
        row = run_row("by_maxmin.stages", {**arguments, **_budget(plan)}, plan)
        yield {**head, "method": method, **row}


def _one_call(game: TwoPlayerGame, plan: Plan) -> Row:
    """Call `solve` once for each gap, each time in a fresh process."""
    row: Row = {}
    reached = {}
    for gap in plan.gaps:
        arguments = {"game": game.maxmin, "team": [1], "method": "auto", "gap": gap}
        row = run_row("by_maxmin.one_call", arguments, plan)
        if row.get("converged"):
            reached[f"{gap:g}"] = {**row["solve"], "iterations": row["iterations"]}
    return {**row, "reached": reached}


def _rivals(
    game: TwoPlayerGame, plan: Plan, file: str, openspiel: tuple[str, ...], liteefg: tuple[str, ...]
) -> Iterator[Row]:
    common = {"payoff_range": game.payoff_range, **_budget(plan)}
    for method in openspiel:
        row = run_row("by_openspiel.regret", {"game": game.openspiel, "method": method, **common}, plan)
        yield {"game": game.label, "package": "OpenSpiel", "method": method, **row}
    require(run_row("by_maxmin.write", {"game": game.maxmin, "files": [file]}, plan))
    for method in liteefg:
        row = run_row("by_liteefg.regret", {"file": file, "method": method, **common}, plan)
        yield {"game": game.label, "package": "LiteEFG", "method": method, **row}


def _team_of_three(plan: Plan) -> Row:
    arguments = {"game": _THREE_PLAYERS.maxmin, "team": [1, 2], "method": "dcfr+", **_budget(plan)}
    head = {"game": f"{_THREE_PLAYERS.label}, 1 and 2 against 3", "package": "maxmin", "method": "dcfr+"}
    return {**head, **run_row("by_maxmin.stages", arguments, plan)}


def _skipped(plan: Plan) -> Iterator[Row]:
    for game in (LEDUC,) if plan.quick else (LEDUC, DICE_6):
        arguments = {"game": game.maxmin, "team": [1], "method": "dcfr+", "iterations": _COUNTED_AT}
        head = {"game": game.label, "package": "maxmin", "method": "skipping"}
        yield {**head, **run_row("skipping.shares", arguments, plan)}


def show(rows: list[Row], plan: Plan) -> str:
    solved = [row for row in rows if row["method"] != "skipping"]
    text = (
        "CPU seconds to each relative gap, construction included, imports not. For OpenSpiel and LiteEFG the gap "
        "is NashConv of the average strategies over the payoff range, and the time of checking it is not counted; "
        "maxmin's checks are counted. LiteEFG reads a `.game` file that maxmin wrote. The bandwidth is what an "
        "iteration touches in a second, as a share of what a copy of as much memory reaches. Nothing is known to "
        "converge in Kuhn poker with three players; there maxmin solves another problem, a team of two against "
        "the third."
    )
    tables = _times(solved, plan), _ratios(solved), _shares(rows), notes(rows)
    return section("Two players: regret minimization", text, *tables)


def _times(rows: list[Row], plan: Plan) -> str:
    gaps = [f"{gap:g}" for gap in plan.gaps]
    heads = [
        "game",
        "package",
        "method",
        "import s",
        "tree s",
        "DAG s",
        "build s",
        "ms/iteration",
        "iterations",
    ]
    return table([*heads, *gaps, "bandwidth", "MB"], [_line(row, plan) for row in rows])


def _line(row: Row, plan: Plan) -> list[str]:
    per_iteration = row.get("iteration_seconds")
    return [
        *(row["game"], row["package"], row["method"]),
        *[number(cpu(row, stage)) for stage in ("import", "tree", "dag", "build")],
        number(None if per_iteration is None else 1000 * per_iteration),
        count(row.get("iterations")),
        *[number(reached(row, gap)) for gap in plan.gaps],
        share(row.get("bandwidth_share")),
        megabytes(row.get("peak_bytes")),
    ]


def _ratios(rows: list[Row]) -> str:
    heads = [f"to {_COMPARED_AT:g}", "maxmin s", "rival", "its fastest", "s", "times faster"]
    lines = []
    for game in TWO_PLAYER_GAMES:
        ours = _fastest(rows, game.label, "maxmin", _ONE_CALL)
        for package in ("OpenSpiel", "LiteEFG"):
            theirs = _fastest(rows, game.label, package)
            if ours and theirs:
                lines.append(_ratio(game, ours, theirs))
    return table(heads, lines)


def _ratio(game: TwoPlayerGame, ours: Row, theirs: Row) -> list[str]:
    fast, slow = reached(ours, _COMPARED_AT), reached(theirs, _COMPARED_AT)
    times = NONE if fast is None or slow is None else number(slow / fast)
    return [game.label, number(fast), theirs["package"], theirs["method"], number(slow), times]


def _fastest(rows: list[Row], game: str, package: str, method: str | None = None) -> Row | None:
    """Return the row of a package that comes to the compared gap first, if any does."""
    fits = [row for row in rows if (row["game"], row["package"]) == (game, package)]
    fits = [row for row in fits if method in (None, row["method"]) and reached(row, _COMPARED_AT) is not None]
    return min(fits, key=lambda row: reached(row, _COMPARED_AT) or 0.0, default=None)


def _shares(rows: list[Row]) -> str:
    heads = ["game", "side", "iteration", "own reach 0", "not played", "others' reach 0", "both"]
    names = ("unreached_beliefs", "unplayed_prescriptions", "dead_beliefs", "both")
    lines = [
        [row["game"], side, count(counted["iterations"]), *[share(counted[side][name]) for name in names]]
        for row in rows
        for counted in row.get("counted", [])
        for side in ("team", "others")
    ]
    return table(heads, lines)
