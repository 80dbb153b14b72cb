"""The claims of the paper, the readings under which each holds, and the exact figures that decide it."""

from collections.abc import Iterator
from fractions import Fraction

from maxmin.exact.parametric import solve_parametric
from maxmin.non_adaptive import answer
from maxmin.sources import load_tree
from maxmin.studies.cheating_detection import CASES
from maxmin.studies.findings import Cell, Findings, Table
from maxmin.studies.kuhn_hands import FAIR, behavior, fair_player_1, fair_player_2, name_of, value

_COLUMNS = ("claim", "reading", "holds", "our exact figures")
_NINE_TENTHS = Fraction(9, 10)
_HALF = Fraction(1, 2)
_SCENARIOS: tuple[tuple[str, dict[str, object], dict[str, object]], ...] = (
    ("only the other cheats, always", {"q": 1}, {"p": 1}),
    ("only the other cheats, half of the time", {"q": _HALF}, {"p": _HALF}),
    ("both cheat half of the time", {"p": _HALF, "q": _HALF}, {"p": _HALF, "q": _HALF}),
)
"""Who cheats: where player 1 checks, and where player 2 does."""

_CHECKS = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(1))


def find() -> Findings:
    """Decide every claim."""
    rows = (*_fair(), *_surface(), *_adaptive(), *_non_adaptive(), *_detection())
    return Findings(
        tables=(Table("claims", "Claims of the paper", _COLUMNS, rows),),
        notes=(
            "Readings are named by the options of kuhn_cheating; claims without detection have one reading only.",
            "A gain is what a player gets more than in the fair game, on average over the deals.",
            "All figures are exact, each with strategies of both sides that prove it.",
        ),
    )


def _row(claim: str, reading: str, holds: bool, figures: str) -> tuple[Cell, ...]:
    return claim, reading, "yes" if holds else "no", figures


def _fair() -> Iterator[tuple[Cell, ...]]:
    found = value("kuhn_cheating")
    yield _row("the fair game is worth -1/18 to player 1", "-", found == FAIR, str(found))
    tree = load_tree("kuhn_cheating")
    left, _ = answer(tree, 2, behavior(tree, 1, fair_player_1(Fraction(0))))
    yield _row("the strategy with a = 0 is optimal", "-", -left == FAIR, f"it guarantees {-left}")


def _surface() -> Iterator[tuple[Cell, ...]]:
    solved = solve_parametric("kuhn_cheating", over=("p", "q"))
    boxes = {patch.box for patch in solved.patches}
    bilinear = all(
        not patch.conditions and patch.value.den.is_one() and max(patch.value.num.degrees()) <= 1
        for patch in solved.patches
    )
    yield _row(
        "the surface consists of several bilinear patches",
        "-",
        bilinear and solved.proved and len(boxes) > 1,
        f"{len(boxes)} rectangles with {len(solved.formulas)} formulas, proved to cover the square",
    )
    flat = {patch.box for patch in solved.patches if str(patch.value) == "0"}
    both = solved.value(p=_NINE_TENTHS, q=_NINE_TENTHS)
    where = "; ".join(f"p from {p[0]} to {p[1]}, q from {q[0]} to {q[1]}" for p, q in sorted(flat))
    yield _row("flat and 0 where both cheat often (90 %)", "-", both == 0, f"0 for {where}")


def _adaptive() -> Iterator[tuple[Cell, ...]]:
    first, second = value(name_of(p=1)) - FAIR, FAIR - value(name_of(q=1))
    figures = f"player 1 gains {first}, player 2 gains {second}"
    yield _row("adaptive: player 1 gains more by cheating", "cheats known of", first > second, figures)


def _non_adaptive() -> Iterator[tuple[Cell, ...]]:
    claim = "non-adaptive: player 2 gains more by cheating"
    tree_1, tree_2 = load_tree(name_of(p=1)), load_tree(name_of(q=1))
    first = answer(tree_1, 1, behavior(tree_1, 2, fair_player_2()))[0] - FAIR
    for a in map(Fraction, ("0", "1/6", "1/3")):
        second = answer(tree_2, 2, behavior(tree_2, 1, fair_player_1(a)))[0] + FAIR
        figures = f"player 1 gains {first}, player 2 gains {second}"
        yield _row(claim, f"cheats not known of, a = {a}", second > first, figures)


def _detection() -> Iterator[tuple[Cell, ...]]:
    """Compare what checking with the same probability is worth to each, when both always cheat."""
    for case, options in CASES.items():
        ours = [value(name_of(p=1, q=1, r=x, s=0, **options)) for x in _CHECKS]
        theirs = [-value(name_of(p=1, q=1, r=0, s=x, **options)) for x in _CHECKS]
        figures = _pairs(ours, theirs)
        more = all(one > other for one, other in zip(ours, theirs, strict=True))
        yield _row("player 1 gains more by detecting (both always cheat)", case, more, figures)
    for case in ("before_hit, matched", "after, matched"):
        options = CASES[case]
        for who, one, other in _SCENARIOS:
            ours = [value(name_of(**one, r=x, **options)) - value(name_of(**one)) for x in _CHECKS]
            theirs = [value(name_of(**other)) - value(name_of(**other, s=x, **options)) for x in _CHECKS]
            more = all(gain > rival for gain, rival in zip(ours, theirs, strict=True))
            claim = f"player 1 gains more by detecting ({who})"
            yield _row(claim, case, more, _pairs(ours, theirs))


def _pairs(ours: list[Fraction], theirs: list[Fraction]) -> str:
    return "; ".join(
        f"with {x}: {one} and {other}" for x, one, other in zip(_CHECKS, ours, theirs, strict=True)
    )
