"""Match index and sweeper: the log is written first and the index second, and what is lost in between is repaired."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
import redis

from landsraad_server.store import GENESIS, Head, IndexState, Listing, Store, keys
from landsraad_server.store.sweeper import Repairs

if TYPE_CHECKING:
    from tests.server.conftest import Rewind
    from tests.server.store.conftest import Connect, Write

pytestmark = pytest.mark.asyncio

OPEN = Listing(5000, IndexState.OPEN, b"two seats free")
LIVE = OPEN._replace(state=IndexState.LIVE, summary=b"turn 1")


async def logged_only(store: Store, match: str, before: Head, listing: Listing, due: int = 0) -> Head:
    """Commit, and die before index and clocks are updated."""
    draft = store.log.draft(match, before, b"", listing=listing, due=due)
    outcome: asyncio.Future[Head] = asyncio.get_running_loop().create_future()
    store.log.append(draft, outcome.set_result)  # type: ignore[arg-type]
    return await outcome


async def test_a_commit_that_changes_the_listing_shows_in_the_index(store: Store) -> None:
    head = await store.committed(store.log.draft("m", GENESIS, b"", listing=OPEN))
    assert await store.index.get("m") == OPEN
    await store.committed(store.log.draft("m", head, b"", listing=LIVE))
    assert await store.index.get("m") == LIVE
    assert [await store.index.count(state) for state in IndexState] == [0, 1, 0]


async def test_listings_win_by_age_not_by_arrival(store: Store) -> None:
    newer, older = Head(7, 0, b"a.1", 0), Head(6, 0, b"a.2", 0)
    assert await store.index.put("m", LIVE.encode(newer))
    assert not await store.index.put("m", OPEN.encode(older))
    assert not await store.index.put("m", LIVE.encode(newer))
    assert await store.index.get("m") == LIVE
    # After a failover the version may be lower; the epoch tells.
    assert await store.index.put("m", OPEN.encode(older._replace(epoch=1)))
    assert not await store.index.put("m", LIVE.encode(newer._replace(version=9)))
    assert await store.index.get("m") == OPEN


async def test_pages_go_from_new_to_old_without_gap_or_repetition(store: Store) -> None:
    for number in range(25):
        # Several matches of the same millisecond, as when a ladder creates a round.
        listing = OPEN._replace(created=5000 + number // 4)
        await store.index.put(f"m{number:02}", listing.encode(Head(1, 0, b"a.1", 0)))
    await store.index.put("elsewhere", LIVE.encode(Head(1, 0, b"a.1", 0)))
    seen, after, sizes = [], b"", []
    while True:
        page = await store.index.page(IndexState.OPEN, 10, after)
        seen += [row.match for row in page.rows]
        sizes.append(len(page.rows))
        after = page.after
        if not after:
            break
    assert seen == [f"m{number:02}" for number in reversed(range(25))]
    assert sizes == [10, 10, 5]


async def test_a_page_that_ends_exactly_at_the_end_is_followed_by_an_empty_one(store: Store) -> None:
    await store.index.put("m", OPEN.encode(Head(1, 0, b"a.1", 0)))
    page = await store.index.page(IndexState.OPEN, 1)
    assert (await store.index.page(IndexState.OPEN, 1, page.after)) == ([], b"")


async def test_sweeping_a_sound_store_mends_nothing(store: Store) -> None:
    for number in range(5):
        await store.committed(store.log.draft(f"m{number}", GENESIS, b"", listing=LIVE, due=9000))
    store.clocks.flush()
    assert await store.sweeper.sweep() == Repairs(matches=5)


async def test_a_sweep_takes_one_command_for_each_match_and_a_few_in_all(store: Store, raw: redis.Redis) -> None:
    """It runs every ten seconds, beside the acts of thousands of matches."""
    matches = 500
    heads = [store.committed(store.log.draft(f"m{n}", GENESIS, b"", listing=LIVE, due=9000)) for n in range(matches)]
    await asyncio.gather(*heads)
    store.clocks.flush()
    await store.index.count(IndexState.LIVE)  # what was sent before has arrived
    before = raw.info("stats")["total_commands_processed"]
    assert await store.sweeper.sweep() == Repairs(matches=matches)
    commands = raw.info("stats")["total_commands_processed"] - before
    assert matches < commands <= matches + 200


async def test_sweeping_mends_what_a_dead_worker_left_undone(store: Store, connected: Connect) -> None:
    never_listed = await logged_only(store, "never-listed", GENESIS, OPEN)
    listed = await store.committed(store.log.draft("outdated", GENESIS, b"", listing=OPEN, due=9000))
    store.clocks.flush()
    await logged_only(store, "outdated", listed, LIVE, due=4000)

    other = await connected()
    assert await other.sweeper.sweep() == Repairs(matches=2, listed=2, armed=1)
    other.clocks.flush()
    await other.clocks.armed("outdated")
    assert await store.index.get("never-listed") == OPEN
    assert await store.index.get("outdated") == LIVE
    assert await store.clocks.armed("outdated") == 4000
    assert await store.clocks.armed("never-listed") is None
    assert never_listed.due == 0
    assert await other.sweeper.sweep() == Repairs(matches=2)


async def test_sweeping_leaves_leased_clocks_to_their_holders(store: Store) -> None:
    await store.committed(store.log.draft("m", GENESIS, b"", due=1000))
    store.clocks.flush()
    [lease] = await store.clocks.lease(1000)
    assert (await store.sweeper.sweep()).armed == 0
    await store.clocks.settle(lease, 1000)


async def test_sweeping_drops_what_has_no_log_any_more(store: Store, raw: redis.Redis) -> None:
    await store.committed(store.log.draft("gone", GENESIS, b"", listing=OPEN))
    await store.committed(store.log.draft("here", GENESIS, b"", listing=OPEN))
    raw.delete(*keys.of_match("gone"))
    assert await store.sweeper.sweep() == Repairs(matches=1, dropped=1)
    assert [row.match for row in (await store.index.page(IndexState.OPEN, 9)).rows] == ["here"]


async def test_a_forgotten_match_is_not_swept_back(store: Store) -> None:
    await store.committed(store.log.draft("m", GENESIS, b"", listing=LIVE, due=1000))
    await store.forget("m")
    assert await store.sweeper.sweep() == Repairs()
    assert await store.index.get("m") is None


async def test_many_matches_are_all_swept(store: Store) -> None:
    await asyncio.gather(*(logged_only(store, f"m{number}", GENESIS, OPEN) for number in range(700)))
    repairs = await store.sweeper.sweep()
    # A scan may return a key twice but misses none; repairing twice is harmless.
    assert repairs.listed == 700
    assert await store.index.count(IndexState.OPEN) == 700


async def test_the_listing_of_a_rewound_match_is_brought_back_in_line(
    store: Store, write: Write, rewind: Rewind
) -> None:
    first = await store.committed(store.log.draft("m", GENESIS, b"", listing=OPEN))
    second = await store.committed(store.log.draft("m", first, b"", listing=LIVE))
    rewind("m", first)
    await store.committed(store.log.draft("m", first, b"", listing=OPEN, over_epoch=second.epoch))
    assert await store.index.get("m") == OPEN


async def test_sweeping_is_one_workers_turn(store: Store, connected: Connect) -> None:
    other = await connected()
    claims = await asyncio.gather(store.sweeper.claim_sweep(60_000), other.sweeper.claim_sweep(60_000))
    assert sorted(claims) == [False, True]
