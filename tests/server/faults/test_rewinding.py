"""A failover has cost the end of a log: everybody is told, nobody is told two histories, and the match goes on."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

import after_restore
from landsraad import AsyncClient
from landsraad.models import Ticket
from landsraad.v1 import play_pb2
from landsraad_engine.play.match import verify
from landsraad_engine.teaching.game import TEACHING
from landsraad_server.matches import match_changes
from landsraad_server.matches import match_host as hosts
from landsraad_server.matches.match_host import MatchHost
from landsraad_server.matches.match_hosts import LoadedMatch
from landsraad_server.matches.records import Ending, decode_record
from landsraad_server.process.worker import Worker
from landsraad_server.store import EmbeddedServer, Entry, Head, connect
from landsraad_server.store.errors import NotExecuted
from landsraad_testkit import RawSeat, RawStream, play_together

if TYPE_CHECKING:
    import redis
    from tests.server.conftest import OpenLine, Rewind, Seated, StartWorker

pytestmark = pytest.mark.asyncio


def key(ticket: Ticket) -> str:
    """The store's name of a match."""
    return ticket.match.removeprefix("matches/")


def table(tickets: list[Ticket]) -> list[RawSeat]:
    """All seats, to be played on one stream."""
    return [RawSeat(ticket, len(tickets), subscription=number) for number, ticket in enumerate(tickets, 1)]


async def sit_down(line: RawStream, seats: list[RawSeat], acts: int) -> None:
    """Play so many acts of a match."""
    for seat in seats:
        await seat.begin(line, fresh=True)
    assert await play_together(line, seats, acts)


async def at_two_workers(tickets: list[Ticket], lines: list[RawStream]) -> tuple[str, list[RawSeat], list[RawStream]]:
    """Sit down at a line each, and play an act each."""
    seats = [RawSeat(ticket, len(tickets)) for ticket in tickets]
    for seat, stream in zip(seats, lines, strict=True):
        await stream.subscribe(seat.ticket)
        await stream.next("snapshot")
        await stream.ping()
        await seat.take(stream, stream.told)
    for seat, stream in zip(seats, lines, strict=True):
        while not seat.acks:
            assert await seat.play(stream, 1)
    return key(tickets[0]), seats, lines


async def leave(line: RawStream, worker: Worker, match: str) -> None:
    """End a stream, and see everybody gone."""
    await line.cut()
    async with asyncio.timeout(10):
        while any(map((await worker.hall.read(match, lambda position: position)).is_here, range(2))):
            pass


async def heads(worker: Worker, match: str) -> list[Head]:
    return [entry.head for entry in await worker.hall.store.log.read(match)]


async def raised(worker: Worker, match: str) -> list[Any]:
    """The epochs that the journal of a match has been raised to."""
    records = [decode_record(entry.payload) for entry in await worker.hall.store.log.read(match)]
    return [act for record in records for _, kind, act in record.inputs if kind == "epoch"]


async def test_streams_are_told_and_clients_go_on(
    seated: Seated, worker: Worker, line: OpenLine, rewind: Rewind, client: AsyncClient
) -> None:
    tickets = await seated(3)
    match, seats, stream = key(tickets[0]), table(tickets), line()
    await sit_down(stream, seats, 8)
    before = await heads(worker, match)
    rewind(match, before[-4])
    await worker.hall.read(match, lambda _: None)  # any look at it finds out
    assert await play_together(stream, seats)
    told = [item.rewound for item in stream.told if item.HasField("rewound")]
    assert [one.epoch for one in told] == [2, 2, 2]
    for seat in seats:
        mine = [item for item in stream.told if item.subscription == seat.subscription]
        at = next(number for number, item in enumerate(mine) if item.HasField("rewound"))
        after = [item for item in mine[at:] if item.HasField("snapshot")]
        assert after[0].snapshot.reason == play_pb2.SNAPSHOT_REASON_OTHER_EPOCH
        assert after[0].snapshot.observation.epoch == 2
    logged = await heads(worker, match)
    assert [head.epoch for head in logged[: len(before) - 2]] == [1] * (len(before) - 3) + [2]
    assert worker.figures.rewinds == 1
    certificate = await client.certificate(tickets[0].match)
    assert [given[2] for given in certificate["journal"] if given[1] == "epoch"] == [(2,)]
    assert verify(TEACHING, certificate) == []


async def test_whoever_comes_with_a_cursor_of_before_gets_a_snapshot(
    seated: Seated, worker: Worker, line: OpenLine, rewind: Rewind
) -> None:
    tickets = await seated(2)
    match, seats, stream = key(tickets[0]), table(tickets), line()
    await sit_down(stream, seats, 5)
    await leave(stream, worker, match)
    rewind(match, (await heads(worker, match))[-5])
    # Nobody listens; the worker notices as soon as anybody asks for anything.
    late = line()
    await late.subscribe(tickets[0], start=seats[0].log.cursor)
    snapshot = await late.next("snapshot")
    assert snapshot.reason == play_pb2.SNAPSHOT_REASON_OTHER_EPOCH
    assert snapshot.observation.number < seats[0].log.number
    assert snapshot.observation.epoch == 2


async def test_after_a_restore_nobody_knows_what_comes(
    seated: Seated,
    worker: Worker,
    line: OpenLine,
    rewind: Rewind,
    start_worker: StartWorker,
    server: EmbeddedServer,
    client: AsyncClient,
) -> None:
    """No worker remembers the log as it was; the operator's script says that it was longer."""
    tickets = await seated(2)
    match, seats, stream = key(tickets[0]), table(tickets), line()
    await sit_down(stream, seats, 5)
    await leave(stream, worker, match)
    await client.create_match("teaching", 2)
    rewind(match, (await heads(worker, match))[-5])
    store = await connect(server.url)
    assert await after_restore.all_raised(store) == (2, 2)
    await store.close()
    fresh = await start_worker()
    late = line(fresh.address)
    for seat in seats:
        await late.subscribe(seat.ticket, seat.subscription, start=seat.log.cursor)
        snapshot = await late.next("snapshot", seat.subscription)
        assert snapshot.reason == play_pb2.SNAPSHOT_REASON_OTHER_EPOCH
        assert snapshot.observation.epoch == 2
    await late.cut()
    again, stream = table(tickets), line(fresh.address)
    for seat in again:
        await seat.begin(stream, fresh=True)
    assert await play_together(stream, again)
    async with AsyncClient(fresh.address) as asking:
        certificate = await asking.certificate(tickets[0].match)
    assert [given[2] for given in certificate["journal"] if given[1] == "epoch"] == [(2,)]
    assert verify(TEACHING, certificate) == []
    assert fresh.figures.faults == 0


async def test_on_all_workers(
    seated: Seated, worker: Worker, line: OpenLine, rewind: Rewind, start_worker: StartWorker
) -> None:
    """Two workers have seen what is lost; the epoch is raised once, and both tell their streams."""
    other = await start_worker()
    match, seats, lines = await at_two_workers(await seated(2), [line(), line(other.address)])
    rewind(match, (await heads(worker, match))[-3])
    assert all(await asyncio.gather(*map(RawSeat.play, seats, lines)))
    assert [seat.log.epoch for seat in seats] == [2, 2]
    assert {head.epoch for head in await heads(worker, match)} == {1, 2}
    assert await raised(worker, match) == [(2,)]
    for seat, stream in zip(seats, lines, strict=True):
        assert stream.kinds().count("rewound") == 1
        assert seat.over


async def test_a_worker_that_finds_it_raised_in_the_last_moment_does_not_raise_it_again(
    seated: Seated,
    worker: Worker,
    line: OpenLine,
    rewind: Rewind,
    start_worker: StartWorker,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Both have loaded what is left; one has raised the epoch, and the other hears of it before its own turn."""
    other = await start_worker()
    match, seats, lines = await at_two_workers(await seated(2), [line(), line(other.address)])
    rewind(match, (await heads(worker, match))[-3])
    late = other.hall.hosts[match]
    held: list[MatchHost] = []
    load, ready = other.hall.load, other.hall.ready

    async def load_and_wait(match: str, since: Head) -> LoadedMatch:
        patch.setattr(other.hall, "ready", held.append)
        return await load(match, since)

    with monkeypatch.context() as patch:
        patch.setattr(other.hall, "load", load_and_wait)
        reading = asyncio.create_task(other.hall.read(match, lambda position: position.live))
        async with asyncio.timeout(10):
            while not held:
                await other.hall.store.log.head(match)
            assert await worker.hall.read(match, lambda position: position.live)
            while late.head.epoch == 1:
                await other.hall.store.log.head(match)
    ready(late)
    assert await reading
    assert all(await asyncio.gather(*map(RawSeat.play, seats, lines)))
    assert await raised(worker, match) == [(2,)]


async def test_it_is_told_though_the_store_is_lost_once_more(
    seated: Seated, worker: Worker, line: OpenLine, rewind: Rewind, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the moment in which the epoch is raised; and nobody does anything more, for each waits for the other."""
    monkeypatch.setattr(hosts, "_AGAIN_SECONDS", 0.01)
    tickets = await seated(2)
    match, seats, stream = key(tickets[0]), table(tickets), line()
    await sit_down(stream, seats, 5)
    await worker.hall.read(match, lambda _: None)  # after all that was sent
    rewind(match, (await heads(worker, match))[-4])
    load, times, told = worker.hall.load, [], len(stream.told)

    def lost(*_: object) -> None:
        times.append("commit")
        if times.count("commit") == 2:
            worker.hall.load = lost_as_well  # type: ignore[method-assign]
        raise NotExecuted("lost")

    async def lost_as_well(match: str, since: Head) -> LoadedMatch:
        times.append("load")
        worker.hall.load = load  # type: ignore[method-assign]
        patch.undo()
        raise NotExecuted("lost")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker.hall.store, "commit", lost)
        with pytest.raises(NotExecuted):
            await worker.hall.read(match, lambda _: None)
        assert (await stream.next("rewound")).epoch == 2
    assert times == ["commit", "commit", "load"]
    for seat in seats:
        await seat.take(stream, stream.told[told:])
    assert await play_together(stream, seats)


async def test_a_log_that_another_worker_has_continued_is_another_history(
    seated: Seated, worker: Worker, line: OpenLine, rewind: Rewind, start_worker: StartWorker
) -> None:
    """The same version numbers, but not what this worker has told: it says so, though the log is longer than before."""
    tickets = await seated(2)
    match, seats, stream = key(tickets[0]), table(tickets), line()
    await sit_down(stream, seats, 4)
    await leave(stream, worker, match)
    known = worker.hall.hosts[match].head
    rewind(match, (await heads(worker, match))[-3])
    innocent = await start_worker()  # has seen nothing of what is lost
    again, elsewhere = table(tickets), line(innocent.address)
    await sit_down(elsewhere, again, 4)
    assert (await heads(innocent, match))[-1].version > known.version
    late = line()
    await late.subscribe(tickets[0], start=seats[0].log.cursor)
    assert (await late.next("snapshot")).observation.epoch == 2
    assert (await elsewhere.next("rewound", 2)).epoch == 2


@pytest.mark.parametrize("late", [False, True])
async def test_a_match_whose_end_is_lost_in_the_last_moment_does_not_leave_the_store(
    late: bool, client: AsyncClient, worker: Worker, rewind: Rewind, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before it is looked at for the last time, or after that."""
    made = await client.create_match("teaching", 2)
    match = made.name.removeprefix("matches/")
    await worker.hall.change(match, partial(match_changes.end_early, kind=Ending.ABORTED, reason=""))
    before, read = await heads(worker, match), worker.hall.store.log.read

    async def read_late(match: str, *after: Head) -> list[Entry]:
        rewind(match, before[0])
        return await read(match, *after)

    with monkeypatch.context() as patch:
        if late:
            patch.setattr(worker.hall.store.log, "read", read_late)
        else:
            rewind(match, before[0])
        assert not await worker.hall.file(match)
    assert (await heads(worker, match))[0] == before[0]
    assert (await client.match(made.name)).state == "open"


async def test_a_match_that_had_not_begun_gets_another_secret(
    client: AsyncClient, worker: Worker, rewind: Rewind, raw: redis.Redis
) -> None:
    made = await client.create_match("teaching", 2)
    match = made.name.removeprefix("matches/")
    await client.join(made.name)
    opened = await heads(worker, match)
    secret = worker.hall.hosts[match].position
    assert secret is not None
    before = secret.terms.secret
    await client.join(made.name)  # begins: the first cards are dealt
    rewind(match, opened[0])
    again = await client.match(made.name)
    assert again.state == "open"
    position = await worker.hall.read(match, lambda position: position)
    assert position.terms.secret != before
    seats = [await client.join(made.name) for _ in range(2)]
    assert [seat.number for seat in seats] == [0, 1]
