"""Bounded reading of logs: a page of a replay reads the records that hold it, wherever it lies. Counts, no seconds."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import pytest_asyncio

from landsraad.v1 import table_pb2
from landsraad.wire.tables import layout_message
from landsraad_engine.kernel.zones import Layout
from landsraad_server.api import replays_service
from landsraad_server.matches import archive, hosted_match, match_hosts
from landsraad_server.matches.records import LogRecord, Waypoint, decode_log_record
from landsraad_server.process.worker import Worker
from landsraad_server.store import Entry, Head
from landsraad_testkit import DrivenMatch
from landsraad_testkit.calls import Calls

pytestmark = pytest.mark.asyncio

Seat = Callable[..., Awaitable[DrivenMatch]]

#: Versions from one waypoint to the next; matches of the small game are too short for the usual number.
EVERY = 8
#: Records read before the first wanted entry and after the last one at most.
AROUND = 2 * EVERY


class Reads:
    """Counts of what is read of a match's log, by page."""

    def __init__(self, worker: Worker, patch: pytest.MonkeyPatch) -> None:
        self.decoded = self.fetched = self.unpacked = 0
        read, read_file = worker.hosts.store.log.read, worker.hosts.archive.read

        def decode(payload: bytes) -> LogRecord:
            self.decoded += 1
            return decode_log_record(payload)

        async def counted(match: str, *bounds: Any) -> list[Entry]:
            found = await read(match, *bounds)
            self.fetched += len(found)
            return found

        def file(name: str) -> bytes | None:
            self.unpacked += 1
            return read_file(name)

        patch.setattr(match_hosts, "decode_log_record", decode)
        patch.setattr(worker.hosts.store.log, "read", counted)
        patch.setattr(worker.hosts.archive, "read", file)

    def clear(self) -> None:
        self.decoded = self.fetched = self.unpacked = 0


@pytest.fixture
def reads(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> Reads:
    return Reads(worker, monkeypatch)


@pytest_asyncio.fixture
async def long_match(table: Seat, worker: Worker, monkeypatch: pytest.MonkeyPatch) -> str:
    """A finished match with several waypoints."""
    monkeypatch.setattr(hosted_match, "SNAPSHOT_EVERY", EVERY)
    played = await table(3, options={"rounds": 8})
    await played.play()
    match = played.tickets[0].match.removeprefix("matches/")
    assert await worker.hosts.read(match, lambda hosted: hosted.over)
    assert await worker.hosts.read(match, lambda hosted: len(hosted.waypoints)) >= 4
    return match


async def page(calls: Calls, match: str, start: int, size: int, seat: int | None = None) -> Any:
    fields: dict[str, Any] = {"name": f"replays/{match}", "seat": seat, "page_size": size, "from": start}
    return await calls("Replays/GetReplay", **fields)


@pytest.mark.parametrize("archived", [False, True])
@pytest.mark.parametrize("seat", [0, None])
async def test_one_entry_is_read_by_the_records_around_it(
    archived: bool, seat: int | None, long_match: str, worker: Worker, calls: Calls, reads: Reads
) -> None:
    if archived:
        assert await worker.hosts.archive_match(long_match)
    whole = list((await page(calls, long_match, 1, 5000, seat)).entries.entries)
    versions = reads.decoded
    assert versions > 2 * AROUND
    for number in (1, 2, len(whole) // 3, len(whole) // 2, len(whole) - 1, len(whole)):
        reads.clear()
        answer = await page(calls, long_match, number, 1, seat)
        assert list(answer.entries.entries) == [whole[number - 1]]
        assert answer.entries.first == number
        assert answer.next_from == (number + 1 if number < len(whole) else 0)
        assert 0 < reads.decoded <= AROUND
        assert reads.fetched == (0 if archived else reads.decoded)
        assert reads.unpacked == 0
    assert not (await page(calls, long_match, len(whole) + 1, 1, seat)).entries.entries


@pytest.mark.parametrize("archived", [False, True])
@pytest.mark.parametrize("size", [7, 40])
async def test_a_whole_replay_in_pages_reads_each_record_a_few_times_at_most(
    archived: bool, size: int, long_match: str, worker: Worker, calls: Calls, reads: Reads
) -> None:
    if archived:
        assert await worker.hosts.archive_match(long_match)
    whole = list((await page(calls, long_match, 1, 5000)).entries.entries)
    versions = reads.decoded
    reads.clear()
    told, start, pages = [], 1, 0
    while start:
        answer = await page(calls, long_match, start, size)
        told += answer.entries.entries
        start, pages = answer.next_from, pages + 1
    assert told == whole
    assert pages == -(-len(whole) // size)
    assert reads.decoded <= versions + pages * AROUND
    assert reads.unpacked == 0


async def test_the_layout_is_encoded_for_the_first_page_alone(
    long_match: str, calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoded: list[table_pb2.Layout] = []

    def encode(layout: Layout) -> table_pb2.Layout:
        encoded.append(layout_message(layout))
        return encoded[-1]

    monkeypatch.setattr(replays_service, "layout_message", encode)
    assert not (await page(calls, long_match, 2, 1)).HasField("layout")
    assert not encoded
    assert [(await page(calls, long_match, 1, 1)).layout] == encoded


async def test_a_page_of_a_log_that_was_rewound_behind_its_waypoint_is_read_to_the_end(
    long_match: str, worker: Worker, reads: Reads
) -> None:
    """Read on behind a lost waypoint: the records there may hold fewer entries, and the page must be full."""
    waypoints = await worker.hosts.read(long_match, lambda hosted: list(hosted.waypoints))
    lost: list[Waypoint] = [
        waypoints[0],
        *(Waypoint(one.version, one.epoch, b"lost", one.due, one.counts) for one in waypoints[1:]),
    ]
    first = waypoints[0].counts[0] + 1
    honest = await worker.hosts.history(long_match, 0, first, waypoints, last=first)
    reads.clear()
    found = await worker.hosts.history(long_match, 0, first, lost, last=first)
    assert len(found.records) > len(honest.records)
    assert next(found.after(first - 1)) == next(honest.after(first - 1))


async def test_no_version_after_the_last_one_allowed_is_read(long_match: str, worker: Worker) -> None:
    waypoints = await worker.hosts.read(long_match, lambda hosted: list(hosted.waypoints))
    ends = {None: 20, waypoints[0].counts[0] + 1: 2 * EVERY, waypoints[3].counts[0]: 20}
    for last, length in ends.items():
        history = await worker.hosts.history(long_match, 0, 1, waypoints, last=last, until=20)
        assert len(history.records) == length


async def test_the_cache_of_archived_logs_is_bounded_by_bytes() -> None:
    log = [(Head(1, 1, b"n", 0), bytes(10_000))]
    cache = archive.LogCache(most_bytes=35_000)
    for name in "abc":
        cache.put(name, log)
    assert cache.get("a") is log
    cache.put("d", log)  # evicts b, which was read least recently
    assert [name for name in "abcd" if cache.get(name)] == ["a", "c", "d"]
    assert cache.bytes <= 35_000
    cache.put("huge", log * 4)
    assert cache.get("huge") is None
    assert [name for name in "abcd" if cache.get(name)] == ["a", "c", "d"]
    for name in "acd":
        cache.drop(name)
    assert cache.bytes == 0
