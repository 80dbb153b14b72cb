"""The checks of one side: that its stored strategy is one, and that it proves the bound claimed for it."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from maxmin.errors import StrategyError
from maxmin.plans import Behavior, PlanMixture
from maxmin.tree import Floats, GameTree
from maxmin.verify.best_response import PROGRAM, Bound, best_response, exact_best_response
from maxmin.verify.claim import Explicit
from maxmin.verify.gains import LARGEST_EXACT, exact_team_gains, team_gains, team_payoffs
from maxmin.verify.report import Check, Status

ROUNDING = 1e-9
"""A claim may be better than what is recomputed by this much, relative to the team's payoff range."""

LAST_DIGITS = 1e-12
"""And by this much relative to its largest payoff: sums of large payoffs that differ little are not exact."""


@dataclass(frozen=True, eq=False)
class Side:
    """One side's stored strategy and the bound that it should prove.

    Attributes
    ----------
    name : str
        "team" or "opponent".
    tree : GameTree
    team : tuple of int
        Whose payoff it is about, for both sides.
    players, responders : tuple of int
        Who plays the strategy, and who responds.
    strategy : function that returns the strategy and the probability that it leaves out
        Raises `StrategyError` if what is stored is no strategy.
    bound : str
        "lower" or "upper".
    claimed : float
        The bound, payoff units.
    exact : Fraction or None
        The bound, where it is claimed exactly.
    """

    name: str
    tree: GameTree
    team: tuple[int, ...]
    players: tuple[int, ...]
    responders: tuple[int, ...]
    strategy: Explicit
    bound: str
    claimed: float
    exact: Fraction | None = None

    @property
    def sign(self) -> int:
        """What the responders' gains are, in terms of the team's payoff."""
        return -1 if self.bound == "lower" else 1

    @cached_property
    def payoff_range(self) -> float:
        """The team's largest minus its smallest payoff, of those that chance does not rule out."""
        return float(self._payoffs.max() - self._payoffs.min())

    @property
    def rounding(self) -> float:
        """By how much a claim may be better than what is recomputed, payoff units."""
        return ROUNDING * self.payoff_range + LAST_DIGITS * float(np.abs(self._payoffs).max())

    @cached_property
    def _payoffs(self) -> Floats:
        return team_payoffs(self.tree, self.team)[self.tree.chance_reach[self.tree.leaves] > 0]


@dataclass(frozen=True)
class Finding:
    """What was found about one side: its checks, and the bound that is proved, if any."""

    checks: tuple[Check, ...]
    proved: float | None


def check_side(side: Side, *, seconds: float) -> Finding:
    """Check one side's strategy, the bound that it should prove, and the same in exact arithmetic."""
    name, bound = f"strategy of the {side.name}", f"{side.bound} bound"
    try:
        strategy, rest = side.strategy()
        reach = strategy.leaf_reach(side.tree, players=side.players)
    except StrategyError as error:
        left_out = Check(bound, "not checked", f"there is no strategy of the {side.name}")
        return Finding((Check(name, "failed", str(error)), left_out), None)
    gains = side.sign * team_gains(side.tree, side.team, reach)
    found = best_response(side.tree, side.responders, gains, seconds=seconds)
    checks = (
        Check(name, "ok", _describe(strategy, rest)),
        _check_bound(side, found, rest),
        _check_exact(side, strategy, rest),
    )
    return Finding(checks, side.sign * found.value)


def _describe(strategy: Behavior | PlanMixture, rest: float) -> str:
    if isinstance(strategy, Behavior):
        return f"a distribution in each of {len(strategy.infosets)} infosets"
    words = f"{strategy.n_plans} joint pure plans; weights are a distribution, all plans fit the tree"
    if rest > ROUNDING:
        words += f"; they leave out {rest:.2%} of the strategy"
    return words


def _judge(side: Side, excess: float | Fraction, rest: float) -> Status:
    """Say whether a claim holds that is better than what is proved by `excess`; `rest` is an excuse, no proof."""
    allowed = side.rounding + min(rest, ROUNDING) * side.payoff_range
    if excess <= allowed:
        return "ok"
    return "not checked" if excess <= allowed + rest * side.payoff_range else "failed"


def _check_bound(side: Side, found: Bound, rest: float) -> Check:
    name = f"{side.bound} bound"
    proved, attained = side.sign * found.value, side.sign * found.attained
    response = f"the best response, by {found.method},"
    held = _judge(side, side.sign * (attained - side.claimed), rest)
    if held != "ok":
        detail = (
            f"claimed {side.claimed:.12g}, but a response brings the team to {attained:.12g} ({found.method})"
        )
        excuse = "; what the plans leave out may make up for it" if held == "not checked" else ""
        return Check(name, held, detail + excuse)
    if found.proved or _judge(side, side.sign * (proved - side.claimed), 0.0) == "ok":
        rounding = ", up to the solver's tolerance of 1e-6" if found.method == PROGRAM else ""
        detail = f"claimed {side.claimed:.12g}; {response} brings the team to {proved:.12g}{rounding}"
        return Check(name, "ok", detail)
    detail = (
        f"claimed {side.claimed:.12g}; {proved:.12g} is proved, and the best response found so far brings "
        f"the team to {attained:.12g} ({found.method}); give it more seconds"
    )
    return Check(name, "not checked", detail)


def _check_exact(side: Side, strategy: Behavior | PlanMixture, rest: float) -> Check:
    name = f"{side.bound} bound, exact arithmetic"
    if not side.tree.exact:
        return Check(name, "not checked", "the game has payoffs or probabilities that are not fractions")
    if side.tree.n_leaves > LARGEST_EXACT:
        return Check(name, "not checked", f"only done up to {LARGEST_EXACT} leaves")
    reach = strategy.exact_leaf_reach(side.tree, players=side.players)
    gains = side.sign * exact_team_gains(side.tree, side.team, reach)
    found = exact_best_response(side.tree, side.responders, gains)
    if found is None or found.exact is None:
        return Check(name, "not checked", "the responding team has too many plans to try them all")
    value = side.sign * found.exact
    detail = f"the best response, by {found.method}, brings the team to {in_words(value)}"
    if side.exact is None:
        return Check(name, _judge(side, side.sign * (value - Fraction(side.claimed)), rest), detail)
    if value == side.exact:
        return Check(name, "ok", f"{detail}, exactly the claimed value")
    return Check(name, "failed", detail)


def in_words(number: Fraction) -> str:
    """Write an exact number: as a fraction where that is short, else rounded and said so."""
    return str(number) if number.denominator < 10**9 else f"{float(number):.15g}, a fraction of full length"
