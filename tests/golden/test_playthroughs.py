"""Every game of the catalogue plays as its file under ``playthroughs/`` says."""

import pytest
from golden.write_playthroughs import FOLDER, path, playthrough, specs

from maxmin.games import CATALOGUE, make_game

REMEDY = "run python tests/golden/write_playthroughs.py and look at the difference"


@pytest.mark.parametrize("spec", specs())
def test_game_plays_as_recorded(spec):
    assert path(spec).exists(), f"{spec} has no playthrough: {REMEDY}"
    assert playthrough(make_game(spec)) == path(spec).read_text(encoding="utf-8"), REMEDY


def test_every_family_has_a_playthrough():
    recorded = {file.read_text(encoding="utf-8").partition("\n")[0] for file in FOLDER.glob("*.txt")}
    assert {name.partition("(")[0] for name in recorded} == set(CATALOGUE)
    assert recorded == set(specs()), f"files of games that are gone: {REMEDY}"
