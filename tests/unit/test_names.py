"""Mistyped names: the nearest known ones are named."""

import pytest

from maxmin.errors import FileError, UnknownNameError
from maxmin.games import make_game
from maxmin.names import nearest
from maxmin.solve import solve
from maxmin.sources import load_tree


def test_nearest_names_come_first_as_they_are_written():
    assert nearest("KUHN", ["Kuhn_poker", "Kuhn", "chess"], cutoff=0.5) == ["Kuhn", "Kuhn_poker"]
    assert nearest("dcfr", ["dcfr+", "pdcfr+", "dcfr"], most=2) == ["dcfr", "dcfr+"]
    assert nearest("go", ["chess"]) == []


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("KUHN_POKER", "did you mean kuhn_poker"),
        ("3k4", "did you mean 3K4"),
        ("kuhn_poker(Players=3)", "did you mean players"),
    ],
)
def test_case_does_not_hide_a_game(name, message):
    with pytest.raises(UnknownNameError, match=message):
        make_game(name)


def test_case_does_not_hide_a_method():
    with pytest.raises(UnknownNameError, match=r"did you mean dcfr or "):
        solve("kuhn_poker", method="DCFR")


def test_case_does_not_hide_a_file(tmp_path):
    (tmp_path / "game.efg").touch()
    with pytest.raises(FileError, match=r"near it there is .*game\.efg"):
        load_tree(tmp_path / "GAMES.EFG")
