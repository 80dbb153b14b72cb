"""``maxmin guts`` with cards, with the weenie rule, and with games that are played out."""

import pytest


def test_cards_in_words(invoke):
    result = invoke("guts", "--cards", "2", "--ties", "split", "--quiet")
    assert result.exit_code == 0
    assert result.stderr == ""
    words = " ".join(result.stdout.split())
    assert "guts with real cards, 1 against 2, 2 cards, ties: split" in words
    assert "repeated value -0.00600976" in words
    assert "92 of player 1, 4,278 of the coalition" in words
    assert "K3, K3" in words
    assert "32, A8" in words


def test_cards_in_json(answer):
    solution = answer("guts", "--cards", 2, "--weenie", "--simulate", 500, "--seed", 3)
    assert (solution["cards"], solution["ties"], solution["weenie"]) == (2, "lot", True)
    for name in ("one_shot", "repeated"):
        value = solution[name]
        assert value["lower"] <= value["value"] <= value["upper"]
    assert solution["repeated"]["value"] < 0
    assert solution["gain_of_player"] <= 1e-9
    for side, players in (("player", 1), ("coalition", 2)):
        mixture = solution["strategies"][side]
        assert sum(one["probability"] for one in mixture) == pytest.approx(1)
        assert all(len(one["thresholds"]) == len(one["hands"]) == players for one in mixture)
    assert solution["simulation"]["games"] == 500
    assert solution["simulation"]["seed"] == 3
    assert solution["simulation"]["growth"] > 1


@pytest.mark.parametrize(
    "arguments",
    [["--grid", "21"], ["--continuous"], ["--grid", "11", "--coalition", "3", "--weenie", "--reduced"]],
)
def test_games_beside_the_proved_value(invoke, arguments):
    result = invoke("guts", *arguments, "--simulate", "1000", "--quiet")
    assert result.exit_code == 0
    words = " ".join(result.stdout.split())
    assert "1,000 games with chips, antes first" in words
    assert "standard errors away" in words
    assert ("variance infinite" in words) == ("--weenie" in arguments)


def test_weenie_on_a_grid(answer):
    with_rule = answer("guts", "--weenie", "--grid", 401, "--reduced")
    assert with_rule["weenie"] is True
    assert with_rule["repeated"]["value"] == pytest.approx(0, abs=1e-9)
    assert "simulation" not in with_rule
    assert answer("guts", "--grid", 21)["weenie"] is False


def test_nothing_is_played_if_player_1_leaves(invoke, answer):
    options = "guts", "--weenie", "--coalition", 6, "--grid", 51, "--reduced", "--simulate", 100
    solution = answer(*options)
    assert solution["outcome"] == "does not enter"
    assert solution["simulation"] is None
    assert "no games were played" in invoke(*options).stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--cards", "2", "--coalition", "3"], "with --cards it is 2"),
        (["--cards", "2", "--grid", "11"], "does not go with --cards"),
        (["--cards", "two"], "'--cards'"),
        (["--ties", "split"], "goes only with --cards"),
        (["--straights"], "goes only with --cards"),
        (["--simulate", "0"], "'--simulate'"),
        (["--simulate", "1.5"], "'--simulate'"),
        (["--simulate", "10", "--seed", "-1"], "'--seed'"),
        (["--limit", "--simulate", "10"], "does not go with --limit"),
        (["--continuous", "--weenie"], "does not go with --continuous"),
    ],
)
def test_wrong_usage(invoke, arguments, message):
    result = invoke("guts", *arguments)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--cards", "4"], "hands have 2 or 3 cards, not 4"),
        (["--cards", "2", "--straights"], "straights need hands of 3 cards"),
        (["--cards", "2", "--ties", "lots"], "there is no rule 'lots' for ties"),
        (["--weenie", "--coalition", "5", "--grid", "101"], "use a coarser grid or fewer players"),
    ],
)
def test_what_cannot_be_done(invoke, arguments, message):
    result = invoke("guts", *arguments, "--quiet")
    assert result.exit_code == 1
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""
