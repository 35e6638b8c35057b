"""Spectators over real gRPC: what they see, and when. The test owns the time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import grpc.aio
import pytest

from landsraad import AsyncClient
from landsraad.models import Ticket
from landsraad.v1 import common_pb2, log_pb2, matches_pb2, play_pb2, watch_service_pb2, watch_service_pb2_grpc
from landsraad.wire.codec import codec_for
from landsraad.wire.values import read_value
from landsraad_engine.knowledge.fold import Fold
from landsraad_engine.knowledge.information import KnownTable
from landsraad_engine.teaching.game import TEACHING
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_clocks import KEPT_MS
from landsraad_server.matches.spectator_delay import DelayedHost
from landsraad_server.process.worker import Worker
from landsraad_server.refusals import is_expected
from landsraad_server.store import Head
from landsraad_server.store.errors import StoreUnavailable
from landsraad_server.streams import outbox
from landsraad_server.streams.decision_wait import DecisionWaiter
from landsraad_testkit import DrivenMatch, HandClock, pass_time
from landsraad_testkit.spectator import Spectator, public

pytestmark = pytest.mark.asyncio

Seat = Callable[..., Awaitable[DrivenMatch]]
Seated = Callable[..., Awaitable[list[Ticket]]]
StartWorker = Callable[..., Awaitable[Worker]]
Watch = Callable[..., Awaitable[Spectator]]

DELAY_MS = 30_000


async def test_they_see_what_everybody_sees(table: Seat, watch: Watch, client: AsyncClient) -> None:
    played = await table()
    match = played.tickets[0].match
    spectator = await watch(match, 1)
    await played.play()
    closed = await spectator.until("closed")
    assert closed.closed.reason == play_pb2.CLOSED_REASON_OVER
    replay = await client.replay(match)
    told = codec_for(TEACHING).read_entries(log_pb2.Entries(first=1, entries=spectator.entries))
    assert told == [one.entry for one in replay.entries]
    assert not {"question", "answer", "play", "aside"} & {e.WhichOneof("body") for e in spectator.entries}


async def test_who_comes_late_gets_a_snapshot_and_goes_on(table: Seat, watch: Watch, worker: Worker) -> None:
    played = await table()
    match = played.tickets[0].match
    early = await watch(match, 1)
    await played.play(12)
    late = await watch(match)
    snapshot = (await late.until("snapshot")).snapshot
    assert snapshot.reason == play_pb2.SNAPSHOT_REASON_ASKED
    assert snapshot.observation.number == public(worker, match)
    await early.hear(snapshot.observation.number)
    assert places(snapshot.observation) == folded(early, worker, match)
    await played.play(seed=4)
    await late.until("closed")
    assert late.items[0].match.state == common_pb2.MATCH_STATE_LIVE
    assert late.last == public(worker, match)


def folded(spectator: Spectator, worker: Worker, match: str) -> dict[str, Any]:
    hosted = worker.hosts.host(match.removeprefix("matches/")).hosted
    assert hosted is not None
    entries = codec_for(TEACHING).read_entries(log_pb2.Entries(first=1, entries=spectator.entries))
    view: KnownTable = Fold(hosted.game.g.setting.layout, None).add(entries).view
    return view.places


def places(observation: log_pb2.Observation) -> dict[str, Any]:
    return {place.key: read_value(place.value) for place in observation.places}


# --- a delay


async def test_they_are_as_far_behind_as_the_match_says(
    table: Seat, watch: Watch, worker: Worker, clock: HandClock
) -> None:
    played = await table(watch_delay=DELAY_MS / 1000)
    match = played.tickets[0].match
    spectator = await watch(match, 1)
    await spectator.until("match")
    began = public(worker, match)
    await pass_time(worker, clock, 10_000)
    await played.play(9)
    later = public(worker, match)
    await pass_time(worker, clock, DELAY_MS - 10_000 - 1)
    assert (await told_so_far(watch, match)) == 0
    await pass_time(worker, clock, 1)
    await spectator.hear(began)
    assert spectator.last == began
    await pass_time(worker, clock, 9_999)
    assert (await told_so_far(watch, match)) == began
    await pass_time(worker, clock, 1)
    await spectator.hear(later)
    assert spectator.last == later


async def told_so_far(watch: Watch, match: str) -> int:
    """Return what a new spectator gets first: it ends where the delay allows no more."""
    newcomer = await watch(match)
    item = await newcomer.until("snapshot")
    newcomer.call.cancel()
    return int(item.snapshot.observation.number)


async def test_nobody_comes_nearer_by_connecting_again(
    table: Seat, watch: Watch, worker: Worker, clock: HandClock
) -> None:
    played = await table(watch_delay=DELAY_MS / 1000)
    match = played.tickets[0].match
    began = public(worker, match)
    await pass_time(worker, clock, DELAY_MS)
    await played.play(9)
    for start in (0, 1, began, began + 1, began + 2, 10_000):
        newcomer = await watch(match, start)
        await newcomer.until("match")
        await pass_time(worker, clock, 1)
        await newcomer.hear(began if start <= began else 0)
        assert newcomer.last <= began
        newcomer.call.cancel()


async def test_what_a_clock_that_goes_fast_has_written_holds_up_what_comes_behind(
    table: Seat, watch: Watch, worker: Worker, clock: HandClock
) -> None:
    """Clocks of workers differ, so times may fall in a log."""
    played = await table(watch_delay=DELAY_MS / 1000)
    match = played.tickets[0].match
    await pass_time(worker, clock, DELAY_MS)
    began = await told_so_far(watch, match)
    clock.advance(10_000)
    await played.play(3)
    clock.advance(-10_000)
    await played.play(3)
    await pass_time(worker, clock, DELAY_MS)
    assert await told_so_far(watch, match) == began
    await pass_time(worker, clock, 10_000)
    newcomer = await watch(match)
    await newcomer.until("snapshot")
    assert newcomer.last == public(worker, match) > began


async def test_the_end_is_told_as_late_as_all_else(table: Seat, watch: Watch, worker: Worker, clock: HandClock) -> None:
    played = await table(watch_delay=DELAY_MS / 1000)
    match = played.tickets[0].match
    await played.play()
    await pass_time(worker, clock, DELAY_MS - 1)
    spectator = await watch(match)
    item = await spectator.until("match")
    assert item.match.state == common_pb2.MATCH_STATE_OPEN
    assert not item.match.HasField("result")
    await pass_time(worker, clock, 1)
    await spectator.until("closed")
    ended = [item.match for item in spectator.items if item.HasField("match")][-1]
    assert ended.result.kind == common_pb2.RESULT_KIND_PLAYED
    assert spectator.last == public(worker, match)


async def test_it_goes_on_after_the_match_has_gone_to_the_archive(
    table: Seat, watch: Watch, worker: Worker, clock: HandClock
) -> None:
    delay = 3 * KEPT_MS
    played = await table(watch_delay=delay / 1000)
    match = played.tickets[0].match
    spectator = await watch(match, 1)
    await spectator.until("match")
    await played.play()
    last = public(worker, match)
    await pass_time(worker, clock, KEPT_MS)
    assert worker.hosts.host(match.removeprefix("matches/")).hosted is None  # it has left the store
    newcomer = await watch(match)
    assert (await newcomer.until("snapshot")).snapshot.observation.number == 0
    await pass_time(worker, clock, delay - KEPT_MS)
    for one in (spectator, newcomer):
        assert (await one.until("closed")).closed.reason == play_pb2.CLOSED_REASON_OVER
        assert one.last == last


async def test_acts_on_another_worker_are_late_here_too(
    table: Seat, worker: Worker, clock: HandClock, start_worker: StartWorker
) -> None:
    played = await table(watch_delay=DELAY_MS / 1000)
    match = played.tickets[0].match
    other = await start_worker()
    async with grpc.aio.insecure_channel(other.address) as channel:
        request = watch_service_pb2.WatchMatchRequest(match=match)
        spectator = Spectator(watch_service_pb2_grpc.WatchStub(channel).WatchMatch(request))
        await spectator.until("snapshot")
        await played.play(9)
        last = public(worker, match)
        await other.hosts.read(match.removeprefix("matches/"), lambda hosted: hosted)
        await pass_time(other, clock, DELAY_MS - 1)
        assert spectator.last == 0
        await pass_time(other, clock, 1)
        await spectator.hear(last)
        assert spectator.last == last


async def test_nothing_is_kept_of_a_match_that_nobody_watches_any_more(
    table: Seat, watch: Watch, worker: Worker, clock: HandClock
) -> None:
    played = await table(watch_delay=DELAY_MS / 1000)
    match = played.tickets[0].match
    spectator = await watch(match)
    await spectator.until("snapshot")
    assert list(worker.hosts.delayed) == [match.removeprefix("matches/")]
    host = worker.hosts.host(match.removeprefix("matches/"))
    listening = len(host.listeners)
    await played.play()
    await pass_time(worker, clock, DELAY_MS)
    await spectator.until("closed")
    while await spectator.listen():
        pass
    assert worker.hosts.delayed == {}
    assert len(host.listeners) < listening


# --- slow ones


async def test_a_slow_spectator_gets_a_snapshot_instead(
    table: Seat, watch: Watch, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = await table()
    match = played.tickets[0].match
    host = worker.hosts.host(match.removeprefix("matches/"))
    spectator = await watch(match, 1)
    await spectator.until("entries")
    stream: Any = next(one for one in host.listeners if getattr(one, "seat", 0) is None)
    before = public(worker, match)
    with monkeypatch.context() as small:
        small.setattr(outbox, "MOST_ITEMS", 6)
        for _ in range(7):  # more than may wait, in one moment
            stream.put("entries", b"")
    item = await spectator.until("snapshot")
    assert item.snapshot.reason == play_pb2.SNAPSHOT_REASON_SLOW
    assert item.snapshot.observation.number == before
    await played.play()
    await spectator.until("closed")
    assert spectator.last == public(worker, match)


async def test_a_store_that_is_lost_while_somebody_catches_up_ends_the_stream(
    table: Seat, watch: Watch, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else it would hang without a sign."""
    played = await table()
    history = worker.hosts.history

    async def lost_afterwards(*args: Any) -> Any:
        found = await history(*args)

        def lost(*_: object) -> None:
            raise StoreUnavailable("planted")

        monkeypatch.setattr(worker.hosts.store.log, "confirm", lost)
        return found

    monkeypatch.setattr(worker.hosts, "history", lost_afterwards)
    spectator = await watch(played.tickets[0].match, 1)
    closed = await spectator.until("closed")
    assert closed.closed.reason == play_pb2.CLOSED_REASON_UNAVAILABLE
    assert getattr(closed.closed.resume, "from") == spectator.last + 1


# --- before the match, and who may watch


async def test_before_it_begins_they_wait(client: AsyncClient, watch: Watch) -> None:
    match = await client.create_match("teaching", 2)
    spectator = await watch(match.name)
    assert (await spectator.until("match")).match.state == common_pb2.MATCH_STATE_OPEN
    for _ in range(2):
        await client.join(match.name)
    await spectator.until("entries")
    states = [item.match.state for item in spectator.items if item.HasField("match")]
    assert states[-1] == common_pb2.MATCH_STATE_LIVE


async def test_presence_is_told(table: Seat, watch: Watch) -> None:
    played = await table(2)
    spectator = await watch(played.tickets[0].match)
    await spectator.until("snapshot")
    await played.stream.send(play_pb2.ClientItem(subscription=2, unsubscribe=play_pb2.Unsubscribe()))
    item = await spectator.until("presence")
    assert (item.presence.seat, item.presence.presence) == (1, matches_pb2.PRESENCE_AWAY)


async def test_orders_before_the_match_are_told_to_nobody(client: AsyncClient, watch: Watch, open_stream: Any) -> None:
    match = await client.create_match("teaching", 3)
    ticket = (await client.join(match.name, orders=())).ticket
    spectator = await watch(match.name)
    await spectator.until("snapshot")
    mine = open_stream()
    await mine.subscribe(ticket)
    assert (await spectator.until("presence")).presence.seat == 0
    orders = play_pb2.OrdersItem(seq=1, orders=["snare"])
    await mine.send(play_pb2.ClientItem(subscription=1, standing_orders=orders))
    await mine.next("ack")
    await mine.send(play_pb2.ClientItem(subscription=1, unsubscribe=play_pb2.Unsubscribe()))
    await spectator.until("presence")
    kinds = [item.WhichOneof("item") for item in spectator.items]
    assert kinds == ["match", "snapshot", "presence", "presence"]


def held_up(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> tuple[asyncio.Event, asyncio.Event]:
    """Hold up the reading of the log until the second event is set; the first one tells that a reading has begun."""
    read, reading, go_on = worker.hosts.records, asyncio.Event(), asyncio.Event()

    async def slowly(*given: Any) -> Any:
        reading.set()
        await go_on.wait()
        return await read(*given)

    monkeypatch.setattr(worker.hosts, "records", slowly)
    return reading, go_on


async def test_a_watcher_that_goes_at_once_does_not_take_the_others_with_it(
    client: AsyncClient, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = (await client.create_match("teaching", 2, watch_delay=DELAY_MS / 1000)).name.removeprefix("matches/")
    reading, go_on = held_up(worker, monkeypatch)
    first, second = (asyncio.create_task(worker.hosts.spectator_host(match)) for _ in range(2))
    async with asyncio.timeout(20):
        await reading.wait()
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        go_on.set()
        assert worker.hosts.delayed == {match: await second}  # so it is told when its time has come


async def test_what_happens_in_the_moment_in_which_somebody_begins_to_watch_is_told(
    client: AsyncClient, worker: Worker, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It happens after the match was read, and before the caller goes on."""
    match = (await client.create_match("teaching", 2, watch_delay=DELAY_MS / 1000)).name.removeprefix("matches/")
    await worker.hosts.change(match, partial(rename, title="before"))
    read = worker.hosts.read

    async def late(*given: Any) -> Any:
        found = await read(*given)
        if isinstance(found, Head):
            await worker.hosts.change(match, partial(rename, title="meanwhile"))
        return found

    monkeypatch.setattr(worker.hosts, "read", late)
    watched = await worker.hosts.spectator_host(match)
    await worker.hosts.change(match, partial(rename, title="after"))
    await pass_time(worker, clock, DELAY_MS)
    assert watched.head.version == worker.hosts.host(match).head.version == 4
    assert watched.hosted is not None
    assert watched.hosted.terms.title == "after"


def rename(hosted: HostedMatch, now: int, title: str) -> None:
    hosted.changes.terms().title = title


async def test_what_happens_while_all_is_read_again_is_told_once(
    client: AsyncClient, worker: Worker, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log loses its end twice in a moment, and a record becomes old enough before the log is read."""
    match = (await client.create_match("teaching", 2, watch_delay=DELAY_MS / 1000)).name.removeprefix("matches/")
    watched = await worker.hosts.spectator_host(match)
    assert isinstance(watched, DelayedHost)
    watched.add_listener(DecisionWaiter(0, 0))
    await worker.hosts.change(match, partial(rename, title="before"))
    reading, go_on = held_up(worker, monkeypatch)
    again = asyncio.gather(watched._restart([]), watched._restart([]))
    async with asyncio.timeout(20):
        await reading.wait()
        await worker.hosts.change(match, partial(rename, title="meanwhile"))
        watched.release(clock.now + DELAY_MS)
        go_on.set()
        await again
    watched.release(clock.now + DELAY_MS)
    assert watched.head.version == worker.hosts.host(match).head.version == 3
    assert watched.hosted is not None
    assert watched.hosted.terms.title == "meanwhile"


@pytest.mark.parametrize("failures", [1, 100])
async def test_who_begins_to_watch_what_cannot_be_told_is_not_left_waiting(
    client: AsyncClient, worker: Worker, monkeypatch: pytest.MonkeyPatch, failures: int
) -> None:
    """The match's host fails while its log is read, which is retried. If it fails each time, that is a fault."""
    match = (await client.create_match("teaching", 2, watch_delay=DELAY_MS / 1000)).name.removeprefix("matches/")
    read, left = worker.hosts.records, [None] * failures

    async def fails_meanwhile(*given: Any) -> Any:
        if left:
            left.pop()
            worker.hosts.delayed[match].on_failed()
        return await read(*given)

    with monkeypatch.context() as for_now:
        for_now.setattr(worker.hosts, "records", fails_meanwhile)
        if failures == 1:
            watched = await worker.hosts.spectator_host(match)
            assert worker.hosts.delayed == {match: watched}
            return
        with pytest.raises(RuntimeError) as caught:
            await worker.hosts.spectator_host(match)
    assert not is_expected(caught.value)
    assert worker.hosts.delayed == {}
    assert not worker.hosts.host(match).listeners
    assert worker.hosts.delayed == {match: await worker.hosts.spectator_host(match)}


async def test_nothing_is_left_of_a_watcher_that_could_not_be_told(
    client: AsyncClient, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store is lost between two reads."""
    match = (await client.create_match("teaching", 2, watch_delay=DELAY_MS / 1000)).name.removeprefix("matches/")

    async def lost(*_: Any) -> Any:
        raise StoreUnavailable("planted")

    with monkeypatch.context() as for_now:
        for_now.setattr(worker.hosts, "records", lost)
        with pytest.raises(StoreUnavailable):
            await worker.hosts.spectator_host(match)
    assert not worker.hosts.delayed
    assert not worker.hosts.host(match).listeners


async def test_nothing_is_left_of_the_last_watcher_that_goes_while_all_is_read_again(
    client: AsyncClient, worker: Worker
) -> None:
    match = (await client.create_match("teaching", 2, watch_delay=DELAY_MS / 1000)).name.removeprefix("matches/")
    watched, watcher = await worker.hosts.spectator_host(match), DecisionWaiter(0, 0)
    assert isinstance(watched, DelayedHost)
    watched.add_listener(watcher)
    watched.remove_listener(watcher)
    await watched._restart([])  # as it was wanted before
    assert not worker.hosts.delayed
    assert not worker.hosts.host(match).listeners


async def test_nothing_is_left_of_a_watcher_that_goes_at_once(
    client: AsyncClient, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = (await client.create_match("teaching", 2, watch_delay=DELAY_MS / 1000)).name.removeprefix("matches/")
    reading = asyncio.Event()

    async def never(*_: Any) -> Any:
        reading.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(worker.hosts, "records", never)
    watching = asyncio.create_task(worker.hosts.spectator_host(match))
    async with asyncio.timeout(20):
        await reading.wait()
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
    assert not worker.hosts.delayed
    assert not worker.hosts.host(match).listeners
