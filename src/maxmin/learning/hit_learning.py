"""Q-learning of the next reward: how likely each cell is a hit, learned from the outcomes of one's own shots.

The value of a shot is its own reward; nothing after it counts (a discount of 0). When a game is over its player has
found all hits, and so knows what every other shot would have been rewarded with: each state of the game teaches the
value of all cells, not only of the one that was shot at. That is the hindsight of M. Andrychowicz et al.,
"Hindsight Experience Replay", NIPS 2017, with cells for goals.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax

from maxmin.learning.episodes import Episodes
from maxmin.learning.symmetric_network import SymmetricNetwork, Weights, scores

MINIBATCH = 2048
"""States."""


class Learner(NamedTuple):
    """Weights, and what the optimizer remembers of its steps."""

    weights: Weights
    memory: Any


def cell_loss(
    weights: Weights, network: SymmetricNetwork, hits: jax.Array, misses: jax.Array, label: jax.Array
) -> jax.Array:
    """Return the cross entropy of a yes or no for each cell, averaged over the cells not yet shot at."""
    logits = scores(network.expand(weights), hits, misses)
    unknown = ~(hits | misses)
    return jnp.sum(optax.sigmoid_binary_cross_entropy(logits, label) * unknown) / jnp.sum(unknown)


def learn_cells(
    learner: Learner,
    network: SymmetricNetwork,
    episodes: Episodes,
    labels: jax.Array,
    key: jax.Array,
    *,
    minibatches: int,
    rate: jax.Array,
) -> tuple[Learner, jax.Array]:
    """Learn what the end of a game said of each cell from the states before; return the mean loss as well.

    Parameters
    ----------
    labels : (games, n_cells) bool
        `Episodes.found` for how likely a cell is a hit; `Episodes.shot` for how likely it will be shot at.
    minibatches
        How many, of `MINIBATCH` states.
    rate
        Adam's learning rate.
    """

    def step(learner: Learner, pick: tuple[jax.Array, jax.Array]) -> tuple[Learner, jax.Array]:
        shot, game = pick
        batch = episodes.hits[shot, game], episodes.misses[shot, game], labels[game]
        loss, gradient = jax.value_and_grad(cell_loss)(learner.weights, network, *batch)
        return adam_step(learner, gradient, rate), loss

    picked = episodes.pick(key, minibatches, MINIBATCH)
    learner, losses = jax.lax.scan(step, learner, picked)
    return learner, losses.mean()


def new_learner(weights: Weights) -> Learner:
    """Return a learner that has not yet made a step."""
    return Learner(weights, optax.scale_by_adam().init(weights))


def adam_step(learner: Learner, gradient: Weights, rate: jax.Array) -> Learner:
    """Make one step of Adam."""
    direction, memory = optax.scale_by_adam().update(gradient, learner.memory)
    return Learner(jax.tree.map(lambda w, d: w - rate * d, learner.weights, direction), memory)
