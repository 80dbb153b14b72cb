"""`Strategy`: what a solver found for one side, restricted to what it plays; readable, drawable, writable as plans.

It is a small DAG: in each belief a distribution over prescriptions, each with the moves it makes (infoset and
action) and the beliefs that may follow. Members act on it by agreeing on one draw before play.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmin import _core
from maxmin.decision import DecisionProblem, take_rows
from maxmin.errors import SolutionError
from maxmin.members import Members
from maxmin.plans import UNREACHED, Behavior, PlanMixture
from maxmin.prescriptions import moves_of, reached_beliefs
from maxmin.properties import perfect_recall
from maxmin.tree import Floats, GameTree, Ints

_ARRAYS = (
    "belief_start",
    "child_start",
    "children",
    "probability",
    "move_start",
    "move_infoset",
    "move_action",
    "leaf_class",
)


_MOST_ENTRIES = 1 << 26
"""Of a table of plans: 128 MB."""

_PLANS_AT_ONCE = 256
"""Plans have thousands of moves: tables of all moves of all plans would take gigabytes."""


@dataclass(frozen=True)
class Marginal:
    """How a side plays in one infoset, averaged over everything that it may have drawn.

    Attributes
    ----------
    infoset : int
    reach : float
        Probability that the side's own moves lead here.
    probabilities : (n_actions,) float64
        Of each action, given that the infoset is reached.
    """

    infoset: int
    reach: float
    probabilities: Floats


@dataclass(frozen=True)
class Belief:
    """One belief of a strategy: how often it is reached, and what it prescribes with which probability.

    Each prescription is a tuple of (infoset, action) pairs. Where a choice among many actions is made in steps, a
    step that plays no action yet ("goes on") adds no pair.
    """

    reach: float
    prescriptions: tuple[tuple[tuple[tuple[int, int], ...], float], ...]


@dataclass(frozen=True, eq=False)
class Decomposition:
    """A strategy as weighted pure plans.

    Attributes
    ----------
    mixture : PlanMixture
    rest : float
        The probability that the plans leave out.
    prescriptions : list of (n,) int32
        The strategy's prescriptions that each plan plays.
    """

    mixture: PlanMixture
    rest: float
    prescriptions: list[Ints]


@dataclass(frozen=True, eq=False, repr=False)
class Strategy:
    """A correlated strategy of one side.

    Attributes
    ----------
    tree : GameTree
    side : tuple of int
    belief_start, child_start, children : int32
        As in `DecisionProblem`, restricted to beliefs that are reached and prescriptions that are played.
    probability : (n_prescriptions,) float64
        Of each prescription in its belief.
    move_start, move_infoset, move_action : int32
        The moves of prescription p are entries ``move_start[p] .. move_start[p + 1] - 1``.
    leaf_class : (n_leaves,) int32
    """

    tree: GameTree
    side: tuple[int, ...]
    belief_start: Ints
    child_start: Ints
    children: Ints
    probability: Floats
    move_start: Ints
    move_infoset: Ints
    move_action: Ints
    leaf_class: Ints

    def __repr__(self) -> str:
        return f"Strategy(side={self.side}, beliefs={self.n_beliefs}, prescriptions={len(self.probability)})"

    @classmethod
    def from_problem(cls, tree: GameTree, problem: DecisionProblem, probability: Floats) -> "Strategy":
        """Keep what is played of a full strategy: (n_prescriptions,), a distribution in each reached belief."""
        is_reached = reached_beliefs(problem, probability > 0)
        belief = np.repeat(np.arange(problem.n_beliefs), np.diff(problem.belief_start))
        played = np.flatnonzero(is_reached[belief] & (probability > 0))
        kept = np.flatnonzero(is_reached)
        number = np.full(problem.n_beliefs, -1, dtype=np.int32)
        number[kept] = np.arange(len(kept), dtype=np.int32)
        child_start, entries = take_rows(problem.child_start, played)
        children = problem.children[entries]
        inside = children < problem.n_beliefs
        children = np.where(
            inside, number[np.where(inside, children, 0)], children - problem.n_beliefs + len(kept)
        )
        row, infoset, action = moves_of(tree, problem, played, belief[played])
        return cls(
            tree=tree,
            side=problem.side,
            belief_start=_starts(number[belief[played]], len(kept)),
            child_start=child_start,
            children=children.astype(np.int32),
            probability=probability[played],
            move_start=_starts(row, len(played)),
            move_infoset=infoset,
            move_action=action,
            leaf_class=problem.leaf_class,
        )

    @classmethod
    def from_plans(cls, tree: GameTree, members: Members, mixture: PlanMixture) -> "Strategy":
        """Make a strategy of weighted joint pure plans: one belief, with a prescription for each plan."""
        classes = [members.classes_of(plan) for plan in mixture.plans]
        plan, place = np.nonzero(mixture.plans != UNREACHED)
        return cls(
            tree=tree,
            side=members.side,
            belief_start=np.array([0, len(mixture.plans)], dtype=np.int32),
            child_start=np.cumsum([0, *map(len, classes)]).astype(np.int32),
            children=np.concatenate(classes) + np.int32(1),
            probability=mixture.weights,
            move_start=_starts(plan, len(mixture.plans)),
            move_infoset=mixture.infosets[place],
            move_action=mixture.plans[plan, place].astype(np.int32),
            leaf_class=members.leaf_class,
        )

    @property
    def n_beliefs(self) -> int:
        """How many beliefs are reached."""
        return len(self.belief_start) - 1

    @property
    def infosets(self) -> Ints:
        """The infosets of the side, reached or not."""
        return np.flatnonzero(np.isin(self.tree.infoset_player, self.side)).astype(np.int32)

    def leaf_reach(self) -> Floats:
        """Return the probability that the side plays all its moves towards each leaf: (n_leaves,)."""
        return self.class_reach()[self.leaf_class]

    def class_reach(self) -> Floats:
        """Return the same for each leaf class: (n_leaf_classes,)."""
        return self._reach()[self.n_beliefs :]

    def marginals(self) -> list[Marginal]:
        """Return how the side plays in each infoset that its own moves reach, in order of infosets."""
        flow = np.repeat(self._flow(), np.diff(self.move_start))
        most = int(self.tree.infoset_n_actions.max(initial=1))
        table = np.zeros((self.tree.n_infosets, most))
        np.add.at(table, (self.move_infoset, self.move_action), flow)
        reach = table.sum(axis=1)
        return [
            Marginal(i, float(reach[i]), table[i, : self.tree.infoset_n_actions[i]] / reach[i])
            for i in np.flatnonzero(reach > 0).tolist()
        ]

    def beliefs(self) -> Iterator[Belief]:
        """Yield the beliefs at which the side moves, earliest first."""
        reach = self._reach()
        for belief in range(self.n_beliefs):
            span = range(self.belief_start[belief], self.belief_start[belief + 1])
            prescriptions = tuple((self._moves_of(p), float(self.probability[p])) for p in span)
            if any(moves for moves, _ in prescriptions):
                yield Belief(float(reach[belief]), prescriptions)

    def sample(self, rng: np.random.Generator) -> dict[int, int]:
        """Draw a joint pure plan: infoset -> action for every infoset that the plan can reach."""
        plan: dict[int, int] = {}
        open_beliefs = [0]
        while open_beliefs:
            belief = open_beliefs.pop()
            start, stop = self.belief_start[belief], self.belief_start[belief + 1]
            below = np.cumsum(self.probability[start:stop])
            p = start + int(np.searchsorted(below[:-1], rng.random() * below[-1], side="right"))
            plan.update(self._moves_of(p))
            children = self.children[self.child_start[p] : self.child_start[p + 1]]
            open_beliefs.extend(children[children < self.n_beliefs].tolist())
        return plan

    def plans(self, *, most: int = 100_000, rest: float = 1e-9) -> PlanMixture:
        """Write the strategy as weighted joint pure plans, largest weight first.

        Parameters
        ----------
        most
            Stop after so many plans, and before they take more than 128 MB.
        rest
            Stop when no more than this probability is left; weights are scaled to sum to 1.

        Returns
        -------
        PlanMixture
            Equal to the strategy up to the probability that was left.
        """
        return self.decompose(most=most, rest=rest).mixture

    def decompose(self, *, most: int = 100_000, rest: float = 1e-9) -> "Decomposition":
        """Return `plans`, what they leave out, and the prescriptions that they play."""
        problem = _core.Problem(self.belief_start, self.child_start, self.children, self._n_leaf_classes)
        infosets = self.infosets
        fitting = max(1, _MOST_ENTRIES // max(1, len(infosets)))
        weights, start, played = _core.decompose(problem, self._flow(), min(most, fitting), rest)
        plans = self._moves_of_plans(start, played)
        total = float(weights.sum())
        order = np.argsort(-weights, kind="stable")
        mixture = PlanMixture(infosets=infosets, plans=plans[order], weights=weights[order] / total)
        prescriptions = [played[start[plan] : start[plan + 1]] for plan in order.tolist()]
        return Decomposition(mixture, max(0.0, 1 - total), prescriptions)

    def classes_of(self, prescriptions: Ints) -> Ints:
        """Return the leaf classes that some prescriptions lead to, as a plan of a `Decomposition` plays them."""
        children = self.children[take_rows(self.child_start, prescriptions)[1]] - np.int32(self.n_beliefs)
        return np.sort(children[children >= 0])

    def explicit(self) -> tuple[Behavior | PlanMixture, float]:
        """Write the strategy on the tree, without beliefs: all that somebody needs who checks or plays it.

        Returns
        -------
        tuple
            A `Behavior` for one player with perfect recall, else a `PlanMixture`; and the probability that is
            left out (0, but for strategies of very many plans).
        """
        if len(self.side) == 1 and perfect_recall(self.tree, self.side[0]):
            return self.behavior(), 0.0
        parts = self.decompose()
        return parts.mixture, parts.rest

    def behavior(self) -> Behavior:
        """Return each infoset's distribution by itself.

        By Kuhn's theorem (1953) this is the strategy if its side is one player with perfect recall.
        """
        marginals = self.marginals()
        most = int(self.tree.infoset_n_actions.max(initial=1))
        table = np.zeros((len(marginals), most))
        for row, marginal in enumerate(marginals):
            table[row, : len(marginal.probabilities)] = marginal.probabilities
        return Behavior(np.array([marginal.infoset for marginal in marginals], dtype=np.int32), table)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays that `from_arrays` needs, by name."""
        return {name: getattr(self, name) for name in _ARRAYS}

    @classmethod
    def from_arrays(
        cls, tree: GameTree, side: tuple[int, ...], arrays: Mapping[str, NDArray[Any]]
    ) -> "Strategy":
        """Make a strategy of arrays that may come from anywhere.

        Raises
        ------
        SolutionError
            If they are not a strategy.
        """
        fields: dict[str, Any] = {}
        for name in _ARRAYS:
            kind = np.float64 if name == "probability" else np.int32
            if name not in arrays:
                raise SolutionError(f"the strategy has no {name}")
            if arrays[name].dtype != kind or arrays[name].ndim != 1:
                raise SolutionError(f"{name} of the strategy is not a row of {kind.__name__}")
            fields[name] = np.ascontiguousarray(arrays[name])
        strategy = cls(tree=tree, side=side, **fields)
        strategy._check()
        return strategy

    @property
    def _n_leaf_classes(self) -> int:
        return int(self.leaf_class.max()) + 1

    def _moves_of(self, prescription: int) -> tuple[tuple[int, int], ...]:
        span = slice(self.move_start[prescription], self.move_start[prescription + 1])
        return tuple(zip(self.move_infoset[span].tolist(), self.move_action[span].tolist(), strict=True))

    def _moves_of_plans(self, start: Ints, played: Ints) -> NDArray[np.int16]:
        """Write plans, given by the prescriptions that they play, as a table: (n_plans, n_infosets)."""
        infosets = self.infosets
        column = np.full(self.tree.n_infosets, -1)
        column[infosets] = np.arange(len(infosets))
        plans = np.full((len(start) - 1, len(infosets)), UNREACHED, dtype=np.int16)
        for first in range(0, len(plans), _PLANS_AT_ONCE):
            cuts = start[first : first + _PLANS_AT_ONCE + 1]
            move_start, entries = take_rows(self.move_start, played[cuts[0] : cuts[-1]])
            plan = np.repeat(np.repeat(np.arange(len(cuts) - 1), np.diff(cuts)), np.diff(move_start))
            plans[first + plan, column[self.move_infoset[entries]]] = self.move_action[entries]
        return plans

    def _reach(self) -> Floats:
        reach = np.empty(self.n_beliefs + self._n_leaf_classes)
        problem = _core.Problem(self.belief_start, self.child_start, self.children, self._n_leaf_classes)
        _core.realize(problem, self.probability, reach)
        return reach

    def _flow(self) -> Floats:
        """How often each prescription is played: (n_prescriptions,)."""
        return np.repeat(self._reach()[: self.n_beliefs], np.diff(self.belief_start)) * self.probability

    def _check(self) -> None:
        """Check that arrays from outside cannot lead out of bounds or in a circle, and are distributions."""
        n_prescriptions = len(self.probability)
        if len(self.leaf_class) != self.tree.n_leaves or not _within(self.leaf_class, self.tree.n_leaves):
            raise SolutionError("the strategy does not fit the game")
        if (
            len(self.belief_start) < 2
            or (np.diff(self.belief_start) < 1).any()
            or len(self.move_action) != len(self.move_infoset)
            or not _are_rows(self.belief_start, len(self.belief_start) - 1, n_prescriptions)
            or not _are_rows(self.child_start, n_prescriptions, len(self.children))
            or not _are_rows(self.move_start, n_prescriptions, len(self.move_infoset))
        ):
            raise SolutionError("the strategy's rows do not fit together")
        parent = np.repeat(np.arange(self.n_beliefs), np.diff(self.belief_start))
        parent = np.repeat(parent, np.diff(self.child_start))
        limit = self.n_beliefs + self._n_leaf_classes
        if (self.children <= parent).any() or not _within(self.children, limit):
            raise SolutionError("the strategy's beliefs do not form a DAG")
        if not np.isin(self.move_infoset, self.infosets).all():
            raise SolutionError("the strategy does not fit the game")
        if not _within(self.move_action, self.tree.infoset_n_actions[self.move_infoset]):
            raise SolutionError("the strategy plays an action that does not exist")
        total = np.add.reduceat(self.probability, self.belief_start[:-1])
        if not np.allclose(total, 1, rtol=0, atol=1e-9) or (self.probability < 0).any():
            raise SolutionError("the strategy's probabilities do not sum to 1")


def _within(numbers: Ints, limit: int | Ints) -> bool:
    return bool(((numbers >= 0) & (numbers < limit)).all())


def _are_rows(start: Ints, n_rows: int, total: int) -> bool:
    return (
        len(start) == n_rows + 1
        and start[0] == 0
        and start[-1] == total
        and bool((np.diff(start) >= 0).all())
    )


def _starts(sorted_rows: NDArray[Any], n_rows: int) -> Ints:
    """Where each row starts, given the row of each entry in order."""
    return np.searchsorted(sorted_rows, np.arange(n_rows + 1)).astype(np.int32)
