"""Sweeps: values against exact formulas, tables and their origin, going on after an interruption, clusters."""

import json
from fractions import Fraction

import joblib
import numpy as np
import pytest

import maxmin
from maxmin.errors import FileError, GameError, MaxminError, UnknownNameError
from maxmin.sweep import Sweep, places, sweep

AXIS = places(Fraction(0), Fraction(1), 7)


def value_of_game_2(p: float) -> float:
    """The exact value where only the first player cheats."""
    return float(np.clip(7 / 18 * p - 1 / 18, None, 2 / 9 * p if p < 0.5 else 1 / 9))


@pytest.fixture(scope="module")
def surface() -> Sweep:
    return sweep("kuhn_cheating", over={"p": AXIS, "q": AXIS}, jobs=1)


def test_the_surface_has_the_exact_values_at_its_corners_and_inside(surface):
    assert surface.values.shape == (7, 7)
    corners = surface.values[[0, -1, 0, -1], [0, 0, -1, -1]]
    np.testing.assert_allclose(corners, [-1 / 18, 1 / 9, -1 / 9, 0], atol=1e-9)
    assert surface.values[3, 3] == pytest.approx(0, abs=1e-9)  # 1/6 p - 1/6 q
    assert surface.values[1, 1] == pytest.approx(-1 / 6 / 36 + 7 / 18 / 6 - 1 / 36 - 1 / 18, abs=1e-9)


def test_one_parameter_follows_the_pieces():
    axis = places(Fraction(0), Fraction(1), 13)
    found = sweep("kuhn_cheating", over={"p": axis}, jobs=1)
    np.testing.assert_allclose(found.values, [value_of_game_2(float(p)) for p in axis], atol=1e-9)


def test_warm_starts_give_what_single_solves_give(surface):
    for i, j in ((0, 3), (2, 5), (6, 1)):
        game = f"kuhn_cheating(p={AXIS[i]},q={AXIS[j]})"
        assert surface.values[i, j] == pytest.approx(maxmin.solve(game, method="lp").value, abs=1e-8)


def test_processes_do_not_change_the_values(surface):
    spread = sweep("kuhn_cheating", over={"p": AXIS, "q": AXIS}, jobs=2)
    np.testing.assert_allclose(spread.values, surface.values, atol=1e-9)


def test_parameters_that_change_the_shape_of_the_tree():
    found = sweep("kuhn_poker", over={"ranks": places(Fraction(3), Fraction(5), 3)}, jobs=1)
    assert found.values[0] == pytest.approx(-1 / 18, abs=1e-8)
    assert found.values[2] == pytest.approx(maxmin.solve("kuhn_poker(ranks=5)", method="lp").value)


def test_a_team_and_its_opponent(surface):
    theirs = sweep("kuhn_cheating", over={"p": AXIS, "q": AXIS}, team=(2,), jobs=1)
    np.testing.assert_allclose(theirs.values, -surface.values, atol=1e-9)


def test_a_csv_table_says_where_it_comes_from(surface, tmp_path):
    path = tmp_path / "surface.csv"
    sweep("kuhn_cheating", over={"p": AXIS, "q": AXIS}, jobs=1, save=path, date="1 May")
    comment, head, *rows = path.read_text().splitlines()
    assert json.loads(comment.removeprefix("# maxmin sweep ")) == {
        "game": "kuhn_cheating",
        "team": [1],
        "over": {"p": ["0", "1", 7], "q": ["0", "1", 7]},
        "version": maxmin.__version__,
        "date": "1 May",
    }
    assert head == "p,q,value"
    table = np.array([[float(cell) for cell in row.split(",")] for row in rows])
    np.testing.assert_allclose(table[:, 2].reshape(7, 7), surface.values, atol=1e-9)
    np.testing.assert_array_equal(table[:7, 1], [float(each) for each in AXIS])
    assert sorted(each.name for each in tmp_path.iterdir()) == ["surface.csv"]


def test_a_parquet_table(surface, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "surface.parquet"
    surface.save(path)
    table = parquet.read_table(path)
    assert table.column_names == ["p", "q", "value"]
    np.testing.assert_array_equal(table["value"].to_numpy(), surface.values.ravel())
    assert json.loads(table.schema.metadata[b"maxmin"]) == surface.provenance()


def test_parquet_without_pyarrow_is_refused_before_the_work(tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MaxminError, match="need the package pyarrow"):
        sweep("kuhn_cheating", over={"p": AXIS}, save=tmp_path / "x.parquet")
    assert not list(tmp_path.iterdir())


def stop_after_first(done: int, total: int) -> None:
    if done >= 128:
        raise KeyboardInterrupt


def test_an_interrupted_sweep_goes_on(tmp_path):
    path, axis = tmp_path / "x.csv", places(Fraction(0), Fraction(1), 301)
    with pytest.raises(KeyboardInterrupt):
        sweep("kuhn_cheating", over={"p": axis}, jobs=1, save=path, callback=stop_after_first)
    partial = tmp_path / "x.csv.partial"
    kept = partial.read_text().splitlines()
    assert not path.exists()
    assert len(kept) == 2
    first, values = json.loads(kept[1])
    marked = [each + 1000 for each in values]  # to see that they are not solved again
    partial.write_text("\n".join([kept[0], json.dumps([first, marked]), "[128, [0.1, 0."]))
    seen: list[int] = []
    found = sweep(
        "kuhn_cheating", over={"p": axis}, jobs=1, save=path, callback=lambda done, _: seen.append(done)
    )
    assert found.values[:128].tolist() == marked
    np.testing.assert_allclose(found.values[128:], [value_of_game_2(float(p)) for p in axis[128:]], atol=1e-9)
    assert seen == [256, 301]
    assert not partial.exists()


def test_points_left_from_another_sweep_are_not_taken(tmp_path):
    path = tmp_path / "x.csv"
    (tmp_path / "x.csv.partial").write_text("{}\n")
    with pytest.raises(FileError, match="left from another sweep"):
        sweep("kuhn_cheating", over={"p": AXIS}, jobs=1, save=path)
    assert (tmp_path / "x.csv.partial").read_text() == "{}\n"


@pytest.mark.parametrize(
    ("over", "save", "error", "message"),
    [
        ({"p": places(Fraction(0), Fraction(3, 2), 4)}, None, GameError, "p must be a probability"),
        ({"z": AXIS}, None, UnknownNameError, "has no parameter 'z'"),
        ({}, None, GameError, "at least one parameter"),
        ({"p": (Fraction(1), Fraction(0))}, None, GameError, "must ascend"),
        ({"p": ()}, None, GameError, "must ascend"),
        ({"p": AXIS}, "x.txt", FileError, "written as .csv or .parquet"),
        ({name: places(Fraction(0), Fraction(1), 999) for name in "pqr"}, None, GameError, "at most"),
    ],
)
def test_bad_sweeps(tmp_path, over, save, error, message):
    with pytest.raises(error, match=message):
        sweep("kuhn_cheating", over=over, jobs=1, save=save and tmp_path / save)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("low", "high", "count"), [(1, 0, 5), (0, 0, 2), (0, 1, 1), (0, 1, 0)])
def test_bad_axes(low, high, count):
    with pytest.raises(GameError, match="is not an axis"):
        places(Fraction(low), Fraction(high), count)


@pytest.mark.filterwarnings("default")
def test_a_dask_cluster_serves_as_it_is(surface):
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster),
        joblib.parallel_config(backend="dask"),
    ):
        spread = sweep("kuhn_cheating", over={"p": AXIS, "q": AXIS})
        assert cluster.scheduler.transition_counter > 0
    np.testing.assert_allclose(spread.values, surface.values, atol=1e-9)
