"""Independent members: known values, what strategies guarantee, odd teams."""

import pytest

pytest.importorskip("maxmin._core", reason="the native core is not built")
from maxmin.exploitability import exploitability
from maxmin.tme import solve_tme

KNOWN = {"hide_and_seek": 1 / 4, "one_time_pad": 0.0, "private_signal": 0.0}


@pytest.mark.parametrize("name", KNOWN)
def test_local_search_finds_known_values(name):
    solution = solve_tme(name, team=(1, 2), starts=4)
    assert solution.lower == pytest.approx(KNOWN[name], abs=1e-6)
    assert solution.lower <= solution.upper <= solution.correlated.upper


def test_the_strategies_guarantee_the_lower_bound():
    solution = solve_tme("3K4", team=(1, 2))
    assert solution.lower == pytest.approx(-1 / 24, abs=1e-6)
    found = exploitability(solution.tree, solution.strategy, team=(1, 2))
    assert found.guarantee == pytest.approx(solution.lower, abs=1e-12)
    assert solution.stopped_by == "gap"
