"""The semantics of a seat, as the protocol has them: of the service, and of the service in the process.

Each test runs against both over real gRPC, so that what a bot is tested with behaves like what it plays on.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio

from landsraad import AsyncClient, games
from landsraad.models import Ticket
from landsraad.testing import LocalService
from landsraad.testing.listening import listening
from landsraad.transport import CallRefused, GrpcTransport
from landsraad.v1 import act_pb2, ask_pb2, common_pb2, errors_pb2, play_pb2, play_service_pb2
from landsraad.wire.codec import codec_for
from landsraad.wire.refusals import reason_of
from landsraad.wire.seat_semantics import MOST_ACT_BYTES
from landsraad_engine.teaching.acts import Bid, NameOmen, Stay
from landsraad_testkit import RawStream

if TYPE_CHECKING:
    from tests.server.conftest import StartWorker

pytestmark = pytest.mark.asyncio


class Seats:
    """The seats of one match at a service: calls as the protocol has them, and streams."""

    def __init__(self, address: str, tickets: list[Ticket]) -> None:
        self.tickets = tickets
        self._address = address
        self._transport = GrpcTransport(address)
        self._streams: list[RawStream] = []

    async def close(self) -> None:
        await asyncio.gather(*(stream.cut() for stream in self._streams), self._transport.close())

    def stream(self) -> RawStream:
        self._streams.append(RawStream(self._address))
        return self._streams[-1]

    async def subscribed(self, seat: int = 0) -> tuple[RawStream, Any]:
        """A stream that plays a seat, and the observation it begins with."""
        stream = self.stream()
        await stream.subscribe(self.tickets[seat])
        return stream, (await stream.next("snapshot")).observation

    async def call(self, method: str, request: Any, answer: Any, seat: int = 0) -> Any:
        token = self.tickets[seat].credential
        return await self._transport.call(f"Play/{method}", request, answer, token=token, deadline=20.0)

    async def decision(self, seat: int = 0) -> play_pb2.Decision:
        request = play_service_pb2.GetDecisionRequest(match=self.tickets[seat].match, seat=seat)
        found: play_pb2.Decision = await self.call("GetDecision", request, play_pb2.Decision, seat)
        return found

    async def submit(self, seq: int, act: act_pb2.Act, seat: int = 0, **meant: int) -> play_service_pb2.SubmitResponse:
        request = play_service_pb2.SubmitRequest(match=self.tickets[seat].match, seat=seat, seq=seq, act=act, **meant)
        found: play_service_pb2.SubmitResponse = await self.call(
            "Submit", request, play_service_pb2.SubmitResponse, seat
        )
        return found

    async def order(self, seq: int, *orders: str) -> play_pb2.Ack:
        request = play_service_pb2.SetStandingOrdersRequest(match=self.tickets[0].match, seat=0, seq=seq, orders=orders)
        found = await self.call("SetStandingOrders", request, play_service_pb2.SetStandingOrdersResponse)
        ack: play_pb2.Ack = found.ack
        return ack


@pytest_asyncio.fixture(params=["service", "local service"])
async def address(request: pytest.FixtureRequest, start_worker: StartWorker) -> AsyncIterator[str]:
    """The address of a service that knows the game `teaching`."""
    if request.param == "service":
        yield (await start_worker()).address
    else:
        async with listening(LocalService()) as found:
            yield found


@pytest_asyncio.fixture
async def client(address: str) -> AsyncIterator[AsyncClient]:
    async with AsyncClient(address, retry_timeout=10.0) as made:
        yield made


@pytest_asyncio.fixture
async def seats(address: str, client: AsyncClient) -> AsyncIterator[Seats]:
    """Both seats of a match that has begun: each is asked to name an omen."""
    match = await client.create_match("teaching", 2)
    found = Seats(address, [(await client.join(match.name, number, orders=())).ticket for number in range(2)])
    yield found
    await found.close()


def written(act: Any) -> act_pb2.Act:
    return codec_for(games.load("teaching")).act(act)


def legal(question: ask_pb2.Question, seed: int = 0) -> act_pb2.Act:
    codec = codec_for(games.load("teaching"))
    return codec.act(codec.read_options(question.options).sample(Random(seed)))


async def refused(call: Any) -> errors_pb2.Refusal:
    with pytest.raises(CallRefused) as caught:
        await call
    return caught.value.refusal


async def reason(call: Any) -> str:
    return reason_of(await refused(call))


# ---- Inputs count once ----


async def test_a_repeated_call_brings_the_same_answer_whatever_came_meanwhile(seats: Seats) -> None:
    open_ = await seats.decision()
    first = await seats.submit(1, legal(open_.question), decision_id=open_.decision_id)
    assert (first.ack.seq, first.ack.repeated, first.entries.first) == (1, False, first.ack.entry)
    assert len(first.entries.entries) == first.ack.last - first.ack.entry + 1
    await seats.submit(1, legal((await seats.decision(1)).question), seat=1)
    again = await seats.submit(1, act_pb2.Act(), decision_id=99)
    assert again.ack.repeated
    again.ack.repeated = False
    assert again == first


async def test_a_repeated_item_of_a_stream_brings_the_same_answer(seats: Seats) -> None:
    stream, seen = await seats.subscribed()
    for _ in range(3):
        await stream.submit(legal(seen.question), 1, decision=seen.decision_id)
    first, *others = [await stream.next("ack") for _ in range(3)]
    assert not first.repeated
    assert [(ack.entry, ack.last, ack.repeated) for ack in others] == [(first.entry, first.last, True)] * 2
    by_call = (await seats.submit(1, act_pb2.Act())).ack
    assert (by_call.entry, by_call.last, by_call.repeated) == (first.entry, first.last, True)


async def test_numbers_may_be_left_out_but_not_gone_back_to(seats: Seats) -> None:
    act = legal((await seats.decision()).question)
    await seats.submit(5, act)
    assert await reason(seats.submit(4, act)) == "SUPERSEDED"
    stream, _ = await seats.subscribed()
    await stream.submit(act, 3)
    refusal = await stream.next("refusal")
    assert (reason_of(refusal), refusal.seq) == ("SUPERSEDED", 3)


async def test_an_input_without_a_number_is_none(seats: Seats) -> None:
    act = legal((await seats.decision()).question)
    found = await refused(seats.submit(0, act))
    assert (reason_of(found), found.violations[0].field) == ("BAD_FIELD", "seq")
    assert await reason(seats.order(0, "auto")) == "BAD_FIELD"


async def test_what_is_refused_leaves_no_trace(seats: Seats) -> None:
    before = await seats.decision()
    assert await reason(seats.submit(1, written(Bid(1)))) == "AGAINST_RULES"
    assert await seats.decision() == before
    assert not (await seats.submit(1, legal(before.question))).ack.repeated, "the number is still free"


async def test_acts_and_orders_are_counted_together(seats: Seats) -> None:
    ordered = await seats.order(1, "auto")
    assert (ordered.seq, ordered.entry, ordered.repeated) == (1, 0, False)
    assert (await seats.order(1, "snare")).repeated
    act = legal((await seats.decision()).question)
    assert (await seats.submit(1, act)).ack.repeated, "it has the number of the orders"
    assert not (await seats.submit(2, act)).ack.repeated
    assert (await seats.decision()).last_seq == 2


# ---- What is refused, and why ----


async def test_another_decision_is_stale(seats: Seats) -> None:
    open_ = await seats.decision()
    act = legal(open_.question)
    found = await refused(seats.submit(1, act, decision_id=open_.decision_id + 1))
    assert (reason_of(found), found.detail.decision_id) == ("STALE", open_.decision_id)
    await seats.submit(1, act, decision_id=open_.decision_id)
    assert await reason(seats.submit(2, act, decision_id=open_.decision_id)) == "STALE"
    assert await reason(seats.submit(2, act)) == "NOT_ASKED"


async def test_a_play_during_another_step_is_stale(seats: Seats) -> None:
    open_ = await seats.decision()
    assert await reason(seats.submit(1, written(Stay()), during=open_.plays.during + 1)) == "STALE"
    assert await reason(seats.submit(1, written(Stay()), during=open_.plays.during)) == "NOT_NOW"


async def test_an_act_that_is_none_is_malformed(seats: Seats) -> None:
    assert await reason(seats.submit(1, act_pb2.Act())) == "MALFORMED"
    too_large = await refused(seats.submit(1, written(NameOmen("x" * MOST_ACT_BYTES))))
    assert (reason_of(too_large), str(MOST_ACT_BYTES) in too_large.message) == ("MALFORMED", True)


@pytest.mark.parametrize("orders", [["nonsense"], [""], ["x" * 65], ["auto"] * 65])
async def test_orders_that_make_no_sense(seats: Seats, orders: list[str]) -> None:
    found = await refused(seats.order(1, *orders))
    assert (reason_of(found), found.violations[0].field) == ("BAD_FIELD", "orders")
    assert (await seats.decision()).last_seq == 0


async def test_before_the_first_question_only_orders_are_taken(client: AsyncClient, address: str) -> None:
    match = await client.create_match("teaching", 2)
    seats = Seats(address, [(await client.join(match.name, 0, orders=())).ticket])
    try:
        assert await reason(seats.submit(1, written(NameOmen("amber")))) == "WRONG_STATE"
        ack = await seats.order(1, "auto")
        assert (ack.entry, ack.last) == (0, 0)
        assert await reason(seats.order(2, "nonsense")) == "BAD_FIELD"
    finally:
        await seats.close()


async def test_after_the_end_nothing_is_taken_but_what_was_is_said_again(seats: Seats, client: AsyncClient) -> None:
    await seats.submit(1, legal((await seats.decision()).question))
    for number, ticket in enumerate(seats.tickets):
        await client.seat(ticket).resign()
        if number == 0 and (await seats.decision()).state == common_pb2.MATCH_STATE_OVER:
            break  # the service ends a match in which but one seat is left
    assert (await seats.decision()).state == common_pb2.MATCH_STATE_OVER
    assert await reason(seats.submit(2, written(Bid(0)))) == "OVER"
    assert await reason(seats.order(2, "auto")) == "OVER"
    assert (await seats.submit(1, written(Bid(0)))).ack.repeated


async def test_a_seat_wants_its_own_credential(seats: Seats) -> None:
    mine, other = seats.tickets
    act = legal((await seats.decision()).question)
    for credential, said in (("", "NO_CREDENTIAL"), ("wrong", "NO_CREDENTIAL"), (other.credential, "NOT_YOURS")):
        seats.tickets[0] = Ticket(mine.match, 0, credential)
        assert await reason(seats.submit(1, act)) == said


# ---- Cursors ----


async def test_without_a_cursor_there_is_a_snapshot(seats: Seats) -> None:
    for start in (None, (1, 0)):
        stream = seats.stream()
        await stream.subscribe(seats.tickets[0], start=start)
        snapshot = await stream.next("snapshot")
        assert snapshot.reason == play_pb2.SNAPSHOT_REASON_ASKED


@pytest.mark.parametrize(("epoch", "beyond"), [(2, 0), (1, 2), (0, 2)])
async def test_a_cursor_that_is_not_of_this_log_brings_a_snapshot(seats: Seats, epoch: int, beyond: int) -> None:
    _, seen = await seats.subscribed()
    stream = seats.stream()
    await stream.subscribe(seats.tickets[0], start=(epoch, seen.number + beyond if beyond else 1))
    assert (await stream.next("snapshot")).reason == play_pb2.SNAPSHOT_REASON_OTHER_EPOCH


@pytest.mark.parametrize("epoch", [0, 1])
async def test_a_cursor_brings_the_log_from_there_on(seats: Seats, epoch: int) -> None:
    _, seen = await seats.subscribed()
    stream = seats.stream()
    await stream.subscribe(seats.tickets[0], start=(epoch, 1))
    told: list[Any] = []
    while len(told) < seen.number:
        entries = await stream.next("entries")
        assert entries.first == len(told) + 1
        told += entries.entries
    assert len(told) == seen.number
    later = seats.stream()
    await later.subscribe(seats.tickets[0], start=(epoch, seen.number + 1))
    await later.submit(legal(seen.question), 1)
    ack, entries = await later.next("ack"), await later.next("entries")
    assert entries.first == ack.entry == seen.number + 1
    assert "snapshot" not in later.kinds() + stream.kinds()


# ---- Subscriptions ----


async def test_what_is_sent_for_a_subscription_that_is_not_open(seats: Seats) -> None:
    stream, seen = await seats.subscribed()
    await stream.submit(legal(seen.question), 7, number=2)
    refusal = await stream.next("refusal", 2)
    assert (reason_of(refusal), refusal.seq, refusal.violations[0].field) == ("BAD_FIELD", 7, "subscription")
    await stream.send(play_pb2.ClientItem(subscription=2, unsubscribe=play_pb2.Unsubscribe()))
    assert reason_of(await stream.next("refusal", 2)) == "BAD_FIELD"


async def test_a_subscription_has_a_number_of_its_own(seats: Seats) -> None:
    stream, seen = await seats.subscribed()
    for number in (0, 1):
        await stream.subscribe(seats.tickets[1], number)
        assert reason_of(await stream.next("refusal", number)) == "BAD_FIELD"
    await stream.submit(legal(seen.question), 1)
    assert (await stream.next("ack", 1)).seq == 1, "the first one goes on"


async def test_a_subscription_that_was_closed_leads_on_from_its_cursor(seats: Seats) -> None:
    stream, seen = await seats.subscribed()
    await stream.send(play_pb2.ClientItem(subscription=1, unsubscribe=play_pb2.Unsubscribe()))
    closed = await stream.next("closed")
    assert closed.reason == play_pb2.CLOSED_REASON_UNSUBSCRIBED
    assert (closed.resume.epoch, getattr(closed.resume, "from")) == (1, seen.number + 1)
    await stream.submit(legal(seen.question), 1)
    assert reason_of(await stream.next("refusal", 1)) == "BAD_FIELD"


async def test_a_newer_stream_takes_the_seat(seats: Seats) -> None:
    older, seen = await seats.subscribed()
    newer, _ = await seats.subscribed()
    assert (await older.next("closed")).reason == play_pb2.CLOSED_REASON_REPLACED
    await older.submit(legal(seen.question), 1)
    assert reason_of(await older.next("refusal")) == "BAD_FIELD"
    await newer.submit(legal(seen.question), 1)
    assert (await newer.next("ack")).seq == 1
