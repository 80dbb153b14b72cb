"""Decision problems: what one side of a game can do, as a DAG of beliefs; sequence form and team belief DAG alike.

A side is a player or a team. A *belief* is a set of positions that the side must treat together; a *prescription*
picks one action in every infoset that the belief meets; what follows are child beliefs and *leaf classes* (leaves
that the side's own moves cannot tell apart). For a player with perfect recall this is the sequence form, for a
team the team belief DAG of Zhang, Farina and Sandholm (ICML 2023), section 4. Both are built by the native core.
"""

import math
import operator
from collections.abc import Iterator, Sequence, Sized
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Protocol, TypedDict

import numpy as np
from numpy.typing import NDArray

from maxmin import _core
from maxmin.errors import MaxminError, SizeError, UnknownNameError
from maxmin.limits import check_memory
from maxmin.side_view import Progress as Progress  # what callers pass on
from maxmin.side_view import view_side
from maxmin.size_estimate import BYTES_PER_PRESCRIPTION, predict, too_large
from maxmin.tree import Floats, GameTree, Ints

Observations = Literal["connected", "public"]
"""What splits a set of positions: components within the set, or public states (see `build_problem`)."""

OBSERVATIONS: tuple[Observations, ...] = ("connected", "public")


class Construction(TypedDict, total=False):
    """How decision problems are built: those keyword arguments of `build_problem` that are for both sides."""

    memory: int | None
    reduce_branching: bool
    observations: Observations
    inflate: bool
    progress: Progress | None


_HOPELESS = 4
"""An estimate beyond this many times the memory limit gets a short trial; a nearer one is built, and counted."""

_TRIAL_BYTES = 50_000_000
"""For a DAG that is predicted to be too large: built in a quarter of a second, if it is exponentially smaller."""


@dataclass(frozen=True, eq=False, repr=False)
class DecisionProblem:
    """What one side can do, in compressed rows; belief 0 is the root, and a child comes after its parents.

    Attributes
    ----------
    side : tuple of int
        The players whose problem it is.
    belief_start : (n_beliefs + 1,) int32
        Prescriptions of belief b are ``belief_start[b] .. belief_start[b + 1] - 1``.
    child_start : (n_prescriptions + 1,) int32
        Children of prescription p are ``children[child_start[p]:child_start[p + 1]]``.
    children : (n_edges,) int32
        A number below `n_beliefs` is a belief; c above it is leaf class ``c - n_beliefs``. The flow of a
        prescription is copied to all its children; a belief or leaf class adds up what it gets.
    leaf_class : (n_leaves,) int32
        The class of each leaf of the tree.
    n_leaf_classes : int
    belief_decision_start, belief_decisions : int32
        The decisions that each belief prescribes for; the last varies fastest over its prescriptions.
    decision_infoset, decision_stage, decision_options : (n_decisions,) int32
        A decision is an infoset of the tree or, where a choice among b actions is made as a chain of binary
        ones, a link of it: option 0 of stage j plays action j, option 1 goes on (at the last stage: plays action
        b - 1).
    most_infosets : int
        The most infosets that one belief meets (k in the paper).
    plain_edges : float
        How many edges there would be if no list of children were shared.
    public_states, largest_public_state : see `maxmin.size_estimate.SizeEstimate`
    """

    side: tuple[int, ...]
    belief_start: Ints
    child_start: Ints
    children: Ints
    leaf_class: Ints
    n_leaf_classes: int
    belief_decision_start: Ints
    belief_decisions: Ints
    decision_infoset: Ints
    decision_stage: Ints
    decision_options: Ints
    most_infosets: int
    plain_edges: float
    public_states: float
    largest_public_state: int

    def __repr__(self) -> str:
        return (
            f"DecisionProblem(side={self.side}, beliefs={self.n_beliefs}, "
            f"prescriptions={self.n_prescriptions}, edges={self.n_edges})"
        )

    @property
    def n_beliefs(self) -> int:
        """How many beliefs there are."""
        return len(self.belief_start) - 1

    @property
    def n_prescriptions(self) -> int:
        """How many prescriptions there are, over all beliefs."""
        return len(self.child_start) - 1

    @property
    def n_edges(self) -> int:
        """How many pairs (prescription, child) are stored."""
        return len(self.children)

    @cached_property
    def core(self) -> _core.Problem:
        """The arrays as the native core takes them."""
        return _core.Problem(self.belief_start, self.child_start, self.children, self.n_leaf_classes)

    def distribution(self, flow: Floats) -> Floats:
        """Turn a flow, (n_prescriptions,), into a distribution in each belief, uniform where there is none."""
        size = np.diff(self.belief_start)
        total = np.repeat(np.add.reduceat(flow, self.belief_start[:-1]), size)
        return np.where(total > 0, flow / np.where(total > 0, total, 1.0), 1 / np.repeat(size, size))

    def realize(self, strategy: Floats) -> Floats:
        """Return how often each belief, and behind them each leaf class, is reached under a strategy."""
        reach = np.empty(self.n_beliefs + self.n_leaf_classes)
        _core.realize(self.core, strategy, reach)
        return reach

    def choices_of(
        self, prescriptions: NDArray[np.int64], beliefs: NDArray[np.int64]
    ) -> Iterator[tuple[NDArray[np.int64], Ints, Ints]]:
        """List the options that prescriptions, each of the belief beside it, take in their decisions.

        Yields
        ------
        tuple
            Rows of `prescriptions`, each with one of its decisions and the option there.
        """
        rest = (prescriptions - self.belief_start[beliefs]).astype(np.int32)
        stop = self.belief_decision_start[beliefs + 1]
        count = stop - self.belief_decision_start[beliefs]
        for position in range(1, int(count.max(initial=0)) + 1):
            row = np.flatnonzero(count >= position)
            decision = self.belief_decisions[stop[row] - position]
            options = self.decision_options[decision]
            here = rest[row]
            # Dividing by one number is several times as fast, and nearly always there is only one.
            rest[row] = here // (options[0] if (options == options[0]).all() else options)
            yield row, decision, here - rest[row] * options

    def best_response(self, worth: Floats) -> tuple[float, Ints]:
        """Respond best to what the leaf classes are worth: (n_leaf_classes,).

        Returns
        -------
        tuple
            What the side gets, and the prescription it picks in each belief.
        """
        values = np.empty(self.n_beliefs + self.n_leaf_classes)
        values[self.n_beliefs :] = worth
        choice = np.empty(self.n_beliefs, dtype=np.int32)
        return _core.best_response(self.core, values, choice), choice

    def sizes(self) -> dict[str, int | float]:
        """Return the sizes that people compare: see the attributes; `bytes` counts the arrays of the DAG."""
        return {
            "beliefs": self.n_beliefs,
            "prescriptions": self.n_prescriptions,
            "edges": self.n_edges,
            "plain_edges": int(self.plain_edges),
            "leaf_classes": self.n_leaf_classes,
            "bytes": self.belief_start.nbytes + self.child_start.nbytes + self.children.nbytes,
            "k": self.most_infosets,
            "public_states": int(self.public_states),
            "largest_public_state": self.largest_public_state,
            "converted_game_paths": _core.count_paths(self.core),
        }


def check_side(tree: GameTree, side: Sequence[int]) -> tuple[int, ...]:
    """Return `side` sorted.

    Raises
    ------
    UnknownNameError
        If it is empty, holds everybody, is no list of numbers, or names a player twice, or one who is not in
        the game.
    """
    try:
        named = list(side)
        if isinstance(side, (bytes, bytearray)) or any(isinstance(player, bool) for player in named):
            raise TypeError
        players = tuple(sorted({operator.index(player) for player in named}))
    except TypeError:
        raise UnknownNameError(
            f"a team is a list of players' numbers, such as (1, 2), not {side!r}"
        ) from None
    if len(players) < len(named):
        raise UnknownNameError(f"team {','.join(map(str, named))} names a player twice")
    everyone = tuple(range(1, tree.n_players + 1))
    for player in players:
        if player not in everyone:
            raise UnknownNameError(
                f"there is no player {player}: {tree.name} has players 1 to {tree.n_players}"
            )
    if not players:
        raise UnknownNameError("the team is empty: name at least one player")
    if players == everyone and len(everyone) > 1:
        raise UnknownNameError(
            f"team {','.join(map(str, players))} is everybody in {tree.name}: nobody is left to play against"
        )
    return players


def build_problem(
    tree: GameTree,
    side: Sequence[int],
    *,
    memory: int | None = None,
    most_prescriptions: float = math.inf,
    reduce_branching: bool = True,
    observations: Observations = "connected",
    inflate: bool = False,
    progress: Progress | None = None,
) -> DecisionProblem:
    """Build the decision problem of a player or a team.

    Parameters
    ----------
    tree
        The game.
    side
        The players that decide together.
    memory
        Most bytes that the DAG and a solver on it may take; default: half of the machine's.
    most_prescriptions
        Refuse after a short trial if more are predicted.
    reduce_branching
        Make a team's choice among more than two publicly seen actions as a chain of binary choices
        (section 5 of the paper). Never changes a value.
    observations
        What the side learns together after a prescription. "connected": in which connected component of what the
        prescription leaves it is. "public": in which public state, a component of all that could be; this is
        the older construction, of the same value, and may be exponentially larger.
    inflate
        Split infosets completely before building, see `maxmin.side_view.view_side`. Never changes a value. Public
        states may become smaller; beliefs that are connected stay as they are.
    progress
        Called now and then with the number of prescriptions so far; returns False to stop.

    Raises
    ------
    NotTimeableError
        If the side's infosets come before each other in a circle.
    SizeError
        If it would need more memory; the message has the figures.
    Cancelled
        If `progress` said so.
    MaxminError
        If `observations` is neither, or `memory` is no number of bytes.
    """
    check_observations(observations)
    nobody = isinstance(side, Sized) and not len(side)  # the other side of a game for one player
    side = () if nobody else check_side(tree, side)
    most_bytes = check_memory(memory)
    view = view_side(tree, side, inflate=inflate, progress=progress)
    merged = view.merge(reduce_branching=reduce_branching)
    predicted = predict(merged)
    hopeless = predicted.bytes > _HOPELESS * most_bytes or predicted.prescriptions > most_prescriptions
    within = most_bytes
    if hopeless:
        within = int(min(most_bytes, _TRIAL_BYTES, BYTES_PER_PRESCRIPTION * most_prescriptions))
    try:
        dag = _core.build_belief_dag(merged, observations == "public", within, progress)
    except SizeError as error:
        counted = "" if hopeless else f"; counted: {error}"
        raise SizeError(too_large(tree, side, predicted, most_bytes, counted)) from None
    except MemoryError:
        raise SizeError(too_large(tree, side, predicted, most_bytes, "; memory ran out")) from None
    return DecisionProblem(
        side=side,
        belief_start=dag.take_belief_start(),
        child_start=dag.take_child_start(),
        children=dag.take_children(),
        leaf_class=merged.take_leaf_class(),
        n_leaf_classes=merged.n_leaf_classes,
        belief_decision_start=dag.take_belief_decision_start(),
        belief_decisions=dag.take_belief_decisions(),
        decision_infoset=view.origin[merged.take_decision_infoset()],
        decision_stage=merged.take_decision_stage(),
        decision_options=merged.take_decision_options(),
        most_infosets=dag.most_infosets,
        plain_edges=dag.plain_edges,
        public_states=predicted.public_states,
        largest_public_state=predicted.largest_public_state,
    )


@dataclass(frozen=True, eq=False)
class Payoffs:
    """A sparse payoff matrix by rows: entries of row i are ``start[i] .. start[i + 1] - 1``."""

    start: Ints
    column: Ints
    value: Floats

    @cached_property
    def core(self) -> _core.Payoffs:
        """The arrays as the native core takes them."""
        return _core.Payoffs(self.start, self.column, self.value)


class HasLeafClasses(Protocol):
    """A side whose leaves are put into classes: a `DecisionProblem`, or `maxmin.members.Members`."""

    @property
    def leaf_class(self) -> Ints:
        """The class of each leaf of the tree: (n_leaves,) int32."""

    @property
    def n_leaf_classes(self) -> int:
        """How many classes there are."""


def payoff_matrix(rows: HasLeafClasses, columns: HasLeafClasses, weight: Floats) -> tuple[Payoffs, Payoffs]:
    """Sum `weight`, one number per leaf of the tree, over the leaves of each pair of leaf classes.

    Returns
    -------
    tuple
        The sparse matrix (leaf classes of `rows`, leaf classes of `columns`), and its transpose.
    """
    sizes = rows.n_leaf_classes, columns.n_leaf_classes
    plain = _core.payoff_matrix(rows.leaf_class, columns.leaf_class, weight, *sizes)
    transposed = _core.payoff_matrix(columns.leaf_class, rows.leaf_class, weight, *reversed(sizes))
    return Payoffs(*plain), Payoffs(*transposed)


def take_rows(start: Ints, rows: NDArray[Any]) -> tuple[Ints, NDArray[np.int64]]:
    """Take some rows of a compressed array: their new starts, and the positions of their entries."""
    lengths = start[rows + 1] - start[rows]
    new_start = np.concatenate([[0], np.cumsum(lengths)])
    entries = np.arange(new_start[-1]) + np.repeat(start[rows] - new_start[:-1], lengths)
    return new_start.astype(np.int32), entries


def check_observations(observations: str) -> None:
    """Raise a `MaxminError` if there is no such way to split observations."""
    if observations not in OBSERVATIONS:
        raise MaxminError(f"observations must be connected or public, not {observations!r}")
