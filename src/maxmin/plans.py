"""Strategies written out on the tree: `Behavior` (infoset by infoset) and `PlanMixture` (weighted plans).

A `Behavior` randomizes at each infoset on its own, so a team that plays one does not coordinate. A
`PlanMixture` draws one joint pure plan for all members before play. This is what a team can do that may agree
beforehand but not talk: no plan looks at anything but a member's own infosets. By Kuhn's theorem (1953) both
say the same for one player of perfect recall. `maxmin.strategy_files` reads and writes them as JSON.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from maxmin.errors import StrategyError
from maxmin.sequences import Sequences, infosets_of, sequences
from maxmin.tree import Floats, GameTree, Ints

UNREACHED = -1
"""In a plan: the infoset that the plan itself never reaches, so it says nothing there."""

ROUNDING = 1e-6
"""Probabilities that miss 1 by no more than this are scaled."""

_LAST_ACTION = np.iinfo(np.int16).max

_CHUNK = 1 << 22
"""How many (sequence, plan) pairs are worked on at a time; bytes, as each is a bool."""


@dataclass(frozen=True, eq=False)
class Behavior:
    """A behavior strategy of a player, or of players who each randomize on their own.

    Attributes
    ----------
    infosets : (m,) int32
        The infosets that it speaks of, ascending. Others must never be reached under it.
    probabilities : (m, most_actions) float64, or object holding Fraction where known exactly
        A distribution per infoset; columns beyond an infoset's actions are 0. A row that misses 1 by rounding
        (up to 1e-6) is scaled.

    Raises
    ------
    StrategyError
        If shapes do not match, infosets repeat, or a row is not a distribution.
    """

    infosets: Ints
    probabilities: NDArray[Any]

    def __post_init__(self) -> None:
        infosets, order = _sorted_infosets(self.infosets)
        probabilities = _numbers(self.probabilities)
        if probabilities.ndim != 2 or len(probabilities) != len(infosets):
            raise StrategyError(
                f"probabilities have shape {probabilities.shape}; "
                f"expected a row for each of {len(infosets)} infosets"
            )
        rows = [_distribution(probabilities[row], f"infoset {infosets[row]}") for row in order.tolist()]
        object.__setattr__(self, "infosets", infosets[order])
        object.__setattr__(self, "probabilities", np.array(rows).reshape(probabilities.shape))

    def leaf_reach(self, tree: GameTree, *, players: Iterable[int] | None = None) -> Floats:
        """Return the probability that the side plays all its actions towards each leaf.

        Parameters
        ----------
        tree
            The game.
        players
            Who plays this; the strategy must say what to do wherever it takes them.
            Default: the owners of `infosets`.

        Returns
        -------
        (n_leaves,) float64

        Raises
        ------
        StrategyError
            If the strategy does not fit the tree, or says nothing at an infoset that it reaches.
        """
        return self._reach(tree, players, self.probabilities.astype(np.float64))

    def exact_leaf_reach(self, tree: GameTree, *, players: Iterable[int] | None = None) -> NDArray[Any]:
        """Return `leaf_reach` as Fractions, (n_leaves,) object.

        Floats count as the binary fractions that they are; the largest of each row makes up for rounding, so that
        it sums to exactly 1.
        """
        exact = _fractions(self.probabilities)
        if len(exact):
            # Scaling each row instead would give each its own denominator, and reach their products.
            exact[np.arange(len(exact)), exact.argmax(axis=1)] += 1 - exact.sum(axis=1)
        return self._reach(tree, players, exact)

    def _reach(self, tree: GameTree, players: Iterable[int] | None, odds: NDArray[Any]) -> NDArray[Any]:
        side, position = _fit(tree, self.infosets, players)
        self._check_actions(tree)
        reach = np.ones(side.n_sequences, dtype=odds.dtype)
        reach[0] = Fraction(1) if odds.dtype == object else 1.0
        for start, stop in _levels(side):
            above = reach[side.parent[start:stop]]
            row = position[side.column[start:stop]]
            _check_covered(tree, side, start, (row < 0) & (above != 0))
            reach[start:stop] = above * odds[row, side.action[start:stop]] if len(odds) else 0 * above
        return reach[side.leaf]

    def _check_actions(self, tree: GameTree) -> None:
        n_actions = tree.infoset_n_actions[self.infosets]
        if self.probabilities.shape[1] < int(n_actions.max(initial=0)):
            raise StrategyError(
                f"the strategy has {self.probabilities.shape[1]} columns of probabilities; "
                f"an infoset has {n_actions.max()} actions"
            )
        beyond = np.arange(self.probabilities.shape[1]) >= n_actions[:, None]
        wrong = np.flatnonzero(((self.probabilities != 0) & beyond).any(axis=1))
        if len(wrong):
            where = infoset_in_words(tree, int(self.infosets[wrong[0]]))
            raise StrategyError(f"{where} has {n_actions[wrong[0]]} actions; the strategy plays a later one")


@dataclass(frozen=True, eq=False)
class PlanMixture:
    """A distribution over joint pure plans of a side, drawn before play: a correlated strategy.

    Attributes
    ----------
    infosets : (m,) int32
        The side's infosets, of all members, ascending. Others must never be reached under any plan.
    plans : (k, m) int16
        The action of each plan at each infoset; -1 where the plan never gets.
    weights : (k,) float64, or object holding Fraction where known exactly
        The probability of each plan. A sum that misses 1 by rounding (up to 1e-6) is scaled.

    Raises
    ------
    StrategyError
        If shapes do not match, infosets repeat, or the weights are not a distribution.
    """

    infosets: Ints
    plans: NDArray[np.int16]
    weights: NDArray[Any]

    def __post_init__(self) -> None:
        infosets, order = _sorted_infosets(self.infosets)
        plans = np.asarray(self.plans)
        weights = _numbers(self.weights)
        if plans.size and (
            plans.dtype.kind not in "iu" or plans.max() > _LAST_ACTION or plans.min() < UNREACHED
        ):
            raise StrategyError(f"plans must hold actions, whole numbers from 0 to {_LAST_ACTION}, or -1")
        if plans.ndim != 2 or plans.shape != (len(weights), len(infosets)) or weights.ndim != 1:
            raise StrategyError(
                f"plans have shape {plans.shape}, weights {weights.shape}; "
                f"expected a row for each weight, and a column for each of {len(infosets)} infosets"
            )
        object.__setattr__(self, "infosets", infosets[order])
        object.__setattr__(self, "plans", plans[:, order].astype(np.int16))
        object.__setattr__(self, "weights", _distribution(weights, "the weights of the plans"))

    @cached_property
    def n_plans(self) -> int:
        """How many plans there are."""
        return len(self.weights)

    def leaf_reach(self, tree: GameTree, *, players: Iterable[int] | None = None) -> Floats:
        """Return the probability that the side plays all its actions towards each leaf.

        Parameters
        ----------
        tree
            The game.
        players
            Who plays this; the strategy must say what to do wherever it takes them.
            Default: the owners of `infosets`.

        Returns
        -------
        (n_leaves,) float64

        Raises
        ------
        StrategyError
            If the plans do not fit the tree, or one says nothing at an infoset that it reaches.
        """
        return self._reach(tree, players, self.weights.astype(np.float64))

    def exact_leaf_reach(self, tree: GameTree, *, players: Iterable[int] | None = None) -> NDArray[Any]:
        """Return `leaf_reach` as Fractions, (n_leaves,) object.

        Floats count as the binary fractions that they are; the weights are then scaled to sum to exactly 1.
        """
        weights = _fractions(self.weights)
        denominator = lcm(*(weight.denominator for weight in weights))
        whole = np.array([int(weight * denominator) for weight in weights], dtype=object)
        total = sum(whole)
        reach = self._reach(tree, players, whole)
        distinct = {number: Fraction(number, total) for number in set(reach.tolist())}
        return np.array([distinct[number] for number in reach.tolist()], dtype=object)

    def _reach(self, tree: GameTree, players: Iterable[int] | None, weights: NDArray[Any]) -> NDArray[Any]:
        side, position = _fit(tree, self.infosets, players)
        self._check_actions(tree)
        total = np.zeros(side.n_sequences, dtype=weights.dtype)
        size = max(1, _CHUNK // side.n_sequences)
        for first in range(0, self.n_plans, size):
            chunk = slice(first, first + size)
            played = self._played(tree, side, position, chunk)
            if weights.dtype == object:
                sequence, plan = np.nonzero(played)
                np.add.at(total, sequence, weights[chunk][plan])
            else:
                total += played @ weights[chunk]
        return total[side.leaf]

    def _played(
        self, tree: GameTree, side: Sequences, position: NDArray[np.int64], chunk: slice
    ) -> NDArray[np.bool_]:
        """Say which sequences each plan of a chunk plays: (n_sequences, n) bool."""
        choice = np.full((len(side.infosets), len(self.plans[chunk])), UNREACHED, dtype=np.int16)
        choice[position >= 0] = self.plans[chunk].T[position[position >= 0]]
        played = np.ones((side.n_sequences, choice.shape[1]), dtype=bool)
        for start, stop in _levels(side):
            above = played[side.parent[start:stop]]
            chosen = choice[side.column[start:stop]]
            silent = above & (chosen == UNREACHED)
            if silent.any():
                plan = chunk.start + int(np.flatnonzero(silent.any(axis=0))[0])
                _check_covered(tree, side, start, silent.any(axis=1), f"plan {plan} (counting from 0)")
            played[start:stop] = above & (chosen == side.action[start:stop, None])
        return played

    def _check_actions(self, tree: GameTree) -> None:
        n_actions = tree.infoset_n_actions[self.infosets]
        wrong = np.argwhere(self.plans >= n_actions)
        if len(wrong):
            plan, column = wrong[0].tolist()
            where = infoset_in_words(tree, int(self.infosets[column]))
            raise StrategyError(
                f"plan {plan} (counting from 0) plays action {self.plans[plan, column]} at {where}, "
                f"which has actions 0 to {n_actions[column] - 1}"
            )


def infoset_in_words(tree: GameTree, infoset: int) -> str:
    """Name an infoset in messages."""
    return f"player {tree.infoset_player[infoset]}'s infoset {tree.infoset_labels[infoset]!r}"


def _fit(
    tree: GameTree, infosets: Ints, players: Iterable[int] | None
) -> tuple[Sequences, NDArray[np.int64]]:
    """Return the side's sequences, and for each of its infosets the row of the strategy (-1: none)."""
    if len(infosets) and infosets[-1] >= tree.n_infosets:
        raise StrategyError(
            f"the strategy speaks of infoset {infosets[-1]}; {tree.name} has infosets 0 to "
            f"{tree.n_infosets - 1}: the strategy belongs to another game"
        )
    owners = set(tree.infoset_player[infosets].tolist())
    side = owners if players is None else set(players)
    if owners - side:
        stranger = next(int(one) for one in infosets if tree.infoset_player[one] not in side)
        raise StrategyError(
            f"the strategy speaks of {infoset_in_words(tree, stranger)}; it is for players {sorted(side)}"
        )
    found = sequences(tree, infosets_of(tree, side))
    position = np.full(len(found.infosets), -1, dtype=np.int64)
    position[np.searchsorted(found.infosets, infosets)] = np.arange(len(infosets))
    return found, position


def _check_covered(
    tree: GameTree, side: Sequences, start: int, silent: NDArray[np.bool_], who: str = "the strategy"
) -> None:
    if silent.any():
        infoset = int(side.infoset[start + int(np.flatnonzero(silent)[0])])
        raise StrategyError(
            f"{who} reaches {infoset_in_words(tree, infoset)} but does not say what to do there"
        )


def _levels(side: Sequences) -> Iterable[tuple[int, int]]:
    return zip(side.levels[1:-1].tolist(), side.levels[2:].tolist(), strict=True)


def _sorted_infosets(infosets: ArrayLike) -> tuple[Ints, NDArray[np.int64]]:
    numbers = np.asarray(infosets)
    if numbers.ndim != 1 or (numbers.size and numbers.dtype.kind not in "iu"):
        raise StrategyError(f"infosets must be a list of whole numbers, not {numbers.dtype} {numbers.shape}")
    order = np.argsort(numbers, kind="stable")
    ascending = numbers[order]
    if numbers.size and (ascending[0] < 0 or (ascending[1:] == ascending[:-1]).any()):
        raise StrategyError("infosets must be different numbers from 0 up")
    return numbers.astype(np.int32), order


def _numbers(values: ArrayLike) -> NDArray[Any]:
    array = np.asarray(values)
    if array.dtype.kind not in "iufO":
        raise StrategyError(f"probabilities must be numbers, not {array.dtype}")
    return array if array.dtype == object else array.astype(np.float64)


def _fractions(values: NDArray[Any]) -> NDArray[Any]:
    exact = np.empty(values.shape, dtype=object)
    exact.ravel()[:] = [Fraction(value) for value in values.ravel().tolist()]
    return exact


def _distribution(odds: NDArray[Any], what: str) -> NDArray[Any]:
    """Check that numbers are a distribution up to rounding, and scale them if they miss 1."""
    if not np.isfinite(odds.astype(np.float64)).all():
        raise StrategyError(f"{what}: a probability is not a finite number")
    if (odds < 0).any():
        raise StrategyError(f"{what}: a probability is negative ({float(odds.min()):.9g})")
    total = odds.sum()
    if abs(total - 1) > ROUNDING:
        raise StrategyError(f"{what}: probabilities sum to {float(total):.9g}, not 1")
    scaled: NDArray[Any] = odds if abs(total - 1) <= 1e-12 else odds / total
    return scaled
