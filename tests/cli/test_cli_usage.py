"""Wrong usage ends with status 2, what cannot be done with 1: one clear line, nothing on stdout."""

from pathlib import Path

import pytest

import maxmin
from maxmin.solve import METHODS


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nonsense"], "No such command 'nonsense'"),
        (["solve"], "Missing argument 'GAME'"),
        (["solve", "3K4", "--nonsense"], "No such option"),
        (["solve", "3K4", "--team", ""], "not a list of players' numbers"),
        (["solve", "3K4", "--team", "1,"], "not a list of players' numbers"),
        (["solve", "3K4", "--team", "one"], "not a list of players' numbers"),
        (["solve", "3K4", "--team", "0"], "not a list of players' numbers"),
        (["solve", "3K4", "--team", "-1"], "not a list of players' numbers"),
        (["solve", "3K4", "--team", "1.5"], "not a list of players' numbers"),
        (["solve", "3K4", "--team", "²"], "not a list of players' numbers"),
        (["solve", "3K4", "--team", "1,2,1"], "names a player twice"),
        (["solve", "3K4", "--gap", "-1e-3"], "is not a gap"),
        (["solve", "3K4", "--gap", "nan"], "is not a gap"),
        (["solve", "3K4", "--gap", "inf"], "is not a gap"),
        (["solve", "3K4", "--gap", "small"], "'--gap'"),
        (["solve", "3K4", "--seconds", "0"], "is not a time limit"),
        (["solve", "3K4", "--seconds", "-1"], "is not a time limit"),
        (["solve", "3K4", "--seconds", "nan"], "is not a time limit"),
        (["solve", "3K4", "--iterations", "0"], "'--iterations'"),
        (["solve", "3K4", "--iterations", "2.5"], "'--iterations'"),
        (["solve", "3K4", "--memory", "lots"], "is not a size"),
        (["solve", "3K4", "--memory", "-4GB"], "is not a size"),
        (["solve", "3K4", "--memory", "0"], "more than 0 bytes"),
        (["info", "3K4", "--team", "1;2"], "not a list of players' numbers"),
        (["price", "3K4"], "Missing option '--team'"),
        (["price", "3K4", "--team", "1,1"], "names a player twice"),
        (["price", "3K4", "--team", "1,2", "--gap", "nan"], "is not a gap"),
        (["price", "3K4", "--team", "1,2", "--seconds", "0"], "is not a time limit"),
        (["price", "3K4", "--team", "1,2", "--seed", "-1"], "'--seed'"),
        (["play", "3K4"], "Missing option '--seat'"),
        (["play", "3K4", "--seat", "0"], "'--seat'"),
        (["play", "3K4", "--seat", "1", "--hands", "0"], "'--hands'"),
        (["show", "x.npz", "--plans", "--beliefs"], "choose one"),
        (["verify", "x.npz", "--seconds", "0"], "is not a time limit"),
    ],
)
def test_wrong_usage_is_status_2(invoke, arguments, message):
    result = invoke(*arguments)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve", "4K3x"], "there is no game '4K3x'"),
        (["solve", "kuhn_poker(players=1)"], "players must be a whole number from 2"),
        (["solve", "kuhn_poker(ranks=-1)"], "ranks must be a whole number"),
        (["solve", "kuhn_pocker"], "did you mean kuhn_poker"),
        (["solve", "3K4", "--team", "4"], "there is no player 4"),
        (["solve", "3K4", "--team", "1,2,3"], "nobody is left to play against"),
        (["price", "3K4", "--team", "1,2,3"], "nobody is left to play against"),
        (["price", "3K4", "--team", "1,4"], "there is no player 4"),
        (["price", "absent_minded_driver", "--team", "1"], "is absent-minded"),
        (["solve", "3K4", "--method", "pcfr"], "did you mean pcfr+"),
        (["solve", "missing.efg"], "there is no such file"),
        (["solve", "3K8", "--team", "1,2", "--method", "dcfr+", "--memory", "1MB"], "the limit is 1 MB"),
        (["solve", "3K9", "--team", "1,2", "--method", "dcfr+", "--seconds", "0.05"], "time limit"),
        (["solve", "absent_minded_driver"], "absent-minded"),
        (["info", "missing.efg"], "there is no such file"),
        (["info", "3K4", "--team", "1,9"], "there is no player 9"),
        (["games", "chess"], "there is no game 'chess'"),
        (["verify", "missing.npz"], "there is no such file"),
        (["show", "missing.npz"], "there is no such file"),
        (["play", "missing.npz", "--seat", "1"], "there is no such file"),
        (["play", "3K4", "--seat", "4"], "there is no seat 4"),
    ],
)
def test_what_cannot_be_done_is_status_1_and_one_line(invoke, arguments, message):
    result = invoke(*arguments, "--quiet")
    assert result.exit_code == 1
    assert message in result.stderr
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


@pytest.mark.parametrize("command", ["verify", "show"])
@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x03\x04 half an archive"])
def test_files_that_are_no_solutions_are_refused(invoke, tmp_path: Path, command, content):
    path = tmp_path / "bad.npz"
    path.write_bytes(content)
    result = invoke(command, path)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"error: {path}")
    assert result.stderr.count("\n") == 1


def test_a_truncated_solution_is_refused(invoke, tmp_path: Path, solved: Path):
    path = tmp_path / "half.npz"
    path.write_bytes(solved.read_bytes()[: solved.stat().st_size // 2])
    for command in (["verify"], ["show"], ["play", "--seat", "1"]):
        result = invoke(*command, path)
        assert result.exit_code == 1
        assert result.stderr.startswith("error: ")


COMMANDS = [
    "games",
    "info",
    "solve",
    "verify",
    "show",
    "play",
    "price",
    "study",
    "parametric",
    "sweep",
    "recursive",
    "guts",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_examples_and_fits_80_columns(run, command):
    result = run(command, "--help")
    assert result.returncode == 0
    assert f"  maxmin {command}" in result.stdout
    assert "--json" in result.stdout
    assert "--quiet" in result.stdout
    assert "[[" not in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_help_lists_the_commands_in_order(run):
    lines = run("--help").stdout.split("Commands:")[1].split("\n")
    assert [line.split()[0] for line in lines if line] == [*COMMANDS, "battleship"]
    assert not [line for line in lines if line.endswith("...")]


def test_help_names_every_method(run):
    text = run("solve", "--help").stdout.partition("--method")[2].partition("--gap")[0]
    words = text.replace(",", " ").replace(";", " ").replace(".", " ").split()
    assert set(METHODS) <= set(words)


def test_version(run):
    result = run("--version")
    assert (result.returncode, result.stdout) == (0, f"maxmin {maxmin.__version__}\n")


def test_no_command_prints_the_help(run):
    result = run()
    assert result.returncode == 2
    assert "Commands:" in result.stdout + result.stderr


def test_unexpected_warnings_are_one_line(run, tmp_path: Path):
    (tmp_path / "rounded.efg").write_text(
        'EFG 2 R "rounded" { "a" "b" }\n'
        'c "" 1 "" { "x" 0.3333333 "y" 0.6666666 } 0\n'
        't "" 1 "" { 1, -1 }\n'
        't "" 2 "" { 0, 0 }\n'
    )
    result = run("solve", "rounded.efg", "--json")
    assert result.returncode == 0
    assert [line for line in result.stderr.splitlines() if line.startswith("warning: ")] == [
        line for line in result.stderr.splitlines() if "scaled to 1" in line
    ]
    assert "scaled to 1" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("maxmin so", "solve"),
        ("maxmin solve 3L", "3L133"),
        ("maxmin info leduc", "leduc_poker"),
        ("maxmin games goof", "goofspiel"),
        ("maxmin solve 3K4 --method pcfr", "pcfr+"),
    ],
)
def test_the_shell_completes_commands_games_and_methods(run, monkeypatch, words, offered):
    monkeypatch.setenv("_MAXMIN_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split()) - 1))
    assert offered in run().stdout.split()
