"""Archives: what is written comes back; whatever is damaged is refused in one sentence."""

import io
import json
import zipfile

import numpy as np
import pytest

from maxmin.archive import read_archive, write_archive
from maxmin.errors import FileError, MaxminError, SolutionError

HEADER = {"format": "test", "format_version": 3, "value": -1 / 18, "text": "ä→\n", "list": [1, [2.5, None]]}
ARRAYS = {
    "ints": np.arange(7, dtype=np.int32),
    "floats": np.array([[0.1, -np.inf], [5e-324, 1e308]]),
    "nothing": np.empty(0, dtype=np.int16),
    "number": np.array(2.5),
}


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "archive.npz"
    write_archive(path, HEADER, ARRAYS)
    return path


def test_round_trip(path):
    header, arrays = read_archive(path, "test", 3)
    assert header == HEADER
    assert arrays.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype
        assert arrays[name].shape == array.shape
        assert arrays[name].tobytes() == array.tobytes()


def test_numpy_reads_it_by_itself(path):
    with np.load(path, allow_pickle=False) as archive:
        np.testing.assert_array_equal(archive["ints"], ARRAYS["ints"])
        assert json.loads(str(archive["header"])) == HEADER


@pytest.mark.parametrize(
    ("kind", "version", "what"),
    [("other", 3, "is not a other"), ("test", 4, "has format version 3; this maxmin reads version 4")],
)
def test_other_kinds_and_versions_are_refused(path, kind, version, what):
    with pytest.raises(SolutionError, match=what):
        read_archive(path, kind, version)


def refused(path, data: bytes) -> bool:
    """Say whether damaged bytes are refused; any other error than ours fails the test."""
    path.write_bytes(data)
    try:
        header, arrays = read_archive(path, "test", 3)
    except MaxminError as error:
        message = str(error)
        return str(path) in message and "\n" not in message
    assert header["format"] == "test"
    assert isinstance(arrays, dict)
    return False


def test_cuts_are_refused(path):
    whole = path.read_bytes()
    assert all(refused(path, whole[:length]) for length in range(0, len(whole), 5))
    assert refused(path, whole[:-1])
    assert not refused(path, whole)


def test_flipped_bits_are_refused_or_harmless(path):
    """Nothing but our own errors may come out; the archive's checksums catch what matters."""
    whole = path.read_bytes()
    rng = np.random.default_rng(1)
    count = 0
    for index in range(0, len(whole), 5):
        data = bytearray(whole)
        data[index] ^= 1 << int(rng.integers(8))
        count += refused(path, bytes(data))
    assert count > len(whole) / 10


def archive_of(**members: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in members.items():
            archive.writestr(f"{name}.npy", data)
    return file.getvalue()


def npy(array) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def npy_claiming(shape: str) -> bytes:
    text = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode() + bytes(64)


GOOD = npy(np.array(json.dumps(HEADER)))


@pytest.mark.parametrize(
    "data",
    [
        npy(np.arange(3)),  # a bare array
        archive_of(header=npy(np.array("no json"))),
        archive_of(header=npy(np.array("[" * 100_000))),
        archive_of(header=npy(np.array("[1, 2]"))),
        archive_of(header=npy(np.array('"test"'))),
        archive_of(header=npy(np.arange(3))),
        archive_of(ints=npy(np.arange(3))),
        archive_of(header=GOOD, objects=npy(np.array([{}, []], dtype=object))),  # a pickle
        archive_of(header=GOOD, ints=npy_claiming("(1 << 60,)")),
        archive_of(header=GOOD, ints=npy_claiming(f"({2**55},)")),
        archive_of(header=GOOD, ints=npy_claiming("(-3,)")),
        archive_of(header=GOOD, ints=npy_claiming("((")),
        archive_of(header=GOOD, ints=npy_claiming("'''")),
        archive_of(header=GOOD, ints=b"\x93NUMPY\x09\x00"),
        b"PK\x05\x06" + bytes(18),  # an empty archive
        b"\x80\x04\x95",  # a pickle
        b"",
    ],
    ids=range(17),
)
def test_what_is_no_archive_of_ours_is_refused(data, tmp_path):
    assert refused(tmp_path / "archive.npz", data)


def test_a_pickle_is_never_run(tmp_path):
    class Trap:
        def __reduce__(self):
            return (open, (str(tmp_path / "trap"), "w"))

    path = tmp_path / "archive.npz"
    np.savez(path, header=np.array(json.dumps(HEADER)), trap=np.array([Trap()], dtype=object))
    with pytest.raises(SolutionError):
        read_archive(path, "test", 3)
    assert not (tmp_path / "trap").exists()


def test_no_file_and_a_folder(tmp_path):
    with pytest.raises(FileError, match="there is no such file"):
        read_archive(tmp_path / "none.npz", "test", 3)
    with pytest.raises(FileError, match="it is a folder"):
        read_archive(tmp_path, "test", 3)
    with pytest.raises(FileError, match="there is no folder"):
        write_archive(tmp_path / "none" / "a.npz", HEADER, ARRAYS)


def test_an_archive_that_cannot_be_written_leaves_the_old_one(path):
    before = path.read_bytes()
    with pytest.raises((TypeError, ValueError)):
        write_archive(path, HEADER, {"objects": np.array([{}], dtype=object)})
    with pytest.raises(TypeError):
        write_archive(path, {"unwritable": object()}, {})
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]
