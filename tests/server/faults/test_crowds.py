"""Crowds: many clients at once, and many that vanish; all are answered, and nothing is left of those that have gone."""

from __future__ import annotations

import asyncio
import gc
import sys
from contextlib import AsyncExitStack
from itertools import cycle
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import grpc
import grpc.aio
import pytest

from landsraad import AsyncClient
from landsraad.models import Ticket
from landsraad.v1 import play_pb2, play_service_pb2_grpc
from landsraad_bench.process_usage import usage
from landsraad_server.process.worker import Worker
from landsraad_testkit import ServeProcess, serving
from landsraad_testkit.raw_stream import OPTIONS

if TYPE_CHECKING:
    from tests.server.conftest import Seated

pytestmark = [pytest.mark.asyncio, pytest.mark.usefixtures("teaching")]


async def channels(stack: AsyncExitStack, address: str, count: int) -> list[grpc.aio.Channel]:
    """Open so many connections."""
    opened = [grpc.aio.insecure_channel(address, options=OPTIONS) for _ in range(count)]
    return [await stack.enter_async_context(channel) for channel in opened]


async def visit(channel: grpc.aio.Channel, ticket: Ticket, frames: int) -> None:
    """Open a stream, take a seat, read a little, and vanish."""
    call: Any = play_service_pb2_grpc.PlayStub(channel).Connect()
    wanted = play_pb2.Subscribe(match=ticket.match, seat=ticket.seat, credential=ticket.credential)
    await call.write(play_pb2.ClientFrame(items=[play_pb2.ClientItem(subscription=1, subscribe=wanted)]))
    for _ in range(frames):
        await call.read()
    call.cancel()


async def visits(opened: list[grpc.aio.Channel], tickets: list[Ticket], count: int) -> None:
    """Run many visits, a hundred at a time."""
    rng = Random(1)
    turns = iter(range(count))
    ways = cycle(opened)

    async def one_after_the_other() -> None:
        for turn in turns:
            await visit(next(ways), tickets[turn % len(tickets)], rng.choice((0, 0, 1)))

    await asyncio.gather(*(one_after_the_other() for _ in range(100)))


async def empty(worker: Worker, tasks: int) -> None:
    """Wait until a worker has no streams, has marked all seats as away, and so many tasks are left here and there."""
    async with asyncio.timeout(20):
        while (
            worker.counters.streams
            or worker.counters.seats
            or worker.hosts.presence.seats
            or len(asyncio.all_tasks()) > tasks
        ):
            await worker.hosts.store.link.call(b"", b"PING")  # a turn of everything


async def test_nothing_is_left_of_streams_that_were_cut(seated: Seated, worker: Worker) -> None:
    tickets = await seated(3)
    async with AsyncExitStack() as stack:
        opened = await channels(stack, worker.address, 4)
        tasks = len(asyncio.all_tasks())
        await visits(opened, tickets, 100)
        await empty(worker, tasks)
        gc.collect()
        before = len(gc.get_objects())
        await visits(opened, tickets, 200)
        await empty(worker, tasks)
        gc.collect()
        objects = len(gc.get_objects()) - before
    assert objects < 1000
    assert worker.counters.faults == worker.counters.in_flight == 0
    host = worker.hosts.by_match[tickets[0].match.removeprefix("matches/")]
    assert host.idle


@pytest.fixture
def open_files() -> None:
    """Allow as many open files as the system does: each connection needs one."""
    if sys.platform != "win32":
        import resource

        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


async def opened_all(service: ServeProcess, streams: int) -> None:
    """Open all streams at the same moment, and see that each is answered."""
    async with AsyncExitStack() as stack:
        ways = cycle(await channels(stack, service.address, 40))
        calls: list[Any] = [play_service_pb2_grpc.PlayStub(next(ways)).Connect() for _ in range(streams)]
        ping = play_pb2.ClientFrame(items=[play_pb2.ClientItem(ping=play_pb2.Ping(token=7))])

        async def answered(call: Any) -> int:
            await call.write(ping)
            while True:
                for item in (await call.read()).items:
                    if item.HasField("pong"):
                        return int(item.pong.token)

        async with asyncio.timeout(60):
            assert set(await asyncio.gather(*map(answered, calls))) == {7}
        for call in calls:
            call.cancel()


@pytest.mark.long
async def test_a_burst_of_two_thousand_streams(open_files: None, plugged: dict[str, str], tmp_path: Path) -> None:
    with serving(tmp_path / "data", environment=plugged) as service:
        await opened_all(service, 2000)
        await opened_all(service, 2000)


@pytest.mark.long
async def test_ten_thousand_forced_disconnects(open_files: None, plugged: dict[str, str], tmp_path: Path) -> None:
    with serving(tmp_path / "data", environment=plugged) as service:
        async with AsyncClient(service.address) as client, AsyncExitStack() as stack:
            tickets = []
            for _ in range(20):
                made = await client.create_match("teaching", 3)
                tickets += [(await client.join(made.name, seat)).ticket for seat in range(3)]
            opened = await channels(stack, service.address, 20)
            async with asyncio.timeout(100):
                await visits(opened, tickets, 2000)
                before = [usage(pid).rss_bytes for pid in service.workers]
                await visits(opened, tickets, 8000)
            after = [usage(pid).rss_bytes for pid in service.workers]
            grown = [(new - old) / (1 << 20) for old, new in zip(before, after, strict=True)]
            print(f"8000 disconnects: the workers have grown by {grown[0]:.1f} and {grown[1]:.1f} MB")
            assert max(grown) < 16
            # Everybody can still be played, and all are told to be away once they have gone.
            async with asyncio.timeout(30):
                for ticket in tickets:
                    while "here" in {seat.presence for seat in (await client.match(ticket.match)).seats}:
                        pass
