"""The studies of Kuhn poker with cheating: their figures, against a second program and by second routes."""

import io
from fractions import Fraction
from itertools import product

import pytest
from reference.cheating import value as reference_value

from maxmin import load_tree, solve
from maxmin.errors import StrategyError, UnknownNameError
from maxmin.exact import solve_exact
from maxmin.games import make_game
from maxmin.non_adaptive import answer, carry_over
from maxmin.studies import (
    STUDIES,
    cheating_choice,
    cheating_claims,
    cheating_deals,
    cheating_detection,
    cheating_fair,
    cheating_nonadaptive,
    cheating_surface,
    find_study,
)
from maxmin.studies.findings import Findings, Table, cell_in_words
from maxmin.studies.kuhn_hands import FAIR, behavior, fair_player_1, fair_player_2, name_of, value

THIRD = Fraction(1, 3)
GRID = [Fraction(step, 6) for step in range(7)]


@pytest.fixture(scope="module")
def surface() -> dict[tuple[Fraction, Fraction], Fraction]:
    return {(p, q): value(name_of(p=p, q=q)) for p, q in product(GRID, GRID)}


@pytest.mark.parametrize(
    ("p", "q"), [(0, 0), (1, 0), (0, 1), (1, 1), ("1/6", "1/3"), ("1/2", "5/6"), ("7/9", "2/7")]
)
def test_exact_values_are_those_of_the_second_program(p, q):
    odds = {"p": Fraction(p), "q": Fraction(q)}
    assert value(name_of(**odds)) == reference_value(odds)


@pytest.mark.parametrize("know", ["before_hit", "before_full", "after"])
@pytest.mark.parametrize("amount", ["matched", "pot", "ante"])
def test_exact_values_with_detection_are_those_of_the_second_program(know, amount):
    odds = dict(zip("pqrs", map(Fraction, ("1/2", "2/3", "1/4", "1/5")), strict=True))
    game = name_of(**odds, know=know, amount=amount)
    expected = reference_value(odds, know=know, amount=amount)
    assert value(game) == expected
    assert solve(game, method="lp", gap=1e-12).value == pytest.approx(float(expected), abs=1e-12)
    bounds = solve(game, method="pcfr+", gap=1e-3)
    assert bounds.lower - 1e-12 <= expected <= bounds.upper + 1e-12


def test_cheating_more_never_hurts_the_cheat(surface):
    for fixed in GRID:
        assert sorted(surface[p, fixed] for p in GRID) == [surface[p, fixed] for p in GRID]
        assert sorted((surface[fixed, q] for q in GRID), reverse=True) == [surface[fixed, q] for q in GRID]


def test_value_is_concave_in_p_and_convex_in_q(surface):
    for fixed, (low, middle, high) in product(GRID, zip(GRID, GRID[1:], GRID[2:], strict=False)):
        assert 2 * surface[middle, fixed] >= surface[low, fixed] + surface[high, fixed]
        assert 2 * surface[fixed, middle] <= surface[fixed, low] + surface[fixed, high]


def test_value_is_the_same_from_both_sides():
    tree = load_tree(name_of(p="2/5", q="1/3", r="1/4", s="3/7"))
    assert solve_exact(tree, (1,)).value == -solve_exact(tree, (2,)).value


def test_fair_study_finds_the_value_from_every_side():
    table = cheating_fair.find().table("guarantees")
    optimal = dict(zip(table.column("strategy"), table.column("optimal"), strict=True))
    assert optimal.pop("player 1, a = 103/300") == "no"
    assert set(optimal.values()) == {"yes"}


def test_answer_to_a_fixed_strategy_is_that_of_enumeration():
    """Against a fixed player each view and history is a decision of its own: take the better move in each."""
    tree = load_tree(name_of(p=1))
    found, _ = answer(tree, 1, behavior(tree, 2, fair_player_2()))
    bets = fair_player_2()
    total = Fraction(0)
    for mine, theirs in product((1, 2, 3), repeat=2):
        if mine == theirs:
            continue
        sign = 1 if mine > theirs else -1
        called, raised = bets[f"{theirs} b"], bets[f"{theirs} c"]
        after_bet = called * 2 * sign + (1 - called)
        after_check = raised * max(-1, 2 * sign) + (1 - raised) * sign
        total += max(after_bet, after_check)
    assert found == total / 6 == THIRD


@pytest.mark.parametrize("a", [Fraction(0), Fraction(1, 5), THIRD])
@pytest.mark.parametrize("odds", [Fraction(0), Fraction(2, 7), Fraction(1)])
def test_non_adaptive_gains_are_linear_in_the_probability(a, odds):
    tree = load_tree(name_of(q=odds))
    left, _ = answer(tree, 2, behavior(tree, 1, fair_player_1(a)))
    assert -left == FAIR - odds / 6


def test_a_strategy_is_carried_over_by_what_players_know():
    fair, cheating = load_tree("2K3"), load_tree(name_of(p=1))
    carried = carry_over(behavior(fair, 2, fair_player_2()), fair, cheating)
    assert answer(cheating, 1, carried)[0] == THIRD
    with pytest.raises(StrategyError, match="does not have player 2's infoset '3 b'"):
        carry_over(behavior(fair, 2, {"3 b": Fraction(1)}), fair, load_tree("matching_pennies"))


def test_deals_of_every_game_average_to_its_value():
    table = cheating_deals.find().table("winnings")
    mean = dict(zip(table.column("game"), table.column("mean"), strict=True))
    assert mean["fair"] == FAIR
    assert mean["player 1 cheats, known of"] == reference_value({"p": Fraction(1)})
    assert mean["player 2 cheats, known of"] == reference_value({"q": Fraction(1)})
    assert mean["player 1 cheats, not known of"] == THIRD
    assert {mean[game] for game in mean if game.startswith("player 2 cheats, not")} == {Fraction(-2, 9)}


def test_a_rare_cheat_need_not_be_known_of():
    for table in cheating_nonadaptive.find().tables:
        for odds, difference in zip(table.column("cheats with"), table.column("difference"), strict=True):
            assert (difference == 0) == (odds <= THIRD)


def test_patches_give_the_surface(surface):
    findings = cheating_surface.find()
    assert len(findings.table("patches").rows) == 8
    assert "are proved to cover the square" in findings.notes[0]
    for p, q, found in findings.table("grid").rows:
        if (p, q) in surface:
            assert found == surface[p, q]
    for _, p, q, found, paper in findings.table("corners").rows:
        assert found == paper == reference_value({"p": Fraction(p), "q": Fraction(q)})


def test_two_sure_cheats_are_alike():
    """Both see all: what checking is worth to one, it is worth to the other."""
    for options in cheating_detection.CASES.values():
        for r, s in ((THIRD, 0), (Fraction(2, 3), Fraction(1, 5)), (1, Fraction(1, 2))):
            game, mirrored = (name_of(p=1, q=1, r=x, s=y, **options) for x, y in ((r, s), (s, r)))
            assert value(game) == -value(mirrored)


def test_thresholds_are_where_the_choice_becomes_worthless():
    for options in ({"know": "before_hit", "amount": "matched"}, {"know": "before_full", "amount": "ante"}):
        for player, (choice, check) in enumerate((("p", "s"), ("q", "r")), 1):
            found = cheating_choice.threshold(player, options)
            assert isinstance(found, Fraction)
            below, at, above = (
                value(name_of(**{choice: "choice", check: found + step}, **options))
                for step in (Fraction(-1, 10**6), 0, Fraction(1, 10))
            )
            assert at == above == FAIR
            assert below > FAIR if player == 1 else below < FAIR


def test_two_deterred_cheats_are_both_honest():
    x = max(cheating_choice.threshold(player, {}) for player in (1, 2))
    assert value(name_of(p="choice", q="choice", r=x, s=x)) == FAIR


def test_claims_are_decided():
    table = cheating_claims.find().table("claims")
    holds = {(row[0], row[1]): row[2] for row in table.rows}
    assert holds["the surface consists of several bilinear patches", "-"] == "yes"
    assert holds["flat and 0 where both cheat often (90 %)", "-"] == "yes"
    assert holds["adaptive: player 1 gains more by cheating", "cheats known of"] == "yes"
    assert holds["non-adaptive: player 2 gains more by cheating", "cheats not known of, a = 0"] == "no"
    readings = {reading for claim, reading in holds if "both always cheat" in claim}
    assert readings == set(cheating_detection.CASES)


def test_detection_cases_are_games():
    for options in cheating_detection.CASES.values():
        assert make_game(name_of(p=1, q=1, r=0, s=0, **options)).players == 2


def test_studies_have_names_that_are_found():
    for name in STUDIES:
        assert find_study(name).name == name
        assert callable(find_study(name)._module.find)
    with pytest.raises(UnknownNameError, match="did you mean cheating-claims"):
        find_study("cheating-claim")
    with pytest.raises(UnknownNameError, match="there are cheating-fair, "):
        find_study("xyz")


def test_tables_are_written_exactly():
    table = Table("t", "title", ("a", "b"), ((Fraction(-1, 18), None), (0.5, "x, y")))
    assert table.to_csv() == b'a,b\n-1/18,\n0.5,"x, y"\n'
    assert table.to_json()["rows"] == [["-1/18", None], [0.5, "x, y"]]
    assert table.words() == [["-1/18", "-"], ["0.5", "x, y"]]
    assert cell_in_words(Fraction(1, 3**60)) == "2.3589825e-29"
    assert Findings((table,)).table("t") is table


def test_figures_are_drawn():
    pytest.importorskip("matplotlib")
    for name in ("cheating-nonadaptive", "cheating-surface"):
        study = find_study(name)
        figure = study.draw(study.find())
        assert figure is not None
        figure.savefig(image := io.BytesIO(), format="png", dpi=50)
        assert image.getvalue().startswith(b"\x89PNG")
        assert len(image.getvalue()) > 5000
    assert find_study("cheating-fair").draw(Findings(())) is None
