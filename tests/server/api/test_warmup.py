"""Warmup: slow first uses happen before clients come; a broken game does not stop the others."""

from __future__ import annotations

import pytest

from landsraad import games
from landsraad_server.process.warmup import warm_up
from landsraad_server.telemetry import logs


def test_a_broken_game_is_logged_and_left_out(teaching: None, monkeypatch: pytest.MonkeyPatch) -> None:
    own = {"broken": "landsraad_engine.nothing:NOTHING", "teaching": games.REGISTRY.own["teaching"]}
    monkeypatch.setattr(games.REGISTRY, "own", own)
    faults: list[str] = []
    monkeypatch.setattr(logs, "fault", lambda where, _error: faults.append(where))
    warm_up()
    assert faults == ["game broken"]
