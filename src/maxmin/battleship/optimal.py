"""The best strategy of all on a small board, as a tree that is saved, played, and replayed without the core.

`optimum` raises the proven bound of `maxmin.battleship.bound` until a strategy meets it. The file of a tree
(``.npz``, no pickle) has a header with the board and three arrays, an entry a node, the root first: the cell to
shoot at, the node after a hit, the node after a miss; -1 where the game is over or no board is left.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from maxmin.archive import read_archive, write_archive
from maxmin.battleship.board import Board, Bools
from maxmin.battleship.bound import Bound, Climb
from maxmin.battleship.state import check_states
from maxmin.errors import Cancelled, GameError, SolutionError, StrategyError
from maxmin.files import AnyPath

KIND = "maxmin battleship tree"
VERSION = 1


@dataclass(frozen=True, eq=False)
class ShotTree:
    """A strategy that is written down for every state that it can come to.

    Attributes
    ----------
    board : Board
    mean_shots : Fraction
        Expected shots, by the board's exact probabilities.
    cell : (n_nodes,) uint8
        Where to shoot; node 0 is the root.
    hit, miss : (n_nodes,) int32
        The next node; -1 where the game is over or no board is left.
    """

    board: Board
    mean_shots: Fraction
    cell: NDArray[np.uint8]
    hit: NDArray[np.int32]
    miss: NDArray[np.int32]
    name = "optimal"
    deterministic = True

    def choose(self, hits: Bools, misses: Bools) -> NDArray[np.int64]:
        """Choose a cell for each state; see `maxmin.battleship.strategies.Strategy`.

        Raises
        ------
        StrategyError
            If the tree never comes to a state.
        """
        check_states(self.board, hits, misses)
        cells = np.empty(len(hits), dtype=np.int64)
        for row, (hit, missed) in enumerate(zip(hits, misses, strict=True)):
            node = 0
            while node >= 0 and (hit | missed)[self.cell[node]]:
                node = int(self.hit[node] if hit[self.cell[node]] else self.miss[node])
            if node < 0:
                raise StrategyError("the optimal tree never comes to this state; it plays its own games only")
            cells[row] = self.cell[node]
        return cells

    def replay(self) -> Fraction:
        """Play the tree on every board, in plain Python with fractions, and return the expected shots.

        Shares no code with the search: the boards and their probabilities come from `Board.exact_weights`.

        Raises
        ------
        SolutionError
            If the tree leaves a board unfinished.
        """
        cell, hit, miss = (array.tolist() for array in (self.cell, self.hit, self.miss))
        covered = self.board.unpack(self.board.configurations().masks)
        total = Fraction(0)
        for cells, weight in zip(covered.tolist(), self.board.exact_weights(), strict=True):
            node, shots, left = 0, 0, sum(cells)
            while left:
                if not 0 <= node < len(cell) or shots > len(cells):
                    raise SolutionError(f"the tree leaves a board of {self.board} unfinished")
                shots += 1
                left -= cells[cell[node]]
                node = hit[node] if cells[cell[node]] else miss[node]
            total += weight * shots
        return total

    def save(self, path: AnyPath) -> None:
        """Write the tree to a file.

        Raises
        ------
        FileError
            If it cannot be written.
        """
        board = self.board
        header = {
            "format": KIND,
            "format_version": VERSION,
            "rows": board.rows,
            "columns": board.columns,
            "patterns": [str(pattern) for pattern in board.patterns],
            "touching": board.touching,
            "placement": board.placement,
            "mean_shots": str(self.mean_shots),
        }
        write_archive(path, header, {"cell": self.cell, "hit": self.hit, "miss": self.miss})


def load_tree(path: AnyPath, *, board: Board | None = None) -> ShotTree:
    """Read a tree, and replay it: what its file claims is true of what is returned.

    Parameters
    ----------
    path
        The file.
    board
        What is to be played; any if None.

    Raises
    ------
    FileError
        If it cannot be read.
    SolutionError
        If it is not such a file, damaged, or claims what its tree does not achieve.
    StrategyError
        If it is a tree for another board.
    """
    header, arrays = read_archive(path, KIND, VERSION)
    damaged = SolutionError(f"{path} is damaged")
    try:
        of = Board(
            header["rows"],
            header["columns"],
            header["patterns"],
            touching=header["touching"],
            placement=header["placement"],
        )
        cell, hit, miss = (arrays[name] for name in ("cell", "hit", "miss"))
        tree = ShotTree(of, Fraction(header["mean_shots"]), cell, hit, miss)
    except (GameError, KeyError, TypeError, ValueError, ZeroDivisionError):
        raise damaged from None
    if not all(array.ndim == 1 and array.dtype.kind in "iu" for array in (cell, hit, miss)):
        raise damaged
    if not len(cell) == len(hit) == len(miss) > 0 or cell.max() >= of.n_cells:
        raise damaged
    if board is not None and board != of:
        raise StrategyError(f"the tree of {path} is for {of}; it plays its own games only, not {board}")
    if tree.replay() != tree.mean_shots:
        raise SolutionError(f"{path} claims {tree.mean_shots} shots, but its tree takes {tree.replay()}")
    return tree


def optimum(
    board: Board,
    *,
    seconds: float | None = None,
    checkpoint: AnyPath | None = None,
    callback: Callable[[Bound], object] = lambda bound: None,
) -> ShotTree:
    """Find the best strategy of all; with sequential placement up to rounding of the weights.

    Parameters
    ----------
    board
        A small one: 5 x 5 with two L patterns takes seconds, 6 x 6 many minutes.
    seconds, checkpoint, callback
        As for `maxmin.battleship.bound.lower_bound`.

    Raises
    ------
    SizeError
        If the board is too large.
    Cancelled
        If it was stopped before; the message has the bound until then.
    """
    run = Climb(board, checkpoint)
    run.climb(seconds, callback)
    if not run.bound.optimal or run.search is None:
        raise Cancelled(
            f"stopped ({run.bound.stopped_by}) before the optimum was found; "
            f"no strategy takes fewer than {run.bound.lower:.6f} shots on {board}"
        )
    cell, hit, miss = run.search.tree()
    tree = ShotTree(board, Fraction(0), cell, hit, miss)
    return ShotTree(board, tree.replay(), cell, hit, miss)
