"""Torn logs: a power loss has taken a part of the store's file. What is intact goes on in a new epoch."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
import redis
from structlog.testing import capture_logs

from landsraad import AsyncClient
from landsraad.v1 import play_pb2
from landsraad_engine.play.match import verify
from landsraad_engine.teaching.game import TEACHING
from landsraad_server.matches import match_changes
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.records import Ending, decode_record
from landsraad_server.process.worker import Worker
from landsraad_server.refusals import Denied
from landsraad_server.store import GENESIS, Entry, Head, Store, keys
from landsraad_server.store.errors import Rewound, Torn
from landsraad_testkit import RawSeat, play_together

if TYPE_CHECKING:
    from tests.server.conftest import OpenStream, Seated, StartWorker

pytestmark = pytest.mark.asyncio

TEARS = ("hole", "foreign entry", "end without its head", "head without its entry", "no head")


def tear(raw: redis.Redis, match: str, heads: list[Head], kind: str) -> Head:
    """Tear a log; return the last version that stands."""
    log, head = keys.log(match), keys.head(match)
    last, kept = heads[-1], heads[-4]
    after = kept.version + 1
    if kind == "hole":
        raw.xdel(log, f"{after}-0")
        return kept
    if kind == "foreign entry":
        entries: Any = raw.xrange(log)
        raw.delete(log)
        for number, fields in entries:
            if number == b"%d-0" % after:
                fields[b"e"] = Entry(last._replace(version=after), b"foreign.1", b"").encode()
            raw.xadd(log, fields, id=number)
        return kept
    if kind == "head without its entry":
        raw.xdel(log, *(f"{version}-0" for version in range(after, last.version + 1)))
        return kept
    if kind == "end without its head":
        raw.set(head, kept.encode())
    else:
        raw.delete(head)
    return last


async def heads_of(store: Store, match: str) -> list[Head]:
    return [entry.head for entry in await store.log.read(match)]


async def lengths(store: Store, match: str) -> dict[Head, list[int]]:
    """Return the lengths of all information logs at each version."""
    found: dict[Head, list[int]] = {}
    counts: list[int] = []
    for entry in await store.log.read(match):
        log_counters = decode_record(entry.payload).log_counters
        counts = found[entry.head] = counts if log_counters is None else log_counters.counts
    return found


def rename(hosted: HostedMatch, now: int, title: str) -> None:
    hosted.changes.terms().title = title


@pytest.mark.parametrize("kind", TEARS)
@pytest.mark.parametrize("knows", [True, False])
async def test_players_are_told_what_is_lost_and_go_on(
    kind: str,
    knows: bool,
    seated: Seated,
    worker: Worker,
    start_worker: StartWorker,
    open_stream: OpenStream,
    raw: redis.Redis,
    client: AsyncClient,
) -> None:
    """It is found by a worker that knows the match, or by one that has just been started."""
    tickets = await seated(2)
    match, stream = tickets[0].match.removeprefix("matches/"), open_stream()
    seats = [RawSeat(ticket, 2, subscription=number) for number, ticket in enumerate(tickets, 1)]
    for seat in seats:
        await seat.begin(stream, fresh=True)
    assert await play_together(stream, seats, 6)
    told = len(stream.received)
    await worker.hosts.read(match, lambda _: None)
    await stream.ping()
    counts = await lengths(worker.hosts.store, match)
    before = list(counts)
    stands = tear(raw, match, before, kind)
    finder = worker if knows else await start_worker()
    with capture_logs() as lines:
        if knows:
            worker.hosts.host(match).on_torn()  # any reason to load it will do
        await finder.hosts.read(match, lambda _: None)
        await worker.hosts.read(match, lambda _: None)
    assert {"event": "log_torn", "match": match, "log_level": "error"} in lines
    after = await heads_of(worker.hosts.store, match)
    assert after[: stands.version] == before[: stands.version]
    assert {head.epoch for head in after[stands.version :]} == {2}
    assert await worker.hosts.store.log.head(match) == after[-1]
    for seat in seats:
        rewound = await stream.next("rewound", seat.subscription)
        assert (rewound.epoch, rewound.last) == (2, counts[stands][seat.ticket.seat])
    for seat in seats:
        await seat.take(stream, stream.received[told:])
    assert await play_together(stream, seats)
    certificate = await client.certificate(tickets[0].match)
    assert [given[2] for given in certificate["journal"] if given[1] == "epoch"] == [(2,)]
    assert verify(TEACHING, certificate) == []
    assert worker.counters.faults + finder.counters.faults == 0


async def test_a_cursor_of_before_gets_a_snapshot(
    seated: Seated, start_worker: StartWorker, worker: Worker, open_stream: OpenStream, raw: redis.Redis
) -> None:
    tickets = await seated(2)
    match, stream = tickets[0].match.removeprefix("matches/"), open_stream()
    seats = [RawSeat(ticket, 2, subscription=number) for number, ticket in enumerate(tickets, 1)]
    for seat in seats:
        await seat.begin(stream, fresh=True)
    assert await play_together(stream, seats, 6)
    await worker.hosts.read(match, lambda _: None)
    await stream.ping()
    await stream.cut()
    tear(raw, match, await heads_of(worker.hosts.store, match), "hole")
    late = open_stream((await start_worker()).address)
    await late.subscribe(tickets[0], start=seats[0].log.cursor)
    snapshot = await late.next("snapshot")
    assert snapshot.reason == play_pb2.SNAPSHOT_REASON_OTHER_EPOCH
    assert snapshot.observation.epoch == 2


async def test_a_hole_before_the_snapshot_is_found_when_the_log_is_read(
    client: AsyncClient, worker: Worker, start_worker: StartWorker, raw: redis.Redis
) -> None:
    match = (await client.create_match("teaching", 2)).name.removeprefix("matches/")
    for number in range(35):
        await worker.hosts.change(match, partial(rename, title=str(number)))
    async with asyncio.timeout(10):
        while not raw.exists(keys.snapshot(match)):
            await worker.hosts.read(match, lambda _: None)
    raw.xdel(keys.log(match), "10-0")
    fresh = await start_worker()
    assert await fresh.hosts.read(match, lambda hosted: hosted.terms.title) == "34"
    with pytest.raises(Rewound):
        await fresh.hosts.records(match)
    assert await fresh.hosts.read(match, lambda hosted: hosted.terms.title) == "7"
    heads = await heads_of(fresh.hosts.store, match)
    assert [(head.version, head.epoch) for head in heads[7:]] == [(8, 1), (9, 1), (10, 2)]


async def test_a_finished_match_with_a_hole_is_not_archived_with_it(
    client: AsyncClient, worker: Worker, raw: redis.Redis
) -> None:
    made = await client.create_match("teaching", 2)
    match = made.name.removeprefix("matches/")
    for number in range(3):
        await worker.hosts.change(match, partial(rename, title=str(number)))
    end = partial(match_changes.end_early, kind=Ending.ABORTED, reason="")
    await worker.hosts.change(match, end)
    raw.xdel(keys.log(match), "3-0")
    assert not await worker.hosts.archive_match(match)
    found = await client.match(made.name)
    assert (found.state, found.result and found.result.kind) == ("over", "infrastructure")
    assert await worker.hosts.archive_match(match)


async def test_two_workers_mend_it_once(
    client: AsyncClient, worker: Worker, start_worker: StartWorker, raw: redis.Redis
) -> None:
    match = (await client.create_match("teaching", 2)).name.removeprefix("matches/")
    for number in range(5):
        await worker.hosts.change(match, partial(rename, title=str(number)))
    tear(raw, match, await heads_of(worker.hosts.store, match), "hole")
    both = [await start_worker() for _ in range(2)]
    await asyncio.gather(*(one.hosts.read(match, lambda _: None) for one in both))
    assert [head.epoch for head in await heads_of(worker.hosts.store, match)] == [1, 1, 1, 2]


async def test_a_worker_of_another_build_leaves_it_to_others(
    seated: Seated, worker: Worker, start_worker: StartWorker, raw: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = (await seated(2))[0].match.removeprefix("matches/")
    raw.delete(keys.head(match))
    other = await start_worker()
    with monkeypatch.context() as for_now:
        for_now.setattr(HostedMatch, "of_other_build", property(lambda _: True))
        with pytest.raises(Denied) as refused:
            await other.hosts.read(match, lambda _: None)
    assert refused.value.reason == "OTHER_BUILD"
    await other.hosts.read(match, lambda _: None)
    assert (await heads_of(worker.hosts.store, match))[-1].epoch == 2


@pytest.mark.parametrize("kind", TEARS)
async def test_loading_stops_at_the_break_and_a_commit_mends_it(kind: str, worker: Worker, raw: redis.Redis) -> None:
    store, head = worker.hosts.store, GENESIS
    heads: list[Head] = []
    for number in range(6):
        head = await store.committed(store.log.draft("m", head, b"%d" % number, over_epoch=0))
        heads.append(head)
    stands = tear(raw, "m", heads, kind)
    loaded = await store.log.load("m")
    assert (loaded.head, loaded.lost_epoch) == (stands, 1)
    assert loaded.found == (raw.get(keys.head("m")) or b"")
    if kind in ("hole", "foreign entry"):
        with pytest.raises(Torn):
            await store.log.read("m")
    draft = store.log.draft("m", stands, b"again", over_epoch=1, found=loaded.found)
    for _ in range(2):  # a second time does no harm
        assert await store.committed(draft) == draft.entry.head
    loaded = await store.log.load("m")
    assert (loaded.head, loaded.found) == (draft.entry.head, None)
    assert len(await store.log.read("m")) == stands.version + 1
    await store.committed(store.log.draft("m", draft.entry.head, b"and on"))
