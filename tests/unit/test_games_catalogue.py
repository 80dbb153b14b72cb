"""Names of games: full names are fixed points, short names and defaults mean what they say, errors help."""

import re
import subprocess
import sys

import pytest

from maxmin.errors import GameError, SizeError, UnknownNameError
from maxmin.game import Game
from maxmin.games import CATALOGUE, make_game
from maxmin.games.kuhn_poker import KuhnPoker
from maxmin.games.liars_dice import LiarsDice
from maxmin.rational import exact


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("3K4", "kuhn_poker(players=3,ranks=4)"),
        ("3K12", "kuhn_poker(players=3,ranks=12)"),
        ("3L133", "leduc_poker(players=3,bets=1,ranks=3,suits=3)"),
        ("3L523", "leduc_poker(players=3,bets=5,ranks=2,suits=3)"),
        ("3D2", "liars_dice(players=3,sides=2)"),
        ("10D1", "liars_dice(players=10,sides=1)"),
        (" 6D2 ", "liars_dice(players=6,sides=2)"),
        ("kuhn_poker", "kuhn_poker(players=2,ranks=3)"),
        ("kuhn_poker()", "kuhn_poker(players=2,ranks=3)"),
        ("kuhn_poker(players=3)", "kuhn_poker(players=3,ranks=4)"),
        ("\tkuhn_poker ( ranks = 5 ,\n players=3 ) ", "kuhn_poker(players=3,ranks=5)"),
        ("leduc_poker", "leduc_poker(players=2,bets=2,ranks=3,suits=2)"),
        ("leduc_poker(suited=true)", "leduc_poker(players=2,bets=2,ranks=3,suits=2,suited=true)"),
        ("leduc_poker(suited=false)", "leduc_poker(players=2,bets=2,ranks=3,suits=2)"),
        ("liars_dice", "liars_dice(players=2,sides=6)"),
        (
            "liars_dice(wild=true,order=count,sides=5)",
            "liars_dice(players=2,sides=5,order=count,wild=true)",
        ),
        ("goofspiel", "goofspiel(players=2,cards=4)"),
        ("goofspiel(ties=split,cards=3)", "goofspiel(players=2,cards=3,ties=split)"),
        *((name, name) for name, family in CATALOGUE.items() if not family.parameters),
    ],
)
def test_full_name(spec, name):
    game = make_game(spec)
    assert game.name == name
    assert make_game(name).name == name
    assert isinstance(game, Game)


@pytest.mark.parametrize("family", CATALOGUE.values(), ids=lambda family: family.name)
def test_family_describes_itself(family):
    assert make_game(family.name).name.startswith(family.name)
    assert family.description
    assert all(make_game(example).name.startswith(family.name) for example in family.examples)
    for parameter in family.parameters:
        assert parameter.meaning
        assert parameter.accepts
        if parameter.default is not None:
            parameter.check(family.name, parameter.default)


@pytest.mark.parametrize("family", CATALOGUE.values(), ids=lambda family: family.name)
def test_defaults_are_those_of_the_class(family):
    stated = ",".join(
        f"{parameter.name}={str(parameter.default).lower()}"
        for parameter in family.parameters
        if parameter.default is not None
    )
    assert make_game(f"{family.name}({stated})").name == make_game(family.name).name


@pytest.mark.parametrize(
    ("spec", "error", "message"),
    [
        ("khun_poker", UnknownNameError, "there is no game 'khun_poker'; did you mean kuhn_poker or"),
        ("leduc", UnknownNameError, "there is no game 'leduc'; did you mean leduc_poker?"),
        ("3k4", UnknownNameError, "there is no game '3k4'; did you mean 3K4?"),
        ("3L13", UnknownNameError, "there is no game '3L13'; did you mean 3L133?"),
        ("xyz", UnknownNameError, "there is no game 'xyz'; there are kuhn_poker, leduc_poker, liars_dice,"),
        ("", GameError, "cannot read '': write a game as name(parameter=value,...)"),
        ("kuhn_poker(", GameError, "cannot read 'kuhn_poker(': write a game as name(parameter=value,...)"),
        ("kuhn_poker(3)", GameError, "cannot read '3' in 'kuhn_poker(3)': write parameter=value"),
        ("kuhn_poker(ranks=)", GameError, "cannot read 'ranks=' in 'kuhn_poker(ranks=)': write parameter="),
        (
            "kuhn_poker(ranks=3,)",
            GameError,
            "cannot read '' in 'kuhn_poker(ranks=3,)': write parameter=value",
        ),
        ("kuhn_poker(ranks=3,ranks=4)", GameError, "kuhn_poker: ranks is stated twice"),
        ("kuhn_poker(rank=3)", UnknownNameError, "kuhn_poker has no parameter 'rank'; did you mean ranks?"),
        ("kuhn_poker(x=3)", UnknownNameError, "kuhn_poker has no parameter 'x'; it takes players, ranks"),
        ("hide_and_seek(x=3)", UnknownNameError, "hide_and_seek has no parameter 'x'; it takes none"),
        (
            "kuhn_poker(players=0)",
            GameError,
            "kuhn_poker: players must be a whole number from 2 to 10, not 0",
        ),
        ("kuhn_poker(players=-3)", GameError, "players must be a whole number from 2 to 10, not -3"),
        ("kuhn_poker(players=2.5)", GameError, "players must be a whole number from 2 to 10, not '2.5'"),
        ("kuhn_poker(players=true)", GameError, "players must be a whole number from 2 to 10, not 'true'"),
        ("kuhn_poker(ranks=²)", GameError, "ranks must be a whole number from 2 to 1000, not '²'"),
        ("3K2", GameError, "kuhn_poker(players=3,ranks=2): ranks must be at least players, 3"),
        ("1K3", GameError, "kuhn_poker: players must be a whole number from 2 to 10, not 1"),
        (
            "3L113",
            GameError,
            "ranks * suits must be at least players + 1, 4, for the hands and the board; it is 3",
        ),
        ("3L033", GameError, "leduc_poker: bets must be a whole number from 1 to 50, not 0"),
        ("leduc_poker(suited=1)", GameError, "leduc_poker: suited must be false or true, not 1"),
        ("liars_dice(order=size)", GameError, "liars_dice: order must be face or count, not 'size'"),
        ("liars_dice(sides=0)", GameError, "liars_dice: sides must be a whole number from 1 to 100, not 0"),
        (
            "goofspiel(prizes=random)",
            GameError,
            "goofspiel: prizes must be shuffled, ascending or descending, not 'random'",
        ),
        ("kuhn_poker(players=3,ranks=100000)", GameError, "ranks must be a whole number from 2 to 1000"),
        (
            "3K1000",
            SizeError,
            "kuhn_poker(players=3,ranks=1000) has 12,961,026,000 leaves; at most 10,000,000",
        ),
        ("10K1000", SizeError, "kuhn_poker(players=10,ranks=1000) has about 10^33 leaves"),
        (f"3K{'9' * 5000}", GameError, "ranks must be a whole number from 2 to 1000, not '99999"),
        (
            "leduc_poker(players=10,bets=50,ranks=100,suits=26,suited=true)",
            SizeError,
            "has about 10^139 leaves; at most 10,000,000 can be laid out as a tree: lower a parameter",
        ),
        ("leduc_poker(players=8,bets=1,ranks=3,suits=3,suited=true)", SizeError, "leaves"),
        ("10D100", SizeError, "liars_dice(players=10,sides=100) has about 10^321 leaves"),
        ("goofspiel(players=10,cards=13)", SizeError, "leaves; at most 10,000,000 can be laid out"),
    ],
)
def test_bad_name_is_refused_with_a_remedy(spec, error, message):
    with pytest.raises(error, match=re.escape(message)) as caught:
        make_game(spec)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    "make",
    [
        lambda: KuhnPoker(players=True),
        lambda: KuhnPoker(players="3"),
        lambda: KuhnPoker(players=2.0),
        lambda: KuhnPoker(players=3, ranks=2),
        lambda: LiarsDice(wild=1),
        lambda: LiarsDice(order=None),
    ],
)
def test_classes_check_their_own_parameters(make):
    with pytest.raises(GameError, match=r"must be"):
        make()


def test_importing_the_catalogue_imports_no_game():
    code = (
        "import sys, maxmin.games; "
        "loaded = {name for name in sys.modules if name.startswith('maxmin.games.')}; "
        "assert loaded <= {'maxmin.games.parameters'}, loaded"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("family", CATALOGUE.values(), ids=lambda family: family.name)
def test_textbook_classes_state_team_and_value(family):
    if not family.parameters:
        rules = family.rules
        assert set(rules.team) < set(range(1, rules.players + 1))
        assert exact(rules.value) == rules.value
        assert "Value" in rules.__doc__ or "value" in rules.__doc__
