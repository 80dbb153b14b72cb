"""Battleship: patterns are hidden on a board, and whoever searches wants to uncover them in few shots.

A player shoots at one cell after another and is truthfully told hit or miss; the game ends when every cell of every
pattern is hit. The default `Board` is the task of L. Clementis, "Study of Game Strategy Emergence by Using Neural
Networks": 7 x 7 cells, two L-shaped patterns that may touch at corners only.
"""

from maxmin.battleship.board import Board, Configurations
from maxmin.battleship.patterns import Pattern, parse_pattern
from maxmin.battleship.state import State

__all__ = ["Board", "Configurations", "Pattern", "State", "parse_pattern"]
