"""Preferred workers: all players of a match get the same address, whichever worker they ask."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from landsraad import games
from landsraad_engine.play.build import engine_build
from landsraad_server.config import Config
from landsraad_server.matches.presence import rendezvous_address
from landsraad_server.process.worker import Worker
from landsraad_server.store.roster import DEAD_MS
from landsraad_testkit import HandClock
from landsraad_testkit.calls import Calls

if TYPE_CHECKING:
    from tests.server.conftest import StartWorker


async def known(worker: Worker) -> list[str]:
    """Return the workers of its build that a worker would send clients to."""
    roster = worker.hosts.store.roster
    await roster.refresh()
    return roster.addresses()[engine_build()]


@pytest.mark.asyncio
async def test_all_seats_of_a_match_are_told_the_same_worker(
    worker: Worker, calls: Calls, start_worker: StartWorker
) -> None:
    other = await start_worker()
    await worker.hosts.presence.tick()  # so that it knows of the other
    hints = set()
    async with Calls(other.address) as there:
        for _ in range(16):
            match = await calls.new(seats=2)
            joined = [await way("Matches/JoinMatch", name=match) for way in (calls, there)]
            (hint,) = {answer.address_hint for answer in joined}
            hints.add(hint)
    assert hints == {worker.own_address, other.own_address}


@pytest.mark.asyncio
async def test_nobody_is_sent_to_a_worker_that_is_about_to_stop(
    worker: Worker, calls: Calls, start_worker: StartWorker
) -> None:
    other = await start_worker()
    await other.drain(0.0)
    await worker.hosts.presence.tick()
    assert await known(worker) == [worker.own_address]
    assert (await calls("Matches/JoinMatch", name=await calls.new())).address_hint == worker.own_address


@pytest.mark.asyncio
async def test_nor_to_one_that_shows_no_sign_of_life(
    worker: Worker, start_worker: StartWorker, clock: HandClock
) -> None:
    other = await start_worker()
    clock.advance(DEAD_MS + 1)
    await other.hosts.presence.tick()
    async with asyncio.timeout(10):
        while await known(other) != [other.own_address]:
            pass


@pytest.mark.asyncio
async def test_nor_to_one_that_was_seen_dying(worker: Worker, start_worker: StartWorker) -> None:
    """Another worker's next tick marks its players as away. A worker that stops in order leaves nothing to do."""
    other = await start_worker()
    roster, name = worker.hosts.store.roster, other.hosts.presence.worker
    assert sorted(await known(worker)) == sorted([worker.own_address, other.own_address])
    await roster.mark_dead(name)
    assert await known(worker) == [worker.own_address]
    assert await roster.claim_dead() == [name]
    await roster.forget(name)
    await roster.mark_dead(name)
    assert await roster.claim_dead() == []


@pytest.mark.asyncio
async def test_nor_to_one_of_another_build(worker: Worker, calls: Calls, start_worker: StartWorker) -> None:
    """A worker of another build could only serve the log, whichever worker names it."""
    other = await start_worker()
    other.hosts.presence.build = "1.0+other"
    for each in (other, worker, other):
        await each.hosts.presence.tick()
    async with Calls(other.address) as there:
        for _ in range(8):
            match = await calls.new(seats=2)
            joined = [await way("Matches/JoinMatch", name=match) for way in (calls, there)]
            assert {answer.address_hint for answer in joined} == {worker.own_address}
    assert worker.hosts.presence.preferred_address("0", "1.0+other", ours=False) == other.own_address
    assert worker.hosts.presence.preferred_address("0", "1.0+none", ours=False) == ""


@pytest.mark.asyncio
async def test_nor_to_one_with_other_content_files(
    worker: Worker, calls: Calls, start_worker: StartWorker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match that one of them cannot play is played by the other, whichever is asked."""
    (tmp_path / "box.toml").write_text("")
    monkeypatch.setenv(games.CONTENT_VARIABLE, f"arrakis={tmp_path / 'box.toml'}")
    other = await start_worker()
    await worker.hosts.presence.tick()
    for _ in range(8):
        match = await calls.new(seats=2)
        assert (await calls("Matches/JoinMatch", name=match)).address_hint == worker.own_address
        identity = match.removeprefix("matches/")
        there = other.hosts.presence.preferred_address
        assert there(identity, engine_build(), ours=True) == other.own_address
        assert there(identity, engine_build(), ours=False) == worker.own_address


def test_content_files_are_told_apart_by_name_and_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def digest(*files: tuple[str, str]) -> str:
        for name, text in files:
            (tmp_path / name).write_text(text)
        offered = os.pathsep.join(f"arrakis={tmp_path / name}" for name, _ in files)
        monkeypatch.setenv(games.CONTENT_VARIABLE, offered)
        return games.offered_digest()

    one, two = ("one.toml", "hand = 5"), ("two.toml", "hand = 6")
    assert digest() == ""
    assert digest(one, two) == digest(two, one)
    told = [
        digest(one),
        digest(two),
        digest(one, two),
        digest(("one.toml", "hand = 6")),
        digest(("two.toml", "hand = 5")),
    ]
    assert len(set(told)) == len(told)


@pytest.mark.parametrize(
    ("host", "advertise", "told"),
    [("127.0.0.1", "", True), ("[::]", "", False), ("[::]", "here.example", True)],
)
def test_an_address_that_leads_everybody_to_himself_is_told_to_nobody(host: str, advertise: str, told: bool) -> None:
    config = Config(host=host, advertise=advertise, auth="token", insecure=True)
    assert bool(config.hint(f"{config.advertised}:7448")) is told


def test_a_worker_that_goes_moves_only_the_matches_that_it_had() -> None:
    matches, workers = [f"{number:016x}" for number in range(300)], [f"10.0.0.{number}:7447" for number in range(6)]
    before = {match: rendezvous_address(match, workers) for match in matches}
    after = {match: rendezvous_address(match, reversed(workers[1:])) for match in matches}
    assert {before[match] for match in matches if before[match] != after[match]} == {workers[0]}
    assert min(list(before.values()).count(worker) for worker in workers) > 25
    assert rendezvous_address("0", []) == ""
