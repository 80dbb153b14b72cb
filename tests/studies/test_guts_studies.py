"""The studies of guts poker: the paper's figures, and ours by second routes."""

import io
import math
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement

import numpy as np
import pytest
from reference.guts import exact_round

from maxmin.guts import round_payoffs, solve_limit
from maxmin.guts.asynchronous import nash_threshold
from maxmin.guts.weenie import weenie_payoffs
from maxmin.matrix import solve_matrix
from maxmin.studies import (
    STUDIES,
    find_study,
    guts_claims,
    guts_fit,
    guts_one_v_two,
    guts_times,
    guts_two_v_two,
)
from maxmin.studies.findings import Findings
from maxmin.studies.guts_solved import COALITIONS, FINE, in_words, on_grid, profile, summarize, without_grid

UNTIMED = [name for name in STUDIES if name.startswith("guts-") and name != "guts-times"]


@cache
def findings(name: str) -> Findings:
    return find_study(name).find()


def rows_by_first(table) -> dict:
    return {row[0]: dict(zip(table.columns[1:], row[1:], strict=True)) for row in table.rows}


@pytest.mark.parametrize("name", UNTIMED)
def test_tables_are_whole_and_pictures_can_be_drawn(name):
    found = findings(name)
    for table in found.tables:
        assert table.rows
        assert all(len(row) == len(table.columns) for row in table.rows)
        numbers = [cell for row in table.rows for cell in row if isinstance(cell, float)]
        assert all(type(cell) is float and math.isfinite(cell) for cell in numbers)
    figure = find_study(name).draw(found)
    assert (figure is None) == (name in ("guts-table", "guts-claims"))
    if figure is not None:
        figure.savefig(io.BytesIO(), format="png", dpi=40)


def test_one_v_two_is_as_published():
    rows = rows_by_first(findings("guts-one-v-two").table("strategies"))
    paper = rows.pop("paper")
    for game, found in rows.items():
        assert found["lower"] <= found["value"] <= found["upper"]
        repeated = "one round" not in game
        assert (round(found["value"], 3) == paper["value"]) == repeated
        assert round(found["player 1"], 2) == paper["player 1"]
        assert abs(found["bloc"] - paper["bloc"]) <= 0.01
        assert abs(found["pseudo-bloc"] - paper["pseudo-bloc"]) <= 0.01
        assert abs(found["its probability"] - paper["its probability"]) < 0.04


def test_one_v_two_by_enumeration_and_value_iteration():
    """Exact payoffs of all profiles from the rules; each round a linear program, from -1 on."""
    held = [Fraction(k, 10) for k in range(11)]
    profiles = list(combinations_with_replacement(held, 2))
    rounds = [[exact_round((p, *q)) for q in profiles] for p in held]
    payoffs = np.array([[float(alpha[0]) for alpha, _ in row] for row in rounds])
    multipliers = np.array([[float(beta) for _, beta in row] for row in rounds])
    value = -1.0
    for _ in range(45):
        value = solve_matrix(payoffs + value * multipliers, method="lp").value
    assert on_grid(2, 11).repeated.value == pytest.approx(value, abs=1e-9)


def test_iterations_close_in_on_the_value():
    table = findings("guts-one-v-two").table("iteration")
    value = without_grid(2).repeated.value
    below, above = (np.array(table.column(name), dtype=float) for name in ("from -1", "from 2"))
    assert (np.diff(below) > 0).all()
    assert (np.diff(above) < 0).all()
    assert below[-1] < value < above[-1] < value + 1e-5
    newton = [cell for cell in table.column("Newton, from 0") if cell is not None]
    assert len(newton) <= 5
    assert newton[-1] == pytest.approx(value, abs=1e-13)
    assert guts_one_v_two.round_value(value) == pytest.approx(value, abs=1e-13)


def test_value_of_a_round_is_that_of_a_fine_grid():
    """A grid hampers both sides; on 401 points a round differs by less than 1e-4."""
    held = np.arange(401) / 400
    p, b = np.meshgrid(held, held, indexing="ij")
    blocs = [round_payoffs(np.stack(profile, axis=-1)) for profile in ((p, b, b), (p, np.zeros_like(b), b))]
    payoffs, multipliers = (
        np.hstack([blocs[0][0][..., 0], blocs[1][0][..., 0]]),
        np.hstack([blocs[0][1], blocs[1][1]]),
    )
    for v in (-1.0, -0.3, 1.0):
        value = solve_matrix(payoffs + v * multipliers, method="double_oracle", gap=1e-7).value
        assert guts_one_v_two.round_value(v) == pytest.approx(value, abs=1e-4)


def test_payoffs_over_the_threshold_of_player_1_peak_at_the_value():
    p, bloc, pseudo_bloc, mixture = np.array(findings("guts-one-v-two").table("payoffs").rows).T
    value = without_grid(2).repeated.value
    assert mixture.max() == pytest.approx(value, abs=1e-5)
    assert (mixture <= value + 1e-15).all()
    assert np.minimum(bloc, pseudo_bloc).max() <= value
    assert p[np.minimum(bloc, pseudo_bloc).argmax()] == pytest.approx(0.64)


@pytest.mark.parametrize("players", [2, 7, 15])
def test_table_1_solves_the_matrix_of_all_blocs(players):
    held = np.arange(FINE) / (FINE - 1)
    columns = [[b] * players for b in held] + [[0.0, *[c] * (players - 1)] for c in held[1:]]
    thresholds = np.array([[[p, *column] for column in columns] for p in held])
    alpha, beta = round_payoffs(thresholds)
    rows = {
        name: rows_by_first(findings("guts-table").table(name))[players] for name in ("repeated", "one-shot")
    }
    for v, expected in ((0.0, rows["one-shot"]["reduced"]), (rows["repeated"]["reduced"],) * 2):
        found = solve_matrix(alpha[..., 0] + v * beta, method="lp")
        assert found.lower - 1e-9 <= expected <= found.upper + 1e-9


def test_table_1_has_bounds_and_the_full_coalition_takes_more():
    for name in ("repeated", "one-shot"):
        table = findings("guts-table").table(name)
        assert table.column("N") == COALITIONS == tuple(range(2, 16))
        for row in rows_by_first(table).values():
            assert row["lower"] <= row["reduced"] <= row["upper"] <= row["lower"] + 1e-9
            assert row["full lower"] <= row["full"] <= row["full upper"] <= row["full lower"] + 1e-9
            assert row["full"] <= row["reduced"] + 1e-9
            assert abs(row["full"] - row["no grid"]) < 0.004
        values = table.column("reduced")
        assert sorted(values, reverse=True) == list(values)


def test_table_1_strategies_hold_player_1_to_the_value():
    """The numbers in the table, as strategies, leave no more than the value."""
    values = rows_by_first(findings("guts-table").table("repeated"))
    p = np.linspace(0, 1, FINE)
    for n, row in rows_by_first(findings("guts-table").table("repeated-strategies")).items():
        value, weight = values[n]["reduced"], row["its probability"]
        profiles = [row["bloc"]] * n, [0.0, *[row["pseudo-bloc"]] * (n - 1)]
        rounds = [round_payoffs(np.column_stack([p, np.tile(q, (FINE, 1))])) for q in profiles]
        bloc, pseudo_bloc = (alpha[:, 0] + value * beta for alpha, beta in rounds)
        assert (weight * bloc + (1 - weight) * pseudo_bloc).max() == pytest.approx(value, abs=1e-9)


def test_fit_is_as_published():
    rows = rows_by_first(findings("guts-fit").table("fits"))
    found = rows[f"N = 2..15, {FINE} points, reduced"]
    assert found["r squared"] == pytest.approx(guts_fit.R_SQUARED, abs=1e-4)
    assert round(found["asymptote"], 2) == guts_fit.ASYMPTOTE == round(rows["exact"]["asymptote"], 2)
    errors = [
        abs(rows[f"N = 2..{most}, no grid"]["asymptote"] - rows["exact"]["asymptote"]) for most in (15, 100)
    ]
    assert errors[1] < errors[0] / 5


def test_fit_is_the_best_of_many():
    n = np.arange(2.0, 16)
    y = np.array([on_grid(int(k), reduced=True).repeated.value for k in n])
    found = guts_fit.fit(COALITIONS, y)
    least = ((np.array([found(k) for k in n]) - y) ** 2).sum()
    assert 1 - least / ((y - y.mean()) ** 2).sum() == pytest.approx(found.r_squared, abs=1e-12)
    for change in np.random.default_rng(5).normal(scale=(0.003, 0.02, 0.1), size=(500, 3)):
        a, b, c = change + found[:3]
        assert (((a * n + b) / (n + c) - y) ** 2).sum() >= least


def test_fit_finds_a_rational_function():
    found = guts_fit.fit(range(2, 12), [(-0.2 * n + 0.1) / (n + 3.5) for n in range(2, 12)])
    assert found == pytest.approx((-0.2, 0.1, 3.5, 1.0), abs=1e-6)


def test_coalitions_grow_towards_the_limit():
    table = findings("guts-coalitions").table("continuum")
    limit = solve_limit()
    for name, end in (("one round", limit.one_shot.value), ("repeated", limit.repeated.value)):
        values = np.array(table.column(name))
        assert (np.diff(values) < 0).all()
        assert (values > end).all()
        assert values[-1] - end < 0.7 / table.column("N")[-1]
    *rates, last = findings("guts-coalitions").table("rates").rows
    assert last[0] is None
    assert np.array(rates[-1][1:]) == pytest.approx(np.array(last[1:]), rel=2e-3)


def test_two_v_two_is_worth_0_and_one_strategy_serves_both():
    for _, coalition, _, value, lower, upper, near, other, kept in (
        findings("guts-two-v-two").table("values").rows
    ):
        assert max(map(abs, (value, lower, upper))) < 1e-9
        assert near + other == pytest.approx(1)
        assert kept > -1e-12 if coalition == "full" else -0.01 < kept < -1e-4
    low, high, losses = np.array(findings("guts-two-v-two").table("losses").rows).T
    assert losses.min() > -1e-12
    found = {(p, q): loss for p, q, loss in zip(low.round(9), high.round(9), losses, strict=True)}
    for held, _ in on_grid(2, 41, against=2).repeated.coalition:
        assert abs(found[tuple(np.round(held, 9))]) < 1e-9


def test_the_papers_pair_loses_little():
    """Its guarantee by a loop over all pairs, from the payoffs of single players."""
    share, kept = guts_two_v_two.paper_guarantee()
    mixture = {(0.75, 0.75): share, (0.75, 0.8): 0.95 - share, (0.0, 0.95): 0.05}
    held = [k / 20 for k in range(21)]
    worst = min(
        sum(weight * round_payoffs([*own, *other])[0][:2].sum() for own, weight in mixture.items())
        for other in combinations_with_replacement(held, 2)
    )
    assert kept == pytest.approx(worst, abs=1e-12)
    assert -0.001 < kept < 0


def test_claims_are_decided():
    table = findings("guts-claims").table("claims")
    holds = {(row[0], row[1]): row[2] for row in table.rows}
    assert len(holds) == len(table.rows)
    assert holds["1 v 2 is worth about -0.013", f"repeated, {FINE} points"] == "yes"
    assert holds["1 v 2 is worth about -0.013", "one round, no grid"] == "no"
    reduced = "blocs and pseudo-blocs are enough: the reduced game is worth what the full one is"
    assert [holds[reduced, case] for case in ("21 points, N = 2..5", "no grid")] == ["no", "yes"]
    cautious = {key[1]: value for key, value in holds.items() if "more conservative" in key[0]}
    assert cautious.pop("the pseudo-bloc's threshold") == "yes"
    assert set(cautious.values()) == {"no"}
    assert len(cautious) == 3
    assert "1 v 2: the coalition plays the bloc 0.68 and (0, 0.86)" in table.column("claim")
    assert [row[2] for row in table.rows if row[0].startswith("a rational fit")] == ["yes"]
    assert [row[2] for row in table.rows if row[1].startswith("left open")] == ["open"]


@pytest.mark.parametrize("players", [2, 3, 4, 8])
def test_nobody_leaves_the_nash_threshold(players):
    """In a round alone, and in the repeated game, which is worth 0 then."""
    at = nash_threshold(players)
    own = np.linspace(0, 1, 201)
    alpha, _ = round_payoffs(np.column_stack([own, *[np.full_like(own, at)] * players]))
    assert alpha[:, 0].max() == pytest.approx(0, abs=1e-14)


def test_fictitious_play_of_three_comes_to_nash():
    threshold, gain = guts_claims.fictitious_play()
    assert abs(threshold - math.sqrt(0.5)) < 0.02
    assert 0 <= gain < 1e-3


def test_members_alone_leave_0():
    table = findings("guts-asynchronous").table("continuum")
    for row in rows_by_first(table).values():
        assert row["agreed, repeated"] < row["agreed, one round"] < 0
        assert row["alone, lower"] == 0 <= row["alone, upper"] < 1e-14
    for row in findings("guts-asynchronous").table("grids").rows:
        _, _, agreed, lower, upper, starts, reached = row
        assert agreed - 1e-9 <= lower <= upper < 1e-12
        assert 1 <= reached <= starts
    q, left, _ = np.array(findings("guts-asynchronous").table("blocs").rows).T
    assert (left > -1e-12).all()
    assert abs(q[left.argmin()] - math.sqrt(0.5)) < 0.005


def test_cards_have_bounds_and_ties_decide_who_gains():
    rows = findings("guts-cards").table("two-cards").rows
    values = {row[:2]: row[3] for row in rows}
    for _, _, _, value, lower, upper, _, _, *gains in rows:
        assert lower <= value <= upper <= lower + 1e-9
        assert max(gains) < 1e-9
    for rule in ("no", "yes"):
        assert values["last", rule] < values["lot", rule] < values["split", rule] < 0 < values["first", rule]
    assert abs(values["lot", "yes"]) < 1e-4


def test_the_weenie_rule_leaves_coalitions_nothing_but_the_grid():
    for players, points, once, repeated, nash, player, plain in findings("guts-cards").table("weenie").rows:
        assert plain < -0.01 < -1e-4 < repeated <= once + 1e-12 < 2e-12
        assert abs(player - nash) < 1 / (points - 1)
        own = np.append(np.linspace(0, 1, 401), nash)
        alpha, _ = weenie_payoffs(np.column_stack([own, *[np.full_like(own, nash)] * players]))
        assert alpha[:, 0].max() == pytest.approx(0, abs=1e-14)


def test_chips_confirm_the_values():
    for _, value, mean, error, deviations, growth, *_ in findings("guts-cards").table("chips").rows:
        assert growth < 1
        assert deviations == pytest.approx((mean - value) / error)
        assert abs(deviations) < 4


def test_times_are_taken_of_both_ways(monkeypatch):
    monkeypatch.setattr(guts_times, "_GAMES", guts_times._GAMES[-1:])
    monkeypatch.setattr(guts_times, "COALITIONS", (2,))
    found = guts_times.find()
    game, *others = found.table("times").rows
    _, _, play, play_gap, seconds, gap = game
    assert min(play, seconds) >= 0
    assert 0 <= gap <= 1e-9 < play_gap < 0.01
    assert all(row[5] <= 1e-9 for row in others)
    guts_times.draw(found).savefig(io.BytesIO(), format="png", dpi=40)


def test_strategies_in_words_and_numbers():
    assert profile((0.0, 0.95, 0.95, 0.96)) == "0, 0.95 x 2, 0.96"
    assert in_words([((0.5,), 0.9), ((0.25,), 0.099), ((0.1,), 0.001)]) == "90.0% 0.5; 9.9% 0.25"
    found = summarize(without_grid(3).one_shot)
    bloc, pseudo_bloc = without_grid(3).one_shot.coalition
    assert found == pytest.approx((found.player, bloc[0][0], bloc[1], pseudo_bloc[0][1]), abs=1e-15)
