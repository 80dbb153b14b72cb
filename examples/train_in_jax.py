"""Policy gradient in a page: 256 games at once in JAX, Optax for the steps, measured exactly over all boards.

The reward is -1 a shot, so that the return is minus the number of shots. A shot is made likelier if the shots from
then on were fewer than usual at that time of the game (REINFORCE, with the batch's mean as the baseline).
"""

import jax
import jax.numpy as jnp
import numpy as np
import optax
from numpy.typing import NDArray

from maxmin.battleship import Board
from maxmin.battleship.evaluate import evaluate
from maxmin.battleship.strategies import make_strategy
from maxmin.learning import BattleshipGames
from maxmin.learning.rewards import EACH_SHOT

GAMES, STEPS = 256, 100
BOARD = Board(4, 4, ["L"])
MOST_STATES = len(BOARD.configurations())
GAME = BattleshipGames(BOARD, rewards=EACH_SHOT)

Weights = list[tuple[jax.Array, jax.Array]]


def new_weights(key: jax.Array) -> Weights:
    sizes = [(2 * BOARD.n_cells, 64), (64, BOARD.n_cells)]
    keys = jax.random.split(key, len(sizes))
    return [
        (jax.random.normal(k, size) / size[0] ** 0.5, jnp.zeros(size[1]))
        for k, size in zip(keys, sizes, strict=True)
    ]


def log_policy(weights: Weights, seen: jax.Array, mask: jax.Array) -> jax.Array:
    """Log probabilities of the cells, from observations (..., 2, rows, columns) and masks (..., n_cells)."""
    (first, bias), (last, last_bias) = weights
    hidden = jnp.tanh(seen.reshape(*mask.shape[:-1], -1) @ first + bias)
    return jax.nn.log_softmax(jnp.where(mask, hidden @ last + last_bias, -1e9))


def play(weights: Weights, key: jax.Array) -> tuple[jax.Array, ...]:
    """Play games to the end: observations, masks, cells and rewards of all shots."""
    states, _ = jax.vmap(GAME.reset)(jax.random.split(key, GAMES))

    def shoot(states, key):
        seen, mask = jax.vmap(GAME.observation)(states), jax.vmap(GAME.action_mask)(states)
        cells = jax.random.categorical(key, log_policy(weights, seen, mask))
        states, rewards, _, _ = jax.vmap(GAME.shoot)(
            states, cells
        )  # a game that is over gives 0 from then on
        return states, (seen, mask, cells, rewards)

    return jax.lax.scan(shoot, states, jax.random.split(key, BOARD.n_cells))[1]


def loss(weights: Weights, seen, mask, cells, rewards) -> jax.Array:
    to_come = jnp.cumsum(rewards[::-1], axis=0)[::-1]
    playing = rewards < 0
    usual = to_come.sum(axis=1, keepdims=True) / jnp.maximum(playing.sum(axis=1, keepdims=True), 1)
    chosen = jnp.take_along_axis(log_policy(weights, seen, mask), cells[..., None], axis=-1)[..., 0]
    return -jnp.sum(chosen * (to_come - usual) * playing) / GAMES


class Learned:
    """The weights as a strategy: the likeliest cell."""

    name = "learned"
    deterministic = True

    def __init__(self, weights: Weights) -> None:
        self.weights = weights

    def choose(self, hits: NDArray[np.bool_], misses: NDArray[np.bool_]) -> NDArray[np.int64]:
        n = len(hits)
        seen = np.zeros(
            (MOST_STATES, 2, BOARD.rows, BOARD.columns), dtype=np.int8
        )  # of one size: compiled once
        seen[:n] = np.stack([hits, misses], axis=1).reshape(n, 2, BOARD.rows, BOARD.columns)
        mask = ~seen.any(axis=1).reshape(MOST_STATES, -1)
        return np.asarray(jax.jit(log_policy)(self.weights, seen, mask).argmax(-1))[:n]


def main() -> None:
    weights = new_weights(jax.random.key(0))
    optimizer = optax.adam(0.02)
    memory = optimizer.init(weights)

    @jax.jit
    def step(weights, memory, key):
        gradient = jax.grad(loss)(weights, *play(weights, key))
        updates, memory = optimizer.update(gradient, memory)
        return optax.apply_updates(weights, updates), memory

    for key in jax.random.split(jax.random.key(1), STEPS):
        weights, memory = step(weights, memory, key)
    for found in evaluate(
        [Learned(weights), *(make_strategy(name, BOARD) for name in ("greedy", "random"))], BOARD
    ):
        print(f"{found.name:8} {found.mean_shots:.3f} shots")


if __name__ == "__main__":
    main()
