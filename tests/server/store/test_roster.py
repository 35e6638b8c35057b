"""Roster and match quotas: both are repaired if a worker dies in between."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from landsraad_server.store import GENESIS, IndexState, Listing, Store, keys, roster
from landsraad_server.store.errors import StoreError
from landsraad_server.store.roster import DEAD_MS, WorkerAnnouncement
from landsraad_server.store.scripts import Script
from landsraad_testkit import HandClock

if TYPE_CHECKING:
    import redis
    from tests.server.store.conftest import Connect

pytestmark = pytest.mark.asyncio

NOW = 1_000_000


def now(raw: redis.Redis) -> int:
    """Return the store's time in ms."""
    time: Any = raw.time()
    seconds, us = time
    return int(seconds * 1000 + us // 1000)


async def test_a_dead_worker_is_taken_on_by_one_and_found_again_if_that_one_dies_too(
    store: Store, connected: Connect, clock: HandClock
) -> None:
    other = await connected()
    await store.roster.heartbeat("dead")
    clock.advance(1)
    await store.roster.heartbeat("alive")
    clock.advance(DEAD_MS - 1)
    assert await store.roster.claim_dead() == ["dead"]
    assert await other.roster.claim_dead() == []
    clock.advance(1)
    await store.roster.heartbeat("alive")
    clock.advance(DEAD_MS - 1)
    assert await other.roster.claim_dead() == ["dead"]
    await other.roster.forget("dead")
    clock.advance(DEAD_MS)
    await store.roster.heartbeat("alive")
    assert await store.roster.claim_dead() == []


async def test_the_roster_goes_by_the_time_of_the_store(
    store: Store, raw: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Workers' clocks may differ by more than the time after which a worker is dead."""
    for name in ("beat", "roster", "claim"):
        monkeypatch.setattr(roster, name.upper(), Script(name))  # as it is outside of tests
    before = now(raw)
    assert await store.roster.heartbeat("w") == 1
    assert await store.roster.heartbeat("w") == 0
    found: Any = raw.zrange(keys.ROSTER, 0, -1, withscores=True)
    [(_, seen)] = found
    assert before <= seen <= now(raw)
    await store.roster.heartbeat("w", WorkerAnnouncement("build", "here:1"))
    await store.roster.heartbeat("silent", WorkerAnnouncement("build", "there:1"))
    raw.zadd(keys.ROSTER, {"silent": before - 2 * DEAD_MS})
    await store.roster.refresh()
    assert store.roster.addresses() == {"build": ["here:1"]}
    assert await store.roster.claim_dead() == ["silent"]
    assert await store.roster.claim_dead() == []


async def roster_of(stores: list[Store]) -> list[dict[str, WorkerAnnouncement]]:
    """Return the roster as each of these stores reads it."""
    await asyncio.gather(*(one.roster.refresh() for one in stores))
    return [one.roster.workers for one in stores]


async def test_all_learn_of_those_that_come_change_and_go(connected: Connect) -> None:
    stores = [await connected() for _ in range(3)]
    first, second, third = stores
    assert await roster_of(stores) == [{}] * 3
    await first.roster.heartbeat("one", WorkerAnnouncement("build", "here:1"))
    await second.roster.heartbeat("two", WorkerAnnouncement("build", ""))
    both = {"one": WorkerAnnouncement("build", "here:1"), "two": WorkerAnnouncement("build", "")}
    assert await roster_of(stores) == [both] * 3
    assert not await third.roster.refresh(), "nothing has changed since"
    await first.roster.heartbeat("one", WorkerAnnouncement("other", "here:2"))
    await third.roster.mark_dead("two")
    assert await roster_of(stores) == [{"one": WorkerAnnouncement("other", "here:2")}] * 3
    assert first.roster.addresses() == {"other": ["here:2"]}
    await second.roster.heartbeat("two", WorkerAnnouncement("build", ""))
    assert (await roster_of(stores))[0].keys() == {"one", "two"}, "one taken for dead says so when it is not"


@pytest.mark.parametrize("lost", ["changes", "version", "both"])
async def test_who_is_too_far_behind_reads_the_roster_in_full(
    store: Store, connected: Connect, raw: redis.Redis, lost: str
) -> None:
    """The stream of changes was cut, or a failover has lost the end of all."""
    other = await connected()
    for number in range(5):
        await store.roster.heartbeat(f"w{number}", WorkerAnnouncement("build", f"here:{number}"))
    await other.roster.refresh()
    await store.roster.withdraw_address("w0")
    await store.roster.heartbeat("w9", WorkerAnnouncement("build", "here:9"))
    if lost in ("changes", "both"):
        raw.delete(keys.ROSTER_CHANGES)
    if lost in ("version", "both"):
        raw.set(keys.ROSTER_VERSION, 2)
    await other.roster.refresh()
    assert other.roster.workers.keys() == {"w1", "w2", "w3", "w4", "w9"}


async def test_a_lost_connection_means_a_full_read(store: Store, raw: redis.Redis) -> None:
    await store.roster.heartbeat("w", WorkerAnnouncement("build", "here:1"))
    await store.roster.refresh()
    raw.hset(keys.ADDRESSES, "w", "build there:1")  # another history, of the same length
    await store.roster.refresh()
    assert store.roster.addresses() == {"build": ["here:1"]}
    raw.client_kill_filter(_type="normal", skipme=True)
    async with asyncio.timeout(10):
        while store.roster.addresses() != {"build": ["there:1"]}:
            with suppress(StoreError):
                await store.roster.refresh()
            await asyncio.sleep(0)


async def test_a_second_of_an_unchanged_roster_costs_the_same_however_many_workers_there_are(
    connected: Connect, raw: redis.Redis
) -> None:
    """Each worker read all others, so the bytes grew with the square of their number."""
    stores = [await connected() for _ in range(3)]

    async def read(workers: int, seconds: int) -> tuple[float, float]:
        """Return the commands and bytes for each worker and second."""

        async def second() -> None:
            for number in range(workers):
                roster = stores[number % len(stores)].roster
                assert await roster.heartbeat(f"w{number}", WorkerAnnouncement("build", f"host-{number}:7447")) == 0
                await roster.refresh()

        for number in range(workers):
            await stores[0].roster.heartbeat(f"w{number}", WorkerAnnouncement("build", f"host-{number}:7447"))
        await second()
        commands, written = counted(raw)
        for _ in range(seconds):
            await second()
        after = counted(raw)
        return (after[0] - commands) / workers / seconds, (after[1] - written) / workers / seconds

    few, many = await read(3, 100), await read(60, 5)
    assert few[0] == pytest.approx(2, abs=0.1)
    assert many[0] == pytest.approx(2, abs=0.1)
    assert many[1] < 1.2 * few[1]
    assert many[1] < 100, "bytes"


def counted(raw: redis.Redis) -> tuple[int, int]:
    """Return the scripts that the store has run, and the bytes that it has written."""
    stats: Any = raw.info("commandstats")
    written: Any = raw.info("stats")
    scripts = sum(stats.get(f"cmdstat_{name}", {}).get("calls", 0) for name in ("eval", "evalsha"))
    return int(scripts), int(written["total_net_output_bytes"])


@pytest.mark.parametrize(
    ("state", "counts"), [(IndexState.OPEN, True), (IndexState.LIVE, True), (IndexState.OVER, False)]
)
async def test_of_a_full_set_only_those_that_are_not_over_count(store: Store, state: IndexState, counts: bool) -> None:
    """The worker that ended the match died before it removed it from the set."""
    assert await store.quotas.reserve("alice", "m", 1, 0)
    listing = Listing(0, state, b"")
    draft = store.log.draft("m", GENESIS, b"", listing=listing)
    await store.committed(draft)
    await store.index.put("m", draft.listing)
    assert await store.quotas.reserve("alice", "another", 1, NOW) is not counts


async def test_as_many_as_there_may_be_count_also_if_they_come_at_once(store: Store, connected: Connect) -> None:
    other = await connected()
    takes = [one.quotas.reserve("alice", f"m{number}", 3, NOW) for number in range(5) for one in (store, other)]
    taken = await asyncio.gather(*takes)
    assert taken == [True] * 6 + [False] * 4
    assert await store.quotas.reserve("alice", "m0", 3, NOW), "and twice does no harm"
