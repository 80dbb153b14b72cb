"""maxmin: what a player or a team can guarantee in a game with hidden information, with proof.

>>> import maxmin
>>> solution = maxmin.solve("kuhn_poker(players=3,ranks=4)", team=(1, 2))
>>> solution.lower <= -1 / 24 <= solution.upper
True

The names below are imported when they are first used, so that ``import maxmin`` costs little.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from maxmin.build import build_tree as build_tree
    from maxmin.communication import full_communication as full_communication
    from maxmin.decision import build_problem as build_problem
    from maxmin.errors import Cancelled as Cancelled
    from maxmin.errors import FileError as FileError
    from maxmin.errors import FormatError as FormatError
    from maxmin.errors import GameError as GameError
    from maxmin.errors import MaxminError as MaxminError
    from maxmin.errors import NotTimeableError as NotTimeableError
    from maxmin.errors import SizeError as SizeError
    from maxmin.errors import SolutionError as SolutionError
    from maxmin.errors import StrategyError as StrategyError
    from maxmin.errors import UnknownNameError as UnknownNameError
    from maxmin.exact import ExactSolution as ExactSolution
    from maxmin.exact import solve_exact as solve_exact
    from maxmin.exact.parametric import ParametricSolution as ParametricSolution
    from maxmin.exact.parametric import solve_parametric as solve_parametric
    from maxmin.exploitability import exploitability as exploitability
    from maxmin.game import DealtGame as DealtGame
    from maxmin.game import Game as Game
    from maxmin.game import check_game as check_game
    from maxmin.games import make_game as make_game
    from maxmin.guts import GutsSolution as GutsSolution
    from maxmin.guts import solve_guts as solve_guts
    from maxmin.matrix import MatrixSolution as MatrixSolution
    from maxmin.matrix import solve_matrix as solve_matrix
    from maxmin.plans import Behavior as Behavior
    from maxmin.plans import PlanMixture as PlanMixture
    from maxmin.price import price as price
    from maxmin.recursive import MatrixState as MatrixState
    from maxmin.recursive import RecursiveGame as RecursiveGame
    from maxmin.recursive import RecursiveSolution as RecursiveSolution
    from maxmin.recursive import fixed_points as fixed_points
    from maxmin.recursive import solve_recursive as solve_recursive
    from maxmin.recursive.game_files import read_recursive as read_recursive
    from maxmin.size_estimate import estimate as estimate
    from maxmin.solve import Solution as Solution
    from maxmin.solve import load_solution as load_solution
    from maxmin.solve import solve as solve
    from maxmin.solve.short_list import short_list as short_list
    from maxmin.sources import load_tree as load_tree
    from maxmin.sources import save_tree as save_tree
    from maxmin.strategy import Strategy as Strategy
    from maxmin.strategy_files import read_strategy as read_strategy
    from maxmin.strategy_files import write_strategy as write_strategy
    from maxmin.sweep import sweep as sweep
    from maxmin.tme import TmeSolution as TmeSolution
    from maxmin.tme import solve_tme as solve_tme
    from maxmin.tree import GameTree as GameTree
    from maxmin.tree_builder import TreeBuilder as TreeBuilder
    from maxmin.verify import Report as Report
    from maxmin.verify import best_response as best_response
    from maxmin.verify import verify as verify

__version__ = "0.1.0"

_HOME = {
    "Behavior": "maxmin.plans",
    "Cancelled": "maxmin.errors",
    "DealtGame": "maxmin.game",
    "ExactSolution": "maxmin.exact",
    "FileError": "maxmin.errors",
    "FormatError": "maxmin.errors",
    "Game": "maxmin.game",
    "GameError": "maxmin.errors",
    "GameTree": "maxmin.tree",
    "GutsSolution": "maxmin.guts",
    "MatrixSolution": "maxmin.matrix",
    "MatrixState": "maxmin.recursive",
    "MaxminError": "maxmin.errors",
    "NotTimeableError": "maxmin.errors",
    "ParametricSolution": "maxmin.exact.parametric",
    "PlanMixture": "maxmin.plans",
    "RecursiveGame": "maxmin.recursive",
    "RecursiveSolution": "maxmin.recursive",
    "Report": "maxmin.verify",
    "SizeError": "maxmin.errors",
    "Solution": "maxmin.solve",
    "SolutionError": "maxmin.errors",
    "Strategy": "maxmin.strategy",
    "StrategyError": "maxmin.errors",
    "TmeSolution": "maxmin.tme",
    "TreeBuilder": "maxmin.tree_builder",
    "UnknownNameError": "maxmin.errors",
    "best_response": "maxmin.verify",
    "build_problem": "maxmin.decision",
    "build_tree": "maxmin.build",
    "check_game": "maxmin.game",
    "estimate": "maxmin.size_estimate",
    "exploitability": "maxmin.exploitability",
    "fixed_points": "maxmin.recursive",
    "full_communication": "maxmin.communication",
    "load_solution": "maxmin.solve",
    "load_tree": "maxmin.sources",
    "make_game": "maxmin.games",
    "price": "maxmin.price",
    "read_recursive": "maxmin.recursive.game_files",
    "read_strategy": "maxmin.strategy_files",
    "save_tree": "maxmin.sources",
    "short_list": "maxmin.solve.short_list",
    "solve": "maxmin.solve",
    "solve_exact": "maxmin.exact",
    "solve_guts": "maxmin.guts",
    "solve_matrix": "maxmin.matrix",
    "solve_parametric": "maxmin.exact.parametric",
    "solve_recursive": "maxmin.recursive",
    "solve_tme": "maxmin.tme",
    "sweep": "maxmin.sweep",
    "verify": "maxmin.verify",
    "write_strategy": "maxmin.strategy_files",
}


class _Package(ModuleType):
    """The package itself: `solve`, `verify`, `exploitability` are the functions, not the modules."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _HOME and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'maxmin' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
