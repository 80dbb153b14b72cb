"""How much to run, and on which two-player games: the same for every package."""

from dataclasses import dataclass

PAPER_GAP = 2e-3
"""Zhang, Farina and Sandholm (ICML 2023) stop where gap / 2 is below 0.001 times the payoff range."""


@dataclass(frozen=True)
class Plan:
    """What a run measures: everything, or, if `quick`, only what takes seconds."""

    quick: bool

    @property
    def gaps(self) -> list[float]:
        """Relative gaps to time."""
        return [PAPER_GAP, 2e-4, 1e-4] if self.quick else [PAPER_GAP, 2e-4, 1e-4, 2e-5]

    @property
    def seconds(self) -> float:
        """CPU seconds after which a solver that has not come down to the smallest gap is stopped."""
        return 8.0 if self.quick else 150.0

    @property
    def kill_after(self) -> float:
        """Wall-clock seconds after which a row is killed."""
        return 60.0 if self.quick else 1500.0

    @property
    def repeats(self) -> int:
        """How often a brief row is measured; the middle one is kept."""
        return 1 if self.quick else 5


@dataclass(frozen=True)
class TwoPlayerGame:
    """A game that all packages know, under the name that each gives it.

    `payoff_range` is the largest minus the smallest payoff, in payoff units.
    """

    label: str
    maxmin: str
    openspiel: str
    payoff_range: float
    in_quick: bool = True


KUHN = TwoPlayerGame("Kuhn", "kuhn_poker(players=2)", "kuhn_poker", 4)
LEDUC = TwoPlayerGame("Leduc", "leduc_poker(players=2,bets=2,ranks=3,suits=2,suited=true)", "leduc_poker", 26)
DICE_5 = TwoPlayerGame(
    "liar's dice 5",
    "liars_dice(players=2,sides=5,order=count,wild=true)",
    "liars_dice(dice_sides=5)",
    2,
    in_quick=False,
)
DICE_6 = TwoPlayerGame(
    "liar's dice 6",
    "liars_dice(players=2,sides=6,order=count,wild=true)",
    "liars_dice",
    2,
    in_quick=False,
)
TWO_PLAYER_GAMES = (KUHN, LEDUC, DICE_5, DICE_6)
