"""Bound, optimum and strategies on random small boards, against plain recursion over all strategies."""

from fractions import Fraction
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maxmin.battleship import bound as bounds
from maxmin.battleship.board import Board
from maxmin.battleship.bound import lower_bound
from maxmin.battleship.evaluate import evaluate
from maxmin.battleship.hidden_boards import hidden_boards
from maxmin.battleship.optimal import optimum
from maxmin.battleship.search import Lookahead, Rollout
from maxmin.errors import GameError


def least_shots(board: Board) -> Fraction:
    """Try every strategy, in plain Python: at each state every cell that could be a hit."""
    masks = [int(mask) for mask in board.configurations().masks[:, 0]]
    weights = board.exact_weights()

    @cache
    def misses(left: frozenset[int], shot: int) -> Fraction:
        if len(left) == 1:
            return Fraction(0)
        best = None
        for cell in range(board.n_cells):
            hit = frozenset(index for index in left if masks[index] >> cell & 1)
            if shot >> cell & 1 or not hit:
                continue
            missed = left - hit
            total = sum((weights[index] for index in missed), Fraction(0))
            for part in filter(None, (hit, missed)):
                total += misses(part, shot | 1 << cell)
            best = total if best is None else min(best, total)
        assert best is not None
        return best

    return board.n_covered + misses(frozenset(range(len(masks))), 0)


@st.composite
def small_boards(draw):
    rows, columns = draw(st.sampled_from([(1, 5), (2, 3), (2, 4), (3, 3), (1, 1), (3, 2)]))
    patterns = draw(st.sampled_from([("2",), ("1",), ("2", "1"), ("##/#.",), ("2", "2"), ("1", "1")]))
    touching = draw(st.sampled_from(["none", "corners", "all"]))
    placement = draw(st.sampled_from(["uniform", "sequential"]))
    try:
        board = Board(rows, columns, patterns, touching=touching, placement=placement)
        board.configurations()
    except GameError:  # the patterns do not fit
        return Board(2, 3, ("2",))
    return board


@settings(max_examples=25, deadline=None)
@given(small_boards())
def test_optimum_is_what_plain_recursion_finds(board):
    tree = optimum(board)
    expected = least_shots(board)
    # Weights of sequential boards are rounded before the search; the tree is then as good up to that.
    assert tree.mean_shots == expected if board.placement == "uniform" else tree.mean_shots - expected < 1e-9
    assert tree.replay() == tree.mean_shots
    assert evaluate([tree], board)[0].mean_shots == pytest.approx(float(expected))


@settings(max_examples=25, deadline=None)
@given(small_boards())
def test_bound_never_exceeds_any_strategy(board):
    trace = []
    bound = lower_bound(board, callback=lambda bound: trace.append(bound.exact_lower))
    expected = least_shots(board)
    assert trace == sorted(trace)
    assert max([bound.exact_lower, *trace]) <= expected
    assert bound.optimal
    assert bound.lower <= bound.exact_lower
    assert expected - bound.exact_lower < Fraction(1, 10**9)
    for strategy in (Lookahead(board, depth=1, endgame=0), Rollout(board, nesting=1, width=3, endgame=2)):
        assert evaluate([strategy], board)[0].mean_shots >= bound.lower - 1e-12


@settings(max_examples=25, deadline=None)
@given(small_boards(), st.lists(st.integers(1, 30), min_size=2, max_size=4, unique=True).map(sorted))
def test_relaxation_with_exact_parts_never_exceeds_any_strategy(board, sizes):
    passes = [bounds._Pass(0, lines=0.7)]
    for fewer, boards in pairwise([0, *sizes]):
        passes += [bounds._Pass(fewer, exact_boards=boards), bounds._Pass(boards, lines=2.0)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bounds, "_PASSES", tuple(passes))
        found = lower_bound(board).exact_lower  # the bound never falls: too high once is too high at the end
    assert 0 <= least_shots(board) - found < Fraction(1, 10**9)


@settings(max_examples=20, deadline=None)
@given(small_boards())
def test_each_nesting_improves_on_the_one_before(board):
    shots = [
        evaluate([Rollout(board, nesting=nesting, width=4, endgame=0)], board)[0].mean_shots
        for nesting in range(3)
    ]
    assert shots == sorted(shots, reverse=True) or np.ptp(shots) < 1e-9


@settings(max_examples=20, deadline=None)
@given(small_boards())
def test_symmetries_send_configurations_to_configurations(board):
    hidden = hidden_boards(board)
    known = dict(zip(hidden.covered.tolist(), hidden.weight.tolist(), strict=True))
    for image in hidden.images.reshape(-1, 64).tolist():
        assert sorted(image) == list(range(64))
        for covered, weight in known.items():
            moved = sum(1 << image[cell] for cell in range(64) if covered >> cell & 1)
            assert abs(known[moved] - weight) <= 2e-9 * weight
