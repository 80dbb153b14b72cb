"""What the paper says, as far as we know its text, whether it holds, and the figures that decide it.

Statements with the reading "abstract" are of the paper's abstract, the others of a public summary of it.
"""

from collections.abc import Iterator
from itertools import combinations_with_replacement

import numpy as np

from maxmin.guts import make_grid, round_payoffs, solve_asynchronous, solve_limit
from maxmin.guts.asynchronous import nash_threshold
from maxmin.guts.weenie import weenie_payoffs
from maxmin.studies.findings import Cell, Findings, Table
from maxmin.studies.guts_cards import weenie_threshold
from maxmin.studies.guts_fit import ASYMPTOTE, R_SQUARED, fit
from maxmin.studies.guts_one_v_two import PAPER
from maxmin.studies.guts_solved import COALITIONS, COARSE, FINE, on_grid, summarize, without_grid
from maxmin.studies.guts_two_v_two import guarantee, paper_guarantee

_STEP = 1 / (FINE - 1)
_SAME = 1e-9
"""Values no further apart than this are the same."""
_LARGE = 1000
_PLAYERS, _POINTS, _PLAYS = 3, 51, 1000
"""Of fictitious play of everybody against everybody."""

_WEENIE = {2: 201, 3: 61}
"""Coalitions, and points of the grid of their thresholds."""


def find() -> Findings:
    """Decide every claim."""
    rows = (*_one_v_two(), *_reduced(), *_two_v_two(), *_asymptote(), *_conservative(), *_alone())
    return Findings(
        tables=(Table("claims", "Claims of the paper", ("claim", "reading", "holds", "our figures"), rows),),
        notes=(
            "Claims are taken from a public summary of the paper and from its abstract; we did not see the rest.",
            "Thresholds are probabilities of dropping; values are player 1's, in antes.",
        ),
    )


def _row(claim: str, reading: str, holds: bool | None, figures: str) -> tuple[Cell, ...]:
    return claim, reading, "open" if holds is None else "yes" if holds else "no", figures


def _one_v_two() -> Iterator[tuple[Cell, ...]]:
    full, reduced, continuum = on_grid(2), on_grid(2, reduced=True), without_grid(2)
    games = ((f"{FINE} points", full), (f"{FINE} points, reduced", reduced), ("no grid", continuum))
    claim = "1 v 2 is worth about -0.013"
    for name, game in games:
        value = game.repeated.value
        yield _row(claim, f"repeated, {name}", round(value, 3) == PAPER["value"], f"{value:.6f}")
    once = continuum.one_shot.value
    yield _row(claim, "one round, no grid", round(once, 3) == PAPER["value"], f"{once:.6f}")
    for name, game in games:
        found = summarize(game.repeated)
        near = max(abs(found.bloc - PAPER["bloc"]), abs(found.pseudo_bloc - PAPER["pseudo_bloc"])) <= _STEP
        words = f"{found.bloc:.4f} and (0, {found.pseudo_bloc:.4f})"
        yield _row("1 v 2: the coalition plays the bloc 0.68 and (0, 0.86)", name, near, words)
    left, answer = _against_paper()
    for name, game in games:
        weight = summarize(game.repeated).weight
        words = f"{weight:.2%} and {1 - weight:.2%}"
        if game is full:
            words += f"; 86 % and 14 % would leave player 1 {left:.6f}, by {answer:.2f}"
        yield _row("1 v 2: ... with 86 % and 14 %", name, round(weight, 2) == PAPER["weight"], words)
    for name, game in games:
        player = summarize(game.repeated).player
        yield _row(
            "1 v 2: player 1's best threshold is 0.64",
            name,
            round(player, 2) == PAPER["player"],
            f"{player:.4f}",
        )


def _against_paper() -> tuple[float, float]:
    """Return what the paper's coalition leaves to player 1 in the repeated game on its grid, and the threshold."""
    rules = make_grid(coalition=2, grid=FINE)
    rows = rules.plans(1)
    bloc, pseudo_bloc = (round(PAPER[name] * (FINE - 1)) for name in ("bloc", "pseudo_bloc"))
    columns = [(bloc, bloc), (0, pseudo_bloc)]
    weights = np.array([PAPER["weight"], 1 - PAPER["weight"]])
    # Against these no multiplier reaches 1.
    worth = rules.payoffs(rows, columns) @ weights / (1 - rules.multipliers(rows, columns)[0] @ weights)
    best = int(worth.argmax())
    return float(worth[best]), float(rules.thresholds[best])


def _reduced() -> Iterator[tuple[Cell, ...]]:
    claim = "blocs and pseudo-blocs are enough: the reduced game is worth what the full one is"
    for points, coalitions in ((COARSE, (2, 3, 4, 5)), (FINE, COALITIONS)):
        costs = {
            n: on_grid(n, points, reduced=True).repeated.value - on_grid(n, points).repeated.value
            for n in coalitions
        }
        same = [str(n) for n, cost in costs.items() if cost <= _SAME]
        most = max(costs, key=lambda n: costs[n])
        words = f"the same for N = {', '.join(same)} only; most different by {costs[most]:.6f} for N = {most}"
        yield _row(claim, f"{points} points, N = 2..{max(coalitions)}", len(same) == len(costs), words)
    yield _row(claim, "no grid", True, "proved for every N")


def _two_v_two() -> Iterator[tuple[Cell, ...]]:
    found = on_grid(2, COARSE, against=2).repeated
    zero = found.lower <= 0 <= found.upper and found.upper - found.lower <= _SAME
    yield _row("2 v 2 is worth 0", "any grid, and none", zero, "0, by symmetry")
    claim = "2 v 2: the bloc 0.75 to 0.8 with about 95 %, (0, 0.95) with about 5 %"
    other = sum(weight for held, weight in found.coalition if held == (0.0, 0.95))
    words = f"{1 - other:.2%} and {other:.2%}; 5 % for (0, 0.95) loses {-paper_guarantee()[1]:.6f} a round"
    yield _row(claim, f"{COARSE} points, to 5 %", round(20 * other) == 1, words)
    finer = on_grid(2, FINE, against=2).repeated.coalition
    kept = guarantee(on_grid(2, FINE, reduced=True, against=2).repeated.coalition, FINE)
    words = f"their optimum loses {-kept:.6f} a round; {len(finer)} profiles are played, some in between"
    yield _row("2 v 2: blocs and pseudo-blocs are enough", f"{FINE} points", kept > -_SAME, words)


def _asymptote() -> Iterator[tuple[Cell, ...]]:
    found = fit(COALITIONS, (on_grid(n, reduced=True).repeated.value for n in COALITIONS))
    reading = f"N = 2..15, {FINE} points, reduced"
    near = abs(found.r_squared - R_SQUARED) < 1e-4
    yield _row("a rational fit has r squared of about 0.9991", reading, near, f"{found.r_squared:.5f}")
    yield _row("the fit's asymptote is 0.16", reading, round(found.a, 2) == ASYMPTOTE, f"{-found.a:.4f}")
    limit = solve_limit().repeated.value
    yield _row(
        "a coalition's gain tends to about 16 %", "abstract", round(limit, 2) == ASYMPTOTE, f"{-limit:.9f}"
    )


def _conservative() -> Iterator[tuple[Cell, ...]]:
    """Compare thresholds without a grid with that of the symmetric equilibrium, for N = 2..15 and a large N."""
    claim = "play is more conservative than in the symmetric Nash equilibrium"
    coalitions = (*COALITIONS, _LARGE)
    played = {n: summarize(without_grid(n).repeated) for n in coalitions}
    dropped = {n: s.weight * s.bloc + (1 - s.weight) * s.pseudo_bloc * (n - 1) / n for n, s in played.items()}
    readings = (
        ("player 1's threshold", {n: s.player for n, s in played.items()}),
        ("the bloc's threshold", {n: s.bloc for n, s in played.items()}),
        ("how often a member drops, on average", dropped),
        ("the pseudo-bloc's threshold", {n: s.pseudo_bloc for n, s in played.items()}),
    )
    for reading, held in readings:
        higher = [held[n] > nash_threshold(n) for n in coalitions]
        words = "; ".join(f"N = {n}: {held[n]:.4f}, Nash {nash_threshold(n):.4f}" for n in (2, 5, 15))
        yield _row(claim, reading, all(higher), words)


def _alone() -> Iterator[tuple[Cell, ...]]:
    threshold, gain = fictitious_play()
    nash = nash_threshold(_PLAYERS - 1)
    words = (
        f"after {_PLAYS:,} plays the means are {threshold:.4f} (Nash {nash:.4f}, grid step {1 / (_POINTS - 1):g}), "
        f"and nobody gains more than {gain:.1e} by another threshold"
    )
    near = abs(threshold - nash) < 1 / (_POINTS - 1) and gain < 1e-3
    reading = f"abstract; {_PLAYERS} players on {_POINTS} points"
    yield _row("fictitious play comes to the symmetric Nash equilibrium", reading, near, words)
    least = {n: _weenie_least(n, points) for n, points in _WEENIE.items()}
    words = "; ".join(
        f"N = {n}: at least {left:.1g} against each of its profiles" for n, left in least.items()
    )
    reading = f"abstract; one round, profiles on {' and '.join(map(str, _WEENIE.values()))} points"
    yield _row(
        "weenie rule: the Nash threshold is optimal against coalitions",
        reading,
        min(least.values()) > -1e-12,
        words,
    )
    gaps = {n: -solve_asynchronous(coalition=n).synchronous_repeated.value for n in (2, 15)}
    words = (
        f"they leave exactly 0, as Nash does, for every N: proved; an agreement is worth "
        f"{gaps[2]:.4f} (N = 2), {gaps[15]:.4f} (N = 15), {-solve_limit().repeated.value:.4f} (limit)"
    )
    yield _row("what do members gain who mix each on their own?", "left open by the paper", None, words)


def _weenie_least(players: int, points: int) -> float:
    """Return the least that player 1 gets in a round with the weenie rule, at the equilibrium's threshold."""
    own = weenie_threshold(players)
    held = np.append(np.linspace(0, 1, points), own)
    profiles = np.array(list(combinations_with_replacement(held, players)))
    alpha, _ = weenie_payoffs(np.column_stack([np.full(len(profiles), own), profiles]))
    return float(alpha[:, 0].min())


def fictitious_play() -> tuple[float, float]:
    """Let three players answer each other's plays so far, from different starts.

    Returns
    -------
    threshold : float
        The mean of all players' plays.
    gain : float
        The most that one of them gains by another threshold against the others' plays.
    """
    held = np.linspace(0, 1, _POINTS)
    payoffs = round_payoffs(np.stack(np.meshgrid(held, held, held, indexing="ij"), axis=-1))[0][..., 0]
    counts = np.zeros((_PLAYERS, _POINTS))
    counts[range(_PLAYERS), np.linspace(5, _POINTS - 6, _PLAYERS).astype(int)] = 1
    for _ in range(_PLAYS):
        mixed = counts / counts.sum(axis=1, keepdims=True)
        worth = np.stack([payoffs @ mixed[i - 1] @ mixed[i - 2] for i in range(_PLAYERS)])
        counts[range(_PLAYERS), worth.argmax(axis=1)] += 1
    gains = worth.max(axis=1) - (worth * mixed).sum(axis=1)
    return float((mixed @ held).mean()), float(gains.max())
