"""What the results were measured on: enough to judge them, nothing that tells whose machine it is."""

import os
import platform
import subprocess
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

from plan import Plan
from report import NONE
from rows import Row, require, run_row

_PACKAGES = ("numpy", "highspy", "scipy", "cvxpy", "open_spiel", "LiteEFG", "pygambit", "nashpy")
_LARGE_COPY = 512 * 2**20


def describe(plan: Plan) -> Row:
    copy = require(run_row("machine.large_copy", {}, plan))
    version = require(run_row("by_maxmin.version", {}, plan))
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "system": _system(),
        "load": os.getloadavg()[0],
        "copy_bytes_per_second": copy["copy_bytes_per_second"],
        "python": platform.python_version(),
        "maxmin": version["version"],
        "commit": _commit(),
        "packages": {name: _version(name) for name in _PACKAGES},
    }


def large_copy() -> Row:
    """Measure how fast memory that no cache holds is copied."""
    from bandwidth import copy_rate

    return {"copy_bytes_per_second": copy_rate(_LARGE_COPY)}


def show(machine: Row) -> str:
    rate = f"{machine['copy_bytes_per_second'] / 1e9:.1f} GB/s (read and written)"
    packages = ", ".join(f"{name} {version or NONE}" for name, version in machine["packages"].items())
    facts = [
        f"{machine['processor']}, {machine['cores']} cores, {machine['memory_bytes'] / 2**30:.0f} GiB of memory",
        f"one thread copies {rate}; load when the run began: {machine['load']:.1f}",
        f"{machine['system']}, Python {machine['python']}; {packages}",
        f"maxmin {machine['maxmin']}, commit {machine['commit']}, on {machine['date']}",
    ]
    return "\n".join(f"* {fact}" for fact in facts)


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _system() -> str:
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except OSError:
        return f"{platform.system()} {platform.release()}"


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _commit() -> str | None:
    command = ["git", "rev-parse", "--short", "HEAD"]
    try:
        done = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()
