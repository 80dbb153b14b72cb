"""``maxmin guts`` with real cards, and with games that are played out with chips."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from maxmin.cli.errors import INTERRUPTED
from maxmin.cli.output import count, duration, message, number, print_facts, print_json, print_table
from maxmin.cli.progress import Progress
from maxmin.errors import Cancelled

if TYPE_CHECKING:
    from maxmin.guts import CardSolution, GutsValue, Simulation

Games = Annotated[
    int | None,
    typer.Option("--simulate", metavar="GAMES", min=1, help="Also play so many whole games with chips."),
]
Seed = Annotated[int, typer.Option(min=0, help="Of --simulate; the same seed plays the same games.")]


@dataclass(frozen=True)
class Chips:
    """What ``--simulate`` asks for.

    Attributes
    ----------
    games : int or None
        None if nothing is to be played.
    seed : int
    quiet : bool
    """

    games: int | None
    seed: int
    quiet: bool

    def play(self, found: "GutsValue", outcome: str, **rules: Any) -> "Simulation | None":
        """Play games with the strategies of a solution, if both sides play; `rules` are those of `simulate`."""
        if self.games is None:
            return None
        if outcome != "entered":
            message(f"no games were played, for the outcome is: {outcome}", quiet=self.quiet)
            return None
        from maxmin.guts import simulate

        try:
            with Progress(f"playing {count(self.games)} games with chips", quiet=self.quiet):
                return simulate(found.player, found.coalition, games=self.games, seed=self.seed, **rules)
        except Cancelled:  # within the first games; the solution is still to be printed
            return None

    def finish(self, played: "Simulation | None", outcome: str) -> None:
        """End a command that was interrupted while it played."""
        games = 0 if played is None else played.games
        if self.games is not None and outcome == "entered" and games < self.games:
            message(f"interrupted after {count(games)} games", quiet=self.quiet)
            raise typer.Exit(INTERRUPTED)

    def to_json(self, played: "Simulation | None") -> dict[str, Any]:
        """Return the field that ``--simulate`` adds to the JSON of a solution; null if nothing was played."""
        return {} if self.games is None else {"simulation": None if played is None else played.to_json()}


def run_cards(
    cards: int, limits: dict[str, Any], rules: dict[str, Any], chips: Chips, *, as_json: bool
) -> None:
    """Solve guts with cards, play it if asked to, and print both.

    Parameters
    ----------
    cards
        Of a hand.
    limits, rules
        Other arguments of `maxmin.guts.solve_card_guts`: when to stop, and what is played.
    chips
        What to play.
    as_json
        Whether to print JSON.
    """
    from maxmin.guts import card_dealer, solve_card_guts

    with Progress(f"solving guts with {cards} cards", quiet=chips.quiet) as progress:
        solution = solve_card_guts(cards=cards, **limits, **rules, callback=progress.report)
    played = None
    if solution.stopped_by != "interrupt":
        deal = card_dealer(solution.deals)
        played = chips.play(
            solution.repeated, solution.outcome, deal=deal, ties=solution.ties, weenie=solution.weenie
        )
    if as_json:
        print_json({**solution.to_json(), **chips.to_json(played)})
    else:
        _print(solution)
        print_simulation(played, solution.repeated)
    if solution.stopped_by == "interrupt":
        message("interrupted: this is the best so far", quiet=chips.quiet)
        raise typer.Exit(INTERRUPTED)
    chips.finish(played, solution.outcome)


def print_simulation(played: "Simulation | None", found: "GutsValue") -> None:
    """Print what was won beside the value that was proved."""
    if played is None:
        return
    away = (played.mean - found.value) / played.standard_error if played.standard_error > 0 else 0.0
    error = f"{played.standard_error:.3g}" if math.isfinite(played.standard_error) else "unknown"
    facts = [
        ("mean", f"{number(played.mean)} antes to player 1's side, standard error {error}"),
        ("proved value", f"{number(found.value)}, {abs(away):.2f} standard errors away"),
        ("median of means", number(played.median_of_means)),
        ("rounds", f"{played.rounds:.3g} per game; the largest pot {count(round(played.largest_pot))} antes"),
        ("seed", str(played.seed)),
        ("time", duration(played.seconds)),
    ]
    if played.growth >= 1:
        facts.insert(
            1, ("variance", f"infinite: stakes grow {played.growth:.3g}-fold in mean square a round;")
        )
        facts.insert(2, ("", "the standard error means little, take the median of means"))
    if played.unfinished:
        facts.append(("unfinished", f"{count(played.unfinished)} games, broken off: their pots were shared"))
    print_facts(f"{count(played.games)} games with chips, antes first", facts)


def _print(solution: "CardSolution") -> None:
    rules = [f"{solution.cards} cards", f"ties: {solution.ties}"]
    rules += ["straights"] * solution.straights + ["weenie"] * solution.weenie
    print_facts(
        f"guts with real cards, 1 against 2, {', '.join(rules)}",
        [
            ("repeated value", in_words(solution.repeated)),
            ("outcome", solution.outcome),
            ("one-shot value", in_words(solution.one_shot)),
            ("any hands held", _gains(solution)),
            ("method", f"newton, {count(solution.iterations)} iterations"),
            (
                "pure strategies",
                "{rows:,} of player 1, {columns:,} of the coalition".format(**solution.sizes),
            ),
            ("time", duration(solution.seconds)),
        ],
    )
    print("Strategies of the repeated game: a player holds with this hand or a better one.")
    rows = []
    for side in ("player", "coalition"):
        for profile, weight in getattr(solution.repeated, side):
            hands = ", ".join(map(solution.hand, profile))
            drops = ", ".join(f"{threshold:.4f}" for threshold in profile)
            rows.append(("player 1" if side == "player" else side, f"{weight:.4%}", hands, drops))
    print_table(("side", "probability", "weakest hands held", "dropped"), rows, right=("probability",))


def _gains(solution: "CardSolution") -> str:
    player, coalition = solution.gain_of_player, solution.gain_of_coalition
    return f"player 1 could gain {player:.2g} antes a round, the coalition at most {coalition:.2g}"


def in_words(found: "GutsValue") -> str:
    """Write a value with its bounds."""
    return (
        f"{number(found.value)} antes to player 1, between {found.lower:.12g} and {found.upper:.12g}"
        f" (gap {found.upper - found.lower:.2g})"
    )
