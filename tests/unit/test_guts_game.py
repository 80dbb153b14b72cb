"""Guts as a game tree: its team belief DAG, its grid and its matrix of thresholds have the same values."""

from fractions import Fraction
from itertools import combinations_with_replacement

import pytest
from reference.guts import exact_round

import maxmin
from maxmin.build import build_tree
from maxmin.games import make_game
from maxmin.guts import make_grid, solve_guts
from maxmin.matrix import solve_matrix
from maxmin.recursive import MatrixState, RecursiveGame, solve_recursive
from maxmin.solve import solve


@pytest.mark.parametrize(("players", "hands"), [(2, 6), (3, 3), (3, 5), (4, 3)])
def test_the_belief_dag_solves_the_coalition_of_the_grid(players, hands):
    """A round alone, and with the repeated value to come; from player 1's seat, and from the coalition's."""
    grid = solve_guts(coalition=players - 1, grid=hands + 1)
    others = tuple(range(2, players + 1))
    for value, found in ((0.0, grid.one_shot), (grid.repeated.value, grid.repeated)):
        name = f"guts(players={players},hands={hands},value={value!r})"
        alone, team = (solve(name, team=team, method="lp") for team in ((1,), others))
        assert alone.value == pytest.approx(found.value, abs=1e-9)
        assert team.value == pytest.approx(-found.value, abs=1e-9)
        assert alone.lower - 1e-9 <= found.upper
        assert alone.upper + 1e-9 >= found.lower


def test_three_routes_to_a_fraction():
    """Three players with four hands: one round is worth -1/64, the game -1/24."""
    thresholds = [Fraction(k, 4) for k in range(5)]
    columns = list(combinations_with_replacement(thresholds, 2))
    rounds = [[exact_round([p, *column]) for column in columns] for p in thresholds]
    payoffs = [[alpha[0] for alpha, _ in row] for row in rounds]
    multipliers = [[beta for _, beta in row] for row in rounds]
    for value, expected in ((Fraction(0), Fraction(-1, 64)), (Fraction(-1, 24), Fraction(-1, 24))):
        with_value = [
            [a + value * b for a, b in zip(*pair, strict=True)]
            for pair in zip(payoffs, multipliers, strict=True)
        ]
        matrix = solve_matrix(with_value, method="exact")
        tree = solve(f"guts(players=3,hands=4,value={value})", team=(1,), method="exact")
        assert matrix.exact.value == expected
        assert tree.exact["value"] == str(expected)
    state = MatrixState(
        [[float(a) for a in row] for row in payoffs], [[float(b) for b in row] for row in multipliers]
    )
    repeated = solve_recursive(RecursiveGame(state, t1=1, t2=2)).repeated.value
    assert repeated == pytest.approx(-1 / 24, abs=1e-9)
    assert solve_guts(coalition=2, grid=5).repeated.value == pytest.approx(-1 / 24, abs=1e-9)


def test_payoffs_by_hand():
    """The pot is 3: who wins it, who pays, and what a tie brings on average."""
    rules = make_game("guts(players=3,hands=2)")

    def payoffs(deal, *moves):
        state = rules.child(rules.root(), deal)
        for move in moves:
            state = rules.child(state, move)
        return rules.payoffs(state)

    assert payoffs("1 2 1", "drop", "drop", "drop") == [0, 0, 0]
    assert payoffs("1 2 1", "hold", "drop", "drop") == [2, -1, -1]
    assert payoffs("1 2 1", "hold", "hold", "drop") == [-3, 3, 0]
    assert payoffs("1 2 1", "hold", "hold", "hold") == [-2, 4, -2]
    assert payoffs("2 2 1", "hold", "hold", "hold") == [1, 1, -2]
    rules = make_game("guts(players=3,hands=2,value=1/2)")
    assert payoffs("1 2 1", "hold", "hold", "hold") == [-1, Fraction(7, 2), Fraction(-5, 2)]
    assert payoffs("1 2 1", "drop", "hold", "drop") == [-1, 2, -1]


def test_sets_of_hands_are_no_better_than_thresholds():
    """Players of the tree may hold with any hands; the value is that of thresholds."""
    tree = build_tree(make_game("guts(players=3,hands=4)"))
    assert tree.n_leaves == 64 * 8
    assert make_grid(coalition=2, grid=5).count(2) == 15
    assert maxmin.solve(tree, team=(2, 3), method="lp").value == pytest.approx(1 / 64, abs=1e-9)
