"""Success rates: the share of games whose t-th shot hits, strategy by strategy, and what they add up to.

The convention is that of `maxmin.battleship.evaluate`: a game that has ended counts as 0 at later shots. It gives
scores near the paper's 6.030, as hit times that are counted otherwise do not.
"""

from typing import TYPE_CHECKING

import numpy as np

from maxmin.battleship.board import Board
from maxmin.battleship.evaluate import Evaluation
from maxmin.studies.battleship_measures import measured
from maxmin.studies.findings import Findings, Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STRATEGIES = (
    *("random", "hunt-target", "checkerboard", "paper(hits=any)", "paper"),
    *("information", "learned", "greedy", "rollout(nesting=2)"),
)
"""From the simplest to the best; those that choose at random play drawn boards, the others all."""

_SHARES = (0.1, 0.5, 0.9)
_SHOTS_DRAWN = 35


def find() -> Findings:
    """Measure every strategy, shot by shot."""
    found = measured(STRATEGIES, Board())
    return Findings(
        tables=(
            Table(
                "strategies",
                "What each strategy takes",
                (
                    "strategy",
                    "mean shots",
                    "standard error",
                    "score",
                    *(f"{s:.0%} ended by" for s in _SHARES),
                ),
                tuple(
                    (text, one.mean_shots, one.standard_error, one.score, *map(one.shots_of, _SHARES))
                    for text, one in zip(STRATEGIES, found, strict=True)
                ),
            ),
            _by_shot("success", "Success rate: the share of games whose shot hits", found, "success_rate"),
            _by_shot("ended", "The share of games that end with a shot", found, "distribution"),
        ),
        notes=(
            "7 x 7 cells, two L-shaped patterns that may touch at corners only, uniform placement. Standard error "
            "0: exact over all 14,572 boards; else over 10,000 games.",
            "A game that has ended counts as 0. The score weights success rates by 1, 48/49, ..., 1/49 and adds "
            "them up; the paper's reinforcement learner has 6.030.",
        ),
    )


def _by_shot(name: str, title: str, found: list[Evaluation], fact: str) -> Table:
    columns = [getattr(one, fact).tolist() for one in found]
    rows = zip(range(1, len(columns[0]) + 1), *columns, strict=True)
    return Table(name, title, ("shot", *STRATEGIES), tuple(rows))


def draw(findings: Findings) -> "Figure":
    """Draw success rates, and the share of games that are still going on."""
    from matplotlib import colormaps
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 4.2), layout="constrained")
    success, going = figure.subplots(1, 2)
    colors = colormaps["turbo_r"](np.linspace(0.04, 0.94, len(STRATEGIES)))
    for name, color in zip(STRATEGIES, colors, strict=True):
        hits, ended = (
            np.array(findings.table(each).column(name), dtype=float) for each in ("success", "ended")
        )
        success.plot(np.arange(1, len(hits) + 1), hits, label=name, color=color, lw=1.4)
        going.step(
            np.arange(len(ended) + 1), 1 - np.append(0, ended.cumsum()), where="post", color=color, lw=1.4
        )
    success.set(xlabel="shot", ylabel="success rate", xlim=(1, _SHOTS_DRAWN), ylim=(0, None))
    going.set(xlabel="shots", ylabel="share of games still going on", xlim=(8, _SHOTS_DRAWN), ylim=(0, 1))
    going.legend(*success.get_legend_handles_labels(), fontsize=8, loc="lower left")
    for axes in (success, going):
        axes.grid(alpha=0.25)
    return figure
