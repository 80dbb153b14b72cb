"""Studies: the tables and figures of papers, computed anew; one file each.

A study's module has ``find() -> Findings`` and, if there is something to draw, ``draw(findings) -> Figure``. One
that takes minutes has ``find(run: LongRun)``, and goes on where it was interrupted (`maxmin.studies.long_run`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING

from maxmin.errors import UnknownNameError
from maxmin.names import nearest

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from maxmin.studies.findings import Findings
    from maxmin.studies.long_run import LongRun

__all__ = ["STUDIES", "Study", "find_study"]


@dataclass(frozen=True, slots=True)
class Study:
    """A table or figure of a paper.

    Attributes
    ----------
    name : str
        What the command line calls it; its module has the same name, with underscores.
    shows : str
        Which table or figure it is; "beyond the paper" if it has none.
    title : str
        One line.
    long : bool
        Whether it goes through many games, for minutes.
    """

    name: str
    shows: str
    title: str
    long: bool = False

    def find(self, run: "LongRun | None" = None) -> "Findings":
        """Compute the tables; `run` says how a long study goes on."""
        from maxmin.studies.long_run import LongRun

        findings: Findings = self._module.find(run or LongRun()) if self.long else self._module.find()
        return findings

    def draw(self, findings: "Findings") -> "Figure | None":
        """Draw the figure, if the study has one."""
        figure: Figure | None = self._module.draw(findings) if hasattr(self._module, "draw") else None
        return figure

    @property
    def _module(self) -> ModuleType:
        return import_module(f"maxmin.studies.{self.name.replace('-', '_')}")


_CHEATING = (
    Study("cheating-fair", "tables I, II", "Kuhn poker, both players fair: the optimal strategies"),
    Study("cheating-deals", "tables III-VII", "What each deal wins, fair and with one or two cheats"),
    Study(
        "cheating-nonadaptive",
        "section on cheats not known of",
        "A cheat against a player who does not adapt",
    ),
    Study(
        "cheating-surface", "figure 6", "The value over both players' probabilities of cheating, in patches"
    ),
    Study("cheating-detection", "figure 7", "Two cheats: the value over the probabilities of checking"),
    Study("cheating-claims", "the claims of the text", "Each claim, under which readings it holds, exactly"),
    Study(
        "cheating-choice", "beyond the paper", "Cheating as a choice: how often one must check to deter it"
    ),
    Study(
        "cheating-games",
        "beyond the paper",
        "Cheats in Kuhn poker with more ranks, in Leduc poker, and in a team",
    ),
)

_GUTS = (
    Study(
        "guts-one-v-two",
        "figure 1, our choice",
        "Guts, one against two: strategies, and the way to the value",
    ),
    Study(
        "guts-coalitions", "figure 2, our choice", "Guts: coalitions of all sizes, on grids and without one"
    ),
    Study("guts-fit", "figure 3, our choice", "Guts: a rational fit to the values, and their limit"),
    Study("guts-table", "table 1", "Guts, one against 2 to 15: values, bounds and strategies"),
    Study("guts-two-v-two", "the 2 v 2 game", "Guts, two against two: worth 0, and how it is played"),
    Study("guts-times", "run times", "Guts: run times then and now"),
    Study("guts-claims", "the claims of the text", "Guts: each claim, whether it holds, and our figures"),
    Study(
        "guts-cards", "beyond the paper", "Guts with two cards of a deck, the weenie rule, games with chips"
    ),
    Study("guts-asynchronous", "beyond the paper", "Guts: members of a coalition who mix each on their own"),
)

_BATTLESHIP = (
    Study("battleship-heuristic", "tables 1, 2", "Battleship: the probability heuristic, and its readings"),
    Study("battleship-curves", "success rates", "Battleship: every strategy, shot by shot"),
    Study("battleship-comparison", "results", "Battleship: people, networks, search, and the proven bound"),
    Study("battleship-learning", "adaptation", "Battleship: the paper's network as it learns, run by run"),
    Study("battleship-boards", "beyond the paper", "Battleship: two strategies on the same boards"),
    Study(
        "battleship-placement",
        "beyond the paper",
        "Battleship: what it matters where boards come from, and what may touch",
    ),
    Study("battleship-hider", "beyond the paper", "Battleship: what a hider who draws boards gives away"),
)

_TEAMS = (
    Study("team-table1", "table 1", "Team games: sizes, values, and times by every method", long=True),
    Study(
        "team-minimizers",
        "the appendix",
        "Team games: every regret minimizer, to four relative gaps",
        long=True,
    ),
    Study(
        "team-sampling",
        "the first open question",
        "Team games: Monte Carlo against the full traversal, in seconds and in edges",
        long=True,
    ),
    Study(
        "team-price",
        "beyond the paper",
        "Team games: what it is worth to draw together, and to talk",
        long=True,
    ),
)

STUDIES: Mapping[str, Study] = MappingProxyType(
    {study.name: study for study in (*_CHEATING, *_GUTS, *_BATTLESHIP, *_TEAMS)}
)
"""All studies by name, paper by paper.

Of cheating in Kuhn poker: Metzner and Zwillinger 2020, arXiv 2011.04450. Of guts poker: arXiv 2208.02788. Of
Battleship: L. Clementis, "Study of Game Strategy Emergence by Using Neural Networks". Of team games: Zhang, Farina
and Sandholm, ICML 2023, arXiv 2202.00789.
"""


def find_study(name: str) -> Study:
    """Return a study by its name.

    Raises
    ------
    UnknownNameError
        If there is none; the message lists the nearest.
    """
    if name in STUDIES:
        return STUDIES[name]
    near = nearest(name, STUDIES, most=2)
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(STUDIES)}"
    raise UnknownNameError(f"there is no study {name!r}; {hint}")
