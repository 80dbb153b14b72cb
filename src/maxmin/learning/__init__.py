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
    from maxmin.learning.paper_network import Adaptation as Adaptation
    from maxmin.learning.paper_runs import Runs as Runs
    from maxmin.learning.paper_runs import train_runs as train_runs
    from maxmin.learning.policy_files import Policy as Policy
    from maxmin.learning.policy_files import load_policy as load_policy
    from maxmin.learning.policy_files import save_policy as save_policy
    from maxmin.learning.policy_files import shipped_policy as shipped_policy
    from maxmin.learning.reinforcement import train_reinforcement as train_reinforcement
    from maxmin.learning.supervised import train_supervised as train_supervised
    from maxmin.learning.symmetric_network import SymmetricNetwork as SymmetricNetwork

_HOME = {
    "Adaptation": "paper_network",
    "BattleshipEnv": "environment",
    "BattleshipGames": "jax_environment",
    "CandidateNetwork": "candidate_network",
    "Policy": "policy_files",
    "Runs": "paper_runs",
    "SymmetricNetwork": "symmetric_network",
    "load_policy": "policy_files",
    "save_policy": "policy_files",
    "shipped_policy": "policy_files",
    "train_reinforcement": "reinforcement",
    "train_runs": "paper_runs",
    "train_supervised": "supervised",
}

_EXTRA = ("jax", "optax", "gymnasium")


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'maxmin.learning' has no attribute {name!r}")
    try:
        module = import_module(f"maxmin.learning.{_HOME[name]}")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _EXTRA:
            raise
        raise MaxminError(f"learning needs the package {error.name}: pip install 'maxmin[learn]'") from None
    value = getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
