"""Rewinding: a failover has cost the end of a log. All clients learn it, none gets two histories, play goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from structlog.testing import capture_logs

import after_restore
from landsraad import AsyncClient
from landsraad.errors import NotFound
from landsraad.models import Ticket
from landsraad.v1 import common_pb2, play_pb2
from landsraad_engine.play.match import verify
from landsraad_engine.teaching.game import TEACHING
from landsraad_server.matches import match_changes, match_host
from landsraad_server.matches.match_host import MatchHost
from landsraad_server.matches.match_hosts import LoadedMatch
from landsraad_server.matches.records import Ending, Presence, decode_record
from landsraad_server.matches.spectator_delay import DelayedHost
from landsraad_server.process.worker import Worker
from landsraad_server.refusals import Denied
from landsraad_server.store import EmbeddedServer, Entry, Head, Outcome, connect, keys
from landsraad_server.store.errors import NotExecuted
from landsraad_server.store.match_log import Draft
from landsraad_server.streams.decision_wait import DecisionWaiter
from landsraad_testkit import HandClock, RawSeat, RawStream, StoreProxy, play_together

if TYPE_CHECKING:
    import redis
    from tests.server.conftest import OpenStream, Rewind, Seated, StartWorker

pytestmark = pytest.mark.asyncio


def key(ticket: Ticket) -> str:
    """Return the store's key of a match."""
    return ticket.match.removeprefix("matches/")


def table(tickets: list[Ticket]) -> list[RawSeat]:
    """Return all seats, played on one stream."""
    return [RawSeat(ticket, len(tickets), subscription=number) for number, ticket in enumerate(tickets, 1)]


async def sit_down(stream: RawStream, seats: list[RawSeat], acts: int) -> None:
    """Play so many acts of a match."""
    for seat in seats:
        await seat.begin(stream, fresh=True)
    assert await play_together(stream, seats, acts)


async def at_two_workers(tickets: list[Ticket], streams: list[RawStream]) -> tuple[str, list[RawSeat], list[RawStream]]:
    """Take each seat on a stream of its own, and play one act on each."""
    seats = [RawSeat(ticket, len(tickets)) for ticket in tickets]
    for seat, stream in zip(seats, streams, strict=True):
        await stream.subscribe(seat.ticket)
        await stream.next("snapshot")
        await stream.ping()
        await seat.take(stream, stream.received)
    for seat, stream in zip(seats, streams, strict=True):
        while not seat.acks:
            assert await seat.play(stream, 1)
    return key(tickets[0]), seats, streams


async def leave(stream: RawStream, worker: Worker, match: str) -> None:
    """End a stream, and wait until its seats are away."""
    await stream.cut()
    async with asyncio.timeout(10):
        while Presence.HERE in await worker.hosts.read(match, lambda hosted: [seat.presence for seat in hosted.seats]):
            pass


async def caught_up(match: str, *workers: Worker) -> None:
    """Let workers hear of the whole log, so that all of them know what a rewind takes away."""
    for worker in workers:
        await worker.hosts.read(match, lambda _: None)


async def heads(worker: Worker, match: str) -> list[Head]:
    return [entry.head for entry in await worker.hosts.store.log.read(match)]


async def raised(worker: Worker, match: str) -> list[Any]:
    """Return the epochs in the journal of a match."""
    records = [decode_record(entry.payload) for entry in await worker.hosts.store.log.read(match)]
    return [act for record in records for _, kind, act in record.inputs if kind == "epoch"]


async def test_streams_are_told_and_clients_go_on(
    seated: Seated, worker: Worker, open_stream: OpenStream, rewind: Rewind, client: AsyncClient
) -> None:
    tickets = await seated(3)
    match, seats, stream = key(tickets[0]), table(tickets), open_stream()
    await sit_down(stream, seats, 8)
    before = await heads(worker, match)
    rewind(match, before[-4])
    await worker.hosts.read(match, lambda _: None)  # any look at it finds out
    assert await play_together(stream, seats)
    told = [item.rewound for item in stream.received if item.HasField("rewound")]
    assert [one.epoch for one in told] == [2, 2, 2]
    for seat in seats:
        mine = [item for item in stream.received if item.subscription == seat.subscription]
        at = next(number for number, item in enumerate(mine) if item.HasField("rewound"))
        after = [item for item in mine[at:] if item.HasField("snapshot")]
        assert after[0].snapshot.reason == play_pb2.SNAPSHOT_REASON_OTHER_EPOCH
        assert after[0].snapshot.observation.epoch == 2
    logged = await heads(worker, match)
    assert [head.epoch for head in logged[: len(before) - 2]] == [1] * (len(before) - 3) + [2]
    assert worker.counters.rewinds == 1
    certificate = await client.certificate(tickets[0].match)
    assert [given[2] for given in certificate["journal"] if given[1] == "epoch"] == [(2,)]
    assert verify(TEACHING, certificate) == []


async def test_whoever_comes_with_a_cursor_of_before_gets_a_snapshot(
    seated: Seated, worker: Worker, open_stream: OpenStream, rewind: Rewind
) -> None:
    tickets = await seated(2)
    match, seats, stream = key(tickets[0]), table(tickets), open_stream()
    await sit_down(stream, seats, 5)
    await leave(stream, worker, match)
    rewind(match, (await heads(worker, match))[-5])
    # Nobody listens; the worker notices as soon as anybody asks for anything.
    late = open_stream()
    await late.subscribe(tickets[0], start=seats[0].log.cursor)
    snapshot = await late.next("snapshot")
    assert snapshot.reason == play_pb2.SNAPSHOT_REASON_OTHER_EPOCH
    assert snapshot.observation.number < seats[0].log.number
    assert snapshot.observation.epoch == 2


async def test_after_a_restore_nobody_knows_what_comes(
    seated: Seated,
    worker: Worker,
    open_stream: OpenStream,
    rewind: Rewind,
    start_worker: StartWorker,
    server: EmbeddedServer,
    client: AsyncClient,
) -> None:
    """No worker remembers the old log; the operator's script says that it was longer."""
    tickets = await seated(2)
    match, seats, stream = key(tickets[0]), table(tickets), open_stream()
    await sit_down(stream, seats, 5)
    await leave(stream, worker, match)
    await client.create_match("teaching", 2)
    rewind(match, (await heads(worker, match))[-5])
    store = await connect(server.url)
    assert await after_restore.raise_all(store) == (2, 2)
    await store.close()
    fresh = await start_worker()
    late = open_stream(fresh.address)
    for seat in seats:
        await late.subscribe(seat.ticket, seat.subscription, start=seat.log.cursor)
        snapshot = await late.next("snapshot", seat.subscription)
        assert snapshot.reason == play_pb2.SNAPSHOT_REASON_OTHER_EPOCH
        assert snapshot.observation.epoch == 2
    await late.cut()
    again, stream = table(tickets), open_stream(fresh.address)
    for seat in again:
        await seat.begin(stream, fresh=True)
    assert await play_together(stream, again)
    async with AsyncClient(fresh.address) as asking:
        certificate = await asking.certificate(tickets[0].match)
    assert [given[2] for given in certificate["journal"] if given[1] == "epoch"] == [(2,)]
    assert verify(TEACHING, certificate) == []
    assert fresh.counters.faults == 0


async def test_on_all_workers(
    seated: Seated, worker: Worker, open_stream: OpenStream, rewind: Rewind, start_worker: StartWorker
) -> None:
    """Two workers have seen the lost entries. The epoch is raised once, and both tell their streams."""
    other = await start_worker()
    match, seats, streams = await at_two_workers(await seated(2), [open_stream(), open_stream(other.address)])
    await caught_up(match, worker, other)
    rewind(match, (await heads(worker, match))[-3])
    assert all(await asyncio.gather(*map(RawSeat.play, seats, streams)))
    assert [seat.log.epoch for seat in seats] == [2, 2]
    assert {head.epoch for head in await heads(worker, match)} == {1, 2}
    assert await raised(worker, match) == [(2,)]
    for seat, stream in zip(seats, streams, strict=True):
        assert stream.kinds().count("rewound") == 1
        assert seat.over


async def test_a_worker_that_finds_it_raised_in_the_last_moment_does_not_raise_it_again(
    seated: Seated,
    worker: Worker,
    open_stream: OpenStream,
    rewind: Rewind,
    start_worker: StartWorker,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Both have loaded the rest. One has raised the epoch, and the other gets that entry before its own batch."""
    other = await start_worker()
    match, seats, streams = await at_two_workers(await seated(2), [open_stream(), open_stream(other.address)])
    await caught_up(match, worker, other)
    rewind(match, (await heads(worker, match))[-3])
    late = other.hosts.by_match[match]
    held: list[MatchHost] = []
    load, schedule = other.hosts.load, other.hosts.schedule

    async def load_and_wait(match: str, since: Head) -> LoadedMatch:
        patch.setattr(other.hosts, "schedule", held.append)
        return await load(match, since)

    with monkeypatch.context() as patch:
        patch.setattr(other.hosts, "load", load_and_wait)
        reading = asyncio.create_task(other.hosts.read(match, lambda hosted: hosted.running))
        async with asyncio.timeout(10):
            while not held:
                await other.hosts.store.log.head(match)
            assert await worker.hosts.read(match, lambda hosted: hosted.running)
            while late.head.epoch == 1:
                await other.hosts.store.log.head(match)
    schedule(late)
    assert await reading
    assert all(await asyncio.gather(*map(RawSeat.play, seats, streams)))
    assert await raised(worker, match) == [(2,)]


async def test_it_is_told_though_the_store_is_lost_once_more(
    seated: Seated, worker: Worker, open_stream: OpenStream, rewind: Rewind, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is lost while the epoch is raised, and no client sends anything, since each waits for the other."""
    monkeypatch.setattr(match_host, "_RETRY_SECONDS", 0.01)
    tickets = await seated(2)
    match, seats, stream = key(tickets[0]), table(tickets), open_stream()
    await sit_down(stream, seats, 5)
    await worker.hosts.read(match, lambda _: None)  # after all that was sent
    rewind(match, (await heads(worker, match))[-4])
    load, times, told = worker.hosts.load, [], len(stream.received)

    def lost(*_: object) -> None:
        times.append("commit")
        if times.count("commit") == 2:
            worker.hosts.load = lost_as_well  # type: ignore[method-assign]
        raise NotExecuted("lost")

    async def lost_as_well(match: str, since: Head) -> LoadedMatch:
        times.append("load")
        worker.hosts.load = load  # type: ignore[method-assign]
        patch.undo()
        raise NotExecuted("lost")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker.hosts.store, "commit", lost)
        with pytest.raises(NotExecuted):
            await worker.hosts.read(match, lambda _: None)
        assert (await stream.next("rewound")).epoch == 2
    assert times == ["commit", "commit", "load"]
    for seat in seats:
        await seat.take(stream, stream.received[told:])
    assert await play_together(stream, seats)


async def test_a_log_that_another_worker_has_continued_is_another_history(
    seated: Seated, worker: Worker, open_stream: OpenStream, rewind: Rewind, start_worker: StartWorker
) -> None:
    """It has the same version numbers, but other entries than this worker has sent; clients learn it though it is
    longer.
    """
    tickets = await seated(2)
    match, seats, stream = key(tickets[0]), table(tickets), open_stream()
    await sit_down(stream, seats, 4)
    await leave(stream, worker, match)
    known = worker.hosts.by_match[match].head
    rewind(match, (await heads(worker, match))[-3])
    innocent = await start_worker()  # has seen nothing of what is lost
    again, elsewhere = table(tickets), open_stream(innocent.address)
    await sit_down(elsewhere, again, 4)
    assert (await heads(innocent, match))[-1].version > known.version
    late = open_stream()
    await late.subscribe(tickets[0], start=seats[0].log.cursor)
    assert (await late.next("snapshot")).observation.epoch == 2
    assert (await elsewhere.next("rewound", 2)).epoch == 2


async def lengths(worker: Worker, match: str, head: Head) -> list[int]:
    """Return the lengths of all information logs at a version."""
    counts: list[int] = []
    for entry in await worker.hosts.store.log.read(match):
        log_counters = decode_record(entry.payload).log_counters
        counts = log_counters.counts if log_counters is not None else counts
        if entry.head == head:
            return counts
    raise AssertionError(f"{head} is not in the log")


def rewinds(stream: RawStream, seat: RawSeat) -> list[tuple[int, int]]:
    """Return the epoch and the last valid entry of each rewind that a seat was told of."""
    mine = [item.rewound for item in stream.received if item.subscription == seat.subscription]
    return [(told.epoch, told.last) for told in mine if told.epoch]


async def test_what_stands_is_told_though_another_worker_has_gone_on_with_other_entries(
    seated: Seated,
    start_worker: StartWorker,
    proxy: StoreProxy,
    open_stream: OpenStream,
    rewind: Rewind,
    worker: Worker,
) -> None:
    """The worker that remembers is cut off from the store, while one that does not makes the log longer than it was."""
    cut_off = await start_worker(proxy.url)
    tickets = await seated(2)
    match, seats, stream = key(tickets[0]), table(tickets), open_stream(cut_off.address)
    await sit_down(stream, seats, 6)
    await cut_off.hosts.read(match, lambda _: None)
    kept = (await heads(worker, match))[-4]
    stands = await lengths(worker, match, kept)
    before = [seat.log.number for seat in seats]
    assert all(stands[seat.ticket.seat] < known for seat, known in zip(seats, before, strict=True))
    await proxy.refuse()
    rewind(match, kept)
    again, elsewhere = table(tickets), open_stream(worker.address)
    del worker.hosts.by_match[match]  # has seen nothing of what is lost
    await sit_down(elsewhere, again, 8)
    assert all(seat.log.number > known for seat, known in zip(again, before, strict=True))
    await proxy.listen()
    for seat in seats:
        await stream.next("rewound", seat.subscription)
        assert rewinds(stream, seat) == [(2, stands[seat.ticket.seat])]


async def test_a_loss_of_what_followed_a_loss_raises_the_epoch_once_more(
    seated: Seated, worker: Worker, open_stream: OpenStream, rewind: Rewind
) -> None:
    tickets = await seated(2)
    match, seats, stream = key(tickets[0]), table(tickets), open_stream()
    await sit_down(stream, seats, 5)
    before = await heads(worker, match)
    stands = [await lengths(worker, match, before[-2]), await lengths(worker, match, before[-4])]
    for head in (before[-2], before[-4]):  # the second takes the epoch away that the first has begun
        rewind(match, head)
        await worker.hosts.read(match, lambda _: None)
    await stream.ping()
    for seat in seats:
        told = rewinds(stream, seat)
        assert told == [(2, stands[0][seat.ticket.seat]), (3, stands[1][seat.ticket.seat])]
    assert await raised(worker, match) == [(3,)]


async def test_records_of_another_history_are_not_told_before_the_rewind(
    seated: Seated, worker: Worker, open_stream: OpenStream, rewind: Rewind, start_worker: StartWorker
) -> None:
    """When the worker is about to raise the epoch, one without memory is faster."""
    innocent = await start_worker()
    tickets = await seated(2)
    match, seats, stream = key(tickets[0]), table(tickets), open_stream()
    await sit_down(stream, seats, 5)
    await worker.hosts.read(match, lambda _: None)
    await stream.ping()
    kept = (await heads(worker, match))[-2]
    stands = await lengths(worker, match, kept)
    rewind(match, kept)
    again, elsewhere = table(tickets), open_stream(innocent.address)
    told, commit = len(stream.received), worker.hosts.store.commit

    def too_late(draft: Draft, done: Callable[[Outcome], None]) -> None:
        async def overtaken() -> None:
            await sit_down(elsewhere, again, 8)
            commit(draft, done)

        patch.undo()
        worker.hosts.spawn(overtaken())

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker.hosts.store, "commit", too_late)
        await worker.hosts.read(match, lambda _: None)
    assert all(new.log.number > old.log.number for new, old in zip(again, seats, strict=True))
    await stream.ping()
    for seat in seats:
        mine = [item for item in stream.received[told:] if item.subscription == seat.subscription]
        kinds = [item.WhichOneof("item") for item in mine]
        assert "entries" not in kinds[: kinds.index("rewound")]
        assert rewinds(stream, seat) == [(2, stands[seat.ticket.seat])]


@pytest.mark.parametrize("late", [False, True])
async def test_a_match_whose_end_is_lost_in_the_last_moment_is_not_archived_with_it(
    late: bool, client: AsyncClient, worker: Worker, rewind: Rewind, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The end is lost before or after the last check before archiving. It has been told: the match does not go on."""
    made = await client.create_match("teaching", 2)
    match = made.name.removeprefix("matches/")
    await worker.hosts.change(match, partial(match_changes.end_early, kind=Ending.ABORTED, reason=""))
    before, read = await heads(worker, match), worker.hosts.store.log.read

    async def read_late(match: str, *bounds: Any) -> list[Entry]:
        rewind(match, before[0])
        return await read(match, *bounds)

    with monkeypatch.context() as patch:
        if late:
            patch.setattr(worker.hosts.store.log, "read", read_late)
        else:
            rewind(match, before[0])
        # If that is seen before, the match ends once more, which is archived.
        assert await worker.hosts.archive_match(match) is not late
    found = await client.match(made.name)
    assert (found.state, found.result and found.result.kind) == ("over", "infrastructure")
    assert [head.epoch for head, _ in await worker.hosts.records(match)] == [1, 2]


@pytest.mark.parametrize("stage", ["live", "over"])
async def test_a_match_that_the_store_has_lost_is_told_as_lost(
    stage: str, seated: Seated, worker: Worker, open_stream: OpenStream, raw: redis.Redis, client: AsyncClient
) -> None:
    """It is not in the archive either. One that was over is lost as well, but its streams have been told of its end."""
    tickets = await seated(2)
    match, seats, stream = key(tickets[0]), table(tickets), open_stream()
    await sit_down(stream, seats, 3)
    if stage == "over":
        worker.hosts.host(match).add_listener(DecisionWaiter(0, 0))  # so that there is one that is told
        assert await play_together(stream, seats)
    await worker.hosts.read(match, lambda _: None)  # after all that was sent
    await stream.ping()
    told = len(stream.received)
    raw.delete(*keys.of_match(match))
    with capture_logs() as lines, pytest.raises(Denied, match="no such match"):
        await worker.hosts.read(match, lambda _: None)
    await stream.ping()
    kinds = [(item.subscription, item.WhichOneof("item")) for item in stream.received[told:]]
    if stage == "over":
        assert kinds == [(0, "pong")]
        assert lines == []
        return
    for number in (1, 2):
        assert [kind for subscription, kind in kinds if subscription == number] == ["match", "closed"]
    over, closed = stream.received[told].match, (await stream.next("closed")).reason
    assert (over.state, over.result.kind) == (common_pb2.MATCH_STATE_OVER, common_pb2.RESULT_KIND_INFRASTRUCTURE)
    assert closed == play_pb2.CLOSED_REASON_OVER
    assert lines == [{"event": "match_lost", "match": match, "log_level": "error"}]
    with pytest.raises(NotFound, match="no such match"):
        await client.match(tickets[0].match)


async def test_delayed_spectators_of_a_lost_match_are_told_in_their_time(
    client: AsyncClient, worker: Worker, raw: redis.Redis, clock: HandClock
) -> None:
    made = await client.create_match("teaching", 2, watch_delay=2.0)
    match = made.name.removeprefix("matches/")
    watched, listener = await worker.hosts.spectator_host(match), DecisionWaiter(0, 0)
    watched.add_listener(listener)
    raw.delete(*keys.of_match(match))
    with pytest.raises(Denied, match="no such match"):
        await worker.hosts.read(match, lambda _: None)
    assert isinstance(watched, DelayedHost)
    watched.release(clock.now)
    assert watched.hosted is not None
    assert not watched.hosted.over
    watched.release(clock.now + 2000)
    assert watched.hosted.status.result is not None
    assert watched.hosted.status.result.kind is Ending.INFRASTRUCTURE


async def test_a_match_that_had_not_begun_gets_another_secret(
    client: AsyncClient, worker: Worker, rewind: Rewind, raw: redis.Redis
) -> None:
    made = await client.create_match("teaching", 2)
    match = made.name.removeprefix("matches/")
    await client.join(made.name)
    opened = await heads(worker, match)
    secret = worker.hosts.by_match[match].hosted
    assert secret is not None
    before = secret.terms.secret
    await client.join(made.name)  # begins: the first cards are dealt
    rewind(match, opened[0])
    again = await client.match(made.name)
    assert again.state == "open"
    hosted = await worker.hosts.read(match, lambda hosted: hosted)
    assert hosted.terms.secret != before
    seats = [await client.join(made.name) for _ in range(2)]
    assert [seat.number for seat in seats] == [0, 1]
