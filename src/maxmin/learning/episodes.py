"""Whole games, thousands at once, by a network that shoots at random: the likelier, the higher a cell's score."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from maxmin.learning.jax_environment import BattleshipGames
from maxmin.learning.symmetric_network import Layers, scores


class Episodes(NamedTuple):
    """What a player saw in a batch of games. Axes: shot, game, cell.

    Attributes
    ----------
    hits, misses : (n_cells, games, n_cells) bool
        What had been seen before each shot.
    played : (n_cells, games) bool
        Whether there was such a shot.
    found : (games, n_cells) bool
        Where the hits were, known when the game is over.
    """

    hits: jax.Array
    misses: jax.Array
    played: jax.Array
    found: jax.Array

    def pick(self, key: jax.Array, n: int, minibatch: int) -> tuple[jax.Array, jax.Array]:
        """Pick states at random, none twice: their shots and games, (n, minibatch) each.

        Only if there are too few states before a shot, others are picked too: those of games that are over.
        """
        order = jnp.where(self.played, jax.random.uniform(key, self.played.shape), 2.0)
        picked = jnp.argsort(order.ravel())[: n * minibatch].reshape(n, minibatch)
        return jnp.divmod(picked, self.played.shape[1])


def play(games: BattleshipGames, layers: Layers, sharpness: float, key: jax.Array, n: int) -> Episodes:
    """Play n games to the end; a cell is shot at in proportion to exp(sharpness times its score)."""
    n_cells = games.board.n_cells
    states, _ = jax.vmap(games.reset)(jax.random.split(key, n))
    nothing = jnp.zeros((n_cells, n, n_cells), dtype=bool)
    record = (nothing, nothing, jnp.zeros((n_cells, n), dtype=bool))

    def shoot(carry: tuple[Any, ...]) -> tuple[Any, ...]:
        time, states, over, record = carry
        sharp = sharpness * scores(layers, states.hits, states.misses)
        allowed = jax.vmap(games.action_mask)(states)
        cells = jax.random.categorical(jax.random.fold_in(key, time), jnp.where(allowed, sharp, -jnp.inf))
        now = (states.hits, states.misses, ~over)
        record = tuple(all_.at[time].set(one) for all_, one in zip(record, now, strict=True))
        states, _, over, _ = jax.vmap(games.shoot)(states, cells)
        return time + 1, states, over, record

    def going_on(carry: tuple[Any, ...]) -> jax.Array:
        return ~jnp.all(carry[2])

    start = (0, states, jnp.zeros(n, dtype=bool), record)
    _, states, _, record = jax.lax.while_loop(going_on, shoot, start)
    return Episodes(*record, states.hits)
