"""`Report`: what the checker found, check by check."""

from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias

Status: TypeAlias = Literal["ok", "failed", "not checked"]


@dataclass(frozen=True)
class Check:
    """One thing that was looked at.

    Attributes
    ----------
    name : str
    status : "ok", "failed" or "not checked"
    detail : str
        What was found, in words.
    """

    name: str
    status: Status
    detail: str


@dataclass(frozen=True)
class Report:
    """What checking a solution found.

    Attributes
    ----------
    ok : bool
        No check failed. Some may not have been possible: see `checks`.
    checks : tuple of Check
    lower : float or None
        What the stored strategy of the team guarantees at least, recomputed: proved, payoff units.
    upper : float or None
        What the stored strategy of the others lets the team get at most, recomputed: proved, payoff units.
    seconds : float
    """

    ok: bool
    checks: tuple[Check, ...]
    lower: float | None
    upper: float | None
    seconds: float

    def __str__(self) -> str:
        return "\n".join(f"{check.status}: {check.name}: {check.detail}" for check in self.checks)

    def to_json(self) -> dict[str, Any]:
        """Return the fields as ``json.dumps`` takes them."""
        return {**asdict(self), "checks": [asdict(check) for check in self.checks]}
