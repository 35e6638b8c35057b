"""The two-run test on the wire finds nothing in the service as it is, and every leak that is planted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from landsraad.v1 import play_pb2
from landsraad_cli.local.leak_run import planted
from landsraad_engine.arrakis.game import ARRAKIS
from landsraad_engine.dune.game import DUNE
from landsraad_engine.kernel.game import Game
from landsraad_testkit.leaks.byte_capture import entries_in, split
from landsraad_testkit.leaks.wire_leak_test import leak_wire

PLANTED: Any = planted("wire")

#: Planted leaks that are found at once; the others take several positions.
QUICK = (
    "a decision counts the inputs of all",
    "an acknowledgement counts all logs",
    "a seat that goes to the house says how often it has acted",
)


@pytest.fixture(autouse=True)
def _store_time() -> None:
    """Let the store's own time pass: these services connect often, on clocks that the fixture of this name ignores."""


@pytest.mark.parametrize("game", [DUNE, ARRAKIS], ids=lambda game: game.id)
def test_nothing_is_found_where_nothing_is_planted(game: Game) -> None:
    report = asyncio.run(leak_wire(game, 4, 1))
    assert report.findings == []
    assert report.positions == report.changed == 4
    assert min(report.done[what] for what in ("inputs", "items", "answers", "refusals on the stream")) > 0


@pytest.mark.long
@pytest.mark.parametrize("game", [DUNE, ARRAKIS], ids=lambda game: game.id)
def test_nothing_is_found_in_many_positions(game: Game) -> None:
    report = asyncio.run(leak_wire(game, 100, 2))
    assert report.findings == []
    assert report.changed >= 90
    assert report.done["seats handed over"] > 0


@pytest.mark.parametrize("name", QUICK)
def test_a_planted_leak_is_caught(name: str) -> None:
    assert PLANTED.is_caught(PLANTED.PLANTS[name])


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in PLANTED.PLANTS if name not in QUICK])
def test_a_planted_leak_is_caught_after_a_while(name: str) -> None:
    assert PLANTED.is_caught(PLANTED.PLANTS[name])


def test_frames_are_split_without_being_read() -> None:
    items = [play_pb2.ServerItem(subscription=n, pong=play_pb2.Pong(token=10**n)) for n in (0, 1)]
    big = play_pb2.ServerItem(subscription=7, snapshot=play_pb2.Snapshot())
    big.snapshot.observation.match = "x" * 3000
    frame = play_pb2.Frame(items=[*items, big])
    found = list(split(frame.SerializeToString()))
    assert b"".join(found) == frame.SerializeToString()
    assert [play_pb2.Frame.FromString(item).items[0].subscription for item in found] == [0, 1, 7]
    assert entries_in(found) == found[2:]
    with pytest.raises(ValueError, match="unknown field"):
        list(split(b"\x12\x00"))


def test_every_plant_is_one_of_the_service() -> None:
    """There are enough of them, and each undoes its change."""
    assert len(PLANTED.PLANTS) >= 8
    plants: dict[str, Callable[[], Any]] = PLANTED.PLANTS
    for plant in plants.values():
        for one in plant():
            before = getattr(one.getter(), one.attribute)
            with one:
                assert getattr(one.getter(), one.attribute) is not before
            assert getattr(one.getter(), one.attribute) is before
