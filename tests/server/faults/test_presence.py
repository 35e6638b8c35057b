"""Presence is correct, whatever happens to the worker or the store that should have updated it."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from landsraad.models import Ticket
from landsraad.v1 import matches_pb2, play_pb2
from landsraad_server.matches import match_changes
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.records import Fill, Presence, SeatPlan
from landsraad_server.process.worker import Worker
from landsraad_server.refusals import Denied
from landsraad_server.store.errors import NotExecuted, Overloaded, StoreError
from landsraad_server.store.roster import DEAD_MS
from landsraad_testkit import HandClock

if TYPE_CHECKING:
    import redis
    from tests.server.conftest import OpenStream, Seated, StartWorker

    from landsraad_testkit import StoreProxy

pytestmark = pytest.mark.asyncio


async def presences(worker: Worker, ticket: Ticket) -> list[Presence]:
    match = ticket.match.removeprefix("matches/")
    found: list[Presence] = await worker.hosts.read(match, lambda hosted: [seat.presence for seat in hosted.seats])
    return found


async def becomes(worker: Worker, ticket: Ticket, wanted: list[Presence]) -> None:
    async with asyncio.timeout(10):
        while await presences(worker, ticket) != wanted:
            pass


def kill(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a worker send no heartbeat any more, and leave without a word."""

    async def nothing(*_: Any) -> None:
        return

    for name in ("run_tick", "close", "_vacate_seat"):
        monkeypatch.setattr(worker.hosts.presence, name, nothing)


async def test_the_players_of_a_dead_worker_are_away(
    seated: Seated, open_stream: OpenStream, worker: Worker, start_worker: StartWorker, clock: HandClock,
    monkeypatch: pytest.MonkeyPatch, raw: redis.Redis
) -> None:  # fmt: skip
    dying = await start_worker()
    tickets = await seated(2)
    there, here = open_stream(dying.address), open_stream()
    await there.subscribe(tickets[0])
    await there.next("snapshot")
    await dying.hosts.presence.tick()
    await here.subscribe(tickets[1])
    await here.next("snapshot")
    kill(dying, monkeypatch)
    clock.advance(DEAD_MS - 1)
    await worker.hosts.presence.tick()
    assert await presences(worker, tickets[0]) == [Presence.HERE, Presence.HERE]
    clock.advance(1)
    await worker.hosts.presence.tick()
    # The dead one's stream is of no use, but if it were, it would come back:
    said = await here.next("presence")
    assert (said.seat, said.presence) == (0, Presence.AWAY)
    async with asyncio.timeout(10):
        while raw.exists(f"present:{{{dying.hosts.presence.worker}}}"):
            await presences(worker, tickets[0])
        while raw.zrange("{workers}:seen", 0, -1) != [worker.hosts.presence.worker.encode()]:
            await presences(worker, tickets[0])


async def test_a_match_with_something_wrong_keeps_no_other_from_being_told(
    seated: Seated, open_stream: OpenStream, worker: Worker, start_worker: StartWorker, clock: HandClock,
    monkeypatch: pytest.MonkeyPatch, raw: redis.Redis
) -> None:  # fmt: skip
    """The dead worker stays in the roster until all its matches are updated."""
    dying = await start_worker()
    tickets = [(await seated(2))[0] for _ in range(3)]
    stream = open_stream(dying.address)
    for number, ticket in enumerate(tickets, 1):
        await stream.subscribe(ticket, number)
        await stream.next("snapshot", number)
    await dying.hosts.presence.tick()
    kill(dying, monkeypatch)
    for host in dying.hosts.by_match.values():
        host.unsubscribe()  # nor does it come back
    change = worker.hosts.change
    broken = tickets[1].match.removeprefix("matches/")

    async def but_one(match: str, *given: Any) -> Any:
        if match == broken:
            raise Denied("OVERLOADED", "planted")
        return await change(match, *given)

    with monkeypatch.context() as for_now:
        for_now.setattr(worker.hosts, "change", but_one)
        clock.advance(DEAD_MS)
        await worker.hosts.presence.tick()
        for ticket in (tickets[0], tickets[2]):
            await becomes(worker, ticket, [Presence.AWAY, Presence.AWAY])
        assert raw.zscore("{workers}:seen", dying.hosts.presence.worker) is not None
    clock.advance(DEAD_MS)
    await worker.hosts.presence.tick()
    await becomes(worker, tickets[1], [Presence.AWAY, Presence.AWAY])
    async with asyncio.timeout(10):
        while raw.zscore("{workers}:seen", dying.hosts.presence.worker) is not None:
            await presences(worker, tickets[1])


async def test_a_worker_whose_clock_is_ahead_takes_nobody_for_dead(
    seated: Seated, open_stream: OpenStream, worker: Worker, start_worker: StartWorker, clock: HandClock
) -> None:
    ahead = await start_worker(now=lambda: clock() + 2 * DEAD_MS)
    tickets, stream = await seated(2), open_stream()
    await stream.subscribe(tickets[0])
    await stream.next("snapshot")
    for one in (worker, ahead, worker):
        await one.hosts.presence.tick()
    roster = worker.hosts.store.roster
    assert await roster.claim_dead() == []
    assert {address for found in roster.addresses().values() for address in found} == {
        worker.own_address,
        ahead.own_address,
    }
    assert await presences(worker, tickets[0]) == [Presence.HERE, Presence.AWAY]


async def test_the_bots_of_a_dead_worker_are_called_by_another(
    seated: Seated, worker: Worker, start_worker: StartWorker, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bots ran on the dead worker's machine, so another worker has to request new ones."""
    dying = await start_worker()
    tickets = await seated(2)
    match = tickets[0].match.removeprefix("matches/")

    def seat(hosted: HostedMatch, now: int) -> None:
        hosted.assign_seat(1, SeatPlan(Fill.HOUSE, "", "", match_changes.HOUSE))
        for number in range(2):
            hosted.changes.seat(number).presence = Presence.HERE
            hosted.changes.seat(number).stream = dying.hosts.presence.new_stream_token()

    await dying.hosts.change(match, seat)
    dying.hosts.presence.add_seat(match)
    await dying.hosts.presence.tick()
    kill(dying, monkeypatch)
    told: asyncio.Queue[str] = asyncio.Queue()
    monkeypatch.setattr(worker.hosts, "_on_bots_needed", told.put_nowait)
    clock.advance(DEAD_MS)
    await worker.hosts.presence.tick()
    async with asyncio.timeout(10):
        assert await told.get() == match
    assert await presences(worker, tickets[0]) == [Presence.AWAY, Presence.AWAY]


async def test_a_worker_that_was_only_slow_has_its_players_back(
    seated: Seated,
    open_stream: OpenStream,
    worker: Worker,
    start_worker: StartWorker,
    clock: HandClock,
    raw: redis.Redis,
) -> None:
    slow = await start_worker()
    tickets = await seated(2)
    stream = open_stream(slow.address)
    await stream.subscribe(tickets[0])
    await stream.next("snapshot")
    await slow.hosts.presence.tick()
    clock.advance(DEAD_MS)
    await worker.hosts.presence.tick()
    async with asyncio.timeout(10):
        while raw.zscore("{workers}:seen", slow.hosts.presence.worker) is not None:
            await presences(worker, tickets[0])
    await becomes(worker, tickets[0], [Presence.HERE, Presence.AWAY])
    assert "closed" not in stream.kinds()
    await slow.hosts.presence.tick()
    members = raw.smembers(f"present:{{{slow.hosts.presence.worker}}}")
    assert members == {tickets[0].match.removeprefix("matches/").encode()}


async def test_that_somebody_plays_here_is_told_again_until_the_store_has_taken_it(
    seated: Seated, open_stream: OpenStream, worker: Worker, raw: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else no worker would clean up after a dead worker's players that the roster lacks."""
    presence = worker.hosts.presence
    ticket, stream = (await seated(2))[0], open_stream()

    def lost(*_: Any) -> asyncio.Future[Any]:
        failed = asyncio.get_running_loop().create_future()
        failed.set_exception(NotExecuted("lost"))
        return failed

    with monkeypatch.context() as for_now:
        for_now.setattr(worker.hosts.store.roster, "add_matches", lost)
        await stream.subscribe(ticket)
        await stream.next("snapshot")
        with pytest.raises(NotExecuted):
            await presence.tick()
    await presence.tick()
    assert raw.smembers(f"present:{{{presence.worker}}}") == {ticket.match.removeprefix("matches/").encode()}


async def test_who_comes_while_the_others_are_told_is_told_the_next_time(
    worker: Worker, raw: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store refuses the new player's entry while it takes those of the others."""
    presence, roster = worker.hosts.presence, worker.hosts.store.roster
    presence.add_seat("one")
    await presence.tick()
    raw.zrem("{workers}:seen", presence.worker)  # somebody has taken this worker for dead
    add_matches = roster.add_matches

    def busy(*_: Any) -> None:
        raise Overloaded("busy")

    def add_and_be_busy(*given: Any) -> asyncio.Future[Any]:
        patch.setattr(roster, "add_matches", busy)
        presence.add_seat("another")
        return add_matches(*given)

    with monkeypatch.context() as patch:
        patch.setattr(roster, "add_matches", add_and_be_busy)
        await presence.tick()
    await presence.tick()
    assert raw.smembers(f"present:{{{presence.worker}}}") == {b"one", b"another"}
    presence.seats.clear()


async def test_who_cannot_have_the_seat_back_is_told_to_come_again(
    seated: Seated, open_stream: OpenStream, worker: Worker, start_worker: StartWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store is lost once more. Else the match would show the seat as away for good, though it plays."""
    slow = await start_worker()
    tickets = await seated(2)
    match, stream = tickets[0].match.removeprefix("matches/"), open_stream(slow.address)
    await stream.subscribe(tickets[0])
    await stream.next("snapshot")

    def lost(*_: Any) -> None:
        raise NotExecuted("lost")

    with monkeypatch.context() as for_now:
        for_now.setattr(slow.hosts.store, "commit", lost)
        await worker.hosts.change(match, partial(match_changes.vacate, worker=slow.hosts.presence.worker))
        assert (await stream.next("closed")).reason == play_pb2.CLOSED_REASON_UNAVAILABLE
    await stream.subscribe(tickets[0], 2)
    await stream.next("snapshot", 2)
    assert await presences(worker, tickets[0]) == [Presence.HERE, Presence.AWAY]


async def test_who_goes_while_the_store_is_lost_is_told_to_be_away_afterwards(
    seated: Seated, open_stream: OpenStream, worker: Worker, start_worker: StartWorker, proxy: StoreProxy
) -> None:
    behind = await start_worker(proxy.url)
    tickets = await seated(2)
    stream = open_stream(behind.address)
    await stream.subscribe(tickets[0])
    await stream.next("snapshot")
    await proxy.refuse()
    await stream.cut()
    async with asyncio.timeout(10):
        while not behind.hosts.presence._unwritten:
            assert (await presences(worker, tickets[0]))[0] is Presence.HERE
    await proxy.listen()
    async with asyncio.timeout(10):
        while behind.hosts.presence._unwritten or not behind.hosts.store.up:
            await presences(worker, tickets[0])
            with suppress(StoreError):
                await behind.hosts.presence.tick()
    await becomes(worker, tickets[0], [Presence.AWAY, Presence.AWAY])


async def test_who_goes_before_it_has_begun_is_away(seated: Seated, open_stream: OpenStream, worker: Worker) -> None:
    tickets = await seated(2)
    for _ in range(20):
        stream = open_stream()
        await stream.subscribe(tickets[0])
        await stream.cut()
    await becomes(worker, tickets[0], [Presence.AWAY, Presence.AWAY])
    async with asyncio.timeout(10):
        while worker.hosts.presence.seats:
            await worker.hosts.read(tickets[0].match.removeprefix("matches/"), lambda _: None)
    assert worker.counters.seats == 0


async def test_who_gives_way_to_another_stream_is_not_said_to_be_away(
    seated: Seated, open_stream: OpenStream, worker: Worker
) -> None:
    tickets = await seated(2)
    watcher, first, second = open_stream(), open_stream(), open_stream()
    await watcher.subscribe(tickets[1])
    await watcher.next("snapshot")
    await first.subscribe(tickets[0])
    await first.next("snapshot")
    await second.subscribe(tickets[0])
    await second.next("snapshot")
    await first.next("closed")
    async with asyncio.timeout(10):
        while worker.hosts.presence.seats.total() > 2:
            await presences(worker, tickets[0])
    await watcher.ping()
    said = [(item.presence.seat, item.presence.presence) for item in watcher.received if item.HasField("presence")]
    assert said == [(0, matches_pb2.PRESENCE_HERE)]


async def test_a_worker_that_is_drained_leaves_nothing_behind(
    seated: Seated, open_stream: OpenStream, worker: Worker, start_worker: StartWorker, raw: redis.Redis
) -> None:
    going = await start_worker()
    tickets = await seated(2)
    stream = open_stream(going.address)
    await stream.subscribe(tickets[0])
    await stream.next("snapshot")
    await going.hosts.presence.tick()
    await going.drain(5.0)
    assert await presences(worker, tickets[0]) == [Presence.AWAY, Presence.AWAY]
    name = going.hosts.presence.worker
    assert not raw.exists(f"present:{{{name}}}")
    assert name.encode() not in raw.zrange("{workers}:seen", 0, -1)


async def test_a_worker_that_could_not_say_that_somebody_has_gone_is_found_dead(
    seated: Seated, start_worker: StartWorker, raw: redis.Redis
) -> None:
    """It stays in the roster when it stops: others clean up only after workers that have not left it."""
    match = (await seated(2))[0].match.removeprefix("matches/")
    going = (await start_worker()).hosts.presence
    going._unwritten.append((match, lambda hosted, now: None))
    await going.close()
    assert raw.zscore("{workers}:seen", going.worker) is not None
    going._unwritten.clear()


async def test_what_a_worker_is_about_to_say_when_it_goes_is_not_lost(
    seated: Seated, start_worker: StartWorker, raw: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its last tick is cancelled in the middle of a change, which the store does not take."""
    match = (await seated(2))[0].match.removeprefix("matches/")
    hosts = (await start_worker()).hosts
    going, held = hosts.presence, asyncio.Queue[Any]()
    going.add_seat(match)
    going._unwritten.append((match, lambda hosted, now: match_changes.mark_away(hosted, 0, now)))
    with monkeypatch.context() as slow:
        slow.setattr(hosts.store, "commit", lambda draft, done: held.put_nowait(done))
        going._task = asyncio.create_task(going.tick())
        async with asyncio.timeout(10):
            done = await held.get()
    closing = asyncio.create_task(going.close())
    async with asyncio.timeout(10):
        while not hosts.host(match)._queue:  # it waits for all that was said before
            await hosts.store.log.head(match)
        done(NotExecuted("lost"))
        await closing
    assert raw.zscore("{workers}:seen", going.worker) is not None
    assert going._unwritten
    going._unwritten.clear()


async def test_who_has_gone_while_nobody_listened_is_told_to_be_here_again(
    seated: Seated, open_stream: OpenStream, worker: Worker
) -> None:
    tickets = await seated(2)
    streams = [open_stream(), open_stream()]
    for stream, ticket in zip(streams, tickets, strict=True):
        await stream.subscribe(ticket)
        await stream.next("snapshot")
    for stream, left in zip(streams, ([Presence.AWAY, Presence.HERE], [Presence.AWAY, Presence.AWAY]), strict=True):
        await stream.cut()
        await becomes(worker, tickets[0], left)
    first = open_stream()
    await first.subscribe(tickets[0])
    await first.next("snapshot")
    await open_stream().subscribe(tickets[1])
    said = await first.next("presence")
    assert (said.seat, said.presence) == (1, Presence.HERE)


async def test_a_worker_that_was_slow_does_not_take_itself_for_dead(
    seated: Seated, open_stream: OpenStream, worker: Worker, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its loop stood still between its own heartbeat and its search for dead workers."""
    tickets = await seated(2)
    stream = open_stream()
    await stream.subscribe(tickets[0])
    await stream.next("snapshot")
    await worker.hosts.presence.tick()
    roster, refresh = worker.hosts.store.roster, worker.hosts.store.roster.refresh
    claimed: list[str] = []

    async def refresh_slowly() -> bool:
        clock.advance(DEAD_MS + 1)
        return await refresh()

    async def claim_dead() -> list[str]:
        claimed.extend(await type(roster).claim_dead(roster))
        return claimed

    monkeypatch.setattr(roster, "refresh", refresh_slowly)
    monkeypatch.setattr(roster, "claim_dead", claim_dead)
    commits = worker.counters.commits
    await worker.hosts.presence.tick()
    await asyncio.gather(*worker.hosts._tasks)
    assert claimed == [worker.hosts.presence.worker]
    assert (await presences(worker, tickets[0]))[0] is Presence.HERE
    assert worker.counters.commits == commits
