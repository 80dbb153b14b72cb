"""The study of Monte Carlo on belief DAGs: what its tables say, and that samples cost less than full iterations."""

import pytest

from maxmin.errors import UnknownNameError
from maxmin.solve import SAMPLERS
from maxmin.studies import find_study
from maxmin.studies.long_run import LongRun
from maxmin.studies.team_sampling import METHODS


@pytest.fixture(scope="module")
def findings():
    return find_study("team-sampling").find(LongRun(games=("3K4",), seconds=0.05))


def test_every_method_has_its_row(findings):
    table = findings.table("reached")
    assert table.column("method") == METHODS
    assert len(set(table.column("edges"))) == 1
    for row in table.rows:
        reached = [seconds for seconds in row[4:8] if seconds is not None]
        assert reached == sorted(reached)
        assert row[-2] > 0


def test_a_sample_looks_at_a_part_of_the_edges(findings):
    table = findings.table("reached")
    passes = dict(zip(table.column("method"), table.column("passes of one iteration"), strict=True))
    assert passes["cfr"] == passes["dcfr+"] == 2
    assert all(0 < passes[sampler] < 1 for sampler in SAMPLERS)


def test_what_each_iteration_looks_at_is_the_same_in_every_run(findings):
    again = find_study("team-sampling").find(LongRun(games=("3K4",), seconds=0.05)).table("curves")
    seconds = again.columns.index("seconds")
    rows = {row[2:4]: (*row[:seconds], *row[seconds + 1 :]) for row in findings.table("curves").rows}
    shared = [row for row in again.rows[:-1] if row[2:4] in rows and row[2] in SAMPLERS and row[3] < 100]
    assert len(shared) > 10
    assert all(rows[row[2:4]] == (*row[:seconds], *row[seconds + 1 :]) for row in shared)


def test_the_picture_has_two_panels_for_each_game(findings):
    figure = find_study("team-sampling").draw(findings)
    assert [axes.get_xlabel() for axes in figure.axes] == ["CPU seconds", "passes over both DAGs"]


def test_other_games_are_refused():
    with pytest.raises(UnknownNameError, match="has no game '3K5'"):
        find_study("team-sampling").find(LongRun(games=("3K5",)))
