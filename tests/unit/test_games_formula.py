"""Games made from formulas are worth what the formulas say, for all small formulas; DIMACS files are read."""

import itertools
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from reference.brute_force import LinearProgram, dag_value

from maxmin.build import build_tree
from maxmin.errors import FileError, FormatError, GameError, SizeError
from maxmin.game import check_game
from maxmin.games import make_game
from maxmin.games.clauses import Formula, make_formula, parse_dimacs
from maxmin.games.formula import QuantifiedSatisfiability, Satisfiability
from maxmin.properties import check_constant_sum, perfect_recall, timeable
from maxmin.solve import solve
from maxmin.tme import solve_tme

TEAM = (1, 2)
literals = st.integers(1, 3).flatmap(lambda variable: st.sampled_from((variable, -variable)))
formulas = st.lists(st.lists(literals, min_size=1, max_size=3, unique=True), min_size=1, max_size=4).map(
    lambda clauses: " / ".join(" ".join(map(str, clause)) for clause in clauses)
)


def assignments(formula):
    """List all assignments as dicts, and which clauses each makes true."""
    for values in itertools.product((False, True), repeat=len(formula.variables)):
        truth = dict(zip(formula.variables, values, strict=True))
        yield truth, [any(truth[abs(one)] == (one > 0) for one in clause) for clause in formula.clauses]


@given(formulas)
def test_a_team_wins_as_often_as_clauses_can_be_true(text):
    game = Satisfiability(formula=text)
    tree = build_tree(game)
    most = max(sum(true) for _, true in assignments(game.formula))
    assert game.value == Fraction(most, len(game.formula.clauses))
    assert solve(tree, team=TEAM, method="lp").value == pytest.approx(float(game.value), abs=1e-9)
    assert (game.value == 1) == any(all(true) for _, true in assignments(game.formula))


@given(formulas)
@settings(max_examples=20)
def test_against_an_opponent_who_picks_the_clause(text):
    game = Satisfiability(formula=text, picks="opponent")
    program = LinearProgram()
    worth = program.column(objective=1)
    found = list(assignments(game.formula))
    shares = [program.column() for _ in found]
    program.row(dict.fromkeys(shares, 1.0), 1, 1)
    for clause in range(len(game.formula.clauses)):
        program.row(
            {
                worth: -1.0,
                **{share: float(true[clause]) for share, (_, true) in zip(shares, found, strict=True)},
            },
            0,
        )
    value = program.maximum()
    assert solve(build_tree(game), team=TEAM, method="lp").value == pytest.approx(value, abs=1e-7)
    assert (value > 1 - 1e-9) == (game.value == 1)
    assert game.value in (1, None)


def drawn_together(formula):
    """Return what {1, 2} count at best: only how likely each universal variable is true matters (see the game)."""
    program = LinearProgram()
    worth = program.column(objective=1)
    truth = {variable: program.column() for variable in formula.universal}
    for variable in truth.values():
        program.row({variable: 1.0}, 0, 1)
    for answers in itertools.product((False, True), repeat=len(formula.variables)):
        answer = dict(zip(formula.variables, answers, strict=True))
        counted = {}
        for clause in formula.clauses:
            if any(one for one in clause if abs(one) not in truth and answer[abs(one)] == (one > 0)):
                continue
            false = program.column()
            program.row({false: -1.0}, -1)
            counted[false] = 1.0
            for one in clause:
                if abs(one) in truth:  # player 3 points at the literal that is most likely true
                    column = truth[abs(one)]
                    program.row({false: -1.0, column: -1.0 if one > 0 else 1.0}, -1.0 if one > 0 else 0.0)
        program.row({worth: -1.0, **counted}, 0)
    return program.maximum()


@given(formulas, st.integers(1, 3))
@example("1 2 / -1 -2", 1)  # true, but members who draw together hide x
@settings(max_examples=25)
def test_two_teams(text, universal):
    game = QuantifiedSatisfiability(formula=text, universal=universal)
    formula, tree = game.formula, build_tree(game)
    false: dict[tuple[bool, ...], list[int]] = {}
    for truth, true in assignments(formula):
        false.setdefault(tuple(truth[x] for x in sorted(formula.universal)), []).append(true.count(False))
    assert game.tme == max(map(min, false.values()))
    assert (game.tme == 0) == all(0 in counts for counts in false.values())
    together = drawn_together(formula)
    assert game.tme <= together + 1e-9
    assert solve(tree, team=TEAM, method="lp").value == pytest.approx(together, abs=1e-6)
    assert dag_value(tree, TEAM) == pytest.approx(together, abs=1e-6)


@pytest.mark.parametrize(
    ("text", "tme", "together"),
    [
        ("1 2 / -1 -2", 0, Fraction(1, 2)),
        ("1 3 / -1 -3 / 2 -3 / 1 2", 2, 2),
        ("1 2 / 1 -2 / -1 2 / -1 -2", 1, 1),
    ],
)
def test_members_on_their_own_get_what_the_formula_says(text, tme, together):
    game = QuantifiedSatisfiability(formula=text, universal=1 if "3" not in text else 2)
    found = solve_tme(build_tree(game), team=TEAM, gap=1e-6, seconds=2)
    assert game.tme == tme
    assert found.lower == pytest.approx(tme, abs=1e-6)
    assert found.lower <= tme + 1e-9 <= found.upper + 2e-9
    assert solve(build_tree(game), team=TEAM, method="lp").value == pytest.approx(float(together), abs=1e-7)


@pytest.mark.parametrize("family", ["satisfiability", "quantified_satisfiability"])
def test_games_are_games(family):
    for spec in (
        family,
        f"{family}(formula=1 -2 / 2 -2 / 3)",
        f"{family}(variables=5,clauses=9,literals=3,seed=2)",
    ):
        game = make_game(spec)
        check_game(game)
        tree = build_tree(game)
        assert make_game(game.name).formula == game.formula
        assert check_constant_sum(tree) == 0
        assert perfect_recall(tree)
        assert timeable(tree, (1, 2))


def test_planted_formulas_can_be_made_true():
    for seed in range(5):
        spec = f"satisfiability(variables=8,clauses=60,literals=3,seed={seed}"
        assert make_game(f"{spec},planted=true)").value == 1
    assert make_game(f"{spec})").value < 1


DIMACS = "c a comment\np cnf 3 2\n1 -3\n0 2 3\n-1 0\n"


def test_dimacs():
    assert parse_dimacs(DIMACS, "x") == Formula(((1, -3), (2, 3, -1)))
    assert parse_dimacs(f"{DIMACS}%\n0\n", "x") == parse_dimacs(DIMACS, "x")
    quantified = parse_dimacs("p cnf 3 1\na 1 2 0\ne 3 0\n1 3 0\n", "x")
    assert quantified == Formula(((1, 3),), frozenset({1, 2}))


def test_files(tmp_path):
    path = tmp_path / "small.cnf"
    path.write_text(DIMACS)
    game = make_game(f"satisfiability(formula={path})")
    assert game.formula == parse_dimacs(DIMACS, "x")
    assert make_game(game.name).formula == game.formula
    path.write_text("p cnf 3 1\na 1 2 0\ne 3 0\n1 3 0\n")
    game = make_game(f"quantified_satisfiability(formula={path})")
    assert game.formula.universal == {1}  # the other does not occur
    with pytest.raises(GameError, match="the file says which"):
        make_game(f"quantified_satisfiability(formula={path},universal=1)")
    path.write_text("p cnf 3 1\ne 1 2 3 0\n1 3 0\n")
    game = make_game(f"quantified_satisfiability(formula={path})")
    assert game.formula.universal == frozenset()  # as it says, not half of them
    with pytest.raises(FileError, match="nothing"):
        make_game("satisfiability(formula=nothing.cnf)")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("1 2 0", "1:1: clauses before"),
        ("c nothing", "1:1: there is no line p"),
        ("p cnf 2", "1:1: expected one line p"),
        ("p cnf 2 1\np cnf 2 1\n1 0", "2:1: expected one line p"),
        ("p cnf 0 1\n1 0", "1:1: variables must be"),
        ("p cnf 99999 1\n1 0", "1:1: variables must be"),
        ("p cnf 2 1\n1 x 0", "2:3: 'x' is not a literal"),
        ("p cnf 2 1\n1 3 0", "2:3: variable 3, but line p says 2"),
        ("p cnf 2 1\n1 2", "2:3: the last clause is not ended"),
        ("p cnf 2 2\n1 2 0", "2:5: 1 clauses, but line p says 2"),
        ("p cnf 2 2\n1 2 0\n0", "3:1: an empty clause"),
        ("p cnf 2 0\n", "1:1: a formula needs"),
        ("p cnf 2 1\ne 1 0\na 2 0\n1 0", "3:1: expected at most one line a"),
        ("p cnf 2 1\na 1 0\na 2 0\n1 0", "3:1: expected at most one line a"),
        ("p cnf 2 1\na 1 0\ne 1 0\n1 0", "3:5: a variable is quantified twice"),
        ("p cnf 2 1\na 1\n1 0", "2:3: line a must list"),
        ("p cnf 2 1\na\n1 0", "2:1: line a must list"),
    ],
)
def test_damaged_files_are_refused_with_the_place(text, place):
    with pytest.raises(FormatError, match=f"^f.cnf:{place}"):
        parse_dimacs(text, "f.cnf")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("satisfiability(formula=1 / / 2)", "clause 2 is empty"),
        ("satisfiability(formula=/)", "clause 1 is empty"),
        ("satisfiability(formula=1 0)", "variables must be from 1"),
        ("satisfiability(formula=1 -)", "cannot read the clauses"),
        ("satisfiability(formula=10001)", "variables must be from 1 to 10,000"),
        ("satisfiability(formula=1,seed=3)", "a formula or seed of a random one, not both"),
        ("satisfiability(formula=1,planted=true)", "not both"),
        ("satisfiability(literals=5)", "literals must be at most variables, 4"),
        ("satisfiability(picks=me)", "picks must be chance or opponent"),
        ("satisfiability(planted=1)", "planted must be false or true"),
        ("quantified_satisfiability(universal=-1)", "universal must be a whole number"),
    ],
)
def test_bad_parameters(spec, message):
    with pytest.raises(GameError, match=message):
        make_game(spec)


def test_bad_arguments():
    with pytest.raises(GameError, match="formula must be clauses"):
        Satisfiability(formula=7)
    with pytest.raises(GameError, match="at least one clause"):
        Formula(())
    with pytest.raises(SizeError, match="tried one by one"):
        make_formula(" / ".join(map(str, range(1, 30)))).most_satisfied()
    for game in (Satisfiability(), QuantifiedSatisfiability()):
        with pytest.raises(GameError, match="there is no"):
            game.child(game.root(), "up")
        state = game.child(game.root(), "clause 1")
        with pytest.raises(GameError, match="there is no move"):
            game.child(state, "up")
