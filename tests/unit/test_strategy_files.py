"""Strategy files: what people may write, what they get back, and what they are told."""

import json
from fractions import Fraction

import numpy as np
import pytest

from maxmin.build import build_tree
from maxmin.errors import FileError, FormatError, StrategyError
from maxmin.exploitability import exploitability
from maxmin.games import make_game
from maxmin.plans import Behavior, PlanMixture
from maxmin.sequences import infosets_of
from maxmin.strategy_files import read_strategy, write_strategy
from maxmin.tree_builder import TreeBuilder

FIRST = {
    "player": 1,
    "behavior": {
        "1": {"check": 1},
        "2": {"check": 1},
        "3": {"check": 1},
        "1 cb": {"fold": 1},
        "2 cb": {"fold": "2/3", "call": "1/3"},
        "3 cb": {"call": 1},
    },
}
SECOND = {
    "player": 2,
    "behavior": {
        "1 c": {"check": "2/3", "bet": "1/3"},
        "1 b": {"fold": 1.0},
        "2 c": {"check": 1},
        "2 b": {"fold": "2/3", "call": "1/3"},
        "3 c": {"bet": 1},
        "3 b": {"call": 1},
    },
}


@pytest.fixture(scope="module")
def kuhn():
    return build_tree(make_game("kuhn_poker"))


@pytest.fixture
def written(tmp_path):
    def write(content):
        path = tmp_path / "strategy.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    return write


def changed(**behavior):
    """Return player 1's textbook strategy with some infosets changed; None leaves one out."""
    new = {**FIRST["behavior"], **behavior}
    return {"player": 1, "behavior": {name: odds for name, odds in new.items() if odds is not None}}


@pytest.mark.parametrize(("content", "value"), [(FIRST, Fraction(-1, 18)), (SECOND, Fraction(1, 18))])
def test_textbook_equilibrium_of_kuhn_poker_guarantees_the_value_exactly(kuhn, written, content, value):
    found = exploitability(kuhn, read_strategy(written(content), kuhn), value=float(value))
    assert found.exact == value
    assert found.guarantee == pytest.approx(float(value), abs=1e-15)
    assert found.below_value == pytest.approx(0, abs=1e-15)
    assert found.response.method == "recursion"


def test_calling_too_often_costs_what_it_costs(kuhn, written):
    # Player 1 calls every bet with the middle card; a second player who never bluffs takes 1/9 more then.
    always = exploitability(
        kuhn, read_strategy(written(changed(**{"2 cb": {"call": 1}})), kuhn), value=-1 / 18
    )
    assert always.exact == Fraction(-1, 6)
    assert always.below_value == pytest.approx(1 / 9)


def test_plans_of_a_team(written):
    tree = build_tree(make_game("kuhn_poker(players=3,ranks=4)"))
    infosets = infosets_of(tree, (1, 2))
    names = {f"{tree.infoset_player[i]}:{tree.infoset_labels[i]}": tree.infoset_actions[i] for i in infosets}
    file = {
        "team": [2, 1],
        "plans": [
            {"weight": "1/3", "plan": {name: actions[0] for name, actions in names.items()}},
            {"weight": "2/3", "plan": {name: actions[1] for name, actions in names.items()}},
        ],
    }
    mixture = read_strategy(written(file), tree)
    assert isinstance(mixture, PlanMixture)
    assert mixture.weights.tolist() == [Fraction(1, 3), Fraction(2, 3)]
    assert (mixture.plans == [[0], [1]]).all()


def test_a_member_cannot_use_what_another_one_sees(written):
    tree = build_tree(make_game("kuhn_poker(players=3,ranks=4)"))
    file = {"team": [1, 2], "plans": [{"weight": 1, "plan": {"2:1 c": "check", "2:1 and 3 c": "bet"}}]}
    with pytest.raises(StrategyError, match=r"there is no infoset '2:1 and 3 c'; nearest: '2:"):
        read_strategy(written(file), tree)
    file = {"team": [1, 2], "plans": [{"weight": 1, "plan": {"3:1 cc": "check"}}]}
    with pytest.raises(StrategyError, match="there is no infoset '3:1 cc'"):
        read_strategy(written(file), tree)


def test_written_strategies_come_back_to_the_last_bit(kuhn, tmp_path):
    rng = np.random.default_rng(1)
    infosets = infosets_of(kuhn, [1])
    behavior = Behavior(infosets, rng.dirichlet([1, 1], len(infosets)))
    write_strategy(tmp_path / "behavior.json", kuhn, behavior)
    again = read_strategy(tmp_path / "behavior.json", kuhn)
    assert np.array_equal(again.probabilities.astype(float), behavior.probabilities)
    plans = rng.integers(0, 2, (5, 12)).astype(np.int16)
    mixture = PlanMixture(infosets_of(kuhn, [1, 2]), plans, rng.dirichlet([1] * 5))
    write_strategy(tmp_path / "plans.json", kuhn, mixture)
    again = read_strategy(tmp_path / "plans.json", kuhn)
    assert np.array_equal(again.weights.astype(float), mixture.weights)
    assert np.array_equal(again.plans, mixture.plans)


def test_exact_strategies_come_back_exactly(kuhn, tmp_path, written):
    strategy = read_strategy(written(FIRST), kuhn)
    write_strategy(tmp_path / "again.json", kuhn, strategy)
    assert np.array_equal(read_strategy(tmp_path / "again.json", kuhn).probabilities, strategy.probabilities)


def test_unreached_infosets_are_neither_needed_nor_written(kuhn, tmp_path):
    first = [i for i in infosets_of(kuhn, [1]) if " " not in kuhn.infoset_labels[i]]
    plan = np.where(np.isin(infosets_of(kuhn, [1]), first), 1, -1)
    write_strategy(tmp_path / "bets.json", kuhn, PlanMixture(infosets_of(kuhn, [1]), plan[None], [1.0]))
    assert json.loads((tmp_path / "bets.json").read_text()) == {
        "player": 1,
        "plans": [{"weight": 1.0, "plan": {"1": "bet", "2": "bet", "3": "bet"}}],
    }
    assert np.array_equal(read_strategy(tmp_path / "bets.json", kuhn).plans[0], plan)


def test_names_that_are_not_unique_get_their_number(tmp_path):
    builder = TreeBuilder("twice", ["one", "two"])
    root = builder.decision(-1, -1, 1, "x", ["go", "go"], label="")
    for action in range(2):
        node = builder.decision(root, action, 1, action, ["l", "r"], label="same")
        builder.leaf(node, 0, [action, 0])
        builder.leaf(node, 1, [0, action])
    tree = builder.finish()
    plan = PlanMixture([0, 1, 2], [[1, -1, 0]], [1.0])
    write_strategy(tmp_path / "plan.json", tree, plan)
    assert json.loads((tmp_path / "plan.json").read_text())["plans"][0]["plan"] == {
        "#0": "go#1",
        "same#2": "l",
    }
    assert np.array_equal(read_strategy(tmp_path / "plan.json", tree).plans, plan.plans)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (changed(**{"2 xb": {"fold": 1}}), "there is no infoset '2 xb'; nearest: '2 cb'"),
        (changed(**{"2 cb": {"flod": 1}}), "no action in infoset '2 cb' 'flod'; nearest: 'fold'"),
        (changed(**{"2 cb": None}), "reaches player 1's infoset '2 cb' but does not say"),
        (changed(**{"2 cb": {"fold": 0.5, "call": 0.4}}), "infoset '2 cb': probabilities sum to 0.9, not 1"),
        (changed(**{"2 cb": {"fold": 1.5, "call": -0.5}}), "negative"),
        (changed(**{"2 cb": {"fold": "half"}}), "'half' is not a number like 0.25"),
        (changed(**{"2 cb": {"fold": None}}), "None is not a number"),
        (changed(**{"2 cb": {"fold": True}}), "True is not a number"),
        (changed(**{"2 cb": "fold"}), "infoset '2 cb': expected an object"),
        (changed() | {"player": 3}, "player 3 does not exist"),
        (changed() | {"player": 1.5}, "player 3/2 does not exist"),
        (changed() | {"player": "1"}, "player 1 does not exist"),
        (changed() | {"team": [1]}, "either player or team"),
        (changed() | {"behaviour": {}}, "no key 'behaviour'; nearest: 'behavior'"),
        ({"player": 1}, "either behavior or plans"),
        ({"team": [], "plans": []}, "team must be a list of players"),
        ({"team": [1, 1], "plans": []}, "names a player twice"),
        ({"player": 1, "plans": []}, "sum to 0, not 1"),
        ({"player": 1, "plans": {}}, "plans must be a list"),
        ({"player": 1, "plans": [{"weight": 1}]}, r"plan 0 \(counting from 0\): expected weight and plan"),
        ([], "the file: expected an object"),
        ('{"player": 1, "player": 2, "behavior": {}}', "'player' is given twice"),
        ('{"player": 1, "behavior": {"1": {"bet": NaN}}}', "'NaN' is not a number"),
        ('{"player": 1, "behavior": {"1": {"bet": 1e999999}}}', "is not a number"),
    ],
)
def test_bad_strategies(kuhn, written, content, message):
    with pytest.raises(StrategyError, match=message) as error:
        read_strategy(written(content), kuhn)
    assert "strategy.json: " in str(error.value)


def test_files_that_are_not_json(kuhn, written, tmp_path):
    with pytest.raises(FormatError, match=r"strategy\.json:2:1: not JSON"):
        read_strategy(written('{"player":\n}'), kuhn)
    with pytest.raises(FormatError, match="nested too deeply"):
        read_strategy(written("[" * 200_000), kuhn)
    with pytest.raises(FormatError, match="empty"):
        read_strategy(written(""), kuhn)
    with pytest.raises(FileError, match="no such file"):
        read_strategy(tmp_path / "missing.json", kuhn)


def test_nothing_is_written_for_a_strategy_that_does_not_fit(kuhn, tmp_path):
    plan = PlanMixture(infosets_of(kuhn, [1]), [[0, 0, 0, 0, 0, -1]], [1.0])
    with pytest.raises(StrategyError, match="does not say what to do"):
        write_strategy(tmp_path / "bad.json", kuhn, plan)
    assert list(tmp_path.iterdir()) == []
