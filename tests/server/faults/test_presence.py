"""Who is here is told truly, whatever happens to the worker or the store that should have told it."""

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
    from tests.server.conftest import OpenLine, Seated, StartWorker

    from landsraad_testkit import StoreProxy

pytestmark = pytest.mark.asyncio


async def presences(worker: Worker, ticket: Ticket) -> list[Presence]:
    match = ticket.match.removeprefix("matches/")
    found: list[Presence] = await worker.hall.read(match, lambda position: [seat.presence for seat in position.seats])
    return found


async def becomes(worker: Worker, ticket: Ticket, wanted: list[Presence]) -> None:
    async with asyncio.timeout(10):
        while await presences(worker, ticket) != wanted:
            pass


def kill(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on a worker shows no sign of life, and cannot say goodbye."""

    async def nothing(*_: Any) -> None:
        return

    for name in ("take_turn", "close", "_leave"):
        monkeypatch.setattr(worker.hall.attendance, name, nothing)


async def test_the_players_of_a_dead_worker_are_away(
    seated: Seated, line: OpenLine, worker: Worker, start_worker: StartWorker, clock: HandClock,
    monkeypatch: pytest.MonkeyPatch, raw: redis.Redis
) -> None:  # fmt: skip
    dying = await start_worker()
    tickets = await seated(2)
    there, here = line(dying.address), line()
    await there.subscribe(tickets[0])
    await there.next("snapshot")
    await dying.hall.attendance.turn()
    await here.subscribe(tickets[1])
    await here.next("snapshot")
    kill(dying, monkeypatch)
    clock.advance(DEAD_MS - 1)
    await worker.hall.attendance.turn()
    assert await presences(worker, tickets[0]) == [Presence.HERE, Presence.HERE]
    clock.advance(1)
    await worker.hall.attendance.turn()
    # The dead one's stream is of no use, but if it were, it would come back:
    said = await here.next("presence")
    assert (said.seat, said.presence) == (0, Presence.AWAY)
    async with asyncio.timeout(10):
        while raw.exists(f"present:{{{dying.hall.attendance.worker}}}"):
            await presences(worker, tickets[0])
        while raw.zrange("{workers}:seen", 0, -1) != [worker.hall.attendance.worker.encode()]:
            await presences(worker, tickets[0])


async def test_a_match_with_something_wrong_keeps_no_other_from_being_told(
    seated: Seated, line: OpenLine, worker: Worker, start_worker: StartWorker, clock: HandClock,
    monkeypatch: pytest.MonkeyPatch, raw: redis.Redis
) -> None:  # fmt: skip
    """And the dead worker is not forgotten before all is told."""
    dying = await start_worker()
    tickets = [(await seated(2))[0] for _ in range(3)]
    stream = line(dying.address)
    for number, ticket in enumerate(tickets, 1):
        await stream.subscribe(ticket, number)
        await stream.next("snapshot", number)
    await dying.hall.attendance.turn()
    kill(dying, monkeypatch)
    for host in dying.hall.hosts.values():
        host.unfollow()  # nor does it come back
    change = worker.hall.change
    broken = tickets[1].match.removeprefix("matches/")

    async def but_one(match: str, *given: Any) -> Any:
        if match == broken:
            raise Denied("OVERLOADED", "planted")
        return await change(match, *given)

    with monkeypatch.context() as for_now:
        for_now.setattr(worker.hall, "change", but_one)
        clock.advance(DEAD_MS)
        await worker.hall.attendance.turn()
        for ticket in (tickets[0], tickets[2]):
            await becomes(worker, ticket, [Presence.AWAY, Presence.AWAY])
        assert raw.zscore("{workers}:seen", dying.hall.attendance.worker) is not None
    clock.advance(DEAD_MS)
    await worker.hall.attendance.turn()
    await becomes(worker, tickets[1], [Presence.AWAY, Presence.AWAY])
    async with asyncio.timeout(10):
        while raw.zscore("{workers}:seen", dying.hall.attendance.worker) is not None:
            await presences(worker, tickets[1])


async def test_the_bots_of_a_dead_worker_are_called_by_another(
    seated: Seated, worker: Worker, start_worker: StartWorker, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A machine that was cut off had the worker and the bots that played by it: nobody else knows of their seats."""
    dying = await start_worker()
    tickets = await seated(2)
    match = tickets[0].match.removeprefix("matches/")

    def seat(position: HostedMatch, now: int) -> None:
        position.plan(1, SeatPlan(Fill.HOUSE, "", "", match_changes.HOUSE))
        for number in range(2):
            position.seat(number).presence = Presence.HERE
            position.seat(number).stream = dying.hall.attendance.token()

    await dying.hall.change(match, seat)
    dying.hall.attendance.arrives(match)
    await dying.hall.attendance.turn()
    kill(dying, monkeypatch)
    told: asyncio.Queue[str] = asyncio.Queue()
    monkeypatch.setattr(worker.hall, "_on_house", told.put_nowait)
    clock.advance(DEAD_MS)
    await worker.hall.attendance.turn()
    async with asyncio.timeout(10):
        assert await told.get() == match
    assert await presences(worker, tickets[0]) == [Presence.AWAY, Presence.AWAY]


async def test_a_worker_that_was_only_slow_has_its_players_back(
    seated: Seated, line: OpenLine, worker: Worker, start_worker: StartWorker, clock: HandClock, raw: redis.Redis
) -> None:
    slow = await start_worker()
    tickets = await seated(2)
    stream = line(slow.address)
    await stream.subscribe(tickets[0])
    await stream.next("snapshot")
    await slow.hall.attendance.turn()
    clock.advance(DEAD_MS)
    await worker.hall.attendance.turn()
    async with asyncio.timeout(10):
        while raw.zscore("{workers}:seen", slow.hall.attendance.worker) is not None:
            await presences(worker, tickets[0])
    await becomes(worker, tickets[0], [Presence.HERE, Presence.AWAY])
    assert "closed" not in stream.kinds()
    await slow.hall.attendance.turn()
    members = raw.smembers(f"present:{{{slow.hall.attendance.worker}}}")
    assert members == {tickets[0].match.removeprefix("matches/").encode()}


async def test_that_somebody_plays_here_is_told_again_until_the_store_has_taken_it(
    seated: Seated, line: OpenLine, worker: Worker, raw: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody would look after the players of a worker that the roster knows without them."""
    attendance = worker.hall.attendance
    ticket, stream = (await seated(2))[0], line()

    def lost(*_: Any) -> asyncio.Future[Any]:
        failed = asyncio.get_running_loop().create_future()
        failed.set_exception(NotExecuted("lost"))
        return failed

    with monkeypatch.context() as for_now:
        for_now.setattr(worker.hall.store.roster, "enter", lost)
        await stream.subscribe(ticket)
        await stream.next("snapshot")
        with pytest.raises(NotExecuted):
            await attendance.turn()
    await attendance.turn()
    assert raw.smembers(f"present:{{{attendance.worker}}}") == {ticket.match.removeprefix("matches/").encode()}


async def test_who_comes_while_the_others_are_told_is_told_the_next_time(
    worker: Worker, raw: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store has no time for it in that moment, and has taken the others."""
    attendance, roster = worker.hall.attendance, worker.hall.store.roster
    attendance.arrives("one")
    await attendance.turn()
    raw.zrem("{workers}:seen", attendance.worker)  # somebody has taken this worker for dead
    enter = roster.enter

    def busy(*_: Any) -> None:
        raise Overloaded("busy")

    def enter_and_be_busy(*given: Any) -> asyncio.Future[Any]:
        patch.setattr(roster, "enter", busy)
        attendance.arrives("another")
        return enter(*given)

    with monkeypatch.context() as patch:
        patch.setattr(roster, "enter", enter_and_be_busy)
        await attendance.turn()
    await attendance.turn()
    assert raw.smembers(f"present:{{{attendance.worker}}}") == {b"one", b"another"}
    attendance.seats.clear()


async def test_who_cannot_have_the_seat_back_is_told_to_come_again(
    seated: Seated, line: OpenLine, worker: Worker, start_worker: StartWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store is lost once more: the match would say for good that it is away, though it plays."""
    slow = await start_worker()
    tickets = await seated(2)
    match, stream = tickets[0].match.removeprefix("matches/"), line(slow.address)
    await stream.subscribe(tickets[0])
    await stream.next("snapshot")

    def lost(*_: Any) -> None:
        raise NotExecuted("lost")

    with monkeypatch.context() as for_now:
        for_now.setattr(slow.hall.store, "commit", lost)
        await worker.hall.change(match, partial(match_changes.vacate, worker=slow.hall.attendance.worker))
        assert (await stream.next("closed")).reason == play_pb2.CLOSED_REASON_UNAVAILABLE
    await stream.subscribe(tickets[0], 2)
    await stream.next("snapshot", 2)
    assert await presences(worker, tickets[0]) == [Presence.HERE, Presence.AWAY]


async def test_who_goes_while_the_store_is_lost_is_told_to_be_away_afterwards(
    seated: Seated, line: OpenLine, worker: Worker, start_worker: StartWorker, proxy: StoreProxy
) -> None:
    behind = await start_worker(proxy.url)
    tickets = await seated(2)
    stream = line(behind.address)
    await stream.subscribe(tickets[0])
    await stream.next("snapshot")
    await proxy.refuse()
    await stream.cut()
    async with asyncio.timeout(10):
        while not behind.hall.attendance._unfinished:
            assert (await presences(worker, tickets[0]))[0] is Presence.HERE
    await proxy.listen()
    async with asyncio.timeout(10):
        while behind.hall.attendance._unfinished or not behind.hall.store.up:
            await presences(worker, tickets[0])
            with suppress(StoreError):
                await behind.hall.attendance.turn()
    await becomes(worker, tickets[0], [Presence.AWAY, Presence.AWAY])


async def test_who_goes_before_it_has_begun_is_away(seated: Seated, line: OpenLine, worker: Worker) -> None:
    tickets = await seated(2)
    for _ in range(20):
        stream = line()
        await stream.subscribe(tickets[0])
        await stream.cut()
    await becomes(worker, tickets[0], [Presence.AWAY, Presence.AWAY])
    async with asyncio.timeout(10):
        while worker.hall.attendance.seats:
            await worker.hall.read(tickets[0].match.removeprefix("matches/"), lambda _: None)
    assert worker.figures.seats == 0


async def test_who_gives_way_to_another_stream_is_not_said_to_be_away(
    seated: Seated, line: OpenLine, worker: Worker
) -> None:
    tickets = await seated(2)
    watcher, first, second = line(), line(), line()
    await watcher.subscribe(tickets[1])
    await watcher.next("snapshot")
    await first.subscribe(tickets[0])
    await first.next("snapshot")
    await second.subscribe(tickets[0])
    await second.next("snapshot")
    await first.next("closed")
    async with asyncio.timeout(10):
        while worker.hall.attendance.seats.total() > 2:
            await presences(worker, tickets[0])
    await watcher.ping()
    said = [(item.presence.seat, item.presence.presence) for item in watcher.told if item.HasField("presence")]
    assert said == [(0, matches_pb2.PRESENCE_HERE)]


async def test_a_worker_that_is_drained_leaves_nothing_behind(
    seated: Seated, line: OpenLine, worker: Worker, start_worker: StartWorker, raw: redis.Redis
) -> None:
    going = await start_worker()
    tickets = await seated(2)
    stream = line(going.address)
    await stream.subscribe(tickets[0])
    await stream.next("snapshot")
    await going.hall.attendance.turn()
    await going.drain(5.0)
    assert await presences(worker, tickets[0]) == [Presence.AWAY, Presence.AWAY]
    name = going.hall.attendance.worker
    assert not raw.exists(f"present:{{{name}}}")
    assert name.encode() not in raw.zrange("{workers}:seen", 0, -1)


async def test_a_worker_that_could_not_say_that_somebody_has_gone_is_found_dead(
    seated: Seated, start_worker: StartWorker, raw: redis.Redis
) -> None:
    """It goes in order, but leaves that to others: they look only after those that have not taken themselves off."""
    match = (await seated(2))[0].match.removeprefix("matches/")
    going = (await start_worker()).hall.attendance
    going._unfinished.append((match, lambda position, now: None))
    await going.close()
    assert raw.zscore("{workers}:seen", going.worker) is not None
    going._unfinished.clear()


async def test_what_a_worker_is_about_to_say_when_it_goes_is_not_lost(
    seated: Seated, start_worker: StartWorker, raw: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its last turn ends in the middle of that, and the store does not take it."""
    match = (await seated(2))[0].match.removeprefix("matches/")
    hall = (await start_worker()).hall
    going, held = hall.attendance, asyncio.Queue[Any]()
    going.arrives(match)
    going._unfinished.append((match, lambda position, now: match_changes.clear(position, 0, now)))
    with monkeypatch.context() as slow:
        slow.setattr(hall.store, "commit", lambda draft, done: held.put_nowait(done))
        going._task = asyncio.create_task(going.turn())
        async with asyncio.timeout(10):
            done = await held.get()
    closing = asyncio.create_task(going.close())
    async with asyncio.timeout(10):
        while not hall.host(match)._queue:  # it waits for all that was said before
            await hall.store.log.head(match)
        done(NotExecuted("lost"))
        await closing
    assert raw.zscore("{workers}:seen", going.worker) is not None
    assert going._unfinished
    going._unfinished.clear()


async def test_who_has_gone_while_nobody_listened_is_told_to_be_here_again(
    seated: Seated, line: OpenLine, worker: Worker
) -> None:
    tickets = await seated(2)
    streams = [line(), line()]
    for stream, ticket in zip(streams, tickets, strict=True):
        await stream.subscribe(ticket)
        await stream.next("snapshot")
    for stream, left in zip(streams, ([Presence.AWAY, Presence.HERE], [Presence.AWAY, Presence.AWAY]), strict=True):
        await stream.cut()
        await becomes(worker, tickets[0], left)
    first = line()
    await first.subscribe(tickets[0])
    await first.next("snapshot")
    await line().subscribe(tickets[1])
    said = await first.next("presence")
    assert (said.seat, said.presence) == (1, Presence.HERE)
