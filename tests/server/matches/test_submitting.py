"""Inputs are accepted exactly once, by unary calls and by streams."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from random import Random
from typing import TYPE_CHECKING, Any

import grpc
import grpc.aio
import pytest
import pytest_asyncio

from landsraad import games
from landsraad.models import Ticket
from landsraad.transport import CallRefused, GrpcTransport
from landsraad.v1 import act_pb2, errors_pb2, play_pb2, play_service_pb2
from landsraad.wire.codec import codec_for
from landsraad_engine.teaching.acts import NameOmen
from landsraad_server.process.worker import Worker
from landsraad_testkit import DrivenMatch, RawSeat, RawStream

if TYPE_CHECKING:
    from tests.server.conftest import OpenStream, Seated

pytestmark = pytest.mark.asyncio

Wanted = dict[str, Any]
MakeTable = Callable[..., Awaitable[DrivenMatch]]


def omen(band: str) -> act_pb2.Act:
    """Return the answer to the first question, which every seat is asked: which band will win."""
    return codec_for(games.load("teaching")).act(NameOmen(band))


def sampled(question: Any, seed: int = 0) -> act_pb2.Act:
    """Return some valid answer to a question."""
    codec = codec_for(games.load("teaching"))
    return codec.act(codec.read_options(question.options).sample(Random(seed)))


class Caller:
    """Unary calls of a seat; they raise CallRefused."""

    def __init__(self, transport: GrpcTransport, ticket: Ticket) -> None:
        self.ticket = ticket
        self._transport = transport

    async def _call(self, method: str, request: Any, answer: Any) -> Any:
        return await self._transport.call(
            f"Play/{method}", request, answer, token=self.ticket.credential, deadline=10.0
        )

    async def decision(self) -> play_pb2.Decision:
        request = play_service_pb2.GetDecisionRequest(match=self.ticket.match, seat=self.ticket.seat)
        found: play_pb2.Decision = await self._call("GetDecision", request, play_pb2.Decision)
        return found

    async def submit(self, seq: int, act: act_pb2.Act, **meant: int) -> play_service_pb2.SubmitResponse:
        request = play_service_pb2.SubmitRequest(
            match=self.ticket.match, seat=self.ticket.seat, seq=seq, act=act, **meant
        )
        found: play_service_pb2.SubmitResponse = await self._call("Submit", request, play_service_pb2.SubmitResponse)
        return found

    async def orders(self, seq: int, *orders: str) -> play_pb2.Ack:
        request = play_service_pb2.SetStandingOrdersRequest(
            match=self.ticket.match, seat=self.ticket.seat, seq=seq, orders=orders
        )
        found = await self._call("SetStandingOrders", request, play_service_pb2.SetStandingOrdersResponse)
        ack: play_pb2.Ack = found.ack
        return ack


MakeCaller = Callable[[Ticket], Caller]


@pytest_asyncio.fixture
async def caller(worker: Worker) -> Any:
    transport = GrpcTransport(worker.address)
    yield lambda ticket: Caller(transport, ticket)
    await transport.close()


async def refused(call: Any) -> errors_pb2.Refusal:
    with pytest.raises(CallRefused) as caught:
        await call
    return caught.value.refusal


async def test_a_repeated_call_brings_the_same_answer(seated: Seated, caller: MakeCaller, worker: Worker) -> None:
    tickets = await seated(2)
    mine, other = (caller(ticket) for ticket in tickets)
    open_ = await mine.decision()
    number, act = open_.decision_id, sampled(open_.question)
    first = await mine.submit(1, act, decision_id=number)
    actions = worker.counters.actions
    # Whatever has happened meanwhile, and whatever else the request says.
    await other.submit(1, sampled((await other.decision()).question))
    again = [await mine.submit(1, act, decision_id=number), await mine.submit(1, act_pb2.Act(), decision_id=99)]
    assert {one.ack.repeated for one in again} == {True}
    for one in again:
        one.ack.repeated = False
        assert one.SerializeToString(deterministic=True) == first.SerializeToString(deterministic=True)
    assert worker.counters.actions == actions + 1
    assert first.entries.first == first.ack.entry
    assert first.ack.last == first.entries.first + len(first.entries.entries) - 1


async def test_the_same_on_a_stream_and_across(seated: Seated, caller: MakeCaller, open_stream: OpenStream) -> None:
    tickets = await seated(2)
    stream, mine = open_stream(), caller(tickets[0])
    await stream.subscribe(tickets[0])
    number = (await stream.next("snapshot")).observation.decision_id
    act = sampled((await mine.decision()).question)
    await stream.submit(act, 5, decision=number)
    first = await stream.next("ack")
    await stream.submit(act, 5, decision=number)
    await stream.submit(act, 5, decision=number)
    for _ in range(2):
        again = await stream.next("ack")
        assert (again.entry, again.last, again.repeated) == (first.entry, first.last, True)
    by_call = (await mine.submit(5, act)).ack
    assert (by_call.entry, by_call.last, by_call.repeated) == (first.entry, first.last, True)
    assert (await refused(mine.submit(4, act))).reason == errors_pb2.ERROR_REASON_SUPERSEDED
    await stream.submit(act, 3)
    refusal = await stream.next("refusal")
    assert (refusal.reason, refusal.seq) == (errors_pb2.ERROR_REASON_SUPERSEDED, 3)


async def test_twice_in_one_frame_is_once(seated: Seated, open_stream: OpenStream, worker: Worker) -> None:
    tickets = await seated(2)
    stream = open_stream()
    await stream.subscribe(tickets[0])
    question = (await stream.next("snapshot")).observation
    act = sampled(question.question)
    before = worker.counters.actions
    submit = play_pb2.SubmitItem(seq=1, decision_id=question.decision_id, act=act)
    await stream.send(*[play_pb2.ClientItem(subscription=1, submit=submit)] * 3)
    acks = [await stream.next("ack") for _ in range(3)]
    assert [ack.repeated for ack in acks] == [False, True, True]
    assert len({(ack.entry, ack.last) for ack in acks}) == 1
    assert worker.counters.actions == before + 1


async def test_standing_orders_are_counted_with_the_acts(seated: Seated, caller: MakeCaller) -> None:
    tickets = await seated(2)
    mine = caller(tickets[0])
    assert (await mine.orders(1, "auto")).seq == 1
    assert (await mine.orders(1, "auto")).repeated
    act = sampled((await mine.decision()).question)
    assert (await mine.submit(1, act)).ack.repeated  # the seq of the orders: the act was not looked at
    assert (await mine.decision()).last_seq == 1
    assert not (await mine.submit(2, act)).ack.repeated
    assert (await refused(mine.orders(1))).reason == errors_pb2.ERROR_REASON_SUPERSEDED


async def test_a_late_answer_is_stale_and_is_told_what_is_open(
    seated: Seated, caller: MakeCaller, open_stream: OpenStream
) -> None:
    tickets = await seated(2)
    callers = [caller(ticket) for ticket in tickets]
    old = await callers[0].decision()
    await callers[0].submit(1, sampled(old.question))
    other = callers[1]
    while not (await callers[0].decision()).decision_id:
        open_ = await other.decision()
        await other.submit(open_.last_seq + 1, sampled(open_.question))
    late = await refused(callers[0].submit(2, sampled(old.question), decision_id=old.decision_id))
    assert late.code == grpc.StatusCode.ABORTED.value[0]
    assert late.reason == errors_pb2.ERROR_REASON_STALE
    now = await callers[0].decision()
    assert now.decision_id > old.decision_id
    assert late.detail.decision_id == now.decision_id
    gone = await refused(callers[0].submit(2, sampled(old.question), during=1))
    assert gone.reason == errors_pb2.ERROR_REASON_STALE
    stream = open_stream()
    await stream.subscribe(tickets[0])
    await stream.submit(sampled(old.question), 2, decision=old.decision_id)
    assert (await stream.next("refusal")).detail.decision_id == now.decision_id
    assert (await callers[0].decision()).last_seq == 1  # none of these was remembered


async def test_what_has_ended_the_match_is_sent_again_with_the_subscription(
    table: MakeTable, open_stream: OpenStream
) -> None:
    """A client that lost its connection at that moment gets the stored answer, and then the end."""
    played = await table()
    await played.play()
    ticket, last = played.tickets[0], played.acks[0][-1].seq
    wanted = play_pb2.Subscribe(match=ticket.match, seat=ticket.seat, credential=ticket.credential)
    again = play_pb2.SubmitItem(seq=last, act=omen("amber"))
    stream = open_stream()
    await stream.send(
        play_pb2.ClientItem(subscription=1, subscribe=wanted), play_pb2.ClientItem(subscription=1, submit=again)
    )
    assert (await stream.next("closed")).reason == play_pb2.CLOSED_REASON_OVER
    assert stream.kinds() == ["match", "snapshot", "ack", "closed"]
    assert (await stream.next("ack")).repeated


@pytest.mark.parametrize("by", ["call", "stream"])
async def test_a_refused_input_leaves_no_trace(
    seated: Seated, caller: MakeCaller, open_stream: OpenStream, worker: Worker, by: str
) -> None:
    tickets = await seated(2)
    mine = caller(tickets[0])
    question = (await mine.decision()).question
    stream = open_stream()
    await stream.subscribe(tickets[0])
    await stream.next("snapshot")
    actions = worker.counters.actions

    async def refusal_of(act: act_pb2.Act) -> errors_pb2.Refusal:
        if by == "call":
            return await refused(mine.submit(1, act))
        await stream.submit(act, 1)
        found: errors_pb2.Refusal = await stream.next("refusal")
        return found

    wrong = await refusal_of(omen("nobody"))
    assert wrong.reason == errors_pb2.ERROR_REASON_AGAINST_RULES
    assert wrong.detail.nearest
    assert (await refusal_of(act_pb2.Act())).reason == errors_pb2.ERROR_REASON_MALFORMED
    unknown = act_pb2.Act(generic=act_pb2.GenericAct(name="Abdicate"))
    assert (await refusal_of(unknown)).reason == errors_pb2.ERROR_REASON_MALFORMED
    assert worker.counters.actions == actions
    assert not (await mine.submit(1, sampled(question))).ack.repeated


async def test_seq_begins_with_one(seated: Seated, caller: MakeCaller) -> None:
    mine = caller((await seated(2))[0])
    refusal = await refused(mine.submit(0, sampled((await mine.decision()).question)))
    assert refusal.reason == errors_pb2.ERROR_REASON_BAD_FIELD
    assert refusal.violations[0].field == "seq"


async def test_a_foreign_seat_is_not_played(seated: Seated, caller: MakeCaller, open_stream: OpenStream) -> None:
    tickets, others = await seated(2), await seated(2)
    act = sampled((await caller(tickets[0]).decision()).question)
    for match, seat in ((tickets[0].match, 1), (others[0].match, 0)):
        foreign = Ticket(match, seat, tickets[0].credential)
        assert (await refused(caller(foreign).submit(1, act))).reason == errors_pb2.ERROR_REASON_NOT_YOURS
        stream = open_stream()
        await stream.subscribe(foreign)
        assert (await stream.next("refusal")).reason == errors_pb2.ERROR_REASON_NOT_YOURS
        await stream.submit(act, 1)
        assert (await stream.next("refusal")).reason == errors_pb2.ERROR_REASON_BAD_FIELD


async def test_whoever_is_not_asked_is_told_so(seated: Seated, caller: MakeCaller) -> None:
    tickets = await seated(2)
    callers = [caller(ticket) for ticket in tickets]
    question = (await callers[0].decision()).question
    await callers[0].submit(1, sampled(question))
    assert (await refused(callers[0].submit(2, sampled(question)))).reason == errors_pb2.ERROR_REASON_NOT_ASKED


async def test_more_in_flight_than_allowed_is_refused_at_once(seated: Seated, open_stream: OpenStream) -> None:
    tickets = await seated(2)
    stream = open_stream()
    await stream.subscribe(tickets[0])
    question = (await stream.next("snapshot")).observation.question
    submit = play_pb2.ClientItem(subscription=1, submit=play_pb2.SubmitItem(seq=1, act=sampled(question)))
    await stream.send(*[submit] * 20)
    refusals = [await stream.next("refusal") for _ in range(4)]
    assert {refusal.reason for refusal in refusals} == {errors_pb2.ERROR_REASON_OVERLOADED}
    assert {refusal.retry_ms > 0 for refusal in refusals} == {True}
    assert [(await stream.next("ack")).repeated for _ in range(16)] == [False] + [True] * 15


async def test_the_last_answer_is_acknowledged_before_the_end_is_told(seated: Seated, open_stream: OpenStream) -> None:
    seats = [RawSeat(ticket, 2) for ticket in await seated(2)]
    lines: list[RawStream] = [open_stream() for _ in seats]
    for seat, stream in zip(seats, lines, strict=True):
        await seat.begin(stream)
    await asyncio.gather(*(seat.play(stream) for seat, stream in zip(seats, lines, strict=True)))
    for seat, stream in zip(seats, lines, strict=True):
        assert stream.kinds()[-1] == "closed"
        sent = max(seat.acks)
        assert sorted(seat.acks) == list(range(1, sent + 1))
