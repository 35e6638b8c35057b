"""Commits: exactly the next entry, exactly once, whatever other writers do and whatever gets lost."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
import redis

from landsraad_server.store import GENESIS, Head, Outcome, Store, connect, keys
from landsraad_server.store.errors import Conflict, NotExecuted, ReplyLost, Rewound
from landsraad_server.store.match_log import CHUNK, Draft

if TYPE_CHECKING:
    from tests.server.conftest import Health, Rewind
    from tests.server.store.conftest import Connect, Write

    from landsraad_testkit import StoreProxy

pytestmark = pytest.mark.asyncio


async def outcomes(store: Store, *drafts: Draft) -> list[Outcome]:
    """Commit all drafts in one tick, and so in one write."""
    loop = asyncio.get_running_loop()
    futures: list[asyncio.Future[Outcome]] = [loop.create_future() for _ in drafts]
    for draft, future in zip(drafts, futures, strict=True):
        store.commit(draft, future.set_result)
    return await asyncio.gather(*futures)


async def test_entries_are_read_back_as_committed(store: Store, write: Write) -> None:
    heads = await write(store, "m", GENESIS, 3)
    entries = await store.log.read("m")
    assert [entry.head for entry in entries] == heads
    assert [entry.payload for entry in entries] == [b"entry 0", b"entry 1", b"entry 2"]
    assert [entry.previous for entry in entries] == [b"-", heads[0].nonce, heads[1].nonce]
    assert await store.log.read("m", heads[1]) == entries[2:]
    assert await store.log.head("m") == heads[2]


async def test_a_payload_may_hold_any_bytes(store: Store) -> None:
    payload = bytes(range(256)) + b" \r\n $3\r\n"
    await store.committed(store.log.draft("m", GENESIS, payload))
    assert [entry.payload for entry in await store.log.read("m")] == [payload]


async def test_the_log_is_a_stream_numbered_by_version(store: Store, write: Write, raw: redis.Redis) -> None:
    await write(store, "m", GENESIS, 2)
    stream: Any = raw.xrange(keys.log("m"))
    assert [number for number, _ in stream] == [b"1-0", b"2-0"]


async def test_of_two_writers_one_wins_and_the_other_learns_where_the_log_stands(
    store: Store, connected: Connect, write: Write
) -> None:
    other = await connected()
    [first] = await write(store, "m", GENESIS, 1)
    ours, theirs = store.log.draft("m", first, b"ours"), other.log.draft("m", first, b"theirs")
    (mine,), (foreign,) = await asyncio.gather(outcomes(store, ours), outcomes(other, theirs))
    results = {b"ours": mine, b"theirs": foreign}
    [winner] = [name for name, outcome in results.items() if isinstance(outcome, Head)]
    [refusal] = [outcome for outcome in results.values() if not isinstance(outcome, Head)]
    assert isinstance(refusal, Conflict)
    assert refusal.actual == results[winner]
    assert [entry.payload for entry in await store.log.read("m")] == [b"entry 0", winner]


async def test_racing_writers_lose_no_act_and_double_none(store: Store, connected: Connect) -> None:
    async def play(worker: Store, name: bytes) -> None:
        head = GENESIS
        for number in range(50):
            while True:
                [outcome] = await outcomes(worker, worker.log.draft("m", head, b"%b %d" % (name, number)))
                if isinstance(outcome, Head):
                    head = outcome
                    break
                assert isinstance(outcome, Conflict)
                head = (await worker.log.read("m", head))[-1].head

    workers = [store, await connected(), await connected()]
    await asyncio.gather(*(play(worker, b"w%d" % place) for place, worker in enumerate(workers)))
    payloads = [entry.payload for entry in await store.log.read("m")]
    for place in range(3):
        own = [payload for payload in payloads if payload.startswith(b"w%d " % place)]
        assert own == [b"w%d %d" % (place, number) for number in range(50)]
    assert len(payloads) == 150


async def test_what_is_built_on_a_refused_entry_is_refused_too(store: Store, write: Write) -> None:
    heads = await write(store, "m", GENESIS, 2)
    stale = store.log.draft("m", heads[0], b"not the next")
    on_top = store.log.draft("m", stale.entry.head, b"next after what was refused")
    refusals = await outcomes(store, stale, on_top)
    assert [type(refusal) for refusal in refusals] == [Conflict, Rewound]
    assert await store.log.head("m") == heads[1]


async def test_a_draft_committed_twice_is_in_the_log_once(store: Store) -> None:
    draft = store.log.draft("m", GENESIS, b"once")
    assert await outcomes(store, draft, draft) == [draft.entry.head, draft.entry.head]
    assert len(await store.log.read("m")) == 1


async def test_a_lost_reply_is_told_and_committing_again_is_safe(
    proxy: StoreProxy, raw: redis.Redis, health: type[Health]
) -> None:
    store = await connect(proxy.url)
    state = health(store)
    draft = store.log.draft("m", GENESIS, b"once")
    proxy.swallowing = True
    pending = asyncio.ensure_future(store.committed(draft))
    await proxy.swallowed.wait()
    proxy.cut()
    with pytest.raises(ReplyLost):
        await pending
    assert raw.xlen(keys.log("m")) == 1

    await state.becomes(up=True)
    assert await store.committed(draft) == draft.entry.head
    assert raw.xlen(keys.log("m")) == 1
    await store.close()


async def test_a_lost_reply_that_others_built_upon_shows_as_ones_own_entry(
    proxy: StoreProxy, store: Store, write: Write, health: type[Health]
) -> None:
    unlucky = await connect(proxy.url)
    state = health(unlucky)
    draft = unlucky.log.draft("m", GENESIS, b"once")
    proxy.swallowing = True
    pending = asyncio.ensure_future(unlucky.committed(draft))
    await proxy.swallowed.wait()
    proxy.cut()
    with pytest.raises(ReplyLost):
        await pending
    await write(store, "m", draft.entry.head, 1)

    await state.becomes(up=True)
    with pytest.raises(Conflict):
        await unlucky.committed(draft)
    entries = await unlucky.log.read("m", draft.before)
    assert [entry.payload for entry in entries if entry.head.nonce == draft.entry.head.nonce] == [b"once"]
    await unlucky.close()


async def test_nothing_is_sent_while_there_is_no_connection(
    proxy: StoreProxy, raw: redis.Redis, health: type[Health]
) -> None:
    store = await connect(proxy.url)
    state = health(store)
    await proxy.refuse()
    await state.becomes(up=False)
    with pytest.raises(NotExecuted):
        await store.committed(store.log.draft("m", GENESIS, b"never"))
    assert not raw.exists(keys.log("m"))
    await store.close()


async def test_a_flushed_script_cache_costs_nothing(store: Store, write: Write, raw: redis.Redis) -> None:
    [first] = await write(store, "m", GENESIS, 1)
    raw.script_flush()
    second = store.log.draft("m", first, b"second")
    third = store.log.draft("m", second.entry.head, b"third")
    assert await outcomes(store, second, third) == [second.entry.head, third.entry.head]
    assert [entry.payload for entry in await store.log.read("m")] == [b"entry 0", b"second", b"third"]


async def test_many_heads_are_confirmed_in_one_tick(store: Store, write: Write) -> None:
    [here] = await write(store, "here", GENESIS, 1)
    loop = asyncio.get_running_loop()
    found: list[asyncio.Future[Outcome]] = [loop.create_future() for _ in range(2)]
    store.log.confirm("here", found[0].set_result)
    store.log.confirm("nowhere", found[1].set_result)
    assert await asyncio.gather(*found) == [here, GENESIS]


async def test_a_long_log_is_read_in_chunks(store: Store) -> None:
    head, drafts = GENESIS, []
    for number in range(2 * CHUNK + 1):
        drafts.append(store.log.draft("m", head, b"%d" % number))
        head = drafts[-1].entry.head
    await outcomes(store, *drafts)
    assert [int(entry.payload) for entry in await store.log.read("m")] == list(range(2 * CHUNK + 1))


async def test_loading_begins_at_the_snapshot(store: Store, write: Write) -> None:
    heads = await write(store, "m", GENESIS, 4)
    assert await store.log.keep_snapshot("m", heads[1], b"state at 2")
    loaded = await store.log.load("m")
    assert loaded.snapshot is not None
    assert (loaded.snapshot.head, loaded.snapshot.payload) == (heads[1], b"state at 2")
    assert [entry.head for entry in loaded.entries] == heads[2:]
    assert loaded.head == heads[3]


async def test_with_snapshots_kept_when_due_loading_reads_few_entries(store: Store, write: Write) -> None:
    for head in await write(store, "m", GENESIS, 100):
        if store.log.snapshot_due(head):
            assert await store.log.keep_snapshot("m", head, b"state at %d" % head.version)
    loaded = await store.log.load("m")
    assert loaded.snapshot is not None
    assert loaded.snapshot.payload == b"state at 96"
    assert [entry.head.version for entry in loaded.entries] == [97, 98, 99, 100]


async def test_loading_a_match_that_is_not_there(store: Store) -> None:
    loaded = await store.log.load("nowhere")
    assert (loaded.snapshot, loaded.entries, loaded.head) == (None, [], GENESIS)


async def test_no_snapshot_of_what_the_log_does_not_hold(store: Store, write: Write) -> None:
    [first] = await write(store, "m", GENESIS, 1)
    assert not await store.log.keep_snapshot("m", first._replace(nonce=b"other.1"), b"other history")
    assert not await store.log.keep_snapshot("m", first._replace(version=2), b"the future")
    assert (await store.log.load("m")).snapshot is None


# --- a failover that lost the end of the log


async def test_a_writer_ahead_of_the_log_is_told_and_goes_on_in_a_new_epoch(
    store: Store, write: Write, rewind: Rewind
) -> None:
    heads = await write(store, "m", GENESIS, 4)
    rewind("m", heads[1])
    for draft in (store.log.draft("m", heads[3], b"too late"), store.log.draft("m", heads[2], b"too late")):
        with pytest.raises(Rewound):
            await store.committed(draft)
    with pytest.raises(Rewound):
        await store.log.read("m", heads[3])

    loaded = await store.log.load("m")
    assert loaded.head == heads[1]
    again = await store.committed(store.log.draft("m", loaded.head, b"again", over_epoch=heads[3].epoch))
    assert (again.version, again.epoch) == (3, 1)
    next_one = await store.committed(store.log.draft("m", again, b"next"))
    assert next_one.epoch == 1


async def test_a_rewritten_log_of_the_same_length_is_not_mistaken_for_ones_own(
    store: Store, write: Write, rewind: Rewind
) -> None:
    lost = await write(store, "m", GENESIS, 3)
    rewind("m", lost[0])
    await write(store, "m", lost[0], 2)
    with pytest.raises(Rewound):
        await store.committed(store.log.draft("m", lost[2], b"on another history"))
    with pytest.raises(Rewound):
        await store.log.read("m", lost[2])


async def test_a_snapshot_of_a_lost_entry_is_not_loaded(store: Store, write: Write, rewind: Rewind) -> None:
    heads = await write(store, "m", GENESIS, 3)
    assert await store.log.keep_snapshot("m", heads[2], b"state at 3")
    rewind("m", heads[1])
    loaded = await store.log.load("m")
    assert loaded.snapshot is None
    assert [entry.head for entry in loaded.entries] == heads[:2]


async def test_of_a_forgotten_match_nothing_is_left(store: Store, write: Write, raw: redis.Redis) -> None:
    [head] = await write(store, "m", GENESIS, 1)
    await store.log.keep_snapshot("m", head, b"state")
    store.clocks.arm("m", 1000)
    await store.forget("m")
    assert raw.keys("*") == []
