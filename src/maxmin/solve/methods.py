"""The methods that `solve` takes, by their names, and which of its options go with which."""

from maxmin.errors import MaxminError, UnknownNameError
from maxmin.files import AnyPath, check_writable
from maxmin.limits import check_whole
from maxmin.names import unknown_method
from maxmin.solve.cfr import CFR
from maxmin.solve.cfr_plus import CFR_PLUS
from maxmin.solve.dcfr import DCFR
from maxmin.solve.dcfr_plus import DCFR_PLUS
from maxmin.solve.external_sampling import EXTERNAL_SAMPLING
from maxmin.solve.hyperparameter_schedules import HS_DCFR, HS_PCFR_PLUS
from maxmin.solve.linear_cfr import LINEAR_CFR
from maxmin.solve.linear_program import LP_SOLVERS
from maxmin.solve.minimizer import Minimizer
from maxmin.solve.outcome_sampling import OUTCOME_SAMPLING
from maxmin.solve.pcfr_plus import PCFR_PLUS
from maxmin.solve.pdcfr_plus import PDCFR_PLUS
from maxmin.solve.sampling import Sampler
from maxmin.solve.sapcfr_plus import SAPCFR_PLUS
from maxmin.solve.sapdcfr_plus import SAPDCFR_PLUS
from maxmin.solve.steep_sapcfr_plus import STEEP_SAPCFR_PLUS

MINIMIZERS: dict[str, Minimizer] = {
    minimizer.name: minimizer
    for minimizer in (
        CFR,
        CFR_PLUS,
        LINEAR_CFR,
        DCFR,
        PCFR_PLUS,
        DCFR_PLUS,
        PDCFR_PLUS,
        HS_DCFR,
        HS_PCFR_PLUS,
        SAPCFR_PLUS,
        SAPDCFR_PLUS,
        STEEP_SAPCFR_PLUS,
    )
}
"""The regret minimizers, by the names that `solve` takes."""

SAMPLERS: dict[str, Sampler] = {sampler.name: sampler for sampler in (EXTERNAL_SAMPLING, OUTCOME_SAMPLING)}
"""The regret minimizers that draw what they look at, by the names that `solve` takes."""

METHODS: tuple[str, ...] = (
    "auto",
    *MINIMIZERS,
    *SAMPLERS,
    "lp",
    "restricted_lp",
    "column_generation",
    "double_oracle",
    "dag_column_generation",
    "exact",
)
"""All names that `solve` takes as its method."""


def check_checkpoint(method: str, checkpoint: AnyPath) -> None:
    """Refuse a checkpoint of a method that keeps no state, or one that could not be written."""
    if method != "auto" and method not in MINIMIZERS and method not in SAMPLERS:
        raise MaxminError(f"{method} keeps no state: take another method, or no checkpoint")
    check_writable(checkpoint)


def check_pruning(method: str, checkpoint: AnyPath | None) -> None:
    """Refuse pruning where nothing is to be pruned, or a state is to be kept."""
    if method != "auto" and method not in MINIMIZERS:
        raise MaxminError(f"{method} has nothing to prune: take a regret minimizer, or no pruning")
    if checkpoint is not None:
        raise MaxminError("pruning keeps no state: leave out the pruning, or the checkpoint")


def check_lp_solver(lp_solver: str) -> None:
    """Refuse what is no way to solve a linear program."""
    if lp_solver not in LP_SOLVERS:
        raise UnknownNameError(f"there is no lp_solver {lp_solver!r}; there are {', '.join(LP_SOLVERS)}")


def check_seed(method: str, seed: int | None) -> int | None:
    """Return the seed that a method draws with; None if it draws nothing."""
    if method in SAMPLERS:
        return 0 if seed is None else check_whole("seed", seed, least=0)
    if seed is not None:
        raise MaxminError(f"{method} draws nothing: take another method ({', '.join(SAMPLERS)}), or no seed")
    return None


def check_method(method: str) -> None:
    """Refuse what is no method; the error says which names are near."""
    if method not in METHODS:
        raise unknown_method(method, METHODS)
