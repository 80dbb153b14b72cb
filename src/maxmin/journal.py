"""`Journal`: what long work has done so far, in a file that survives being killed at any moment.

A text file of JSON lines: the first says which work it is, each other one is an entry. A last line that was cut
short is dropped when the work goes on.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

from maxmin.errors import FileError
from maxmin.files import AnyPath, check_writable, explained, write_atomically


class Journal:
    """A context that keeps entries, each as soon as it is there.

    Parameters
    ----------
    path
        The file; made when there is an entry to keep.
    identity
        What tells this work from other work: plain types.
    what
        Such as "sweep"; for the message.

    Attributes
    ----------
    entries : list
        What was there at the start: plain types.

    Raises
    ------
    FileError
        If the file cannot be read or written, or is of other work.
    """

    def __init__(self, path: AnyPath, identity: Mapping[str, Any], *, what: str) -> None:
        self.path = Path(path)
        self._head = json.dumps(identity)
        self._file: TextIO | None = None
        self.entries = self._read(what)
        check_writable(self.path)

    def __enter__(self) -> "Journal":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    def append(self, entry: Any) -> None:
        """Keep one more entry: plain types."""
        file = self._file or self._open()
        with explained(self.path, "write"):
            file.write(json.dumps(entry) + "\n")
            file.flush()

    def remove(self) -> None:
        """Remove the file: the work is done."""
        self.path.unlink(missing_ok=True)

    def _open(self) -> TextIO:
        """Begin the file, or write it anew without a line that was cut short."""
        lines = [self._head, *map(json.dumps, self.entries)]
        text = "".join(f"{line}\n" for line in lines).encode()
        write_atomically(self.path, lambda file: file.write(text))
        with explained(self.path, "write"):
            self._file = open(self.path, "a", encoding="utf-8")  # noqa: SIM115 - stays open for the whole work
        return self._file

    def _read(self, what: str) -> list[Any]:
        if not self.path.exists():
            return []
        with explained(self.path, "read"):
            lines = self.path.read_text(encoding="utf-8", errors="replace").splitlines()
        if lines and lines[0] != self._head:
            raise FileError(f"{self.path} is left from another {what}: remove it, or save under another name")
        return _complete(lines[1:])


def _complete(lines: list[str]) -> list[Any]:
    """Return what the lines hold; a line that was cut short, and what follows it, is left out."""
    entries = []
    for line in lines:
        try:
            entries.append(json.loads(line))
        except ValueError:
            break
    return entries
