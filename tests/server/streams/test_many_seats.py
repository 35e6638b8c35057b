"""Many seats on one stream: a client that reads gets all their logs, however much comes at once; others are closed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import grpc
import pytest

from landsraad.models import Ticket
from landsraad.v1 import play_pb2
from landsraad.wire import frames
from landsraad_server.matches.record_fanout import LogSlice
from landsraad_server.process.worker import Worker
from landsraad_server.streams import outbox, play_session, session
from landsraad_testkit import RawStream

if TYPE_CHECKING:
    from tests.server.conftest import OpenStream, Seated

pytestmark = pytest.mark.asyncio

#: Some items for each of them, so that only a part of the seats fits in at a time.
SEATS, MOST_ITEMS, SNAPSHOTS_AT_ONCE = 90, 64, 8


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let little fit into the outbox."""
    monkeypatch.setattr(outbox, "MOST_ITEMS", MOST_ITEMS)
    for module in (play_session, session):
        monkeypatch.setattr(module, "SNAPSHOTS_AT_ONCE", SNAPSHOTS_AT_ONCE)


def subscriptions(tickets: list[Ticket]) -> list[play_pb2.ClientItem]:
    """Subscribe to all seats, with numbers from 1 on."""
    return [
        play_pb2.ClientItem(
            subscription=number,
            subscribe=play_pb2.Subscribe(match=ticket.match, seat=ticket.seat, credential=ticket.credential),
        )
        for number, ticket in enumerate(tickets, 1)
    ]


async def told_all(stream: RawStream, seats: int) -> None:
    """Read until each subscription has got the match message."""
    known: set[int] = set()
    while len(known) < seats:
        item = await stream.find(lambda item: item.WhichOneof("item") in ("snapshot", "closed"))
        assert not item.HasField("closed"), item.closed
        known.add(item.subscription)


def in_order(stream: RawStream) -> bool:
    """Tell whether each subscription got the match message before anything else."""
    first: dict[int, str] = {}
    for item in stream.received:
        first.setdefault(item.subscription, str(item.WhichOneof("item")))
    return {kind for number, kind in first.items() if number} == {"match"}


async def test_seats_that_are_opened_all_at_once_are_all_told_where_they_are(
    seated: Seated, open_stream: OpenStream, small: None
) -> None:
    tickets = [ticket for _ in range(SEATS // 3) for ticket in await seated(3)]
    stream = open_stream()
    await stream.send(*subscriptions(tickets))
    await told_all(stream, SEATS)
    assert in_order(stream)


async def test_seats_that_were_all_cut_off_are_all_taken_up_again(
    seated: Seated, open_stream: OpenStream, worker: Worker, small: None
) -> None:
    tickets = [ticket for _ in range(SEATS // 3) for ticket in await seated(3)]
    stream = open_stream()
    await stream.send(*subscriptions(tickets))
    await told_all(stream, SEATS)
    (busy,) = worker.streams.sessions
    for following in tuple(busy.streams.values()):
        following.on_overflow()
    await stream.ping()
    stream.received.clear()
    await told_all(stream, SEATS)
    snapshots = [item.snapshot.reason for item in stream.received if item.HasField("snapshot")]
    assert set(snapshots) == {play_pb2.SNAPSHOT_REASON_SLOW}


async def test_only_seats_whose_items_were_discarded_are_cut_off(
    seated: Seated, open_stream: OpenStream, worker: Worker, small: None
) -> None:
    """Send no snapshot to the others: with thousands of seats on a stream these cost more than all the acts."""
    tickets = [ticket for _ in range(SEATS // 3) for ticket in await seated(3)]
    stream = open_stream()
    await stream.send(*subscriptions(tickets))
    await told_all(stream, SEATS)
    await stream.ping()
    stream.received.clear()
    (busy,) = worker.streams.sessions
    for _ in range(MOST_ITEMS // 2 + 1):  # in one moment, so that nothing is written in between
        for number in (5, 70):
            busy.outbox.put(frames.item(number, "presence", b""), log=True)
    assert [number for number, each in busy.streams.items() if each.is_cut] == [5, 70]
    for _ in range(2):
        await stream.find(lambda item: item.HasField("snapshot"))
    await stream.ping()
    snapshots = [told.subscription for told in stream.received if told.HasField("snapshot")]
    assert snapshots == [5, 70]


async def test_a_sweep_of_revoked_tokens_looks_at_no_seat(
    seated: Seated, open_stream: OpenStream, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seats have credentials of their own, and a worker has thousands of them."""
    tickets = [ticket for _ in range(SEATS // 3) for ticket in await seated(3)]
    stream = open_stream()
    await stream.send(*subscriptions(tickets))
    await told_all(stream, SEATS)
    looked_at: list[object] = []

    class Watched(dict[int, Any]):
        def values(self) -> Any:
            looked_at.append(self)
            return super().values()

    (busy,) = worker.streams.sessions
    monkeypatch.setattr(busy, "streams", Watched(busy.streams))
    await worker._revocation_sweep.tick()
    assert not looked_at
    assert not busy.by_token


async def test_a_snapshot_stands_in_for_entries_that_still_wait_for_company(
    seated: Seated, open_stream: OpenStream, worker: Worker
) -> None:
    tickets = await seated(3)
    stream = open_stream()
    await stream.send(*subscriptions(tickets[:1]))
    first = await stream.next("snapshot")
    (busy,) = worker.streams.sessions
    (following,) = busy.streams.values()
    following.queue_entries(LogSlice(1, b""))
    hosted = await worker.hosts.read(following.host.match, lambda hosted: hosted)
    following.send_snapshot(hosted, play_pb2.SNAPSHOT_REASON_SLOW)
    second = await stream.next("snapshot")
    assert second.observation.number == first.observation.number
    assert not any(item.HasField("entries") for item in stream.received)


async def test_what_cannot_be_written_ends_the_stream(
    seated: Seated, open_stream: OpenStream, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    tickets = await seated(3)
    stream = open_stream()
    await stream.send(*subscriptions(tickets[:1]))
    await stream.next("snapshot")
    (busy,) = worker.streams.sessions

    def breaks() -> bytes:
        raise ZeroDivisionError

    monkeypatch.setattr(type(busy.outbox), "drain", lambda _: breaks())
    busy.outbox.put(b"")
    assert await stream.ended() is grpc.StatusCode.INTERNAL


async def test_a_client_that_does_not_read_its_answers_is_closed_once_and_for_all(
    seated: Seated, open_stream: OpenStream, worker: Worker, small: None
) -> None:
    tickets = await seated(3)
    stream = open_stream()
    await stream.send(*subscriptions(tickets))
    await told_all(stream, len(tickets))
    (busy,) = worker.streams.sessions
    for _ in range(MOST_ITEMS + 1):  # in one moment, so that nothing is written in between
        busy.outbox.put(b"")
    await stream.ended()
    closed = [item.closed.reason for item in stream.received if item.HasField("closed")]
    assert closed == [play_pb2.CLOSED_REASON_SLOW] * 3
    assert worker.counters.faults == 0
