"""A stream that has ended leaves no reference cycles: the garbage collector runs rarely in a worker."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import grpc.aio
import pytest

from landsraad.v1 import errors_pb2, play_pb2, watch_service_pb2
from landsraad_server.process.worker import Worker
from landsraad_testkit.calls import Calls
from landsraad_testkit.raw_stream import PATIENCE_SECONDS

if TYPE_CHECKING:
    from tests.server.conftest import OpenStream, Seated

pytestmark = pytest.mark.asyncio


@contextmanager
def _left_behind() -> Iterator[Counter[str]]:
    """Return the kinds of our own objects that only the garbage collector frees."""
    found: Counter[str] = Counter()
    gc.collect()
    gc.disable()
    try:
        yield found
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        found.update(
            type(one).__qualname__ for one in gc.garbage if type(one).__module__.startswith("landsraad_server")
        )
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


@pytest.mark.parametrize("manner", ["says goodbye", "is cut", "cannot be understood"])
async def test_streams_leave_no_circles_of_references(manner: str, seated: Seated, worker: Worker) -> None:
    ticket = (await seated(3))[0]
    subscribe = play_pb2.Subscribe(match=ticket.match, seat=ticket.seat, credential=ticket.credential)
    item = play_pb2.ClientItem(subscription=1, subscribe=subscribe)
    async with grpc.aio.insecure_channel(worker.address) as channel:
        stream: Any = channel.stream_stream("/landsraad.v1.Play/Connect")
        call, other = stream(), stream()
        await call.write(play_pb2.ClientFrame(items=[item]).SerializeToString())
        while not _has_snapshot(await call.read()):
            pass
        with _left_behind() as left:
            match manner:
                case "says goodbye":
                    await call.done_writing()
                case "is cut":
                    call.cancel()
                case _:
                    await call.write(b"\xff")
            async with asyncio.timeout(PATIENCE_SECONDS):
                ping = play_pb2.ClientFrame(items=[play_pb2.ClientItem(ping=play_pb2.Ping(token=1))])
                while len(worker.streams.sessions) > 1 or not worker.streams.sessions:
                    await other.write(ping.SerializeToString())
                    await other.read()
                await other.write(ping.SerializeToString())  # a turn more, in which it is let go
                await other.read()
    assert not left


@pytest.mark.parametrize("method", ["Play/GetObservation", "Catalog/ListGames", "Play/Nothing"])
@pytest.mark.parametrize("request_", [b"", b"\xff"])
async def test_calls_leave_none_either(method: str, request_: bytes, worker: Worker) -> None:
    async with grpc.aio.insecure_channel(worker.address) as channel:
        call: Any = channel.unary_unary(f"/landsraad.v1.{method}")
        await call(request_).code()
        with _left_behind() as left:
            for _ in range(3):
                await call(request_).code()
    assert not left


def _has_snapshot(frame: bytes) -> bool:
    return any(item.HasField("snapshot") for item in play_pb2.Frame.FromString(frame).items)


async def test_who_comes_while_a_worker_drains_is_sent_to_another(seated: Seated, worker: Worker, calls: Calls) -> None:
    """A proxy learns late of the draining; the streams that it still opens would use up the grace time."""
    ticket = (await seated(3))[0]
    worker.streams.drain()
    async with grpc.aio.insecure_channel(worker.address) as channel:
        playing: Any = channel.stream_stream("/landsraad.v1.Play/Connect")
        watching: Any = channel.unary_stream("/landsraad.v1.Watch/WatchMatch")
        watch = watch_service_pb2.WatchMatchRequest(match=ticket.match).SerializeToString()
        for call in (playing(timeout=PATIENCE_SECONDS), watching(watch, timeout=PATIENCE_SECONDS)):
            with pytest.raises(grpc.aio.AioRpcError, match="is shutting down") as refused:
                await call.read()
            assert refused.value.code() is grpc.StatusCode.UNAVAILABLE
    about = {"match": ticket.match, "seat": ticket.seat}
    decision = await calls("Play/GetDecision", ticket.credential, **about)
    known = {"after_decision_id": decision.decision_id, "wait_ms": 20_000}
    refusal = await calls.refusal("Play/GetDecision", ticket.credential, **about, **known)
    assert refusal.reason == errors_pb2.ERROR_REASON_DRAINING
    assert not worker.streams.sessions


async def test_who_says_goodbye_at_once_is_told_first_what_it_has_missed(
    seated: Seated, worker: Worker, open_stream: OpenStream, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long the reading of the history takes."""
    ticket, stream, read = (await seated(2))[0], open_stream(), worker.hosts.records

    async def slowly(*given: Any) -> Any:
        for _ in range(20):
            await worker.hosts.read(ticket.match.removeprefix("matches/"), lambda _: None)
        return await read(*given)

    monkeypatch.setattr(worker.hosts, "records", slowly)
    await stream.subscribe(ticket, start=(0, 1))
    await stream.call.done_writing()
    assert await stream.ended() is grpc.StatusCode.OK
    assert stream.kinds()[:2] == ["match", "entries"]


async def test_who_leaves_a_seat_hears_first_what_became_of_what_was_sent_before(
    seated: Seated, open_stream: OpenStream
) -> None:
    """Later items wait for the answers, so a client that subscribes anew at once finds the seat free."""
    ticket, stream = (await seated(3))[0], open_stream()
    await stream.subscribe(ticket)
    await stream.next("snapshot")
    subscribe = play_pb2.Subscribe(match=ticket.match, seat=ticket.seat, credential=ticket.credential)
    await stream.send(
        play_pb2.ClientItem(subscription=1, submit=play_pb2.SubmitItem(seq=1)),
        play_pb2.ClientItem(subscription=1, standing_orders=play_pb2.OrdersItem(seq=1, orders=["auto"])),
        play_pb2.ClientItem(subscription=1, unsubscribe=play_pb2.Unsubscribe()),
        play_pb2.ClientItem(subscription=1, submit=play_pb2.SubmitItem(seq=2)),
        play_pb2.ClientItem(subscription=1, subscribe=subscribe),
        play_pb2.ClientItem(subscription=1, submit=play_pb2.SubmitItem(seq=3)),
    )
    await stream.call.done_writing()
    assert await stream.ended() is grpc.StatusCode.OK
    told = [item for item in stream.received if item.WhichOneof("item") in ("refusal", "ack", "closed")]
    assert [item.WhichOneof("item") for item in told] == ["refusal", "ack", "closed", "refusal", "refusal"]
    assert told[2].closed.reason == play_pb2.CLOSED_REASON_UNSUBSCRIBED
    refused = [(item.refusal.seq, item.refusal.reason) for item in told if item.HasField("refusal")]
    malformed, unknown = errors_pb2.ERROR_REASON_MALFORMED, errors_pb2.ERROR_REASON_BAD_FIELD
    assert refused == [(1, malformed), (2, unknown), (3, malformed)]
    assert stream.kinds().count("snapshot") == 2
