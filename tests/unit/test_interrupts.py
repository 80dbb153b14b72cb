"""A Ctrl-C is never lost, whenever it comes."""

import signal

import pytest

from maxmin.errors import Cancelled
from maxmin.highs import run_highs
from maxmin.solve import solve


def test_ctrl_c_at_the_end_of_building_is_not_lost(monkeypatch):
    choose = solve.__globals__["choose"]

    def choose_and_interrupt(*arguments, **options):
        choice = choose(*arguments, **options)
        signal.raise_signal(signal.SIGINT)  # after the last look at the watch
        return choice

    monkeypatch.setitem(solve.__globals__, "choose", choose_and_interrupt)
    with pytest.raises(Cancelled):
        solve("kuhn_poker", gap=1e-3)


class Endless:
    """A HiGHS that runs PDLP and, like the real one, does not stop when told to."""

    cancelled = 0

    def getOptionValue(self, name):  # noqa: N802 - HiGHS's name
        return None, {"solver": "pdlp"}[name]

    def startSolve(self):  # noqa: N802 - HiGHS's name
        pass

    def wait(self, timeout=-1.0):
        assert timeout >= 0, "a wait without end"
        return False, None

    def cancelSolve(self):  # noqa: N802 - HiGHS's name
        self.cancelled += 1


def test_pdlp_is_left_behind():
    """HiGHS does not look at callbacks there: Ctrl-C would hang until it converges."""
    highs = Endless()
    with pytest.raises(Cancelled):
        run_highs(highs, "a program", lambda _: False)
    assert highs.cancelled


def test_pdlp_is_left_behind_on_a_second_ctrl_c():
    def interrupt(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_highs(Endless(), "a program", interrupt)
