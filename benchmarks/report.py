"""Results as Markdown: one table a topic; numbers to three figures, "–" where there is none."""

from collections.abc import Iterable, Sequence

from rows import Row

NONE = "–"


def section(title: str, explanation: str, *tables: str) -> str:
    return "\n\n".join([f"## {title}", explanation, *(text for text in tables if text)])


def table(heads: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table; the first column is text, the others numbers. Empty if there are no lines."""
    lines = list(lines)
    if not lines:
        return ""
    rule = ["---", *["---:"] * (len(heads) - 1)]
    return "\n".join("| " + " | ".join(line) + " |" for line in (heads, rule, *lines))


def number(value: float | None) -> str:
    """Return a number to three figures."""
    if value is None:
        return NONE
    if value == 0:
        return "0"
    if 1e-4 <= abs(value) < 1e5:
        digits = max(0, 2 - _magnitude(value))
        return f"{value:,.{digits}f}"
    return f"{value:.2e}"


def _magnitude(value: float) -> int:
    return int(f"{abs(value):.2e}".partition("e")[2])


def count(value: float | None) -> str:
    return NONE if value is None else f"{value:,.0f}"


def megabytes(value: float | None) -> str:
    return NONE if value is None else count(value / 1e6)


def share(value: float | None) -> str:
    return NONE if value is None else f"{100 * value:.0f} %"


def cpu(row: Row, name: str) -> float | None:
    """Return the CPU seconds that a row has under a name, if any."""
    seconds = row.get(name)
    return seconds["cpu"] if seconds else None


def wall(row: Row, name: str) -> float | None:
    """Return the wall-clock seconds that a row has under a name, if any."""
    seconds = row.get(name)
    return seconds["wall"] if seconds else None


def reached(row: Row, gap: float) -> float | None:
    """Return the CPU seconds, construction included, in which a row came down to a relative gap."""
    return cpu(row.get("reached", {}), f"{gap:g}")


def notes(rows: Iterable[Row]) -> str:
    """List the rows that were not measured, and why."""
    return "\n".join(f"* {describe(row)}: {row['status']}" for row in rows if row["status"] != "done")


def describe(row: Row) -> str:
    """Return what a row is of."""
    names = ("game", "team", "package", "method", "format", "process")
    return ", ".join(str(row[name]) for name in names if name in row)
