"""Match hosts: one worker's cache of matches."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import pytest

from landsraad import AsyncClient
from landsraad_server.matches import match_changes, match_hosts, request_queue
from landsraad_server.matches.record_fanout import RecordFanout
from landsraad_server.matches.records import Ending
from landsraad_server.matches.requests import MatchCall
from landsraad_server.process.worker import Worker
from landsraad_server.refusals import Denied
from landsraad_server.store import Snapshot
from landsraad_server.store.errors import CommandFailed
from landsraad_server.store.match_log import Loaded
from landsraad_server.streams.outbox import Outbox
from landsraad_testkit import HandClock
from landsraad_testkit.raw_stream import PATIENCE_SECONDS

if TYPE_CHECKING:
    import redis
    from tests.server.conftest import OpenStream, Seated

    from landsraad_server.matches.hosted_match import HostedMatch

pytestmark = pytest.mark.asyncio


def keep_only(most: int, worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit the number of hosts in the worker's cache."""
    monkeypatch.setattr(match_hosts, "MOST_IDLE", most)
    worker.hosts.most_hosts = most


async def test_the_matches_not_wanted_for_longest_are_let_go(
    client: AsyncClient, worker: Worker, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    hosts = worker.hosts
    keep_only(10, worker, monkeypatch)
    names = []
    for _ in range(10):
        clock.advance(1)
        names.append((await client.create_match("teaching", 2)).name.removeprefix("matches/"))
    clock.advance(1)
    await client.match(f"matches/{names[0]}")  # wanted again
    await client.create_match("teaching", 2)
    assert names[0] in hosts.by_match
    assert names[1] not in hosts.by_match
    assert len(hosts.by_match) == 10
    assert (await client.match(f"matches/{names[1]}")).state == "open"  # it is only read again


async def test_those_that_somebody_listens_to_stay(
    seated: Seated, open_stream: OpenStream, client: AsyncClient, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_only(2, worker, monkeypatch)
    tickets = await seated(2)
    stream = open_stream()
    await stream.subscribe(tickets[0])
    await stream.next("snapshot")
    for _ in range(6):
        await client.create_match("teaching", 2)
    assert tickets[0].match.removeprefix("matches/") in worker.hosts.by_match
    assert len(worker.hosts.by_match) <= 3


async def test_a_match_that_was_let_go_while_somebody_waits_at_the_door_is_in_memory_once(
    seated: Seated, open_stream: OpenStream, client: AsyncClient, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two hosts only one would get the entries, and all streams of the other would be refused."""
    keep_only(2, worker, monkeypatch)
    tickets = await seated(2)
    match, first, second = tickets[0].match.removeprefix("matches/"), open_stream(), open_stream()
    waits, go_on = asyncio.Event(), asyncio.Event()

    async def room(_: Outbox) -> None:
        waits.set()
        await go_on.wait()

    monkeypatch.setattr(Outbox, "wait_for_room", room)
    await first.subscribe(tickets[0])
    async with asyncio.timeout(PATIENCE_SECONDS):
        await waits.wait()
    while match in worker.hosts.by_match:
        await client.create_match("teaching", 2)
    go_on.set()
    await first.next("snapshot")
    await second.subscribe(tickets[1])
    await second.next("snapshot")
    assert len(worker.hosts.by_match[match].listeners) == 2


async def test_a_request_that_fails_costs_only_itself(client: AsyncClient, worker: Worker) -> None:
    """A fault in the middle of a change: that change is not made, and all others of the batch are."""
    made = await client.create_match("teaching", 2)
    match = made.name.removeprefix("matches/")

    def broken(hosted: HostedMatch, now: int) -> None:
        hosted.changes.terms().title = "half done"
        raise ZeroDivisionError

    def proper(hosted: HostedMatch, now: int) -> str:
        hosted.changes.terms().watch_delay_ms = 5
        return hosted.terms.title

    first, second = await asyncio.gather(
        worker.hosts.change(match, broken), worker.hosts.change(match, proper), return_exceptions=True
    )
    assert isinstance(first, ZeroDivisionError)
    assert second == ""
    assert worker.counters.faults == 1
    terms = await worker.hosts.read(match, lambda hosted: hosted.terms)
    assert (terms.title, terms.watch_delay_ms) == ("", 5)


async def test_too_much_that_waits_for_one_match_is_refused_at_once(client: AsyncClient, worker: Worker) -> None:
    made = await client.create_match("teaching", 2)
    host = worker.hosts.host(made.name.removeprefix("matches/"))
    reads = [MatchCall(read=lambda _: None) for _ in range(request_queue.MOST_READS + 1)]
    for read in reads:
        host.put(read)
    ticks = [MatchCall(lambda *_: None) for _ in range(request_queue.MOST_CHANGES + 1)]
    for tick in ticks:
        host.put(tick)
    for calls in (reads, ticks):
        with pytest.raises(Denied) as refused:
            await calls[-1].future
        assert (refused.value.reason, refused.value.retry_ms > 0) == ("OVERLOADED", True)
        assert await asyncio.gather(*(call.future for call in calls[:-1])) == [None] * (len(calls) - 1)


async def test_what_the_store_refuses_for_good_is_told_and_not_tried_for_ever(
    client: AsyncClient, worker: Worker, raw: redis.Redis
) -> None:
    made = await client.create_match("teaching", 2)
    match = made.name.removeprefix("matches/")
    raw.delete(f"log:{{{match}}}")
    raw.set(f"log:{{{match}}}", "no stream at all")
    run = partial(match_changes.end_early, kind=Ending.ABORTED, reason="")
    with pytest.raises(CommandFailed):
        await worker.hosts.change(match, run)
    assert worker.counters.faults > 0


class Deaf:
    """A listener that only notes when its match has left the store."""

    def __init__(self) -> None:
        self.is_gone = asyncio.Event()

    def on_record(self, hosted: HostedMatch, fanout: RecordFanout) -> None: ...

    def on_rewound(self, hosted: HostedMatch, epoch: int, stands: Sequence[int]) -> None: ...

    def on_failed(self) -> None: ...

    def on_archived(self) -> None:
        self.is_gone.set()


async def test_whoever_still_listens_is_told_that_a_match_has_left_the_store(
    client: AsyncClient, worker: Worker
) -> None:
    match = (await client.create_match("teaching", 2)).name.removeprefix("matches/")
    listener, host = Deaf(), worker.hosts.host(match)
    await worker.hosts.read(match, lambda _: host.add_listener(listener))
    await worker.hosts.change(match, partial(match_changes.end_early, kind=Ending.ABORTED, reason=""))
    await worker.hosts.archive_match(match)
    assert listener.is_gone.is_set()
    assert match not in worker.hosts.by_match


async def test_what_listeners_have_missed_ends_where_the_match_was_loaded(client: AsyncClient, worker: Worker) -> None:
    """Whatever the timing of the two reads: no entry comes twice, and none that is not loaded yet."""
    match = (await client.create_match("teaching", 2)).name.removeprefix("matches/")
    for delay in range(1, 6):
        await worker.hosts.change(match, partial(_watch_later, delay=delay))
    entries = await worker.hosts.store.log.read(match)
    loaded = Loaded(Snapshot(entries[2].head, b""), entries[3:5])  # one more has come since
    for since, missed in ((0, [2, 3, 4, 5]), (2, [4, 5]), (3, [5]), (4, [])):
        found = await worker.hosts._missed(match, entries[since].head, loaded)
        assert found is not None
        assert [entry.head.version for entry in found] == missed


def _watch_later(hosted: HostedMatch, now: int, delay: int) -> None:
    hosted.changes.terms().watch_delay_ms = delay
