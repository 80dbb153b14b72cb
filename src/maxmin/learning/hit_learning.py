"""Q-learning of the next reward: how likely each cell is a hit, learned from the outcomes of one's own shots.

The value of a shot is its own reward; nothing after it counts (a discount of 0). When a game is over its player has
found all hits, and so knows what every other shot would have been rewarded with: each state of the game teaches the
value of all cells, not only of the one that was shot at. That is the hindsight of M. Andrychowicz et al.,
"Hindsight Experience Replay", NIPS 2017, with cells for goals.

One game says little, so steps are noisy; what is learned is an average of the weights over the latest steps, those
of the last fifth above all: O. Shamir and T. Zhang, "Stochastic Gradient Descent for Non-smooth Optimization", ICML
2013, section 4.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax

from maxmin.learning.episodes import Episodes
from maxmin.learning.symmetric_network import SymmetricNetwork, Weights, scores

MINIBATCH = 512
"""States."""


_LATEST = 4
"""Shamir and Zhang's eta: a weighted mean over about the last 1 / (eta + 1) of all steps."""


class Learner(NamedTuple):
    """Weights, what the optimizer remembers of its steps, and the average of the weights over the latest."""

    weights: Weights
    memory: Any
    average: Weights


def new_learner(weights: Weights) -> Learner:
    """Return a learner that has not yet made a step."""
    return Learner(weights, optax.scale_by_adam().init(weights), weights)


def learn_hits(
    learner: Learner,
    network: SymmetricNetwork,
    episodes: Episodes,
    key: jax.Array,
    *,
    minibatches: int,
    rate: jax.Array,
) -> tuple[Learner, jax.Array]:
    """Learn from states picked at random where the hits turned out to be; return the mean loss as well.

    Parameters
    ----------
    minibatches
        How many, of `MINIBATCH` states.
    rate
        Adam's learning rate.
    """

    def step(learner: Learner, picked: tuple[jax.Array, jax.Array]) -> tuple[Learner, jax.Array]:
        shot, game = picked
        batch = episodes.hits[shot, game], episodes.misses[shot, game], episodes.found[game]
        loss, gradient = jax.value_and_grad(hit_loss)(learner.weights, network, *batch)
        direction, memory = optax.scale_by_adam().update(gradient, learner.memory)
        weights = jax.tree.map(lambda weight, slope: weight - rate * slope, learner.weights, direction)
        share = (_LATEST + 1) / (memory.count + _LATEST)
        return Learner(weights, memory, optax.incremental_update(weights, learner.average, share)), loss

    picked = episodes.pick(key, minibatches, MINIBATCH)
    learner, losses = jax.lax.scan(step, learner, picked)
    return learner, losses.mean()


def hit_loss(
    weights: Weights, network: SymmetricNetwork, hits: jax.Array, misses: jax.Array, found: jax.Array
) -> jax.Array:
    """Return the cross entropy of the predicted hits, in nats a cell, over the cells not yet shot at."""
    logits = scores(network.expand(weights), hits, misses)
    unknown = ~(hits | misses)
    return jnp.sum(optax.sigmoid_binary_cross_entropy(logits, found) * unknown) / jnp.sum(unknown)
