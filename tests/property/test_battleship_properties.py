"""Properties of posteriors and strategies on random small boards."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maxmin.battleship import Board, State, evaluate, make_strategy, posterior, posteriors
from maxmin.errors import GameError


@st.composite
def states(draw):
    """A state that was seen on a board with one to three pieces."""
    patterns = draw(st.lists(st.sampled_from(["1", "2", "3", "L", "##/#.", "O"]), min_size=1, max_size=3))
    touching = draw(st.sampled_from(["none", "corners", "all"]))
    placement = draw(st.sampled_from(["uniform", "sequential"]))
    try:
        board = Board(
            draw(st.integers(2, 5)), draw(st.integers(3, 5)), patterns, touching=touching, placement=placement
        )
        covered = board.draw(1, seed=draw(st.integers(0, 99)))[0] if board.listed else None
    except GameError:
        covered = None
    if covered is None:
        board = Board(3, 4, ["L", "2"])
        covered = board.draw(1, seed=0)[0]
    shot = np.array(draw(st.lists(st.booleans(), min_size=board.n_cells, max_size=board.n_cells)))
    return State.from_arrays(board, covered & shot, ~covered & shot)


def mirrored(state):
    """The state seen in a mirror, left for right."""
    turn = np.arange(state.board.n_cells).reshape(state.board.rows, -1)[:, ::-1].ravel()
    return turn, State.from_arrays(state.board, *(cells[turn] for cells in state.arrays()))


@settings(max_examples=40, deadline=None)
@given(states())
def test_posteriors_add_up_and_turn_with_the_board(state):
    found = posterior(state)
    assert found.exact
    assert found.probability.sum() == pytest.approx(state.board.n_covered, abs=1e-9)
    assert (abs(found.probability[list(state.hits)] - 1) < 1e-12).all()
    assert (found.probability[list(state.misses)] == 0).all()
    turn, other = mirrored(state)
    assert np.allclose(posterior(other).probability, found.probability[turn], atol=1e-12)


@settings(max_examples=40, deadline=None)
@given(states())
def test_a_shot_splits_the_boards_in_two(state):
    """Law of total probability, with the posterior after a hit and after a miss."""
    now = posterior(state)
    for cell in state.unknown[:4]:
        p = now.probability[cell]
        outcomes = [(chance, hit) for chance, hit in ((p, True), (1 - p, False)) if chance > 1e-9]
        after = [posterior(state.after(cell, hit=hit)) for _, hit in outcomes]
        mixed = sum(chance * one.probability for (chance, _), one in zip(outcomes, after, strict=True))
        assert np.allclose(mixed, now.probability, atol=1e-9)
        assert sum(one.count for one in after) == now.count


@settings(max_examples=15, deadline=None)
@given(states(), st.sampled_from(["greedy", "paper", "information", "greedy(tie=next)"]))
def test_expectations_are_between_what_they_must_be(state, name):
    board = state.board
    [worth] = evaluate([make_strategy(name, board)], board)
    assert board.n_covered <= worth.mean_shots <= board.n_cells
    assert worth.distribution.sum() == pytest.approx(1, abs=1e-9)
    assert worth.success_rate.sum() == pytest.approx(board.n_covered, abs=1e-9)
    nothing = np.zeros((1, board.n_cells), dtype=bool)
    assert worth.success_rate[0] <= posteriors(board, nothing, nothing).max() + 1e-12
