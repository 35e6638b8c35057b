"""Clock sets: no clock is lost, leased twice at once, or later than the log says."""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING, Any

import pytest
import redis

from landsraad_server.store import GENESIS, Head, Store, clock_sets, connect, errors, keys
from landsraad_server.store.clock_sets import Lease

if TYPE_CHECKING:
    from tests.server.conftest import Health
    from tests.server.store.conftest import Connect

    from landsraad_testkit import StoreProxy

pytestmark = pytest.mark.asyncio


async def arm(store: Store, match: str, due: int) -> None:
    """Arm a clock and wait until it is written."""
    store.clocks.arm(match, due)
    store.clocks.flush()
    assert await store.clocks.armed(match) is not None


async def test_a_clock_fires_when_it_is_due(store: Store) -> None:
    await arm(store, "m", 1000)
    assert await store.clocks.lease(999) == []
    assert [lease.match for lease in await store.clocks.lease(1000)] == ["m"]


async def test_clocks_spread_over_all_sets_and_all_fire(store: Store, raw: redis.Redis) -> None:
    matches = {f"match-{number}" for number in range(400)}
    for match in matches:
        store.clocks.arm(match, 5)
    store.clocks.flush()
    fired: set[str] = set()
    while leases := await store.clocks.lease(5):
        fired |= {lease.match for lease in leases}
    assert fired == matches
    assert all(raw.zcard(keys.clock_set(number)) for number in range(keys.CLOCK_SETS))


async def test_of_two_workers_only_one_leases_a_clock(store: Store, connected: Connect) -> None:
    other = await connected()
    for number in range(100):
        store.clocks.arm(f"m{number}", 1000)
    store.clocks.flush()
    await store.clocks.armed("m0")
    ours, theirs = await asyncio.gather(store.clocks.lease(1000), other.clocks.lease(1000))
    leased = [lease.match for lease in (*ours, *theirs)]
    assert sorted(leased) == sorted(f"m{number}" for number in range(100))


async def test_a_clock_whose_holder_died_fires_again(store: Store, connected: Connect) -> None:
    await arm(store, "m", 1000)
    await store.clocks.lease(1000, lease_ms=500)
    other = await connected()
    assert await other.clocks.lease(1500) == []
    assert [lease.match for lease in await other.clocks.lease(1501)] == ["m"]


async def test_a_set_that_is_away_keeps_no_clock_of_another_from_firing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise clocks leased from the other sets would be dropped, again and again."""
    send, away = store.link.send, keys.clock_set(keys.CLOCK_SETS - 1)

    def sent(key: bytes, *command: Any, **how: Any) -> None:
        if key == away:
            raise errors.NotExecuted("its node is away")
        send(key, *command, **how)

    assert keys.clock_set(keys.clock_number("m")) != away
    await arm(store, "m", 1000)
    monkeypatch.setattr(store.link, "send", sent)
    assert [lease.match for lease in await store.clocks.lease(1000)] == ["m"]


async def test_settling_gives_the_next_time_or_none(store: Store) -> None:
    await arm(store, "m", 1000)
    [lease] = await store.clocks.lease(1000)
    await store.clocks.settle(lease, 3000)
    assert await store.clocks.armed("m") == 3000
    [lease] = await store.clocks.lease(3000)
    await store.clocks.settle(lease, 0)
    assert await store.clocks.armed("m") is None


async def test_arming_only_ever_brings_a_clock_forward(store: Store) -> None:
    await arm(store, "m", 1000)
    await arm(store, "m", 2000)
    assert await store.clocks.armed("m") == 1000
    await arm(store, "m", 500)
    assert await store.clocks.armed("m") == 500


async def test_a_holder_that_knows_less_than_the_log_does_not_delay_a_clock(store: Store) -> None:
    await arm(store, "m", 1000)
    [lease] = await store.clocks.lease(1000, lease_ms=100)
    await arm(store, "m", 2000)  # a deadline committed meanwhile, unknown to the holder
    await store.clocks.settle(lease, 9000)
    assert await store.clocks.armed("m") == 1100


async def test_a_holder_that_knows_less_than_the_log_does_not_take_a_clock_out(store: Store) -> None:
    """It found no deadline in the head, but another worker has committed one since."""
    store.clocks.arm("m", 1000)
    store.clocks.flush()
    [lease] = await store.clocks.lease(1000)
    head = await store.committed(store.log.draft("m", GENESIS, b"", due=5000))
    store.clocks.flush()
    await store.clocks.settle(lease, 0)
    armed = await store.clocks.armed("m")
    assert armed is not None
    assert armed <= head.due


async def test_a_commit_arms_only_what_comes_sooner(store: Store) -> None:
    first = await store.committed(store.log.draft("m", GENESIS, b"", due=1000))
    store.clocks.flush()
    assert await store.clocks.armed("m") == 1000
    later = await store.committed(store.log.draft("m", first, b"", due=2000))
    sooner = await store.committed(store.log.draft("m", later, b"", due=1500))
    store.clocks.flush()
    assert await store.clocks.armed("m") == 1000
    assert sooner.due == 1500


async def cut_off_from(proxy: StoreProxy, health: type[Health]) -> tuple[Store, Health]:
    """A store that was connected and then lost."""
    found = await connect(proxy.url)
    state = health(found)
    await proxy.refuse()
    await state.becomes(up=False)
    return found, state


async def test_arming_survives_a_store_that_is_away(
    store: Store, proxy: StoreProxy, health: type[Health], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock_sets, "GATHER_SECONDS", 0.01)
    cut_off, state = await cut_off_from(proxy, health)
    cut_off.clocks.arm("m", 1000)
    cut_off.clocks.flush()
    await proxy.listen()
    await state.becomes(up=True)
    cut_off.clocks.flush()
    await cut_off.clocks.armed("m")
    assert await store.clocks.armed("m") == 1000
    await cut_off.close()


async def test_what_cannot_be_written_at_the_end_is_not_tried_for_ever(
    proxy: StoreProxy, health: type[Health], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next worker of the match arms its clock, or the sweeper does."""
    monkeypatch.setattr(clock_sets, "GATHER_SECONDS", 0)
    cut_off, _ = await cut_off_from(proxy, health)
    flush, flushed = cut_off.clocks.flush, 0

    def counted() -> None:
        nonlocal flushed
        flushed += 1
        flush()

    monkeypatch.setattr(cut_off.clocks, "flush", counted)
    cut_off.clocks.arm("m", 1000)
    await cut_off.close()
    known = flushed
    for _ in range(5):
        await asyncio.sleep(0)
    assert flushed == known


@pytest.mark.parametrize("seed", range(40))
async def test_however_commits_and_leases_interleave_no_clock_is_late(store: Store, seed: int) -> None:
    """Workers commit, lease, read the head and settle in any order; each arms the clock after its commit."""
    chance = random.Random(seed)
    head, now = GENESIS, 1000
    held: list[tuple[Lease, Head | None]] = []  # leases, and the head read under them
    for _ in range(40):
        act = chance.choice(("commit", "commit", "lease", "read", "settle"))
        if act == "commit":
            due = chance.choice((0, now + chance.randrange(1, 50), now + chance.randrange(1, 50)))
            head = await store.committed(store.log.draft("m", head, b"", due=due))
            store.clocks.flush()
        elif act == "lease":
            now += chance.randrange(20)
            held += [(lease, None) for lease in await store.clocks.lease(now, lease_ms=30)]
        elif held:
            place = chance.randrange(len(held))
            lease, known = held.pop(place)
            if act == "read" or known is None:
                held.append((lease, await store.log.head("m")))
            else:
                await store.clocks.settle(lease, known.due)
    for lease, known in held:
        await store.clocks.settle(lease, (known or await store.log.head("m")).due)
    if head.due:
        armed = await store.clocks.armed("m")
        assert armed is not None
        assert armed <= head.due
