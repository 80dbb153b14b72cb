"""Values as functions of parameters: known formulas, exact values of an independent route, borders, bad input."""

import json
import random
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
import pytest

from maxmin.build import build_tree
from maxmin.errors import GameError, MaxminError, UnknownNameError
from maxmin.exact import solve_exact
from maxmin.exact.cover import cover
from maxmin.exact.parametric import solve_parametric
from maxmin.exact.parametric_check import check_patch, leaf_reach
from maxmin.exact.parametric_tree import recover
from maxmin.exact.polynomial import Ratio, bernstein, evaluate, ring, sign_on, solve_sparse
from maxmin.games.kuhn_poker import KuhnPoker
from maxmin.tree import GameTree
from maxmin.tree_builder import TreeBuilder

UNIT = (Fraction(0), Fraction(1))


def matrix_game(rows: list[list[Fraction]]) -> GameTree:
    """Two players choose at once; player 1 gets an entry of the matrix."""
    builder = TreeBuilder("matrix", ("row", "column"))
    builder.decision(-1, -1, 1, "r", [f"r{i}" for i in range(len(rows))])
    for i, row in enumerate(rows):
        node = builder.decision(0, i, 2, "c", [f"c{j}" for j in range(len(row))])
        for j, payoff in enumerate(row):
            builder.leaf(node, j, [payoff, -payoff])
    return builder.finish()


def pennies(t: Fraction) -> GameTree:
    """Matching pennies with payoff t for heads; the value is (t - 1) / (t + 3)."""
    return matrix_game([[t, Fraction(-1)], [Fraction(-1), Fraction(1)]])


class Tilted(KuhnPoker):
    """Kuhn poker in which the first player holds the best card with probability t, else the others alike."""

    def __init__(self, t: Fraction) -> None:
        super().__init__(players=2, ranks=3)
        self.name = f"tilted(t={t})"
        self.t = t

    def deals(self):
        odds = {"3": self.t / 2, "2": (1 - self.t) / 4, "1": (1 - self.t) / 4}
        return [(deal, odds[deal[0]]) for deal in permutations("123", 2)]


def tilted(t: Fraction) -> Tilted:
    return Tilted(t)


@pytest.fixture(scope="module")
def game_4():
    return solve_parametric("kuhn_cheating", over=("p", "q"))


def random_point(generator, box):
    return tuple(low + (high - low) * Fraction(generator.randrange(1, 101), 101) for low, high in box)


def test_the_value_of_two_sided_cheating_is_eight_bilinear_patches(game_4):
    third, half = Fraction(1, 3), Fraction(1, 2)
    assert game_4.proved
    assert game_4.covered == 1
    assert not any(patch.conditions for patch in game_4.patches)
    found = {(patch.box, str(patch.value)) for patch in game_4.patches}
    p_ends = [0, third, half, 2 * third, 1]
    assert {end for box, _ in found for end in box[0]} == set(p_ends)
    assert found == {
        (((0, third), (0, third)), "-1/6*p*q + 7/18*p - 1/6*q - 1/18"),
        (((0, third), (third, 2 * third)), "-1/2*p*q + 1/2*p - 1/9"),
        (((0, 2 * third), (2 * third, 1)), "1/6*p - 1/9"),
        (((third, half), (0, third)), "-1/6*p*q + 2/9*p - 1/6*q"),
        (((third, 2 * third), (third, 2 * third)), "1/6*p - 1/6*q"),
        (((half, 2 * third), (0, third)), "1/2*p*q - 1/2*q + 1/9"),
        (((2 * third, 1), (0, 2 * third)), "-1/6*q + 1/9"),
        (((2 * third, 1), (2 * third, 1)), "0"),
    }


def test_the_patches_fill_the_square_exactly_once(game_4):
    area = sum((p[1] - p[0]) * (q[1] - q[0]) for p, q in (patch.box for patch in game_4.patches))
    assert area == 1


def test_patches_agree_on_their_borders(game_4):
    generator = random.Random(2)
    met = 0
    for one, other in combinations(game_4.patches, 2):
        common = [(max(a[0], b[0]), min(a[1], b[1])) for a, b in zip(one.box, other.box, strict=True)]
        if all(low <= high for low, high in common):
            met += 1
            point = random_point(generator, common)
            assert one.value.at(point) == other.value.at(point)
    assert met >= 8


@pytest.mark.parametrize("seed", range(6))
def test_values_are_those_of_exact_solutions(game_4, seed):
    point = random_point(random.Random(seed), (UNIT, UNIT))
    exact = solve_exact(game_4.game.tree_at(point)).value
    assert game_4.value(p=point[0], q=point[1]) == exact


@pytest.mark.parametrize("p", ["0", "1", "1/3", "9/10"])
@pytest.mark.parametrize("q", ["0", "1", "2/3"])
def test_values_hold_on_the_edges_too(game_4, p, q):
    tree = game_4.game.tree_at((Fraction(p), Fraction(q)))
    assert game_4.value(p=p, q=q) == solve_exact(tree).value


def test_strategies_of_a_patch_are_distributions_everywhere_on_it(game_4):
    generator = random.Random(3)
    for patch in game_4.patches:
        point = random_point(generator, patch.box)
        for problem, flow in (
            (game_4.program.team, patch.team_flow),
            (game_4.program.others, patch.others_flow),
        ):
            amounts = {index: ratio.at(point) for index, ratio in flow.items()}
            assert min(amounts.values()) >= 0
            reach = leaf_reach(problem, amounts)
            assert all(0 <= each <= 1 for each in reach)
            assert any(reach)


def test_a_wrong_formula_or_strategy_does_not_pass_the_check(game_4):
    patch = next(each for each in game_4.patches if str(each.value) == "1/6*p - 1/6*q")
    program, generator = game_4.program, random.Random(4)
    assert check_patch(program, patch, generator) == 2
    context = game_4.game.context
    wrong_value = Ratio(patch.value.num + context.constant(1), context.constant(1))
    other = game_4.patches[0]
    for wrong in (
        replace(patch, value=wrong_value),
        replace(patch, team_flow=other.team_flow),
        replace(patch, others_flow=other.others_flow),
    ):
        with pytest.raises(MaxminError, match="the best response"):
            check_patch(program, wrong, generator)


def test_breakpoints_over_one_parameter():
    found = solve_parametric("kuhn_cheating", over=("p",))
    assert found.proved
    assert found.breakpoints == (Fraction(1, 3), Fraction(1, 2))
    assert found.formulas == ("7/18*p - 1/18", "2/9*p", "1/9")
    assert found.value(p=0) == Fraction(-1, 18)


def test_a_rational_value_and_a_breakpoint_at_a_saddle_point():
    found = solve_parametric(pennies, over=("t",), box={"t": (-3, 2)})
    assert found.proved
    assert found.breakpoints == (-1,)
    assert found.value(t=-2) == -1
    assert found.value(t=1) == 0
    for t in ("-1", "-1/2", "0", "2"):
        expected = (Fraction(t) - 1) / (Fraction(t) + 3)
        assert found.value(t=t) == expected
        assert found.patch_at(t=t).value.at((Fraction(t),)) == expected


def test_an_irrational_breakpoint_is_proved_and_found():
    def square(t: Fraction) -> GameTree:
        return matrix_game([[t * t], [Fraction(1, 2)]])

    found = solve_parametric(square, over=("t",))
    assert found.game.degree == 2
    assert found.proved
    assert found.breakpoints == (pytest.approx(0.5**0.5, abs=1e-15),)
    assert found.value(t="7/10") == Fraction(1, 2)
    assert found.value(t="3/4") == Fraction(9, 16)


def test_a_curved_border_is_proved():
    def hyperbola(x: Fraction, y: Fraction) -> GameTree:
        return matrix_game([[x * y], [Fraction(1, 4)]])

    found = solve_parametric(hyperbola, over=("x", "y"))
    assert found.proved
    assert sorted(found.formulas) == ["1/4", "x*y"]
    assert {each.name for patch in found.patches for each in patch.conditions} == {"4*x*y - 1", "-4*x*y + 1"}


def test_three_curves_in_a_point_are_left_undecided_and_sampled():
    def peak(x: Fraction, y: Fraction) -> GameTree:
        return matrix_game([[x * y], [Fraction(1, 4)], [x - x * x + (y - Fraction(1, 2))]])

    found = solve_parametric(peak, over=("x", "y"))
    assert found.proved == (not found.undecided)
    assert Fraction(9, 10) < found.covered <= 1
    for cell in found.undecided:
        assert cell.value == solve_exact(found.game.tree_at(cell.sample)).value
    for seed in range(20):
        x, y = random_point(random.Random(seed), (UNIT, UNIT))
        expected = max(x * y, Fraction(1, 4), x - x * x + y - Fraction(1, 2))
        holding = [patch for patch in found.patches if (x, y) in patch]
        assert all(patch.value.at((x, y)) == expected for patch in holding)


def test_a_parametric_deal():
    found = solve_parametric(tilted, over=("t",))
    assert found.proved
    assert found.value(t="1/3") == Fraction(-1, 18)
    for seed in range(4):
        (t,) = random_point(random.Random(seed), (UNIT,))
        assert found.value(t=t) == solve_exact(build_tree(tilted(t))).value
    formulas = found.formulas
    assert len(formulas) == len(found.breakpoints) + 1


def test_the_other_side_has_the_negative_value():
    ours = solve_parametric("kuhn_cheating", over=("q",))
    theirs = solve_parametric("kuhn_cheating", over=("q",), team=(2,))
    assert ours.breakpoints == theirs.breakpoints
    for q in ("0", "1/4", "1/2", "8/9"):
        assert ours.value(q=q) == -theirs.value(q=q)


def test_detection_between_certain_cheaters():
    found = solve_parametric("kuhn_cheating(p=1,q=1)", over=("r", "s"))
    assert found.proved
    for seed in range(5):
        r, s = random_point(random.Random(seed), (UNIT, UNIT))
        assert found.value(r=r, s=s) == solve_exact(found.game.tree_at((r, s))).value
        assert found.value(r=r, s=s) == -found.value(r=s, s=r)  # both know all: the game is symmetric here


def test_ties_everywhere():
    def tie(t: Fraction) -> GameTree:
        return matrix_game([[t, t], [t, t]])

    found = solve_parametric(tie, over=("t",))
    assert found.proved
    assert found.formulas == ("t",)
    assert found.breakpoints == ()


@pytest.mark.parametrize("scale", [Fraction(10) ** 19, Fraction(1, 10**19)])
def test_payoffs_of_any_size(scale):
    def scaled(t: Fraction) -> GameTree:
        return matrix_game([[t * scale, -scale], [-scale, scale]])

    found = solve_parametric(scaled, over=("t",))
    assert found.proved
    assert found.value(t=0) == -scale / 3


def test_a_single_action_and_a_single_player():
    found = solve_parametric(lambda t: matrix_game([[t]]), over=("t",))
    assert (found.formulas, found.proved) == (("t",), True)

    def alone(t: Fraction) -> GameTree:
        builder = TreeBuilder("alone", ("only",))
        builder.decision(-1, -1, 1, "", ["stay", "go"])
        builder.leaf(0, 0, [t])
        builder.leaf(0, 1, [1 - 2 * t])
        return builder.finish()

    found = solve_parametric(alone, over=("t",))
    assert found.breakpoints == (Fraction(1, 3),)
    assert found.value(t=0) == 1


class TiltedForThree(Tilted):
    """Three players, three cards; the first gets the best card with probability t."""

    def __init__(self, t: Fraction) -> None:
        KuhnPoker.__init__(self, players=3, ranks=3)
        self.name = f"tilted(t={t})"
        self.t = t

    def deals(self):
        rest = (1 - self.t) / 4
        return [(deal, self.t / 2 if deal[0] == "3" else rest) for deal in permutations("123", 3)]


def test_a_team():
    found = solve_parametric(TiltedForThree, over=("t",), team=(1, 2))
    assert found.proved
    assert found.checked > 2
    for t in ("0", "1/3", "2/7", "1"):
        assert found.value(t=t) == solve_exact(build_tree(TiltedForThree(Fraction(t))), team=(1, 2)).value


def test_a_missing_patch_is_noticed(game_4):
    def undecided(patches):
        def find(point):
            return next((each for each in patches if point in each), None)

        return cover(game_4.game.box, find, generator=random.Random(8)).undecided

    assert undecided(game_4.patches) == []
    for missing in game_4.patches:
        left = undecided([each for each in game_4.patches if each is not missing])
        (p_low, p_high), (q_low, q_high) = missing.box
        area = sum((p[1] - p[0]) * (q[1] - q[0]) for p, q in left)
        assert area == (p_high - p_low) * (q_high - q_low)


def test_every_point_of_a_proved_box_is_in_a_patch():
    found = solve_parametric("kuhn_cheating(p=1/2,know=after)", over=("q", "r"), box={"r": (0, "1/4")})
    assert found.proved
    assert any(patch.conditions for patch in found.patches)
    generator = random.Random(7)
    for _ in range(200):
        point = random_point(generator, found.game.box)
        values = {patch.value.at(point) for patch in found.patches if point in patch}
        assert len(values) == 1


def test_the_answer_as_json(game_4):
    answer = json.loads(json.dumps(game_4.to_json()))
    assert answer["proved"] is True
    assert answer["parameters"] == ["p", "q"]
    first = answer["patches"][0]
    assert first["region"] == {"box": {"p": ["0", "1/3"], "q": ["0", "1/3"]}, "inequalities": []}
    point = {name: Fraction(value) for name, value in first["sample"]["point"].items()}
    assert eval(first["formula"].replace("/", "*Fraction(1)/"), {"Fraction": Fraction, **point}) == Fraction(
        first["sample"]["value"]
    )
    assert {"player", "infoset", "action", "weight"} == set(first["strategy"][0])


def test_a_time_limit_leaves_the_rest_undecided():
    found = solve_parametric("kuhn_cheating", over=("p", "q"), seconds=1e-9)
    assert not found.proved
    assert found.covered == 0
    assert len(found.undecided) == 1


def test_same_seed_same_answer():
    one, other = (solve_parametric("kuhn_cheating", over=("p",)).to_json() for _ in range(2))
    one.pop("seconds"), other.pop("seconds")
    assert one == other


@pytest.mark.parametrize(
    ("over", "box", "message"),
    [
        (("p",), {"p": (0, Fraction(3, 2))}, "p must be a probability from 0 to 1"),
        (("p",), {"p": (1, 0)}, "is reversed"),
        (("p",), {"p": (Fraction(1, 2), Fraction(1, 2))}, "is a single point"),
        (("p",), {"q": (0, 1)}, "does not vary"),
        (("p", "p"), {}, "named twice"),
        ((), {}, "at least one parameter"),
        (("ranks",), {}, "whole number"),
    ],
)
def test_bad_parameters_and_boxes(over, box, message):
    with pytest.raises(GameError, match=message):
        solve_parametric("kuhn_cheating", over=over, box=box)


def test_parameters_that_do_not_occur():
    with pytest.raises(UnknownNameError, match="has no parameter 'z'"):
        solve_parametric("kuhn_cheating", over=("z",))
    with pytest.raises(GameError, match="depends on t"):
        solve_parametric(lambda t: pennies(Fraction(1)), over=("t",))
    with pytest.raises(GameError, match="states p already"):
        solve_parametric("kuhn_cheating(p=1/2)", over=("p",))


def test_games_that_are_no_polynomials_or_change_their_shape():
    with pytest.raises(GameError, match="not a polynomial of degree 4 or less"):
        solve_parametric(lambda t: pennies(1 / (t + 1)), over=("t",))
    with pytest.raises(GameError, match="another shape"):
        solve_parametric(lambda t: matrix_game([[t] * (1 + int(3 * t))]), over=("t",))
    with pytest.raises(GameError, match="no fractions"):
        solve_parametric(lambda t: pennies(float(t) / 3 + 0.1), over=("t",))


def test_points_outside():
    found = solve_parametric(pennies, over=("t",), box={"t": (0, 1)})
    with pytest.raises(GameError, match="no patch holds t = 3"):
        found.value(t=3)
    with pytest.raises(GameError, match="a value for each of t"):
        found.value(p=3)


def test_recovered_numbers_are_the_games_at_other_points():
    game = recover("kuhn_cheating", ("p", "q", "r", "s"))
    point = (Fraction(1, 7), Fraction(2, 9), Fraction(3, 11), Fraction(4, 13))
    tree = game.tree_at(point)
    where = game.probability_number
    assert [evaluate(game.numbers[i], point) for i in where] == [
        tree.numbers[i] for i in tree.probability_number
    ]


def test_bernstein_coefficients_bound_a_polynomial():
    x, y = ring(("x", "y")).gens()
    polynomial = x**2 * y - x + y**3 / 2
    box = ((Fraction(-1), Fraction(2)), (Fraction(0), Fraction(3)))
    low, high = min(bernstein(polynomial, box).ravel()), max(bernstein(polynomial, box).ravel())
    generator = random.Random(5)
    values = [evaluate(polynomial, random_point(generator, box)) for _ in range(200)]
    assert low <= min(values) <= max(values) <= high
    assert bernstein(polynomial, box)[0, 0] == evaluate(polynomial, (Fraction(-1), Fraction(0)))


def test_signs_on_boxes():
    x, y = ring(("x", "y")).gens()
    unit = (UNIT, UNIT)
    assert sign_on(x + y, unit) == 1
    assert sign_on(x - 1, unit) == -1
    assert sign_on(x - y, unit) == 0
    assert sign_on((x - y) ** 2 + 1, unit) == 1
    assert sign_on(2 * x**2 - 2 * x + 1 + 0 * y, unit) == 1  # positive inside, equal at both ends


def test_sparse_elimination_solves_random_systems():
    context = ring(("x",))
    (x,) = context.gens()
    one, zero = context.constant(1), Ratio(context.constant(0), context.constant(1))
    generator = np.random.default_rng(6)
    for _ in range(10):
        entries = [[context.constant(int(generator.integers(-2, 3))) for _ in range(5)] for _ in range(5)]
        for i in range(5):
            entries[i][i] = entries[i][i] + x + 3 * i
        right = [Ratio(context.constant(int(each)), one) for each in generator.integers(-3, 4, size=5)]
        rows = [{j: Ratio(each, one) for j, each in enumerate(row) if not each.is_zero()} for row in entries]
        solution = solve_sparse(rows, right, zero)
        assert solution is not None
        for row, value in zip(rows, right, strict=True):
            left = value
            for j, entry in row.items():
                left = left.minus_product(entry, solution[j])
            assert left.num.is_zero()


def test_a_singular_system_has_no_solution():
    context = ring(("x",))
    one, zero = context.constant(1), Ratio(context.constant(0), context.constant(1))
    row = {0: Ratio(context.gens()[0], one), 1: Ratio(one, one)}
    assert solve_sparse([row, row], [zero, zero], zero) is None
