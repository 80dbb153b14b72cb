"""`BattleshipGames`: the same game as `BattleshipEnv` as pure JAX functions, for thousands of games at once.

`reset` and `step` are for one game each; ``jax.vmap`` makes them work on a batch, ``jax.jit`` and
``jax.lax.scan`` compile whole games. A game's random numbers come from the key in its state, so the same keys and
shots give the same games again.
"""

from typing import NamedTuple, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np

from maxmin.battleship import Board
from maxmin.learning.rewards import HIT_OR_MISS, Rewards, check_rewards

MOST_BOARDS = 1_000_000
DRAWN_BOARDS = 200_000
"""Where there are more than `MOST_BOARDS` configurations, games are played on so many of them, drawn at random."""


class GameState(NamedTuple):
    """One game; a batch of them has one more axis in front.

    Attributes
    ----------
    covered : (n_cells,) bool
        What is hidden; not for the player's eyes.
    hits, misses : (n_cells,) bool
        What has been seen.
    shots : () int32
        How many, wasted ones included.
    key : () key
        Where the next game's board comes from.
    """

    covered: jax.Array
    hits: jax.Array
    misses: jax.Array
    shots: jax.Array
    key: jax.Array


Step: TypeAlias = tuple[GameState, jax.Array, jax.Array, jax.Array, jax.Array]
"""State, observation, reward, terminated, truncated."""


class BattleshipGames:
    """Games on one kind of board. The rules are those of `BattleshipEnv`.

    Parameters
    ----------
    board
        The board; the paper's task if None.
    rewards
        For a hit and for a miss: `HIT_OR_MISS`, or `EACH_SHOT` for minus the number of shots in all.

    Raises
    ------
    GameError
        If the rewards are not two numbers, or the patterns do not fit onto the board together.
    SizeError
        If no board can be listed, nor drawn because the patterns hardly fit.
    """

    def __init__(self, board: Board | None = None, *, rewards: Rewards = HIT_OR_MISS) -> None:
        self.board = Board() if board is None else board
        self.rewards = check_rewards(rewards)
        listed = self.board.listed
        if listed is None or len(listed) > MOST_BOARDS:
            boards, weights = self.board.draw(DRAWN_BOARDS, seed=0), np.full(DRAWN_BOARDS, 1 / DRAWN_BOARDS)
        else:
            boards, weights = self.board.unpack(listed.masks), listed.weights
        self._boards = jnp.asarray(boards)
        limits = np.floor(np.cumsum(weights)[:-1] * 2.0**32)
        self._limits = jnp.asarray(limits.astype(np.uint32))

    def reset(self, key: jax.Array) -> tuple[GameState, jax.Array]:
        """Begin a game; return its state and the observation, (2, rows, columns) int8."""
        state = self._begin(key)
        return state, self.observation(state)

    def step(self, state: GameState, action: jax.Array) -> Step:
        """Shoot at a cell; begin the next game at once if this one is over.

        Returns
        -------
        The next state and its observation (of the new game, if this one is over), the reward, and whether this game
        was terminated or truncated. A number that is no cell is a wasted shot.
        """
        state, reward, terminated, truncated = self.shoot(state, action)
        fresh, over = self._begin(state.key), terminated | truncated
        state = jax.tree.map(lambda new, old: jnp.where(over, new, old), fresh, state)
        return state, self.observation(state), reward, terminated, truncated

    def shoot(self, state: GameState, action: jax.Array) -> tuple[GameState, jax.Array, jax.Array, jax.Array]:
        """Shoot at a cell; a game that is over stays as it is and rewards nothing more.

        Returns
        -------
        The next state, the reward, and whether the game is terminated or truncated.
        """
        playing = ~self._over(state)
        here = (jnp.arange(self.board.n_cells) == action) & playing
        hit = jnp.any(here & state.covered & ~state.hits)
        state = state._replace(
            hits=state.hits | (here & state.covered),
            misses=state.misses | (here & ~state.covered),
            shots=state.shots + playing,
        )
        reward = jnp.where(hit, *self.rewards) * playing
        terminated = self._won(state)
        return state, reward, terminated, ~terminated & self._over(state)

    def observation(self, state: GameState) -> jax.Array:
        """Return what the player sees, (2, rows, columns) int8: the hits, then the misses."""
        planes = jnp.stack([state.hits, state.misses]).astype(jnp.int8)
        return planes.reshape(2, self.board.rows, self.board.columns)

    def action_mask(self, state: GameState) -> jax.Array:
        """Return which cells have not been shot at, (n_cells,) bool."""
        return ~(state.hits | state.misses)

    def _begin(self, key: jax.Array) -> GameState:
        key, draw = jax.random.split(key)
        index = jnp.searchsorted(self._limits, jax.random.bits(draw, dtype=jnp.uint32), side="right")
        nothing = jnp.zeros(self.board.n_cells, dtype=bool)
        return GameState(self._boards[index], nothing, nothing, jnp.int32(0), key)

    def _won(self, state: GameState) -> jax.Array:
        return state.hits.sum() == self.board.n_covered

    def _over(self, state: GameState) -> jax.Array:
        return self._won(state) | (state.shots >= self.board.n_cells)
