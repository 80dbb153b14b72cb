"""``maxmin price``."""

import json

import pytest


def test_json(invoke):
    result = invoke("price", "hide_and_seek", "--team", "1,2", "--gap", "1e-2", "--json", "--quiet")
    assert result.exit_code == 0
    assert result.stderr == ""
    found = json.loads(result.stdout)
    assert found["team"] == [1, 2]
    assert found["payoff_range"] == [0, 1]
    assert found["tme"]["lower"] == pytest.approx(0.25, abs=0.01)
    assert found["correlated"]["lower"] == pytest.approx(0.5, abs=0.01)
    assert found["worth"]["communication"]["upper"] <= 0.02


def test_table(invoke):
    result = invoke("price", "private_signal", "--team", "2,1")
    assert result.exit_code == 0
    assert "private_signal: the team {1,2}, paid from -2 to 2" in result.stdout
    for words in ("each member on its own (TME)", "(TMECor)", "talking during play", "of the payoff range"):
        assert words in result.stdout


def test_interrupted(invoke, monkeypatch):
    from maxmin.cli.progress import Progress

    calls = []
    monkeypatch.setattr(Progress, "report", lambda *_: calls.append(1) or len(calls) < 8)
    result = invoke("price", "private_signal", "--team", "1,2", "--gap", "0", "--json")
    assert result.exit_code == 130
    assert json.loads(result.stdout)["stopped_by"] == "interrupt"
    assert "bounds so far" in result.stderr
