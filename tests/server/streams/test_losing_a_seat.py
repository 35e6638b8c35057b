"""A stream that has lost its seat to another client gets nothing more of it, even if it missed the change."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from landsraad.v1 import play_pb2
from landsraad.wire.seat_semantics import cursor_at
from landsraad_server.matches.credentials import SeatSecret
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.record_fanout import RecordFanout
from landsraad_server.matches.records import decode_record
from landsraad_server.process.worker import Worker
from landsraad_server.streams.seat_stream import SeatStream

if TYPE_CHECKING:
    from tests.server.conftest import OpenStream, Seated

pytestmark = pytest.mark.asyncio


@pytest.mark.parametrize("ours", [True, False])
async def test_by_a_log_with_another_end(ours: bool, seated: Seated, worker: Worker, open_stream: OpenStream) -> None:
    """The seat is lost in the new end of a rewound log, in which an older stream may have the seat."""
    ticket, _ = await seated(2)
    match, stream = ticket.match.removeprefix("matches/"), open_stream()
    await stream.subscribe(ticket)
    await stream.next("snapshot")
    await stream.ping()
    known = len(stream.received)

    def end_otherwise(hosted: HostedMatch) -> None:
        [listener] = worker.hosts.host(match).listeners
        hosted.seats[ticket.seat].stream = "w.1"
        if not ours:
            hosted.terms.seats[ticket.seat].key = SeatSecret().key
        listener.on_rewound(hosted, 2, hosted.log_counters.counts)

    await worker.hosts.read(match, end_otherwise)
    if ours:
        await stream.ping()
        assert stream.kinds()[known:] == ["rewound", "snapshot", "pong"]
    else:
        assert (await stream.next("closed")).reason == play_pb2.CLOSED_REASON_REVOKED
        assert stream.kinds()[known:] == ["closed"]


@pytest.mark.parametrize("ours", [True, False])
async def test_in_what_comes_after_what_it_hears(
    ours: bool, seated: Seated, worker: Worker, open_stream: OpenStream
) -> None:
    """If much was missed, the match is ahead of the entries: its open plays may be those of the next holder."""
    ticket, _ = await seated(2)
    match, stream = ticket.match.removeprefix("matches/"), open_stream()
    await stream.subscribe(ticket, plays=True)
    await stream.next("plays")
    records = [decode_record(entry.payload) for entry in await worker.hosts.store.log.read(match)]
    told = next(record for record in reversed(records) if record.entries)
    told.seats.clear()
    known = len(stream.received)

    def hear(hosted: HostedMatch) -> None:
        [listener] = worker.hosts.host(match).listeners
        assert isinstance(listener, SeatStream)
        listener._sent_plays = None  # as if there were others now
        if not ours:
            hosted.terms.seats[ticket.seat].key = SeatSecret().key
        listener.on_record(hosted, RecordFanout(told))

    await worker.hosts.read(match, hear)
    await stream.ping()
    assert ("plays" in stream.kinds()[known:]) is ours


@pytest.mark.parametrize("start", [(1, 5), (0, 5), (7, 5), None])
async def test_in_the_moment_in_which_it_comes(
    start: tuple[int, int] | None, seated: Seated, open_stream: OpenStream
) -> None:
    """The client resumes at its own cursor, not at the beginning of what it has read before."""
    ticket, stream = (await seated(2))[0], open_stream()
    cursor = cursor_at(*start) if start else None
    subscribe = play_pb2.Subscribe(
        match=ticket.match, seat=ticket.seat, credential=ticket.credential, plays=False, **{"from": cursor}
    )
    await stream.send(*(play_pb2.ClientItem(subscription=number, subscribe=subscribe) for number in (1, 2)))
    closed = await stream.next("closed")
    assert closed.reason == play_pb2.CLOSED_REASON_REPLACED
    told = [item.WhichOneof("item") for item in stream.received if item.subscription == 1]
    assert told == ["closed"]
    # A cursor of another epoch, and none at all, lead to a snapshot.
    assert (closed.resume.epoch, getattr(closed.resume, "from")) == (1, 5 if start in ((1, 5), (0, 5)) else 0)
