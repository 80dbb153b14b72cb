"""Kuhn poker with cheating and detection (Metzner and Zwillinger 2020), the games 1 to 5 of the paper.

Game 1 states nothing, game 2 states p, game 3 q, game 4 both, game 5 all of p, q, r and s. The rules of
cheating and detection are those of `maxmin.games.peeking`. Cards are numbered by rank: jack 1, queen 2, king 3;
with more ranks a cheater sees the other's card, and not those that nobody holds.
"""

from maxmin.games.kuhn_poker import KuhnPoker
from maxmin.games.parameters import Parameter, Value
from maxmin.games.peeking import CHEATING_PARAMETERS, Odds, Peeking


class KuhnCheating(Peeking):
    """Two-player Kuhn poker with cheating and detection."""

    family = "kuhn_cheating"
    parameters = (
        *CHEATING_PARAMETERS,
        Parameter("ranks", 3, "how many ranks, one card of each", least=2, most=1000),
    )

    def __init__(
        self,
        *,
        p: Odds = None,
        q: Odds = None,
        r: Odds = None,
        s: Odds = None,
        know: str = "before_hit",
        amount: str = "matched",
        draw: str = "both_caught",
        fold: str = "wins",
        announce: bool = False,
        ranks: int = 3,
    ) -> None:
        self.parameters[-1].check(self.family, ranks)
        options: dict[str, Value] = {
            "know": know,
            "amount": amount,
            "draw": draw,
            "fold": fold,
            "announce": announce,
            "sees": "all",
        }
        odds: dict[str, Odds] = {"p": p, "q": q, "r": r, "s": s}
        self._set_up(KuhnPoker(players=2, ranks=ranks), {"ranks": ranks}, odds, options)
