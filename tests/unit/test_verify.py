"""The checker on solution files: honest ones, dishonest ones, and damaged ones."""

import json
import subprocess
import sys
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from maxmin.archive import write_archive
from maxmin.build import build_tree
from maxmin.errors import FileError, SolutionError
from maxmin.games import make_game
from maxmin.plans import PlanMixture
from maxmin.sequences import infosets_of
from maxmin.tree_arrays import tree_to_arrays
from maxmin.tree_builder import TreeBuilder
from maxmin.verify import verify

VALUE = -1 / 18


def plans(tree, players, weighted):
    """Make a mixture of plans given as {infoset label: action}; every other infoset gets its first action."""
    infosets = infosets_of(tree, players)
    labels = [tree.infoset_labels[infoset] for infoset in infosets]
    table = np.zeros((len(weighted), len(infosets)), dtype=np.int16)
    for row, (_, moves) in zip(table, weighted, strict=True):
        for label, action in moves.items():
            row[labels.index(label)] = tree.infoset_actions[infosets[labels.index(label)]].index(action)
    return PlanMixture(infosets, table, [weight for weight, _ in weighted])


@pytest.fixture
def kuhn(tmp_path):
    """The textbook equilibrium of Kuhn poker as the parts of a solution file; `write` puts them together."""
    tree = build_tree(make_game("kuhn_poker"))
    strong = {"3 cb": "call"}
    first = plans(tree, [1], [(2 / 3, strong), (1 / 3, {"2 cb": "call", **strong})])
    strong = {"3 c": "bet", "3 b": "call"}
    bluff, call = {"1 c": "bet"}, {"2 b": "call"}
    second = plans(tree, [2], [(1 / 3, strong | bluff), (1 / 3, strong | call), (1 / 3, strong)])
    header = {
        "format": "maxmin solution",
        "format_version": 1,
        "game": tree.name,
        "team": [1],
        "value": VALUE,
        "lower": VALUE,
        "upper": VALUE,
    }
    arrays = tree_to_arrays(tree)
    for name, mixture in (("team", first), ("opponent", second)):
        arrays |= {f"{name}_{part}": getattr(mixture, part) for part in ("infosets", "plans", "weights")}
        arrays[f"{name}_rest"] = np.array(0.0)
    path = tmp_path / "kuhn.npz"

    def write():
        write_archive(path, header, arrays)
        return path

    return SimpleNamespace(tree=tree, header=header, arrays=arrays, path=path, write=write)


def statuses(report):
    return {check.name: check.status for check in report.checks}


def check(report, name):
    return next(check for check in report.checks if check.name == name)


def test_textbook_equilibrium_is_confirmed(kuhn):
    report = verify(kuhn.write())
    assert report.ok
    assert statuses(report) == {
        "game tree": "ok",
        "strategy of the team": "ok",
        "lower bound": "ok",
        "lower bound, exact arithmetic": "ok",
        "strategy of the opponent": "ok",
        "upper bound": "ok",
        "upper bound, exact arithmetic": "ok",
        "value": "ok",
    }
    assert report.lower == pytest.approx(VALUE, abs=1e-15)
    assert report.upper == pytest.approx(VALUE, abs=1e-15)
    assert json.loads(json.dumps(report.to_json()))["checks"][0]["status"] == "ok"
    assert str(report).startswith("ok: game tree: the stored tree is kuhn_poker(players=2,ranks=3)")


@pytest.mark.parametrize(
    ("bound", "claimed", "failed"),
    [
        ("lower", VALUE + 1e-6, {"lower bound", "lower bound, exact arithmetic", "value"}),
        ("upper", VALUE - 1e-6, {"upper bound", "upper bound, exact arithmetic", "value"}),
        ("value", VALUE + 1e-6, {"value"}),
        ("value", VALUE - 1e-6, {"value"}),
    ],
)
def test_wrong_claims_fail(kuhn, bound, claimed, failed):
    kuhn.header[bound] = claimed
    report = verify(kuhn.write())
    assert not report.ok
    assert {name for name, status in statuses(report).items() if status == "failed"} == failed
    assert report.lower == pytest.approx(VALUE, abs=1e-15)


def test_claims_that_are_too_modest_are_fine(kuhn):
    kuhn.header |= {"lower": -1.0, "upper": 1.0, "value": 0.0}  # halfway, as solvers do that stop early
    report = verify(kuhn.write())
    assert report.ok
    assert report.lower == pytest.approx(VALUE, abs=1e-15)


def test_weaker_strategy_with_the_old_claim_fails(kuhn):
    kuhn.arrays["team_weights"] = np.array([0.5, 0.5])
    report = verify(kuhn.write())
    assert check(report, "lower bound").status == "failed"
    assert check(report, "upper bound").status == "ok"
    assert report.lower < VALUE - 1e-3


@pytest.mark.parametrize(
    ("damage", "detail"),
    [
        (lambda kuhn: kuhn.arrays.update(team_weights=np.array([0.5, 0.6])), "sum to 1.1, not 1"),
        (lambda kuhn: kuhn.arrays.update(team_weights=np.array([1.5, -0.5])), "negative"),
        (
            lambda kuhn: kuhn.arrays.update(team_plans=kuhn.arrays["team_plans"] - 1),
            "does not say what to do",
        ),
        (lambda kuhn: kuhn.arrays.update(team_plans=kuhn.arrays["team_plans"] + 2), "has actions 0 to 1"),
        (lambda kuhn: kuhn.arrays.update(team_plans=kuhn.arrays["team_plans"][:, 1:]), "plans have shape"),
        (
            lambda kuhn: kuhn.arrays.update(team_infosets=kuhn.arrays["opponent_infosets"]),
            "player 2's infoset",
        ),
    ],
)
def test_strategies_that_are_none_fail_and_prove_nothing(kuhn, damage, detail):
    damage(kuhn)
    report = verify(kuhn.write())
    assert not report.ok
    assert check(report, "strategy of the team").status == "failed"
    assert detail in check(report, "strategy of the team").detail
    assert check(report, "lower bound").status == "not checked"
    assert report.lower is None
    assert report.upper == pytest.approx(VALUE, abs=1e-15)


def test_other_tree_under_a_catalogue_name_fails(kuhn):
    kuhn.header["game"] = "kuhn_poker(players=2,ranks=4)"
    found = check(verify(kuhn.write()), "game tree")
    assert found.status == "failed"
    assert "is not kuhn_poker(players=2,ranks=4)" in found.detail


def test_changed_payoffs_fail(kuhn):
    numbers = kuhn.arrays["tree_payoff_number"].copy()
    numbers[[0, 1]] = numbers[[1, 0]]
    kuhn.arrays["tree_payoff_number"] = numbers
    found = check(verify(kuhn.write()), "game tree")
    assert found.status == "failed"
    assert "payoffs" in found.detail


def test_game_that_is_not_in_the_catalogue_is_checked_on_its_tree(kuhn):
    kuhn.header["game"] = "my own poker"
    report = verify(kuhn.write())
    assert report.ok
    assert check(report, "game tree").status == "not checked"
    assert check(report, "lower bound").status == "ok"


def test_float_games_are_not_checked_exactly(tmp_path):
    builder = TreeBuilder("coin", ["one", "two"])
    root = builder.decision(-1, -1, 1, "x", ["l", "r"])
    builder.leaf(root, 0, [0.1, -0.1])
    builder.leaf(root, 1, [0.7, -0.7])
    tree = builder.finish()
    side = SimpleNamespace(explicit=lambda: (PlanMixture([0], [[1]], [1.0]), 0.0))
    nobody = SimpleNamespace(explicit=lambda: (PlanMixture([], np.zeros((1, 0), dtype=np.int16), [1.0]), 0.0))
    solution = SimpleNamespace(
        game="coin", team=(1,), value=0.7, lower=0.7, upper=0.7, tree=tree, strategy=side, opponent=nobody
    )
    report = verify(solution)
    assert report.ok
    assert check(report, "lower bound, exact arithmetic").status == "not checked"
    assert report.lower == report.upper == 0.7


def three_player_kuhn(seed):
    """A claim about 3K8: the team always plays its first actions, the other one a random mixture."""
    tree = build_tree(make_game("3K8"))
    rng = np.random.default_rng(seed)
    infosets, team = infosets_of(tree, [3]), infosets_of(tree, [1, 2])
    other = PlanMixture(infosets, rng.integers(0, 2, (30, len(infosets))), np.full(30, 1 / 30))
    passive = PlanMixture(team, np.zeros((1, len(team)), dtype=np.int16), [1.0])
    return SimpleNamespace(
        game=tree.name,
        team=(1, 2),
        value=0.0,
        lower=-4.0,
        upper=5.0,
        tree=tree,
        strategy=SimpleNamespace(explicit=lambda: (passive, 0.0)),
        opponent=SimpleNamespace(explicit=lambda: (other, 0.0)),
    )


def test_bound_of_a_large_team_is_checked_by_integer_program():
    solution = three_player_kuhn(seed=0)
    report = verify(solution)
    assert report.ok
    assert check(report, "upper bound").status == "ok"
    assert "integer program" in check(report, "upper bound").detail
    exact = check(report, "upper bound, exact arithmetic")
    assert exact.status == "not checked"
    assert "too many plans" in exact.detail
    solution.upper = report.upper
    assert check(verify(solution), "upper bound").status == "ok"
    solution.upper = report.upper - 1e-3
    assert check(verify(solution), "upper bound").status == "failed"


def test_without_time_a_tight_claim_is_neither_passed_nor_failed():
    solution = three_player_kuhn(seed=0)
    truth = solution.upper = verify(solution).upper
    report = verify(solution, seconds=0)
    assert report.ok
    assert check(report, "upper bound").status == "not checked"
    assert "give it more seconds" in check(report, "upper bound").detail
    assert report.upper > truth
    solution.upper = 0.0
    assert check(verify(solution, seconds=0), "upper bound").status == "failed"


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda kuhn: kuhn.header.update(format="something"), "is not a maxmin solution"),
        (
            lambda kuhn: kuhn.header.update(format_version=2),
            "has format version 2; this maxmin reads version 1",
        ),
        (lambda kuhn: kuhn.header.update(team=[]), "team .* is not a list of players"),
        (lambda kuhn: kuhn.header.update(team=[3]), "team .* is not a list of players"),
        (lambda kuhn: kuhn.header.update(team=["1"]), "team .* is not a list of players"),
        (lambda kuhn: kuhn.header.update(team=[1, 1]), "names a player twice"),
        (lambda kuhn: kuhn.header.update(lower=float("nan")), "lower is nan, not a finite number"),
        (lambda kuhn: kuhn.header.update(upper="1"), "upper is '1', not a finite number"),
        (lambda kuhn: kuhn.header.pop("value"), "value is None"),
        (lambda kuhn: kuhn.header.pop("game"), "does not name the game"),
        (lambda kuhn: kuhn.arrays.pop("team_plans"), "there is no array team_plans"),
        (lambda kuhn: kuhn.arrays.pop("tree_parent"), "there is no array tree_parent"),
    ],
)
def test_files_that_are_not_solutions(kuhn, damage, message):
    damage(kuhn)
    with pytest.raises(SolutionError, match=message) as error:
        verify(kuhn.write())
    assert "kuhn.npz" in str(error.value)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9, 0.99])
def test_truncated_files_are_refused(kuhn, share):
    data = kuhn.write().read_bytes()
    kuhn.path.write_bytes(data[: int(share * len(data))])
    with pytest.raises(SolutionError, match=r"kuhn\.npz"):
        verify(kuhn.path)


def test_flipped_bytes_never_pass_unnoticed(kuhn):
    data = kuhn.write().read_bytes()
    honest = verify(kuhn.path)
    for place in range(0, len(data), max(1, len(data) // 60)):
        changed = bytearray(data)
        changed[place] ^= 0xFF
        kuhn.path.write_bytes(bytes(changed))
        try:
            report = verify(kuhn.path)
        except SolutionError:
            continue
        # Bytes that no reader looks at, such as dates, may change; what was read is then what was written.
        assert report.ok
        assert report.lower == honest.lower
        assert report.upper == honest.upper


def test_files_that_are_not_archives(tmp_path):
    (tmp_path / "text.npz").write_text("hello")
    with pytest.raises(SolutionError, match=r"text\.npz"):
        verify(tmp_path / "text.npz")
    with pytest.raises(FileError, match="no such file"):
        verify(tmp_path / "missing.npz")
    with pytest.raises(FileError, match="folder"):
        verify(str(tmp_path))


def test_pickled_objects_are_never_loaded(kuhn):
    kuhn.arrays["team_plans"] = np.array([print], dtype=object)
    np.savez(kuhn.path, header=np.array(json.dumps(kuhn.header)), **kuhn.arrays)
    with pytest.raises(SolutionError, match=r"kuhn\.npz"):
        verify(kuhn.path)


def test_things_that_are_no_solution():
    with pytest.raises(SolutionError, match="int is neither a solution nor the path of one"):
        verify(3)


def test_checker_imports_no_solver_and_no_native_code():
    program = (
        "import sys, maxmin.verify, maxmin.exploitability, maxmin.strategy_files\n"
        "print([name for name in sys.modules if name.startswith('maxmin.')])"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    loaded = set(eval(found))
    assert "maxmin.verify.claim" in loaded
    assert not {"maxmin._core", "maxmin.decision", "maxmin.strategy", "maxmin.solve"} & loaded


def test_exact_fractions_are_told(kuhn):
    kuhn.arrays["team_weights"] = np.array([0.5, 0.5])
    detail = check(verify(kuhn.write()), "lower bound, exact arithmetic").detail
    assert f"brings the team to {Fraction(-1, 12)}" in detail
