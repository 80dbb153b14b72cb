"""A Ctrl-C is never lost, whenever it comes."""

import signal

import pytest

from maxmin.errors import Cancelled
from maxmin.solve import solve


def test_ctrl_c_at_the_end_of_building_is_not_lost(monkeypatch):
    build = solve.__globals__["make_list_match"]

    def build_and_interrupt(*arguments, **options):
        match = build(*arguments, **options)
        signal.raise_signal(signal.SIGINT)  # after the last look at the watch
        return match

    monkeypatch.setitem(solve.__globals__, "make_list_match", build_and_interrupt)
    with pytest.raises(Cancelled):
        solve("kuhn_poker", gap=1e-3)
