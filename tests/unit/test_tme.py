"""Independent members: known values, all games of two against one with two actions each, odd teams, stops."""

import itertools
import json
import signal

import numpy as np
import pytest

pytest.importorskip("maxmin._core", reason="the native core is not built")
from maxmin import highs
from maxmin.errors import Cancelled, GameError, MaxminError, UnknownNameError
from maxmin.exploitability import exploitability
from maxmin.solve import solve
from maxmin.sources import load_tree
from maxmin.strategy_files import read_strategy, strategy_from_json, write_strategy
from maxmin.tme import solve_tme
from maxmin.tme.linearization import Linearization
from maxmin.tme.match import make_independent_match
from maxmin.tme.products import products_of
from maxmin.tree import GameTree
from maxmin.tree_builder import TreeBuilder

TEXTBOOK = {"hide_and_seek": 1 / 4, "one_time_pad": 0.0, "private_signal": 0.0}
"""Proved in the docstrings of the games."""


def simultaneous(payoffs) -> GameTree:
    """Make a game in which all choose once, unseen; the last player pays what the others get together."""
    payoffs = np.asarray(payoffs)
    players = payoffs.ndim
    builder = TreeBuilder("simultaneous", [f"player {player}" for player in range(1, players + 1)])

    def grow(parent, action, chosen):
        if len(chosen) == players:
            won = payoffs[tuple(chosen)].item()
            builder.leaf(parent, action, [won] + [0] * (players - 2) + [-won])
            return
        player = len(chosen) + 1
        names = [str(one) for one in range(payoffs.shape[player - 1])]
        node = builder.decision(parent, action, player, f"of {player}", names)
        for index in range(len(names)):
            grow(node, index, [*chosen, index])

    # Breadth first is not needed: nodes are numbered when the tree is finished.
    grow(-1, -1, [])
    return builder.finish()


def together_and_unseen(members: int, weight: int = 1) -> np.ndarray:
    """Pay 1 if all members choose 0 and the seeker 1, `weight` if all choose 1 and the seeker 0."""
    payoffs = np.zeros((2,) * (members + 1), dtype=int)
    payoffs[(0,) * members + (1,)] = 1
    payoffs[(1,) * members + (0,)] = weight
    return payoffs


@pytest.mark.parametrize("name", TEXTBOOK)
def test_textbook_games_have_their_values(name):
    solution = solve_tme(name, team=(1, 2), gap=0.01, starts=4)
    assert solution.converged
    assert solution.stopped_by == "gap"
    assert solution.lower == pytest.approx(TEXTBOOK[name], abs=1e-6)
    assert solution.lower <= solution.value <= solution.upper
    assert solution.upper - solution.lower == solution.gap
    assert solution.upper < solution.correlated.lower
    assert solution.opponent is None


@pytest.mark.parametrize(("members", "weight", "value"), [(2, 2, 6 - 4 * 2**0.5), (3, 1, 1 / 8)])
def test_values_may_be_irrational_and_members_three(members, weight, value):
    # p q = 2 (1 - p)(1 - q) is largest at p = q = 2 - sqrt 2, as (1 - p)(1 - q) <= (1 - sqrt(p q))^2.
    tree = simultaneous(together_and_unseen(members, weight))
    solution = solve_tme(tree, team=range(1, members + 1), gap=2e-3, starts=6)
    assert solution.converged
    assert solution.lower == pytest.approx(value, abs=1e-6)
    assert solution.upper >= value


def test_choices_among_three():
    # With s_i = sqrt(p_i q_i), which sum to at most 1, they get the sum of s_i^2 less the largest: 1/4 at most.
    places = np.arange(3)
    together = places[:, None, None] == places[None, :, None]
    payoffs = together & (places[:, None, None] != places[None, None, :])
    solution = solve_tme(simultaneous(payoffs.astype(int)), team=(1, 2), gap=0.03, starts=6)
    assert solution.converged
    assert solution.lower == pytest.approx(1 / 4, abs=1e-6)
    assert solution.correlated.value == pytest.approx(2 / 3, abs=0.01)


def by_grid(first, second, n_points: int = 201) -> tuple[float, float]:
    """Bound max over p, q of min over the last player: exact in q, a grid with a Lipschitz bound in p."""
    best = -np.inf
    for p in np.linspace(0, 1, n_points):
        a, b = (np.array([p, 1 - p]) @ matrix for matrix in (first, second))
        crossing = (a[1] - b[1]) / ((a[1] - b[1]) - (a[0] - b[0])) if (a[1] - b[1]) != (a[0] - b[0]) else 0.0
        for q in (0.0, 1.0, min(max(crossing, 0.0), 1.0)):
            best = max(best, min(q * a[0] + (1 - q) * a[1], q * b[0] + (1 - q) * b[1]))
    steepest = max(np.abs(matrix[0] - matrix[1]).max() for matrix in (first, second))
    return best, best + steepest / (2 * (n_points - 1))


def all_games() -> list[tuple[np.ndarray, np.ndarray]]:
    """Return all pairs of 2 x 2 matrices of zeros and ones, one of each that differ only in names."""
    found = {}
    for bits in itertools.product((0, 1), repeat=8):
        table = np.array(bits).reshape(2, 2, 2)
        kin = [
            np.transpose(table, (0, *order))[::flip, ::rows, ::columns]
            for order in ((1, 2), (2, 1))
            for flip, rows, columns in itertools.product((1, -1), repeat=3)
        ]
        found[min(one.tobytes() for one in kin)] = table
    return [tuple(table) for table in found.values()]


def test_all_games_with_two_actions_each():
    games = all_games()
    assert len(games) > 30
    for first, second in games:
        solution = solve_tme(simultaneous(np.stack([first, second], axis=2)), team=(1, 2), gap=0.02, starts=3)
        least, most = by_grid(first, second)
        assert solution.converged
        assert solution.lower <= most + 1e-9
        assert solution.upper >= least - 1e-9
        assert solution.lower == pytest.approx(least, abs=most - least + 1e-6)


def test_strategies_guarantee_the_lower_bound_and_can_be_kept(tmp_path):
    solution = solve_tme("3K4", team=(1, 2), gap=1e-5)
    assert solution.lower == pytest.approx(-1 / 24, abs=1e-6)
    found = exploitability(solution.tree, solution.strategy, team=(1, 2))
    assert found.guarantee == pytest.approx(solution.lower, abs=1e-12)
    assert solution.opponent is solution.correlated.opponent
    write_strategy(tmp_path / "team.json", solution.tree, solution.strategy)
    again = read_strategy(tmp_path / "team.json", solution.tree)
    assert exploitability(solution.tree, again, team=(1, 2)).guarantee == found.guarantee


def test_independence_costs_something_in_kuhn_poker_of_five_ranks():
    solution = solve_tme("3K5", team=(1, 2), gap=6e-4, starts=8)
    assert solution.converged
    assert solution.upper < solution.correlated.lower
    assert solution.nodes > 1


def test_json_is_the_whole_answer():
    solution = solve_tme("hide_and_seek", team=(2, 1), gap=0.1, starts=2)
    found = json.loads(json.dumps(solution.to_json()))
    assert found["team"] == [1, 2]
    assert found["correlated"] == {"lower": solution.correlated.lower, "upper": solution.correlated.upper}
    strategy = strategy_from_json(found["strategy"], solution.tree)
    assert exploitability(solution.tree, strategy, team=(1, 2)).guarantee == pytest.approx(found["lower"])
    assert found["trace"][-1][2:] == [found["lower"], found["upper"]]


def test_the_same_seed_gives_the_same_answer():
    one, two = (solve_tme("private_signal", team=(1, 2), gap=0.02, seed=3) for _ in range(2))
    assert one.strategy.probabilities.tobytes() == two.strategy.probabilities.tobytes()
    assert (one.lower, one.upper, one.nodes, one.starts) == (two.lower, two.upper, two.nodes, two.starts)


def test_a_player_is_a_team_of_one():
    solution = solve_tme("2K3", team=(1,), gap=1e-6)
    assert solution.converged
    assert solution.lower == pytest.approx(-1 / 18, abs=1e-8)


def test_a_player_who_forgets_randomizes_at_each_infoset_anew():
    solution = solve_tme("forgetful_player", team=(1,), gap=0.01, starts=5)
    assert solution.converged
    assert solution.lower == pytest.approx(0, abs=1e-6)
    assert solution.correlated.lower > 0.2


def test_members_who_never_act():
    tree = simultaneous([[[3, 1]], [[0, 2]]])
    for team, value in [((1, 2), 1.5), ((2,), 0.0)]:
        solution = solve_tme(tree, team=team, gap=1e-6)
        assert solution.converged
        assert solution.lower == pytest.approx(value, abs=1e-7)
    nobody = solve_tme(simultaneous([[[[1, 2]]]]), team=(1, 2, 3), gap=1e-6)
    assert nobody.lower == nobody.upper == 1.0


def test_several_opponents_may_draw_together():
    payoffs = np.moveaxis(1 - together_and_unseen(2), -1, 0)  # the seeker now is the team
    seeker = solve_tme(simultaneous(payoffs), team=(1,), gap=1e-6)
    assert seeker.lower == pytest.approx(0.5, abs=1e-6)  # hiders who draw alone would leave it 3/4


def test_bad_input_is_refused():
    with pytest.raises(GameError, match="player 1 is absent-minded"):
        solve_tme("absent_minded_driver", team=(1,))
    with pytest.raises(UnknownNameError, match="everybody"):
        solve_tme("3K3", team=(1, 2, 3))
    for name, value in [("gap", float("nan")), ("seconds", 0), ("starts", 0), ("nodes", -1), ("seed", True)]:
        with pytest.raises(MaxminError, match=name):
            solve_tme("3K3", team=(1, 2), **{name: value})


def test_a_team_may_be_named_once_only():
    """It is wanted several times: by the independent members, and by those who draw together."""
    assert solve_tme("3K3", team=iter((1, 2)), gap=0.5).team == (1, 2)


def test_out_of_time_there_still_are_bounds():
    solution = solve_tme("3K4", team=(1, 2), gap=1e-9, seconds=1e-9)
    assert solution.stopped_by == "seconds"
    assert solution.lower <= -1 / 24 <= solution.upper


@pytest.mark.parametrize("act", [lambda: False, lambda: signal.raise_signal(signal.SIGINT)])
@pytest.mark.parametrize("call", [1, 30])
def test_stopped_while_searching_the_best_so_far_is_returned(act, call):
    seen = []

    def callback(snapshot):
        seen.append(snapshot)
        return act() if sum(one.stage == "searching" for one in seen) == call else None

    solution = solve_tme("one_time_pad", team=(1, 2), gap=1e-6, starts=2, callback=callback)
    assert solution.stopped_by == "interrupt"
    assert not solution.converged
    assert -0.5 <= solution.lower <= 0 <= solution.upper <= 0.5
    assert seen[-1].stage == "searching"
    assert all(one.lower <= one.upper for one in seen)


def test_stopped_before_the_search_there_still_is_a_strategy():
    solution = solve_tme("3K4", team=(1, 2), callback=lambda snapshot: snapshot.stage != "correlated")
    assert solution.stopped_by == "interrupt"
    guarantee = exploitability(solution.tree, solution.strategy, team=(1, 2)).guarantee
    assert guarantee == pytest.approx(solution.lower, abs=1e-12)
    assert solution.upper >= solve("3K4", team=(1, 2), gap=1e-6).lower
    with pytest.raises(Cancelled):
        solve_tme("4K5", team=(4,), callback=lambda snapshot: snapshot.stage != "building")


def test_without_branch_and_bound_the_starts_are_counted():
    solution = solve_tme(load_tree("hide_and_seek"), team=(1, 2), starts=3, nodes=0)
    assert (solution.stopped_by, solution.starts, solution.nodes) == ("starts", 3, 0)
    assert solution.upper == solution.correlated.upper
    few = solve_tme("one_time_pad", team=(1, 2), starts=1, nodes=5)
    assert few.stopped_by == "nodes"
    assert 0 <= few.upper < few.correlated.upper


@pytest.mark.parametrize(("name", "team"), [("3K3", (1, 2)), ("3D2", (1, 3)), ("4K4", (1, 2, 4))])
def test_products_are_those_of_infosets_that_some_leaf_lies_below(name, team):
    tree = load_tree(name)
    met = set()
    for node in tree.leaves.tolist():
        way = [[-1] for _ in team]  # -1: the empty sequence
        while node:
            node = int(tree.parent[node])
            if tree.player[node] in team:
                way[team.index(tree.player[node])].append(int(tree.infoset[node]))
        met |= set(itertools.product(*way))
    sizes = [np.prod([tree.infoset_n_actions[one] for one in combination if one >= 0]) for combination in met]
    products = products_of(make_independent_match(tree, team), most=100_000)
    assert products.n_products == sum(sizes)
    assert products_of(make_independent_match(tree, team), most=products.n_products - 1) is None


def test_a_program_is_stopped_between_iterations_and_errors_come_through(monkeypatch):
    monkeypatch.setattr(highs, "_BETWEEN_QUESTIONS", 0.0)
    match = make_independent_match(load_tree("3K3"), (1, 2))
    program, point = Linearization(match), match.realize(match.uniform)
    free = np.zeros_like(point), np.ones_like(point)
    promised, step = program.best_step(point, *free, lambda _: False)
    assert (promised, step is point) == (-np.inf, True)
    with pytest.raises(ZeroDivisionError):
        program.best_step(point, *free, lambda _: 1 // 0 > 0)
    assert program.best_step(point, *free, lambda _: True)[0] > match.guarantee(point)
