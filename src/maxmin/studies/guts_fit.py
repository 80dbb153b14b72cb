"""Figure 3: a rational function fitted to the values of small coalitions, and where they really go.

The paper fits a rational function to N = 2..15 of the reduced game and reads off the asymptote. Which one is not
said where we could read it; (a N + b) / (N + c), the simplest with an asymptote, gives its figures. Here the limit
is known (`maxmin.guts.limit`), so that the fit can be judged.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from maxmin.guts import solve_limit
from maxmin.studies.findings import Cell, Findings, Table
from maxmin.studies.guts_solved import ABOUT_FIGURES, COALITIONS, FINE, minus, on_grid, without_grid
from maxmin.tree import Floats

if TYPE_CHECKING:
    from matplotlib.figure import Figure

R_SQUARED, ASYMPTOTE = 0.9991, -0.16
"""The paper's."""

_C = -1.0, 50.0
"""Where c is looked for."""
_THIRDS = 80
_TICKS = (1, 2, 5, 15, 50, 200, 1000)
_SMALL = tuple(range(2, 101))
_CURVE = (1, *COALITIONS, 20, 30, 50, 100, 200, 300, 500, 1000)


class Fit(NamedTuple):
    """The function (a N + b) / (N + c), and the share of the variance that it explains."""

    a: float
    b: float
    c: float
    r_squared: float

    def __call__(self, players: float) -> float:
        """Return the fitted value for a coalition."""
        return (self.a * players + self.b) / (players + self.c)


def fit(players: Iterable[int], values: Iterable[float]) -> Fit:
    """Fit by least squares: linear in a and b for each c, and c by ternary search."""
    n, y = np.array([*players], dtype=float), np.array([*values])
    low, high = _C
    for _ in range(_THIRDS):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, right) if _best(n, y, left)[1] < _best(n, y, right)[1] else (left, high)
    (a, b), error = _best(n, y, low)
    return Fit(float(a), float(b), low, 1 - error / float(((y - y.mean()) ** 2).sum()))


def _best(n: Floats, y: Floats, c: float) -> tuple[Floats, float]:
    """Return a and b for a given c, and the sum of the squared errors."""
    terms = np.column_stack([n, np.ones_like(n)]) / (n + c)[:, None]
    found = np.asarray(np.linalg.lstsq(terms, y, rcond=None)[0], dtype=np.float64)
    return found, float(((terms @ found - y) ** 2).sum())


def find() -> Findings:
    """Fit the values on the grid and without one; compare with the exact values and their limit."""
    reduced = fit(COALITIONS, (on_grid(n, reduced=True).repeated.value for n in COALITIONS))
    full = fit(COALITIONS, (on_grid(n).repeated.value for n in COALITIONS))
    continuum = fit(COALITIONS, (without_grid(n).repeated.value for n in COALITIONS))
    longer = fit(_SMALL, (without_grid(n).repeated.value for n in _SMALL))
    limit = solve_limit().repeated.value
    rows = (
        ("paper", None, None, None, R_SQUARED, ASYMPTOTE, None),
        _row(f"N = 2..15, {FINE} points, reduced", reduced),
        _row(f"N = 2..15, {FINE} points, full", full),
        _row("N = 2..15, no grid", continuum),
        _row("N = 2..100, no grid", longer),
        ("exact", None, None, None, None, limit, 0.0),
    )
    columns = ("fit to", "a", "b", "c", "r squared", "asymptote", "at N = 1")
    return Findings(
        tables=(
            Table("fits", "Repeated value = (a N + b) / (N + c), by least squares", columns, rows),
            Table(
                "curve",
                "The fit to the reduced game, and exact values",
                ("N", "fitted", "reduced", "exact", "fitted - exact"),
                tuple(_compare(n, reduced) for n in _CURVE),
            ),
        ),
        notes=(
            "Exact are the limit from its own equations, and the values without a grid, bounds proved.",
            f"About 16 % of an ante is right; more digits of a fit are not: the limit is {-limit:.6f}.",
            ABOUT_FIGURES,
        ),
    )


def _row(name: str, found: Fit) -> tuple[Cell, ...]:
    return name, found.a, found.b, found.c, found.r_squared, found.a, found(1)


def _compare(players: int, found: Fit) -> tuple[Cell, ...]:
    exact = without_grid(players).repeated.value
    reduced = on_grid(players, reduced=True).repeated.value if players in COALITIONS else None
    return players, found(players), reduced, exact, found(players) - exact


def draw(findings: Findings) -> "Figure":
    """Draw the fit through the values, and how far it is from the exact ones."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.9), layout="constrained")
    values, errors = figure.subplots(1, 2)
    n, _, reduced, exact, _ = np.array(findings.table("curve").rows, dtype=float).T
    _, a, b, c, r_squared, _, _ = findings.table("fits").rows[1]
    found = Fit(*map(float, (a, b, c, r_squared)))  # type: ignore[arg-type]
    many = np.geomspace(1, 1000, 200)
    fitted = np.array([found(one) for one in many.tolist()])
    limit = solve_limit().repeated.value
    values.semilogx(
        many, fitted, "C3-", label=f"({minus(f'{found.a:.4f}')} N + {found.b:.4f}) / (N + {found.c:.2f})"
    )
    values.plot(n, exact, "k.-", lw=0.8, label="exact, no grid")
    values.plot(n, reduced, "C3o", ms=5, mfc="none", label=f"reduced, {FINE} points: fitted")
    for end, color, above in ((limit, "k", 3), (found.a, "C3", -10)):
        values.axhline(end, color=color, lw=0.8, ls=":")
        words = f"N → ∞: {minus(f'{end:.4f}')}"
        values.annotate(words, (1, end), (0, above), textcoords="offset points", color=color, fontsize=8)
    values.set(
        title=f"A fit with r² = {found.r_squared:.5f}", ylabel="value for player 1, antes", ylim=(-0.18, 0.03)
    )
    values.legend(loc="upper right", fontsize=8)
    errors.semilogx(n, 1000 * np.array([found(one) for one in n.tolist()]) - 1000 * exact, "C3.-")
    errors.axhline(0, color="black", lw=0.8)
    errors.axvspan(2, 15, color="C3", alpha=0.1, label="fitted here")
    errors.set(title="The fit less the exact value", ylabel="thousandths of an ante")
    errors.legend(loc="upper right", fontsize=8)
    for axes in (values, errors):
        axes.set(xlabel="N, players of the coalition")
        axes.set_xticks(_TICKS, labels=map(str, _TICKS))
    return figure
