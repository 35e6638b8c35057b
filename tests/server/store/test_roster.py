"""Roster and match quotas: both are repaired if a worker dies in between."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from landsraad_server.store import GENESIS, IndexState, Listing, Store
from landsraad_server.store.roster import DEAD_MS

if TYPE_CHECKING:
    from tests.server.store.conftest import Connect

pytestmark = pytest.mark.asyncio

NOW = 1_000_000


async def test_a_dead_worker_is_taken_on_by_one_and_found_again_if_that_one_dies_too(
    store: Store, connected: Connect
) -> None:
    other = await connected()
    await store.roster.heartbeat("dead", NOW)
    await store.roster.heartbeat("alive", NOW + 1)
    assert await store.roster.claim_dead(NOW + DEAD_MS) == ["dead"]
    assert await other.roster.claim_dead(NOW + DEAD_MS) == []
    await store.roster.heartbeat("alive", NOW + DEAD_MS + 1)
    assert await other.roster.claim_dead(NOW + 2 * DEAD_MS) == ["dead"]
    await other.roster.forget("dead")
    await store.roster.heartbeat("alive", NOW + 3 * DEAD_MS)
    assert await store.roster.claim_dead(NOW + 3 * DEAD_MS) == []


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
