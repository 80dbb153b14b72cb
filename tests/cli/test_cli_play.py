"""`maxmin play`, with the answers of a person who types ahead."""

import json
from pathlib import Path

import pytest


def test_the_end_of_the_input_is_a_polite_end(run):
    result = run("play", "kuhn_poker", "--seat", "1")
    assert result.returncode == 0
    assert result.stdout.endswith("Hands: 0. In all: +0\n")
    assert "Traceback" not in result.stderr


def test_a_few_hands_add_up(run, solved: Path):
    result = run("play", solved, "--seat", "3", "--hands", "3", "--seed", "5", "--json", stdin="1\n" * 9)
    assert result.returncode == 0
    score = json.loads(result.stdout)
    assert score["game"] == "kuhn_poker(players=3,ranks=4)"
    assert (score["seat"], score["hands"]) == (3, 3)
    assert score["total"] == sum(score["payoffs"])
    assert all(-2 <= payoff <= 4 for payoff in score["payoffs"])
    assert result.stderr.count("Hand ") == 3
    assert "In all: " in result.stderr


def test_a_seed_repeats_the_hands(invoke, solved: Path):
    arguments = ("play", solved, "--seat", "3", "--hands", "5", "--seed", "7")
    assert invoke(*arguments, stdin="1\n" * 9).stdout == invoke(*arguments, stdin="1\n" * 9).stdout


def test_actions_are_typed_as_numbers_names_or_beginnings(invoke, solved: Path):
    arguments = ("play", solved, "--seat", "1", "--hands", "1", "--seed", "7")
    over = {
        typed: invoke(*arguments, stdin=f"{typed}\nfold\n").stdout.split("Over: ")[1]
        for typed in ("2", "bet", "b")
    }
    assert len(set(over.values())) == 1
    assert "/ bet" in over["b"]


@pytest.mark.parametrize("typed", ["3", "0", "raise", "", "-1"])
def test_what_is_no_action_is_asked_again(invoke, solved: Path, typed):
    result = invoke("play", solved, "--seat", "1", "--hands", "1", stdin=f"{typed}\nq\n")
    assert f"{typed!r} is none of them" in result.stdout
    assert result.stdout.count("1 check  2 bet > ") == 2


def test_a_question_mark_tells_what_the_strategy_would_do(invoke, solved: Path):
    result = invoke("play", solved, "--seat", "1", stdin="?\nq\n")
    assert "The strategy, on average: " in result.stdout
    assert "in this hand's draw: " in result.stdout


def test_nothing_is_seen_but_what_the_player_knows(invoke, solved: Path):
    """Before player 1 moves in Kuhn poker, it knows its card alone."""
    before = invoke("play", solved, "--seat", "1", stdin="q\n").stdout
    known = before.split("You know: ")[1].split("\n")[0]
    assert known in ("1", "2", "3", "4")


def test_one_may_play_against_a_team_solved_on_the_spot(run):
    result = run("play", "3K3", "--seat", "2", "--hands", "2", "--quiet", stdin="check\nfold\n" * 4)
    assert result.returncode == 0
    assert "Team {1,3} is sure of " in result.stdout
    assert result.stderr == ""
    assert "Hands: 2." in result.stdout


def test_actions_named_by_numbers_are_not_numbered(invoke):
    result = invoke("play", "goofspiel(cards=3)", "--seat", "1", "--seed", "1", stdin="q\n")
    assert "\n1  2  3 > " in result.stdout
