"""`load_tree` and `save_tree`: names, files, rules, trees, games of other packages; and how files are written."""

import os
import stat
import subprocess
import sys

import pytest

from maxmin.errors import FileError, FormatError, GameError, MaxminError, SizeError, UnknownNameError
from maxmin.files import write_atomically
from maxmin.formats.efg import format_efg
from maxmin.formats.gambit import to_gambit
from maxmin.formats.openspiel import from_openspiel
from maxmin.games import make_game
from maxmin.sources import load_tree, save_tree


class Coin:
    """Rules that inherit nothing: guess a coin."""

    name = "coin"
    players = 1

    def root(self):
        return ()

    def turn(self, state):
        return (0, 1, -1)[len(state)]

    def actions(self, state):
        return ["h", "t"]

    def chance(self, state):
        return [("h", 0.5), ("t", 0.5)]

    def child(self, state, action):
        return (*state, action)

    def infoset(self, state):
        return ""

    def payoffs(self, state):
        return [int(state[0] == state[1])]


def test_a_tree_is_returned_as_it_is():
    tree = load_tree("3K4")
    assert load_tree(tree) is tree


def test_a_name_and_its_rules_give_the_same_tree():
    assert format_efg(load_tree("3K4")) == format_efg(load_tree(make_game("kuhn_poker(players=3,ranks=4)")))


def test_any_class_with_the_members_of_a_game():
    assert load_tree(Coin()).payoffs[:, 0].tolist() == [1, 0, 0, 1]


@pytest.mark.parametrize("suffix", [".efg", ".game", ".txt", ".EFG"])
def test_a_saved_tree_is_loaded_again(tmp_path, suffix):
    tree = load_tree("kuhn_poker")
    save_tree(tree, tmp_path / f"kuhn{suffix}")
    for source in (tmp_path / f"kuhn{suffix}", str(tmp_path / f"kuhn{suffix}")):
        assert format_efg(load_tree(source)) == format_efg(tree)


def test_a_saved_normal_form_is_loaded_again(tmp_path):
    save_tree(load_tree("rock_paper_scissors"), tmp_path / "rps.nfg")
    assert load_tree(tmp_path / "rps.nfg").payoffs[:, 0].tolist() == [0, -1, 1, 1, 0, -1, -1, 1, 0]


def test_a_folder_called_like_a_game_does_not_hide_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "3K4").mkdir()
    assert load_tree("3K4").n_players == 3


def test_a_missing_file_is_reported_with_near_names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kuhn.efg").write_text("", encoding="utf-8")
    with pytest.raises(
        FileError, match=r"^cannot read khun.efg: there is no such file; near it there is kuhn.efg$"
    ):
        load_tree("khun.efg")
    with pytest.raises(FileError, match=r"there is no such file$"):
        load_tree("nowhere/khun.efg")


def test_refused_sources(tmp_path):
    (tmp_path / "game.json").write_text("{}", encoding="utf-8")
    with pytest.raises(
        FileError, match=r"cannot tell the format from the suffix; known are .efg, .nfg, .game"
    ):
        load_tree(tmp_path / "game.json")
    (tmp_path / "game.efg").mkdir()
    with pytest.raises(FileError, match="it is a folder"):
        load_tree(tmp_path / "game.efg")
    (tmp_path / "game.nfg").write_text("EFG 2 R", encoding="utf-8")
    with pytest.raises(FormatError, match=r"game.nfg:1:1: expected NFG"):
        load_tree(tmp_path / "game.nfg")
    with pytest.raises(FileError, match="null character"):
        load_tree("a\0b.efg")
    with pytest.raises(UnknownNameError):
        load_tree("kunh_poker")
    with pytest.raises(GameError, match="int is not a game"):
        load_tree(3)


def test_what_cannot_be_saved_changes_nothing(tmp_path):
    tree = load_tree("kuhn_poker")
    (tmp_path / "folder.efg").mkdir()
    with pytest.raises(FileError, match=r"cannot write .*folder.efg: it is a folder"):
        save_tree(tree, tmp_path / "folder.efg")
    with pytest.raises(FileError, match="there is no folder"):
        save_tree(tree, tmp_path / "none" / "kuhn.efg")
    with pytest.raises(FileError, match="cannot tell the format"):
        save_tree(tree, tmp_path / "kuhn.pdf")
    assert [path.name for path in tmp_path.iterdir()] == ["folder.efg"]


def test_a_failure_while_writing_leaves_the_old_file(tmp_path):
    path = tmp_path / "old"
    path.write_bytes(b"old")

    def fail(file):
        file.write(b"new")
        raise OSError(28, "No space left on device")

    with pytest.raises(FileError, match=r"cannot write .*old: No space left on device"):
        write_atomically(path, fail)
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["old"]


def test_an_interrupt_while_writing_leaves_nothing(tmp_path):
    def interrupt(file):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_atomically(tmp_path / "new", interrupt)
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_a_full_device():
    with pytest.raises(FileError, match=r"cannot write /dev/full: No space left on device"):
        write_atomically("/dev/full", lambda file: file.write(b"x" * 100_000))
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="no /dev/stdout here")
def test_a_pipe_is_written_to_directly(tmp_path):
    link = tmp_path / "out.efg"
    link.symlink_to("/dev/stdout")
    code = f"from maxmin.sources import *; save_tree(load_tree('kuhn_poker'), {str(link)!r})"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == format_efg(load_tree("kuhn_poker"))


@pytest.mark.skipif(os.name != "posix", reason="rights and links of POSIX")
def test_rights_and_links_are_kept(tmp_path):
    path = tmp_path / "file"
    write_atomically(path, lambda file: file.write(b"1"))
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~mask
    path.chmod(0o640)
    (tmp_path / "link").symlink_to(path)
    write_atomically(tmp_path / "link", lambda file: file.write(b"2"))
    assert (tmp_path / "link").is_symlink()
    assert path.read_bytes() == b"2"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.parametrize(
    ("name", "nodes", "leaves", "infosets"),
    [
        ("kuhn_poker", 58, 30, 12),
        ("leduc_poker", 9457, 5520, 936),
        ("liars_dice(dice_sides=2)", 127, 60, 32),
    ],
)
def test_games_of_openspiel(name, nodes, leaves, infosets):
    pyspiel = pytest.importorskip("pyspiel")
    tree = load_tree(pyspiel.load_game(name))
    assert (tree.n_nodes, tree.n_leaves, tree.n_infosets) == (nodes, leaves, infosets)
    assert tree.exact


def test_simultaneous_moves_of_openspiel_are_not_seen():
    pytest.importorskip("pyspiel")
    tree = from_openspiel("matrix_rps")
    assert tree.n_infosets == 2
    assert tree.payoffs[:, 0].tolist() == [0, -1, 1, 1, 0, -1, -1, 1, 0]


def test_refused_games_of_openspiel():
    pytest.importorskip("pyspiel")
    with pytest.raises(SizeError, match=r"leduc_poker.* has more than 1,000 nodes"):
        from_openspiel("leduc_poker", most_nodes=1_000)
    with pytest.raises(GameError, match="OpenSpiel"):
        from_openspiel("no_such_game")


def test_without_the_package_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.setitem(sys.modules, "pygambit", None)
    with pytest.raises(MaxminError, match=r"pip install 'maxmin\[openspiel\]'"):
        from_openspiel("kuhn_poker")
    with pytest.raises(MaxminError, match=r"pip install 'maxmin\[gambit\]'"):
        to_gambit(load_tree("kuhn_poker"))
