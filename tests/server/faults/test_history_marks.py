"""Marks of cursors: the store has lost the end of a log, and no living worker remembers it. Clients do."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

import pytest

from landsraad import AsyncClient
from landsraad.models import Ticket
from landsraad.v1 import common_pb2, play_pb2
from landsraad_engine.play.match import verify
from landsraad_engine.teaching.game import TEACHING
from landsraad_server.matches import history_marks, match_changes, match_hosts
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.records import Ending, Presence
from landsraad_server.process.worker import Worker
from landsraad_server.store import Head
from landsraad_testkit import RawSeat, RawStream, play_together

if TYPE_CHECKING:
    from tests.server.conftest import OpenStream, Rewind, Seated, StartWorker

pytestmark = pytest.mark.asyncio


def key(ticket: Ticket) -> str:
    return ticket.match.removeprefix("matches/")


async def heads(worker: Worker, match: str) -> list[Head]:
    return [entry.head for entry in await worker.hosts.store.log.read(match)]


async def version_of(worker: Worker, ticket: Ticket, number: int) -> Head:
    """Return the version with an entry of a seat's log."""
    for head, record in await worker.hosts.records(key(ticket)):
        if record.log_counters is not None and record.log_counters.counts[ticket.seat] >= number:
            return head
    raise AssertionError(f"there is no entry {number}")


async def played(stream: RawStream, tickets: list[Ticket], acts: int) -> list[RawSeat]:
    """Play so many acts of a match on one stream, from the beginning of its log."""
    seats = [RawSeat(ticket, len(tickets), subscription=number) for number, ticket in enumerate(tickets, 1)]
    for seat in seats:
        await seat.begin(stream)
    assert await play_together(stream, seats, acts)
    return seats


async def end(stream: RawStream, worker: Worker, match: str) -> None:
    """End a stream, and wait until its seats are away."""
    await stream.cut()
    async with asyncio.timeout(10):
        while Presence.HERE in await worker.hosts.read(match, lambda hosted: [seat.presence for seat in hosted.seats]):
            pass


async def test_a_client_that_remembers_more_is_told(
    seated: Seated, worker: Worker, open_stream: OpenStream, rewind: Rewind, start_worker: StartWorker
) -> None:
    """Another player has gone on meanwhile, so that the log is longer than what the client knows of it."""
    tickets = await seated(2, options={"rounds": 8})
    match, stream = key(tickets[0]), open_stream()
    seats = await played(stream, tickets, 6)
    await end(stream, worker, match)
    known = await heads(worker, match)
    assert seats[0].log.mark
    rewind(match, known[len(known) // 2])
    fresh = await start_worker()  # it knows nothing of what was lost
    forgetful = open_stream(fresh.address)
    again = [RawSeat(ticket, 2, seed=7, subscription=number) for number, ticket in enumerate(tickets, 1)]
    for seat in again:
        await seat.begin(forgetful, fresh=True)
    assert await play_together(forgetful, again, 10)
    assert {seat.log.epoch for seat in again} == {1}
    late = open_stream(fresh.address)
    await late.subscribe(tickets[0], start=seats[0].log.cursor)
    rewound = await late.next("rewound")
    assert (rewound.epoch, rewound.last) == (2, 0)
    snapshot = await late.next("snapshot")
    assert snapshot.observation.epoch == 2
    # The others are told as well, since coming dice are others; what they were told stands.
    told = await forgetful.next("rewound", 2)
    assert told.epoch == 2
    assert told.last >= max(seat.log.number for seat in again[1:])
    assert {head.epoch for head in await heads(fresh, match)} == {1, 2}


async def test_what_stands_goes_on_from_the_cursor(
    seated: Seated, worker: Worker, open_stream: OpenStream, start_worker: StartWorker
) -> None:
    """At the end of the log and before it, on a worker that knows the match and on one that loads it."""
    tickets = await seated(2, options={"rounds": 8})
    match, stream = key(tickets[0]), open_stream()
    seats = await played(stream, tickets, 12)
    cursors = [(seat.log.epoch, seat.log.number + 1, seat.log.mark) for seat in seats]
    middle = next(item.entries for item in stream.received if item.subscription == 1 and item.HasField("entries"))
    cursors.append((1, middle.first + len(middle.entries), middle.mark))
    await end(stream, worker, match)
    fresh = await start_worker()
    for address in (worker.address, fresh.address):
        for ticket, cursor in zip([*tickets, tickets[0]], cursors, strict=True):
            late = open_stream(address)
            await late.subscribe(ticket, start=cursor)
            await late.next("match")
            await late.ping()
            await late.send(play_pb2.ClientItem(subscription=1, unsubscribe=play_pb2.Unsubscribe()))
            resume = (await late.next("closed")).resume
            assert not {"rewound", "snapshot"} & set(late.kinds())
            number, mark = cursor[1:]
            for item in late.received:
                if item.HasField("entries"):
                    assert item.entries.first == number
                    number, mark = number + len(item.entries.entries), item.entries.mark
            assert (getattr(resume, "from"), resume.mark) == (number, mark)
            assert mark
            await late.cut()


async def test_a_cursor_of_an_earlier_epoch_tells_what_stands(
    seated: Seated, worker: Worker, open_stream: OpenStream, rewind: Rewind
) -> None:
    tickets = await seated(2, options={"rounds": 8})
    match, stream = key(tickets[0]), open_stream()
    seats = await played(stream, tickets, 4)
    early = seats[0].log.cursor
    assert await play_together(stream, seats, 8)
    await end(stream, worker, match)
    late_cursor = seats[0].log.cursor
    assert late_cursor[1] > early[1]
    rewind(match, await version_of(worker, tickets[0], early[1] - 1))
    await worker.hosts.read(match, lambda _: None)  # it remembers, and begins a new epoch
    for cursor, last in ((early, early[1] - 1), (late_cursor, 0)):
        late = open_stream()
        await late.subscribe(tickets[0], start=cursor)
        rewound = await late.next("rewound")
        assert (rewound.epoch, rewound.last) == (2, last)
        assert (await late.next("snapshot")).reason == play_pb2.SNAPSHOT_REASON_OTHER_EPOCH
        await late.cut()
    assert {head.epoch for head in await heads(worker, match)} == {1, 2}


async def test_nobody_begins_a_new_epoch_with_a_mark_that_was_not_lost(
    seated: Seated, worker: Worker, open_stream: OpenStream
) -> None:
    """Else players could have the dice rolled anew at will."""
    tickets = await seated(2, options={"rounds": 8})
    match, stream = key(tickets[0]), open_stream()
    seats = await played(stream, tickets, 8)
    epoch, number, mark = seats[0].log.cursor
    await end(stream, worker, match)
    forged = (
        (epoch, number, bytes(12)),
        (epoch, number, b"x"),
        (epoch, number, mark[:6] + bytes(6)),
        (epoch, number, mark + b"x"),
        (epoch, number, mark[:6] + b"\0\0\0\7" + mark[10:]),
        (epoch, 2, mark),
        (epoch, 1 << 40, mark),
    )
    for cursor in forged:
        late = open_stream()
        await late.subscribe(tickets[0], start=cursor)
        assert (await late.next("snapshot")).reason == play_pb2.SNAPSHOT_REASON_OTHER_EPOCH
        await late.cut()
    assert {head.epoch for head in await heads(worker, match)} == {1}
    assert worker.counters.rewinds == 0
    assert worker.counters.faults == 0


async def test_marks_tell_nothing_of_hidden_commits(seated: Seated, worker: Worker, open_stream: OpenStream) -> None:
    """A snapshot has the mark of the last entry of its own log, whatever others have done since."""
    tickets = await seated(2, options={"rounds": 8})
    match, stream = key(tickets[0]), open_stream()
    await played(stream, tickets, 4)
    marks = set()
    for number in range(3):
        late = open_stream()
        await worker.hosts.change(match, partial(rename, title=f"commit {number}"))
        await late.subscribe(tickets[0])
        marks.add((await late.next("snapshot")).mark)
    assert len(marks) == 1
    assert marks != {b""}


def rename(hosted: HostedMatch, now: int, title: str) -> None:
    hosted.changes.terms().title = title


async def test_clients_of_the_sdk_go_on(
    seated: Seated, worker: Worker, open_stream: OpenStream, rewind: Rewind, start_worker: StartWorker
) -> None:
    """They return the mark with their cursor."""
    tickets = await seated(2, options={"rounds": 4})
    match, stream = key(tickets[0]), open_stream()
    seats = await played(stream, tickets, 6)
    await end(stream, worker, match)
    rewind(match, (await heads(worker, match))[-6])
    fresh = await start_worker()
    for seat in seats:
        seat.sent = None
    late = open_stream(fresh.address)
    for seat in seats:
        await seat.begin(late)
    assert await play_together(late, seats)
    async with AsyncClient(fresh.address) as client:
        certificate = await client.certificate(tickets[0].match)
    assert [given[2] for given in certificate["journal"] if given[1] == "epoch"] == [(2,)]
    assert verify(TEACHING, certificate) == []


async def test_a_host_that_was_evicted_is_remembered(
    seated: Seated, worker: Worker, open_stream: OpenStream, rewind: Rewind, monkeypatch: pytest.MonkeyPatch
) -> None:
    tickets = await seated(2)
    match, stream = key(tickets[0]), open_stream()
    await played(stream, tickets, 4)
    await end(stream, worker, match)
    known = await heads(worker, match)
    monkeypatch.setattr(match_hosts, "MOST_IDLE", 0)
    worker.hosts._evict_idle()
    assert match not in worker.hosts.by_match
    rewind(match, known[-3])
    await worker.hosts.read(match, lambda _: None)
    assert (await heads(worker, match))[-1].epoch == 2


async def test_a_match_that_was_told_to_be_over_does_not_live_again(
    seated: Seated, worker: Worker, open_stream: OpenStream, rewind: Rewind, client: AsyncClient
) -> None:
    """Its players have gone, and would lose by their clocks."""
    tickets = await seated(2)
    match, stream = key(tickets[0]), open_stream()
    await played(stream, tickets, 4)
    before = (await heads(worker, match))[-1]

    await worker.hosts.change(match, partial(match_changes.end_early, kind=Ending.ABORTED, reason=""))
    assert (await stream.next("closed", 1)).reason == play_pb2.CLOSED_REASON_OVER
    rewind(match, before)
    found = await client.match(tickets[0].match)
    assert found.state == "over"
    assert found.result is not None
    assert found.result.kind == "infrastructure"
    assert (await heads(worker, match))[-1].epoch == 2


async def test_marks_are_told_apart() -> None:
    secret, other = b"s" * 32, b"t" * 32
    mark = history_marks.mark(secret, 3, b"w.1")
    assert history_marks.mark(secret, 3, b"") == b""
    assert history_marks.epoch_of(secret, mark) == 3
    assert history_marks.epoch_of(other, mark) is None
    assert history_marks.epoch_of(secret, b"") is None
    assert history_marks.names(mark, secret, b"w.1")
    assert not history_marks.names(mark, secret, b"w.2")
    assert not history_marks.names(mark, other, b"w.1")
    assert common_pb2.Cursor(mark=mark).mark == mark
