"""Rows by LiteEFG: its regret minimizers on a ``.game`` file, averaged as its own scripts do."""

from dataclasses import dataclass, field
from types import ModuleType

import LiteEFG
from clock import Clock, converge
from LiteEFG.baselines import CFR, DCFR, PCFR, CFRplus
from rows import Row


@dataclass(frozen=True)
class _Method:
    """A graph of LiteEFG, which of its strategies to take, and how that is averaged."""

    module: ModuleType
    average: str
    strategy: dict[str, str] = field(default_factory=dict)


_METHODS = {
    "CFR": _Method(CFR, "avg-iterate"),
    "CFR+": _Method(CFRplus, "linear-avg-iterate"),
    "PCFR+": _Method(PCFR, "linear-avg-iterate"),
    "DCFR": _Method(DCFR, "last-iterate", {"type_name": "average-iterate"}),
}


def regret(*, file: str, method: str, payoff_range: float, gaps: list[float], seconds: float) -> Row:
    """Time one method; the criterion is the sum of the players' gains by deviating over the payoff range."""
    LiteEFG.set_threads(1)
    chosen = _METHODS[method]
    clock = Clock()
    with clock:
        environment = LiteEFG.FileEnv(file)
        graph = chosen.module.graph()
        environment.set_graph(graph)
    build = clock.seconds()
    strategy = graph.current_strategy(**chosen.strategy)

    def advance() -> None:
        graph.update_graph(environment)
        environment.update_strategy(strategy)

    def relative_gap() -> float:
        return float(sum(environment.exploitability(strategy, chosen.average))) / payoff_range

    return {"build": build, **converge(advance, relative_gap, clock, gaps=gaps, seconds=seconds)}
