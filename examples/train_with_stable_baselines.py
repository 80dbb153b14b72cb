"""Train with a standard library: maskable PPO of stable-baselines3, measured exactly over all boards.

Needs ``pip install 'maxmin[learn]' sb3-contrib``, which brings PyTorch. Random shots take 20.8; 20,000 steps bring
it to 14.5, more steps bring more.
"""

import gymnasium
import numpy as np
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO

import maxmin.learning.environment  # noqa: F401 - registers maxmin/Battleship-v0
from maxmin.battleship import Board
from maxmin.battleship.evaluate import evaluate
from maxmin.battleship.strategies import make_strategy
from maxmin.learning.rewards import EACH_SHOT

STEPS = 20_000


class Trained:
    """A trained model as a strategy, so that `evaluate` can measure it."""

    name = "maskable PPO"
    deterministic = True

    def __init__(self, model: MaskablePPO, board: Board) -> None:
        self.model, self.board = model, board

    def choose(self, hits: NDArray[np.bool_], misses: NDArray[np.bool_]) -> NDArray[np.int64]:
        seen = np.stack([hits, misses], axis=1).reshape(-1, 2, self.board.rows, self.board.columns)
        cells, _ = self.model.predict(seen.astype(np.int8), deterministic=True, action_masks=~(hits | misses))
        return cells


def main() -> None:
    board = Board(5, 5, ["L"])
    environment = gymnasium.make("maxmin/Battleship-v0", board=board, rewards=EACH_SHOT)
    model = MaskablePPO("MlpPolicy", environment, n_steps=2048, gamma=1.0, ent_coef=0.01, seed=0)
    model.learn(STEPS)
    strategies = [Trained(model, board), make_strategy("greedy", board), make_strategy("random", board)]
    for found in evaluate(strategies, board):
        print(f"{found.name:14} {found.mean_shots:.3f} shots")


if __name__ == "__main__":
    main()
