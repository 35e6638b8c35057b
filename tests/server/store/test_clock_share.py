"""Clock share: each set has one poller, and gets another soon after that one is dead."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio

from landsraad_server.store import Store, clock_sets, keys
from landsraad_server.store.clock_share import SILENCE_MS, ClockShare

if TYPE_CHECKING:
    import redis
    from tests.server.store.conftest import Connect

pytestmark = pytest.mark.asyncio

SETS = set(range(keys.CLOCK_SETS))


@pytest_asyncio.fixture
async def shares(connected: Connect) -> list[ClockShare]:
    """Three workers that know of each other."""
    names = ["one", "two", "three"]
    made = [ClockShare((await connected()).link, name) for name in names]
    for share in made:
        share.divide(names)
    return made


async def polled(shares: list[ClockShare]) -> list[set[int]]:
    """Poll once for each, and return the sets that each of them polls."""
    for share in shares:
        await share.poll(0)
    return [set(share.polled) for share in shares]


def commands(raw: redis.Redis) -> int:
    stats: Any = raw.info("commandstats")
    return sum(int(stats.get(f"cmdstat_{name}", {}).get("calls", 0)) for name in ("evalsha", "eval"))


async def test_each_set_has_one_poller(shares: list[ClockShare]) -> None:
    await polled(shares)  # the first has found all of them without one
    found = await polled(shares)
    assert set.union(*found) == SETS
    assert sum(map(len, found)) == len(SETS)
    assert all(found)


@pytest.mark.parametrize("workers", [1, 2, 3])
async def test_more_workers_poll_no_more(shares: list[ClockShare], raw: redis.Redis, workers: int) -> None:
    """Each worker polled all sets, so that the store had the more to do the more workers there were."""
    present = shares[:workers]
    for share in present:
        share.divide([name for name, _ in zip(["one", "two", "three"], present, strict=False)])
    await polled(present)
    await polled(present)
    before = commands(raw)
    for _ in range(5):  # far less than the silence after which others look
        await polled(present)
    assert commands(raw) - before <= 5 * len(SETS) + workers * len(SETS)


async def test_a_clock_is_found_by_the_poller_alone(shares: list[ClockShare], store: Store) -> None:
    await polled(shares)
    await polled(shares)
    for number in range(50):
        store.clocks.arm(f"m{number}", 1000)
    store.clocks.flush()
    await store.clocks.armed("m0")
    found = [await share.poll(1000) for share in shares]
    assert sorted(lease.match for leases in found for lease in leases) == sorted(f"m{number}" for number in range(50))
    for share, leases in zip(shares, found, strict=True):
        assert {keys.clock_number(lease.match) for lease in leases} <= share.polled


async def test_the_sets_of_a_dead_worker_are_taken_over_in_time(shares: list[ClockShare], raw: redis.Redis) -> None:
    """The roster still has it: that it is dead is seen there only seconds later."""
    await polled(shares)
    before = await polled(shares)
    died, [*living] = shares[0], shares[1:]
    assert all(0 < raw.pttl(keys.clock_poller(number)) <= SILENCE_MS for number in SETS)
    async with asyncio.timeout(10):
        while set.union(*(await polled(living))) != SETS:  # noqa: ASYNC110  the store's own time has to pass
            await asyncio.sleep(0.02)
    assert (await polled([died]))[0] == before[0], "it was only slow: its own sets are its again"
    assert set.union(*(await polled(living))) == SETS - before[0]


async def test_a_worker_that_comes_takes_its_own_sets_at_once(shares: list[ClockShare]) -> None:
    first, second, _ = shares
    first.divide(["one"])
    assert await polled([first]) == [SETS]
    second.divide(["one", "two"])  # the first has yet to read of it
    await polled([first, second])
    took = set(second.polled)
    assert took
    first.divide(["one", "two"])
    assert await polled([first, second]) == [SETS - took, took]


async def test_a_worker_that_knows_of_nobody_polls_what_nobody_does(connected: Connect) -> None:
    """Before its first look at the roster, and of a service whose workers announce nothing."""
    alone, other = [ClockShare((await connected()).link, name) for name in ("alone", "other")]
    assert await polled([alone, other]) == [SETS, set()]


async def test_leases_are_those_of_clock_sets(shares: list[ClockShare], store: Store) -> None:
    store.clocks.arm("m", 1000)
    store.clocks.flush()
    assert await store.clocks.armed("m") == 1000
    [lease] = await shares[0].poll(1000)
    assert await store.clocks.armed("m") == 1000 + clock_sets.LEASE_MS + 0.5
    await store.clocks.settle(lease, 7000)
    assert await store.clocks.armed("m") == 7000
