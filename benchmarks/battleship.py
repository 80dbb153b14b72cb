"""Battleship: exact expectations over all boards, posteriors of the fleet in the course of a game, whole games."""

import time
from collections.abc import Iterator

from plan import Plan
from report import cpu, notes, number, section, table
from rows import Row, run_row

_FLEET = {"rows": 10, "columns": 10, "patterns": ["5", "4", "3", "3", "2"], "touching": "all"}
_STRATEGIES = ("greedy", "greedy(tie=next)", "information", "paper")
_SHOTS = (0, 5, 10, 15, 20, 30)


def run(plan: Plan) -> Iterator[Row]:
    """Expectations on 7 x 7; posteriors and games of the fleet."""
    for name in _STRATEGIES:
        what = {"game": "7x7, L,L", "method": name}
        yield what | run_row("battleship.expectation", {"name": name}, plan)
    for shots in _SHOTS:
        states = 3 if plan.quick else 20
        what = {"game": "10x10, fleet", "method": f"posterior after {shots} shots"}
        yield what | run_row("battleship.posteriors", {"shots": shots, "states": states}, plan)
    games = 50 if plan.quick else 2000
    what = {"game": "10x10, fleet", "method": f"greedy, {games} games"}
    yield what | run_row("battleship.games", {"games": games}, plan)


def expectation(*, name: str) -> Row:
    """Find the exact expected shots of a strategy over all boards of the paper's task."""
    from maxmin.battleship import Board, evaluate, make_strategy

    board = Board()
    [found] = evaluate([make_strategy(name, board)], board)
    return {"mean_shots": found.mean_shots, "standard_error": 0.0}


def posteriors(*, shots: int, states: int) -> Row:
    """Find posteriors of the fleet after so many shots of a hunter on a checkerboard; keep the slowest."""
    import numpy as np

    from maxmin.battleship import Board, State, make_strategy, posterior

    board = Board(**_FLEET)
    hunter = make_strategy("checkerboard", board)
    taken, errors = [], []
    for covered in board.draw(states, seed=shots):
        state = State(board)
        for _ in range(shots):
            hits, misses = state.arrays()
            cell = int(hunter.choose(hits[None], misses[None])[0])
            state = state.after(cell, hit=bool(covered[cell]))
        start = time.process_time()
        errors.append(float(np.max(posterior(state).standard_error)))
        taken.append(time.process_time() - start)
    return {"middle": float(np.median(taken)), "slowest": max(taken), "standard_error": max(errors)}


def games(*, games: int) -> Row:
    """Play posterior greedy against the fleet."""
    from maxmin.battleship import Board, evaluate, make_strategy

    board = Board(**_FLEET)
    [found] = evaluate([make_strategy("greedy", board)], board, games=games)
    return {"mean_shots": found.mean_shots, "standard_error": found.standard_error}


def show(rows: list[Row], plan: Plan) -> str:
    del plan
    heads = [
        "board",
        "what",
        "CPU s",
        "mean shots",
        "standard error",
        "one posterior: middle ms",
        "slowest ms",
    ]
    lines = [
        [
            row["game"],
            row["method"],
            number(cpu(row, "all")),
            f"{row['mean_shots']:.4f}" if "mean_shots" in row else "–",
            number(row.get("standard_error")),
            *(number(1e3 * row[name]) if name in row else "–" for name in ("middle", "slowest")),
        ]
        for row in rows
        if row["status"] == "done"
    ]
    text = (
        "Expected shots are exact over all boards where the standard error is 0. The standard error of a posterior "
        "is the largest of any cell; 0 where it was counted exactly. One thread."
    )
    return section("Battleship", text, table(heads, lines), notes(rows))
