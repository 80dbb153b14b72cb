"""Learning to search a hidden board: the paper's network and modern ones, and environments for any other learner.

Learned policies are played with NumPy alone. Training and environments need the extra ``learn``
(``pip install 'maxmin[learn]'``); the names below are imported when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from maxmin.errors import MaxminError

if TYPE_CHECKING:
    from maxmin.learning.candidate_network import CandidateNetwork as CandidateNetwork
    from maxmin.learning.environment import BattleshipEnv as BattleshipEnv
    from maxmin.learning.jax_environment import BattleshipGames as BattleshipGames
    from maxmin.learning.policy_files import Policy as Policy
    from maxmin.learning.policy_files import load_policy as load_policy
    from maxmin.learning.policy_files import save_policy as save_policy
    from maxmin.learning.policy_files import shipped_policy as shipped_policy
    from maxmin.learning.symmetric_network import SymmetricNetwork as SymmetricNetwork

_HOME = {
    "BattleshipEnv": "environment",
    "BattleshipGames": "jax_environment",
    "CandidateNetwork": "candidate_network",
    "Policy": "policy_files",
    "SymmetricNetwork": "symmetric_network",
    "load_policy": "policy_files",
    "save_policy": "policy_files",
    "shipped_policy": "policy_files",
}

EXTRA = ("jax", "optax", "gymnasium")
"""Packages of the extra ``learn``."""


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'maxmin.learning' has no attribute {name!r}")
    try:
        module = import_module(f"maxmin.learning.{_HOME[name]}")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in EXTRA:
            raise
        raise MaxminError(f"learning needs the package {error.name}: pip install 'maxmin[learn]'") from None
    value = getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
