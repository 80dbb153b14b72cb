"""The study of the Battleship heuristic: the paper's tables, exactly."""

from fractions import Fraction

import pytest

from maxmin.studies import find_study


@pytest.fixture(scope="module")
def found():
    return find_study("battleship-heuristic").find()


def test_table_1(found):
    table = found.table("placements")
    assert table.column("placements") == table.column("paper") == (2, 3, 2, 2, 2, 2, 2, 2, 17)


def test_table_2(found):
    table = found.table("coverings")
    assert table.column("coverings") == table.column("paper")
    rows = {row[0]: row for row in table.rows}
    assert len(rows) == 16
    assert rows["E4"][3:] == (Fraction(10, 51), Fraction(10, 17))
    assert sum(table.column("covering probability")) == 1
    best = sorted(rows, key=lambda cell: -rows[cell][4])[:3]
    assert set(best) == {"E4", "C4", "D5"}
    assert rows["C4"][4] == rows["D5"][4] == Fraction(7, 17)


def test_readings(found):
    shots = dict(
        zip(
            found.table("readings").column("placements considered"),
            found.table("readings").column("mean shots"),
            strict=True,
        )
    )
    assert shots["cover all open hits"] == pytest.approx(17.530607, abs=1e-5)
    assert shots["cover any open hit"] == pytest.approx(19.557027, abs=1e-5)


def test_figure(found, tmp_path):
    figure = find_study("battleship-heuristic").draw(found)
    figure.savefig(tmp_path / "figure.png")
    assert (tmp_path / "figure.png").stat().st_size > 1000
