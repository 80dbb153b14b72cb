"""`Journal`: entries survive being killed at any byte; other work's files are refused, and left alone."""

import pytest

from maxmin.errors import FileError
from maxmin.journal import Journal

IDENTITY = {"study": "x", "version": "1"}
ENTRIES = [[["3K3", "lp"], {"lower": 0.1}], [["3K4", "lp"], {"lower": None}], [["3K5", "lp"], {}]]


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "x.partial"
    with Journal(path, IDENTITY, what="run") as journal:
        assert journal.entries == []
        for entry in ENTRIES:
            journal.append(entry)
    return path


def test_goes_on(path):
    with Journal(path, IDENTITY, what="run") as journal:
        assert journal.entries == ENTRIES
        journal.append(["more"])
    with Journal(path, IDENTITY, what="run") as journal:
        assert journal.entries == [*ENTRIES, ["more"]]
        journal.remove()
    assert not path.exists()


def test_cut_at_every_byte(path):
    data = path.read_bytes()
    head = data.index(b"\n") + 1
    ends = [head + at + 1 for at, byte in enumerate(data[head:]) if byte == ord("\n")]
    for size in range(head, len(data)):
        path.write_bytes(data[:size])
        with Journal(path, IDENTITY, what="run") as journal:
            whole = sum(end <= size + 1 for end in ends)  # a line whose end alone is missing is whole
            assert journal.entries == ENTRIES[:whole]
            journal.append(["more"])
        with Journal(path, IDENTITY, what="run") as journal:
            assert journal.entries == [*ENTRIES[:whole], ["more"]]


def test_nothing_is_written_before_the_first_entry(tmp_path):
    with Journal(tmp_path / "x", IDENTITY, what="run") as journal:
        journal.remove()
    assert list(tmp_path.iterdir()) == []


def test_an_empty_file_is_a_fresh_start(tmp_path):
    (tmp_path / "x").touch()
    with Journal(tmp_path / "x", IDENTITY, what="run") as journal:
        assert journal.entries == []


@pytest.mark.parametrize("text", ["{}\n", "other\n", '{"study": "x", "version": "2"}\n[1]\n', "\xff\n"])
def test_refuses_other_work(tmp_path, text):
    path = tmp_path / "x"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(FileError, match="x is left from another run: remove it, or"):
        Journal(path, IDENTITY, what="run")
    assert path.read_text(encoding="latin-1") == text


def test_needs_a_folder(tmp_path):
    with pytest.raises(FileError, match="there is no folder"):
        Journal(tmp_path / "none" / "x", IDENTITY, what="run")
