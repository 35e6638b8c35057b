"""Faults of this program: in spite of any failure no client waits for ever, and other work goes on."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from landsraad import AsyncClient
from landsraad.models import Ticket
from landsraad.v1 import errors_pb2, play_pb2
from landsraad_server.matches import periodic_task
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.requests import CommitTick
from landsraad_server.process.worker import Worker
from landsraad_server.store import GENESIS, connect, reconnecting_connection
from landsraad_server.store.errors import NotExecuted, StoreUnavailable
from landsraad_server.streams.log_stream import LogStream
from landsraad_testkit import RawStream, StoreProxy
from landsraad_testkit.raw_stream import PATIENCE_SECONDS

if TYPE_CHECKING:
    from tests.server.conftest import Embed, OpenStream, Seated, StartWorker

pytestmark = pytest.mark.asyncio


def breaks(*_: Any, **__: Any) -> Any:
    raise ZeroDivisionError


async def subscribed(stream: RawStream, ticket: Ticket) -> play_pb2.Snapshot:
    """Subscribe to a seat, and wait for its snapshot."""
    await stream.subscribe(ticket)
    snapshot: play_pb2.Snapshot = await stream.next("snapshot")
    return snapshot


def rename(hosted: HostedMatch, now: int) -> None:
    hosted.changes.terms().title = "another"


async def test_what_another_worker_did_and_we_cannot_bring_in_is_loaded_instead(
    seated: Seated, worker: Worker, start_worker: StartWorker, open_stream: OpenStream, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = await start_worker()
    ticket = (await seated(2))[0]
    stream, match = open_stream(), ticket.match.removeprefix("matches/")
    await subscribed(stream, ticket)
    monkeypatch.setattr(worker.hosts.host(match).hosted, "absorb", breaks)
    await other.hosts.change(match, rename)
    assert (await stream.next("match")).title == ""
    assert (await stream.next("match")).title == "another"
    assert worker.counters.faults == 1


async def test_streams_of_a_match_that_cannot_be_loaded_are_told_to_come_again(
    seated: Seated, worker: Worker, start_worker: StartWorker, open_stream: OpenStream, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = await start_worker()
    ticket = (await seated(2))[0]
    stream, match = open_stream(), ticket.match.removeprefix("matches/")
    told = await subscribed(stream, ticket)
    monkeypatch.setattr(worker.hosts.host(match).hosted, "absorb", breaks)
    monkeypatch.setattr(worker.hosts, "load", breaks)
    await other.hosts.change(match, rename)
    closed = await stream.next("closed")
    assert closed.reason == play_pb2.CLOSED_REASON_UNAVAILABLE
    start = (told.observation.epoch, told.observation.number + 1)
    assert (closed.resume.epoch, getattr(closed.resume, "from")) == start
    monkeypatch.undo()
    await stream.subscribe(ticket, 2, start=start)
    assert (await stream.next("match", 2)).title == "another"
    await worker.hosts.presence.tick()  # says what could not be said when the first subscription ended
    async with asyncio.timeout(PATIENCE_SECONDS):
        while worker.hosts.presence.seats[match] > 1:
            await worker.hosts.read(match, lambda _: None)


async def test_what_could_not_be_loaded_while_the_store_was_lost_is_told_when_it_is_back(
    seated: Seated, worker: Worker, start_worker: StartWorker, open_stream: OpenStream, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without any request: the entry was published once, and will not be again."""
    other = await start_worker()
    ticket = (await seated(2))[0]
    stream, match = open_stream(), ticket.match.removeprefix("matches/")
    await subscribed(stream, ticket)
    load, lost = worker.hosts.load, [NotExecuted("away")]

    async def away_at_first(*given: Any) -> Any:
        if lost:
            raise lost.pop()
        return await load(*given)

    monkeypatch.setattr(worker.hosts, "load", away_at_first)
    monkeypatch.setattr(worker.hosts.host(match).hosted, "absorb", breaks)
    await other.hosts.change(match, rename)
    assert (await stream.next("match")).title == ""
    assert (await stream.next("match")).title == "another"


async def test_a_listener_that_fails_is_told_to_come_again(
    seated: Seated, worker: Worker, open_stream: OpenStream, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticket = (await seated(2))[0]
    stream = open_stream()
    await subscribed(stream, ticket)
    (busy,) = worker.streams.sessions
    monkeypatch.setattr(type(busy.streams[1]), "on_record", breaks)
    await worker.hosts.change(ticket.match.removeprefix("matches/"), rename)
    assert (await stream.next("closed")).reason == play_pb2.CLOSED_REASON_UNAVAILABLE


async def test_a_record_of_which_nothing_can_be_told_leaves_nobody_waiting(
    seated: Seated, worker: Worker, open_stream: OpenStream, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticket = (await seated(2))[0]
    stream, match = open_stream(), ticket.match.removeprefix("matches/")
    await subscribed(stream, ticket)
    monkeypatch.setattr("landsraad_server.matches.record_listeners.RecordFanout", breaks)
    async with asyncio.timeout(PATIENCE_SECONDS):
        await worker.hosts.change(match, rename)
    assert (await stream.next("closed")).reason == play_pb2.CLOSED_REASON_UNAVAILABLE
    monkeypatch.undo()
    await stream.subscribe(ticket, 2)
    assert (await stream.next("match", 2)).title == "another"


async def test_a_seat_that_cannot_be_begun_is_refused_and_can_be_asked_for_again(
    seated: Seated, worker: Worker, open_stream: OpenStream, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticket = (await seated(2))[0]
    stream = open_stream()
    monkeypatch.setattr(LogStream, "send_match", breaks)
    await stream.subscribe(ticket)
    assert (await stream.next("refusal")).reason == errors_pb2.ERROR_REASON_INTERNAL
    assert worker.counters.seats == 0
    monkeypatch.undo()
    await subscribed(stream, ticket)


async def test_a_turn_that_fails_takes_no_other_with_it(
    client: AsyncClient, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches = [(await client.create_match("teaching", 2)).name.removeprefix("matches/") for _ in range(2)]
    broken, sound = map(worker.hosts.host, matches)
    monkeypatch.setattr(type(broken), "run_batch", _unless(broken, type(broken).run_batch))
    broken.put(CommitTick())
    async with asyncio.timeout(PATIENCE_SECONDS):
        await worker.hosts.read(sound.match, lambda _: None)
    assert worker.counters.faults == 1


def _unless(broken: object, turn: Any) -> Any:
    def run(host: object) -> None:
        if host is broken:
            raise ZeroDivisionError
        turn(host)

    return run


async def test_a_fault_after_the_commit_is_told_and_the_match_goes_on(
    client: AsyncClient, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = (await client.create_match("teaching", 2)).name.removeprefix("matches/")
    monkeypatch.setattr(worker.hosts, "on_changed", breaks)
    async with asyncio.timeout(PATIENCE_SECONDS):
        with pytest.raises(ZeroDivisionError):
            await worker.hosts.change(match, rename)
        assert await worker.hosts.read(match, lambda hosted: hosted.terms.title) == "another"


async def test_a_periodic_task_goes_on_after_a_tick_that_failed() -> None:
    taken = asyncio.Event()

    class Failing(periodic_task.PeriodicTask):
        every_seconds = 0.0
        ticks = 0

        async def tick(self) -> None:
            Failing.ticks += 1
            if Failing.ticks > 1:
                taken.set()
            raise ZeroDivisionError

    failing = Failing()
    failing.start()
    async with asyncio.timeout(PATIENCE_SECONDS):
        await taken.wait()
    await failing.stop()


async def test_a_store_that_is_stopped_by_a_signal_is_waited_for_no_longer_than_that(
    embed: Embed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with embed(tmp_path / "store") as server:
        store, back = await connect(server.url), asyncio.Event()
        store.on_health = lambda up: back.set() if up else None
        os.kill(server.pid, signal.SIGSTOP)
        try:
            with monkeypatch.context() as quick:  # only now: one that runs has so long for an answer, too
                quick.setattr(reconnecting_connection, "BEAT_SECONDS", 0.1)
                async with asyncio.timeout(PATIENCE_SECONDS):
                    with pytest.raises(StoreUnavailable):
                        await store.log.head("abc")
        finally:
            os.kill(server.pid, signal.SIGCONT)
        async with asyncio.timeout(PATIENCE_SECONDS):
            await back.wait()
        assert await store.log.head("abc") == GENESIS
        await store.close()


async def test_a_store_that_takes_everything_and_answers_nothing_is_given_up(
    proxy: StoreProxy, start_worker: StartWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if stopped by a signal: its connections stay open, and silent."""
    monkeypatch.setattr(reconnecting_connection, "BEAT_SECONDS", 0.2)
    worker = await start_worker(proxy.url)
    async with AsyncClient(worker.address) as client:
        made = await client.create_match("teaching", 2)
        proxy.swallowing = True
        async with asyncio.timeout(PATIENCE_SECONDS):
            with pytest.raises(StoreUnavailable):
                await worker.hosts.change(made.name.removeprefix("matches/"), rename)
        assert not worker.hosts.store.up
        proxy.cut()
        assert (await client.match(made.name)).state == "open"


async def test_a_snapshot_that_cannot_be_kept_now_is_nobodys_fault(
    proxy: StoreProxy, start_worker: StartWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Faults wake operators. A store that is away for a moment is none; an unexpected exception is."""
    worker = await start_worker(proxy.url)
    await proxy.refuse()
    await worker.hosts.save_snapshot("abc", GENESIS, b"")
    assert worker.counters.faults == 0
    monkeypatch.setattr(worker.hosts.store.log, "keep_snapshot", breaks)
    await worker.hosts.save_snapshot("abc", GENESIS, b"")
    assert worker.counters.faults == 1
