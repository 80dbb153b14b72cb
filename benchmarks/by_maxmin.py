"""Rows by maxmin: `solve` in one call, its stages one by one, reading and writing files."""

import compileall
from pathlib import Path
from typing import Any
from unittest.mock import patch

from bandwidth import copy_rate, iteration_bytes, working_set
from clock import Clock, Reached, peak_bytes
from random_matrix import random_matrix
from rows import Row

import maxmin
from maxmin import match as match_module
from maxmin.decision import build_problem
from maxmin.match import Match, make_match
from maxmin.solve import MINIMIZERS
from maxmin.solve.regret import RegretRun
from maxmin.sources import load_tree, save_tree
from maxmin.tree import GameTree


def one_call(
    *,
    game: str,
    team: list[int],
    method: str,
    gap: float,
    seconds: float | None = None,
    memory: int | None = None,
    threads: int = 1,
) -> Row:
    """Time the whole way from rules to a certified solution."""
    limits = {"gap": gap, "seconds": seconds, "memory": memory}
    with Clock() as clock:
        solution = maxmin.solve(game, team=team, method=method, threads=threads, **limits)
    return {
        "solve": clock.seconds(),
        "method_used": solution.method,
        "iterations": solution.iterations,
        "relative_gap": solution.relative_gap,
        "converged": solution.converged,
        "value": solution.value,
    }


def matrix_game(*, rows: int, columns: int, method: str, iterations: int | None = None) -> Row:
    """Time a random matrix game; with `iterations`, as far as they lead."""
    import highspy  # noqa: F401 - so that importing it is not counted

    matrix = random_matrix(rows, columns)
    gap = 1e-9 if iterations is None else 0.0
    solve_matrix = maxmin.solve_matrix
    with Clock() as clock:
        solution = solve_matrix(matrix, method=method, gap=gap, iterations=iterations)
    return {
        "solve": clock.seconds(),
        "iterations": solution.iterations,
        "relative_gap": solution.relative_gap,
        "converged": solution.converged,
        "value": solution.value,
    }


def stages(
    *,
    game: str,
    team: list[int],
    method: str,
    gaps: list[float],
    seconds: float,
    payoff_range: float | None = None,
    memory: int | None = None,
) -> Row:
    """Time tree, decision problems and iterations; bounds are checked when `solve` checks them, and counted."""
    tree_clock, dag_clock, clock = Clock(), Clock(), Clock()
    with clock:
        tree = tree_clock.timing(load_tree)(game)
        match = _timed_match(tree, tuple(team), memory, dag_clock)
        run = RegretRun(match, MINIMIZERS[method])
    if payoff_range not in (None, match.scale.payoff_range):
        raise ValueError(f"the payoff range is {match.scale.payoff_range}, not {payoff_range}: another game?")
    build = {"build": clock.seconds(), "tree": tree_clock.seconds(), "dag": dag_clock.seconds()}
    outcome = _iterate(run, clock, gaps, seconds)
    row = {**build, **outcome, "sizes": _sizes(tree, match), "peak_bytes": peak_bytes()}
    return {**row, **_bandwidth(match, outcome["iteration_seconds"])}


def _timed_match(tree: GameTree, team: tuple[int, ...], memory: int | None, clock: Clock) -> Match:
    """Make the match, and time how long both belief DAGs take, without the payoffs that join them."""
    with patch.object(match_module, "build_problem", clock.timing(build_problem)):
        return make_match(tree, team, memory=memory)


def _iterate(run: RegretRun, clock: Clock, gaps: list[float], seconds: float) -> Row:
    start = clock.cpu
    iterating, reached = Clock(), Reached(gaps, clock)
    while not reached.all and clock.cpu - start < seconds:
        with clock:
            with iterating:
                run.advance(run.next_check() - run.iterations)
            bounds = run.bounds()
        relative_gap = bounds.gap / run.match.scale.payoff_range
        reached.note(run.iterations, relative_gap)
    return {
        "iterations": run.iterations,
        "iteration_seconds": iterating.cpu / run.iterations,
        "check_share": 1 - iterating.cpu / (clock.cpu - start),
        "relative_gap": relative_gap,
        "lower": bounds.lower,
        "upper": bounds.upper,
        "reached": reached.first,
    }


def _sizes(tree: GameTree, match: Match) -> dict[str, Any]:
    return {
        "nodes": tree.n_nodes,
        "leaves": tree.n_leaves,
        "infosets": tree.n_infosets,
        "team": match.team.sizes(),
        "others": match.others.sizes(),
        "payoffs": len(match.payoffs.column),
    }


def _bandwidth(match: Match, iteration_seconds: float) -> Row:
    touched = iteration_bytes(match)
    rate = copy_rate(working_set(match))
    return {
        "iteration_bytes": touched,
        "copy_bytes_per_second": rate,
        "bandwidth_share": touched / iteration_seconds / rate,
    }


def write(*, game: str, files: list[str]) -> Row:
    """Write a game's tree to files, for other packages to read."""
    tree = load_tree(game)
    for file in files:
        save_tree(tree, file)
    return {"nodes": tree.n_nodes, "leaves": tree.n_leaves}


def read(*, file: str) -> Row:
    """Time reading a file."""
    with Clock() as clock:
        tree = load_tree(file)
    return {"read": clock.seconds(), "players": tree.n_players, "nodes": tree.n_nodes}


def version() -> Row:
    """Return the version of maxmin, and byte-compile it, as an installer does, so that no row pays for that."""
    compileall.compile_dir(Path(maxmin.__file__).parent, quiet=2)
    return {"version": maxmin.__version__}
