"""What each cell is worth to a good player: the teacher of the supervised learner.

The value of a cell in a state is the expected number of shots still to come if it is shot at next and the greedy
player, who always takes the cell most likely to be a hit, goes on from there: one step of policy improvement, or a
rollout in the words of G. Tesauro and G. Galperin, "On-line Policy Improvement using Monte-Carlo Search", NIPS
1996; here without sampling, as all configurations that fit a state go down the tree of its decisions together.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from maxmin.battleship.board import Board, Bools

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_ROWS_AT_ONCE = 400_000
"""Configurations that go down their trees at once, so that they fit into memory."""


@dataclass(frozen=True)
class Beliefs:
    """States, and for each the configurations that fit it: rows `starts[i]` to `starts[i + 1]` of `members`.

    Attributes
    ----------
    hits, misses : (n, n_cells) booleans
        The states.
    members : (rows,) int64
        Indices of configurations.
    starts : (n,) int64
        Where each state's begin.
    """

    hits: Bools
    misses: Bools
    members: Ints
    starts: Ints

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def sizes(self) -> Ints:
        """How many configurations fit each state."""
        return np.diff(np.append(self.starts, len(self.members)))

    def take(self, states: Ints) -> "Beliefs":
        """Return some of the states, in this order; one may be taken more than once."""
        sizes = self.sizes[states]
        ends = np.cumsum(sizes)
        rows = np.arange(ends[-1] if len(ends) else 0) + np.repeat(self.starts[states] - ends + sizes, sizes)
        return Beliefs(self.hits[states], self.misses[states], self.members[rows], ends - sizes)


class Boards:
    """All configurations of a board, and how beliefs about them change.

    Parameters
    ----------
    board
        Its configurations are listed.

    Raises
    ------
    SizeError
        If they are too many to list.
    """

    def __init__(self, board: Board) -> None:
        configurations = board.configurations()
        self.board = board
        self.covered = board.unpack(configurations.masks)
        self.weights = configurations.weights
        self._weighted = (self.covered * self.weights[:, None]).astype(np.float32)

    def root(self) -> Beliefs:
        """Return the belief before the first shot."""
        nothing = np.zeros((1, self.board.n_cells), dtype=np.bool_)
        return Beliefs(nothing, nothing, np.arange(len(self.weights)), np.zeros(1, dtype=np.int64))

    def chances(self, beliefs: Beliefs) -> Floats:
        """Return the probability of each state, (n,)."""
        return np.add.reduceat(self.weights[beliefs.members], beliefs.starts)

    def posterior(self, beliefs: Beliefs) -> NDArray[np.float32]:
        """Return the probability that each cell not yet shot at is a hit, (n, n_cells); -1 at the others."""
        sums = np.add.reduceat(self._weighted[beliefs.members], beliefs.starts, axis=0)
        sums /= self.chances(beliefs)[:, None].astype(np.float32)
        sums[beliefs.hits | beliefs.misses] = -1
        return sums

    def shoot(self, beliefs: Beliefs, cells: Ints) -> tuple[Beliefs, Ints]:
        """Shoot at one cell in each state; return the states that follow and where each comes from.

        Those in which all is hit are left out.
        """
        state = np.repeat(np.arange(len(beliefs)), beliefs.sizes)
        branch = 2 * state + self.covered[beliefs.members, cells[state]]
        order = np.argsort(branch, kind="stable")
        branch, members = branch[order], beliefs.members[order]
        new = np.append(True, branch[1:] != branch[:-1]) if len(branch) else np.zeros(0, dtype=np.bool_)
        starts = np.flatnonzero(new)
        before, hit = np.divmod(branch[starts], 2)
        hits, misses = beliefs.hits[before], beliefs.misses[before]
        rows = np.arange(len(starts))
        hits[rows, cells[before]] |= hit == 1
        misses[rows, cells[before]] |= hit == 0
        after = Beliefs(hits, misses, members, starts)
        going = np.flatnonzero(hits.sum(axis=1) < self.board.n_covered)
        return after.take(going), before[going]

    def greedy_shots(self, beliefs: Beliefs) -> Floats:
        """Return the expected number of shots that the greedy player still needs in each state, (n,)."""
        total = np.zeros(len(beliefs))
        root, chances = np.arange(len(beliefs)), self.chances(beliefs)
        while len(beliefs):
            known = beliefs.sizes == 1  # nothing but hits from here on
            left = np.where(known, self.board.n_covered - beliefs.hits.sum(axis=1), 1)
            np.add.at(total, root, self.chances(beliefs) * left)
            open_states = np.flatnonzero(~known)
            beliefs, root = beliefs.take(open_states), root[open_states]
            if len(beliefs):
                beliefs, before = self.shoot(beliefs, self.posterior(beliefs).argmax(axis=1))
                root = root[before]
        return total / chances


def decision_tree(boards: Boards, choose: Callable[[Beliefs], Ints]) -> Iterator[tuple[Beliefs, Ints]]:
    """Yield, depth by depth, all states that a player reaches and the cells chosen there."""
    beliefs = boards.root()
    while len(beliefs):
        cells = choose(beliefs)
        yield beliefs, cells
        beliefs, _ = boards.shoot(beliefs, cells)


def action_values(boards: Boards, beliefs: Beliefs, *, candidates: int) -> NDArray[np.float32]:
    """Return the expected shots still to come for the cells most likely to be hits, if greedy goes on from there.

    Parameters
    ----------
    boards
        The configurations.
    beliefs
        The states.
    candidates
        How many cells are tried in each state.

    Returns
    -------
    (n, n_cells) float32
        Shots, this one included; infinity at cells that were not tried.
    """
    values = np.full(beliefs.hits.shape, np.inf, dtype=np.float32)
    state, cell = _candidates(boards.posterior(beliefs), candidates)
    ends = np.cumsum(beliefs.sizes[state])
    cuts = np.searchsorted(ends, np.arange(_ROWS_AT_ONCE, ends[-1], _ROWS_AT_ONCE))
    for part in np.split(np.arange(len(state)), np.unique(cuts)):
        if len(part):
            tried = beliefs.take(state[part])
            after, before = boards.shoot(tried, cell[part])
            shots = np.bincount(before, boards.greedy_shots(after) * boards.chances(after), len(part))
            values[state[part], cell[part]] = 1 + shots / boards.chances(tried)
    return values


def _candidates(posterior: NDArray[np.float32], most: int) -> tuple[Ints, Ints]:
    """Return states and their most likely cells; cells that cannot be hits are left out, unless all are."""
    order = np.argsort(-posterior, axis=1, kind="stable")[:, :most]
    likely = np.take_along_axis(posterior, order, axis=1) > 0
    likely[:, 0] = True
    state, rank = np.nonzero(likely)
    return state, order[state, rank]
