"""Both environments: Gymnasium's checker is content, and both play the same game."""

import gymnasium
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from maxmin.battleship import Board
from maxmin.errors import GameError, MaxminError
from maxmin.learning import BattleshipEnv, BattleshipGames
from maxmin.learning.environment import ENVIRONMENT_ID
from maxmin.learning.rewards import EACH_SHOT, HIT_OR_MISS

SMALL = Board(3, 4, ["3", "O"], touching="all")
BOARDS = [Board(), Board(1, 1, ["1"]), Board(10, 10, ["5", "4", "3", "3", "2"])]


@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_gymnasium_checker_is_content(board):
    check_env(gymnasium.make(ENVIRONMENT_ID, board=board, render_mode="ansi").unwrapped)


@pytest.mark.parametrize("rewards", [HIT_OR_MISS, EACH_SHOT, (2.5, 0.0)])
def test_rewards_and_mask_follow_the_shots(rewards):
    environment = BattleshipEnv(SMALL, rewards=rewards)
    covered = np.zeros(12, dtype=bool)
    covered[[0, 1, 2, 6, 7, 10, 11]] = True
    observation, info = environment.reset(options={"covered": covered})
    assert not observation.any()
    assert info["action_mask"].all()
    for shots, cell in enumerate([3, 0, 1, 2, 6, 7, 10, 11], start=1):
        observation, reward, terminated, truncated, info = environment.step(cell)
        assert reward == rewards[0 if covered[cell] else 1]
        assert info["shots"] == shots
        assert not info["action_mask"][cell]
        np.testing.assert_array_equal(info["action_mask"], environment.action_masks())
        assert (terminated, truncated) == (cell == 11, False)
    np.testing.assert_array_equal(observation[0].ravel(), covered)
    assert observation[1].ravel().nonzero()[0].tolist() == [3]


@pytest.mark.parametrize("cell", [0, 5])
def test_a_repeated_shot_is_wasted_and_wasting_is_cut_short(cell):
    environment = BattleshipEnv(SMALL)
    covered = np.arange(12) < 7
    environment.reset(options={"covered": covered.reshape(3, 4)})
    first = environment.step(cell)
    assert first[1] == 1.0
    for shot in range(2, 13):
        observation, reward, terminated, truncated, _ = environment.step(cell)
        assert (reward, terminated, truncated) == (-1.0, False, shot == 12)
        np.testing.assert_array_equal(observation, first[0])
    with pytest.raises(GameError, match="call reset first"):
        environment.step(1)


def test_seeds_reproduce_and_boards_are_those_of_the_task():
    environment = BattleshipEnv()
    table = {board.tobytes() for board in environment.board.unpack(environment.board.configurations().masks)}

    def boards(seed):
        environment.reset(seed=seed)
        found = []
        for _ in range(30):
            environment.reset()
            for cell in range(49):
                observation, _, terminated, _, _ = environment.step(cell)
                if terminated:
                    break
            found.append(observation[0].ravel().astype(bool).tobytes())
        return found

    first = boards(5)
    assert boards(5) == first != boards(6)
    assert set(first) <= table
    assert len(set(first)) > 25


@pytest.mark.parametrize("board", [Board(), Board(1, 2, ["1"], placement="sequential")], ids=str)
def test_both_environments_play_alike(board):
    """Same board, same shots (some of them wasted): same observations, rewards and ends, over and over."""
    games = BattleshipGames(board)
    environment = BattleshipEnv(board)
    step, rng = jax.jit(games.step), np.random.default_rng(0)
    state, seen = games.reset(jax.random.key(0))
    for _ in range(4):
        observation, _ = environment.reset(options={"covered": np.asarray(state.covered)})
        over = False
        while not over:
            np.testing.assert_array_equal(observation, seen)
            np.testing.assert_array_equal(environment.action_masks(), games.action_mask(state))
            if rng.random() < 0.2:
                cell = int(rng.integers(board.n_cells))
            else:
                cell = int(rng.choice(np.flatnonzero(environment.action_masks())))
            state, seen, *outcome = step(state, jnp.int32(cell))
            observation, *expected = environment.step(cell)[:4]
            assert [value.item() for value in outcome] == expected
            over = any(expected[1:])
        assert not seen.any()  # the next game has begun


def test_many_games_at_once_each_ends_and_begins_anew():
    games = BattleshipGames(rewards=EACH_SHOT)
    states, _ = jax.vmap(games.reset)(jax.random.split(jax.random.key(1), 500))
    boards = np.asarray(states.covered)

    @jax.jit
    def play(states):
        def shoot(states, _):
            cells = jax.vmap(games.action_mask)(states).argmax(-1)
            states, _, reward, won, cut = jax.vmap(games.step)(states, cells)
            return states, (reward, won, cut)

        return jax.lax.scan(shoot, states, length=49)

    states, (reward, won, cut) = play(states)
    assert (reward == -1).all()
    assert not cut.any()
    last = 49 - boards[:, ::-1].argmax(axis=1)
    np.testing.assert_array_equal(won.argmax(axis=0) + 1, last)
    assert (np.asarray(states.covered) != boards).any(axis=1).mean() > 0.99


def test_jax_boards_come_with_their_probabilities():
    board = Board(3, 3, ["3", "2"], placement="sequential")
    games, found = BattleshipGames(board), board.configurations()
    states, _ = jax.jit(jax.vmap(games.reset))(jax.random.split(jax.random.key(0), 40_000))
    drawn = board.pack(np.asarray(states.covered))[:, 0]
    counts = (drawn[:, None] == found.masks[:, 0]).sum(axis=0)
    assert counts.sum() == 40_000
    expected = 40_000 * found.weights
    assert ((counts - expected) ** 2 / expected).sum() < 2.5 * len(found)  # chi squared


@pytest.mark.parametrize("environment", [BattleshipEnv, BattleshipGames])
@pytest.mark.parametrize("rewards", [(1,), (1, float("nan")), ("hit", "miss"), 1, None])
def test_bad_rewards(environment, rewards):
    with pytest.raises(GameError, match="two finite numbers"):
        environment(rewards=rewards)


@pytest.mark.parametrize("action", [-1, 12, 1.5, True, "A1", None])
def test_no_such_cell(action):
    environment = BattleshipEnv(SMALL)
    environment.reset(seed=0)
    with pytest.raises(GameError, match="cells 0 to 11"):
        environment.step(action)


def test_bad_options_and_order_of_calls():
    environment = BattleshipEnv(SMALL)
    with pytest.raises(GameError, match="call reset first"):
        environment.step(0)
    with pytest.raises(GameError, match="no option 'board'"):
        environment.reset(options={"board": 1})
    for covered in (np.ones(12, dtype=bool), np.arange(12), np.zeros(5, dtype=bool)):
        with pytest.raises(GameError, match=r"12 booleans.* 7 cells"):
            environment.reset(options={"covered": covered})
    with pytest.raises(GameError, match="render_mode"):
        BattleshipEnv(render_mode="human")
    with pytest.raises(MaxminError):
        BattleshipEnv(Board(2, 2, ["2", "1"], touching="none"))


def test_render():
    environment = gymnasium.make(ENVIRONMENT_ID, board=SMALL, render_mode="ansi")
    environment.reset(options={"covered": np.arange(12) < 7})
    for cell in (0, 7, 2):
        environment.step(cell)
    assert environment.render() == "X . X .\n. . . o\n. . . ."
    assert BattleshipEnv(SMALL).render() is None
