"""Streams: each seat gets its log without gaps, from any cursor and through any number of reconnects."""

from __future__ import annotations

import asyncio
from random import Random
from typing import TYPE_CHECKING

import pytest

from landsraad.models import Ticket
from landsraad.transport import GrpcTransport
from landsraad.v1 import errors_pb2, log_pb2, play_pb2, play_service_pb2
from landsraad.wire.entries import read_observation
from landsraad_server.matches import hosted_match
from landsraad_server.process.worker import Worker
from landsraad_server.store.match_log import SNAPSHOT_EVERY
from landsraad_testkit import RawSeat, RawStream, play_together

if TYPE_CHECKING:
    from tests.server.conftest import OpenStream, Seated, StartWorker

pytestmark = pytest.mark.asyncio


async def observed(worker: Worker, ticket: Ticket) -> log_pb2.Observation:
    """Return what a unary call says that a seat knows."""
    transport = GrpcTransport(worker.address)
    request = play_service_pb2.GetObservationRequest(match=ticket.match, seat=ticket.seat)
    found = await transport.call(
        "Play/GetObservation", request, log_pb2.Observation, token=ticket.credential, deadline=10.0
    )
    await transport.close()
    return found


async def halfway(seated: Seated, open_stream: OpenStream, acts: int) -> list[Ticket]:
    """Return a match in which some acts were played."""
    tickets = await seated(3)
    seats = [RawSeat(ticket, 3, subscription=number) for number, ticket in enumerate(tickets, 1)]
    stream = open_stream()
    for seat in seats:
        await seat.begin(stream)
    await play_together(stream, seats, acts)
    await stream.cut()
    return tickets


async def test_the_fold_of_what_was_told_is_what_one_sees(
    seated: Seated, open_stream: OpenStream, worker: Worker
) -> None:
    for acts in (1, 7, 19):
        for ticket in await halfway(seated, open_stream, acts):
            told = open_stream()
            await told.subscribe(ticket, start=(0, 1))
            await told.next("entries")
            log = RawSeat(ticket, 3).log
            for item in told.received:
                log.take(item)
            seen = await observed(worker, ticket)
            assert (log.number, log.decision) == (seen.number, seen.decision_id)
            assert log.view == read_observation(seen)


async def entries_of(stream: RawStream, number: int) -> None:
    """Read until a subscription has got entries."""
    while not any(item.subscription == number and item.HasField("entries") for item in stream.received):
        await stream.read()


@pytest.mark.parametrize("every", [SNAPSHOT_EVERY, 2])
async def test_from_every_cursor_the_rest_is_the_same(
    seated: Seated, open_stream: OpenStream, worker: Worker, monkeypatch: pytest.MonkeyPatch, every: int
) -> None:
    """The log is read from its beginning or from one of many waypoints."""
    monkeypatch.setattr(hosted_match, "SNAPSHOT_EVERY", every)
    ticket = (await halfway(seated, open_stream, 9))[0]
    known = worker.hosts.host(ticket.match.removeprefix("matches/")).hosted
    assert known is not None
    assert (len(known.waypoints) > 2) is (every == 2)  # answers of one tick share an entry, so their number differs
    whole = open_stream()
    await whole.subscribe(ticket, start=(0, 1))
    told = (await whole.next("entries")).entries
    stream = open_stream()
    for number in range(1, len(told) + 2):
        await stream.subscribe(ticket, number, start=(0, number))
        await stream.next("match", number)
        if number <= len(told):
            await asyncio.wait_for(entries_of(stream, number), 10)
        await stream.ping(number)
        rest = [item.entries for item in stream.received if item.subscription == number and item.HasField("entries")]
        if number <= len(told):
            assert rest[0].first == number
        assert [entry for part in rest for entry in part.entries] == list(told[number - 1 :])
        assert not any(item.HasField("snapshot") for item in stream.received)


async def test_a_cursor_that_cannot_be_true_gets_a_snapshot_that_says_so(
    seated: Seated, open_stream: OpenStream, worker: Worker
) -> None:
    ticket = (await halfway(seated, open_stream, 3))[0]
    last = (await observed(worker, ticket)).number
    for start in ((7, 1), (0, last + 2), (0, 1 << 40)):
        stream = open_stream()
        await stream.subscribe(ticket, start=start)
        assert (await stream.next("match")).state
        snapshot = await stream.next("snapshot")
        assert snapshot.reason == play_pb2.SNAPSHOT_REASON_OTHER_EPOCH
        assert snapshot.observation.number == last
        assert "entries" not in stream.kinds()


async def test_too_much_to_send_again_is_a_snapshot(
    seated: Seated, open_stream: OpenStream, monkeypatch: pytest.MonkeyPatch
) -> None:
    tickets = await halfway(seated, open_stream, 6)
    monkeypatch.setattr("landsraad_server.streams.log_stream.MOST_RESENT_BYTES", 100)
    stream = open_stream()
    await stream.subscribe(tickets[0], start=(0, 1))
    assert (await stream.next("snapshot")).reason == play_pb2.SNAPSHOT_REASON_CURSOR_TOO_OLD


@pytest.mark.parametrize("seed", range(3))
async def test_cut_off_at_any_moment_one_goes_on_where_one_was(seated: Seated, worker: Worker, seed: int) -> None:
    tickets = await seated(3)
    rng = Random(seed)
    seats = [RawSeat(ticket, 3, seed=seed) for ticket in tickets]

    async def play(seat: RawSeat) -> int:
        cuts = 0
        while not seat.over:
            async with RawStream(worker.address) as stream:
                await seat.begin(stream, fresh=not seat.log.number and rng.random() < 0.5)
                await seat.play(stream, rng.choice((1, 2, 3, 8)))
            cuts += not seat.over
        return cuts

    assert min(await asyncio.gather(*map(play, seats))) > 3
    for seat in seats:
        assert sorted(seat.acks) == list(range(1, len(seat.acks) + 1))
        assert seat.log.view == read_observation(await observed(worker, seat.ticket))


async def test_a_second_stream_takes_the_seat_from_the_first(seated: Seated, open_stream: OpenStream) -> None:
    tickets = await seated(2)
    first, second = open_stream(), open_stream()
    await first.subscribe(tickets[0])
    seen = (await first.next("snapshot")).observation
    await second.subscribe(tickets[0], start=(seen.epoch, seen.number + 1))
    closed = await first.next("closed")
    assert closed.reason == play_pb2.CLOSED_REASON_REPLACED
    assert getattr(closed.resume, "from") == seen.number + 1
    await first.send(play_pb2.ClientItem(subscription=1, submit=play_pb2.SubmitItem(seq=1)))
    assert (await first.next("refusal")).reason == errors_pb2.ERROR_REASON_BAD_FIELD
    seat = RawSeat(tickets[0], 2)
    seat.log.take(play_pb2.ServerItem(snapshot=play_pb2.Snapshot(observation=seen)))
    while not seat.acks:
        await seat.play(second, 1)
        if seat.log.options is not None and not seat.acks:
            await seat.take(second, [])


async def test_on_another_worker_too(seated: Seated, open_stream: OpenStream, start_worker: StartWorker) -> None:
    tickets = await seated(2)
    other = await start_worker()
    first, second = open_stream(), open_stream(other.address)
    await first.subscribe(tickets[0])
    await first.next("snapshot")
    await second.subscribe(tickets[0])
    assert (await first.next("closed")).reason == play_pb2.CLOSED_REASON_REPLACED
    await second.next("snapshot")
    third = open_stream()
    await third.subscribe(tickets[0])
    assert (await second.next("closed")).reason == play_pb2.CLOSED_REASON_REPLACED


async def test_many_streams_for_one_seat_at_once_leave_one(seated: Seated, open_stream: OpenStream) -> None:
    tickets = await seated(2)
    streams = [open_stream() for _ in range(8)]
    await asyncio.gather(*(stream.subscribe(tickets[0]) for stream in streams))
    settled = ("closed", "snapshot")
    await asyncio.gather(
        *(stream.find(lambda item: item.WhichOneof("item") in settled) for stream in streams)  # whoever has it by then
    )
    await asyncio.gather(*(stream.ping() for stream in streams))
    assert sum("closed" in stream.kinds() for stream in streams) == len(streams) - 1


async def test_what_is_sent_right_behind_subscribe_waits_for_it(
    seated: Seated, open_stream: OpenStream, worker: Worker
) -> None:
    tickets = await seated(2)
    seen = await observed(worker, tickets[0])
    codec = RawSeat(tickets[0], 2).log.codec
    act = codec.act(codec.read_options(seen.question.options).sample(Random(1)))
    stream = open_stream()
    subscribe = play_pb2.Subscribe(match=tickets[0].match, seat=0, credential=tickets[0].credential)
    submit = play_pb2.SubmitItem(seq=1, act=act, decision_id=seen.decision_id)
    await stream.send(
        play_pb2.ClientItem(subscription=1, subscribe=subscribe), play_pb2.ClientItem(subscription=1, submit=submit)
    )
    assert (await stream.next("ack")).seq == 1
    assert stream.kinds().index("snapshot") < stream.kinds().index("ack")
    wrong = play_pb2.Subscribe(match=tickets[0].match, seat=1, credential=tickets[0].credential)
    await stream.send(
        play_pb2.ClientItem(subscription=2, subscribe=wrong), play_pb2.ClientItem(subscription=2, submit=submit)
    )
    refusals = [await stream.next("refusal", 2) for _ in range(2)]
    assert [refusal.seq for refusal in refusals] == [0, 1]
    assert {refusal.reason for refusal in refusals} == {errors_pb2.ERROR_REASON_NOT_YOURS}


async def test_a_finished_match_is_told_to_its_end_and_closed(seated: Seated, open_stream: OpenStream) -> None:
    seats = [RawSeat(ticket, 3) for ticket in await seated(3)]
    lines = [open_stream() for _ in seats]
    await asyncio.gather(*(seat.begin(stream) for seat, stream in zip(seats, lines, strict=True)))
    await asyncio.gather(*(seat.play(stream) for seat, stream in zip(seats, lines, strict=True)))
    for seat in seats:
        again, late = RawSeat(seat.ticket, 3), open_stream()
        await late.subscribe(seat.ticket, start=(0, 1))
        await again.play(late)
        assert again.over
        assert again.log.number == seat.log.number
        assert again.log.entries == seat.log.entries
