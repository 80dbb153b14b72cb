"""Policies and their files; the paper's network against plain loops; all without JAX."""

import subprocess
import sys

import numpy as np
import pytest

from maxmin.archive import write_archive
from maxmin.battleship import Board, State
from maxmin.battleship.evaluate import evaluate
from maxmin.battleship.strategies import make_strategy
from maxmin.errors import FileError, GameError, MaxminError, SolutionError, StrategyError
from maxmin.learning import (
    CandidateNetwork,
    Policy,
    SymmetricNetwork,
    load_policy,
    save_policy,
    shipped_policy,
)
from maxmin.learning.policy_files import FORMAT, FORMAT_VERSION, SHIPPED

SMALL = Board(4, 4, ["3"])
NETWORK = CandidateNetwork(4, 4, window=3, hidden=5)


def random_policy(network=NETWORK, board=SMALL, seed=0):
    random = np.random.default_rng(seed)
    weights = {name: random.normal(size=shape).astype(np.float32) for name, shape in network.shapes.items()}
    return Policy(network, weights, board, "noise", {"seed": seed})


def states(board, n=30, seed=0):
    seen = np.random.default_rng(seed).integers(3, size=(n, board.n_cells))
    return seen == 1, seen == 2


@pytest.mark.parametrize("network", [NETWORK, SymmetricNetwork(4, 4, 3, 2), SymmetricNetwork(4, 4, 3, 1)])
@pytest.mark.parametrize("precision", [np.float16, np.float32])
def test_a_saved_policy_plays_as_before(tmp_path, network, precision):
    weights = {name: array.astype(precision) for name, array in random_policy(network).weights.items()}
    policy = Policy(network, weights, SMALL, "noise", {"seed": 0})
    save_policy(policy, tmp_path / "policy.npz")
    loaded = load_policy(tmp_path / "policy.npz", board=SMALL)
    found, expected = (each.scores(*states(SMALL)) for each in (loaded, policy))
    np.testing.assert_array_equal(found, expected)
    assert loaded.weights.keys() == weights.keys()
    assert {array.dtype for array in loaded.weights.values()} == {np.dtype(precision)}
    assert (loaded.name, loaded.facts, loaded.network) == ("noise", {"seed": 0}, network)


@pytest.mark.parametrize("coding", ["window", "board"])
def test_the_papers_network_is_three_layers_on_the_state_after_a_hit(coding):
    network = CandidateNetwork(3, 4, coding=coding, window=3, hidden=6, hit=2.0, miss=-0.5)
    board = Board(3, 4, ["3"])
    weights = random_policy(network, board).weights
    hits, misses = states(board, n=1)
    after = np.where(hits[0], 2.0, np.where(misses[0], -0.5, 0.0)).reshape(3, 4)
    for row in range(3):
        for column in range(4):
            state = after.copy()
            state[row, column] += 2.0
            if coding == "window":
                around = np.full((5, 6), -0.5)
                around[1:-1, 1:-1] = state
                inputs = around[row : row + 3, column : column + 3].ravel()
            else:
                inputs = state.ravel()
            hidden = [
                1 / (1 + np.exp(-sum(x * w for x, w in zip(inputs, into, strict=True)) - threshold))
                for into, threshold in zip(weights["hidden"].T, weights["thresholds"], strict=True)
            ]
            output = sum(h * w for h, w in zip(hidden, weights["output"], strict=True)) + weights["threshold"]
            found = network.scores(weights, hits, misses)[0, 4 * row + column]
            assert found == pytest.approx(output, abs=1e-5)


def test_a_policy_takes_the_best_cell_that_is_left():
    policy, (hits, misses) = random_policy(), states(SMALL)
    scores = policy.network.scores(policy.weights, hits, misses)
    for row, cell in enumerate(policy.choose(hits, misses)):
        left = np.flatnonzero(~(hits | misses)[row])
        assert cell in left
        assert scores[row, cell] > scores[row, left].max() - 2e-4


def test_the_shipped_policy_is_as_good_as_it_is_said_to_be():
    policy = make_strategy("learned", Board())
    found = evaluate([policy], Board())[0]
    assert found.exact
    assert found.mean_shots <= 17.45
    assert SHIPPED.stat().st_size < 300_000


def test_the_shipped_policy_needs_no_jax():
    program = (
        "import sys; sys.modules['jax'] = sys.modules['gymnasium'] = sys.modules['optax'] = None\n"
        "from maxmin.battleship import Board\n"
        "from maxmin.battleship.evaluate import evaluate\n"
        "from maxmin.battleship.strategies import make_strategy\n"
        "print(evaluate([make_strategy('learned', Board())], Board(), games=20)[0].name)\n"
        "import maxmin.learning\n"
        "for name in ('train_supervised', 'train_runs', 'BattleshipEnv'):\n"
        "    try: getattr(maxmin.learning, name)\n"
        "    except maxmin.MaxminError as error: print(error)\n"
    )
    lines = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    name, *remedies = lines.splitlines()
    assert name == "learned"
    assert len(remedies) == 3
    assert all(line.endswith("pip install 'maxmin[learn]'") for line in remedies)


def test_another_board_is_refused_another_placement_is_not():
    with pytest.raises(StrategyError, match=r"trained on board\(7x7;L,L.*cannot play on board\(4x4;3"):
        shipped_policy(SMALL)
    with pytest.raises(StrategyError, match="cannot play"):
        make_strategy("learned", Board(7, 7, ["L", "T"]))
    assert shipped_policy(Board(placement="sequential")).name == "learned"


def header(**changed):
    board = {"rows": 4, "columns": 4, "patterns": ["3"], "touching": "corners", "placement": "uniform"}
    network = {"kind": "symmetric", "rows": 4, "columns": 4, "channels": 3, "layers": 2}
    facts = {"network": network, "board": board, "name": "noise", "facts": {}}
    return {"format": FORMAT, "format_version": FORMAT_VERSION, **facts, **changed}


def weights(**changed):
    return dict(random_policy(SymmetricNetwork(4, 4, 3, 2)).weights) | changed


@pytest.mark.parametrize(
    ("facts", "arrays", "message"),
    [
        (header(format="maxmin solution"), weights(), "is not a maxmin battleship policy"),
        (header(format_version=99), weights(), "format version 99"),
        (header(network=None), weights(), "damaged"),
        (header(network={"kind": "oracle"}), weights(), "damaged"),
        (header(network={"kind": "symmetric", "rows": 4, "columns": 4, "layers": -1}), weights(), "damaged"),
        (header(network={"kind": "candidate", "window": 10**9}), weights(), "window must be"),
        (header(board={"rows": 4, "columns": 4, "patterns": ["Q"]}), weights(), "no pattern 'Q'"),
        (header(board={"rows": 5, "columns": 4, "patterns": ["3"]}), weights(), "for a board of 4 x 4"),
        (header(), {}, "has the weights"),
        (header(), weights(extra=np.zeros(3)), "has the weights"),
        (header(), weights(last=np.zeros((3, 3))), "the shape"),
        (header(), weights(last_bias=np.full(16, np.nan)), "not finite"),
        (header(), weights(last_bias=np.zeros(16, dtype="U3")), "not finite"),
    ],
)
def test_damaged_policies_are_refused(tmp_path, facts, arrays, message):
    path = tmp_path / "policy.npz"
    write_archive(path, facts, arrays)
    with pytest.raises(SolutionError, match=message) as error:
        load_policy(path)
    assert str(path) in str(error.value)


def test_files_that_are_no_archives_are_refused(tmp_path):
    path = tmp_path / "policy.npz"
    with pytest.raises(FileError, match="no such file"):
        load_policy(path)
    for content in (b"", b"no archive", SHIPPED.read_bytes()[:5000]):
        path.write_bytes(content)
        with pytest.raises(SolutionError, match="damaged or cut short"):
            load_policy(path)
    np.savez(path, header=np.array([{"a": 1}], dtype=object))
    with pytest.raises(SolutionError, match="damaged"):
        load_policy(path)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"coding": "fourier"}, "coding must be one of window, board"),
        ({"window": 4}, "odd side"),
        ({"window": 0}, "window must be a whole number"),
        ({"hidden": True}, "hidden must be a whole number"),
        ({"hidden": 2.5}, "hidden must be a whole number"),
        ({"hit": np.nan}, "hit must be a finite number"),
        ({"miss": -np.inf}, "miss must be a finite number"),
    ],
)
def test_networks_that_cannot_be_are_refused(wrong, message):
    with pytest.raises(GameError, match=message):
        CandidateNetwork(**wrong)


def test_an_unknown_name_is_an_attribute_error():
    import maxmin.learning

    with pytest.raises(AttributeError, match="no attribute 'Oracle'"):
        maxmin.learning.Oracle  # noqa: B018
    assert "train_runs" in dir(maxmin.learning)
    assert issubclass(StrategyError, MaxminError)


def test_a_batch_is_scored_as_its_states_one_by_one():
    policy = shipped_policy()
    hits, misses = np.zeros((2, 3, 49), dtype=np.bool_)
    hits[1], misses[2] = State(Board(), ["D4"]).arrays()[0], State(Board(), [], ["D4"]).arrays()[1]
    alone = [policy.choose(hits[row : row + 1], misses[row : row + 1])[0] for row in range(3)]
    assert policy.choose(hits, misses).tolist() == alone
