"""Roster and match quotas: both are repaired if a worker dies in between."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from landsraad_server.store import GENESIS, IndexState, Listing, Store, keys, roster
from landsraad_server.store.roster import DEAD_MS
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
    for name in ("beat", "alive", "claim"):
        monkeypatch.setattr(roster, name.upper(), Script(name))  # as it is outside of tests
    before = now(raw)
    assert await store.roster.heartbeat("w") == 1
    assert await store.roster.heartbeat("w") == 0
    found: Any = raw.zrange(keys.ROSTER, 0, -1, withscores=True)
    [(_, seen)] = found
    assert before <= seen <= now(raw)
    await store.roster.announce_address("w", "here:1", "build")
    raw.zadd(keys.ROSTER, {"silent": before - DEAD_MS})
    await store.roster.announce_address("silent", "there:1", "build")
    assert await store.roster.addresses() == {"build": ["here:1"]}
    assert await store.roster.claim_dead() == ["silent"]
    assert await store.roster.claim_dead() == []


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
