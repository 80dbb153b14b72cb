"""Team games made from a formula: as hard as the formula, with answers that are known.

`Satisfiability`, after Koller and Megiddo 1992 and Chu and Halpern 2001, who show by games of this kind that it is
NP-hard to find the best plan of players with a common aim. A clause is drawn; player 1 sees it and points at one of
its literals; player 2 sees the literal's variable, not its sign nor the clause, and says whether it is true. They
win 1 from player 3 if that makes the literal true. Player 2's plan is an assignment, and player 1 points at a true
literal if there is one, so the team wins as often as clauses can be true at once: always if and only if the formula
is satisfiable. With ``picks=opponent`` player 3 picks the clause, unseen by player 2.

`QuantifiedSatisfiability` has a second team, and "for all x there are y such that" before the clauses. To tell what
two teams are worth is complete for the class Delta-2 of the polynomial hierarchy if members may draw together, and
for Sigma-2 if they randomize on their own (Zhang, Farina and Sandholm, arXiv 2605.01841; this game is our own). A
clause is drawn; player 3 sees it and points at a literal; player 1 says its truth if it is universal, else
player 4; both see the variable only. The team {1, 2} counts a point if the literal is false. Besides clauses tests
are drawn, one for each universal variable: players 1 and 2 are both asked for it, and lose a point for each clause
in which it occurs if they disagree. Cases are equally likely, and payoffs are points times the number of cases.

Player 1 cannot tell a test from a clause. So members who randomize on their own gain nothing by that: against the
best answer, what the team counts is concave in player 1's probabilities, and no steeper in each of them than the
clauses in which the variable occurs, which is what the test takes. Their value, the TME, is therefore the number of
clauses that "for all" keeps false whatever "there are" answers: 0 if and only if the formula is true. Members who
draw together pass the tests and can hide x all the same; their value, the TMECor, may be more.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from maxmin.errors import GameError
from maxmin.game import CHANCE, OVER
from maxmin.games.clauses import Formula, make_formula, random_formula
from maxmin.games.parameters import Parameter, Value, canonical_name, check_size

TRUTHS = ("false", "true")
_HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Clauses(Parameter):
    """Clauses as text, or the path of a file."""

    @property
    def accepts(self) -> str:
        """Say in words which values are accepted."""
        return "clauses, such as 1 -2 / 2 3, or the path of a DIMACS file"

    def parse(self, text: str) -> Value:
        """Leave the text as it is."""
        return text

    def check(self, family: str, value: object) -> None:
        """Raise a `GameError` if `value` is neither a text nor None."""
        if not (value is None or isinstance(value, str)):
            raise GameError(f"{family}: {self.name} must be {self.accepts}, not {value!r}")


_FORMULA = Clauses("formula", None, "the clauses (default: random ones)")
_RANDOM = (
    Parameter("variables", 4, "how many variables random clauses have", least=1, most=1000),
    Parameter("clauses", 8, "how many random clauses", least=1, most=10_000),
    Parameter("literals", 2, "how many literals each random clause has", least=1, most=10),
    Parameter("seed", 0, "what random clauses are drawn from", least=0, most=2**63 - 1),
    Parameter("planted", False, "whether random clauses can all be true", choices=(False, True)),
)


class Asked(NamedTuple):
    """A state: the clause or the tested variable (None before it is known), the literal pointed at, the answers."""

    clause: int | None = None
    test: int | None = None
    literal: int | None = None
    answers: tuple[str, ...] = ()


def _make(
    family: str, formula: str | None, drawn: tuple[int, int, int, int, bool], option: Parameter, value: Value
) -> tuple[str, Formula]:
    """Return the full name of a game, and its formula, given or drawn with the numbers of `_RANDOM`."""
    if formula is not None:
        for parameter, number in zip(_RANDOM, drawn, strict=True):
            if number != parameter.default:
                raise GameError(f"{family}: give a formula or {parameter.name} of a random one, not both")
        name = canonical_name(family, (_FORMULA, option), {"formula": formula, option.name: value})
        return name, make_formula(formula)
    numbers = {parameter.name: number for parameter, number in zip(_RANDOM, drawn, strict=True)}
    name = canonical_name(family, (*_RANDOM, option), {**numbers, option.name: value})
    variables, clauses, literals, seed, planted = drawn
    if literals > variables:
        raise GameError(f"{name}: literals must be at most variables, {variables}: they are different ones")
    check_size(name, 2 * clauses * literals)
    return name, random_formula(
        variables=variables, clauses=clauses, literals=literals, seed=seed, planted=planted
    )


class Satisfiability:
    """A team {1, 2} that has to make a clause true, without talking; see the head of this file."""

    family = "satisfiability"
    players = 3
    team = (1, 2)
    parameters: tuple[Parameter, ...] = (
        _FORMULA,
        *_RANDOM,
        Parameter("picks", "chance", "who picks the clause", choices=("chance", "opponent")),
    )

    def __init__(
        self,
        *,
        formula: str | None = None,
        variables: int = 4,
        clauses: int = 8,
        literals: int = 2,
        seed: int = 0,
        planted: bool = False,
        picks: str = "chance",
    ) -> None:
        drawn = (variables, clauses, literals, seed, planted)
        self.name, self.formula = _make(self.family, formula, drawn, self.parameters[-1], picks)
        self._clauses = {_clause(number): number for number in range(len(self.formula.clauses))}
        self._picker = CHANCE if picks == "chance" else 3
        check_size(self.name, 2 * sum(map(len, self.formula.clauses)))

    @property
    def value(self) -> Fraction | None:
        """What the team wins: 1 if the formula is satisfiable; None if that is not known without a solver.

        Raises
        ------
        SizeError
            If there are too many variables to try all assignments.
        """
        most, clauses = self.formula.most_satisfied(), len(self.formula.clauses)
        return Fraction(most, clauses) if most == clauses or self._picker == CHANCE else None

    def root(self) -> Asked:
        """Return the state before a clause is picked."""
        return Asked()

    def turn(self, state: Asked) -> int:
        """Pick a clause, point at a literal, say whether it is true."""
        if state.clause is None:
            return self._picker
        if state.literal is None:
            return 1
        return OVER if state.answers else 2

    def actions(self, state: Asked) -> Sequence[str]:
        """Name the clauses, the literals of the clause, or the truth values."""
        if state.clause is None:
            return list(self._clauses)
        return TRUTHS if state.literal is not None else list(map(str, self.formula.clauses[state.clause]))

    def chance(self, state: Asked) -> Sequence[tuple[str, Fraction]]:
        """Name the clauses, equally likely."""
        odds = Fraction(1, len(self._clauses))
        return [(name, odds) for name in self._clauses]

    def child(self, state: Asked, action: str) -> Asked:
        """Add what was picked, pointed at or said."""
        if action not in (self._clauses if state.clause is None else self.actions(state)):
            raise GameError(f"{self.name}: there is no move {action!r}")
        if state.clause is None:
            return Asked(clause=self._clauses[action])
        if state.literal is None:
            return state._replace(literal=int(action))
        return state._replace(answers=(action,))

    def infoset(self, state: Asked) -> str:
        """Tell player 1 the clause, player 2 the variable."""
        if state.clause is None:
            return "pick"
        return _clause(state.clause) if state.literal is None else f"x{abs(state.literal)}"

    def payoffs(self, state: Asked) -> Sequence[Fraction | int]:
        """Pay the team, half each, for a true literal."""
        return (_HALF, _HALF, -1) if _is_true(state) else (0, 0, 0)


class QuantifiedSatisfiability:
    """A team {1, 2} that holds "for all" against {3, 4}, who hold "there are"; see the head of this file."""

    family = "quantified_satisfiability"
    players = 4
    team = (1, 2)
    parameters: tuple[Parameter, ...] = (
        _FORMULA,
        *_RANDOM,
        Parameter(
            "universal", 0, "so many first variables are for all (0: as a file says, or half)", most=1000
        ),
    )

    def __init__(
        self,
        *,
        formula: str | None = None,
        variables: int = 4,
        clauses: int = 8,
        literals: int = 2,
        seed: int = 0,
        planted: bool = False,
        universal: int = 0,
    ) -> None:
        drawn = (variables, clauses, literals, seed, planted)
        self.name, found = _make(self.family, formula, drawn, self.parameters[-1], universal)
        held = found.universal
        if held is None:
            held = frozenset(range(1, (universal or max(found.variables) // 2) + 1))
        elif universal:
            raise GameError(f"{self.name}: the file says which variables are universal")
        self.universal = held & set(found.variables)
        self.formula = Formula(found.clauses, self.universal)
        tests = sorted(self.universal)
        check_size(self.name, 2 * sum(map(len, found.clauses)) + 4 * len(tests))
        self._cases = {_clause(number): Asked(clause=number) for number in range(len(found.clauses))}
        self._cases |= {f"test x{variable}": Asked(test=variable) for variable in tests}
        self._occurs = Counter(variable for clause in found.clauses for variable in set(map(abs, clause)))

    @property
    def tme(self) -> int:
        """What members who randomize on their own can guarantee: 0 if the formula is true.

        Raises
        ------
        SizeError
            If there are too many variables to try all assignments.
        """
        return self.formula.surely_false()

    def root(self) -> Asked:
        """Return the state before a case is drawn."""
        return Asked()

    def turn(self, state: Asked) -> int:
        """Draw a case; point and answer, or answer twice."""
        if state.test is not None:
            return (1, 2, OVER)[len(state.answers)]
        if state.clause is None:
            return CHANCE
        if state.literal is None:
            return 3
        if state.answers:
            return OVER
        return 1 if abs(state.literal) in self.universal else 4

    def actions(self, state: Asked) -> Sequence[str]:
        """Name the literals of the clause, or the truth values."""
        if state.clause is not None and state.literal is None:
            return list(map(str, self.formula.clauses[state.clause]))
        return TRUTHS

    def chance(self, state: Asked) -> Sequence[tuple[str, Fraction]]:
        """Name the clauses and the tests, equally likely."""
        odds = Fraction(1, len(self._cases))
        return [(name, odds) for name in self._cases]

    def child(self, state: Asked, action: str) -> Asked:
        """Add what was drawn, pointed at or said."""
        if state == Asked():
            if action not in self._cases:
                raise GameError(f"{self.name}: there is no case {action!r}")
            return self._cases[action]
        if action not in self.actions(state):
            raise GameError(f"{self.name}: there is no move {action!r}")
        if state.test is None and state.literal is None:
            return state._replace(literal=int(action))
        return state._replace(answers=(*state.answers, action))

    def infoset(self, state: Asked) -> str:
        """Tell player 3 the clause, everybody else the variable."""
        if state.test is not None:
            return f"x{state.test}"
        assert state.clause is not None
        return _clause(state.clause) if state.literal is None else f"x{abs(state.literal)}"

    def payoffs(self, state: Asked) -> Sequence[Fraction | int]:
        """Pay for a false literal; fine members who disagree. Both teams share equally."""
        if state.test is None:
            points = int(not _is_true(state))
        else:
            agree = state.answers[0] == state.answers[1]
            points = 0 if agree else -self._occurs[state.test]
        each = Fraction(len(self._cases) * points, 2)
        return (each, each, -each, -each)


def _clause(number: int) -> str:
    return f"clause {number + 1}"


def _is_true(state: Asked) -> bool:
    assert state.literal is not None
    return (state.answers[-1] == "true") == (state.literal > 0)
