"""Tasks that wait for something that will not come get an error instead of waiting for ever."""

import asyncio
import gc
import signal
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Coroutine
from random import Random
from typing import Any, TypeVar

import pytest

from landsraad.async_client import AsyncClient
from landsraad.async_seat import AsyncSeat
from landsraad.backoff import probe_while_silent
from landsraad.client import Client
from landsraad.errors import ConnectionLost, NotAllowed, SeatLost
from landsraad.play_stream import PlayStream
from landsraad.portal import Portal
from landsraad.testing import Faults, LocalService
from landsraad.testing.players import play_all, seated
from landsraad.testing.streams import LocalStream
from landsraad.transport import CallFailed, CallRefused
from landsraad.v1 import play_pb2
from landsraad.wire.refusals import refusal

T = TypeVar("T")

#: Whatever is waited for here comes sooner.
SECONDS = 10.0


async def soon(waiting: Awaitable[T]) -> T:
    async with asyncio.timeout(SECONDS):
        return await waiting


def asked(service: LocalService, seats: list[AsyncSeat]) -> AsyncSeat:
    """The seat that has to act."""
    match = service.matches[seats[0].ticket.match].match
    assert match is not None
    return seats[match.waiting[0]]


async def idle(service: LocalService, client: AsyncClient) -> AsyncSeat:
    """A seat that waits for the other one, on its stream."""
    seats = await seated(client, 2, "teaching")
    while True:
        seat = asked(service, seats)
        decision = await soon(seat.next_decision())
        assert decision is not None
        await seat.answer(decision.sample(Random(0)), decision)
        if seat is not asked(service, seats):
            return seat


@pytest.mark.asyncio
async def test_an_input_that_is_sent_again_goes_to_the_subscription_that_there_is(
    client: AsyncClient, service: LocalService, faults: Faults
) -> None:
    """The seat was subscribed anew, under another number, between two attempts."""
    seats = await seated(client, 2, "teaching")
    seat = asked(service, seats)
    decision = await soon(seat.next_decision())
    assert decision is not None
    faults.store_lost = 1
    answering = asyncio.create_task(seat.answer(decision.sample(Random(0)), decision))
    async with asyncio.timeout(SECONDS):
        while faults.store_lost:  # noqa: ASYNC110  a fault that is used up sets no event
            await asyncio.sleep(0)
    for _ in range(5):  # the refusal is told, and waited for to pass
        await asyncio.sleep(0)
    seat.receive(play_pb2.ServerItem(closed=play_pb2.Closed(reason=play_pb2.CLOSED_REASON_SLOW)))
    await soon(answering)
    await soon(play_all(seats))


@pytest.mark.asyncio
async def test_a_question_that_is_put_again_because_its_answer_was_lost_is_answered_again(
    client: AsyncClient, service: LocalService, faults: Faults
) -> None:
    """The store has acknowledged the answer and then lost it; the seat is told both before its program goes on."""
    seat = asked(service, await seated(client, 2, "teaching"))
    decision = await soon(seat.next_decision())
    assert decision is not None
    match = service.matches[seat.ticket.match]
    before = match.observation(seat.number)
    before.epoch += 1
    faults.silent = True
    answering = asyncio.create_task(seat.answer(decision.sample(Random(0)), decision))
    async with asyncio.timeout(SECONDS):
        while not match.local_seats[seat.number].last_input.seq:  # noqa: ASYNC110  an input that is taken sets no event
            await asyncio.sleep(0)
    seat.receive(play_pb2.ServerItem(ack=match.local_seats[seat.number].last_input.message()))
    seat.receive(play_pb2.ServerItem(rewound=play_pb2.Rewound(epoch=before.epoch)))
    seat.receive(play_pb2.ServerItem(snapshot=play_pb2.Snapshot(observation=before)))
    seat.end_frame()
    await soon(answering)
    again = await soon(seat.next_decision())
    assert again is not None
    assert again.number == decision.number


@pytest.mark.asyncio
async def test_an_input_that_has_waited_for_its_turn_is_told_that_there_is_no_stream(
    service: LocalService, faults: Faults
) -> None:
    transport = service.transport()
    async with AsyncClient(transport=transport, retry_timeout=0.2) as client:
        seat = await idle(service, client)
        faults.silent = True
        inputs = [asyncio.create_task(seat.orders("auto")) for _ in range(2)]
        await asyncio.sleep(0)  # both are under way: one is sent, one waits
        faults.unreachable = 1000
        transport.streams[-1].cancel()
        ended = await soon(asyncio.gather(*inputs, return_exceptions=True))
        assert [type(error) for error in ended] == [ConnectionLost, ConnectionLost]


@pytest.mark.asyncio
async def test_a_client_that_is_closed_tells_those_who_wait(service: LocalService) -> None:
    client = AsyncClient(transport=service.transport())
    seat = await idle(service, client)
    waiting = asyncio.create_task(seat.next_decision())
    await asyncio.sleep(0)
    await client.close()
    with pytest.raises(ConnectionLost, match="closed"):
        await soon(waiting)


@pytest.mark.asyncio
async def test_a_stream_that_was_refused_while_it_was_written_to_is_not_tried_again(
    client: AsyncClient, service: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A writer learns only that the stream is over; the reader learns the reason."""

    async def write(stream: LocalStream, frame: bytes) -> None:
        raise CallFailed("the stream has ended")

    async def read(stream: LocalStream) -> None:
        await stream.ended.wait()
        raise CallRefused(refusal("NO_CREDENTIAL", "this credential is not known"))

    monkeypatch.setattr(LocalStream, "write", write)
    monkeypatch.setattr(LocalStream, "read", read)
    seat = asked(service, await seated(client, 2, "teaching"))
    with pytest.raises(NotAllowed, match="not known"):
        await soon(seat.next_decision())


@pytest.mark.asyncio
async def test_a_seat_that_is_closed_tells_those_who_wait(
    client: AsyncClient, service: LocalService, faults: Faults
) -> None:
    seat = await idle(service, client)
    waiting = asyncio.create_task(seat.next_decision())
    faults.silent = True
    acting = asyncio.create_task(seat.orders("auto"))
    for _ in range(3):
        await asyncio.sleep(0)
    await seat.close()
    await soon(acting)  # by a call: it counts once, however often it was sent
    with pytest.raises(SeatLost):
        await soon(waiting)


@pytest.mark.asyncio
async def test_a_seat_that_is_closed_while_it_connects_stays_closed(
    service: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    transport = service.transport()
    async with AsyncClient(transport=transport) as client:
        seat = asked(service, await seated(client, 2, "teaching"))
        connection, asks, goes_on = client.connection, asyncio.Event(), asyncio.Event()

        async def slow(match: str, hint: str = "") -> PlayStream:
            asks.set()
            await goes_on.wait()
            return await connection(match, hint)

        monkeypatch.setattr(client, "connection", slow)
        waiting = asyncio.create_task(seat.next_decision())
        await soon(asks.wait())
        await seat.close()
        goes_on.set()
        with pytest.raises(SeatLost, match="closed here"):
            await soon(waiting)
        assert not transport.streams
        assert await soon(seat.next_decision()) is not None, "and can be asked anew"


@pytest.mark.asyncio
async def test_a_seat_that_was_to_subscribe_later_does_not_when_it_is_lost_by_then(
    service: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    transport = service.transport()
    client = AsyncClient(transport=transport)
    seat = await idle(service, client)
    later: list[Callable[[], None]] = []
    with monkeypatch.context() as held:
        held.setattr(asyncio.get_running_loop(), "call_later", lambda _, callback: later.append(callback))
        seat.receive(play_pb2.ServerItem(refusal=refusal("STORE_LOST", "the store cannot be reached")))
    await client.close()
    for subscribe in later:
        subscribe()
    for _ in range(5):
        await asyncio.sleep(0)
    assert len(later) == len(transport.streams) == 1


@pytest.mark.asyncio
async def test_a_seat_that_is_lost_says_so_each_time_anew(client: AsyncClient, service: LocalService) -> None:
    """A program that asks again and again: the traceback of one call says nothing of those before."""
    seat = await idle(service, client)
    seat.fail(SeatLost("another stream plays this seat now"))
    lengths = []
    for _ in range(3):
        with pytest.raises(SeatLost) as caught:
            await soon(seat.next_decision())
        lengths.append(len(caught.traceback))
    assert lengths == lengths[:1] * 3


@pytest.mark.asyncio
async def test_two_that_begin_at_once_share_one_subscription(client: AsyncClient, service: LocalService) -> None:
    seat = asked(service, await seated(client, 2, "teaching"))
    turns = await soon(asyncio.gather(seat.next_decision(), seat.next_decision()))
    assert turns[0] is turns[1] is not None


@pytest.mark.asyncio
async def test_a_second_end_for_a_reason_of_a_later_version_is_an_end(
    client: AsyncClient, service: LocalService
) -> None:
    """After the first one the seat subscribes again, but it does not go on so for ever."""
    seat = await idle(service, client)
    waiting = asyncio.create_task(seat.next_decision())
    for ended in (False, True):
        await asyncio.sleep(0)
        seat.receive(play_pb2.ServerItem(closed=play_pb2.Closed(reason=99)))  # type: ignore[arg-type]
        seat.end_frame()
        assert (seat._error is not None) is ended
    with pytest.raises(SeatLost, match="reason 99, unknown here"):
        await soon(waiting)


@pytest.mark.asyncio
async def test_a_spectator_asks_whether_anybody_is_there_when_nothing_comes(
    service: LocalService, faults: Faults
) -> None:
    transport = service.transport()
    async with AsyncClient(transport=transport, ping_interval=0.02) as client:
        seats = await seated(client, 2, "teaching")
        watching = client.watch(seats[0].ticket.match)
        await soon(anext(watching))
        (first,) = transport.streams
        faults.silent, faults.unreachable = True, 1
        more = asyncio.ensure_future(anext(watching))
        await soon(first.ended.wait())
        faults.silent = False
        playing = asyncio.create_task(play_all(seats))
        updates = [await soon(more), *[update async for update in watching]]
        assert updates[-1].match.state == "over"
        await soon(playing)


@pytest.mark.asyncio
async def test_a_network_that_breaks_is_told_once() -> None:
    """Both who was listened to and who was asked about it have failed."""
    asked = asyncio.Event()

    async def told() -> AsyncGenerator[int, None]:
        await asked.wait()
        raise CallFailed("the stream")
        yield 1

    async def ask() -> None:
        asked.set()
        for _ in range(5):
            await asyncio.sleep(0)
        raise CallFailed("the call")

    logged: list[str] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: logged.append(context["message"]))
    with pytest.raises(CallFailed, match="the call"):
        await soon(anext(probe_while_silent(told(), 0.0, ask)))
    gc.collect()
    assert not logged


def test_an_iterator_that_is_collected_on_the_loop_does_not_block_it() -> None:
    ended = threading.Event()

    async def numbers() -> AsyncIterator[int]:
        try:
            yield 1
        finally:
            ended.set()

    portal = Portal()
    iterator = portal.iterate(numbers())
    assert next(iterator) == 1

    async def forget() -> None:
        iterator.close()  # type: ignore[attr-defined]  # as the garbage collector does, in whatever thread it runs

    portal.run(soon_on(forget()))
    assert ended.wait(SECONDS)
    portal.close()


async def soon_on(work: Awaitable[None]) -> None:
    await work


def test_an_iterator_that_outlives_its_loop_is_let_go() -> None:
    async def numbers() -> AsyncIterator[int]:
        yield 1

    portal = Portal()
    iterator = portal.iterate(numbers())
    assert next(iterator) == 1
    portal.close()
    iterator.close()  # type: ignore[attr-defined]


def test_an_iterator_is_closed_when_the_wait_for_its_next_item_is_interrupted() -> None:
    tidied = threading.Event()
    main = threading.main_thread().ident
    assert main is not None

    async def numbers() -> AsyncIterator[int]:
        yield 1
        try:
            signal.pthread_kill(main, signal.SIGINT)
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)  # still running when it is closed
            tidied.set()

    portal = Portal()
    iterator = portal.iterate(numbers())
    assert next(iterator) == 1
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever has started the tests
    try:
        with pytest.raises(KeyboardInterrupt):
            next(iterator)
    finally:
        signal.signal(signal.SIGINT, before)
    assert tidied.is_set()
    portal.close()


def test_what_still_runs_on_a_loop_is_ended_with_it() -> None:
    tidied = threading.Event()

    async def lingering() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)  # what tidies up may take a moment
            tidied.set()

    assert closed_over(Portal(), lingering()).cancelled()
    assert tidied.is_set()


def closed_over(portal: Portal, lingering: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    """Close a portal while a coroutine runs, and return what became of it."""

    async def begin() -> asyncio.Task[None]:
        begun = asyncio.create_task(lingering)
        await asyncio.sleep(0)
        return begun

    begun = portal.run(begin())
    portal.close()
    return begun


def test_nobody_waits_for_a_loop_that_is_about_to_end() -> None:
    """Another thread, whose call has been ended with the loop, closes its seat: also that is a call."""
    tried = threading.Event()
    said: list[str] = []

    async def tidying() -> None:
        tried.set()
        await asyncio.Event().wait()

    def late() -> None:
        try:
            portal.run(tidying())
        except ConnectionLost as error:
            said.append(str(error))
        tried.set()

    another = threading.Thread(target=late, daemon=True)

    async def lingering() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            another.start()
            await asyncio.to_thread(tried.wait, SECONDS)

    portal = Portal()
    closed_over(portal, lingering())
    another.join(SECONDS)
    assert said == ["the client was closed"]


def test_a_closed_client_says_so_and_can_be_closed_again(service: LocalService) -> None:
    client = Client(transport=service.transport())
    match = client.create_match("teaching", 2)
    seat = client.join(match.name)
    client.close()
    client.close()
    for call in (client.games, seat.next_decision, lambda: next(client.watch(match.name))):
        with pytest.raises(ConnectionLost, match="was closed"):
            call()
