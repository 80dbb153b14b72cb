"""Reading and writing files: whole or not at all, and one clear sentence when it does not work."""

import contextlib
import json
import os
import stat
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

from maxmin.errors import FileError, FormatError, MaxminError, SizeError

AnyPath: TypeAlias = str | os.PathLike[str]

LARGEST_TEXT = 2**30
"""Text files above this many bytes are refused: their tree would not fit into common memories."""


def read_text(path: AnyPath, *, starts_with: str = "", largest: int = LARGEST_TEXT) -> str:
    """Return the text of a UTF-8 file, without its byte order mark.

    Parameters
    ----------
    path
        The file.
    starts_with
        What the first word must begin with; looked at before the rest is read.
    largest
        Refuse a file of more bytes than this.

    Raises
    ------
    FileError
        If there is no such file, or it is a folder or not readable.
    FormatError
        If it is empty, begins otherwise or is not text.
    SizeError
        If it is too large.
    """
    with explained(path, "read"), open(path, "rb") as file:
        start = file.read(4096)
        if not start.strip():
            raise FormatError(f"{os.fspath(path)}:1:1: the file is empty")
        if not start.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(starts_with.encode()):
            raise FormatError(f"{os.fspath(path)}:1:1: expected {starts_with} at the start of the file")
        size = os.fstat(file.fileno()).st_size
        if size > largest:
            raise SizeError(
                f"{os.fspath(path)} has {size / 2**20:,.0f} MiB; game files above {largest / 2**20:,.0f} MiB "
                "are not read. Write the game as rules in Python instead"
            )
        return decode_text(start + file.read(), os.fspath(path))


def decode_text(data: bytes, file: str) -> str:
    """Decode UTF-8, with or without a byte order mark; `file` names the place in the error."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        column = len(before) - (before.rfind(b"\n") + 1) + 1
        raise FormatError(
            f"{file}:{line}:{column}: byte 0x{data[error.start]:02x} is not UTF-8 text; "
            "this is not a text file, or it must be saved as UTF-8"
        ) from None


def parse_json(text: str, *, number: Callable[[str], Any], error: type[MaxminError]) -> Any:
    """Read JSON that people write: numbers by `number`, NaN and Infinity too, and no name twice in one object.

    Raises
    ------
    MaxminError
        An `error`, if a name is given twice.
    json.JSONDecodeError, RecursionError
        If it is not JSON, or nested too deeply.
    """

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        repeated = [name for name, count in Counter(name for name, _ in pairs).items() if count > 1]
        if repeated:
            raise error(f"{repeated[0]!r} is given twice in one object")
        return dict(pairs)

    return json.loads(
        text, object_pairs_hook=unique, parse_float=number, parse_int=number, parse_constant=number
    )


def write_atomically(path: AnyPath, write: Callable[[BinaryIO], object]) -> None:
    """Let `write` fill a file that appears at `path` whole or not at all.

    The bytes go to a temporary name in the same folder, which is renamed at the end; a device such as
    ``/dev/stdout`` is written to directly.

    Raises
    ------
    FileError
        If the target is a folder, its folder does not exist, or it cannot be written (rights, full disk).
    """
    with explained(path, "write"):
        if os.path.isdir(path):
            raise FileError(f"cannot write {os.fspath(path)}: it is a folder")
        if os.path.exists(path) and not os.path.isfile(path):
            with open(path, "wb") as device:
                write(device)
            return
        target = Path(os.path.realpath(path))
        if not target.parent.is_dir():
            raise FileError(f"cannot write {os.fspath(path)}: there is no folder {target.parent}")
        _replace(target, write)


def check_writable(path: AnyPath) -> None:
    """Refuse a file that cannot be written, before long work rather than after it.

    Raises
    ------
    FileError
        If there is no such folder, it cannot be written to, or the path itself is a folder.
    """
    target = Path(path)
    if target.is_dir():
        raise FileError(f"cannot write {target}: it is a folder; give the name of a file")
    if not target.parent.is_dir():
        raise FileError(f"cannot write {target}: there is no folder {target.parent}")
    if not os.access(target if target.exists() else target.parent, os.W_OK):
        raise FileError(f"cannot write {target}: no permission")


def _replace(target: Path, write: Callable[[BinaryIO], object]) -> None:
    import tempfile

    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:50]}.", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, _mode(target))
        os.replace(name, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def _mode(target: Path) -> int:
    """Return the rights of the file that is replaced, or those that a new file gets."""
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


@contextlib.contextmanager
def explained(path: AnyPath, verb: str) -> Iterator[None]:
    """Turn the errors of the file system into a `FileError` that says ``cannot read PATH: reason``."""
    if "\0" in os.fspath(path):
        raise FileError(f"cannot {verb} {os.fspath(path)!r}: a path has no null character")
    try:
        yield
    except FileNotFoundError as error:
        raise FileError(f"cannot {verb} {os.fspath(path)}: there is no such file{_near(path)}") from error
    except IsADirectoryError as error:
        raise FileError(f"cannot {verb} {os.fspath(path)}: it is a folder") from error
    except OSError as error:
        raise FileError(f"cannot {verb} {os.fspath(path)}: {error.strerror or error}") from error


def _near(path: AnyPath) -> str:
    """Name the files of the same folder whose names are alike."""
    from maxmin.names import nearest

    missing = Path(path)
    with contextlib.suppress(OSError):
        names = [entry.name for entry in os.scandir(missing.parent) if entry.is_file()]
        near = nearest(missing.name, names)
        if near:
            return f"; near it there is {', '.join(str(missing.with_name(name)) for name in near)}"
    return ""
