"""Log subscriptions: each entry once and in order, whatever is lost, duplicated, late or rewritten."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, cast
from unittest.mock import Mock

import pytest
import redis

from landsraad_server.store import GENESIS, Entry, Head, Store, connect, keys
from landsraad_server.store import log_subscription as following
from landsraad_server.store.errors import Conflict, NotExecuted, Overloaded, ReplyLost
from landsraad_server.store.log_subscription import LogSubscriptions
from landsraad_server.store.match_log import CHUNK, Fetched

if TYPE_CHECKING:
    from tests.server.conftest import Health, Rewind
    from tests.server.store.conftest import Connect, Witness, Write

    from landsraad_server.store.match_log import MatchLog
    from landsraad_testkit import StoreProxy

pytestmark = pytest.mark.asyncio


def commit_unheard(raw: redis.Redis, match: str, before: Head) -> Head:
    """Commit an entry without publishing it, as if the publication had been lost."""
    head = Head(before.version + 1, before.epoch, b"unheard.%d" % before.version, 0)
    raw.xadd(keys.log(match), {b"e": Entry(head, before.nonce, b"unheard").encode()}, id=f"{head.version}-0")
    raw.set(keys.head(match), head.encode())
    return head


async def test_entries_before_and_after_the_beginning_all_come_once(
    store: Store, connected: Connect, write: Write, witness: Witness
) -> None:
    other = await connected()
    heads = await write(other, "m", GENESIS, 3)
    store.follow("m", heads[0], witness.on_entry, witness.on_rewound)
    await write(other, "m", heads[2], 3)
    assert await witness.until(6) == [2, 3, 4, 5, 6]
    assert [entry.payload for entry in witness.entries] == [
        b"entry 1", b"entry 2", b"entry 0", b"entry 1", b"entry 2",
    ]  # fmt: skip


async def test_an_own_entry_is_given_as_it_was_drafted_and_anothers_as_it_was_published(
    store: Store, connected: Connect, write: Write, witness: Witness
) -> None:
    store.follow("m", GENESIS, witness.on_entry, witness.on_rewound)
    [first] = await write(store, "m", GENESIS, 1)
    await witness.until(1)  # from now on entries arrive by publication only

    mine = store.log.draft("m", first, b"mine")
    second = await store.committed(mine)
    await witness.until(2)
    assert witness.entries[1] is mine.entry

    late = store.log.draft("m", second, b"too late")
    await write(await connected(), "m", second, 1)
    with pytest.raises(Conflict):
        await store.committed(late)
    await witness.until(3)
    assert [entry.payload for entry in witness.entries[1:]] == [b"mine", b"entry 0"]


async def test_own_entries_come_too(store: Store, write: Write, witness: Witness) -> None:
    store.follow("m", GENESIS, witness.on_entry, witness.on_rewound)
    await write(store, "m", GENESIS, 2)
    assert await witness.until(2) == [1, 2]


async def test_a_long_past_is_read_in_chunks_while_the_present_goes_on(
    store: Store, connected: Connect, write: Write, witness: Witness
) -> None:
    head = (await write(store, "m", GENESIS, CHUNK + 10))[-1]
    (await connected()).follow("m", GENESIS, witness.on_entry, witness.on_rewound)
    await write(store, "m", head, 40)
    assert await witness.until(CHUNK + 50) == list(range(1, CHUNK + 51))


async def test_a_long_past_without_a_present_comes_whole(store: Store, write: Write, witness: Witness) -> None:
    await write(store, "m", GENESIS, CHUNK + 10)
    store.follow("m", GENESIS, witness.on_entry, witness.on_rewound)
    assert await witness.until(CHUNK + 10) == list(range(1, CHUNK + 11))


async def test_a_gap_is_filled_from_the_log(store: Store, write: Write, raw: redis.Redis, witness: Witness) -> None:
    store.follow("m", GENESIS, witness.on_entry, witness.on_rewound)
    [head] = await write(store, "m", GENESIS, 1)
    await witness.until(1)
    for _ in range(3):
        head = commit_unheard(raw, "m", head)
    await write(store, "m", head, 2)
    assert await witness.until(6) == [1, 2, 3, 4, 5, 6]


async def test_what_is_published_twice_or_late_comes_once_and_costs_nothing(
    store: Store, write: Write, raw: redis.Redis, witness: Witness
) -> None:
    heads = await write(store, "m", GENESIS, 3)
    store.follow("m", GENESIS, witness.on_entry, witness.on_rewound)
    await witness.until(3)
    reads = raw.info("commandstats")["cmdstat_xrange"]["calls"]
    publish = raw.spublish if store.facts.sharded else raw.publish
    for entry in await store.log.read("m"):
        publish(keys.log("m"), entry.encode())
    await write(store, "m", heads[2], 1)
    assert await witness.until(4) == [1, 2, 3, 4]
    assert not witness.rewound.is_set()
    assert raw.info("commandstats")["cmdstat_xrange"]["calls"] == reads + 1  # the test's own


async def test_a_broken_subscription_misses_nothing(
    store: Store, connected: Connect, write: Write, raw: redis.Redis, witness: Witness
) -> None:
    store.follow("m", GENESIS, witness.on_entry, witness.on_rewound)
    other = await connected()
    head = GENESIS
    for round_ in range(1, 6):
        raw.client_kill_filter(_type="pubsub")
        head = (await write(other, "m", head, 10))[-1]
        assert await witness.until(10 * round_) == list(range(1, 10 * round_ + 1))


async def test_hundreds_of_matches_are_followed_on_one_connection(
    store: Store, connected: Connect, write: Write, raw: redis.Redis
) -> None:
    latest: dict[str, int] = {}
    complete = asyncio.Event()

    def hear(match: str, entry: Entry) -> None:
        assert entry.head.version == latest.get(match, 0) + 1
        latest[match] = entry.head.version
        if len(latest) == 300 and set(latest.values()) == {3}:
            complete.set()

    for number in range(300):
        match = f"m{number}"
        store.follow(match, GENESIS, lambda entry, match=match: hear(match, entry), print)  # type: ignore[misc]
    other = await connected()
    await asyncio.gather(*(write(other, f"m{number}", GENESIS, 3) for number in range(300)))
    await asyncio.wait_for(complete.wait(), 10)
    channels = "ssub" if store.facts.sharded else "sub"
    assert [client[channels] for client in raw.client_list(_type="pubsub") if client[channels] != "0"] == ["300"]


async def test_after_closing_nothing_comes(store: Store, write: Write, witness: Witness, raw: redis.Redis) -> None:
    follow = store.follow("m", GENESIS, witness.on_entry, witness.on_rewound)
    heads = await write(store, "m", GENESIS, 1)
    await witness.until(1)
    follow.close()
    follow.close()
    await write(store, "m", heads[0], 1)
    # The match can be subscribed to again; by then a call of the closed subscription would have happened.
    store.follow("m", heads[0], witness.on_entry, witness.on_rewound)
    assert await witness.until(2) == [1, 2]


async def test_closing_from_within_stops_at_once(store: Store, write: Write, witness: Witness) -> None:
    await write(store, "m", GENESIS, 5)
    seen: list[int] = []
    done = asyncio.Event()

    def second_is_enough(entry: Entry) -> None:
        seen.append(entry.head.version)
        if len(seen) == 2:
            follow.close()
            done.set()

    follow = store.follow("m", GENESIS, second_is_enough, witness.on_rewound)
    await asyncio.wait_for(done.wait(), 10)
    await store.log.read("m")
    assert seen == [1, 2]


async def test_one_worker_follows_a_match_once(store: Store, witness: Witness) -> None:
    store.follow("m", GENESIS, witness.on_entry, witness.on_rewound)
    with pytest.raises(ValueError, match="listener"):
        store.follow("m", GENESIS, witness.on_entry, witness.on_rewound)


async def test_everything_lost_for_a_while_is_made_up_for(
    proxy: StoreProxy, store: Store, write: Write, witness: Witness, health: type[Health]
) -> None:
    cut_off = await connect(proxy.url)
    state = health(cut_off)
    cut_off.follow("m", GENESIS, witness.on_entry, witness.on_rewound)
    heads = await write(store, "m", GENESIS, 2)
    await witness.until(2)
    await proxy.refuse()
    await state.becomes(up=False)
    await write(store, "m", heads[1], 3)
    await proxy.listen()
    assert await witness.until(5) == [1, 2, 3, 4, 5]
    await cut_off.close()


async def test_a_log_that_lost_its_tail_ends_the_follow(
    store: Store, write: Write, raw: redis.Redis, rewind: Rewind, witness: Witness
) -> None:
    store.follow("m", GENESIS, witness.on_entry, witness.on_rewound)
    heads = await write(store, "m", GENESIS, 4)
    await witness.until(4)
    rewind("m", heads[1])
    raw.client_kill_filter(_type="pubsub")
    await asyncio.wait_for(witness.rewound.wait(), 10)


async def test_a_rewritten_tail_ends_the_follow_even_on_an_unbroken_subscription(
    store: Store, connected: Connect, write: Write, rewind: Rewind, witness: Witness
) -> None:
    store.follow("m", GENESIS, witness.on_entry, witness.on_rewound)
    heads = await write(store, "m", GENESIS, 4)
    await witness.until(4)
    rewind("m", heads[1])
    await write(await connected(), "m", heads[1], 1)
    await asyncio.wait_for(witness.rewound.wait(), 10)
    assert [entry.head.version for entry in witness.entries] == [1, 2, 3, 4]


# --- the order in which the two connections come back


class SlowLog:
    """A log whose reads are answered by the test."""

    def __init__(self) -> None:
        self.available = True
        self.asked = asyncio.Event()
        self.reads: list[Callable[[Fetched], None]] = []

    def fetch(self, match: str, after: Head, done: Callable[[Fetched], None]) -> None:
        if not self.available:
            raise NotExecuted("away")
        self.reads.append(done)
        self.asked.set()


@pytest.fixture
def slow() -> SlowLog:
    return SlowLog()


@pytest.fixture
def subscriptions(slow: SlowLog) -> LogSubscriptions:
    return LogSubscriptions(cast("MatchLog", slow), Mock())


async def test_a_read_that_began_before_the_subscription_does_not_count(
    slow: SlowLog, subscriptions: LogSubscriptions, witness: Witness
) -> None:
    follow = subscriptions.subscribe("m", GENESIS, witness.on_entry, witness.on_rewound)
    follow.ready()
    follow.ready()
    assert len(slow.reads) == 1
    slow.reads.pop()([])
    assert len(slow.reads) == 1
    slow.reads.pop()([])
    assert slow.reads == []


async def test_who_could_not_read_reads_when_commands_can_be_sent_again(
    slow: SlowLog, subscriptions: LogSubscriptions, witness: Witness
) -> None:
    follow = subscriptions.subscribe("m", GENESIS, witness.on_entry, witness.on_rewound)
    slow.available = False
    follow.ready()
    subscriptions.catch_up()
    slow.available = True
    subscriptions.catch_up()
    slow.reads.pop()(ReplyLost("on the way"))
    subscriptions.catch_up()
    assert len(slow.reads) == 1
    follow.close()
    slow.reads.pop()(NotExecuted("too late to matter"))
    subscriptions.catch_up()
    assert slow.reads == []


async def test_who_alone_could_not_read_tries_again_by_itself(
    slow: SlowLog, subscriptions: LogSubscriptions, witness: Witness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A single read may fail, for example on overload: the connection is not lost, so no reconnection triggers a
    retry.
    """
    monkeypatch.setattr(following, "_RETRY_SECONDS", 0.0)
    follow = subscriptions.subscribe("m", GENESIS, witness.on_entry, witness.on_rewound)
    slow.available = False
    follow.ready()
    slow.available = True
    async with asyncio.timeout(10):
        await slow.asked.wait()
    slow.reads.pop()(Overloaded("another one"))
    subscriptions.close()
    for _ in range(10):
        await asyncio.sleep(0)
    assert slow.reads == []
