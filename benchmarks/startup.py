"""Whole processes, from start to end: importing, and one command."""

import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator

from plan import Plan
from report import number, section, table
from rows import Row

_PROCESSES = {
    "python, nothing": ["-c", ""],
    "import numpy": ["-c", "import numpy"],
    "import maxmin": ["-c", "import maxmin"],
    "from maxmin import solve": ["-c", "from maxmin import solve"],
    "maxmin --version": ["-m", "maxmin", "--version"],
    "maxmin solve 3L133 --team 1,2": ["-m", "maxmin", "solve", "3L133", "--team", "1,2"],
    "the same with --gap 2e-3 --quiet": [
        "-m",
        "maxmin",
        "solve",
        "3L133",
        "--team",
        "1,2",
        "--gap",
        "2e-3",
        "--quiet",
    ],
}


def run(plan: Plan) -> Iterator[Row]:
    """Run each process several times, in turn, and keep the middle and the least."""
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in _PROCESSES}
    for _ in range(3 if plan.quick else 15):
        for name, arguments in _PROCESSES.items():
            times[name].append(_time([sys.executable, *arguments]))
    for name, measured in times.items():
        yield {"process": name, "status": "done", **_summary(measured)}


def _time(command: list[str]) -> tuple[float, float]:
    """Return the CPU and wall-clock seconds of a process and its children."""
    before, start = _children(), time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    wall = time.perf_counter() - start
    return _children() - before, wall


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _summary(measured: list[tuple[float, float]]) -> Row:
    cpu, wall = zip(*measured, strict=True)
    middle = {"cpu": statistics.median(cpu), "wall": statistics.median(wall)}
    return {"middle": middle, "least": {"cpu": min(cpu), "wall": min(wall)}, "times": len(measured)}


def show(rows: list[Row], plan: Plan) -> str:
    heads = ["process", "middle: CPU s", "wall s", "least: CPU s", "wall s"]
    lines = [
        [
            row["process"],
            *[number(row[which][kind]) for which in ("middle", "least") for kind in ("cpu", "wall")],
        ]
        for row in rows
    ]
    text = "Seconds from the start of a process to its end; `import maxmin` is to be compared with `import numpy`."
    return section("Start-up", text, table(heads, lines))
