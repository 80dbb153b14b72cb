"""The bound, the optimum and the searching strategies: known values, files, limits, bad input."""

from fractions import Fraction

import numpy as np
import pytest

from maxmin.archive import read_archive, write_archive
from maxmin.battleship.board import Board
from maxmin.battleship.bound import KIND, VERSION, lower_bound
from maxmin.battleship.evaluate import evaluate
from maxmin.battleship.optimal import load_tree, optimum
from maxmin.battleship.search import Lookahead, Rollout
from maxmin.battleship.strategies import make_strategy
from maxmin.errors import Cancelled, GameError, SizeError, SolutionError, StrategyError, UnknownNameError

SMALL = Board(4, 4)
PAPER = Board()


def test_optimum_of_two_l_patterns_on_4_by_4():
    tree = optimum(SMALL)
    assert tree.mean_shots == Fraction(263, 26)
    assert evaluate([tree], SMALL)[0].mean_shots == pytest.approx(263 / 26, abs=1e-12)


def test_first_bound_of_the_papers_board_takes_no_search():
    found = lower_bound(PAPER, callback=lambda bound: bound.lower < 15)
    assert found.stopped_by == "interrupt"
    assert not found.optimal
    # By a program of its own, without symmetries merged: 15.82933 for these 14,572 boards.
    assert found.lower == pytest.approx(15.82933, abs=5e-6)
    assert found.exact_lower.denominator <= len(PAPER.configurations())


def test_rollout_beats_greedy_on_the_papers_board():
    greedy, rollout = evaluate([make_strategy("greedy", PAPER), Rollout(PAPER, width=3)], PAPER)
    assert rollout.mean_shots < greedy.mean_shots - 0.04
    assert rollout.exact


def test_rollout_of_nothing_is_greedy():
    board = Board(5, 5)
    mine, greedy = evaluate([Rollout(board, nesting=0, endgame=0), make_strategy("greedy", board)], board)
    assert mine.mean_shots == pytest.approx(greedy.mean_shots, abs=1e-12)


@pytest.mark.parametrize("text", ["rollout(nesting=2,width=3)", "lookahead(depth=1,endgame=4)"])
def test_strategies_by_name(text):
    strategy = make_strategy(text, SMALL)
    assert evaluate([strategy], SMALL)[0].mean_shots >= 263 / 26 - 1e-12
    assert text.split("(")[1].split(",")[0] in strategy.name


def test_optimal_endgame_of_all_boards_is_the_optimum():
    strategy = Rollout(SMALL, endgame=1000)
    assert evaluate([strategy], SMALL)[0].mean_shots == pytest.approx(263 / 26, abs=1e-12)


def test_searches_are_the_same_in_other_processes():
    strategies = [Rollout(SMALL), Lookahead(SMALL)]
    here = evaluate(strategies, SMALL, games=40)
    there = evaluate(strategies, SMALL, games=40, jobs=2)
    assert [one.mean_shots for one in here] == [one.mean_shots for one in there]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Rollout(SMALL, nesting=5), "nesting must be a whole number from 0 to 4, not 5"),
        (lambda: Rollout(SMALL, width=0), "width must be a whole number from 1 to 64, not 0"),
        (lambda: Rollout(SMALL, endgame=-1), "endgame must be a whole number from 0 to 10000, not -1"),
        (lambda: Lookahead(SMALL, depth=True), "depth must be a whole number from 1 to 4, not True"),
        (lambda: Lookahead(SMALL, depth=1.5), "depth must be a whole number from 1 to 4, not 1.5"),
    ],
)
def test_options_out_of_range_are_named(make, message):
    with pytest.raises(GameError, match=message):
        make()


def test_unknown_option_is_named():
    with pytest.raises(UnknownNameError, match="no option 'depth'"):
        make_strategy("rollout(depth=2)", SMALL)


def test_state_that_no_board_fits_is_named():
    hits, misses = np.zeros((2, 1, 16), dtype=np.bool_)
    hits[0, 0] = True
    misses[0, [1, 4]] = True
    with pytest.raises(StrategyError, match="hits A1, misses A2 B1"):
        Rollout(SMALL).choose(hits, misses)


@pytest.mark.parametrize("work", [lower_bound, optimum, lambda board: evaluate([Rollout(board)], board)])
def test_large_boards_are_refused(work):
    with pytest.raises(SizeError, match=r"81 cells; .* at most 64"):
        work(Board(9, 9, ("L",)))


def test_many_covered_cells_are_refused():
    with pytest.raises(SizeError, match="hide fewer or smaller patterns"):
        lower_bound(Board(6, 6, ("5", "5", "4", "3"), touching="all"))


class TestCheckpoint:
    def test_goes_on_where_it_stopped(self, tmp_path):
        path = tmp_path / "bound.npz"
        board = Board(5, 4)
        first = lower_bound(board, checkpoint=path, callback=lambda bound: bound.lower <= 8)
        assert path.exists()
        assert not first.optimal
        second = lower_bound(board, checkpoint=path)
        assert second.optimal
        assert second.exact_lower == Fraction(1137, 100) + Fraction(1, 500) > first.exact_lower
        assert second.trace[: len(first.trace)] == first.trace
        assert optimum(board, checkpoint=path).mean_shots == second.exact_lower

    def test_of_another_board_is_refused(self, tmp_path):
        path = tmp_path / "bound.npz"
        lower_bound(SMALL, checkpoint=path)
        with pytest.raises(SolutionError, match=r"bounds board\(4x4.*, not board\(3x4"):
            lower_bound(Board(3, 4), checkpoint=path)

    @pytest.mark.parametrize(
        "change",
        [
            {"passes": "many"},
            {"position": -1},
            {"most_misses": 10**6},
            {"trace": 7},
            {"seconds": float("nan")},
        ],
    )
    def test_damage_is_refused_and_the_file_kept(self, tmp_path, change):
        path = tmp_path / "bound.npz"
        lower_bound(SMALL, checkpoint=path)
        header, arrays = read_archive(path, KIND, VERSION)
        write_archive(path, header | change, arrays)
        before = path.read_bytes()
        with pytest.raises(SolutionError, match="damaged"):
            lower_bound(SMALL, checkpoint=path)
        assert path.read_bytes() == before

    def test_garbage_is_refused(self, tmp_path):
        path = tmp_path / "bound.npz"
        path.write_bytes(b"no archive")
        with pytest.raises(SolutionError, match="not a maxmin battleship bound"):
            lower_bound(SMALL, checkpoint=path)


def test_stopped_at_once_only_the_hits_count(tmp_path):
    found = lower_bound(PAPER, seconds=1e-9, checkpoint=tmp_path / "bound.npz")
    assert (found.lower, found.stopped_by, found.trace) == (8, "seconds", ())
    assert lower_bound(PAPER, seconds=1e-9, checkpoint=tmp_path / "bound.npz").lower == 8


def test_stopped_before_the_optimum_says_what_is_known():
    with pytest.raises(Cancelled, match=r"no strategy takes fewer than 15\.8"):
        optimum(PAPER, callback=lambda bound: bound.lower < 15)


class TestTreeFile:
    def test_round_trip(self, tmp_path):
        path = tmp_path / "tree.npz"
        tree = optimum(Board(3, 3, ("2", "1"), placement="sequential"))
        tree.save(path)
        again = load_tree(path)
        assert again.board == tree.board
        assert again.mean_shots == tree.mean_shots
        assert np.array_equal(again.cell, tree.cell)

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"mean_shots": "2"}, "claims 2 shots, but its tree takes 25/7"),
            ({"mean_shots": "1/0"}, "damaged"),
            ({"rows": "two"}, "damaged"),
            ({"patterns": 3}, "damaged"),
        ],
    )
    def test_false_claims_are_refused(self, tmp_path, change, message):
        path = tmp_path / "tree.npz"
        optimum(Board(2, 3, ("2",))).save(path)
        header, arrays = read_archive(path, "maxmin battleship tree", 1)
        write_archive(path, header | change, arrays)
        with pytest.raises(SolutionError, match=message):
            load_tree(path)

    @pytest.mark.parametrize("name", ["cell", "hit", "miss"])
    def test_damaged_nodes_are_refused(self, tmp_path, name):
        path = tmp_path / "tree.npz"
        optimum(Board(2, 3, ("2",))).save(path)
        header, arrays = read_archive(path, "maxmin battleship tree", 1)
        for wrong in (np.zeros_like(arrays[name]), arrays[name][:-1], arrays[name].astype(np.float64)):
            write_archive(path, header, arrays | {name: wrong})
            with pytest.raises(SolutionError):
                load_tree(path)

    def test_states_off_the_tree_are_refused(self):
        tree = optimum(Board(2, 3, ("2",)))
        hits, misses = np.zeros((2, 1, 6), dtype=np.bool_)
        misses[0] = True
        with pytest.raises(StrategyError, match="never comes to this state"):
            tree.choose(hits, misses)
