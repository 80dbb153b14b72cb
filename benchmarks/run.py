"""Run the benchmarks: ``python benchmarks/run.py [--quick] [--only TOPIC] [--out FILE]``; see README.md here."""

import argparse
import json
import sys
from pathlib import Path
from types import ModuleType

import battleship
import formats
import guts
import lp
import machine
import matrix
import rivals
import startup
import teams
from plan import Plan
from report import describe
from rows import Row

_TOPICS: dict[str, ModuleType] = {
    "import": startup,
    "rivals": rivals,
    "lp": lp,
    "formats": formats,
    "teams": teams,
    "matrix": matrix,
    "guts": guts,
    "battleship": battleship,
}
_RESULTS = Path(__file__).parent / "results"


def main() -> None:
    arguments = _parse()
    plan = Plan(quick=arguments.quick)
    names = [arguments.only] if arguments.only else list(_TOPICS)
    out = arguments.out or _RESULTS / ("quick.json" if arguments.quick else f"{arguments.only or 'all'}.json")
    results: Row = {"machine": machine.describe(plan), "quick": plan.quick}
    for name in names:
        results[name] = []
        for row in _TOPICS[name].run(plan):
            results[name].append(row)
            print(f"{name}: {describe(row)}: {row['status']}", file=sys.stderr, flush=True)
            _save(out, results, plan)
    print(out.with_suffix(".md").read_text())


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="maxmin beside other packages; each is skipped where not installed"
    )
    parser.add_argument("--quick", action="store_true", help="only what takes seconds")
    parser.add_argument("--only", choices=_TOPICS, help="one topic")
    parser.add_argument("--out", type=Path, help="where to write the JSON; the Markdown goes beside it")
    return parser.parse_args()


def _save(out: Path, results: Row, plan: Plan) -> None:
    """Write what there is so far, so that a long run that is stopped leaves the rows that it has."""
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(results, indent=1) + "\n")
    sections = [topic.show(results[name], plan) for name, topic in _TOPICS.items() if name in results]
    text = "\n\n".join(["# Benchmarks", machine.show(results["machine"]), *sections])
    out.with_suffix(".md").write_text(text + "\n")


if __name__ == "__main__":
    main()
