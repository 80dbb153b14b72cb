"""Properties of trees: on textbook cases by name, and against their literal definitions on random games."""

from fractions import Fraction
from itertools import pairwise

import pytest
from reference.belief_dag import side_tree, times
from reference.random_games import merge_team, random_game, rebuild, shift

from maxmin import properties
from maxmin.build import build_tree
from maxmin.errors import GameError, NotTimeableError
from maxmin.games.kuhn_poker import KuhnPoker
from maxmin.tree import GameTree
from maxmin.tree_builder import TreeBuilder

RECIPES = {
    "perfect recall": {},
    "forgets": {"memory": "forgets"},
    "no clock": {"clock": False},
    "forgets, no clock": {"clock": False, "memory": "forgets"},
    "absent-minded": {"clock": False, "memory": "absent-minded"},
    "shared": {"shared": (1, 2)},
    "general sum": {"total": None},
}
SEEDS = range(60)


def tree_of(*shape: object, players: int = 2) -> GameTree:
    """Build a tree from nested (player, infoset, child, ...), ("chance", child, ...), lists of payoffs."""
    builder = TreeBuilder("tiny", [f"player {player}" for player in range(1, players + 1)])

    def add(parent: int, action: int, node: tuple) -> None:
        if isinstance(node, list):
            builder.leaf(parent, action, node)
            return
        if node[0] == "chance":
            children = node[1:]
            outcomes = [(f"c{index}", Fraction(1, len(children))) for index in range(len(children))]
            number = builder.chance(parent, action, outcomes)
        else:
            player, infoset, *children = node
            number = builder.decision(parent, action, player, infoset, "lrx"[: len(children)])
        for index, child in enumerate(children):
            add(number, index, child)

    add(-1, -1, shape if len(shape) > 1 else shape[0])
    return builder.finish()


def end(payoff: int = 0) -> list[int]:
    return [payoff, -payoff]


@pytest.fixture
def driver() -> GameTree:
    return tree_of(1, "road", (1, "road", end(1), end(4)), end(0))


@pytest.fixture
def forgetful() -> GameTree:
    second = (1, "second", end(2), end(0))
    return tree_of(1, "first", second, second)


@pytest.fixture
def coin() -> GameTree:
    first = (1, "a", *[(2, "b", end(1), end(0))] * 2)
    second = (2, "b", *[(1, "a", end(1), end(0))] * 2)
    return tree_of("chance", first, second)


def test_the_absent_minded_driver(driver):
    assert properties.absent_minded(driver)
    assert not properties.perfect_recall(driver)
    assert not properties.timeable(driver, (1,))
    assert properties.timeable(driver, (2,))
    with pytest.raises(GameError) as error:
        properties.check_not_absent_minded(driver)
    assert str(error.value) == (
        "tiny: player 1 is absent-minded: infoset 'road' of player 1 is met after nothing and again after l; "
        "give the second meeting an infoset of its own"
    )


def test_a_player_who_forgets_its_own_move(forgetful):
    assert not properties.perfect_recall(forgetful)
    assert not properties.perfect_recall(forgetful, 1)
    assert properties.perfect_recall(forgetful, 2)
    assert not properties.absent_minded(forgetful)
    assert properties.timeable(forgetful, (1,))
    properties.check_perfect_recall(forgetful, 2)
    with pytest.raises(GameError) as error:
        properties.check_perfect_recall(forgetful, 1)
    assert str(error.value) == (
        "tiny: player 1 forgets: infoset 'second' of player 1 is met "
        "after l (its last move was 'l' at infoset 'first') and "
        "after r (its last move was 'r' at infoset 'first'); "
        "give the player different infosets there, or use a method for teams, which needs no recall"
    )


def test_a_player_who_forgets_whether_it_moved():
    tree = tree_of("chance", (1, "a", (1, "b", end(), end()), end()), (1, "b", end(), end()))
    with pytest.raises(
        GameError, match=r"after c1 \(its first move\) and after c0 / l \(its last move was 'l'"
    ):
        properties.check_perfect_recall(tree, 1)


def test_equal_last_moves_behind_a_forgotten_one():
    """The last infoset agrees at the third move, but the second one is already forgetful."""
    third = (1, "third", end(), end())
    second = (1, "second", third, end())
    tree = tree_of(1, "first", second, second)
    with pytest.raises(GameError, match="infoset 'second'"):
        properties.check_perfect_recall(tree, 1)


def test_who_went_first_is_timeable_for_each_but_not_for_both(coin):
    assert properties.perfect_recall(coin)
    assert not properties.absent_minded(coin)
    assert properties.timeable(coin, (1,))
    assert properties.timeable(coin, (2,))
    assert not properties.timeable(coin, (1, 2))
    properties.check_timeable(coin, (2,))
    with pytest.raises(NotTimeableError) as error:
        properties.check_timeable(coin, (1, 2))
    message = str(error.value)
    assert message.startswith("tiny: not timeable: infoset ")
    assert "infoset 'a' of player 1 comes before infoset 'b' of player 2 after c0 / l" in message
    assert "but infoset 'b' of player 2 comes before infoset 'a' of player 1 after c1 / l" in message
    assert message.endswith(
        "a team belief DAG needs one order for all: "
        "split one of these infosets, so that its player knows what came first"
    )


def test_a_cycle_of_three_among_infosets_that_are_no_part_of_it():
    def one_then(first: str, second: str) -> tuple:
        return (1, first, (1, second, (1, f"after {first}", end(), end()), end()), end())

    tree = tree_of("chance", one_then("a", "b"), one_then("b", "c"), one_then("c", "a"))
    with pytest.raises(NotTimeableError) as error:
        properties.check_timeable(tree, (1,))
    steps = [step.split("'")[1::2] for step in str(error.value).split("infoset ", 1)[1].split(", but ")]
    assert len(steps) == 3
    assert all(former[1] == latter[0] for former, latter in pairwise([*steps, steps[0]]))
    assert {step[0] for step in steps} == {"a", "b", "c"}


def test_constant_sum_names_two_leaves():
    tree = tree_of(1, "a", [1, 1], [5, Fraction(-1, 3)])
    assert properties.constant_sum(tree) is None
    with pytest.raises(GameError) as error:
        properties.check_constant_sum(tree)
    assert str(error.value) == (
        "tiny: not constant-sum: payoffs sum to 2 after l and to 14/3 after r; "
        "what one side wins the other must lose, so make all payoffs sum to the same number"
    )


def test_constant_sum_is_exact_for_fractions():
    third = Fraction(1, 3)
    tree = tree_of(1, "a", [third, 10 - third], [Fraction(1, 7), Fraction(69, 7)])
    assert properties.constant_sum(tree) == 10
    assert isinstance(properties.constant_sum(tree), Fraction)
    assert properties.check_constant_sum(tree) == 10
    nearly = tree_of(1, "a", [third, 10 - third], [third, 10 - third + Fraction(1, 10**30)])
    assert properties.constant_sum(nearly) is None


def test_constant_sum_of_floats_may_round():
    tree = tree_of(1, "a", [0.1, 0.2], [0.3, 0.0], [0.25, 0.05], players=2)
    assert properties.constant_sum(tree) == pytest.approx(0.3, abs=1e-15)
    assert properties.constant_sum(tree_of(1, "a", [0.1, 0.2], [0.3, 1e-6])) is None


def test_leaves_that_chance_never_reaches_do_not_count():
    builder = TreeBuilder("dead branch", ["Ann", "Bob"])
    root = builder.chance(-1, -1, [("live", 1), ("dead", 0)])
    builder.leaf(root, 0, [2, -2])
    builder.leaf(root, 1, [400, 7])
    tree = builder.finish()
    assert properties.constant_sum(tree) == 0
    assert properties.payoff_range(tree, (1,)) == (2.0, 2.0)


def test_a_game_of_one_leaf():
    tree = tree_of([4, -4])
    assert properties.perfect_recall(tree)
    assert properties.timeable(tree, (1, 2))
    assert not properties.absent_minded(tree)
    assert properties.constant_sum(tree) == 0
    assert properties.payoff_range(tree, (2,)) == (-4.0, -4.0)
    properties.check_not_absent_minded(tree)
    properties.check_timeable(tree, (1, 2))


def test_payoff_range_of_kuhn_poker():
    tree = build_tree(KuhnPoker(players=3, ranks=4))
    assert properties.payoff_range(tree, (3,)) == (-2.0, 4.0)
    assert properties.payoff_range(tree, (1, 2)) == (-4.0, 2.0)
    assert properties.payoff_range(tree, (1, 2, 3)) == (0.0, 0.0)


@pytest.mark.parametrize("recipe", RECIPES)
def test_perfect_recall_means_one_own_past_per_infoset(recipe):
    answers = set()
    for seed in SEEDS:
        tree = random_game(seed, size=seed // 3, **RECIPES[recipe])
        for player in range(1, tree.n_players + 1):
            pasts = {}
            for node in range(tree.n_nodes):
                if tree.player[node] == player:
                    pasts.setdefault(int(tree.infoset[node]), set()).add(own_past(tree, node, player))
            expected = all(len(past) == 1 for past in pasts.values())
            assert properties.perfect_recall(tree, player) is expected
            assert raises(properties.check_perfect_recall, tree, player) is not expected
            answers.add(expected)
        every = all(properties.perfect_recall(tree, player) for player in range(1, tree.n_players + 1))
        assert properties.perfect_recall(tree) is every
    assert answers == ({True, False} if "memory" in RECIPES[recipe] else {True})


@pytest.mark.parametrize("recipe", RECIPES)
def test_absent_minded_means_twice_on_a_path(recipe):
    answers = set()
    for seed in SEEDS:
        tree = random_game(seed, size=seed // 3, **RECIPES[recipe])
        met = [[int(tree.infoset[node]) for node in path(tree, leaf)] for leaf in tree.leaves.tolist()]
        met = [[infoset for infoset in way if infoset >= 0] for way in met]
        expected = any(len(set(way)) < len(way) for way in met)
        assert properties.absent_minded(tree) is expected
        assert raises(properties.check_not_absent_minded, tree) is expected
        answers.add(expected)
    assert answers == ({True, False} if recipe == "absent-minded" else {False})


@pytest.mark.parametrize("recipe", RECIPES)
def test_timeable_means_that_times_exist(recipe):
    answers = set()
    for seed in SEEDS:
        tree = random_game(seed, size=10 + seed // 3, **RECIPES[recipe])
        for side in [(1,), (3,), (1, 2), (1, 2, 3)]:
            expected = not raises(times, side_tree(tree, side))
            assert properties.timeable(tree, side) is expected
            assert raises(properties.check_timeable, tree, side) is not expected
            answers.add(expected)
    assert answers == ({True} if RECIPES[recipe].get("clock", True) else {True, False})


def test_a_team_that_shares_everything_is_one_player_of_perfect_recall():
    for seed in SEEDS:
        assert properties.perfect_recall(merge_team(random_game(seed, shared=(1, 2)), (1, 2)))


def test_a_team_that_shares_nothing_is_a_player_who_forgets():
    recalled = [properties.perfect_recall(merge_team(random_game(seed), (1, 2))) for seed in SEEDS]
    assert not all(recalled)


def test_constant_sum_on_random_games():
    amount = Fraction(7, 3)
    for seed in SEEDS:
        tree = random_game(seed, size=seed // 3)
        assert properties.constant_sum(tree) == 0
        assert properties.constant_sum(shift(tree, 2, amount)) == amount
        general = random_game(seed, size=seed // 3, total=None)
        sums = {
            sum(general.numbers[number] for number in general.payoff_number[leaf])
            for leaf, node in enumerate(general.leaves.tolist())
            if general.chance_reach[node] > 0
        }
        assert properties.constant_sum(general) == (sums.pop() if len(sums) == 1 else None)


def test_properties_do_not_depend_on_float_or_fraction():
    for seed in SEEDS:
        tree = random_game(seed)
        floats = rebuild(tree, payoffs=lambda row: [float(payoff) + 0.1 for payoff in row])
        assert properties.constant_sum(floats) == pytest.approx(0.3, abs=1e-12)


def path(tree: GameTree, node: int) -> list[int]:
    nodes = [node]
    while tree.parent[nodes[-1]] >= 0:
        nodes.append(int(tree.parent[nodes[-1]]))
    return nodes[::-1]


def own_past(tree: GameTree, node: int, player: int) -> tuple[tuple[int, int], ...]:
    steps = pairwise(path(tree, node))
    return tuple(
        (int(tree.infoset[upper]), int(tree.action[lower]))
        for upper, lower in steps
        if tree.player[upper] == player
    )


def raises(check, *arguments) -> bool:
    try:
        check(*arguments)
    except (GameError, ValueError):
        return True
    return False
