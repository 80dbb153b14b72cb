"""What the solvers save, the checker confirms: two routes that share no code agree on both bounds."""

import pytest

import maxmin
from maxmin.exploitability import exploitability


@pytest.mark.parametrize("method", ["auto", "lp"])
@pytest.mark.parametrize(
    ("game", "team"),
    [
        ("kuhn_poker", (1,)),
        ("kuhn_poker", (2,)),
        ("3K3", (1, 2)),
        ("3K4", (1, 2)),
        ("3K4", (2, 3)),
        ("3K4", (2,)),
        ("3D2", (1, 3)),
        ("kuhn_poker(players=4,ranks=5)", (1, 2)),
    ],
)
def test_saved_solutions_hold_what_they_claim(game, team, method, tmp_path):
    solution = maxmin.solve(game, team=team, method=method)
    solution.save(tmp_path / "solution.npz")
    report = maxmin.verify(tmp_path / "solution.npz")
    assert report.ok
    done = {check.name for check in report.checks if check.status == "ok"}
    assert {"game tree", "lower bound", "upper bound", "value"} <= done
    assert report.lower == pytest.approx(solution.lower, abs=1e-6)
    assert report.upper == pytest.approx(solution.upper, abs=1e-6)


def test_solution_in_memory_is_checked_as_well():
    solution = maxmin.solve("3K3", team=(1, 2))
    assert maxmin.verify(solution).ok


def test_exploitability_of_a_solution_is_what_it_lacks():
    solution = maxmin.solve("3K4", team=(1, 2), gap=1e-5)
    found = exploitability(solution.tree, solution.strategy.plans(), team=(1, 2), value=-1 / 24)
    assert found.guarantee == pytest.approx(solution.lower, abs=1e-7)
    assert 0 <= found.below_value <= solution.gap + 1e-9
