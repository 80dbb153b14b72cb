"""Threads: any number of them gives the same bytes, also across a checkpoint; nonsense is refused."""

import os

import pytest

from maxmin.errors import GameError
from maxmin.limits import check_threads
from maxmin.match import make_match
from maxmin.solve import MINIMIZERS, Solution, solve
from maxmin.solve.regret import RegretRun
from maxmin.sources import load_tree

GAME, TEAM = "3L143", (1, 2)
"""Large enough for several pieces at once: 110,000 prescriptions."""


def run(**options) -> Solution:
    return solve(GAME, team=TEAM, gap=0, method="dcfr+", **options)


def check_same(one: Solution, other: Solution) -> None:
    assert (one.lower, one.upper, one.iterations) == (other.lower, other.upper, other.iterations)
    for side in ("strategy", "opponent"):
        ours, theirs = getattr(one, side).to_arrays(), getattr(other, side).to_arrays()
        assert all(ours[name].tobytes() == array.tobytes() for name, array in theirs.items())


@pytest.mark.parametrize("alternating", [True, False])
def test_any_number_of_threads_leaves_the_same_state(alternating):
    match = make_match(load_tree(GAME), TEAM)
    states = []
    for threads in (1, 2, 3):
        state = RegretRun(match, MINIMIZERS["pcfr+"], alternating=alternating, threads=threads)
        assert state.advance(30) == 30
        states.append(state.to_arrays())
    for other in states[1:]:
        assert all(other[name].tobytes() == array.tobytes() for name, array in states[0].items())


def test_a_checkpoint_goes_on_with_another_number_of_threads(tmp_path):
    path = tmp_path / "state.npz"
    for threads, iterations in ((2, 11), (1, 23), (3, 40)):
        cut = run(threads=threads, iterations=iterations, checkpoint=path)
    check_same(cut, run(threads=1, iterations=40))


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="not on this system")
def test_the_default_is_every_processor_that_may_be_used():
    assert check_threads(None) == len(os.sched_getaffinity(0))
    assert check_threads(7) == 7


@pytest.mark.parametrize("threads", [0, -1, True, 1.5, "2", 10**6])
def test_what_is_no_number_of_threads_is_refused(threads):
    with pytest.raises(GameError, match=r"^threads must be a whole number from 1 to 1024, not "):
        solve("kuhn_poker", threads=threads)
