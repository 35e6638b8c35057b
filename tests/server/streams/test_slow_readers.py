"""Slow clients over real connections hold up no others, and miss nothing without being told so."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio

from landsraad.v1 import play_pb2, watch_service_pb2
from landsraad_http2 import frames
from landsraad_http2.limits import Limits
from landsraad_server.process.worker import Worker
from landsraad_server.streams import outbox
from landsraad_server.streams.log_stream import Flow, LogStream
from landsraad_testkit import DrivenMatch
from landsraad_testkit.http2_peer import Peer, message, request
from landsraad_testkit.raw_stream import PATIENCE_SECONDS

if TYPE_CHECKING:
    from tests.server.conftest import Seat, StartWorker

pytestmark = pytest.mark.asyncio


class Reader:
    """A spectator that reads as many bytes as the test allows."""

    def __init__(self, peer: Peer) -> None:
        self.peer = peer
        self.items: list[play_pb2.ServerItem] = []
        self._bytes = b""

    def watch(self, match: str) -> None:
        wanted = watch_service_pb2.WatchMatchRequest(match=match).SerializeToString()
        self.peer.send_preface((frames.INITIAL_WINDOW_SIZE, 0))
        self.peer.send(
            frames.headers(1, request("", **{":path": "/landsraad.v1.Watch/WatchMatch"})),
            frames.data(1, message(wanted), last=True),
        )

    async def take(self, size: int) -> None:
        """Allow so many more bytes, and return what comes of them at once."""
        self.peer.send(frames.window_update(0, size), frames.window_update(1, size), frames.ping(b"how much"))
        while (frame := await self.peer.next(frames.DATA, frames.PING))[0] == frames.DATA:
            self._bytes += frame[3]

    async def take_all(self) -> None:
        """Read to the end of the stream."""
        await self.take(1 << 20)
        while True:
            kind, flags, _, payload = await self.peer.next(frames.DATA, frames.HEADERS)
            if kind == frames.DATA:
                self._bytes += payload
            elif flags & frames.END_STREAM:
                return

    def read(self) -> int:
        """Parse what has come, check that nothing is missing, and return the number of the last entry."""
        known = 0
        at = 0
        while at < len(self._bytes):
            end = at + 5 + int.from_bytes(self._bytes[at + 1 : at + 5], "big")
            self.items += play_pb2.Frame.FromString(self._bytes[at + 5 : end]).items
            at = end
        assert at == len(self._bytes)
        for item in self.items:
            if item.HasField("snapshot"):
                known = item.snapshot.observation.number
            if item.HasField("entries"):
                assert item.entries.first == known + 1
                known += len(item.entries.entries)
        return known

    def snapshots(self) -> list[int]:
        """Return the reasons of all snapshots so far."""
        return [item.snapshot.reason for item in self.items if item.HasField("snapshot")]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let little fit into the outbox and the transport's buffers, with no limit on pings."""
    monkeypatch.setattr(outbox, "MOST_ITEMS", 10)
    monkeypatch.setattr("landsraad_http2.transport.Limits", partial(Limits, queued_bytes=100, ping_seconds=0.0))


@pytest_asyncio.fixture
async def worker(small: None, start_worker: StartWorker) -> Worker:
    """A worker that sends each entry as an item of its own, on the transport whose buffers can be that small."""
    return await start_worker(linger_ms=0, transport="http2")


@pytest_asyncio.fixture
async def reader(worker: Worker) -> AsyncIterator[Reader]:
    host, _, port = worker.address.rpartition(":")
    peer = Peer(*await asyncio.open_connection(host, int(port)))
    yield Reader(peer)
    peer.cut()


async def a_turn(worker: Worker) -> None:
    """Wait for one round trip to the store, during which the worker's event loop runs."""
    await worker.hosts.store.link.call(b"", b"PING")


async def followed(worker: Worker) -> LogStream:
    """Wait for the spectator's stream, and return it."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            for session in worker.streams.sessions:
                for stream in session.streams.values():
                    if stream.seat is None:
                        return stream
            await a_turn(worker)


def last(worker: Worker, played: DrivenMatch) -> int:
    """Return the number of the spectators' last entry."""
    hosted: Any = worker.hosts.host(played.tickets[0].match.removeprefix("matches/")).hosted
    return int(hosted.log_counters.counts[-1])


async def goes_on(played: DrivenMatch) -> None:
    """Play one more act."""
    assert played.questions, "the match is over"
    await played.play(1)


async def test_who_does_not_read_for_a_while_is_told_the_rest_by_a_snapshot(
    reader: Reader, table: Seat, worker: Worker
) -> None:
    played = await table(2)
    reader.watch(played.tickets[0].match)
    stream = await followed(worker)
    await played.play()
    assert played.match.HasField("result")  # nobody has waited for it
    assert stream.is_cut
    await reader.take_all()
    assert reader.read() == last(worker, played)
    assert reader.snapshots() == [play_pb2.SNAPSHOT_REASON_ASKED, play_pb2.SNAPSHOT_REASON_SLOW]
    closed = reader.items[-1].closed
    assert closed.reason == play_pb2.CLOSED_REASON_OVER
    assert getattr(closed.resume, "from") == last(worker, played) + 1
    assert worker.counters.slow == worker.counters.faults == 0


async def test_who_is_too_slow_for_its_snapshot_is_closed(reader: Reader, table: Seat, worker: Worker) -> None:
    played = await table(2, options={"rounds": 8})
    reader.watch(played.tickets[0].match)
    stream = await followed(worker)
    while not stream.is_cut:
        await goes_on(played)
    while stream.flow is not Flow.PROBATION:
        # It has no room for its snapshot before that comes.
        await (reader.take(50) if stream.flow is Flow.CUT else a_turn(worker))
    while stream.session.is_open(stream):
        await goes_on(played)
    await reader.take_all()
    known = reader.read()
    closed = reader.items[-1].closed
    assert closed.reason == play_pb2.CLOSED_REASON_SLOW
    assert getattr(closed.resume, "from") in (0, known + 1)
    assert worker.counters.slow == 1
    await played.play()
    assert played.match.HasField("result")
