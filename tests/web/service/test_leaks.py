"""The two-run test over the page finds nothing in the page as it is, and every leak that is planted."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from landsraad_cli.local.leak_run import planted
from landsraad_engine.arrakis.game import ARRAKIS
from landsraad_engine.dune.game import DUNE
from landsraad_engine.kernel.game import Game
from landsraad_testkit.leaks.web_leak_test import leak_web

PLANTED: Any = planted("web")
#: Planted leaks that are found at once; the others take several positions.
QUICK = ("an explanation quotes hands", "an acknowledgement counts all logs")


@pytest.mark.parametrize("game", [DUNE, ARRAKIS], ids=lambda game: game.id)
def test_nothing_is_found_where_nothing_is_planted(game: Game) -> None:
    report = asyncio.run(leak_web(game, 2, 1))
    assert report.findings == []
    assert report.positions == report.changed == 2
    assert min(report.done[what] for what in ("inputs", "items", "answers", "refusals on the stream")) > 0


@pytest.mark.parametrize("name", QUICK)
def test_a_planted_leak_is_caught(name: str) -> None:
    assert PLANTED.is_caught(PLANTED.PLANTS[name])


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in PLANTED.PLANTS if name not in QUICK])
def test_a_planted_leak_is_caught_after_a_while(name: str) -> None:
    assert PLANTED.is_caught(PLANTED.PLANTS[name])
