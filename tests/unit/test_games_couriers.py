"""Couriers: the value that its file proves, and sizes that public states blow up and observations do not."""

from itertools import pairwise

import pytest

from maxmin import load_tree, make_game, solve
from maxmin.decision import build_problem
from maxmin.errors import GameError, SizeError
from maxmin.side_sizes import compare_sizes

TEAM = (1, 2, 3)


def sizes(towns, gate="seen"):
    return compare_sizes(load_tree(f"couriers(towns={towns},gate={gate})"), TEAM)


@pytest.mark.parametrize("gate", ["seen", "unseen"])
@pytest.mark.parametrize("towns", [1, 3])
def test_the_team_wins_half_of_the_time(gate, towns):
    for observations, inflate in (("connected", False), ("public", True)):
        solution = solve(
            f"couriers(towns={towns},gate={gate})",
            team=TEAM,
            method="lp",
            observations=observations,
            inflate=inflate,
        )
        assert solution.value == pytest.approx(0.5, abs=1e-8)


@pytest.mark.parametrize("gate", ["seen", "unseen"])
def test_observations_grow_linearly_public_states_exponentially(gate):
    counted = [sizes(towns, gate) for towns in (2, 3, 4, 5, 6)]
    connected = [one.find("connected").edges for one in counted]
    public = [one.find("public").edges for one in counted]
    assert {one.find("connected").k for one in counted} == {2}
    assert [one.find("public").k for one in counted] == [4, 6, 8, 10, 12]
    assert len({after - before for before, after in pairwise(connected)}) == 1
    growth = [after - before for before, after in pairwise(public)]
    assert all(after > 4 * before for before, after in pairwise(growth))


def test_inflation_cuts_the_ring_only_where_the_gate_is_unseen():
    seen, unseen = sizes(4), sizes(4, "unseen")
    assert (seen.infosets, seen.inflated_infosets) == (34, 34)
    assert (unseen.infosets, unseen.inflated_infosets) == (33, 57)
    assert unseen.find("public", inflate=True).k == 2
    assert unseen.find("public", inflate=True).vertices == unseen.find("connected").vertices


def test_a_game_whose_public_states_cannot_be_handled_is_built():
    """The estimate goes by public states; a short trial shows that it is exponentially too high."""
    tree = load_tree("couriers(towns=100)")
    problem = build_problem(tree, TEAM)
    assert problem.n_beliefs == 1 + 36 * 100
    with pytest.raises(SizeError, match=r"k = 400\); the limit is"):
        build_problem(tree, TEAM, observations="public")
    assert solve(tree, team=TEAM).value == pytest.approx(0.5, abs=1e-2)


def test_every_room_has_a_door_for_either_gate():
    game = make_game("couriers(towns=3)")
    met = {}
    for start, _ in game.chance(()):
        for road in game.actions((start,)):
            for door, _ in game.chance((start, road, "red")):
                room = game.infoset((start, road, "red", door))
                met.setdefault(room, []).append(start[0])
    assert len(met) == 12
    assert set(map(tuple, met.values())) == {("1", "2")}


def test_wrong_moves_are_refused():
    game = make_game("couriers(towns=2)")
    for state, move in (((), "1 3"), (("1 1",), "red"), (("1 1", "left", "red"), "up")):
        with pytest.raises(GameError, match=f"there is no move '{move}'"):
            game.child(state, move)
