"""A Ctrl-C is never lost, whenever it comes."""

import signal

import pytest

from maxmin.errors import Cancelled
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
