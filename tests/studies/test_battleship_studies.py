"""The studies of Battleship: the paper's figures, exact counts, and second routes; runs of networks are made up."""

from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from maxmin.battleship import Board
from maxmin.studies import (
    battleship_boards,
    battleship_comparison,
    battleship_curves,
    battleship_hider,
    battleship_learning,
    battleship_placement,
    find_study,
)


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


@pytest.fixture
def small_board(monkeypatch):
    """Let a study have a board of 4 x 4 cells instead of the paper's."""
    small = partial(Board, 4, 4)

    def use(study):
        monkeypatch.setattr(study, "Board", small)
        return small()

    return use


def draws(study, found, tmp_path):
    study.draw(found).savefig(tmp_path / "figure.png")
    return (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")


def covering(board, cells):
    """Count the boards that cover all these cells."""
    return int(board.unpack(board.configurations().masks)[:, cells].all(axis=1).sum())


def test_curves(monkeypatch, tmp_path):
    monkeypatch.setattr(battleship_curves, "STRATEGIES", ("random", "greedy"))
    found = battleship_curves.find()
    random, greedy = found.table("strategies").rows
    assert greedy[1:4] == (pytest.approx(17.417925, abs=1e-6), 0, pytest.approx(6.413844, abs=1e-6))
    assert random[1] == pytest.approx(50 * 8 / 9, abs=4 * random[2])  # the last of 8 among 49 in random order
    assert random[3] == pytest.approx(8 - 8 * 24 / 49, abs=0.03)  # every hit comes with shot 25 on average
    hits, ended = (np.array(found.table(name).column("greedy")) for name in ("success", "ended"))
    assert hits.sum() == pytest.approx(8)
    assert ended.sum() == pytest.approx(1)
    assert ended @ np.arange(1, 50) == pytest.approx(greedy[1])
    assert hits @ (1 - np.arange(49) / 49) == pytest.approx(greedy[3])
    board = Board()
    assert hits[0] == pytest.approx(max(covering(board, [cell]) for cell in range(49)) / 14572)
    assert ended[7] == pytest.approx(1 / 14572)  # eight hits in a row find one board
    assert draws(battleship_curves, found, tmp_path)


def test_placement_on_the_papers_board():
    boards = {("corners", placement): Board(placement=placement) for placement in ("uniform", "sequential")}
    touching, n, apart, decimal = battleship_placement._distance(boards, "corners")
    assert (touching, n) == ("corners", 14572)
    assert decimal == pytest.approx(0.07, abs=0.002)  # "about 0.07"
    assert apart == Fraction(apart) == pytest.approx(decimal)


def test_placement(small_board, tmp_path):
    board = small_board(battleship_placement)
    found = battleship_placement.find()
    counts = dict(
        zip(*(found.table("distances").column(name) for name in ("touching", "boards")), strict=True)
    )
    assert counts["corners"] == len(board.configurations()) == 52
    assert counts["none"] < 52 < counts["all"]
    shots = {row[:4]: row[4] for row in found.table("shots").rows}
    assert shots["corners", "uniform", "greedy", "uniform"] == pytest.approx(10.1538, abs=1e-4)
    for rule, placement in {row[:2] for row in shots}:
        cells = [row[3] for row in found.table("cells").rows if row[:2] == (rule, placement)]
        assert sum(cells) == pytest.approx(8)
        right = shots[rule, placement, "greedy", placement]
        assert 8 <= right <= 16
    cells = {row[2]: row[3] for row in found.table("cells").rows if row[:2] == ("corners", "uniform")}
    assert cells["B2"] == pytest.approx(covering(board, [5]) / 52)
    assert draws(battleship_placement, found, tmp_path)


def test_sequential_boards_by_hand():
    """A domino and then a single cell on 3 x 4 cells, in plain Python."""
    boards = {
        ("none", placement): Board(3, 4, ["2", "1"], touching="none", placement=placement)
        for placement in ("uniform", "sequential")
    }
    board = boards["none", "uniform"]
    chances: dict[frozenset[int], Fraction] = {}
    for first in board.placements[0]:
        free = [cell for cell in range(12) if cell not in board.around(first)]
        for cell in free:
            chances[frozenset({*first, cell})] = Fraction(1, len(free))
    total = sum(chances.values())
    even = Fraction(1, len(chances))
    expected = sum(abs(chance / total - even) for chance in chances.values()) / 2
    _, n, apart, _ = battleship_placement._distance(boards, "none")
    assert (n, apart) == (len(chances), expected)
    assert apart > 0


def test_two_strategies_on_the_same_boards(monkeypatch, tmp_path):
    monkeypatch.setattr(battleship_boards, "STRATEGIES", ("greedy", "information"))
    monkeypatch.setattr(battleship_boards, "OTHERS", ("greedy(tie=next)",))
    found = battleship_boards.find()
    for name, *counts, gained, _, most, least in found.table("pairs").rows:
        assert sum(counts) == 14572
        exact = {"information": 17.588251, "greedy(tie=next)": 17.410445}[name]
        assert gained == pytest.approx(exact - 17.417925, abs=2e-6)
        assert least < 0 < most
    games = {
        name: [row for row in found.table("games").rows if row[0] == name]
        for name in ("greedy", "information")
    }
    uncovered = [{row[2] for row in rows if row[3] == "hit"} for rows in games.values()]
    assert uncovered[0] == uncovered[1]
    assert len(uncovered[0]) == 8
    for rows in games.values():
        assert [row[1] for row in rows] == list(range(1, len(rows) + 1))
        assert len({row[2] for row in rows}) == len(rows)
        assert rows[-1][3] == "hit"
    assert draws(battleship_boards, found, tmp_path)


def test_hider(monkeypatch, tmp_path):
    games = {"2 x 3, 2": (2, 3, "2"), "2 x 4, 2": (2, 4, "2")}
    monkeypatch.setattr(battleship_hider, "GAMES", games)
    found = battleship_hider.find()
    assert found.table("values").rows == (
        ("2 x 3, 2", 7, Fraction(25, 7), Fraction(25, 7), 0),
        ("2 x 4, 2", 10, Fraction(41, 10), Fraction(91, 22), Fraction(2, 55)),
    )
    for name, n in (("2 x 3, 2", 7), ("2 x 4, 2", 10)):
        rows = [row for row in found.table("hiders").rows if row[0] == name]
        assert sum(row[2] for row in rows) == n
        assert sum(row[2] * row[4] for row in rows) == 1
        assert {row[3] for row in rows} == {Fraction(1, n)}
    assert draws(battleship_hider, found, tmp_path)


def runs_of(learner):
    """Return three runs that never were, the last of which diverged."""
    pytest.importorskip("jax")
    from maxmin.learning import Adaptation, Runs

    hits = np.zeros((3, 49))
    hits[0, :8] = hits[1, 7:15] = 1
    return Runs(
        adaptation=Adaptation(learner=learner),
        board=Board(),
        seed=0,
        games=1,
        iterations=np.array([100, 200]),
        shots=np.array([[20.0, 18.0], [22.0, 19.0], [40.0, 40.0]]),
        success_rate=hits,
        diverged=np.array([False, False, True]),
        best={},
        seconds=0.0,
        stopped_by="done",
    )


def test_learning(monkeypatch, tmp_path):
    monkeypatch.setattr(battleship_learning, "adapted", runs_of)
    found = battleship_learning.find()
    assert dict(found.table("paper").rows) == {"supervised": 19.853, "reinforcement": 20.874}
    deviation = pytest.approx(2**0.5)
    assert found.table("curves").rows[0] == ("supervised", 100, 21, deviation, 20, 20.5, 21, 21.5, 22)
    scores = [8 - 28 / 49, 8 - (28 + 56) / 49]
    assert found.table("runs").rows[:2] == (
        ("supervised", 1, 18, pytest.approx(scores[0])),
        ("supervised", 2, 19, pytest.approx(scores[1])),
    )
    assert len(found.table("runs").rows) == 4
    assert draws(battleship_learning, found, tmp_path)


def test_comparison(monkeypatch, tmp_path):
    monkeypatch.setattr(battleship_comparison, "adapted", runs_of)
    monkeypatch.setattr(battleship_comparison, "_STRATEGIES", {"greedy": "greedy"})
    monkeypatch.setattr(
        battleship_comparison, "_ENOUGH", 0.0
    )  # the bound is then what is known before any work
    monkeypatch.setattr(battleship_comparison, "_SMALL", ((4, 4),))
    found = battleship_comparison.find()
    rows = {row[:2]: row[2:] for row in found.table("players").rows}
    assert rows["paper", "twelve people, 100 games"][0] == 21.022
    assert rows["paper", "paper's network, supervised"][0] == 19.853
    assert rows["paper", "paper's network, reinforcement"][::2] == (20.874, 6.030)
    assert rows["ours", "paper's network, supervised"][:2] == (18.5, pytest.approx(0.5**0.5))
    assert rows["ours", "greedy"][0] == pytest.approx(17.417925, abs=1e-6)
    bound = rows["ours", "proven: no strategy takes fewer"][0]
    assert bound == 8
    assert all(above == pytest.approx(shots - bound) for shots, *_, above in rows.values())
    small = (
        "4 x 4",
        52,
        Fraction(263, 26),
        pytest.approx(263 / 26),
        pytest.approx(10.153846),
        pytest.approx(10.1154, abs=1e-4),
    )
    assert found.table("small").rows == (small,)
    assert draws(battleship_comparison, found, tmp_path)
