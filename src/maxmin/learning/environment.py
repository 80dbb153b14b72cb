"""`BattleshipEnv`: searching a hidden board as a Gymnasium environment, for any reinforcement-learning library.

One game is one episode. Observations say what the player knows and nothing else; the mask of the cells that are
left is in ``info["action_mask"]`` and comes from `BattleshipEnv.action_masks`, where maskable learners look for it.
"""

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from maxmin.battleship import Board
from maxmin.errors import GameError
from maxmin.learning.rewards import HIT_OR_MISS, Rewards, check_rewards

ENVIRONMENT_ID = "maxmin/Battleship-v0"
"""What ``gymnasium.make`` knows the environment by, once this module has been imported."""

Observation = NDArray[np.int8]


class BattleshipEnv(gymnasium.Env[Observation, np.int64]):
    """Search a hidden board, shot by shot.

    An observation is two planes of rows x columns zeros and ones: the hits, then the misses. Action ``i`` shoots at
    cell ``i`` (see `Board`). The episode terminates when all is hit. A shot at a cell that has been shot at is
    wasted: it counts and is rewarded as a miss, and changes nothing else. The episode is truncated after as many
    shots as the board has cells; whoever wastes none never gets there without having hit all.

    Parameters
    ----------
    board
        The board; the paper's task if None.
    rewards
        For a hit and for a miss: `HIT_OR_MISS`, or `EACH_SHOT` for minus the number of shots in all.
    render_mode
        "ansi": `render` returns the board as the player sees it, as text.

    Raises
    ------
    GameError
        If the rewards are not two numbers, or there is no such mode.
    SizeError
        If the patterns do not fit onto the board together, or hardly do, so that no board can be drawn.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - as in Env

    def __init__(
        self, board: Board | None = None, *, rewards: Rewards = HIT_OR_MISS, render_mode: str | None = None
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise GameError(f"render_mode must be None or 'ansi', not {render_mode!r}")
        self.board = Board() if board is None else board
        self.rewards = check_rewards(rewards)
        self.render_mode = render_mode
        self.observation_space = spaces.MultiBinary((2, self.board.rows, self.board.columns))
        self.action_space = spaces.Discrete(self.board.n_cells)
        self._covered: NDArray[np.bool_] = self.board.draw(1, seed=0)[0]  # fails here if nothing can be drawn
        self._hits = np.zeros(self.board.n_cells, dtype=np.bool_)
        self._misses = np.zeros(self.board.n_cells, dtype=np.bool_)
        self._shots = 0
        self._playing = False

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a game on a board drawn at random, or on ``options["covered"]``: the covered cells, as booleans.

        Raises
        ------
        GameError
            If there is another option, or these cells are not as many as the patterns cover.
        """
        super().reset(seed=seed)
        self._covered = self._given(options) if options else self._drawn()
        self._hits[:] = False
        self._misses[:] = False
        self._shots = 0
        self._playing = True
        return self._observation(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Shoot at a cell.

        Raises
        ------
        GameError
            If there is no such cell, or no game is going on.
        """
        if not self._playing:
            raise GameError("no game is going on: call reset first")
        if isinstance(action, bool) or not self.action_space.contains(action):
            raise GameError(
                f"there is no cell {action!r}; this board has cells 0 to {self.board.n_cells - 1}"
            )
        hit = bool(self._covered[action] and not self._hits[action])
        self._hits[action] |= hit
        self._misses[action] |= not self._covered[action]
        self._shots += 1
        terminated = bool(self._hits.sum() == self.board.n_covered)
        truncated = not terminated and self._shots == self.board.n_cells
        self._playing = not (terminated or truncated)
        return self._observation(), self.rewards[not hit], terminated, truncated, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which cells have not been shot at, (n_cells,) booleans."""
        return ~(self._hits | self._misses)

    def render(self) -> str | None:
        """Return the board as the player sees it, if the mode is "ansi"."""
        if self.render_mode is None:
            return None
        marks = np.select([self._hits, self._misses], ["X", "o"], ".")
        return "\n".join(" ".join(row) for row in marks.reshape(self.board.rows, self.board.columns))

    def _observation(self) -> Observation:
        planes = np.stack([self._hits, self._misses]).astype(np.int8)
        return planes.reshape(2, self.board.rows, self.board.columns)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "shots": self._shots}

    def _drawn(self) -> NDArray[np.bool_]:
        drawn = self.board.draw(1, seed=int(self.np_random.integers(2**63)))
        return np.ravel(drawn)

    def _given(self, options: Mapping[str, Any]) -> NDArray[np.bool_]:
        unknown = sorted(set(options) - {"covered"})
        if unknown:
            raise GameError(f"reset has no option {unknown[0]!r}; the only one is 'covered'")
        covered = np.array(options["covered"])
        if (
            covered.dtype != np.bool_
            or covered.size != self.board.n_cells
            or covered.sum() != self.board.n_covered
        ):
            raise GameError(
                f"covered must be {self.board.n_cells} booleans, one for each cell, "
                f"of which the {self.board.n_covered} cells of the patterns are True"
            )
        return covered.ravel()


gymnasium.register(ENVIRONMENT_ID, entry_point=f"{__name__}:{BattleshipEnv.__name__}")
