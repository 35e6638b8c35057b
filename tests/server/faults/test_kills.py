"""Kills: processes are killed in the middle of play; play goes on, and no acknowledged act is lost or doubled."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import AsyncExitStack, suppress
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import grpc.aio
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from landsraad import AsyncClient
from landsraad.testing.players import play
from landsraad.v1 import errors_pb2, matches_pb2, play_pb2
from landsraad_engine.play.match import verify
from landsraad_engine.teaching.game import TEACHING
from landsraad_server.process.children import CHECK_SECONDS, MOST_UNANSWERED
from landsraad_server.store import EmbeddedServer
from landsraad_server.store.roster import DEAD_MS
from landsraad_testkit import RawSeat, RawStream, ServeProcess, play_together, serving

if TYPE_CHECKING:
    from collections.abc import Callable

    import redis

pytestmark = [pytest.mark.asyncio, pytest.mark.usefixtures("teaching")]

_MATCHES, _SEATS = 8, 3
#: No match may stand still for longer, and no stream may be silent for longer, whatever was killed.
_MOST_SECONDS = 2.0


async def seat_all(client: AsyncClient, matches: int = _MATCHES, rounds: int = 8) -> list[RawSeat]:
    """Create matches with all their seats."""
    seats = []
    for seed in range(matches):
        made = await client.create_match("teaching", _SEATS, {"rounds": rounds})
        tickets = [(await client.join(made.name, number, orders=())).ticket for number in range(_SEATS)]
        seats += [RawSeat(ticket, _SEATS, seed=seed) for ticket in tickets]
    return seats


async def under_way(seats: list[RawSeat], acts: int) -> None:
    """Wait until so many acts of each match are acknowledged."""
    news = asyncio.Event()
    for seat in seats:
        seat.on_ack = news.set
    async with asyncio.timeout(30):
        while True:
            acks: Counter[str] = Counter()
            for seat in seats:
                acks[seat.ticket.match] += len(seat.acks)
            if min(acks.values()) >= acts:
                return
            news.clear()
            await news.wait()


async def certified(client: AsyncClient, seats: list[RawSeat]) -> None:
    """Check each match by its certificate: its journal holds what each seat was acknowledged, once."""
    for match in {seat.ticket.match for seat in seats}:
        certificate: dict[str, Any] = await client.certificate(match)
        assert verify(TEACHING, certificate) == []
        put_in = Counter(seat for seat, kind, _ in certificate["journal"] if kind in ("answer", "play"))
        for seat in seats:
            if seat.ticket.match == match:
                assert put_in[seat.ticket.seat] == len(seat.acks)
                assert sorted(seat.acks) == list(range(1, len(seat.acks) + 1))
                assert sorted(seat.log.entries) == list(range(1, seat.log.number + 1))


class Pauses(NamedTuple):
    """The time that a kill has cost, in seconds."""

    #: the longest time in which no act of some match was acknowledged, from the kill to its end
    acts: float
    #: until the last stream that had broken was told something again; 0: none had
    streams: float


async def played_through(service: ServeProcess, kill: Callable[[], int]) -> Pauses:
    """Kill something in the middle of many matches, and play them to their ends."""
    async with AsyncClient(service.address, retry_timeout=20.0) as client:
        seats = await seat_all(client)
        playing = [asyncio.create_task(seat.play_to_end(service.address)) for seat in seats]
        await under_way(seats, 10)
        acts: dict[str, list[float]] = {seat.ticket.match: [] for seat in seats if not seat.over}
        for seat in seats:
            seat.on_ack = partial(_note, acts.get(seat.ticket.match, []))
        assert acts
        kill()
        killed = time.monotonic()
        async with asyncio.timeout(60):
            await asyncio.gather(*playing)
        await certified(client, seats)
        again = [at - killed for seat in seats for at in seat.resumed if at > killed]
        pauses = [after - before for times in acts.values() for before, after in pairwise([killed, *times])]
        return Pauses(max(pauses), max(again, default=0.0))


def _note(times: list[float]) -> None:
    times.append(time.monotonic())


def a_worker(service: ServeProcess) -> Callable[[], int]:
    def kill() -> int:
        os.kill(service.workers[0], signal.SIGKILL)
        return service.workers[0]

    return kill


@pytest.mark.long
async def test_a_worker_is_killed(plugged: dict[str, str], tmp_path: Path) -> None:
    with serving(tmp_path / "data", environment=plugged) as service:
        pauses = await played_through(service, a_worker(service))
        print(f"a worker killed: {pauses}")
        assert pauses.acts < _MOST_SECONDS
        assert 0 < pauses.streams < _MOST_SECONDS


@pytest.mark.long
async def test_a_worker_hangs(plugged: dict[str, str], tmp_path: Path) -> None:
    """Its connections stay open without any output. Its supervisor has to notice and end it."""
    with serving(tmp_path / "data", environment=plugged) as service:

        def stop() -> int:
            os.kill(service.workers[0], signal.SIGSTOP)
            return service.workers[0]

        pauses = await played_through(service, stop)
        print(f"a worker stopped: {pauses}")
        assert CHECK_SECONDS * (MOST_UNANSWERED - 1) < pauses.streams < CHECK_SECONDS * MOST_UNANSWERED + 10.0
        with pytest.raises(ProcessLookupError):
            os.kill(service.workers[0], 0)


@pytest.mark.long
@pytest.mark.parametrize(
    ("how", "durability"),
    [(signal.SIGTERM, "everysec"), (signal.SIGKILL, "everysec"), (signal.SIGKILL, "always")],
)
async def test_the_store_is_killed(
    plugged: dict[str, str], tmp_path: Path, how: signal.Signals, durability: str
) -> None:
    with serving(tmp_path / "data", "--durability", durability, environment=plugged) as service:
        old = service.store

        def kill() -> int:
            os.kill(old, how)
            return old

        pauses = await played_through(service, kill)
        print(f"the store killed by {how.name}, {durability}: {pauses}")
        assert pauses.acts < _MOST_SECONDS
        assert pauses.streams == 0  # they stay, and are told what they have missed
        assert service.store != old
        assert service.process.poll() is None


@pytest.mark.long
async def test_a_store_of_ones_own(
    plugged: dict[str, str], tmp_path: Path, server: EmbeddedServer, raw: redis.Redis
) -> None:
    """With the address of a store, none is started; a service on another machine goes on with its matches."""
    given = ("--redis", server.url, "--archive", str(tmp_path / "archive"))
    with serving(tmp_path / "one", *given, environment=plugged) as service:
        assert service.ready["store"] == "given"
        async with AsyncClient(service.address) as client:
            seats = await seat_all(client, 2)
        playing = [asyncio.create_task(seat.play_to_end(service.address)) for seat in seats]
        await under_way(seats, 8)
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    assert len(raw.keys("log:*")) == 2
    with serving(tmp_path / "other", *given, environment=plugged) as service:
        async with AsyncClient(service.address) as client, asyncio.timeout(60):
            await asyncio.gather(*(seat.play_to_end(service.address) for seat in seats))
            await certified(client, seats)
    assert await asyncio.to_thread(lambda: list(tmp_path.rglob("*.aof"))) == []


@pytest.mark.long
async def test_players_of_the_sdk_notice_nothing(plugged: dict[str, str], tmp_path: Path) -> None:
    """The client repeats unanswered inputs and resumes: no call fails, and bots need not know."""
    with serving(tmp_path / "data", environment=plugged) as service:
        async with AsyncExitStack() as stack:
            clients = [await stack.enter_async_context(AsyncClient(service.address)) for _ in range(3)]
            made = [await clients[0].create_match("teaching", _SEATS, {"rounds": 8}) for _ in range(6)]
            seats = [await client.join(match.name) for match in made for client in clients]
            playing = [asyncio.create_task(play(seat, number)) for number, seat in enumerate(seats)]
            for victim in (service.workers[0], service.store, service.workers[1]):
                await asyncio.wait(playing, timeout=0.3)  # whatever they have got to by then
                os.kill(victim, signal.SIGKILL)
            async with asyncio.timeout(60):
                answers = await asyncio.gather(*playing)
            for match in made:
                assert verify(TEACHING, await clients[0].certificate(match.name)) == []
            assert all(answers)


@pytest.mark.long
async def test_the_players_of_a_killed_worker_are_told_to_be_away(plugged: dict[str, str], tmp_path: Path) -> None:
    with serving(tmp_path / "data", environment=plugged) as service:
        async with AsyncClient(service.address) as client:
            seats = await seat_all(client, 1)
        addresses = [worker["address"] for worker in service.ready["workers"]]
        async with RawStream(addresses[0]) as there, RawStream(addresses[1]) as here:
            await there.subscribe(seats[0].ticket)
            await there.next("snapshot")
            await here.subscribe(seats[1].ticket)
            await here.next("snapshot")
            os.kill(service.workers[0], signal.SIGKILL)
            killed = time.monotonic()
            gone = await here.find(lambda item: item.HasField("presence") and item.presence.seat == 0)
            assert gone.presence.presence == matches_pb2.PRESENCE_AWAY
            after = time.monotonic() - killed
            print(f"told to be away after {after:.1f} s")
            assert after < DEAD_MS / 1000 - 1.0  # not by its silence: its supervisor has seen it die


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="watches processes by pidfd")
async def test_the_supervisor_is_killed(plugged: dict[str, str], tmp_path: Path) -> None:
    """Its workers and its store end by themselves, and the next supervisor has all matches."""
    with serving(tmp_path / "data", environment=plugged) as service:
        async with AsyncClient(service.address) as client:
            seats = await seat_all(client, 3)
        playing = [asyncio.create_task(seat.play_to_end(service.address)) for seat in seats]
        await under_way(seats, 8)
        handles = [os.pidfd_open(pid) for pid in (*service.workers, service.store)]
        service.process.kill()
        for handle in handles:
            assert await asyncio.to_thread(select.select, [handle], [], [], 15.0) != ([], [], [])
            os.close(handle)
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
    with serving(tmp_path / "data", environment=plugged) as service:
        async with AsyncClient(service.address) as client, asyncio.timeout(60):
            await asyncio.gather(*(seat.play_to_end(service.address) for seat in seats))
            await certified(client, seats)


@pytest.mark.long
async def test_a_store_that_will_not_stay_up_ends_the_service(plugged: dict[str, str], tmp_path: Path) -> None:
    """Its exit status tells the operator, and no process is left."""
    with serving(tmp_path / "data", environment=plugged) as service:
        while service.process.poll() is None:
            with suppress(OSError, ValueError):
                os.kill(service.store, signal.SIGKILL)
            with suppress(subprocess.TimeoutExpired):
                service.process.wait(0.05)
        assert service.process.returncode == 1
        for pid in service.workers:
            with pytest.raises(ProcessLookupError):
                os.kill(pid, 0)


@pytest.mark.long
async def test_everything_at_once(plugged: dict[str, str], tmp_path: Path) -> None:
    """Kill both workers and the store."""
    with serving(tmp_path / "data", environment=plugged) as service:

        def kill() -> int:
            for pid in (*service.workers, service.store):
                os.kill(pid, signal.SIGKILL)
            return 0

        print(f"both workers and the store killed: {await played_through(service, kill)}")


def processes_of(service: ServeProcess) -> list[int]:
    """Return the service and all processes that it has started."""
    children = Path(f"/proc/{service.process.pid}/task/{service.process.pid}/children").read_text().split()
    return [service.process.pid, *map(int, children)]


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
async def test_bots_of_the_house_come_back_after_everything_was_killed(tmp_path: Path) -> None:
    """As when a machine stops: the log says that the bots are present, and no worker is left to correct it."""
    with serving(tmp_path / "data", "--house", workers=1) as service:
        async with AsyncClient(service.address) as client, asyncio.timeout(30):
            made = [await client.create_match("dune", ["house"] * 2, {"length": 10}) for _ in range(2)]
            for match in made:
                while {seat.presence for seat in (await client.match(match.name)).seats} != {"here"}:
                    pass
            for pid in processes_of(service):
                os.kill(pid, signal.SIGKILL)
        service.process.wait()
    with serving(tmp_path / "data", "--house", workers=1) as service:
        async with AsyncClient(service.address) as client, asyncio.timeout(90):
            for match in made:
                results = [update.match.result async for update in client.watch(match.name)]
                assert results[-1] is not None
                assert results[-1].kind == "played"


@pytest.mark.long
async def test_a_drained_service_goes_on_where_it_was(plugged: dict[str, str], tmp_path: Path) -> None:
    """It reports unhealthy, tells streams where to go on, and exits cleanly; the next one has all matches."""
    with serving(tmp_path / "data", environment=plugged) as service:
        async with AsyncClient(service.address) as client:
            seats = await seat_all(client, 2)
        one = [RawSeat(seat.ticket, _SEATS, subscription=number) for number, seat in enumerate(seats, 1)]
        stream = RawStream(service.address)
        for seat in one:
            await seat.begin(stream)
        await play_together(stream, one, 12)
        async with grpc.aio.insecure_channel(service.address) as channel:
            watch = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest())
            assert (await watch.read()).status == health_pb2.HealthCheckResponse.SERVING
            service.process.send_signal(signal.SIGTERM)
            assert (await watch.read()).status == health_pb2.HealthCheckResponse.NOT_SERVING
        assert await stream.ended() == grpc.StatusCode.OK
        for seat in one:
            mine = [item for item in stream.received if item.subscription == seat.subscription]
            for item in mine:
                seat.log.take(item)
            # An act may have been on its way: it was still taken, or refused, and is sent again in either case.
            at = next(number for number, item in enumerate(mine) if item.HasField("closed"))
            assert mine[at].closed.reason == play_pb2.CLOSED_REASON_DRAINING
            refused = {item.refusal.reason for item in mine[at + 1 :] if item.HasField("refusal")}
            assert refused <= {errors_pb2.ERROR_REASON_DRAINING}
            resume = mine[at].closed.resume
            assert (resume.epoch, getattr(resume, "from")) == (1, seat.log.number + 1)
        await stream.cut()
        assert await asyncio.to_thread(service.stop) == 0
    with serving(tmp_path / "data", environment=plugged) as service:
        async with AsyncClient(service.address) as client:
            again = RawStream(service.address)
            for seat in one:
                await seat.begin(again)
            assert await play_together(again, one)
            assert not any(item.HasField("snapshot") for item in again.received)
            await certified(client, one)
            await again.cut()
