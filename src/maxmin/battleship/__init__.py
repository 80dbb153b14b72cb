"""Battleship: patterns are hidden on a board, and whoever searches wants to uncover them in few shots.

A player shoots at one cell after another and is truthfully told hit or miss; the game ends when every cell of every
pattern is hit. The default `Board` is the task of L. Clementis, "Study of Game Strategy Emergence by Using Neural
Networks": 7 x 7 cells, two L-shaped patterns that may touch at corners only.
"""

from maxmin.battleship.board import Board, Configurations
from maxmin.battleship.evaluate import Evaluation, evaluate
from maxmin.battleship.patterns import Pattern, parse_pattern
from maxmin.battleship.posterior import Posterior, Tracker, posterior, posteriors
from maxmin.battleship.render import draw_posterior, render, render_posterior
from maxmin.battleship.state import State
from maxmin.battleship.strategies import Strategy, from_function, make_strategy

__all__ = [
    "Board",
    "Configurations",
    "Evaluation",
    "Pattern",
    "Posterior",
    "State",
    "Strategy",
    "Tracker",
    "draw_posterior",
    "evaluate",
    "from_function",
    "make_strategy",
    "parse_pattern",
    "posterior",
    "posteriors",
    "render",
    "render_posterior",
]
