"""Tables III to VII: what player 1 wins with each deal, fair and with one cheat or two.

A cheat is known of ("adaptive": both sides play an optimal pair of the game with p or q = 1) or not
("non-adaptive": the other one plays its fair strategy, the cheat answers it). Optimal pairs are not unique, so
only the means of the adaptive games are facts about the game; their deals belong to the pair that was found.
"""

from fractions import Fraction

from numpy.typing import NDArray

from maxmin.exact import solve_exact
from maxmin.non_adaptive import answer
from maxmin.sources import load_tree
from maxmin.studies.findings import Cell, Findings, Table
from maxmin.studies.kuhn_hands import DEALS, FAIR, behavior, fair_player_1, fair_player_2, name_of, winnings
from maxmin.tree import GameTree

QUOTED = {
    "fair": FAIR,
    "player 1 cheats, not known of": Fraction(7, 18),
    "player 1 cheats, known of": Fraction(2, 18),
    "player 2 cheats, not known of": Fraction(-12, 18),
    "player 2 cheats, known of": Fraction(-2, 18),
    "both cheat, known of": Fraction(0),
}
"""The paper's figures; those with cheats as a public summary of the paper quotes them."""


def find() -> Findings:
    """Compute all rows exactly."""
    rows = tuple(
        row
        for row in (
            _fair(),
            _player_1_unknown(),
            _known("player 1 cheats, known of", p=1),
            *(_player_2_unknown(Fraction(a)) for a in ("0", "1/6", "1/3")),
            _known("player 2 cheats, known of", q=1),
            _known("both cheat, known of", p=1, q=1),
        )
    )
    columns = ("game", *DEALS, "mean", "cheat gains", "paper's mean")
    return Findings(
        tables=(Table("winnings", "What player 1 wins, by deal (player 1's card first)", columns, rows),),
        notes=(
            "The paper's figures for cheats are quoted from a public summary of it.",
            "A cheat that is not known of wins player 1 a mean of 6/18; the gain over the fair game is the 7/18.",
            "A cheat that is not known of wins player 2 a mean of 4/18 whatever a is, a gain of 3/18; 12/18 was "
            "not found in any reading.",
            "Deals of the games in which the cheat is known of are those of one optimal pair; others differ.",
        ),
    )


def _row(game: str, deals: dict[str, Fraction], cheat: int, quoted: str | None = None) -> tuple[Cell, ...]:
    mean = sum(deals.values()) / len(deals)
    gain = None if not cheat else (mean - FAIR) * (1 if cheat == 1 else -1)
    return game, *deals.values(), mean, gain, QUOTED[quoted or game]


def _fair() -> tuple[Cell, ...]:
    tree = load_tree("kuhn_cheating")
    return _row("fair", winnings(tree, _fair_reach(tree, 1), _fair_reach(tree, 2)), cheat=0)


def _fair_reach(tree: GameTree, player: int, a: Fraction = Fraction(0)) -> NDArray:  # type: ignore[type-arg]
    table = fair_player_1(a) if player == 1 else fair_player_2()
    return behavior(tree, player, table).exact_leaf_reach(tree, players=(player,))


def _player_1_unknown() -> tuple[Cell, ...]:
    tree = load_tree(name_of(p=1))
    _, plan = answer(tree, 1, behavior(tree, 2, fair_player_2()))
    reach = plan.exact_leaf_reach(tree, players=(1,))
    return _row("player 1 cheats, not known of", winnings(tree, reach, _fair_reach(tree, 2)), cheat=1)


def _player_2_unknown(a: Fraction) -> tuple[Cell, ...]:
    tree = load_tree(name_of(q=1))
    _, plan = answer(tree, 2, behavior(tree, 1, fair_player_1(a)))
    reach = plan.exact_leaf_reach(tree, players=(2,))
    game = "player 2 cheats, not known of"
    return _row(f"{game}, a = {a}", winnings(tree, _fair_reach(tree, 1, a), reach), 2, quoted=game)


def _known(game: str, **odds: int) -> tuple[Cell, ...]:
    tree = load_tree(name_of(**odds))
    solved = solve_exact(tree)
    reach = [
        strategy.exact_leaf_reach(tree, players=(player,))
        for player, strategy in ((1, solved.team), (2, solved.opponent))
    ]
    cheat = 0 if len(odds) == 2 else 1 if "p" in odds else 2
    return _row(game, winnings(tree, *reach), cheat)
