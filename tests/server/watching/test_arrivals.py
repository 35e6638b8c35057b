"""Crowds of spectators that arrive in one moment: they wait for each other, and none is refused."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

import grpc.aio
import pytest
import pytest_asyncio

from landsraad.v1 import watch_service_pb2, watch_service_pb2_grpc
from landsraad.wire.entries import write_observation
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_host import MatchHost
from landsraad_server.matches.request_queue import BATCH, MOST_CHANGES, MOST_READS, RequestQueue
from landsraad_server.matches.requests import CommitTick, MatchCall
from landsraad_server.process.worker import Worker
from landsraad_server.streams import observations
from landsraad_testkit import DrivenMatch
from landsraad_testkit.raw_stream import OPTIONS
from landsraad_testkit.spectator import Spectator, public

pytestmark = pytest.mark.asyncio

Seat = Callable[..., Awaitable[DrivenMatch]]

CROWD = 1000
CONNECTIONS = 20


@pytest_asyncio.fixture
async def stubs(worker: Worker) -> AsyncIterator[list[watch_service_pb2_grpc.WatchStub]]:
    async with AsyncExitStack() as stack:
        opened = [grpc.aio.insecure_channel(worker.address, options=OPTIONS) for _ in range(CONNECTIONS)]
        for channel in opened:
            await stack.enter_async_context(channel)
        yield [watch_service_pb2_grpc.WatchStub(channel) for channel in opened]


@pytest.mark.parametrize("loaded", [True, False])
async def test_a_thousand_spectators_who_arrive_at_once_are_all_let_in(
    loaded: bool,
    table: Seat,
    worker: Worker,
    stubs: list[watch_service_pb2_grpc.WatchStub],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also at a worker that has to load the match first. Others have a turn between the batches.

    All see the same version, so it is encoded once.
    """
    played = await table()
    await played.play(5)
    match = played.tickets[0].match
    if not loaded:
        await played.stream.cut()
        del worker.hosts.by_match[match.removeprefix("matches/")]
    settle, batches, encoded = MatchHost._settle, [], []

    def counted(self: MatchHost, batch: Any, outcomes: Any) -> None:
        batches.append(len(batch))
        settle(self, batch, outcomes)

    def encode(*view: Any, **of: Any) -> bytes:
        encoded.append(of["number"])
        return write_observation(*view, **of)

    monkeypatch.setattr(MatchHost, "_settle", counted)
    monkeypatch.setattr(observations, "write_observation", encode)
    request = watch_service_pb2.WatchMatchRequest(match=match)
    crowd = [Spectator(stubs[number % CONNECTIONS].WatchMatch(request)) for number in range(CROWD)]
    await asyncio.gather(*(one.until("snapshot") for one in crowd))
    assert worker.counters.spectators == CROWD
    assert not worker.counters.refusals
    assert max(batches) <= BATCH
    assert len(encoded) <= (1 if loaded else 10)  # That the players have left makes new versions.
    if loaded:
        await played.play(1)
        await asyncio.gather(*(one.hear(public(worker, match)) for one in crowd))
    for one in crowd:
        one.call.cancel()
    assert worker.counters.faults == 0


async def test_spectators_who_wait_take_no_room_from_players() -> None:
    queue = RequestQueue()
    reads: list[MatchCall[None]] = [MatchCall(read=lambda _: None) for _ in range(MOST_READS)]
    for read in reads:
        assert queue.has_room(read)
        queue.add(read)
    assert not queue.has_room(MatchCall(read=lambda _: None))
    for _ in range(MOST_CHANGES):
        assert queue.has_room(CommitTick())
        queue.add(CommitTick())
    assert not queue.has_room(CommitTick())

    def change(hosted: HostedMatch, now: int) -> None:
        """Change nothing, but not as a read."""

    assert not queue.has_room(MatchCall(change))
    first = queue.take()
    assert first == reads[:BATCH]
    assert queue.has_room(reads[0])
    queue.put_back(first)
    assert not queue.has_room(reads[0])
    assert [*queue][:MOST_READS] == reads
    assert len(queue.take_all()) == MOST_READS + MOST_CHANGES
    assert not queue
    assert queue.has_room(reads[0])
    assert queue.has_room(CommitTick())
